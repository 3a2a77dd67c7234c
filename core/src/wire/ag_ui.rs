//! AG-UI: the events of a run, and the messages in its snapshots.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::JsonView;

#[derive(Default)]
pub(super) struct AgUi {
    /// The thread whose run it is; only the events at its ends name it.
    thread: Option<String>,
    /// The call of the latest `TOOL_CALL_CHUNK`: chunks without an id go on with it.
    chunk: Option<String>,
}

impl AgUi {
    pub(super) fn read<V: JsonView>(&mut self, event: &V, out: &mut Out<'_, V>) {
        let [kind, id, thread, time, messages, role] =
            pick(event, ["type", "toolCallId", "threadId", "timestamp", "messages", "role"]);
        if let Some(thread) = text(&thread) {
            self.thread = Some(thread.into_owned());
        }
        let at = Context { thread: self.thread.clone(), time: time.and_then(|time| time.as_i64()) };
        // The types are spelt `TOOL_CALL_START` or `ToolCallStart`.
        let kind: String = text(&kind).unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).collect();
        match kind.to_ascii_uppercase().as_str() {
            "TOOLCALLSTART" => at.start(id, event, false, out),
            "TOOLCALLARGS" => at.more(id, event, out),
            "TOOLCALLCHUNK" => self.chunk(&at, id, event, out),
            "TOOLCALLRESULT" => at.result(id, event, out),
            "MESSAGESSNAPSHOT" => messages.iter().flat_map(V::items).for_each(|message| at.message(&message, out)),
            "RUNFINISHED" => {
                self.chunk = None;
                let [outcome] = pick(event, ["outcome"]);
                let outcome = outcome.map(|outcome| outcome.get("type").unwrap_or(outcome));
                // The run waits for an answer and will go on.
                if text(&outcome).as_deref() != Some("interrupt") {
                    out.end(at.thread.as_deref(), false);
                }
            }
            "RUNERROR" => {
                self.chunk = None;
                out.end(at.thread.as_deref(), false);
            }
            "" if role.is_some() => at.message(event, out),
            _ => {}
        }
    }

    pub(super) fn clear(&mut self) {
        self.chunk = None;
    }

    /// Any part of start, arguments and end in one event.
    fn chunk<V: JsonView>(&mut self, at: &Context, id: Option<V>, event: &V, out: &mut Out<'_, V>) {
        let named = text(&id);
        if named.as_deref().is_some_and(|id| self.chunk.as_deref() != Some(id)) {
            self.chunk = named.as_deref().map(ToOwned::to_owned);
            return at.start(id, event, true, out);
        }
        let [delta] = pick(event, ["delta"]);
        let Some(delta) = text(&delta) else { return };
        let id = self.chunk.get_or_insert_with(|| out.made_id("call", 0));
        let mut more = at.event(id.as_str(), Phase::Updated, out);
        more.delta = Some(delta);
        out.send(more);
    }
}

/// What the events of a run share.
struct Context {
    thread: Option<String>,
    time: Option<i64>,
}

impl Context {
    fn event<'e, V: JsonView>(
        &'e self,
        id: impl Into<Cow<'e, str>>,
        phase: Phase,
        out: &Out<'_, V>,
    ) -> crate::ToolCallEvent<'e, V> {
        let mut event = out.event(id, phase);
        event.session = self.thread.as_deref().map(Cow::Borrowed);
        event.time = self.time;
        event
    }

    fn start<V: JsonView>(&self, id: Option<V>, event: &V, chunk: bool, out: &mut Out<'_, V>) {
        let [name, delta] = pick(event, ["toolCallName", "delta"]);
        let id = text(&id).map(Cow::into_owned).unwrap_or_else(|| out.made_id("call", 0));
        let mut start = self.event(id, Phase::Started, out);
        start.name = text(&name);
        start.delta = Some(text(&delta).filter(|_| chunk).unwrap_or_default());
        out.send(start);
    }

    fn more<V: JsonView>(&self, id: Option<V>, event: &V, out: &mut Out<'_, V>) {
        let [delta] = pick(event, ["delta"]);
        let (Some(id), Some(delta)) = (text(&id), text(&delta)) else { return };
        let mut more = self.event(id, Phase::Updated, out);
        more.delta = Some(delta);
        out.send(more);
    }

    fn result<V: JsonView>(&self, id: Option<V>, event: &V, out: &mut Out<'_, V>) {
        let [error] = pick(event, ["error"]);
        let id = text(&id).map(Cow::into_owned).unwrap_or_else(|| out.made_id("result", 0));
        let mut end = self.event(id, Phase::Finished, out);
        end.status = Some(Status::Completed);
        // Messages may have one; the event has no place for it.
        if let Some(error) = given(error) {
            end.status = Some(Status::Failed);
            end.error = words(&error).map(Cow::Owned);
        }
        out.send(end);
    }

    /// A message of a snapshot: its calls have mostly been told already.
    fn message<V: JsonView>(&self, message: &V, out: &mut Out<'_, V>) {
        let [role, calls, id] = pick(message, ["role", "toolCalls", "toolCallId"]);
        if text(&role).as_deref() == Some("tool") {
            return self.result(id, message, out);
        }
        for call in calls.iter().flat_map(V::items) {
            let [id, function] = pick(&call, ["id", "function"]);
            let (Some(id), Some(function)) = (text(&id), function) else { continue };
            let [name, arguments] = pick(&function, ["name", "arguments"]);
            let mut event = self.event(id, Phase::Snapshot, out);
            event.name = text(&name);
            event.raw_input = given(arguments).filter(|a| a.as_str().is_none_or(|text| !text.is_empty())).into();
            out.send(event);
        }
    }
}
