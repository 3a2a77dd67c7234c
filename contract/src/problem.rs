//! What is wrong with arguments or with configuration: one record a problem, for programs and for the model.

use std::fmt::{self, Write};

use serde::Serialize;
use serde_json::Value;
use toolprism_repair::{Violation, Violations};

use crate::schema::{Describer, Schema, at, escaped, wants};

/// What sort of problem it is. The names are those of the tool contract that Grok Build has for configuration (revision of
/// August 2026); arguments have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// A member that is not declared.
    UnknownField,
    /// A required member is not there.
    MissingField,
    /// A value or a tag that is none of those listed.
    UnknownVariant,
    /// A value of another type.
    Type,
    /// A value that cannot be read as its type, such as a number out of its range.
    Invalid,
    /// A value that breaks a rule beyond its type.
    Constraint,
}

impl Category {
    const ALL: [Category; 6] = {
        use Category::*;
        [UnknownField, MissingField, UnknownVariant, Type, Invalid, Constraint]
    };

    /// The category with this name.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.as_str() == name)
    }

    /// Its stable name, such as `params_type`; the same when it is serialized.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::UnknownField => "params_unknown_field",
            Category::MissingField => "params_missing_field",
            Category::UnknownVariant => "params_unknown_variant",
            Category::Type => "params_type",
            Category::Invalid => "params_invalid",
            Category::Constraint => "params_constraint",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Category {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One thing that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, as a JSON pointer (RFC 6901); empty for the whole. Of a missing member it is the member's own.
    pub path: String,
    /// The same for people and models: `edits[0].path`, and `env["a.b"]` where a name is no plain word.
    pub field: String,
    /// What sort of problem.
    pub category: Category,
    /// What is wanted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is there, as JSON, cut short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "`{}`: ", self.field)?;
        }
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) => write!(f, "expected {expected}, found {found}; ")?,
            (Some(expected), None) => write!(f, "expected {expected}; ")?,
            (None, Some(found)) => write!(f, "found {found}; ")?,
            (None, None) => {}
        }
        f.write_str(&self.hint)
    }
}

/// Bytes of what was found that are told.
const MAX_FOUND: usize = 60;
/// Bytes that are told of what serde says.
const MAX_MESSAGE: usize = 300;
/// Names that are told of those that are declared.
const MAX_NAMES: usize = 12;

impl Problem {
    /// A problem at this place, a JSON pointer, without anything found or expected.
    pub fn new(path: String, category: Category, hint: impl Into<String>) -> Self {
        let field = readable(&path);
        Problem { path, field, category, expected: None, found: None, hint: hint.into() }
    }

    /// The same problem at another place.
    pub(crate) fn at(self, path: String) -> Self {
        Problem { field: readable(&path), path, ..self }
    }

    /// With what is wanted there.
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Problem { expected: Some(expected.into()), ..self }
    }

    /// With the JSON text of what is there, which is cut short.
    pub fn finding(self, json: &str) -> Self {
        Problem { found: Some(found(json)), ..self }
    }
}

/// A place that serde found fault with, as a problem. `document` is what was read.
pub(crate) fn of_serde(error: &serde_json::Error, path: String, document: &str) -> Problem {
    let message = error.to_string();
    // serde_json adds the place in the text, which says less than the path.
    let message = message.split(" at line ").next().unwrap_or_default();
    let (what, expected) = match message.split_once(", expected ") {
        Some((what, expected)) => (what, Some(expected.trim_end_matches('.'))),
        None => (message, None),
    };
    let named = what.split('`').nth(1).unwrap_or_default();
    let inside = |name: &str| format!("{path}/{}", escaped(name));
    let (path, category, hint) = if what.starts_with("unknown field") {
        // serde's path leads to the member already where it knows it.
        let path = if last_step(&path) == named { path } else { inside(named) };
        (path, Category::UnknownField, format!("there is no such member: leave `{named}` out"))
    } else if what.starts_with("missing field") {
        (inside(named), Category::MissingField, format!("it is required and missing: add `{named}`"))
    } else if what.starts_with("unknown variant") {
        (path, Category::UnknownVariant, "use one of these".to_string())
    } else if what.starts_with("invalid type") {
        (path, Category::Type, "write a value of the type that is expected".to_string())
    } else {
        (path, Category::Invalid, cut(what, MAX_MESSAGE))
    };
    let json = crate::json::at(document, &path).filter(|_| category != Category::MissingField);
    let mut problem = Problem::new(path, category, hint);
    problem.expected = expected.map(|expected| cut(expected, MAX_MESSAGE));
    problem.found = json.map(found);
    problem
}

/// All that a schema finds wrong with a document, as problems.
pub(crate) fn of_violations(violations: &Violations, document: &str, schema: &Schema) -> Vec<Problem> {
    let rules = schema.rules();
    violations.list.iter().map(|violation| of_violation(violation, document, rules)).collect()
}

fn of_violation(violation: &Violation, document: &str, rules: &Value) -> Problem {
    let describer = Describer { root: rules };
    let schema = at(rules, &violation.schema);
    let json = document.get(violation.place.clone()).unwrap_or_default();
    let name = last_step(&violation.path);
    let problem = |category, hint: String| Problem::new(violation.path.clone(), category, hint);
    match violation.keyword {
        "required" | "dependentRequired" => {
            let wanted = match schema.get("properties").and_then(|properties| properties.get(&name)) {
                Some(member) => describer.wanted(member),
                None if !describer.tags(schema, &name).is_empty() => describer.wanted_tag(schema, &name),
                None => "a value".into(),
            };
            problem(Category::MissingField, format!("it is required and missing: add `{name}`")).expecting(wanted)
        }
        "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
            let known = declared(schema);
            let hint = if known.is_empty() {
                format!("there is no such member: leave `{name}` out")
            } else {
                format!("there is no such member: leave `{name}` out, or use one of {}", listed(&known))
            };
            problem(Category::UnknownField, hint)
        }
        "tag" => problem(Category::UnknownVariant, "use one of these".into())
            .expecting(describer.wanted_tag(schema, &name))
            .finding(json),
        "enum" | "const" => problem(Category::UnknownVariant, "use it exactly as it is written here".into())
            .expecting(describer.wanted(schema))
            .finding(json),
        "type" | "anyOf" | "oneOf" | "false" | "$ref" => {
            let category = if names_variants(schema, json) { Category::UnknownVariant } else { Category::Type };
            problem(category, type_hint(schema, json)).expecting(describer.wanted(schema)).finding(json)
        }
        "minimum" | "maximum" if is_of_format(schema, violation.keyword) => {
            problem(Category::Invalid, "it is out of range: send a number within it".into())
                .expecting(describer.wanted(schema))
                .finding(json)
        }
        "" => problem(Category::Invalid, "it is too large or too deep to be checked: send less".into()),
        keyword => problem(Category::Constraint, format!("it breaks the rule `{keyword}`: send a value that keeps it"))
            .expecting(describer.wanted(schema))
            .finding(json),
    }
}

/// Whether a bound is only what the number's type can hold.
fn is_of_format(schema: &Value, keyword: &str) -> bool {
    let range = schema.get("format").and_then(Value::as_str).and_then(crate::schema::range_of);
    let limit = range.map(|(least, most)| if keyword == "minimum" { least } else { most });
    limit.is_some_and(|limit| schema.get(keyword) == Some(&limit))
}

/// Whether a union's branches are objects of one name each, or single words: the variants of an enum.
fn names_variants(schema: &Value, json: &str) -> bool {
    let branches = ["oneOf", "anyOf"].iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let mut branches = branches.peekable();
    let one_member = |branch: &Value| {
        let required = branch.get("required").and_then(Value::as_array).map_or(0, Vec::len);
        branch.get("additionalProperties") == Some(&Value::Bool(false)) && required == 1
    };
    let variant = |branch: &Value| branch.get("enum").is_some() || branch.get("const").is_some() || one_member(branch);
    json.starts_with(['{', '"']) && branches.peek().is_some() && branches.all(variant)
}

/// What to do about a value of another type.
fn type_hint(schema: &Value, json: &str) -> String {
    let kind = json.bytes().next().unwrap_or(b' ');
    let numeric = wants(schema, "integer") || wants(schema, "number");
    let hint = if numeric && kind == b'"' {
        "write the number alone, without quotes, spaces or units"
    } else if wants(schema, "integer") && (kind == b'-' || kind.is_ascii_digit()) {
        "write a whole number, without a fraction"
    } else if wants(schema, "boolean") {
        "write true or false"
    } else if wants(schema, "array") && kind == b'"' {
        "write a JSON array, such as [\"a\", \"b\"]"
    } else if wants(schema, "array") {
        "write a JSON array"
    } else if wants(schema, "string") {
        "write a text in quotes"
    } else if wants(schema, "object") {
        "write a JSON object"
    } else if kind == b'n' {
        "give a value, or leave it out if it is not required"
    } else {
        "write a value of the type that is expected"
    };
    hint.into()
}

/// The names of the members that an object may have.
fn declared(schema: &Value) -> Vec<&str> {
    let own = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|names| names.keys());
    own.map(String::as_str).collect()
}

/// Names in backticks.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_NAMES { format!(", ... ({} in all)", names.len()) } else { String::new() };
    shown.join(", ") + &more
}

/// JSON as it is told: short texts and scalars as they are, long ones cut, containers by their size.
pub(crate) fn found(json: &str) -> String {
    if json.len() <= MAX_FOUND {
        return json.to_string();
    }
    match json.bytes().next() {
        Some(b'{') => format!("an object of {} bytes", json.len()),
        Some(b'[') => format!("a list of {} bytes", json.len()),
        _ => cut(json, MAX_FOUND),
    }
}

/// At most about this many bytes of a text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_string();
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}... ({} bytes)", text.get(..end).unwrap_or_default(), text.len())
}

/// The last name or number of a JSON pointer, without its escapes.
pub(crate) fn last_step(path: &str) -> String {
    path.rsplit_once('/').map(|(_, step)| unescaped(step)).unwrap_or_default()
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// A JSON pointer as people write it.
pub(crate) fn readable(path: &str) -> String {
    let mut out = String::new();
    for step in path.split('/').skip(1).map(unescaped) {
        let digits = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        let word = step.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        // Writing to a text cannot fail.
        let _ = if digits {
            write!(out, "[{step}]")
        } else if !word || step.is_empty() {
            write!(out, "[{}]", Value::from(cut(&step, MAX_FOUND)))
        } else if out.is_empty() {
            write!(out, "{step}")
        } else {
            write!(out, ".{step}")
        };
    }
    out
}

/// The text of several problems, for the model.
pub(crate) fn text(f: &mut fmt::Formatter<'_>, of: &str, problems: &[Problem], more: bool) -> fmt::Result {
    match problems {
        [one] if !more => write!(f, "{of}: {one}"),
        all => {
            let count = if more { format!("more than {}", all.len()) } else { all.len().to_string() };
            write!(f, "{of}: {count} problems")?;
            all.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
        }
    }
}
