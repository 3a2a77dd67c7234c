//! The `reference` profile.

use crate::engine::{Judgement, Options};
use crate::schema::SchemaCache;
use crate::{CompletedCall, Meta, ToolDefinition};

pub(crate) fn judge(
    _options: &Options,
    _schemas: &SchemaCache,
    _call: &CompletedCall<'_>,
    _exact: Option<&ToolDefinition>,
    _catalog: &[ToolDefinition],
    _meta: &Meta<'_>,
) -> Judgement {
    Judgement::pass()
}
