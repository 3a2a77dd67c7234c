//! JSON text on one line, as protocols that send a message a line need it. No value is read, so no number changes.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// Takes out the line ends between the values of JSON text; none stand inside.
pub(crate) fn on_one_line(json: String) -> String {
    match one_line(&json) {
        Cow::Borrowed(_) => json,
        Cow::Owned(line) => line,
    }
}

/// As [`on_one_line`], for text that is borrowed.
pub(crate) fn one_line(json: &str) -> Cow<'_, str> {
    let is_end = |c: char| matches!(c, '\n' | '\r');
    if json.contains(is_end) { Cow::Owned(json.replace(is_end, "")) } else { Cow::Borrowed(json) }
}

/// Serializes JSON text as the JSON that it is, on one line; other text as a string.
pub(crate) fn as_raw<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw = serde_json::from_str::<&RawValue>(text);
    match (raw, one_line(text)) {
        (Ok(raw), Cow::Borrowed(_)) => raw.serialize(serializer),
        (Ok(_), Cow::Owned(line)) => match serde_json::from_str::<&RawValue>(&line) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(text),
        },
        (Err(_), _) => serializer.serialize_str(text),
    }
}
