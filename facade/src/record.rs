//! Records for programs: named values that are written as JSON, always in the same order.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The names and values of one record. Every record of an output has the same names.
pub type Record<'a> = Vec<(&'static str, Datum<'a>)>;

/// A value of a record.
#[derive(Clone, Debug)]
pub enum Datum<'a> {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number of things.
    Count(u64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// JSON text, written as it stands.
    Json(Cow<'a, str>),
    /// A list.
    List(Vec<Datum<'a>>),
    /// An object.
    Object(Record<'a>),
}

impl<'a> Datum<'a> {
    /// A list of these.
    pub fn list<T: Into<Datum<'a>>>(items: impl IntoIterator<Item = T>) -> Self {
        Datum::List(items.into_iter().map(Into::into).collect())
    }

    /// Appends the value as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Datum::Null => out.extend_from_slice(b"null"),
            Datum::Bool(on) => out.extend_from_slice(if *on { b"true" } else { b"false" }),
            Datum::Int(n) => integer(n, out),
            Datum::Count(n) => integer(n, out),
            Datum::Float(n) => scalar(n, out),
            Datum::Text(text) => string(text, out),
            Datum::Json(text) => out.extend_from_slice(one_line(text).as_bytes()),
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
}

/// Appends a record as a JSON object.
pub fn write_object(record: &Record<'_>, out: &mut Vec<u8>) {
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

fn string(text: &str, out: &mut Vec<u8>) {
    if text.bytes().any(|byte| !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\')) {
        return scalar(text, out);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

fn integer(n: &dyn fmt::Display, out: &mut Vec<u8>) {
    struct Bytes<'o>(&'o mut Vec<u8>);
    impl fmt::Write for Bytes<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.extend_from_slice(text.as_bytes());
            Ok(())
        }
    }
    // Memory takes all that is written.
    let _ = fmt::write(&mut Bytes(out), format_args!("{n}"));
}

fn scalar<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    // Numbers and texts always have a JSON form.
    match serde_json::to_string(value) {
        Ok(text) => out.extend_from_slice(one_line(&text).as_bytes()),
        Err(_) => out.extend_from_slice(b"null"),
    }
}

/// JSON text with the line ends of Unicode that JSON allows in strings escaped: a record is one line to every reader.
pub(crate) fn one_line(json: &str) -> Cow<'_, str> {
    const LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
    if json.is_ascii() || !json.contains(LINE_ENDS) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        match c {
            '\u{85}' => out.push_str("\\u0085"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A record as the text of a JSON object.
pub fn object_text(record: &Record<'_>) -> String {
    // Room for most: growing step by step costs more than the writing.
    let mut out = Vec::with_capacity(512);
    write_object(record, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Records as the text of a JSON array.
pub fn array_text<'a>(records: impl IntoIterator<Item = Record<'a>>) -> String {
    let mut out = Vec::from(*b"[");
    for (at, record) in records.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_object(&record, &mut out);
    }
    out.push(b']');
    String::from_utf8(out).unwrap_or_default()
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
pub(crate) mod tests {
    use super::*;
    use alloc::vec;

    /// A record with a value of each kind.
    pub(crate) fn sample() -> Record<'static> {
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
    fn numbers_without_a_json_form_are_null() {
        let mut out = Vec::new();
        Datum::Float(f64::NAN).write_json(&mut out);
        assert_eq!(out, b"null");
    }

    #[test]
    fn a_record_is_one_line_to_every_reader() {
        let mut out = Vec::new();
        write_object(
            &vec![("t", "a\u{2028}b\u{85}".into()), ("j", Datum::Json("{\"x\":\"\u{2029}é\"}".into()))],
            &mut out,
        );
        assert_eq!(String::from_utf8(out).unwrap(), r#"{"t":"a\u2028b\u0085","j":{"x":"\u2029é"}}"#);
    }
}
