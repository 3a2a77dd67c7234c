//! Readers: bytes of a log in, events out. One file a format; adding one is adding a file and a line in [`Format`]'s table.
//!
//! A [`Reader`] takes bytes in pieces of any size and keeps no more than one record of them. It finds out the format by
//! itself, goes on after damage, and accounts for every byte: what it could not read it hands over as a [`Quarantine`].

pub(crate) mod acp;
mod claude;
mod codex;
mod codex_output;
mod filter;
mod framing;
mod gemini;
mod grok;
mod members;
mod notification;
mod opencode;
mod session_update;
pub(crate) mod source;
mod time;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use core::fmt;

use crate::event::{Place, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, RawJson};
use crate::ledger::CallLedger;
use crate::wire::WireSink;

use members::Members;

pub(crate) use acp::Acp;
pub(crate) use framing::detect;
pub use framing::{Limits, Reader, Tally};
pub use time::from_iso;

macro_rules! formats {
    ($( $(#[$doc:meta])* $variant:ident $name:literal $display:literal $harness:expr, $detect:path, $open:expr; )*) => {
        /// A log format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format { $( $(#[$doc])* $variant, )* }

        impl Format {
            /// Every format, in the order in which they are tried.
            pub const ALL: &'static [Format] = &[ $( Format::$variant, )* ];

            /// A short stable name, such as `claude_session`.
            pub const fn as_str(self) -> &'static str {
                match self { $( Format::$variant => $name, )* }
            }

            /// The name to show.
            pub const fn display(self) -> &'static str {
                match self { $( Format::$variant => $display, )* }
            }

            /// The harness that writes this format; `None` where many do.
            pub const fn harness(self) -> Option<&'static str> {
                match self { $( Format::$variant => $harness, )* }
            }

            /// Whether a record shows beyond doubt that its source has this format.
            fn detect(self, record: &Members<'_>) -> bool {
                match self { $( Format::$variant => $detect(record), )* }
            }

            pub(crate) fn open(self) -> Box<dyn Records> {
                match self { $( Format::$variant => Box::new($open), )* }
            }
        }
    };
}

formats! {
    /// Claude Code's session files, and those of its subagents.
    ClaudeSession "claude_session" "Claude Code session" Some("claude_code"), claude::is_session, claude::Claude::new();
    /// `claude -p --output-format stream-json`.
    ClaudeStream "claude_stream" "Claude Code stream-json" Some("claude_code"), claude::is_stream, claude::Claude::new();
    /// Grok Build's `updates.jsonl`.
    GrokUpdates "grok_updates" "Grok Build updates" Some("grok_build"), grok::is_updates, grok::Grok::new();
    /// Codex's rollout files, of all versions.
    CodexRollout "codex_rollout" "Codex rollout" Some("codex"), codex::is_rollout, codex::Rollout::new();
    /// `codex exec --json`.
    CodexExec "codex_exec" "Codex exec --json" Some("codex"), codex::is_exec, codex::Exec::new();
    /// `opencode export`: one document.
    OpencodeExport "opencode_export" "OpenCode export" Some("opencode"), opencode::is_export, opencode::Export;
    /// A file of OpenCode's storage tree: a part, a message, a session or a project. Only parts hold calls.
    OpencodeStorage "opencode_storage" "OpenCode storage file" Some("opencode"),
        opencode::is_storage, opencode::Parts::new();
    /// `opencode run --format json`.
    OpencodeRun "opencode_run" "OpenCode run --format json" Some("opencode"), opencode::is_run, opencode::Parts::new();
    /// Gemini CLI's session file, one document (before 0.4x).
    GeminiSession "gemini_session" "Gemini CLI session" Some("gemini_cli"), gemini::is_session, gemini::Session::new();
    /// Gemini CLI's session file, a record a line (since 0.4x).
    GeminiSessionLines "gemini_session_lines" "Gemini CLI session (lines)" Some("gemini_cli"),
        gemini::is_session_line, gemini::Session::new();
    /// `gemini --output-format stream-json`.
    GeminiStream "gemini_stream" "Gemini CLI stream-json" Some("gemini_cli"), gemini::is_stream, gemini::Stream::new();
    /// Agent Client Protocol, JSON-RPC messages of one direction or both.
    Acp "acp" "ACP messages" None, acp::is_acp, acp::Acp::new();
}

impl Format {
    /// Whether a source of this format is one JSON document, which may be spread over lines.
    pub const fn is_document(self) -> bool {
        matches!(self, Format::OpencodeExport | Format::OpencodeStorage | Format::GeminiSession)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Takes what a reader finds.
pub trait Sink {
    /// Something is said of a tool call.
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>);

    /// A turn or session has ended.
    fn end(&mut self, end: &TurnEnd<'_>);

    /// Bytes could not be read.
    fn quarantine(&mut self, span: &Quarantine);
}

impl Sink for CallLedger {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        CallLedger::end(self, end);
    }

    /// The ledger has no use for what cannot be read; the reader's [`Tally`] counts it.
    fn quarantine(&mut self, _span: &Quarantine) {}
}

/// A sink of text's events, for what is read from other views as well.
struct Events<'s>(&'s mut dyn Sink);

impl<'v> WireSink<RawJson<'v>> for Events<'_> {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'v>>) {
        self.0.event(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.0.end(end);
    }
}

/// Bytes that a reader could not read, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarantine {
    /// Where they start.
    pub place: Place,
    /// How many they are.
    pub len: u64,
    /// Why they could not be read.
    pub reason: Reason,
}

/// Why bytes could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// They are not JSON; the byte offset of the fault is counted from the start of the span.
    NotJson(JsonError),
    /// The last line ends in mid-record and without a newline: the source is still being written, or was cut. No error.
    Torn,
    /// The record is longer than the reader's limit.
    TooLong,
    /// The record is JSON, but no object.
    NotAnObject,
    /// Nothing in the source shows a known format.
    UnknownFormat,
}

impl Reason {
    /// A short stable name, such as `not_json`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Reason::NotJson(_) => "not_json",
            Reason::Torn => "torn",
            Reason::TooLong => "too_long",
            Reason::NotAnObject => "not_an_object",
            Reason::UnknownFormat => "unknown_format",
        }
    }

    /// Whether the bytes are lost to damage, rather than not written yet.
    pub const fn is_damage(&self) -> bool {
        !matches!(self, Reason::Torn)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotJson(error) => write!(f, "not JSON: {error} of the record"),
            Reason::Torn => f.write_str("the last line is incomplete"),
            Reason::TooLong => f.write_str("the record is longer than the limit"),
            Reason::NotAnObject => f.write_str("the record is no JSON object"),
            Reason::UnknownFormat => f.write_str("no record of a known format"),
        }
    }
}

/// What one format knows: how to read its records.
pub(crate) trait Records: Send {
    /// A cheap test of a record's bytes: `false` only if it cannot say anything of a tool call.
    fn wants(&self, record: &[u8]) -> bool;

    /// Reads one record, which must be consumed whole, and hands on what it says.
    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError>;
}

/// An id for a call whose record has none: different for each record of the source.
fn made_id(what: &str, place: Place) -> Cow<'static, str> {
    Cow::Owned(format!("{what}@{}", place.offset))
}
