//! Sizes and names that a provider refuses.

use serde_json::Value;

use super::Report;
use crate::schema::walk;

/// Names that Anthropic takes at the root.
pub(super) fn property_names(schema: &Value, report: &mut Report) {
    for name in schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|all| all.keys()) {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        if name.is_empty() || name.len() > 64 || !name.bytes().all(letter) {
            let message = "the name of a parameter must have 1 to 64 characters out of a-z, A-Z, 0-9, `_`, `.` and `-`: rename it";
            report.fault(&format!("/properties/{}", walk::escaped(name)), message);
        }
    }
}

/// OpenAI's limits on the whole of a schema.
const MAX_PROPERTIES: usize = 5_000;
const MAX_NESTING: usize = 10;
const MAX_ENUM_VALUES: usize = 1_000;
const MAX_TEXT: usize = 120_000;
/// An enumeration of more texts than this may have no more bytes than that in them.
const MANY_VALUES: usize = 250;
const MAX_VALUES_TEXT: usize = 15_000;

#[derive(Default)]
struct Counts {
    properties: usize,
    values: usize,
    text: usize,
    long_enums: usize,
}

/// Whether a schema is within OpenAI's limits.
pub(super) fn openai(schema: &Value, report: &mut Report) {
    let mut counts = Counts::default();
    let mut copy = schema.clone();
    if let Some(definitions) = schema.get("$defs").and_then(Value::as_object) {
        counts.text += definitions.keys().map(String::len).sum::<usize>();
    }
    walk::each(&mut copy, &mut |members| {
        if let Some(Value::Object(properties)) = members.get("properties") {
            counts.properties += properties.len();
            counts.text += properties.keys().map(String::len).sum::<usize>();
        }
        if let Some(Value::Array(values)) = members.get("enum") {
            let text: usize = values.iter().filter_map(Value::as_str).map(str::len).sum();
            counts.values += values.len();
            counts.text += text;
            counts.long_enums += usize::from(values.len() > MANY_VALUES && text > MAX_VALUES_TEXT);
        }
    });
    let nesting = nesting(&mut copy);
    for (count, most, what) in [
        (counts.properties, MAX_PROPERTIES, "properties"),
        (counts.values, MAX_ENUM_VALUES, "listed values"),
        (counts.text, MAX_TEXT, "bytes of names and listed values"),
        (nesting, MAX_NESTING, "objects inside each other"),
        (counts.long_enums, 0, "long enumerations of more than 15000 bytes"),
    ] {
        if count > most {
            report.fault("", format!("it has {count} {what}, more than the {most} that are taken: make it smaller"));
        }
    }
}

/// How many objects with members stand inside each other.
fn nesting(schema: &mut Value) -> usize {
    let Value::Object(members) = schema else { return 0 };
    let mut deepest = 0;
    walk::inside(members, |_, inner| deepest = deepest.max(nesting(inner)));
    deepest + usize::from(members.contains_key("properties"))
}
