//! Anthropic Messages: the events of a stream, whole messages, and their blocks; also as the Claude Agent SDK wraps them.
//!
//! The pieces of a block belong together by their `index`. `input: {}` at a block's start only holds the place.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::JsonView;

/// No more blocks than this are told apart.
const MOST_SLOTS: usize = 256;

#[derive(Default)]
pub(super) struct Anthropic {
    /// The blocks with calls of the messages that are being streamed.
    slots: Vec<Slot>,
}

struct Slot {
    speaker: Speaker,
    index: i64,
    id: String,
    /// The service runs the call itself.
    served: bool,
}

/// Whose message it is: of several agents of a session each streams its own.
#[derive(Clone, Default, PartialEq)]
struct Speaker {
    session: Option<String>,
    parent: Option<String>,
    /// The message came in a wrapper of Claude Code's.
    claude_code: bool,
}

impl Anthropic {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let keys = ["type", "event", "message", "session_id", "parent_tool_use_id", "messages", "is_error"];
        let [kind, event, inner, session, parent, messages, is_error] = pick(message, keys);
        let speaker = Speaker {
            session: text(&session).map(Cow::into_owned),
            parent: text(&parent).map(Cow::into_owned),
            claude_code: session.is_some(),
        };
        match (text(&kind).as_deref(), event, inner) {
            (Some("stream_event"), Some(event), _) => self.event(&event, &speaker, out),
            (Some("assistant" | "user"), _, Some(inner)) => self.message(&inner, &speaker, out),
            (Some("result"), ..) if is_error.is_some() => self.end(&speaker, out),
            _ => match messages {
                Some(messages) => messages.items().for_each(|message| self.message(&message, &speaker, out)),
                None => self.event(message, &speaker, out),
            },
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// The end of a turn of this speaker's session.
    fn end<V: JsonView>(&mut self, speaker: &Speaker, out: &mut Out<'_, V>) {
        self.slots.retain(|slot| slot.speaker.session != speaker.session);
        // A subagent's end is not the session's.
        if speaker.parent.is_none() {
            out.end(speaker.session.as_deref(), false);
        }
    }

    fn event<V: JsonView>(&mut self, event: &V, speaker: &Speaker, out: &mut Out<'_, V>) {
        let [kind, index, block, delta, role] = pick(event, ["type", "index", "content_block", "delta", "role"]);
        let index = index.and_then(|index| index.as_i64()).unwrap_or(0);
        match (text(&kind).as_deref(), block, delta) {
            (Some("message_start"), ..) => self.slots.retain(|slot| slot.speaker != *speaker),
            (Some("content_block_start"), Some(block), _) => self.block(&block, Some(index), speaker, out),
            (Some("content_block_delta"), _, Some(delta)) => self.delta(&delta, index, speaker, out),
            (Some("message_delta"), _, Some(delta)) => {
                let [reason] = pick(&delta, ["stop_reason"]);
                let calls = self.slots.iter().any(|slot| slot.speaker == *speaker && !slot.served);
                self.stop(text(&reason).as_deref(), calls, speaker, out);
            }
            (Some("message_stop"), ..) => self.slots.retain(|slot| slot.speaker != *speaker),
            (Some("error"), ..) => self.end(speaker, out),
            _ if role.is_some() => self.message(event, speaker, out),
            _ => self.block(event, None, speaker, out),
        }
    }

    fn stop<V: JsonView>(&mut self, reason: Option<&str>, calls: bool, speaker: &Speaker, out: &mut Out<'_, V>) {
        match reason {
            // The client goes on with results, or by sending back what there is.
            None | Some("tool_use" | "pause_turn") => {}
            Some("max_tokens" | "model_context_window_exceeded" | "refusal") => self.end(speaker, out),
            Some(_) if calls => {}
            Some(_) => self.end(speaker, out),
        }
    }

    fn message<V: JsonView>(&mut self, message: &V, speaker: &Speaker, out: &mut Out<'_, V>) {
        let [content, reason] = pick(message, ["content", "stop_reason"]);
        let mut calls = false;
        for block in content.iter().flat_map(V::items) {
            calls |= block.get("type").is_some_and(|kind| kind.as_str().as_deref() == Some("tool_use"));
            self.block(&block, None, speaker, out);
        }
        self.stop(text(&reason).as_deref(), calls, speaker, out);
    }

    /// A block of a message, or (with its index) the start of one in a stream.
    fn block<V: JsonView>(&mut self, block: &V, index: Option<i64>, speaker: &Speaker, out: &mut Out<'_, V>) {
        let keys = ["type", "id", "tool_use_id", "name", "server_name", "input", "is_error", "content"];
        let [kind, id, call, name, server, input, is_error, content] = pick(block, keys);
        let Some(kind) = text(&kind) else { return };
        if kind.ends_with("tool_result") {
            let id =
                text(&call).map(Cow::into_owned).unwrap_or_else(|| out.made_id(&kind, index.unwrap_or(0) as usize));
            let mut event = speaker.event(out, id, Phase::Finished);
            event.status = Some(Status::Completed);
            // The results of the service's own tools are an object of another type where they failed.
            let failure = content.as_ref().and_then(|content| content.get("error_code")).is_some();
            if failure || is_error.is_some_and(|flag| flag.as_bool() == Some(true)) {
                let error = content.as_ref().and_then(words);
                let refused = error.as_deref().is_some_and(|error| error.starts_with("The user doesn't want to"));
                event.status = Some(if refused { Status::Rejected } else { Status::Failed });
                event.error = error.map(Cow::Owned);
            }
            return out.send(event);
        }
        if !matches!(&*kind, "tool_use" | "server_tool_use" | "mcp_tool_use") {
            return;
        }
        let id = text(&id).map(Cow::into_owned).unwrap_or_else(|| out.made_id(&kind, index.unwrap_or(0) as usize));
        // What was streamed is told once more as a whole, by the Agent SDK even before its message ends.
        let streamed = index.is_none() && self.slots.iter().any(|slot| slot.id == id && slot.speaker == *speaker);
        if let Some(index) = index {
            self.open(Slot { speaker: speaker.clone(), index, id: id.clone(), served: kind != "tool_use" });
        }
        let mut event = speaker.event(out, id, if streamed { Phase::Snapshot } else { Phase::Started });
        event.name = text(&name);
        event.mcp = text(&server).zip(text(&name));
        event.raw_input = match index {
            Some(_) => given(input).filter(|input| !input.is_blank()).into(),
            None => given(input).into(),
        };
        event.delta = index.map(|_| Cow::Borrowed(""));
        out.send(event);
    }

    fn delta<V: JsonView>(&mut self, delta: &V, index: i64, speaker: &Speaker, out: &mut Out<'_, V>) {
        let [kind, piece] = pick(delta, ["type", "partial_json"]);
        if text(&kind).as_deref() != Some("input_json_delta") {
            return;
        }
        let Some(piece) = text(&piece) else { return };
        let known = self.slots.iter().rfind(|slot| slot.index == index && slot.speaker == *speaker);
        let id = known.map(|slot| slot.id.clone()).unwrap_or_else(|| {
            // The stream was joined in the middle of a block.
            let id = out.made_id("tool_use", index as usize);
            self.open(Slot { speaker: speaker.clone(), index, id: id.clone(), served: false });
            id
        });
        let mut event = speaker.event(out, id, Phase::Updated);
        event.delta = Some(piece);
        out.send(event);
    }

    fn open(&mut self, slot: Slot) {
        if self.slots.len() == MOST_SLOTS {
            self.slots.remove(0);
        }
        self.slots.push(slot);
    }
}

impl Speaker {
    fn event<'e, V: JsonView>(&'e self, out: &Out<'_, V>, id: String, phase: Phase) -> crate::ToolCallEvent<'e, V> {
        let mut event = out.event(id, phase);
        event.session = self.session.as_deref().map(Cow::Borrowed);
        event.parent = self.parent.as_deref().map(Cow::Borrowed);
        event.harness = self.claude_code.then_some(Cow::Borrowed("claude_code"));
        event
    }
}
