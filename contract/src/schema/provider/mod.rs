//! Schemas in the form that each provider takes.
//!
//! Each provider takes a part of JSON Schema, and answers the rest with an error for the whole request. So what a provider does
//! not take is moved into descriptions, where the model reads it, or made wider; arguments are read by the tool's own schema all the
//! same, so nothing gets through that way. What cannot be said at all is an error that names its places.
//!
//! | | OpenAI, strict | Anthropic | Gemini | MCP |
//! |---|---|---|---|---|
//! | root | an object, no union | an object, no union | an object | an object |
//! | optional members | required, and null | as they are | as they are | as they are |
//! | further members | forbidden | as they are | as they are | as they are |
//! | keywords | few | all of 2020-12 | few | all of 2020-12 |
//! | types inside themselves | `$ref` | `$ref` | `$ref` in what is not required | `$ref` |
//!
//! Sources, as of October 2026: OpenAI's guide to structured outputs (supported schemas, limits); Anthropic's pages on tool use
//! (`input_schema` is JSON Schema 2020-12 with an object at its root) and the API's own errors (no `oneOf`, `allOf` or `anyOf` at the
//! top level, names of properties of 1 to 64 characters out of `a-zA-Z0-9_.-`); the Gemini API's reference of `parametersJsonSchema` and of
//! the JSON Schema that it supports; the Model Context Protocol's specification of tools and SEP-1613 (2020-12 unless `$schema` says
//! otherwise).

mod inline;
mod limits;
mod merge;
mod reduce;

use std::fmt;

use serde_json::{Map, Value, json};

use super::walk::{complete, has_type, modernize};

/// Who is to take a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's `parameters` with `"strict": true`.
    OpenAiStrict,
    /// Anthropic's `input_schema`.
    Anthropic,
    /// Gemini's `parametersJsonSchema`.
    Gemini,
    /// An MCP server's `inputSchema`.
    Mcp,
}

impl Provider {
    /// All of them.
    pub const ALL: &'static [Provider] =
        &[Provider::OpenAiStrict, Provider::Anthropic, Provider::Gemini, Provider::Mcp];

    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::OpenAiStrict => "openai_strict",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Mcp => "mcp",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A schema as a provider takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Adapted {
    /// The schema.
    pub schema: Value,
    /// What was moved or made wider; empty if the schema says all that the tool's own says.
    pub notes: Vec<Note>,
}

/// Something about one place of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the tool's own schema, as a JSON pointer. Of definitions it is the place where they are used.
    pub path: String,
    /// What.
    pub message: String,
}

/// A schema that a provider cannot take in any form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Who cannot.
    pub provider: Provider,
    /// What is in the way, and what to do; at least one.
    pub places: Vec<Note>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no schema for {}: ", self.provider)?;
        for (number, Note { path, message }) in self.places.iter().enumerate() {
            let (comma, at) = (if number > 0 { "; " } else { "" }, if path.is_empty() { "the root" } else { path });
            write!(f, "{comma}{at}: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Unsupported {}

/// What is gathered on the way.
#[derive(Debug)]
struct Report {
    provider: Provider,
    notes: Vec<Note>,
    faults: Vec<Note>,
}

impl Report {
    fn note(&mut self, path: &str, message: impl Into<String>) {
        self.notes.push(Note { path: path.into(), message: message.into() });
    }

    fn fault(&mut self, path: &str, message: impl Into<String>) {
        let fault = Note { path: path.into(), message: message.into() };
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

const NO_OBJECT: &str = "arguments are an object: use a struct";

pub(crate) fn adapt(json: &Value, provider: Provider) -> Result<Adapted, Unsupported> {
    let mut report = Report { provider, notes: Vec::new(), faults: Vec::new() };
    let mut schema = json.clone();
    if !schema.is_object() {
        report.fault("", NO_OBJECT);
    } else if provider == Provider::Mcp {
        mcp(&mut schema, &mut report);
    } else {
        modernize(&mut schema);
        if provider != Provider::Anthropic {
            inline::inline(&mut schema, &mut report);
        }
        if let Value::Object(members) = &mut schema {
            members.remove("$schema");
            members.remove("$id");
            root(members, &mut report);
        }
        complete(&mut schema);
        if provider == Provider::Anthropic {
            limits::property_names(&schema, &mut report);
        } else {
            reduce::reduce(&mut schema, &mut report);
        }
        if provider == Provider::OpenAiStrict {
            limits::openai(&schema, &mut report);
        }
    }
    if report.faults.is_empty() {
        Ok(Adapted { schema, notes: report.notes })
    } else {
        Err(Unsupported { provider, places: report.faults })
    }
}

/// The root as MCP wants it: the type is named, beside whatever else stands there.
fn mcp(schema: &mut Value, report: &mut Report) {
    complete(schema);
    let Value::Object(members) = schema else { return };
    match members.get("type") {
        Some(Value::String(one)) if one == "object" => {}
        None if merge::is_object(members) => {
            members.insert("type".into(), json!("object"));
            members.entry("properties").or_insert_with(|| json!({}));
            members.entry("required").or_insert_with(|| json!([]));
        }
        _ => report.fault("", NO_OBJECT),
    }
}

/// The root as one object: unions and combinations there are written as one.
fn root(members: &mut Map<String, Value>, report: &mut Report) {
    if let Some(Value::String(target)) = members.get("$ref") {
        // The whole is one definition: it stands in its place.
        let definition = target.strip_prefix("#/$defs/").and_then(|name| members.get("$defs")?.get(name)).cloned();
        if let Some(Value::Object(definition)) = definition {
            members.remove("$ref");
            for (keyword, value) in definition {
                members.entry(keyword).or_insert(value);
            }
        }
    }
    if let Err(keyword) = merge::all_of(members) {
        report.fault("/allOf", format!("its parts say different things of `{keyword}`: write them as one object"));
    }
    if !merge::is_object(members) {
        return report.fault("", NO_OBJECT);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = members.remove(keyword) {
            merge::root_union(members, branches);
            report.note(&format!("/{keyword}"), "the alternatives are told as one object");
        }
    }
    members.insert("type".into(), json!("object"));
}

/// Adds a rule to a description.
fn tell(members: &mut Map<String, Value>, rule: &str) {
    let text = match members.get("description").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => format!("{text} ({rule})"),
        _ => format!("({rule})"),
    };
    members.insert("description".into(), text.into());
}

/// Whether a schema says nothing of its value.
fn is_any(schema: &Value) -> bool {
    match schema {
        Value::Bool(all) => *all,
        Value::Object(members) => {
            let says_nothing = |keyword: &String| {
                matches!(&**keyword, "description" | "title" | "default" | "examples" | "deprecated" | "$comment")
            };
            members.keys().all(says_nothing)
        }
        _ => false,
    }
}

/// The one type that is named, if it is one.
fn only_type(members: &Map<String, Value>) -> Option<&str> {
    members.get("type").and_then(Value::as_str)
}

/// Whether null is taken, as far as it is told at this place.
fn takes_null(members: &Map<String, Value>) -> bool {
    let branches = members.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    has_type(members, "null") || branches.filter_map(Value::as_object).any(|branch| has_type(branch, "null"))
}
