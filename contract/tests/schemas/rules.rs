//! What providers refuse, written down anew from their documentation: a second opinion on the crate's own lists.

use super::*;

/// By the rules of OpenAI's guide, written down anew: what it would answer with an error.
pub(crate) fn openai_refuses(schema: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if schema["type"] != "object" || schema.get("anyOf").is_some() {
        wrong.push("the root is no plain object".to_string());
    }
    fn walk(schema: &Value, wrong: &mut Vec<String>) {
        const KEYWORDS: [&str; 20] = [
            "$ref",
            "$defs",
            "type",
            "title",
            "description",
            "enum",
            "anyOf",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "pattern",
            "format",
        ];
        const FORMATS: [&str; 9] =
            ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
        let Some(members) = schema.as_object() else { return wrong.push(format!("no object: {schema}")) };
        if let Some(odd) = members.keys().find(|key| !KEYWORDS.contains(&&***key)) {
            wrong.push(format!("keyword {odd}"));
        }
        if members.contains_key("$ref") && members.len() > 1 {
            wrong.push("members beside $ref".into());
        }
        if !["$ref", "type", "anyOf"].iter().any(|key| members.contains_key(*key)) {
            wrong.push(format!("no type: {schema}"));
        }
        if members.get("format").is_some_and(|format| !FORMATS.contains(&format.as_str().unwrap_or(""))) {
            wrong.push(format!("format {schema}"));
        }
        let is = |name: &str| {
            members
                .get("type")
                .is_some_and(|of| of == name || of.as_array().is_some_and(|all| all.contains(&name.into())))
        };
        if is("object") {
            let Some(properties) = members.get("properties").and_then(Value::as_object) else {
                return wrong.push(format!("no properties: {schema}"));
            };
            let mut required: Vec<&str> =
                members["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            required.sort_unstable();
            if properties.keys().map(String::as_str).collect::<Vec<_>>() != required {
                wrong.push(format!("not all required: {schema}"));
            }
            if members.get("additionalProperties") != Some(&json!(false)) {
                wrong.push("additionalProperties".into());
            }
            properties.values().for_each(|property| walk(property, wrong));
        }
        if is("array") {
            match members.get("items") {
                Some(items) => walk(items, wrong),
                None => wrong.push("no items".into()),
            }
        }
        members.get("anyOf").and_then(Value::as_array).into_iter().flatten().for_each(|branch| walk(branch, wrong));
        members.get("$defs").and_then(Value::as_object).into_iter().flatten().for_each(|(_, inner)| walk(inner, wrong));
    }
    walk(schema, &mut wrong);
    wrong
}

/// By the Gemini API's reference, written down anew.
pub(crate) fn gemini_refuses(schema: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if schema["type"] != "object" {
        wrong.push("the root is no object".to_string());
    }
    fn walk(schema: &Value, optional: bool, wrong: &mut Vec<String>) {
        const KEYWORDS: [&str; 17] = [
            "$ref",
            "$defs",
            "type",
            "format",
            "title",
            "description",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "additionalProperties",
            "required",
        ];
        let Some(members) = schema.as_object() else { return wrong.push(format!("no object: {schema}")) };
        if let Some(odd) = members.keys().find(|key| !KEYWORDS.contains(&&***key)) {
            wrong.push(format!("keyword {odd}"));
        }
        if members.contains_key("$ref") && (members.len() > 1 || !optional) {
            wrong.push(format!("$ref: {schema}"));
        }
        for value in members.get("enum").and_then(Value::as_array).into_iter().flatten() {
            if !value.is_string() && !value.is_number() {
                wrong.push(format!("listed: {value}"));
            }
        }
        let required: Vec<&Value> = members.get("required").and_then(Value::as_array).into_iter().flatten().collect();
        for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let needed = required.iter().any(|other| *other == name);
            walk(property, optional || !needed, wrong);
            if needed && property.to_string().contains("$ref") {
                wrong.push(format!("$ref in {name}, which is required"));
            }
        }
        if members.get("type").is_some_and(|of| of == "array")
            && !members.contains_key("items")
            && !members.contains_key("prefixItems")
        {
            wrong.push("no items".into());
        }
        let lists = ["anyOf", "prefixItems"].iter().filter_map(|key| members.get(*key)?.as_array()).flatten();
        let ones = ["items", "additionalProperties"]
            .iter()
            .filter_map(|key| members.get(*key))
            .filter(|one| !one.is_boolean());
        lists.chain(ones).for_each(|inner| walk(inner, optional, wrong));
        members
            .get("$defs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .for_each(|(_, inner)| walk(inner, true, wrong));
    }
    walk(schema, false, &mut wrong);
    wrong
}
