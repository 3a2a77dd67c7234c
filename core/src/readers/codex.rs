//! Codex: rollout files, and the events of `codex exec --json`.
//!
//! A rollout holds the items that went to and from the model, one a line: bare in old versions, in an envelope
//! `{timestamp, type: "response_item", payload}` since. Calls and outputs are such items. Beside them stand `event_msg`
//! lines, a second account of the same calls, from which only the outcome is taken.
//!
//! `codex exec --json` prints the life of its own items (`item.started`, `item.completed`); version 0.22 printed the
//! events that rollouts now mirror, as `{id, msg}`.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use super::codex_output::{FRONT, Outcome};
use super::filter::Filter;
use super::{Members, Records, Sink, made_id, time};
use crate::event::{Phase, Place, Status, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, JsonView, RawJson};

/// A line in its envelope; or, of old versions, the header or one of the marks between the items.
pub(super) fn is_rollout(record: &Members<'_>) -> bool {
    let kind = record.text("type");
    match kind.as_deref() {
        Some("session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted" | "world_state") => {
            record.has("payload") && record.has("timestamp")
        }
        Some(_) => false,
        None => {
            let header = || record.has("id") && record.has("timestamp") && record.has("instructions");
            record.text("record_type").as_deref() == Some("state") || header()
        }
    }
}

/// An event of `codex exec --json`, present or old.
pub(super) fn is_exec(record: &Members<'_>) -> bool {
    match record.text("type").as_deref() {
        Some("thread.started") => record.has("thread_id"),
        Some("item.started" | "item.updated" | "item.completed") => record.object("item").and_then(typed).is_some(),
        Some(_) => false,
        None => {
            let event = record.object("msg").filter(|_| record.text("id").is_some()).and_then(typed);
            event.is_some_and(|event| {
                matches!(&*event, "session_configured" | "task_started" | "token_count")
                    || ["agent_", "exec_command_", "patch_apply_", "mcp_tool_call_"]
                        .iter()
                        .any(|e| event.starts_with(e))
            })
        }
    }
}

fn typed(object: RawJson<'_>) -> Option<Cow<'_, str>> {
    object.get("type")?.str()
}

/// An object of a log, whichever: a line, what it carries, or an item within that. Only what bears on calls is kept.
#[derive(Default)]
struct Item<'a> {
    kind: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
    call_id: Option<Cow<'a, str>>,
    thread: Option<Cow<'a, str>>,
    version: Option<Cow<'a, str>>,
    time: Option<i64>,
    name: Option<Cow<'a, str>>,
    namespace: Option<Cow<'a, str>>,
    server: Option<Cow<'a, str>>,
    tool: Option<Cow<'a, str>>,
    input: Option<RawJson<'a>>,
    output: Option<RawJson<'a>>,
    status: Option<Cow<'a, str>>,
    success: Option<bool>,
    exit_code: Option<i64>,
    result: Option<RawJson<'a>>,
    error: Option<RawJson<'a>>,
    stderr: Option<RawJson<'a>>,
    printed: Option<RawJson<'a>>,
    /// The thread of a subagent that was started.
    child: Option<Cow<'a, str>>,
    /// The thread that a tool for subagents was used on.
    receiver: Option<Cow<'a, str>>,
    /// The object that this one carries.
    inner: Option<Box<Item<'a>>>,
    /// Stands before the object, to read it as a whole.
    start: Option<Cursor<'a>>,
}

/// A line carries an event, and an event an item; nothing is deeper.
const DEEPEST: usize = 2;

impl<'a> Item<'a> {
    fn read(cursor: &mut Cursor<'a>, level: usize) -> Result<Self, JsonError> {
        let mut item = Item { start: Some(cursor.clone()), ..Item::default() };
        let Some(mut members) = cursor.object()? else { return Ok(item) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"type" => item.kind = cursor.string()?,
                b"id" => item.id = cursor.string()?,
                b"call_id" => item.call_id = cursor.string()?,
                b"thread_id" | b"session_id" => item.thread = cursor.string()?,
                b"cli_version" => item.version = cursor.string()?,
                b"timestamp" => item.time = cursor.string()?.as_deref().and_then(time::from_iso),
                b"name" => item.name = cursor.string()?,
                b"namespace" => item.namespace = cursor.string()?,
                b"server" => item.server = cursor.string()?,
                b"tool" => item.tool = cursor.string()?,
                b"arguments" | b"input" => item.input = Some(cursor.value()?),
                b"output" => item.output = Some(cursor.raw()?),
                b"status" => item.status = cursor.string()?,
                b"success" => item.success = cursor.value()?.as_bool(),
                b"exit_code" => item.exit_code = cursor.value()?.as_i64(),
                b"result" => item.result = Some(cursor.raw()?),
                b"error" => item.error = Some(cursor.raw()?),
                b"stderr" => item.stderr = Some(cursor.raw()?),
                b"aggregated_output" => item.printed = Some(cursor.raw()?),
                b"new_thread_id" => item.child = cursor.string()?,
                b"receiver_thread_ids" => {
                    item.receiver = cursor.raw()?.items().next().and_then(|thread| thread.str());
                }
                b"payload" | b"msg" | b"item" if level < DEEPEST => {
                    item.inner = Some(Box::new(Item::read(cursor, level + 1)?));
                }
                b"invocation" => {
                    let call = Item::read(cursor, DEEPEST)?;
                    (item.server, item.tool, item.input) = (call.server, call.tool, call.input);
                }
                _ => cursor.skip()?,
            }
        }
        Ok(item)
    }

    fn whole(&self) -> Option<RawJson<'a>> {
        self.start.clone()?.value().ok()
    }

    /// The id that the item's output names.
    fn link(&self) -> Option<&Cow<'a, str>> {
        [&self.call_id, &self.id].into_iter().flatten().find(|id| !id.is_empty())
    }

    fn mcp(&self) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
        self.server.clone().zip(self.tool.clone())
    }

    /// What the item says of its call's end; `ended` says that there is one.
    fn outcome(&self, ended: bool) -> Outcome<'a> {
        let failed_if = |failed: bool| if failed { Status::Failed } else { Status::Completed };
        let result = self.result.filter(|result| !result.is_null());
        let status = self
            .status
            .as_deref()
            .and_then(status_called)
            .or_else(|| self.success.map(|success| failed_if(!success)))
            .or_else(|| result.map(|result| failed_if(result_error(&result).is_some())))
            .or_else(|| self.exit_code.map(|code| failed_if(code != 0)))
            .unwrap_or(if ended { Status::Completed } else { Status::InProgress });
        let ill = matches!(status, Status::Failed | Status::Rejected);
        let error = || {
            let said = self.error.and_then(|error| error.get("message").unwrap_or(error).str_front(FRONT));
            said.or_else(|| result_error(&result?)).or_else(|| {
                [self.stderr, self.printed]
                    .into_iter()
                    .flatten()
                    .find_map(|text| text.str_front(FRONT).filter(|text| !text.is_empty()))
            })
        };
        Outcome {
            status: Some(status),
            exit_code: self.exit_code,
            error: if ill { error() } else { None },
            started: match self.tool.as_deref() {
                Some("spawn_agent") => self.receiver.clone(),
                _ => self.child.clone(),
            },
        }
    }
}

/// The error in an MCP result: `{Err}`, or a result that is marked as one.
fn result_error<'a>(result: &RawJson<'a>) -> Option<Cow<'a, str>> {
    if let Some(error) = result.get("Err") {
        return Some(error.str_front(FRONT).unwrap_or_default());
    }
    let result = result.get("Ok").unwrap_or(*result);
    ["isError", "is_error"].iter().find_map(|key| result.get(key)?.as_bool()).filter(|failed| *failed)?;
    let texts = result.get("content");
    let text = texts.and_then(|texts| texts.items().find_map(|part| part.get("text")?.str_front(FRONT)));
    Some(text.unwrap_or_default())
}

fn status_called(name: &str) -> Option<Status> {
    Some(match name {
        "completed" => Status::Completed,
        "failed" => Status::Failed,
        "declined" => Status::Rejected,
        "in_progress" => Status::InProgress,
        _ => return None,
    })
}

fn event<'e>(
    id: Cow<'e, str>,
    phase: Phase,
    place: Place,
    session: Option<&'e String>,
) -> ToolCallEvent<'e, RawJson<'e>> {
    let mut event = ToolCallEvent::new(id, phase, place);
    event.session = session.map(|session| Cow::Borrowed(session.as_str()));
    event.harness = Some(Cow::Borrowed("codex"));
    event
}

/// Puts what is known of the end into an event.
fn conclude<'e>(event: &mut ToolCallEvent<'e, RawJson<'e>>, outcome: Outcome<'e>) {
    event.status = outcome.status;
    event.exit_code = outcome.exit_code;
    event.error = outcome.error;
    event.started = outcome.started;
}

/// Reads rollouts.
pub(super) struct Rollout {
    filter: Filter,
    session: Option<String>,
    version: Option<String>,
    /// Whose session it is has been said, or will not be. A fork repeats the headers of its forebears after its own.
    settled: bool,
}

impl Rollout {
    pub(super) fn new() -> Self {
        let words = &["_call", "\"call_id\"", "item_completed", "task_complete", "turn_aborted"];
        Rollout { filter: Filter::new(words), session: None, version: None, settled: false }
    }

    fn meet(&mut self, header: &Item<'_>) {
        if let Some(id) = header.id.as_deref().filter(|_| !self.settled) {
            self.session = Some(id.into());
            self.version = header.version.as_deref().map(String::from);
            self.settled = true;
        }
    }

    fn event<'e>(&'e self, id: Cow<'e, str>, phase: Phase, at: (Place, Option<i64>)) -> ToolCallEvent<'e, RawJson<'e>> {
        let mut event = event(id, phase, at.0, self.session.as_ref());
        event.time = at.1;
        event.version = self.version.as_deref().map(Cow::Borrowed);
        event
    }

    fn item(&mut self, item: &Item<'_>, at: (Place, Option<i64>), sink: &mut dyn Sink) {
        let Some(kind) = item.kind.as_deref() else { return };
        if kind.ends_with("_call") {
            self.settled = true;
            sink.event(&self.call(item, kind, at));
        } else if kind.ends_with("_output") {
            self.settled = true;
            // The output of a search for tools that the service ran by itself names no call.
            if item.call_id.is_none() && kind == "tool_search_output" {
                return;
            }
            let id = item.call_id.clone().unwrap_or_else(|| made_id(kind, at.0));
            let mut event = self.event(id, Phase::Finished, at);
            conclude(&mut event, item.output.as_ref().map_or_else(|| Outcome::new(Status::Completed), Outcome::read));
            sink.event(&event);
        }
    }

    fn call<'e>(
        &'e self,
        item: &'e Item<'_>,
        kind: &'e str,
        at: (Place, Option<i64>),
    ) -> ToolCallEvent<'e, RawJson<'e>> {
        let id = item.link().map_or_else(|| made_id(kind, at.0), |id| Cow::Borrowed(&**id));
        let mut event = self.event(id, Phase::Started, at);
        // Items of a type of their own have no name; what they are called with is all of them.
        let own_type = !matches!(kind, "function_call" | "custom_tool_call");
        event.name = Some(Cow::Borrowed(item.name.as_deref().filter(|_| !own_type).unwrap_or(kind)));
        event.raw_input = item.input.or_else(|| item.whole().filter(|_| own_type)).into();
        if let Some(server) = item.namespace.as_deref().and_then(|space| space.strip_prefix("mcp__")) {
            let server = server.strip_suffix("__").unwrap_or(server);
            event.mcp = item.name.as_deref().map(|tool| (Cow::Borrowed(server), Cow::Borrowed(tool)));
        }
        // These two have no output.
        if matches!(kind, "web_search_call" | "image_generation_call") {
            event.status = item.outcome(true).status;
        }
        event
    }

    fn mirror(&self, event: &Item<'_>, at: (Place, Option<i64>), sink: &mut dyn Sink) {
        let Some(kind) = event.kind.as_deref() else { return };
        let (item, ended) = match (kind, &event.inner) {
            ("task_complete" | "turn_aborted", _) => {
                let session = self.session.as_deref().map(Cow::Borrowed);
                sink.end(&TurnEnd { session, agent: None, cancelled: kind == "turn_aborted", time: at.1 });
                return;
            }
            ("item_completed", Some(item)) if is_call_item(item) => (&**item, true),
            _ if kind.ends_with("_end") => (event, true),
            _ if kind.ends_with("_begin") => (event, false),
            _ => return,
        };
        let Some(id) = item.link() else { return };
        let mut mirror = self.event(Cow::Borrowed(&**id), Phase::Mirror, at);
        mirror.mcp = item.mcp();
        conclude(&mut mirror, item.outcome(ended));
        sink.event(&mirror);
    }
}

/// Whether an item of `item_completed` is a call, rather than a message or a thought.
fn is_call_item(item: &Item<'_>) -> bool {
    item.kind.as_deref().is_some_and(|kind| {
        kind.ends_with("ToolCall")
            || matches!(kind, "CommandExecution" | "FileChange" | "WebSearch" | "ImageView" | "ImageGeneration")
    })
}

impl Records for Rollout {
    fn wants(&self, record: &[u8]) -> bool {
        !self.settled || self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let line = Item::read(cursor, 0)?;
        let at = (place, line.time);
        match (line.kind.as_deref(), &line.inner) {
            (Some("response_item"), Some(item)) => self.item(item, at, sink),
            (Some("event_msg"), Some(event)) => self.mirror(event, at, sink),
            (Some("session_meta"), Some(header)) => self.meet(header),
            (Some(_), None) => self.item(&line, at, sink),
            (None, None) => self.meet(&line),
            _ => {}
        }
        Ok(())
    }
}

/// Reads `codex exec --json`.
pub(super) struct Exec {
    filter: Filter,
    session: Option<String>,
}

impl Exec {
    pub(super) fn new() -> Self {
        let words = &[
            "\"item.",
            "\"turn.",
            "thread.started",
            "_begin\"",
            "_end\"",
            "view_image",
            "task_complete",
            "turn_aborted",
            "session_configured",
        ];
        Exec { filter: Filter::new(words), session: None }
    }

    fn end(&self, cancelled: bool, sink: &mut dyn Sink) {
        let session = self.session.as_deref().map(Cow::Borrowed);
        sink.end(&TurnEnd { session, agent: None, cancelled, time: None });
    }

    fn item(&self, item: &Item<'_>, step: &str, place: Place, sink: &mut dyn Sink) {
        let Some(kind) = item.kind.as_deref() else { return };
        let id = item.link().map_or_else(|| made_id(kind, place), |id| Cow::Borrowed(&**id));
        let phase = if step == "item.started" { Phase::Started } else { Phase::Snapshot };
        let mut event = event(id, phase, place, self.session.as_ref());
        match kind {
            "mcp_tool_call" => {
                event.name = item.tool.clone();
                event.mcp = item.mcp();
                event.raw_input = item.input.into();
            }
            "command_execution" | "file_change" | "web_search" | "todo_list" | "collab_tool_call" => {
                event.name = Some(Cow::Borrowed(kind));
                event.raw_input = item.whole().into();
            }
            _ => return,
        }
        conclude(&mut event, item.outcome(step == "item.completed"));
        sink.event(&event);
    }

    /// An event of version 0.22.
    fn old_event(&mut self, message: &Item<'_>, place: Place, sink: &mut dyn Sink) {
        let Some(kind) = message.kind.as_deref() else { return };
        let (base, phase) = match kind {
            "session_configured" => {
                self.session = message.thread.as_deref().map(String::from);
                return;
            }
            "task_complete" | "turn_aborted" => return self.end(kind == "turn_aborted", sink),
            "view_image_tool_call" => ("view_image", Phase::Snapshot),
            _ => match (kind.strip_suffix("_begin"), kind.strip_suffix("_end")) {
                (Some(base), _) => (base, Phase::Started),
                (_, Some(base)) => (base, Phase::Finished),
                _ => return,
            },
        };
        let Some(id) = message.link() else { return };
        let mut event = event(Cow::Borrowed(&**id), phase, place, self.session.as_ref());
        let ended = phase != Phase::Started;
        match base {
            "mcp_tool_call" => {
                event.name = message.tool.clone();
                event.mcp = message.mcp();
                event.raw_input = message.input.into();
            }
            "exec_command" | "view_image" | "patch_apply" | "web_search" => {
                event.name = Some(Cow::Borrowed(if base == "patch_apply" { "apply_patch" } else { base }));
                // A search is not said what for until it has ended; everything else is said at the start.
                let told = (base == "web_search") == ended || base == "view_image";
                event.raw_input = message.whole().filter(|_| told).into();
            }
            _ => return,
        }
        conclude(&mut event, message.outcome(ended));
        sink.event(&event);
    }
}

impl Records for Exec {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let line = Item::read(cursor, 0)?;
        match (line.kind.as_deref(), &line.inner) {
            (Some("thread.started"), _) => self.session = line.thread.as_deref().map(String::from),
            (Some("turn.completed" | "turn.failed"), _) => self.end(false, sink),
            (Some(step @ ("item.started" | "item.updated" | "item.completed")), Some(item)) => {
                self.item(item, step, place, sink);
            }
            (None, Some(message)) => self.old_event(message, place, sink),
            _ => {}
        }
        Ok(())
    }
}
