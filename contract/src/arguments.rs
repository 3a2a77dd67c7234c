//! Arguments: from the text that a model wrote to typed values.
//!
//! What is wanted is in the schema, so one way serves every tool, typed or not, at every depth, through `flatten` and
//! `untagged` as well. Valid arguments pass as they are. Others are read as the `guarded` profile of `toolprism-repair` reads
//! them, with further rules for values that typed code does not take, and each such leniency is told:
//!
//! | wanted | also taken | refused all the same |
//! |---|---|---|
//! | a whole number | `42.0`, `1e3`, `-0.0`, `"42"`, `"1e3"`, exact whatever the size | `3.7`, `" 42 "`, `""`, `"inf"`, `true`, what is out of range |
//! | true or false | 1, 0, `"true"`, `"yes"`, `"1"`, `"false"`, `"no"`, `"0"` in any case | 2, `1.0`, `"on"`, `"y"`, `""` |
//! | a list of texts | numbers in it, one text, one number | `true`, `null` or a list in it, text that may be several elements |
//! | a member that need not be there | `null`, which means the default | - |
//! | a boolean or a list that must be there | `null`, as false or none | `null` for anything else |
//!
//! A text where a text is wanted stays as it is, whatever it looks like.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;
use toolprism_repair::{Aligned, Allowed, Change, Code, Fault, FaultCode, Misfit, Reading, Severity, StopReason};

use crate::problem::{self, Category, Problem};
use crate::rename::{OwnName, Renames};
use crate::schema::{Schema, SchemaError};
use crate::{ToolError, ToolErrorKind, json};

/// How arguments are read.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The tool's name: where the model wrote it around the arguments, it must be this one.
    pub tool: Option<&'a str>,
    /// The changes that may be made; all of them unless set otherwise. [`Allowed::NONE`] takes only what is valid.
    pub allowed: Allowed,
    /// Why the model stopped: what a limit of length cut off is not closed.
    pub stop: StopReason,
    /// Longer arguments are refused. 4 MiB unless set otherwise.
    pub max_bytes: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { tool: None, allowed: Allowed::ALL, stop: StopReason::Unknown, max_bytes: 4 << 20 }
    }
}

/// Arguments that their schema accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    text: String,
    /// The names that the model knows, where those are others than in the text: problems are told by them.
    renames: Option<Arc<Renames>>,
    /// What was changed to make the schema accept them, in the order of the text that came.
    pub changes: Vec<Leniency>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leniency {
    /// What sort of change, and with [`Code::severity`] how far it goes.
    #[serde(serialize_with = "code")]
    pub code: Code,
    /// Where, as a JSON pointer into the arguments; empty for the whole.
    pub path: String,
    /// What was there, as it came, cut short. `None` where nothing was replaced, as by a comma, and behind the first changes in
    /// very long arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What is there now, cut short. `None` as above, and where the member was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub became: Option<String>,
}

fn code<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// Why arguments were refused: everything that is wrong with them. Its text is written for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentsError {
    /// In the order of the arguments; at least one.
    pub problems: Vec<Problem>,
    /// There are more problems than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The tool's own schema cannot be used, which is no fault of whoever called.
    #[serde(skip)]
    pub schema: Option<SchemaError>,
}

impl ArgumentsError {
    fn one(problem: Problem) -> Self {
        ArgumentsError { problems: vec![problem], more: false, schema: None }
    }
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(error) => error.fmt(f),
            None => problem::text(f, "invalid arguments", &self.problems, self.more),
        }
    }
}

impl std::error::Error for ArgumentsError {}

impl From<ArgumentsError> for ToolError {
    fn from(error: ArgumentsError) -> Self {
        if let Some(schema) = error.schema {
            return schema.into();
        }
        let message = error.to_string();
        let details = serde_json::to_value(&error).unwrap_or_default();
        ToolError::new(ToolErrorKind::InvalidArguments, message).with_details(details)
    }
}

/// Reads arguments by a schema.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::Deserialize;
/// use toolprism_contract::{arguments, schema};
/// #[derive(JsonSchema, Deserialize)]
/// struct Args {
///     path: String,
///     limit: u32,
///     #[serde(default)]
///     all: bool,
/// }
/// let schema = schema::of::<Args>();
/// let read = arguments::read(r#"{"path": "007", "limit": "10", "all": null}"#, schema, &Default::default()).unwrap();
/// assert_eq!(read.text(), r#"{"path":"007","limit":10}"#);
/// assert_eq!(read.changes[0].code.as_str(), "string_to_number");
/// assert_eq!(read.changes[0].found.as_deref(), Some("\"10\""));
/// let args: Args = read.into().unwrap();
/// assert!(args.path == "007" && args.limit == 10 && !args.all);
///
/// let error = arguments::read(r#"{"path": 7.5, "limit": -1, "all": "maybe"}"#, schema, &Default::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid arguments: 2 problems
/// - `limit`: expected a whole number from 0 to 4294967295, found -1; it is out of range: send a number within it
/// - `all`: expected true or false, found \"maybe\"; write true or false"
/// );
/// ```
pub fn read(text: &str, schema: &Schema, options: &Options<'_>) -> Result<Arguments, ArgumentsError> {
    let asked = schema.asked().map_err(|error| ArgumentsError {
        schema: Some(error.clone()),
        ..ArgumentsError::one(Problem::new(String::new(), Category::Invalid, error.to_string()))
    })?;
    let Options { tool, allowed, stop, max_bytes } = *options;
    match asked.align(text, &Reading { tool, stop, allowed, max_args_bytes: max_bytes }) {
        Ok(Aligned { text: aligned, changes }) => {
            let changes = leniencies(changes, text, &aligned);
            Ok(Arguments { text: aligned.into_owned(), renames: None, changes })
        }
        Err(Misfit::Unreadable(fault)) => Err(ArgumentsError::one(of_fault(&fault))),
        Err(Misfit::Invalid { text, violations, faults }) => {
            let mut problems = problem::of_violations(&violations, &text, schema);
            // What a schema does not see, and what all else is due to.
            let unseen = faults.iter().filter(|fault| is_unseen(fault.code) || violations.list.is_empty());
            problems.extend(unseen.map(of_fault));
            Err(ArgumentsError { problems, more: violations.more, schema: None })
        }
    }
}

fn is_unseen(code: FaultCode) -> bool {
    matches!(code, FaultCode::AmbiguousKey | FaultCode::DuplicateKeyConflict | FaultCode::UnknownValue)
}

fn of_fault(fault: &Fault) -> Problem {
    let category = match fault.code {
        FaultCode::AmbiguousKey | FaultCode::UnexpectedKey => Category::UnknownField,
        FaultCode::TypeMismatch | FaultCode::NotObject => Category::Type,
        _ => Category::Invalid,
    };
    let hint = match fault.code {
        FaultCode::ChangeDisabled(code) => format!("{} (`{code}`)", fault.code.hint()),
        _ => format!("{} (at byte {})", fault.code.hint(), fault.offset),
    };
    Problem::new(fault.path.clone(), category, hint)
}

/// The bytes that are looked through to tell what was changed: looking for one place takes the whole text.
const LOOKED_AT: usize = 16 << 20;

fn leniencies(changes: Vec<Change>, came: &str, aligned: &str) -> Vec<Leniency> {
    let shown = (LOOKED_AT / (came.len() + aligned.len()).max(1)).max(1);
    let all = changes.into_iter().enumerate().map(|(number, change)| {
        let (found, became) =
            if number < shown && replaces(change.code) { told(&change, came, aligned) } else { (None, None) };
        Leniency { code: change.code, path: change.path, found, became }
    });
    all.collect()
}

/// What a change replaced, and by what.
fn told(change: &Change, came: &str, aligned: &str) -> (Option<String>, Option<String>) {
    let from = came.get(change.offset..).unwrap_or_default();
    let (found, became) = match change.code {
        Code::NullOptionalDropped | Code::UndefinedDropped => (json::member(from), None),
        Code::KeyRenamed => (Some(json::token(from)), Some(Value::from(problem::last_step(&change.path)).to_string())),
        _ => (Some(json::token(from)), json::at(aligned, &change.path).map(problem::found)),
    };
    (found.map(problem::found), became)
}

/// Whether a change puts one value or name in the place of another.
fn replaces(code: Code) -> bool {
    use Code::*;
    let named = matches!(
        code,
        WrapSingle
            | UnwrapSingle
            | KeyRenamed
            | StringToArray
            | StringToObject
            | NullToFalse
            | NullToEmptyList
            | NullOptionalDropped
            | UndefinedDropped
    );
    code.severity() == Severity::Scalar || named
}

impl Arguments {
    /// The arguments as the text of one JSON object, with the digits of every number.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The arguments as a JSON value. An integer of more than 64 bits is refused, since a [`Value`] would round it; take
    /// [`text`](Self::text) where such are wanted.
    ///
    /// ```
    /// use toolprism_contract::arguments;
    /// use toolprism_contract::schema::Schema;
    /// let schema = Schema::from_value(serde_json::json!({"type": "object"})).unwrap();
    /// let read = |text| arguments::read(text, &schema, &Default::default()).unwrap().value();
    /// assert_eq!(read(r#"{"id": 18446744073709551615}"#).unwrap()["id"], u64::MAX);
    /// assert_eq!(read(r#"{"id": 18446744073709551616}"#).unwrap_err().problems[0].path, "/id");
    /// ```
    pub fn value(&self) -> Result<Value, ArgumentsError> {
        if let Some((path, digits)) = json::rounded(&self.text) {
            return Err(self.rounded(path, digits, "of at most 64 bits"));
        }
        typed(&self.text).map_err(|error| self.told(error))
    }

    /// The arguments as a type. Where a [`Value`] is part of the type, integers of more than 64 bits are rounded in it.
    pub fn into<T: DeserializeOwned>(self) -> Result<T, ArgumentsError> {
        typed(&self.text).map_err(|error| self.told(error))
    }

    /// An error if there is an integer further from zero than `most`: for languages whose numbers round those.
    ///
    /// ```
    /// use toolprism_contract::arguments;
    /// use toolprism_contract::schema::Schema;
    /// let schema = Schema::from_value(serde_json::json!({"type": "object"})).unwrap();
    /// let read = |text| arguments::read(text, &schema, &Default::default()).unwrap().within((1 << 53) - 1);
    /// assert!(read(r#"{"id": 9007199254740991}"#).is_ok());
    /// assert_eq!(read(r#"{"id": -9007199254740992}"#).unwrap_err().problems[0].path, "/id");
    /// ```
    pub fn within(&self, most: u64) -> Result<(), ArgumentsError> {
        match json::beyond(&self.text, |number| {
            number.trim_start_matches('-').parse().is_ok_and(|size: u64| size <= most)
        }) {
            Some((path, digits)) => Err(self.rounded(path, digits, &format!("from -{most} to {most}"))),
            None => Ok(()),
        }
    }

    fn rounded(&self, path: String, digits: &str, wanted: &str) -> ArgumentsError {
        let hint = "send a smaller number, or a text where the tool takes one";
        let problem = Problem::new(path, Category::Invalid, hint);
        self.told(ArgumentsError::one(problem.expecting(format!("a whole number {wanted}")).finding(digits)))
    }

    /// An error of what the tool itself finds wrong with these arguments, with what is there, under the names that the model
    /// knows.
    ///
    /// ```
    /// use toolprism_contract::schema::Schema;
    /// use toolprism_contract::{Category, Problem, arguments};
    /// let schema = Schema::from_value(serde_json::json!({"type": "object"})).unwrap();
    /// let read = arguments::read(r#"{"port": 80}"#, &schema, &Default::default()).unwrap();
    /// let error = read.refused([Problem::new("/port".into(), Category::Constraint, "use a port above 1023")]);
    /// assert_eq!(error.to_string(), "invalid arguments: `port`: found 80; use a port above 1023");
    /// ```
    pub fn refused(&self, problems: impl IntoIterator<Item = Problem>) -> ArgumentsError {
        let seen = |problem: Problem| match json::at(&self.text, &problem.path) {
            Some(json) if problem.found.is_none() && !problem.path.is_empty() => problem.finding(json),
            _ => problem,
        };
        self.told(ArgumentsError { problems: problems.into_iter().map(seen).collect(), more: false, schema: None })
    }

    /// The same arguments under the tool's own names.
    pub(crate) fn under_own_names(self, renames: Arc<Renames>) -> Result<Arguments, ArgumentsError> {
        let text = renames.undo(&self.text).map_err(|OwnName { path, client }| {
            let hint = format!("it is called `{client}` here: send it as that");
            ArgumentsError::one(Problem::new(path, Category::UnknownField, hint))
        })?;
        Ok(Arguments { text, renames: Some(renames), changes: self.changes })
    }

    /// An error with the names that the model knows.
    fn told(&self, error: ArgumentsError) -> ArgumentsError {
        let Some(renames) = &self.renames else { return error };
        let renamed = |problem: Problem| {
            let path = renames.client_path(&problem.path);
            problem.at(path)
        };
        ArgumentsError { problems: error.problems.into_iter().map(renamed).collect(), ..error }
    }
}

/// Reads JSON text as a type. The way to a fault costs a little, so it is looked for only when there is one.
fn typed<T: DeserializeOwned>(text: &str) -> Result<T, ArgumentsError> {
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    // No arguments are an empty object, and `()` and unit structs are null in JSON.
    if text == "{}"
        && let Ok(unit) = serde_json::from_str("null")
    {
        return Ok(unit);
    }
    let read = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text));
    read.map_err(|error| {
        let pointer = json::pointer(error.path());
        ArgumentsError::one(problem::of_serde(error.inner(), pointer, text))
    })
}
