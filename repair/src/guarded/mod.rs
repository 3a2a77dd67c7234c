//! The `guarded` profile.

use alloc::string::String;

use crate::engine::{Judgement, Options};
use crate::schema::SchemaCache;
use crate::{Code, CompletedCall, Meta, ToolDefinition};

/// The changes that may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed(u64);

impl Allowed {
    /// All of them.
    pub const ALL: Allowed = Allowed(u64::MAX);

    /// All but this one.
    pub const fn without(self, code: Code) -> Self {
        Allowed(self.0 & !(1 << code as u32))
    }

    /// Whether this one is allowed.
    pub const fn has(self, code: Code) -> bool {
        self.0 & 1 << code as u32 != 0
    }
}

/// What stands in the way of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is.
    pub code: FaultCode,
    /// Where, as a JSON pointer into the arguments.
    pub path: String,
    /// Where, as a byte offset in the arguments as they came.
    pub offset: usize,
}

/// Why the `guarded` profile refuses a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultCode {
    /// The text is not JSON, nor anything that can be read as such in one way only.
    NotJson,
}

impl FaultCode {
    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultCode::NotJson => "not_json",
        }
    }
}

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
