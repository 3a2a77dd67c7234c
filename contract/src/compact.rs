//! JSON text on one line, as protocols that send a message a line need it. No value is read, so no number changes.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::MAX_OUTPUT_DEPTH;

/// Takes out the line ends between the values of JSON text; none stand inside.
pub(crate) fn on_one_line(json: String) -> String {
    match one_line(&json) {
        Cow::Borrowed(_) => json,
        Cow::Owned(line) => line,
    }
}

/// As [`on_one_line`], for text that is borrowed.
pub(crate) fn one_line(json: &str) -> Cow<'_, str> {
    let has_end = json.bytes().any(|byte| matches!(byte, b'\n' | b'\r'));
    if has_end { Cow::Owned(json.replace(['\n', '\r'], "")) } else { Cow::Borrowed(json) }
}

/// Serializes JSON text as the JSON that it is, on one line; as a string what is no JSON, or so deep that readers refuse it.
pub(crate) fn as_raw<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw = serde_json::from_str::<&RawValue>(text).ok().filter(|_| depth(text) <= MAX_OUTPUT_DEPTH);
    match (raw, one_line(text)) {
        (Some(raw), Cow::Borrowed(_)) => raw.serialize(serializer),
        (Some(_), Cow::Owned(line)) => match serde_json::from_str::<&RawValue>(&line) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(text),
        },
        (None, _) => serializer.serialize_str(text),
    }
}

/// How deep the containers of JSON text are nested, or more where the text is short.
pub(crate) fn depth(json: &str) -> usize {
    if json.len() <= MAX_OUTPUT_DEPTH {
        return json.len();
    }
    let (mut depth, mut most, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                most = most.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    struct Raw<'t>(&'t str);

    impl Serialize for Raw<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            as_raw(self.0, serializer)
        }
    }

    fn written(text: &str) -> String {
        serde_json::to_string(&Raw(text)).unwrap()
    }

    #[test]
    fn json_is_written_to_the_letter_on_one_line() {
        for text in ["{}", r#"{"a": 1.0, "b": 12345678901234567890123, "a": "\u00e9[["}"#, "null", "\"{[\""] {
            assert_eq!(written(text), text);
        }
        assert_eq!(written("{\r\n\t\"a\": [1,\n2]}"), "{\t\"a\": [1,2]}");
    }

    #[test]
    fn what_is_no_json_is_a_string() {
        for text in ["", "{", "plain", "{\"a\": \"line\nend\"}", "1 2", "{'a': 1}"] {
            assert_eq!(written(text), serde_json::to_string(text).unwrap());
        }
    }

    #[test]
    fn what_is_too_deep_is_a_string() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(written(&nested(MAX_OUTPUT_DEPTH)), nested(MAX_OUTPUT_DEPTH));
        assert_eq!(written(&nested(MAX_OUTPUT_DEPTH + 1)), format!("\"{}\"", nested(MAX_OUTPUT_DEPTH + 1)));
        let flat = "[[],{\"a\":\"[[[\\\"[\"},".repeat(200) + "1" + &"]".repeat(200);
        assert_eq!(depth(&flat), 201);
        assert_eq!(depth(&(" ".repeat(200) + r#"["[[", "\"[", {}]"#)), 2);
    }
}
