//! The finalizer seam: what goes in, what comes out, and who may stand in it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::{Change, Reason};

/// A tool call whose arguments have come to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedCall<'a> {
    /// The call's id.
    pub tool_call_id: &'a str,
    /// The tool's name as the model spelt it.
    pub tool_name: &'a str,
    /// The arguments as they came: meant to be JSON, but any bytes.
    pub args_json: &'a [u8],
}

/// A tool that the model was offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// The JSON Schema of its arguments as text; empty, blank or `null` if it has none.
    pub parameters: Vec<u8>,
}

impl ToolDefinition {
    /// A tool and the schema of its arguments.
    pub fn new(name: impl Into<String>, parameters: impl Into<Vec<u8>>) -> Self {
        ToolDefinition { name: name.into(), parameters: parameters.into() }
    }

    /// Whether it has a schema.
    pub(crate) fn has_schema(&self) -> bool {
        let text = self.parameters.trim_ascii();
        !text.is_empty() && text != b"null"
    }
}

/// What to do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Go on with the call as it is.
    Pass,
    /// Go on with another name or other arguments.
    Rewrite,
    /// Do not let it happen.
    Reject,
}

impl Action {
    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Pass => "pass",
            Action::Rewrite => "rewrite",
            Action::Reject => "reject",
        }
    }
}

/// A finalizer's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What to do.
    pub action: Action,
    /// Of a rewrite: the tool's name. Ignored otherwise.
    pub tool_name: String,
    /// Of a rewrite: the arguments, which must be JSON. `None` means "the originals, byte for byte", never "empty"; a
    /// rewrite without arguments is no valid answer.
    pub args_json: Option<Vec<u8>>,
    /// Why.
    pub reason: Option<Reason>,
    /// Of a rewrite: what was changed.
    pub changes: Vec<Change>,
}

impl Outcome {
    /// Go on as it is.
    pub const fn pass(reason: Option<Reason>) -> Self {
        Outcome { action: Action::Pass, tool_name: String::new(), args_json: None, reason, changes: Vec::new() }
    }

    /// Go on with these.
    pub fn rewrite(tool_name: impl Into<String>, args_json: impl Into<Vec<u8>>, reason: Reason) -> Self {
        Outcome {
            action: Action::Rewrite,
            tool_name: tool_name.into(),
            args_json: Some(args_json.into()),
            reason: Some(reason),
            changes: Vec::new(),
        }
    }

    /// Do not let it happen.
    pub fn reject(reason: Option<Reason>) -> Self {
        Outcome { action: Action::Reject, ..Outcome::pass(reason) }
    }
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// Nothing is known. Taken as [`End`](Self::End): many providers say nothing, and some say the wrong thing.
    #[default]
    Unknown,
    /// The model ended by itself, or by calling a tool.
    End,
    /// It ran into a limit of length, or was cut off otherwise: what is unfinished stays unfinished.
    Length,
}

impl StopReason {
    /// Reads what the wires say. A limit of length is `length` (OpenAI), `max_tokens` (Anthropic, Bedrock), `MAX_TOKENS`
    /// (Gemini, Cohere), `max_output_tokens` (OpenAI Responses), `model_length` (Mistral),
    /// `model_context_window_exceeded` (Anthropic). What a filter cut off is cut off as well: `content_filter`, `SAFETY`,
    /// `RECITATION`, `incomplete`. An empty text is [`Unknown`](Self::Unknown), all else [`End`](Self::End).
    pub fn from_wire(text: &str) -> Self {
        const CUT_OFF: [&str; 9] = [
            "length",
            "max_tokens",
            "max_output_tokens",
            "model_length",
            "model_context_window_exceeded",
            "content_filter",
            "safety",
            "recitation",
            "incomplete",
        ];
        if text.is_empty() {
            StopReason::Unknown
        } else if CUT_OFF.iter().any(|reason| text.eq_ignore_ascii_case(reason)) {
            StopReason::Length
        } else {
            StopReason::End
        }
    }
}

/// What a finalizer is told beside the call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meta<'a> {
    /// The trace that the request belongs to.
    pub trace_id: &'a str,
    /// The leg between client and proxy.
    pub a_leg_id: &'a str,
    /// The leg between proxy and model.
    pub b_leg_id: &'a str,
    /// Which attempt at the request this is, from 0.
    pub attempt_seq: u32,
    /// Why the model stopped, as far as it is known by now.
    pub stop: StopReason,
    /// Set by another thread when nobody waits for the answer any more.
    pub cancel: Option<&'a AtomicBool>,
}

impl Meta<'_> {
    /// Whether nobody waits any more.
    pub fn is_canceled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A finalizer could not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalizeError(pub String);

impl fmt::Display for FinalizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a finalizer failed: {}", self.0)
    }
}

impl core::error::Error for FinalizeError {}

/// Judges completed calls.
pub trait Finalizer: Send + Sync {
    /// A name that is unique among the finalizers of a chain.
    fn id(&self) -> &str;

    /// Its place in the chain: low ones first.
    fn order(&self) -> i32 {
        0
    }

    /// Judges one call. `tool` is the first of `catalog` that has exactly the call's name.
    fn finalize(
        &self,
        call: &CompletedCall<'_>,
        tool: Option<&ToolDefinition>,
        catalog: &[ToolDefinition],
        meta: &Meta<'_>,
    ) -> Result<Outcome, FinalizeError>;
}

/// The chain in the order it runs: by order, then id, then position. Places without a finalizer are left out.
pub fn materialize_sorted(finalizers: impl IntoIterator<Item = Option<Arc<dyn Finalizer>>>) -> Vec<Arc<dyn Finalizer>> {
    let mut chain: Vec<_> = finalizers.into_iter().flatten().collect();
    chain.sort_by(|a, b| a.order().cmp(&b.order()).then_with(|| a.id().cmp(b.id())));
    chain
}

/// A finalizer refused a call. Holds no part of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectError {
    /// Why.
    pub reason: Option<Reason>,
    /// Which call.
    pub tool_call_id: String,
}

impl fmt::Display for RejectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("toolcall: rejected")?;
        match self.reason {
            Some(reason) => write!(f, " ({reason})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for RejectError {}
