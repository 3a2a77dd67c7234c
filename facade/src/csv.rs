//! Records as CSV.

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::{Datum, Record};

/// Records as CSV, after a line with these names.
pub(crate) fn csv_text<'a>(names: Option<&[&str]>, records: impl IntoIterator<Item = Record<'a>>) -> String {
    let mut out = Vec::new();
    if let Some(names) = names {
        out.extend_from_slice(names.join(",").as_bytes());
        out.push(b'\n');
    }
    for record in records {
        write_csv_line(&record, &mut out);
    }
    String::from_utf8(out).unwrap_or_default()
}

/// Appends the value as a field of CSV: nothing for `null`, a list of texts as these with `;` between them, and what has
/// an inner structure as JSON.
fn write_csv(datum: &Datum<'_>, out: &mut Vec<u8>) {
    match datum {
        Datum::Null => {}
        Datum::Text(text) => write_quoted(text.as_bytes(), out),
        Datum::List(items) if items.iter().all(|item| matches!(item, Datum::Text(_))) => {
            let texts: Vec<&str> = items.iter().filter_map(text).collect();
            write_quoted(texts.join(";").as_bytes(), out);
        }
        Datum::Json(_) | Datum::List(_) | Datum::Object(_) => {
            let mut json = Vec::new();
            datum.write_json(&mut json);
            write_quoted(&json, out);
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Count(_) | Datum::Float(_) => datum.write_json(out),
    }
}

fn text<'d>(datum: &'d Datum<'_>) -> Option<&'d str> {
    match datum {
        Datum::Text(text) => Some(text),
        _ => None,
    }
}

/// Appends a record as a line of CSV.
pub fn write_csv_line(record: &Record<'_>, out: &mut Vec<u8>) {
    for (i, (_, value)) in record.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_csv(value, out);
    }
    out.push(b'\n');
}

fn write_quoted(text: &[u8], out: &mut Vec<u8>) {
    // An empty text is quoted, so that it differs from an absent one.
    let plain = !text.is_empty() && !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r' | b' '));
    if plain {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for piece in text.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(piece);
        if piece.last() == Some(&b'"') {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::tests::sample;

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut out = Vec::new();
        write_csv_line(&sample(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            ",\"a \"\"b\"\",\nc\",\"\",x,-3,0.5,a;b,\"{\"\"path\"\":\"\"a,b\"\"}\"\n"
        );
    }
}
