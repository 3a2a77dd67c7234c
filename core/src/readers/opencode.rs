//! OpenCode: `opencode export`, the files of its storage tree, and `opencode run --format json`.
//!
//! All three hold the same parts. A part of type `tool` is a call with all that is known of it; the program rewrites it as
//! the call goes on.

use alloc::borrow::Cow;

use super::filter::Filter;
use super::{Members, Records, Sink, made_id};
use crate::event::{Change, Phase, Place, Status, ToolCallEvent};
use crate::json::{Cursor, JsonError, JsonView, RawJson};

/// A whole session: `{info, messages}`.
pub(super) fn is_export(record: &Members<'_>) -> bool {
    let session = record.object("info").and_then(|info| info.get("id")?.str());
    record.has("messages") && session.is_some_and(|id| id.starts_with("ses"))
}

/// A part, message, session or project, in a file of its own.
pub(super) fn is_storage(record: &Members<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| record.has(key));
    has(&["id", "sessionID", "messageID", "type"])
        || has(&["id", "sessionID", "role", "time"])
        || has(&["id", "projectID", "directory", "time"])
        || has(&["id", "worktree", "time"])
}

/// A line of the stream.
pub(super) fn is_run(record: &Members<'_>) -> bool {
    let time = record.get("timestamp").and_then(|time| time.as_i64());
    let what = record.object("part").or_else(|| record.get("error"));
    time.is_some() && what.is_some() && record.text("sessionID").is_some() && record.text("type").is_some()
}

/// A part of a message; only of a call everything is read.
#[derive(Default)]
struct Part<'a> {
    kind: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
    call_id: Option<Cow<'a, str>>,
    session: Option<Cow<'a, str>>,
    tool: Option<Cow<'a, str>>,
    status: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    input: Option<RawJson<'a>>,
    error: Option<RawJson<'a>>,
    exit: Option<i64>,
    /// The session that a subagent was given.
    child: Option<Cow<'a, str>>,
    start: Option<i64>,
    end: Option<i64>,
}

impl<'a> Part<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        Ok(Self::read_either(cursor, false)?.0)
    }

    /// Reads a part, and the part that it holds if it is a `line` of the stream.
    fn read_either(cursor: &mut Cursor<'a>, line: bool) -> Result<(Self, Option<Self>), JsonError> {
        let mut part = Part::default();
        let mut held = None;
        let Some(mut members) = cursor.object()? else { return Ok((part, held)) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"type" => part.kind = cursor.string()?,
                b"id" => part.id = cursor.string()?,
                b"callID" => part.call_id = cursor.string()?,
                b"sessionID" => part.session = cursor.string()?,
                b"tool" => part.tool = cursor.string()?,
                b"state" => part.state(cursor)?,
                b"part" if line => held = Some(Part::read(cursor)?),
                _ => cursor.skip()?,
            }
        }
        Ok((part, held))
    }

    fn state(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"status" => self.status = cursor.string()?,
                b"title" => self.title = cursor.string()?,
                b"input" => self.input = Some(cursor.value()?),
                b"error" => self.error = Some(cursor.raw()?),
                b"metadata" => self.metadata(cursor)?,
                b"time" => {
                    let mut out = [None; 2];
                    cursor.raw()?.pick(&["start", "end"], &mut out);
                    [self.start, self.end] = out.map(|time| time?.as_i64());
                }
                _ => cursor.skip()?,
            }
        }
        Ok(())
    }

    fn metadata(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"exit" => self.exit = cursor.value()?.as_i64(),
                b"sessionId" => self.child = cursor.string()?,
                _ => cursor.skip()?,
            }
        }
        Ok(())
    }

    /// Hands on the call, if the part is one. `session` is where the part itself names none.
    fn emit(self, session: Option<&Cow<'a, str>>, version: Option<&Cow<'a, str>>, place: Place, sink: &mut dyn Sink) {
        if self.kind.as_deref() != Some("tool") {
            return;
        }
        let (status, error) = self.outcome();
        let own = [self.call_id, self.id].into_iter().flatten().find(|id| !id.is_empty());
        let id = own.unwrap_or_else(|| made_id("tool", place));
        let mut event = ToolCallEvent::new(id, Phase::Snapshot, place);
        event.session = self.session.or_else(|| session.cloned());
        event.harness = Some(Cow::Borrowed("opencode"));
        event.version = version.cloned();
        event.started = self.child.filter(|_| self.tool.as_deref() == Some("task"));
        event.name = self.tool;
        event.title = self.title.filter(|title| !title.is_empty()).into();
        event.raw_input = self.input.into();
        event.time = self.start.or(self.end);
        event.exit_code = self.exit;
        event.error = error;
        if status.is_some_and(Status::is_terminal) && self.start.is_some() && self.end.is_some() {
            // Two times are two events.
            sink.event(&event);
            event.raw_input = Change::Keep;
            event.time = self.end;
        }
        event.status = status;
        sink.event(&event);
    }

    fn outcome(&self) -> (Option<Status>, Option<Cow<'a, str>>) {
        match self.status.as_deref() {
            // What the model called wrongly is recorded as a call of `invalid`, which then succeeds.
            Some("completed") if self.tool.as_deref() == Some("invalid") => {
                (Some(Status::Failed), self.input.and_then(|input| input.get("error")?.str()))
            }
            Some("completed") => (Some(Status::Completed), None),
            Some("error") => {
                let error = self.error.and_then(|error| error.get("message").unwrap_or(error).str());
                (Some(error.as_deref().map_or(Status::Failed, failure)), error)
            }
            Some("running") => (Some(Status::InProgress), None),
            Some("pending") => (Some(Status::Pending), None),
            _ => (None, None),
        }
    }
}

/// How a call has failed: refused by the user or a rule, stopped, or tried in vain.
fn failure(error: &str) -> Status {
    let error = error.strip_prefix("Error: ").unwrap_or(error);
    let starts = |starts: &[&str]| starts.iter().any(|start| error.starts_with(start));
    if starts(&["The user rejected permission", "The user has specified a rule", "The user dismissed this question"]) {
        Status::Rejected
    } else if starts(&["Tool execution aborted"]) {
        Status::Cancelled
    } else {
        Status::Failed
    }
}

/// Reads the document that `opencode export` prints.
pub(super) struct Export;

impl Records for Export {
    fn wants(&self, _record: &[u8]) -> bool {
        true
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let mut info = None;
        let mut early = None;
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"info" => info = Some(Info::read(&cursor.raw()?)),
                b"messages" if info.is_none() => early = Some((start(cursor, place), cursor.raw()?)),
                b"messages" => messages(cursor, info.as_ref(), place, sink)?,
                _ => cursor.skip()?,
            }
        }
        let Some((place, text)) = early else { return Ok(()) };
        messages(&mut Cursor::new(text.text()), info.as_ref(), place, sink)
    }
}

/// What an export says of its session.
struct Info<'a> {
    session: Option<Cow<'a, str>>,
    version: Option<Cow<'a, str>>,
}

impl<'a> Info<'a> {
    fn read(info: &RawJson<'a>) -> Self {
        let mut out = [None; 2];
        info.pick(&["id", "version"], &mut out);
        let [session, version] = out.map(|text| text?.str());
        Info { session, version }
    }
}

/// Where the next value stands. A document is no sequence of lines, so the line is 0.
fn start(cursor: &mut Cursor<'_>, base: Place) -> Place {
    cursor.peek();
    Place { line: 0, offset: base.offset + cursor.offset() as u64 }
}

fn messages<'a>(
    cursor: &mut Cursor<'a>,
    info: Option<&Info<'a>>,
    base: Place,
    sink: &mut dyn Sink,
) -> Result<(), JsonError> {
    let session = info.and_then(|info| info.session.as_ref());
    let version = info.and_then(|info| info.version.as_ref());
    let Some(mut messages) = cursor.array()? else { return Ok(()) };
    while messages.next_item(cursor)? {
        let Some(mut members) = cursor.object()? else { continue };
        while let Some(key) = members.next(cursor)? {
            if key.as_bytes() != b"parts" {
                cursor.skip()?;
                continue;
            }
            let Some(mut parts) = cursor.array()? else { continue };
            while parts.next_item(cursor)? {
                let place = start(cursor, base);
                Part::read(cursor)?.emit(session, version, place, sink);
            }
        }
    }
    Ok(())
}

/// Reads a file of the storage tree, and the lines of the stream: a part, bare or within a line.
pub(super) struct Parts {
    filter: Filter,
}

impl Parts {
    pub(super) fn new() -> Self {
        Parts { filter: Filter::new(&["\"tool\""]) }
    }
}

impl Records for Parts {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        match Part::read_either(cursor, true)? {
            (line, Some(part)) => part.emit(line.session.as_ref(), None, place, sink),
            // A file of its own, which is no sequence of lines.
            (part, None) => part.emit(None, None, Place { line: 0, ..place }, sink),
        }
        Ok(())
    }
}
