//! One completed call on its way through the finalizers.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use toolprism::json::Cursor;

use crate::{Action, CompletedCall, Finalizer, Meta, Outcome, Reason, ToolDefinition};

/// What the chain came to.
pub(super) enum Verdict {
    /// Send on the originals.
    Pass(Option<Reason>),
    /// Send on this instead.
    Rewrite { tool_name: String, args_json: Vec<u8>, reason: Option<Reason> },
    /// Send on nothing.
    Reject(Option<Reason>),
    /// A finalizer gave no valid answer, so that what others answered is void.
    Failed,
    /// Nobody waits for an answer any more.
    Canceled,
}

/// Asks each finalizer in turn. A rewrite is what the next one sees.
///
/// Finalizers get references, so none can change what another one sees.
pub(super) fn run(
    chain: &[Arc<dyn Finalizer>],
    call: &CompletedCall<'_>,
    catalog: &[ToolDefinition],
    meta: &Meta<'_>,
) -> Verdict {
    let mut now: Option<(String, Vec<u8>)> = None;
    let mut reason = None;
    for finalizer in chain {
        if meta.is_canceled() {
            return Verdict::Canceled;
        }
        let call = match &now {
            Some((tool_name, args_json)) => CompletedCall { tool_name, args_json, ..*call },
            None => *call,
        };
        let Some(outcome) = ask(&**finalizer, &call, catalog, meta) else { return Verdict::Failed };
        match outcome.action {
            // Once something was rewritten, the reason for that is the one that tells more.
            Action::Pass if now.is_none() => reason = outcome.reason.or(reason),
            Action::Pass => {}
            Action::Rewrite => {
                reason = outcome.reason;
                match rewrite(outcome) {
                    Some(rewritten) => now = Some(rewritten),
                    None => return Verdict::Failed,
                }
            }
            Action::Reject => return Verdict::Reject(outcome.reason),
        }
    }
    match now {
        Some((tool_name, args_json)) => Verdict::Rewrite { tool_name, args_json, reason },
        None => Verdict::Pass(reason),
    }
}

/// The name and arguments of a rewrite, if it is a valid one: a name, and arguments that are JSON.
fn rewrite(outcome: Outcome) -> Option<(String, Vec<u8>)> {
    let name = match outcome.tool_name.trim() {
        "" => return None,
        trimmed if trimmed.len() == outcome.tool_name.len() => outcome.tool_name,
        trimmed => trimmed.into(),
    };
    outcome.args_json.filter(|args| is_json(args)).map(|args| (name, args))
}

fn is_json(text: &[u8]) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.strict_value().is_ok() && text.iter().skip(cursor.offset()).all(|byte| b" \t\r\n".contains(byte))
}

/// A finalizer's answer, if it has one. The tool is looked up anew for each, since a rewrite may name another.
fn ask(
    finalizer: &dyn Finalizer,
    call: &CompletedCall<'_>,
    catalog: &[ToolDefinition],
    meta: &Meta<'_>,
) -> Option<Outcome> {
    let tool = exact(catalog, call.tool_name);
    isolated(|| finalizer.finalize(call, tool, catalog, meta).ok())
}

pub(super) fn exact<'c>(catalog: &'c [ToolDefinition], name: &str) -> Option<&'c ToolDefinition> {
    catalog.iter().find(|tool| tool.name == name)
}

/// Runs `work`; a panic in it is no answer. What a finalizer left half done when it panicked is its own: it is asked for
/// other calls later on, as a poisoned lock of its own will tell it.
#[cfg(feature = "std")]
fn isolated(work: impl FnOnce() -> Option<Outcome>) -> Option<Outcome> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok().flatten()
}

/// Runs `work`. Without the standard library a panic cannot be caught.
#[cfg(not(feature = "std"))]
fn isolated(work: impl FnOnce() -> Option<Outcome>) -> Option<Outcome> {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_is() {
        for text in ["{}", " [1] \r\n", "1", "\"a\"", "null"] {
            assert!(is_json(text.as_bytes()), "{text}");
        }
        for text in ["", " ", "{", "{}{}", "{} x", "\"\u{1}\"", "{}\u{b}"] {
            assert!(!is_json(text.as_bytes()), "{text}");
        }
        assert!(!is_json(b"\"\xff\""));
    }
}
