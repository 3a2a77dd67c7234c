//! What is looked at before a schema is compiled: limits, dialect, references.

use alloc::string::String;

use crate::Reason;

/// What a schema may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Bytes of its text.
    pub max_schema_bytes: usize,
    /// Containers inside each other.
    pub max_depth: usize,
    /// Objects, arrays and scalars together.
    pub max_nodes: usize,
    /// Members of one object.
    pub max_properties: usize,
    /// References that lead to references.
    pub max_ref_depth: usize,
}

impl Default for SchemaLimits {
    fn default() -> Self {
        SchemaLimits {
            max_schema_bytes: 262_144,
            max_depth: 32,
            max_nodes: 4_096,
            max_properties: 1_024,
            max_ref_depth: 32,
        }
    }
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaFault {
    /// [`Reason::SchemaInvalid`] or [`Reason::SchemaUnsupported`].
    pub(crate) reason: Reason,
    /// Where, as a JSON pointer into the schema, of at most 256 characters.
    pub(crate) path: String,
    /// What is wrong there.
    pub(crate) message: String,
}
