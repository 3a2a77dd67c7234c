//! Walking a schema: from each schema to those inside it, and never into what is data.

use serde_json::{Map, Value, json};

/// Keywords whose value is a schema.
const ONE: [&str; 11] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value is an object of schemas.
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Hands on every schema right inside this one, with the way to it as a JSON pointer.
pub(super) fn inside(schema: &mut Map<String, Value>, mut visit: impl FnMut(String, &mut Value)) {
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        match value {
            Value::Object(named) if NAMED.contains(&keyword) => {
                // A list of names is no schema: `dependencies` may have both.
                for (name, value) in named.iter_mut().filter(|(_, value)| !value.is_array()) {
                    visit(format!("/{keyword}/{}", escaped(name)), value);
                }
            }
            Value::Array(list) if LISTS.contains(&keyword) || keyword == "items" => {
                for (number, value) in list.iter_mut().enumerate() {
                    visit(format!("/{keyword}/{number}"), value);
                }
            }
            value if ONE.contains(&keyword) || keyword == "items" => visit(format!("/{keyword}"), value),
            _ => {}
        }
    }
}

/// A name as a step of a JSON pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Every schema in the document, the outer ones first. Callers have looked at the depth.
pub(crate) fn each(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    if let Value::Object(members) = schema {
        visit(members);
        inside(members, |_, value| each(value, visit));
    }
}

/// Gives every object its `properties` and its `required`, also where they are empty: several providers and clients want them.
pub(super) fn complete(schema: &mut Value) {
    each(schema, &mut |members| {
        if has_type(members, "object") {
            members.entry("properties").or_insert_with(|| json!({}));
            members.entry("required").or_insert_with(|| json!([]));
        }
    });
}

/// Whether `type` names this type, alone or among others.
pub(super) fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(list)) => list.iter().any(|one| one == name),
        _ => false,
    }
}

/// What an integer format allows, as schemars names them.
pub(crate) fn range_of(format: &str) -> Option<(Value, Value)> {
    let number = |text: &str| serde_json::from_str::<Value>(text).ok();
    let (least, most) = match format {
        "int8" => (json!(i8::MIN), json!(i8::MAX)),
        "int16" => (json!(i16::MIN), json!(i16::MAX)),
        "int32" => (json!(i32::MIN), json!(i32::MAX)),
        "int64" | "int" => (json!(i64::MIN), json!(i64::MAX)),
        "uint8" => (json!(0), json!(u8::MAX)),
        "uint16" => (json!(0), json!(u16::MAX)),
        "uint32" => (json!(0), json!(u32::MAX)),
        "uint64" | "uint" => (json!(0), json!(u64::MAX)),
        // 128 bits go through the reader as text; their range is not told, since `Value` would round it.
        "uint128" => (json!(0), Value::Null),
        "float" => (number("-3.4028234663852886e38")?, number("3.4028234663852886e38")?),
        _ => return None,
    };
    Some((least, most))
}

/// Turns what a number's format allows into bounds, which every validator looks at.
pub(super) fn bound(schema: &mut Value) {
    each(schema, &mut |members| {
        let numeric = has_type(members, "integer") || has_type(members, "number");
        let range = members.get("format").and_then(Value::as_str).filter(|_| numeric).and_then(range_of);
        let Some((least, most)) = range else { return };
        for (keyword, exclusive, limit) in
            [("minimum", "exclusiveMinimum", least), ("maximum", "exclusiveMaximum", most)]
        {
            if !limit.is_null() && !members.contains_key(exclusive) {
                members.entry(keyword).or_insert(limit);
            }
        }
    });
}

/// Writes what older drafts have otherwise as 2020-12 has it: lists of `items`, `dependencies`, `definitions`, and bounds
/// that are exclusive by a boolean.
pub(super) fn modernize(schema: &mut Value) {
    each(schema, &mut |members| {
        if members.get("items").is_some_and(Value::is_array) {
            let list = members.remove("items").unwrap_or_default();
            members.insert("prefixItems".into(), list);
            if let Some(rest) = members.remove("additionalItems") {
                members.insert("items".into(), rest);
            }
        } else {
            members.remove("additionalItems");
        }
        for (keyword, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            match members.get(keyword).and_then(Value::as_bool) {
                Some(true) => {
                    if let Some(limit) = members.remove(bound) {
                        members.insert(keyword.into(), limit);
                    }
                }
                Some(false) => drop(members.remove(keyword)),
                None => {}
            }
        }
        if let Some(Value::Object(all)) = members.remove("dependencies") {
            for (name, value) in all {
                let keyword = if value.is_array() { "dependentRequired" } else { "dependentSchemas" };
                if let Value::Object(named) = members.entry(keyword).or_insert_with(|| json!({})) {
                    named.insert(name, value);
                }
            }
        }
        if let Some(Value::String(target)) = members.get_mut("$ref")
            && let Some(name) = target.strip_prefix("#/definitions/")
        {
            *target = format!("#/$defs/{name}");
        }
    });
    if let Value::Object(root) = schema
        && let Some(Value::Object(old)) = root.remove("definitions")
        && let Value::Object(definitions) = root.entry("$defs").or_insert_with(|| json!({}))
    {
        definitions.extend(old);
    }
}
