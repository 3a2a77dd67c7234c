//! JSON Schemas as tools have them: read once into rules, then asked many times.
//!
//! Data flows one way: schema text -> [`intake`] (limits, dialect, references) -> [`compile`] (rules) -> [`validate`].
//! Rules lie in one list and name each other by index, so references may form a circle.

mod cache;
mod compile;
mod dialect;
mod evaluated;
mod format;
mod intake;
mod keywords;
mod pattern;
mod references;
mod rules;
mod scalar;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
mod translate;
mod unique;
mod validate;

use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use cache::SchemaCache;
pub use intake::{SchemaFault, SchemaLimits};
pub(crate) use pattern::{Pattern, PatternSyntax};
pub(crate) use rules::{RuleId, Rules, Types};
pub(crate) use validate::{Invalid, Validator};
pub use validate::{Violation, Violations};

use crate::json::{Tape, Value};

/// A schema that is ready to be asked.
#[derive(Debug)]
pub struct Schema {
    /// The schema's own document; constants, enumerations and defaults are looked up in it.
    text: String,
    tape: Tape,
    rules: Vec<Rules>,
    root: RuleId,
}

impl Schema {
    /// Reads and compiles the text of a schema, as the `guarded` profile takes it: draft 4 to 2020-12, within these limits.
    pub fn new(text: &[u8], limits: &SchemaLimits) -> Result<Schema, SchemaFault> {
        Schema::compile(text, limits, PatternSyntax::Ecma)
    }

    /// Reads and compiles the text of a schema. `patterns` says which regular expressions are taken.
    pub(crate) fn compile(text: &[u8], limits: &SchemaLimits, patterns: PatternSyntax) -> Result<Schema, SchemaFault> {
        compile::compile(text, limits, patterns)
    }

    pub(crate) fn root(&self) -> RuleId {
        self.root
    }

    /// The rules of one place in the schema.
    pub(crate) fn rules(&self, id: RuleId) -> &Rules {
        rules::look_up(&self.rules, id)
    }

    /// A value of the schema's own document, by the index that rules name it with.
    pub(crate) fn value(&self, index: u32) -> Value<'_> {
        self.tape.value(&self.text, index)
    }

    /// Whether the whole of `value` is as the schema wants it.
    pub(crate) fn accepts(&self, value: Value<'_>) -> bool {
        Validator::new(self).accepts(self.root, value) == Ok(())
    }
}
