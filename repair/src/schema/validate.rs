//! Whether a value is as its schema wants it.

use super::{RuleId, Schema};
use crate::json::Value;

/// Asks a schema about values. Holds how much work is left: a schema can be written so that one value means endless work.
pub(crate) struct Validator<'s> {
    schema: &'s Schema,
    steps: u32,
}

/// The value is not as the schema wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// It breaks the schema.
    Mismatch,
    /// The work that one document may make is used up.
    OutOfSteps,
}

impl<'s> Validator<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Validator { schema, steps: 1_000_000 }
    }

    /// Whether `value`, with all inside it, is as the rules at `id` want it.
    pub(crate) fn accepts(&mut self, id: RuleId, _value: Value<'_>) -> Result<(), Invalid> {
        self.steps = self.steps.checked_sub(1).ok_or(Invalid::OutOfSteps)?;
        match self.schema.rules(id).boolean {
            Some(false) => Err(Invalid::Mismatch),
            _ => Ok(()),
        }
    }
}
