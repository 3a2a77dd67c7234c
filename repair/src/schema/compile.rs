//! From the text of a schema to its rules.

use alloc::vec::Vec;

use super::{PatternSyntax, RuleId, Schema, SchemaFault, SchemaLimits};
use crate::json::Tape;

pub(super) fn compile(_text: &[u8], _limits: &SchemaLimits, _patterns: PatternSyntax) -> Result<Schema, SchemaFault> {
    Ok(Schema { text: Default::default(), tape: Tape::default(), digest: [0; 32], rules: Vec::new(), root: RuleId(0) })
}
