//! The part of JSON Schema that OpenAI's strict mode and Gemini take: each schema is brought down to it, from the outside in.

use serde_json::{Map, Value, json};

use super::{Provider, Report, is_any, merge, only_type, takes_null, tell};
use crate::schema::walk::{self, bound, escaped, has_type};

/// What a provider takes beside the shape of objects, lists and unions.
struct Subset {
    keywords: &'static [&'static str],
    /// Of texts.
    formats: &'static [&'static str],
}

const OPENAI: Subset = Subset {
    keywords: &[
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
    ],
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
};

const GEMINI: Subset = Subset {
    keywords: &[
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
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "format",
    ],
    formats: &["date-time", "date", "time"],
};

const OF_OBJECTS: [&str; 3] = ["additionalProperties", "properties", "required"];
const OF_LISTS: [&str; 4] = ["items", "maxItems", "minItems", "prefixItems"];

/// Brings a schema down to what its provider takes.
pub(super) fn reduce(schema: &mut Value, report: &mut Report) {
    bound(schema);
    let strict = report.provider == Provider::OpenAiStrict;
    let subset = if strict { OPENAI } else { GEMINI };
    Reducer { strict, subset, report }.schema(schema, "", false);
}

struct Reducer<'r> {
    strict: bool,
    subset: Subset,
    report: &'r mut Report,
}

impl Reducer<'_> {
    /// `optional`: the value need not be there.
    fn schema(&mut self, schema: &mut Value, path: &str, optional: bool) {
        if is_any(schema) {
            return self.any(schema, path);
        }
        let Value::Object(members) = schema else {
            return self.report.fault(path, "nothing may stand here: leave it out of the schema");
        };
        if members.contains_key("$ref") {
            return self.reference(members, path, optional);
        }
        if let Err(keyword) = merge::all_of(members) {
            self.report
                .fault(path, format!("the parts of `allOf` say different things of `{keyword}`: write them as one"));
        }
        if is_any(schema) {
            return self.any(schema, path);
        }
        let Value::Object(members) = schema else { return };
        if let Some(one_of) = members.remove("oneOf") {
            match members.get_mut("anyOf") {
                None => drop(members.insert("anyOf".into(), one_of)),
                Some(_) => self.report.note(path, "`oneOf` beside `anyOf` is left out"),
            }
        }
        if let Err(keyword) = merge::into_branches(members) {
            let message = format!("the members beside `anyOf` say other things of `{keyword}` than those in it");
            self.report.fault(path, message);
        }
        self.listed(members, path);
        self.types(members, path);
        self.numbers(members);
        self.tell_rest(members, path);
        if has_type(members, "object") {
            self.object(members, path);
        }
        if has_type(members, "array") {
            self.list(members, path);
        }
        if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
            for (number, branch) in branches.iter_mut().enumerate() {
                self.schema(branch, &format!("{path}/anyOf/{number}"), optional);
            }
        }
        if let Some(Value::Object(definitions)) = members.get_mut("$defs") {
            for (name, definition) in definitions {
                self.schema(definition, &format!("{path}/$defs/{}", escaped(name)), true);
            }
        }
    }

    /// Any value at all: OpenAI wants a type everywhere, Gemini gets all of them.
    fn any(&mut self, schema: &mut Value, path: &str) {
        if self.strict {
            let message = "any value may stand here: name its type, or send the tool without `strict`";
            return self.report.fault(path, message);
        }
        let description = schema.get("description").cloned();
        *schema = json!({"anyOf": [
            {"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "object"},
            {"type": "array", "items": {"type": "string"}}, {"type": "null"},
        ]});
        if let (Value::Object(members), Some(description)) = (schema, description) {
            members.insert("description".into(), description);
        }
        self.report.note(path, "any value: told as one of all types, of lists only those of texts");
    }

    /// A definition that contains itself.
    fn reference(&mut self, members: &mut Map<String, Value>, path: &str, optional: bool) {
        let target = members.remove("$ref").unwrap_or_default();
        let description = members.remove("description");
        members.clear();
        if !self.strict {
            if !optional {
                self.report.fault(path, "a type inside itself in a member that is required: make the member optional");
            }
            if description.is_some() {
                self.report.note(path, "the description beside `$ref` is left out");
            }
            members.insert("$ref".into(), target);
        } else if let Some(description) = description {
            members.insert("anyOf".into(), json!([{ "$ref": target }]));
            members.insert("description".into(), description);
        } else {
            members.insert("$ref".into(), target);
        }
    }

    /// Constants are lists of one; both providers want the type beside the list.
    fn listed(&mut self, members: &mut Map<String, Value>, path: &str) {
        if let Some(constant) = members.remove("const") {
            members.insert("enum".into(), json!([constant]));
        }
        let Some(Value::Array(values)) = members.get("enum") else { return };
        let mut types: Vec<&str> = Vec::new();
        for value in values {
            let of = match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(number) if number.is_f64() => "number",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                Value::Array(_) | Value::Object(_) => {
                    return self.report.fault(path, "a list or an object among the listed values: list single values");
                }
            };
            if !types.contains(&of) {
                types.push(of);
            }
        }
        let plain = types.iter().all(|of| matches!(*of, "string" | "integer" | "number"));
        let types = match &types[..] {
            [one] => json!(one),
            all => json!(all),
        };
        let values = Value::from(values.clone());
        members.entry("type").or_insert(types);
        if !self.strict && values.as_array().is_some_and(|list| list.len() > 1 && list.contains(&Value::Null)) {
            return self.without_null(members);
        }
        if !self.strict && !plain {
            // Gemini lists texts and numbers.
            members.remove("enum");
            tell(members, &format!("one of {values}"));
            self.report.note(path, "listed values that are no texts or numbers are told in the description");
        }
    }

    /// The type is named, and what is said of other types is left out: providers take it for a mistake.
    fn types(&mut self, members: &mut Map<String, Value>, path: &str) {
        let union = members.contains_key("anyOf");
        if members.contains_key("enum") {
            // What else is said could only forbid some of the listed values.
            members.retain(|keyword, _| matches!(&**keyword, "type" | "enum" | "title" | "description"));
        }
        if !members.contains_key("type") && !union {
            let says = |keywords: &[&str]| keywords.iter().any(|keyword| members.contains_key(*keyword));
            let of = match () {
                () if says(&OF_OBJECTS) => "object",
                () if says(&OF_LISTS) => "array",
                () => return self.report.fault(path, "no type is named: name it"),
            };
            members.insert("type".into(), json!(of));
        }
        for (of, keywords) in [("object", &OF_OBJECTS[..]), ("array", &OF_LISTS)] {
            if !has_type(members, of) {
                members.retain(|keyword, _| !keywords.contains(&&**keyword));
            }
        }
    }

    /// Gemini's lists have no null: it stands beside them.
    fn without_null(&mut self, members: &mut Map<String, Value>) {
        let mut inner = Map::new();
        for keyword in ["type", "enum"] {
            if let Some(Value::Array(mut list)) = members.remove(keyword) {
                list.retain(|entry| !entry.is_null() && entry != "null");
                let value = if keyword == "type" && list.len() == 1 { list.remove(0) } else { Value::Array(list) };
                inner.insert(keyword.into(), value);
            }
        }
        members.retain(|keyword, _| matches!(&**keyword, "title" | "description"));
        members.insert("anyOf".into(), json!([inner, {"type": "null"}]));
    }

    /// Bounds of numbers: Gemini has no exclusive ones.
    fn numbers(&mut self, members: &mut Map<String, Value>) {
        if has_type(members, "integer") || has_type(members, "number") {
            members.remove("format");
        }
        if self.strict || only_type(members) != Some("integer") {
            return;
        }
        for (exclusive, inclusive, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
            let limit = members.get(exclusive).and_then(Value::as_i64).and_then(|limit| limit.checked_add(step));
            if let Some(limit) = limit.filter(|_| !members.contains_key(inclusive)) {
                members.remove(exclusive);
                members.insert(inclusive.into(), limit.into());
            }
        }
    }

    /// Moves what the provider does not take into the description.
    fn tell_rest(&mut self, members: &mut Map<String, Value>, path: &str) {
        let format = members.get("format").and_then(Value::as_str);
        let odd_format = format.is_some_and(|format| !self.subset.formats.contains(&format));
        let is_rest = |keyword: &str| match keyword {
            "format" => odd_format,
            // Of lists of fixed elements, which become lists.
            "prefixItems" => false,
            _ => !self.subset.keywords.contains(&keyword),
        };
        let rest: Vec<String> = members.keys().filter(|keyword| is_rest(keyword)).cloned().collect();
        for keyword in rest {
            let Some(value) = members.remove(&keyword) else { continue };
            let silent = matches!(
                &*keyword,
                "$comment" | "$id" | "$anchor" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "contentSchema"
            );
            if silent || keyword.starts_with("x-") || (keyword == "default" && value.is_null()) {
                continue;
            }
            let simple = !value.is_object() && !value.is_array();
            let rule = match &*keyword {
                "default" => format!("default: {value}"),
                "minLength" => format!("at least {value} character{}", plural(&value)),
                "maxLength" => format!("at most {value} character{}", plural(&value)),
                "uniqueItems" if value == json!(true) => "no element twice".into(),
                "pattern" | "format" => format!("{keyword}: {}", value.as_str().unwrap_or_default()),
                _ if simple => format!("{keyword}: {value}"),
                _ => {
                    self.report.note(path, format!("`{keyword}` is left out"));
                    continue;
                }
            };
            tell(members, &rule);
            self.report.note(path, format!("`{keyword}` is told in the description"));
        }
    }

    fn object(&mut self, members: &mut Map<String, Value>, path: &str) {
        let required: Vec<String> = members
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).map(String::from).collect())
            .unwrap_or_default();
        let mut still_required = required.clone();
        let mut count = 0;
        if let Some(Value::Object(properties)) = members.get_mut("properties") {
            count = properties.len();
            for (name, property) in properties.iter_mut() {
                let place = format!("{path}/properties/{}", escaped(name));
                let is_required = required.contains(name);
                if !self.strict && is_required && contains_reference(property) {
                    // What is inside itself is only taken where it need not be.
                    still_required.retain(|other| other != name);
                    self.report.note(&place, "told as optional, since it can contain itself");
                    self.schema(property, &place, true);
                    continue;
                }
                self.schema(property, &place, !is_required);
                if self.strict && !is_required {
                    nullable(property);
                }
            }
        }
        let further = members.get_mut("additionalProperties");
        if self.strict {
            let open = further.is_some_and(|further| *further != Value::Bool(false));
            if open && count == 0 {
                let message = "a map, or an object of any members: use a list of objects with a name and a value, or send the tool without `strict`";
                return self.report.fault(path, message);
            }
            if open {
                self.report.note(path, "further members are not offered");
            }
            let names: Vec<Value> = members
                .get("properties")
                .and_then(Value::as_object)
                .map(|properties| properties.keys().cloned().map(Value::from).collect())
                .unwrap_or_default();
            members.entry("properties").or_insert_with(|| json!({}));
            members.insert("required".into(), Value::Array(names));
            members.insert("additionalProperties".into(), Value::Bool(false));
            return;
        }
        if let Some(further) = further
            && !further.is_boolean()
        {
            self.schema(further, &format!("{path}/additionalProperties"), true);
        }
        members.insert("required".into(), still_required.into_iter().map(Value::from).collect());
    }

    fn list(&mut self, members: &mut Map<String, Value>, path: &str) {
        let fixed = members.remove("prefixItems");
        if let Some(Value::Array(mut fixed)) = fixed {
            if self.strict {
                // OpenAI knows lists of one sort of element: any of those that stand in it.
                fixed.extend(members.remove("items").filter(|rest| rest.is_object()));
                let mut sorts: Vec<Value> = Vec::new();
                for sort in fixed {
                    if !sorts.contains(&sort) {
                        sorts.push(sort);
                    }
                }
                let items = if sorts.len() == 1 { sorts.remove(0) } else { json!({ "anyOf": sorts }) };
                members.insert("items".into(), items);
                self.report.note(path, "the order of the elements is not told");
            } else {
                for (number, item) in fixed.iter_mut().enumerate() {
                    self.schema(item, &format!("{path}/prefixItems/{number}"), true);
                }
                members.insert("prefixItems".into(), fixed.into());
                if members.get("items").is_none_or(Value::is_boolean) {
                    members.remove("items");
                    return;
                }
            }
        }
        let items = members.entry("items").or_insert(Value::Bool(true));
        self.schema(items, &format!("{path}/items"), true);
    }
}

fn plural(count: &Value) -> &'static str {
    if *count == 1 { "" } else { "s" }
}

/// Whether a reference is left, which only types that contain themselves have.
fn contains_reference(schema: &mut Value) -> bool {
    let mut found = false;
    walk::each(schema, &mut |members| found |= members.contains_key("$ref"));
    found
}

/// Lets a member be null, which stands for "not given".
fn nullable(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if takes_null(members) {
        return;
    }
    let plain = !members.contains_key("enum") && !members.contains_key("anyOf");
    match members.get_mut("type") {
        Some(Value::String(one)) if plain => {
            let one = std::mem::take(one);
            members.insert("type".into(), json!([one, "null"]));
        }
        Some(Value::Array(list)) if plain => list.push("null".into()),
        _ => {
            if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
                return branches.push(json!({"type": "null"}));
            }
            // The description stays outside, where it speaks of the member.
            let description = members.remove("description");
            let inner = std::mem::take(members);
            members.insert("anyOf".into(), json!([inner, {"type": "null"}]));
            if let Some(description) = description {
                members.insert("description".into(), description);
            }
        }
    }
}
