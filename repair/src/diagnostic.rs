//! What became of a call, in a form that can be logged: nothing of what the model wrote is in it.

use core::fmt;

use sha2::{Digest as _, Sha256};

use crate::{Action, CompletedCall, Reason, ToolDefinition};

/// A SHA-256 digest. Written as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why no finalizer's answer counts for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unjudged {
    /// It has more arguments than are held.
    TooLong,
    /// Too many calls are open already.
    TooMany,
    /// It is not started, is started twice, goes on after its end, or has a blank id.
    OutOfOrder,
    /// A finalizer failed or panicked, or answered with a rewrite that is none.
    Failed,
    /// Nobody waits for the answer any more.
    Canceled,
    /// The stream ended before it.
    Unfinished,
}

impl Unjudged {
    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Unjudged::TooLong => "too_long",
            Unjudged::TooMany => "too_many",
            Unjudged::OutOfOrder => "out_of_order",
            Unjudged::Failed => "failed",
            Unjudged::Canceled => "canceled",
            Unjudged::Unfinished => "unfinished",
        }
    }

    /// The reason code that it is rejected with.
    pub(crate) const fn reason(self) -> Option<Reason> {
        match self {
            Unjudged::TooLong => Some(Reason::ArgsTooLarge),
            Unjudged::Canceled => Some(Reason::Canceled),
            Unjudged::TooMany | Unjudged::OutOfOrder | Unjudged::Failed | Unjudged::Unfinished => None,
        }
    }
}

/// What became of one call. Holds digests and sizes, never a name or an argument: an unknown tool's name is text of the
/// model's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Digest of the tool's name as the model spelt it.
    pub tool_name: Digest,
    /// Digest of the text of the tool's schema, if there is a tool of that name and it has one.
    pub schema: Option<Digest>,
    /// How many bytes its arguments have, as far as they came.
    pub args_bytes: usize,
    /// What became of it.
    pub action: Action,
    /// Why.
    pub reason: Option<Reason>,
    /// Why no finalizer's answer counts, if none does.
    pub unjudged: Option<Unjudged>,
}

impl Diagnostic {
    /// The record of a call that was judged.
    pub fn new(
        call: &CompletedCall<'_>,
        tool: Option<&ToolDefinition>,
        action: Action,
        reason: Option<Reason>,
    ) -> Self {
        Diagnostic {
            tool_name: Digest::of(call.tool_name.as_bytes()),
            schema: tool.filter(|tool| tool.has_schema()).map(|tool| Digest::of(&tool.parameters)),
            args_bytes: call.args_json.len(),
            action,
            reason,
            unjudged: None,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool call: {}", self.action.as_str())?;
        if let Some(reason) = self.reason {
            write!(f, " ({reason})")?;
        }
        if let Some(unjudged) = self.unjudged {
            write!(f, ", not judged: {}", unjudged.as_str())?;
        }
        write!(f, ", {} bytes, tool {}", self.args_bytes, self.tool_name)?;
        match self.schema {
            Some(schema) => write!(f, ", schema {schema}"),
            None => Ok(()),
        }
    }
}
