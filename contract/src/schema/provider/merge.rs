//! Several schemas written as one.

use serde_json::{Map, Value, json};

use crate::schema::walk::has_type;

/// Whether values are objects, by all that is told at this place.
pub(super) fn is_object(members: &Map<String, Value>) -> bool {
    if members.contains_key("type") {
        return has_type(members, "object");
    }
    let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|keyword| members.get(*keyword)?.as_array());
    let mut branches = branches.flatten().filter_map(Value::as_object).peekable();
    let named = members.contains_key("properties") || members.contains_key("required");
    named || (branches.peek().is_some() && branches.all(is_object))
}

/// Takes the parts of `allOf` into the schema itself; the keyword of which two parts say different things, if there is one.
pub(super) fn all_of(members: &mut Map<String, Value>) -> Result<(), String> {
    let Some(Value::Array(parts)) = members.remove("allOf") else { return Ok(()) };
    for part in parts {
        match part {
            Value::Object(mut part) => {
                all_of(&mut part)?;
                both(members, part)?;
            }
            Value::Bool(true) => {}
            _ => return Err("type".into()),
        }
    }
    Ok(())
}

/// Adds what `part` says.
fn both(members: &mut Map<String, Value>, part: Map<String, Value>) -> Result<(), String> {
    for (keyword, value) in part {
        match (members.get_mut(&keyword), value) {
            (None, value) => drop(members.insert(keyword, value)),
            (Some(old), value) if *old == value => {}
            (Some(Value::Object(old)), Value::Object(new)) if keyword == "properties" => {
                for (name, schema) in new {
                    match old.get(&name) {
                        Some(other) if *other != schema => return Err(format!("properties/{name}")),
                        _ => drop(old.insert(name, schema)),
                    }
                }
            }
            (Some(Value::Array(old)), Value::Array(new)) if keyword == "required" => {
                for name in new {
                    if !old.contains(&name) {
                        old.push(name);
                    }
                }
            }
            (Some(_), _) if matches!(&*keyword, "description" | "title" | "examples" | "default") => {}
            _ => return Err(keyword),
        }
    }
    Ok(())
}

/// Takes the members that stand beside a union of objects into each branch: a closed branch would forbid them.
pub(super) fn into_branches(members: &mut Map<String, Value>) -> Result<(), String> {
    if !has_type(members, "object") || !members.contains_key("anyOf") {
        return Ok(());
    }
    let mut beside = Map::new();
    for keyword in ["type", "properties", "required", "additionalProperties"] {
        beside.extend(members.remove(keyword).map(|value| (keyword.to_string(), value)));
    }
    for branch in members.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(branch) = branch {
            all_of(branch)?;
            // What one of the two takes, the other may forbid; together they take what is told here.
            let mut beside = beside.clone();
            if branch.contains_key("additionalProperties") {
                beside.remove("additionalProperties");
            }
            both(branch, beside)?;
        }
    }
    Ok(())
}

/// Writes the branches of a union of objects as one object: all their members, of which those are required that are so in every
/// branch. Which go together is told in the description.
pub(super) fn root_union(members: &mut Map<String, Value>, branches: Vec<Value>) {
    let mut branches: Vec<Map<String, Value>> = branches
        .into_iter()
        .filter_map(|branch| match branch {
            Value::Object(branch) => Some(branch),
            _ => None,
        })
        .collect();
    for branch in &mut branches {
        // Parts that cannot be one stay apart, which only makes the whole wider.
        let _ = all_of(branch);
        // A union inside a branch is one more union of objects.
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(inner)) = branch.remove(keyword) {
                root_union(branch, inner);
            }
        }
    }
    let told: Vec<String> = branches.iter().map(outline).collect();
    let mut properties = take_object(members, "properties");
    for branch in &mut branches {
        for (name, schema) in take_object(branch, "properties") {
            match properties.get_mut(&name) {
                Some(old) => *old = either(old.take(), schema),
                None => drop(properties.insert(name, schema)),
            }
        }
    }
    let mut required: Vec<Value> = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let of =
        |branch: &Map<String, Value>| branch.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some((first, rest)) = branches.split_first() {
        let everywhere = of(first).into_iter().filter(|name| rest.iter().all(|branch| of(branch).contains(name)));
        for name in everywhere.collect::<Vec<_>>() {
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
    if branches.iter().all(|branch| branch.get("additionalProperties") == Some(&json!(false))) {
        members.entry("additionalProperties").or_insert(json!(false));
    } else if members.get("additionalProperties") == Some(&json!(false)) {
        members.remove("additionalProperties");
    }
    members.insert("properties".into(), Value::Object(properties));
    members.insert("required".into(), Value::Array(required));
    super::tell(members, &format!("give one of: {}", told.join("; ")));
}

/// The required members of a branch, with the values of its tag.
fn outline(branch: &Map<String, Value>) -> String {
    let required = branch.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let named = required.map(|name| {
        let fixed = branch.get("properties").and_then(|all| all.get(name)?.get("const"));
        fixed.map_or_else(|| name.to_string(), |value| format!("{name}={value}"))
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() { "nothing required".into() } else { named.join(", ") }
}

/// What is one or the other.
fn either(one: Value, other: Value) -> Value {
    if one == other {
        return one;
    }
    let listed = |schema: &Value| {
        let members = schema.as_object()?;
        let simple = members.keys().all(|key| matches!(&**key, "type" | "const" | "enum" | "description"));
        let values = members.get("enum").and_then(Value::as_array).cloned();
        values.or_else(|| Some(vec![members.get("const")?.clone()])).filter(|_| simple)
    };
    if let (Some(mut values), Some(more)) = (listed(&one), listed(&other))
        && one.get("type") == other.get("type")
    {
        for value in more {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let mut members = Map::new();
        if let Some(of) = one.get("type") {
            members.insert("type".into(), of.clone());
        }
        members.insert("enum".into(), Value::Array(values));
        return Value::Object(members);
    }
    let branches = |schema: Value| match schema {
        Value::Object(mut members) if members.len() == 1 && members.contains_key("anyOf") => {
            members.remove("anyOf").and_then(|list| list.as_array().cloned()).unwrap_or_default()
        }
        schema => vec![schema],
    };
    let mut all = branches(one);
    for branch in branches(other) {
        if !all.contains(&branch) {
            all.push(branch);
        }
    }
    json!({ "anyOf": all })
}

fn take_object(members: &mut Map<String, Value>, keyword: &str) -> Map<String, Value> {
    match members.remove(keyword) {
        Some(Value::Object(inner)) => inner,
        _ => Map::new(),
    }
}
