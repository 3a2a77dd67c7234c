//! Arguments: from text to typed values.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;
use toolprism_repair::Change;

use crate::schema::Schema;
use crate::{ToolError, ToolErrorKind};

/// How arguments are read.
#[derive(Clone, Debug, Default)]
pub struct Options {}

/// Arguments that a schema accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    /// The arguments.
    pub value: Value,
    /// What was changed to make the schema accept them.
    pub changes: Vec<Change>,
}

/// Why arguments were refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentsError {
    message: String,
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentsError {}

impl From<ArgumentsError> for ToolError {
    fn from(error: ArgumentsError) -> Self {
        ToolError::new(ToolErrorKind::InvalidArguments, error.message)
    }
}

/// Reads arguments by a schema.
pub fn read(text: &str, _schema: &Schema, _options: &Options) -> Result<Arguments, ArgumentsError> {
    let value = serde_json::from_str(text).map_err(|error| ArgumentsError { message: error.to_string() })?;
    Ok(Arguments { value, changes: Vec::new() })
}

impl Arguments {
    /// The arguments as a type.
    pub fn into<T: DeserializeOwned>(self) -> Result<T, ArgumentsError> {
        serde_json::from_value(self.value).map_err(|error| ArgumentsError { message: error.to_string() })
    }
}
