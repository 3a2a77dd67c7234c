//! Live streams: the messages of a running stream in, events out. One file a wire; adding one is adding a file and a line
//! in [`Wire`]'s table.
//!
//! A [`WireReader`] takes one decoded message at a time, in whatever form the host has it: a view of its text, a parsed
//! value, or an object of the host's language. It keeps what it needs to tell the calls that are open apart, and nothing of
//! what they carry. Those who have bytes cut them into messages with [`Sse`] or [`Lines`] first.

mod acp;
mod ag_ui;
mod ai_sdk;
mod anthropic;
mod asked;
mod framing;
mod gemini;
mod gemini_args;
mod mcp;
mod openai_chat;
mod openai_responses;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::event::{Phase, Place, ToolCallEvent, TurnEnd};
use crate::json::{JsonError, JsonType, JsonView, RawJson};
use crate::ledger::CallLedger;

pub use framing::{Lines, MOST_BYTES, Sse};

macro_rules! wires {
    ($( $(#[$doc:meta])* $variant:ident $name:literal $display:literal, $reader:path; )*) => {
        /// A protocol in which tool calls are told while they happen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Wire { $( $(#[$doc])* $variant, )* }

        impl Wire {
            /// Every wire.
            pub const ALL: &'static [Wire] = &[ $( Wire::$variant, )* ];

            /// A short stable name, such as `openai_chat`.
            pub const fn as_str(self) -> &'static str {
                match self { $( Wire::$variant => $name, )* }
            }

            /// The name to show.
            pub const fn display(self) -> &'static str {
                match self { $( Wire::$variant => $display, )* }
            }

            fn open(self) -> State {
                match self { $( Wire::$variant => State::$variant(Default::default()), )* }
            }
        }

        /// What the reader of a wire remembers.
        enum State { $( $variant($reader), )* }

        impl State {
            fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
                match self { $( State::$variant(reader) => reader.read(message, out), )* }
            }

            /// Forgets the calls of the turn.
            fn clear(&mut self) {
                match self { $( State::$variant(reader) => reader.clear(), )* }
            }
        }
    };
}

wires! {
    /// Agent Client Protocol, versions 1 and 2: JSON-RPC messages, or their parameters alone.
    Acp "acp" "Agent Client Protocol", acp::Acp;
    /// OpenAI Chat Completions, and what speaks like it.
    OpenaiChat "openai_chat" "OpenAI Chat Completions", openai_chat::Chat;
    /// OpenAI Responses.
    OpenaiResponses "openai_responses" "OpenAI Responses", openai_responses::Responses;
    /// Anthropic Messages, also inside what the Claude Agent SDK hands out.
    AnthropicMessages "anthropic_messages" "Anthropic Messages", anthropic::Anthropic;
    /// Gemini's `generateContent` and `streamGenerateContent`.
    Gemini "gemini" "Gemini API", gemini::Gemini;
    /// The Vercel AI SDK: chunks of its UI message stream, its messages, and the parts of both.
    AiSdk "ai_sdk" "Vercel AI SDK", ai_sdk::AiSdk;
    /// AG-UI events.
    AgUi "ag_ui" "AG-UI", ag_ui::AgUi;
    /// Model Context Protocol: `tools/call` in JSON-RPC.
    Mcp "mcp" "Model Context Protocol", mcp::Mcp;
}

impl Wire {
    /// The wire of this name, as [`as_str`](Wire::as_str) gives it.
    pub fn from_name(name: &str) -> Option<Wire> {
        Wire::ALL.iter().copied().find(|wire| wire.as_str() == name)
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/wire.md")]
struct Docs;

/// Takes what a [`WireReader`] finds. `V` is the view of the messages.
pub trait WireSink<V> {
    /// Something is said of a tool call.
    fn event(&mut self, event: &ToolCallEvent<'_, V>);

    /// A turn has ended.
    fn end(&mut self, end: &TurnEnd<'_>);
}

impl<V: JsonView> WireSink<V> for CallLedger {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        self.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        CallLedger::end(self, end);
    }
}

impl<V, S: WireSink<V> + ?Sized> WireSink<V> for &mut S {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        S::event(self, event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        S::end(self, end);
    }
}

/// Reads the messages of one stream, or of the streams of one session one after the other.
///
/// ```
/// use serde_json::json;
/// use toolprism::{CallLedger, Status, wire::{Wire, WireReader}};
///
/// let mut ledger = CallLedger::default();
/// let mut reader = WireReader::new(Wire::AiSdk);
/// for chunk in [
///     json!({"type": "tool-input-available", "toolCallId": "c1", "toolName": "Read", "input": {"file_path": "a.txt"}}),
///     json!({"type": "tool-output-available", "toolCallId": "c1", "output": "..."}),
/// ] {
///     reader.push(&&chunk, &mut ledger);
/// }
/// let call = &ledger.calls()[0];
/// assert_eq!((call.label(), call.status), ("Read", Status::Completed));
/// ```
pub struct WireReader {
    wire: Wire,
    state: State,
    about: About,
}

/// What is known of a stream beside its messages.
#[derive(Default)]
struct About {
    session: Option<String>,
    harness: Option<String>,
    version: Option<String>,
    time: Option<i64>,
    messages: u64,
}

impl WireReader {
    /// A reader for one wire.
    pub fn new(wire: Wire) -> Self {
        WireReader { wire, state: wire.open(), about: About::default() }
    }

    /// Names the session that the stream belongs to. What a message itself says of its session counts more.
    #[must_use]
    pub fn with_session(mut self, session: impl Into<String>) -> Self {
        self.about.session = Some(session.into());
        self
    }

    /// Names the harness (an id, name or alias of the catalog) that makes the calls, and its version if that is known. What
    /// the stream itself says of its harness counts more.
    #[must_use]
    pub fn with_harness(mut self, harness: impl Into<String>, version: Option<String>) -> Self {
        let harness = harness.into();
        if let State::Acp(acp) = &mut self.state {
            acp.expect(&harness);
        }
        self.about.harness = Some(harness);
        self.about.version = version;
        self
    }

    /// The wire that is read.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// Says when the next messages arrive, in milliseconds since 1970; events have no times without it, save where messages
    /// hold them.
    pub fn at(&mut self, time: i64) -> &mut Self {
        self.about.time = Some(time);
        self
    }

    /// Reads one message: a chunk or event of the stream, a whole response, one message of a conversation, or a list of
    /// these. What says nothing of a tool call is passed over.
    pub fn push<V: JsonView>(&mut self, message: &V, mut sink: &mut (impl WireSink<V> + ?Sized)) {
        self.about.messages += 1;
        let mut out = Out { sink: &mut sink, about: &self.about };
        if message.json_type() == JsonType::Array {
            for message in message.items() {
                self.state.read(&message, &mut out);
            }
        } else {
            self.state.read(message, &mut out);
        }
    }

    /// Reads one message that is JSON text.
    pub fn push_text<'t>(
        &mut self,
        text: &'t (impl AsRef<[u8]> + ?Sized),
        sink: &mut (impl WireSink<RawJson<'t>> + ?Sized),
    ) -> Result<(), JsonError> {
        self.push(&RawJson::parse(text)?, sink);
        Ok(())
    }

    /// The end of the turn, where the host knows of it and the stream does not say so: the connection was lost, or the user
    /// has stopped it. To be handed to the ledger.
    pub fn end_turn(&mut self, cancelled: bool) -> TurnEnd<'_> {
        self.state.clear();
        TurnEnd {
            session: self.about.session.as_deref().map(Cow::Borrowed),
            agent: None,
            cancelled,
            time: self.about.time,
        }
    }
}

/// Where the events of a message go, with what is known of the stream.
struct Out<'o, V> {
    sink: &'o mut dyn WireSink<V>,
    about: &'o About,
}

impl<'o, V: JsonView> Out<'o, V> {
    fn place(&self) -> Place {
        Place { line: self.about.messages, offset: 0 }
    }

    fn event<'e>(&self, id: impl Into<Cow<'e, str>>, phase: Phase) -> ToolCallEvent<'e, V> {
        ToolCallEvent::new(id, phase, self.place())
    }

    /// An id for a call that the source gives none: the same in every run, and different for each call of a stream.
    fn made_id(&self, name: &str, number: usize) -> String {
        format!("{}@{}.{number}", if name.is_empty() { "call" } else { name }, self.about.messages)
    }

    fn send<'e>(&mut self, mut event: ToolCallEvent<'e, V>)
    where
        'o: 'e,
    {
        let about = self.about;
        let known = |text: &'o Option<String>| text.as_deref().map(Cow::Borrowed);
        event.session = event.session.or_else(|| known(&about.session));
        if event.harness.is_none() {
            event.harness = known(&about.harness);
            event.version = event.version.or_else(|| known(&about.version));
        }
        event.time = event.time.or(about.time);
        self.sink.event(&event);
    }

    /// The end of a turn of `session`, or of the reader's own.
    fn end(&mut self, session: Option<&str>, cancelled: bool) {
        let session = session.or(self.about.session.as_deref()).map(Cow::Borrowed);
        self.sink.end(&TurnEnd { session, agent: None, cancelled, time: self.about.time });
    }
}

/// Several members in one pass.
fn pick<V: JsonView, const N: usize>(view: &V, keys: [&str; N]) -> [Option<V>; N] {
    let mut out = [const { None }; N];
    view.pick(&keys, &mut out);
    out
}

/// The text of a member, if there is any.
fn text<V: JsonView>(member: &Option<V>) -> Option<Cow<'_, str>> {
    member.as_ref()?.as_str().filter(|text| !text.is_empty())
}

/// A member, unless it is `null`.
fn given<V: JsonView>(member: Option<V>) -> Option<V> {
    member.filter(|member| !member.is_null())
}

/// What a result says in words: a text, the first text of a list of parts, or the message of an error object.
fn words<V: JsonView>(result: &V) -> Option<String> {
    let of = |part: &V| part.as_str().map(Cow::into_owned);
    match result.json_type() {
        JsonType::String => of(result),
        JsonType::Array => result.items().find_map(|part| {
            let inner = part.get("content").filter(V::is_object).unwrap_or(part);
            of(&inner).or_else(|| of(&inner.get("text")?))
        }),
        JsonType::Object => {
            let [text, message, error, code] = pick(result, ["text", "message", "error", "error_code"]);
            [message, text, code].iter().flatten().find_map(of).or_else(|| {
                let error = error?;
                of(&error).or_else(|| of(&error.get("message")?))
            })
        }
        _ => None,
    }
}
