//! Gemini CLI: session files, as one document or (since 0.4x) as lines, and `--output-format stream-json`.
//!
//! A session's messages hold `toolCalls`: call and result in one object, with the time of the result. In the line form a
//! message is written again, whole, whenever it changes; `$set` changes the header or the messages, and `$rewindTo` takes
//! messages back, though their calls were made.

use alloc::borrow::Cow;
use alloc::string::String;

use super::filter::Filter;
use super::{Members, Records, Sink, made_id, time};
use crate::catalog::name_in_id;
use crate::event::{Change, Phase, Place, Status, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, JsonView, RawJson};

/// A session in one document.
pub(super) fn is_session(record: &Members<'_>) -> bool {
    is_header(record) && record.has("messages")
}

/// A session's header, a change to it, or a message of the model.
pub(super) fn is_session_line(record: &Members<'_>) -> bool {
    let message = || record.text("type").as_deref() == Some("gemini") && record.has("id") && record.has("timestamp");
    is_header(record) && !record.has("messages")
        || record.object("$set").is_some()
        || record.has("$rewindTo")
        || message()
}

fn is_header(record: &Members<'_>) -> bool {
    record.text("sessionId").is_some() && record.has("projectHash")
}

/// A line of the stream that no other stream has.
pub(super) fn is_stream(record: &Members<'_>) -> bool {
    match record.text("type").as_deref() {
        Some("init") => record.has("session_id") && record.has("model") && record.has("timestamp"),
        Some("tool_use") => record.has("tool_name") && record.has("tool_id"),
        Some("tool_result") => record.has("tool_id") && record.has("status"),
        _ => false,
    }
}

/// Reads sessions in both forms.
pub(super) struct Session {
    filter: Filter,
    session: Option<String>,
}

impl Session {
    pub(super) fn new() -> Self {
        Session { filter: Filter::new(&["toolCalls", "projectHash"]), session: None }
    }

    /// A document or a line (`whole`), or what its `$set` holds.
    fn object<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        base: Place,
        whole: bool,
        sink: &mut dyn Sink,
    ) -> Result<(), JsonError> {
        // A document is no sequence of lines.
        let document = if whole { Place { line: 0, ..base } } else { base };
        // Messages that stand before the session's id wait for it.
        let mut early: Option<(Place, RawJson<'a>)> = None;
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"sessionId" => self.session = cursor.string()?.map(Cow::into_owned).or(self.session.take()),
                b"messages" if self.session.is_none() => early = Some((start(cursor, document), cursor.raw()?)),
                b"messages" => self.messages(cursor, document, sink)?,
                b"$set" if whole => self.object(cursor, base, false, sink)?,
                b"toolCalls" => self.calls(cursor, base, sink)?,
                _ => cursor.skip()?,
            }
        }
        let Some((place, text)) = early else { return Ok(()) };
        self.messages(&mut Cursor::new(text.text()), place, sink)
    }

    fn messages(&self, cursor: &mut Cursor<'_>, base: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let Some(mut messages) = cursor.array()? else { return Ok(()) };
        while messages.next_item(cursor)? {
            let Some(mut members) = cursor.object()? else { continue };
            while let Some(key) = members.next(cursor)? {
                match key.as_bytes() {
                    b"toolCalls" => self.calls(cursor, base, sink)?,
                    _ => cursor.skip()?,
                }
            }
        }
        Ok(())
    }

    fn calls(&self, cursor: &mut Cursor<'_>, base: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let Some(mut calls) = cursor.array()? else { return Ok(()) };
        while calls.next_item(cursor)? {
            let place = start(cursor, base);
            if cursor.peek() == b'{' {
                Call::read(cursor)?.emit(self.session.as_ref(), place, sink);
            } else {
                cursor.skip()?;
            }
        }
        Ok(())
    }
}

/// Where the next value stands.
fn start(cursor: &mut Cursor<'_>, base: Place) -> Place {
    cursor.peek();
    Place { line: base.line, offset: base.offset + cursor.offset() as u64 }
}

impl Records for Session {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        self.object(cursor, place, true, sink)
    }
}

/// An element of `toolCalls`.
#[derive(Default)]
struct Call<'a> {
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    args: Option<RawJson<'a>>,
    result: Option<RawJson<'a>>,
    shown: Option<RawJson<'a>>,
    status: Option<Cow<'a, str>>,
    ended: Option<i64>,
    display_name: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
}

impl<'a> Call<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        let mut call = Call::default();
        let Some(mut members) = cursor.object()? else { return Ok(call) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"id" => call.id = cursor.string()?,
                b"name" => call.name = cursor.string()?,
                b"args" => call.args = Some(cursor.value()?),
                b"result" => call.result = Some(cursor.raw()?),
                b"resultDisplay" => call.shown = Some(cursor.raw()?),
                b"status" => call.status = cursor.string()?,
                b"timestamp" => call.ended = cursor.string()?.as_deref().and_then(time::from_iso),
                b"displayName" => call.display_name = cursor.string()?,
                b"agentId" => call.agent = cursor.string()?,
                _ => cursor.skip()?,
            }
        }
        Ok(call)
    }

    fn emit(self, session: Option<&String>, place: Place, sink: &mut dyn Sink) {
        let id = self.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(|| made_id("toolCall", place));
        let created = created(&id);
        let (status, error) = self.outcome();
        let mut event = ToolCallEvent::new(id, Phase::Snapshot, place);
        event.session = session.map(|session| Cow::Borrowed(session.as_str()));
        event.harness = Some(Cow::Borrowed("gemini_cli"));
        event.mcp = self.display_name.as_deref().and_then(mcp_tool);
        event.exit_code = self.exit_code();
        event.started = self.agent;
        event.name = self.name;
        event.raw_input = self.args.into();
        event.error = error;
        event.time = created.or(self.ended);
        if created.is_some() && status.is_some_and(Status::is_terminal) {
            // Two times are two events.
            sink.event(&event);
            event.raw_input = Change::Keep;
            event.time = self.ended;
        }
        event.status = status;
        sink.event(&event);
    }

    fn outcome(&self) -> (Option<Status>, Option<Cow<'a, str>>) {
        let status = match self.status.as_deref() {
            Some("success") => Status::Completed,
            Some("error") => Status::Failed,
            Some("cancelled") => Status::Cancelled,
            Some("executing") => Status::InProgress,
            Some("validating" | "scheduled" | "awaiting_approval") => Status::Pending,
            _ => return (None, None),
        };
        if !matches!(status, Status::Failed | Status::Cancelled) {
            return (Some(status), None);
        }
        let error = self.response("error").and_then(|error| error.str()).or_else(|| self.shown?.str());
        (Some(error.as_deref().map_or(status, |error| failure(error, status))), error)
    }

    /// A member of the response that went back to the model.
    fn response(&self, key: &str) -> Option<RawJson<'a>> {
        self.result?.items().find_map(|part| part.get("functionResponse")?.get("response")?.get(key))
    }

    /// The shell's output ends with lines about the run, one of which is `Exit Code: N` (or `(none)`).
    fn exit_code(&self) -> Option<i64> {
        if self.name.as_deref() != Some("run_shell_command") {
            return None;
        }
        let output = self.response("output")?.str()?;
        let (_, after) = output.rsplit_once("Exit Code: ")?;
        after.lines().next()?.trim().parse().ok()
    }
}

/// How a call has failed: the user or a rule did not allow it, or something else went wrong.
fn failure(error: &str, otherwise: Status) -> Status {
    let refused = ["User did not allow tool call", "Tool execution denied by policy"];
    let reason = error.strip_prefix("[Operation Cancelled] Reason: ");
    let status = if reason.is_some() { Status::Cancelled } else { otherwise };
    let refused = refused.iter().any(|text| reason.unwrap_or(error).starts_with(text));
    if refused { Status::Rejected } else { status }
}

/// Server and tool in a display name such as `echo (fs MCP Server)`, which is all that marks MCP tools in old versions.
fn mcp_tool<'a>(display_name: &str) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
    let (tool, server) = display_name.strip_suffix(" MCP Server)")?.split_once(" (")?;
    let whole = !tool.is_empty() && !server.is_empty();
    whole.then(|| (Cow::Owned(String::from(server)), Cow::Owned(String::from(tool))))
}

/// When a call was made, which its id says: `<name>__<name>_<ms>_<n>`, older `<name>-<ms>-<hex>`.
fn created(id: &str) -> Option<i64> {
    name_in_id(id)?;
    let ms = id.rsplit(['_', '-']).nth(1)?;
    ms.parse().ok().filter(|_| ms.len() == 13)
}

/// Reads the stream.
pub(super) struct Stream {
    filter: Filter,
    session: Option<String>,
}

impl Stream {
    pub(super) fn new() -> Self {
        Stream { filter: Filter::new(&["tool_use", "tool_result", "session_id", "\"result\""]), session: None }
    }
}

impl Records for Stream {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let (mut kind, mut id, mut name, mut status, mut at) = (None, None, None, None, None);
        let (mut parameters, mut error) = (None, None);
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"type" => kind = cursor.string()?,
                b"session_id" => self.session = cursor.string()?.map(Cow::into_owned),
                b"timestamp" => at = cursor.string()?.as_deref().and_then(time::from_iso),
                b"tool_id" => id = cursor.string()?,
                b"tool_name" => name = cursor.string()?,
                b"parameters" => parameters = Some(cursor.value()?),
                b"status" => status = cursor.string()?,
                b"error" => error = Some(cursor.raw()?),
                _ => cursor.skip()?,
            }
        }
        let session = self.session.as_deref().map(Cow::Borrowed);
        let phase = match kind.as_deref() {
            Some("tool_use") => Phase::Started,
            Some("tool_result") => Phase::Finished,
            Some("result") => {
                sink.end(&TurnEnd { session, agent: None, cancelled: false, time: at });
                return Ok(());
            }
            _ => return Ok(()),
        };
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| made_id("tool", place));
        let mut event = ToolCallEvent::new(id, phase, place);
        event.session = session;
        event.harness = Some(Cow::Borrowed("gemini_cli"));
        event.time = at;
        event.name = name;
        event.raw_input = parameters.into();
        if phase == Phase::Finished {
            let text = error.and_then(|error: RawJson<'_>| error.get("message").unwrap_or(error).str());
            event.status = Some(match status.as_deref() {
                Some("error") => text.as_deref().map_or(Status::Failed, |text| failure(text, Status::Failed)),
                Some("cancelled") => text.as_deref().map_or(Status::Cancelled, |text| failure(text, Status::Cancelled)),
                _ => Status::Completed,
            });
            event.error = text;
        }
        sink.event(&event);
        Ok(())
    }
}
