//! The descriptions inside a schema.

use serde_json::Value;

/// Schemas are not looked into deeper than this.
const MAX_DEPTH: usize = 128;

/// Keywords that hold a schema, or a list of them.
const SCHEMAS: [&str; 16] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
];

/// Keywords that hold schemas by names. All other keywords hold data.
const BY_NAME: [&str; 5] = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/// Visits every description of a schema and of the schemas in it; the first error ends the walk.
pub(super) fn visit<E>(schema: &mut Value, work: &mut impl FnMut(&mut String) -> Result<(), E>) -> Result<(), E> {
    walk(schema, MAX_DEPTH, work)
}

fn walk<E>(schema: &mut Value, depth: usize, work: &mut impl FnMut(&mut String) -> Result<(), E>) -> Result<(), E> {
    let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
    match schema {
        Value::Array(schemas) => schemas.iter_mut().try_for_each(|schema| walk(schema, depth, work)),
        Value::Object(members) => members.iter_mut().try_for_each(|(keyword, value)| match value {
            Value::String(text) if keyword == "description" => work(text),
            Value::Object(schemas) if BY_NAME.contains(&keyword.as_str()) => {
                schemas.values_mut().try_for_each(|schema| walk(schema, depth, work))
            }
            value if SCHEMAS.contains(&keyword.as_str()) => walk(value, depth, work),
            _ => Ok(()),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::convert::Infallible;

    #[test]
    fn descriptions_are_found_and_data_is_not() {
        let mut schema = json!({
            "description": "1",
            "properties": {
                "description": {"type": "string", "description": "2", "default": {"description": "data"}},
                "list": {"items": {"anyOf": [{"description": "3"}, {"$ref": "#/$defs/description"}]}},
            },
            "$defs": {"description": {"description": "4"}},
            "examples": [{"description": "data"}],
            "const": {"description": "data"},
        });
        let mut found = Vec::new();
        let Ok(()) = visit::<Infallible>(&mut schema, &mut |text| {
            found.push(std::mem::replace(text, "new".into()));
            Ok(())
        });
        found.sort();
        assert_eq!(found, ["1", "2", "3", "4"]);
        assert_eq!(schema["properties"]["description"]["description"], "new");
        assert_eq!(schema["properties"]["description"]["default"]["description"], "data");
    }
}
