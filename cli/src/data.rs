//! Records for programs: named values that are written as JSON or CSV, always in the same order.

use std::borrow::Cow;
use std::io::Write;

/// The names and values of one record. Every record of an output has the same names.
pub(crate) type Record<'a> = Vec<(&'static str, Datum<'a>)>;

/// A value of a record.
#[derive(Clone, Debug)]
pub(crate) enum Datum<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Count(u64),
    Float(f64),
    Text(Cow<'a, str>),
    /// JSON text, written as it stands.
    Json(Cow<'a, str>),
    List(Vec<Datum<'a>>),
    Object(Record<'a>),
}

impl<'a> Datum<'a> {
    pub(crate) fn list<T: Into<Datum<'a>>>(items: impl IntoIterator<Item = T>) -> Self {
        Datum::List(items.into_iter().map(Into::into).collect())
    }

    /// Appends the value as JSON.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Datum::Null => out.extend_from_slice(b"null"),
            Datum::Bool(on) => out.extend_from_slice(if *on { b"true" } else { b"false" }),
            Datum::Int(n) => scalar(n, out),
            Datum::Count(n) => scalar(n, out),
            Datum::Float(n) => scalar(n, out),
            Datum::Text(text) => scalar(text.as_ref(), out),
            Datum::Json(text) => out.extend_from_slice(text.as_bytes()),
            Datum::List(items) => {
                out.push(b'[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    item.write_json(out);
                }
                out.push(b']');
            }
            Datum::Object(record) => write_object(record, out),
        }
    }

    /// Appends the value as a field of CSV: nothing for `null`, a list of texts as these with `;` between them, and what has
    /// an inner structure as JSON.
    fn write_csv(&self, out: &mut Vec<u8>) {
        match self {
            Datum::Null => {}
            Datum::Text(text) => write_quoted(text.as_bytes(), out),
            Datum::List(items) if items.iter().all(|item| matches!(item, Datum::Text(_))) => {
                let texts: Vec<&str> = items.iter().filter_map(Datum::text).collect();
                write_quoted(texts.join(";").as_bytes(), out);
            }
            Datum::Json(_) | Datum::List(_) | Datum::Object(_) => {
                let mut json = Vec::new();
                self.write_json(&mut json);
                write_quoted(&json, out);
            }
            Datum::Bool(_) | Datum::Int(_) | Datum::Count(_) | Datum::Float(_) => self.write_json(out),
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Datum::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Appends a record as a JSON object.
pub(crate) fn write_object(record: &Record<'_>, out: &mut Vec<u8>) {
    let mut open = b'{';
    for (name, value) in record {
        out.push(open);
        open = b',';
        out.push(b'"');
        // Names are our own: nothing in them needs an escape.
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        value.write_json(out);
    }
    if record.is_empty() {
        out.push(b'{');
    }
    out.push(b'}');
}

/// Appends a record as a line of CSV.
pub(crate) fn write_csv_line(record: &Record<'_>, out: &mut Vec<u8>) {
    for (i, (_, value)) in record.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        value.write_csv(out);
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

fn scalar<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    // Numbers and texts always have a JSON form, and a `Vec` takes all that is written to it.
    if serde_json::to_writer(&mut *out, value).is_err() {
        let _ = out.write_all(b"null");
    }
}

impl From<bool> for Datum<'_> {
    fn from(value: bool) -> Self {
        Datum::Bool(value)
    }
}

impl From<i64> for Datum<'_> {
    fn from(value: i64) -> Self {
        Datum::Int(value)
    }
}

impl From<u64> for Datum<'_> {
    fn from(value: u64) -> Self {
        Datum::Count(value)
    }
}

impl From<usize> for Datum<'_> {
    fn from(value: usize) -> Self {
        Datum::Count(value as u64)
    }
}

impl From<f64> for Datum<'_> {
    fn from(value: f64) -> Self {
        Datum::Float(value)
    }
}

impl<'a> From<&'a str> for Datum<'a> {
    fn from(value: &'a str) -> Self {
        Datum::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Datum<'_> {
    fn from(value: String) -> Self {
        Datum::Text(Cow::Owned(value))
    }
}

impl<'a> From<Record<'a>> for Datum<'a> {
    fn from(value: Record<'a>) -> Self {
        Datum::Object(value)
    }
}

impl<'a, T: Into<Datum<'a>>> From<Option<T>> for Datum<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Datum::Null, Into::into)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sample() -> Record<'static> {
        vec![
            ("none", Datum::Null),
            ("text", "a \"b\",\nc".into()),
            ("empty", "".into()),
            ("plain", "x".into()),
            ("n", (-3_i64).into()),
            ("share", 0.5.into()),
            ("flags", Datum::list(["a", "b"])),
            ("input", Datum::Json(r#"{"path":"a,b"}"#.into())),
        ]
    }

    #[test]
    fn json_keeps_order_and_escapes() {
        let mut out = Vec::new();
        write_object(&sample(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{"none":null,"text":"a \"b\",\nc","empty":"","plain":"x","n":-3,"share":0.5,"flags":["a","b"],"input":{"path":"a,b"}}"#
        );
        let mut empty = Vec::new();
        write_object(&Vec::new(), &mut empty);
        assert_eq!(empty, b"{}");
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut out = Vec::new();
        write_csv_line(&sample(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            ",\"a \"\"b\"\",\nc\",\"\",x,-3,0.5,a;b,\"{\"\"path\"\":\"\"a,b\"\"}\"\n"
        );
    }

    #[test]
    fn numbers_without_a_json_form_are_null() {
        let mut out = Vec::new();
        Datum::Float(f64::NAN).write_json(&mut out);
        assert_eq!(out, b"null");
    }
}
