//! Arguments: from text to typed values.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolprism_repair::{Allowed, Code, StopReason};

use crate::problem::Problem;
use crate::schema::Schema;
use crate::{ToolError, ToolErrorKind};

/// How arguments are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The changes that may be made. [`Allowed::NONE`] takes valid arguments only.
    pub allowed: Allowed,
    /// Why the model stopped: what a limit of length cut off is not closed.
    pub stop: StopReason,
    /// Longer arguments are refused.
    pub max_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { allowed: Allowed::ALL, stop: StopReason::Unknown, max_bytes: 16 << 20 }
    }
}

/// Arguments that their schema accepts.
#[derive(Clone, Debug)]
pub struct Arguments<'t> {
    text: Cow<'t, str>,
    /// What was changed to make the schema accept them.
    pub changes: Vec<Leniency>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leniency {
    /// What sort of change.
    pub code: Code,
    /// Where, as a JSON pointer into the arguments.
    pub path: String,
    /// What was there, cut short.
    pub found: String,
    /// What is there now, cut short; `None` if it was left out.
    pub became: Option<String>,
}

/// Why arguments were refused: everything that is wrong with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentsError {
    /// In the order of the arguments; at least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            f.write_str(&problem.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for ArgumentsError {}

impl From<ArgumentsError> for ToolError {
    fn from(error: ArgumentsError) -> Self {
        ToolError::new(ToolErrorKind::InvalidArguments, error.to_string())
    }
}

/// Reads arguments by a schema.
pub fn read<'t>(text: &'t str, _schema: &Schema, _options: &Options) -> Result<Arguments<'t>, ArgumentsError> {
    Ok(Arguments { text: text.into(), changes: Vec::new() })
}

impl Arguments<'_> {
    /// The arguments as JSON text, with the digits of every number.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The arguments as a JSON value. Integers of more than 64 bits are refused, since a [`Value`] would round them: take
    /// [`text`](Self::text) where such are wanted.
    pub fn value(&self) -> Result<Value, ArgumentsError> {
        self.into()
    }

    /// The arguments as a type.
    pub fn into<T: DeserializeOwned>(&self) -> Result<T, ArgumentsError> {
        serde_json::from_str(&self.text).map_err(|_| ArgumentsError { problems: Vec::new() })
    }

    /// The same arguments, spelt otherwise.
    pub(crate) fn with_text(self, text: String) -> Arguments<'static> {
        Arguments { text: Cow::Owned(text), changes: self.changes }
    }

    /// The same with a text of their own.
    pub fn into_owned(self) -> Arguments<'static> {
        Arguments { text: Cow::Owned(self.text.into_owned()), changes: self.changes }
    }
}
