//! What a schema wants, in a few words that a model can act on.

use serde_json::{Map, Value};

use super::walk::{has_type, range_of};

/// As many listed values are told.
const MAX_LISTED: usize = 12;
/// Schemas inside schemas are described this deep.
const MAX_DEPTH: usize = 3;
/// Bytes of one listed value, and of a pattern.
const MAX_VALUE: usize = 80;

/// The schema at a JSON pointer, which leads somewhere for every violation.
pub(crate) fn at<'s>(root: &'s Value, pointer: &str) -> &'s Value {
    root.pointer(pointer).unwrap_or(&Value::Null)
}

/// Describes schemas of one document.
pub(crate) struct Describer<'s> {
    pub(crate) root: &'s Value,
}

impl<'s> Describer<'s> {
    /// What is wanted, such as `a whole number from 1 to 5` or `one of "a", "b"`.
    pub(crate) fn wanted(&self, schema: &'s Value) -> String {
        self.of(schema, 0)
    }

    fn of(&self, schema: &'s Value, depth: usize) -> String {
        let Value::Object(members) = schema else {
            return if schema == &Value::Bool(false) { "nothing".into() } else { "any value".into() };
        };
        if depth == MAX_DEPTH {
            return self.types(members, depth).unwrap_or_else(|| "a value".into());
        }
        if let Some(target) = self.target(members) {
            return self.of(target, depth + 1);
        }
        if let Some(constant) = members.get("const") {
            return shown(constant);
        }
        if let Some(Value::Array(listed)) = members.get("enum") {
            return one_of(listed.iter().map(shown).collect());
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = members.get(keyword) {
                return self.any_of(branches, depth);
            }
        }
        match members.get("allOf") {
            Some(Value::Array(all)) if !members.contains_key("type") && all.len() == 1 => self.of(&all[0], depth + 1),
            _ => self.types(members, depth).unwrap_or_else(|| "another value".into()),
        }
    }

    /// Where a local reference leads.
    fn target(&self, members: &Map<String, Value>) -> Option<&'s Value> {
        let pointer = members.get("$ref")?.as_str()?.strip_prefix('#')?;
        self.root.pointer(pointer)
    }

    fn any_of(&self, branches: &'s [Value], depth: usize) -> String {
        let mut all: Vec<String> = Vec::new();
        for branch in branches {
            let one = self.of(branch, depth + 1);
            if !all.contains(&one) {
                all.push(one);
            }
        }
        let more = all.len().saturating_sub(MAX_LISTED);
        all.truncate(MAX_LISTED);
        if more > 0 {
            all.push(format!("{more} others"));
        }
        all.join(" or ")
    }

    /// By the types that are named.
    fn types(&self, members: &'s Map<String, Value>, depth: usize) -> Option<String> {
        let named: Vec<&str> = match members.get("type")? {
            Value::String(one) => vec![one],
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            _ => return None,
        };
        let each = named.iter().map(|name| match *name {
            "integer" => format!("a whole number{}", range(members)),
            "number" => format!("a number{}", range(members)),
            "string" => format!("a text{}", text_rules(members)),
            "boolean" => "true or false".into(),
            "null" => "null".into(),
            "array" => self.list(members, depth),
            "object" => self.object(members),
            other => other.to_string(),
        });
        Some(each.collect::<Vec<_>>().join(" or "))
    }

    fn list(&self, members: &'s Map<String, Value>, depth: usize) -> String {
        let count = counts(members, "minItems", "maxItems", "element");
        match members.get("items") {
            Some(items @ Value::Object(_)) if depth + 1 < MAX_DEPTH => {
                format!("a list{count}, each element {}", self.of(items, depth + 1))
            }
            _ => format!("a list{count}"),
        }
    }

    fn object(&self, members: &Map<String, Value>) -> String {
        let required = members.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        match required {
            [] => "an object".into(),
            names => {
                let names = names.iter().take(MAX_LISTED).filter_map(Value::as_str).map(|name| format!("`{name}`"));
                format!("an object with {}", names.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The values that the tag `name` has in the branches of a union.
    pub(crate) fn tags(&self, union: &'s Value, name: &str) -> Vec<&'s Value> {
        let branches = ["oneOf", "anyOf"].iter().filter_map(|keyword| union.get(keyword)?.as_array()).flatten();
        let mut tags: Vec<&Value> = Vec::new();
        for branch in branches {
            let branch = branch.as_object().and_then(|members| self.target(members)).unwrap_or(branch);
            let parts = branch.get("allOf").and_then(Value::as_array).into_iter().flatten().chain([branch]);
            for part in parts {
                let Some(tag) = part.get("properties").and_then(|properties| properties.get(name)) else { continue };
                let listed = tag.get("enum").and_then(Value::as_array).into_iter().flatten();
                tags.extend(listed.chain(tag.get("const")));
            }
        }
        tags
    }

    /// What is wanted of the tag `name`.
    pub(crate) fn wanted_tag(&self, union: &'s Value, name: &str) -> String {
        one_of(self.tags(union, name).into_iter().map(shown).collect())
    }
}

fn one_of(mut shown: Vec<String>) -> String {
    let all = shown.len();
    if let [one] = &shown[..] {
        return one.clone();
    }
    shown.truncate(MAX_LISTED);
    let more = if all > MAX_LISTED { format!(", ... ({all} in all)") } else { String::new() };
    format!("one of {}{more}", shown.join(", "))
}

/// A value as JSON, cut short.
fn shown(value: &Value) -> String {
    crate::problem::cut(&value.to_string(), MAX_VALUE)
}

/// ` from 1 to 5`, ` of at least 1`...
fn range(members: &Map<String, Value>) -> String {
    let format = members.get("format").and_then(Value::as_str).and_then(range_of);
    let (least, most) = format.unwrap_or_default();
    let limit = |keyword: &str, of_format: Value| match members.get(keyword) {
        Some(limit) if limit.is_number() => Some(limit.clone()),
        _ => Some(of_format).filter(|limit| !limit.is_null()),
    };
    let (least, most) = (limit("minimum", least), limit("maximum", most));
    let mut text = match (least, most) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    for (keyword, words) in
        [("exclusiveMinimum", " above"), ("exclusiveMaximum", " below"), ("multipleOf", " that is a multiple of")]
    {
        if let Some(limit) = members.get(keyword).filter(|limit| limit.is_number()) {
            text.push_str(&format!("{words} {limit}"));
        }
    }
    text
}

fn text_rules(members: &Map<String, Value>) -> String {
    let mut text = counts(members, "minLength", "maxLength", "character");
    if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
        text.push_str(&format!(" that matches {}", crate::problem::cut(pattern, MAX_VALUE)));
    }
    if let Some(format) = members.get("format").and_then(Value::as_str) {
        text.push_str(&format!(" in the format {}", crate::problem::cut(format, MAX_VALUE)));
    }
    text
}

/// ` of 1 to 5 characters`...
fn counts(members: &Map<String, Value>, least: &str, most: &str, of: &str) -> String {
    let (least, most) = (members.get(least), members.get(most));
    match (least, most) {
        (Some(least), Some(most)) if least == most => format!(" of {least} {of}s"),
        (Some(least), Some(most)) => format!(" of {least} to {most} {of}s"),
        (Some(least), None) => format!(" of at least {least} {of}{}", if least == 1 { "" } else { "s" }),
        (None, Some(most)) => format!(" of at most {most} {of}{}", if most == 1 { "" } else { "s" }),
        (None, None) => String::new(),
    }
}

/// Whether a value of this type is wanted, alone or among others.
pub(crate) fn wants(schema: &Value, name: &str) -> bool {
    schema.as_object().is_some_and(|members| has_type(members, name))
}
