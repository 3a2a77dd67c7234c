//! Claude Code: session files (`<session>.jsonl`, `subagents/agent-*.jsonl`) and `--output-format stream-json`.
//!
//! A call is a `tool_use` block of an assistant line, its result a `tool_result` block of a later user line. `progress` lines
//! embed a subagent's messages, which its own file holds as well: both carry the subagent's id, so the ledger merges them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::filter::Filter;
use super::{Members, Records, Sink, time};
use crate::event::{Phase, Place, Status, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, JsonType, JsonView, RawJson};

/// A message line of a session file. Qwen Code's lines look alike, but hold `parts` rather than `content`.
pub(super) fn is_session(record: &Members<'_>) -> bool {
    has_content(record, "sessionId")
}

/// A line of the stream.
pub(super) fn is_stream(record: &Members<'_>) -> bool {
    let is = |key: &str, value: &str| record.text(key).as_deref() == Some(value);
    let init = || is("type", "system") && is("subtype", "init");
    has_content(record, "session_id") || record.has("session_id") && init()
}

fn has_content(record: &Members<'_>, session: &str) -> bool {
    let Some(message) = record.get("message") else { return false };
    let speaks = || matches!(record.text("type").as_deref(), Some("assistant" | "user"));
    let whole = message.get("content").is_some() && (message.get("role").is_some() || speaks());
    whole && record.has(session) && record.has("type")
}

pub(super) struct Claude {
    filter: Filter,
}

impl Claude {
    pub(super) fn new() -> Self {
        Claude { filter: Filter::new(&["tool_use", "tool_result", "[Request interrupted", "\"result\""]) }
    }
}

impl Records for Claude {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        Line::read(cursor)?.emit(place, sink);
        Ok(())
    }
}

/// What a line says around its message.
#[derive(Default)]
struct Line<'a> {
    kind: Option<Cow<'a, str>>,
    session: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
    parent: Option<Cow<'a, str>>,
    uuid: Option<Cow<'a, str>>,
    /// The line whose call this line's result belongs to.
    answers: Option<Cow<'a, str>>,
    time: Option<i64>,
    version: Option<Cow<'a, str>>,
    denied: bool,
    blocks: Vec<Block<'a>>,
    interrupted: bool,
    outcome: Outcome<'a>,
}

/// The structured result beside a `tool_result`.
#[derive(Default)]
struct Outcome<'a> {
    agent: Option<Cow<'a, str>>,
    rejected: bool,
}

enum Block<'a> {
    Call { id: Option<Cow<'a, str>>, name: Option<Cow<'a, str>>, input: Option<RawJson<'a>> },
    Result { id: Option<Cow<'a, str>>, failed: bool, content: Option<RawJson<'a>> },
}

impl<'a> Line<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        let mut line = Line::default();
        let Some(mut members) = cursor.object()? else { return Ok(line) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"type" => line.kind = cursor.string()?,
                b"sessionId" | b"session_id" => line.session = cursor.string()?,
                b"agentId" => line.agent = cursor.string()?,
                b"parent_tool_use_id" | b"parentToolUseID" => line.parent = cursor.string()?,
                b"uuid" => line.uuid = cursor.string()?,
                b"sourceToolAssistantUUID" => line.answers = cursor.string()?,
                b"timestamp" => line.time = cursor.string()?.as_deref().and_then(time::from_iso),
                b"version" => line.version = cursor.string()?,
                b"toolDenialKind" => line.denied = cursor.string()?.is_some(),
                b"message" => line.message(cursor)?,
                b"data" => line.progress(cursor)?,
                b"toolUseResult" => line.outcome = Outcome::read(cursor)?,
                _ => cursor.skip()?,
            }
        }
        Ok(line)
    }

    /// The content of a message; of its other members none is about tools.
    fn message(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            if key.as_bytes() != b"content" {
                cursor.skip()?;
                continue;
            }
            if cursor.peek() == b'"' {
                self.text(&cursor.raw()?);
                continue;
            }
            let Some(mut blocks) = cursor.array()? else { continue };
            while blocks.next_item(cursor)? {
                self.block(cursor)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let (mut kind, mut id, mut name, mut input) = (None, None, None, None);
        let (mut content, mut failed, mut text) = (None, false, None);
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"type" => kind = cursor.string()?,
                b"id" | b"tool_use_id" => id = cursor.string()?,
                b"name" => name = cursor.string()?,
                b"input" => input = Some(cursor.value()?),
                b"content" => content = Some(cursor.raw()?),
                b"is_error" => failed = cursor.value()?.as_bool() == Some(true),
                b"text" => text = Some(cursor.raw()?),
                _ => cursor.skip()?,
            }
        }
        match kind.as_deref() {
            Some("tool_use" | "server_tool_use" | "mcp_tool_use") => self.blocks.push(Block::Call { id, name, input }),
            Some(kind) if kind.ends_with("tool_result") => self.blocks.push(Block::Result { id, failed, content }),
            Some("text") => {
                if let Some(text) = text {
                    self.text(&text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A user's interruption arrives as a text of its own.
    fn text(&mut self, text: &RawJson<'a>) {
        self.interrupted |= text.text().starts_with(b"\"[Request interrupted by user");
    }

    /// `data` of a progress line: a subagent's message.
    fn progress(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"agentId" => self.agent = cursor.string()?,
                b"message" => {
                    let Some(mut inner) = cursor.object()? else { continue };
                    while let Some(key) = inner.next(cursor)? {
                        match key.as_bytes() {
                            b"message" => self.message(cursor)?,
                            b"type" => self.kind = cursor.string()?,
                            _ => cursor.skip()?,
                        }
                    }
                }
                _ => cursor.skip()?,
            }
        }
        Ok(())
    }

    fn emit(self, place: Place, sink: &mut dyn Sink) {
        // A line's calls and results are few; only one of each without an id can be told apart.
        for block in &self.blocks {
            let event = match block {
                Block::Call { id, name, input } => {
                    let Some(id) = id.as_ref().or(self.uuid.as_ref()) else { continue };
                    let mut event = self.event(id, Phase::Started, place);
                    event.name = name.clone();
                    event.raw_input = (*input).into();
                    event
                }
                Block::Result { id, failed, content } => {
                    let Some(id) = id.as_ref().or(self.answers.as_ref()) else { continue };
                    let mut event = self.event(id, Phase::Finished, place);
                    self.result(&mut event, *failed, content.as_ref());
                    event
                }
            };
            sink.event(&event);
        }
        let over = self.kind.as_deref() == Some("result");
        if self.interrupted || over && self.blocks.is_empty() {
            let (session, agent) = (self.session, self.agent);
            sink.end(&TurnEnd { session, agent, cancelled: self.interrupted, time: self.time });
        }
    }

    fn event(&self, id: &Cow<'a, str>, phase: Phase, place: Place) -> ToolCallEvent<'a, RawJson<'a>> {
        let mut event = ToolCallEvent::new(id.clone(), phase, place);
        event.session = self.session.clone();
        event.agent = self.agent.clone();
        event.parent = self.parent.clone();
        event.time = self.time;
        event.harness = Some(Cow::Borrowed("claude_code"));
        event.version = self.version.clone();
        event
    }

    fn result(&self, event: &mut ToolCallEvent<'a, RawJson<'a>>, failed: bool, content: Option<&RawJson<'a>>) {
        event.status = Some(Status::Completed);
        event.started = self.outcome.agent.clone();
        if !failed {
            return;
        }
        let text = content.and_then(text_of).unwrap_or_default();
        event.status = Some(if self.denied || self.outcome.rejected || text.starts_with("The user doesn't want to") {
            Status::Rejected
        } else if text.starts_with("[Request interrupted by user") {
            Status::Cancelled
        } else {
            Status::Failed
        });
        event.exit_code = exit_code(&text);
        event.error = Some(without_tags(text));
    }
}

impl<'a> Outcome<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        let mut out = Outcome::default();
        if cursor.peek() == b'"' {
            out.rejected = cursor.value()?.text() == b"\"User rejected tool use\"";
            return Ok(out);
        }
        let Some(mut members) = cursor.object()? else { return Ok(out) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"agentId" => out.agent = cursor.string()?,
                _ => cursor.skip()?,
            }
        }
        Ok(out)
    }
}

/// Claude Code puts complaints of its own, rather than of a tool, between tags.
fn without_tags(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some(inside) = text.strip_prefix("<tool_use_error>") else { return text };
    Cow::Owned(inside.strip_suffix("</tool_use_error>").unwrap_or(inside).into())
}

/// The text of a result: a string, or the first text of a list.
fn text_of<'a>(content: &RawJson<'a>) -> Option<Cow<'a, str>> {
    match content.json_type() {
        JsonType::String => content.str(),
        _ => content.items().find_map(|item| item.get("text")?.str()),
    }
}

/// A failed command's result begins with `Exit code N`.
fn exit_code(text: &str) -> Option<i64> {
    let digits = text.strip_prefix("Exit code ")?;
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(digits.len());
    digits.get(..end)?.parse().ok()
}
