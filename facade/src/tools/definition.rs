//! What comes in: tools, calls, and what came of the work, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use toolprism::Kind;
use toolprism_contract::{Category, DynamicTool, Output, Problem, ToolConfig, ToolContent, ToolError, ToolErrorKind};

use super::call;
use crate::Error;

/// A tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Definition {
    id: String,
    namespace: String,
    kind: String,
    #[serde(default)]
    description: String,
    schema: Value,
    read_only: Option<bool>,
    name: Option<String>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

impl Definition {
    /// The tool, and what its host changes about it.
    pub(super) fn tool(self) -> Result<(DynamicTool, ToolConfig), Error> {
        let refused = |why: String| Error::new("bad_tool", format!("the tool {:?} is not registered: {why}", self.id));
        let Some(kind) = Kind::from_wire(&self.kind) else {
            let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
            return Err(refused(format!("there is no kind {:?}: take one of {}", self.kind, known.join(", "))));
        };
        let tool =
            DynamicTool::new(self.id.as_str(), self.schema, call::work).map_err(|why| refused(why.to_string()))?;
        let mut tool = tool.with_template(self.description).with_identity(kind, self.namespace.as_str());
        if let Some(read_only) = self.read_only {
            tool = tool.with_read_only(read_only);
        }
        Ok((tool, ToolConfig { name: self.name, parameters: self.parameters, description: None }))
    }
}

/// A call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call<'a> {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(borrow)]
    pub(super) arguments: &'a RawValue,
    pub(super) max_integer: Option<u64>,
    #[serde(default)]
    pub(super) cancelled: bool,
}

/// The text that a JSON string holds, or the text of any other JSON.
pub(super) fn text(json: &RawValue) -> Result<Cow<'_, str>, Error> {
    match json.get() {
        string if string.starts_with('"') => read::<String>(string.as_bytes()).map(Cow::Owned),
        other => Ok(Cow::Borrowed(other)),
    }
}

/// What came of the work: an output, an error, arguments that it does not take after all, or nothing of these.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End<'a> {
    #[serde(borrow, default, deserialize_with = "also_null")]
    output: Option<&'a RawValue>,
    /// The name of the output's type.
    #[serde(rename = "type")]
    name: Option<String>,
    prompt: Option<String>,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    content: Vec<ToolContent>,
    error: Option<Failure>,
    pub(super) problems: Option<Vec<Complaint>>,
}

fn also_null<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

impl End<'_> {
    /// The result, if there is one.
    pub(super) fn result(self) -> Option<Result<Output, ToolError>> {
        if let Some(error) = self.error {
            return Some(Err(error.into()));
        }
        let output = Output::from_json(self.name.as_deref(), self.output?.get()).map(|output| {
            let output = output.with_content(self.content).with_is_error(self.is_error);
            match self.prompt {
                Some(prompt) => output.with_prompt(prompt),
                None => output,
            }
        });
        Some(output)
    }
}

/// An error of a tool. A kind that is none of the contract's is the code of a custom one.
#[derive(Deserialize)]
struct Failure {
    kind: String,
    message: String,
    details: Option<Value>,
}

impl From<Failure> for ToolError {
    fn from(Failure { kind, message, details }: Failure) -> Self {
        let error = match ToolErrorKind::from_name(&kind) {
            Some(known) => ToolError::new(known, message),
            None => ToolError::custom(&kind, message),
        };
        match details {
            Some(details) if error.details.is_none() => error.with_details(details),
            _ => error,
        }
    }
}

/// What a tool finds wrong with its arguments.
#[derive(Deserialize)]
pub(super) struct Complaint {
    path: String,
    category: Option<String>,
    expected: Option<String>,
    hint: String,
}

impl From<Complaint> for Problem {
    fn from(Complaint { path, category, expected, hint }: Complaint) -> Self {
        let category = category.as_deref().and_then(Category::from_name).unwrap_or(Category::Constraint);
        let problem = Problem::new(path, category, hint);
        match expected {
            Some(expected) => problem.expecting(expected),
            None => problem,
        }
    }
}

/// Reads JSON as a type.
pub(super) fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|why| {
        let kind = if why.is_data() { "wrong_type" } else { "not_json" };
        Error { line: Some(why.line() as u64), column: Some(why.column() as u64), ..Error::new(kind, why.to_string()) }
    })
}
