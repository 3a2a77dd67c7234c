//! The Vercel AI SDK: chunks of the UI message stream and parts of `fullStream`, UI messages and model messages, from
//! version 4 on.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::{JsonType, JsonView};

/// No more open requests for approval than this are remembered.
const MOST_APPROVALS: usize = 256;

#[derive(Default)]
pub(super) struct AiSdk {
    /// Ids of requests for approval, with those of their calls.
    approvals: Vec<(String, String)>,
}

impl AiSdk {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let [kind, parts, content, messages, state] = pick(message, ["type", "parts", "content", "messages", "state"]);
        // Of a message both may be there: version 4 has the text in `content`, too.
        let parts = given(parts).or(content.filter(|content| content.json_type() == JsonType::Array));
        match (text(&kind), parts, messages) {
            (Some(kind), None, _) if state.is_some() || kind == "tool-invocation" => part(message, &kind, out),
            (Some(kind), None, _) => self.chunk(message, &kind, out),
            (_, Some(parts), _) => self.parts(&parts, out),
            (_, _, Some(messages)) => {
                for message in messages.items() {
                    let [parts, content] = pick(&message, ["parts", "content"]);
                    if let Some(parts) = given(parts).or(content) {
                        self.parts(&parts, out);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn clear(&mut self) {
        self.approvals.clear();
    }

    fn parts<V: JsonView>(&mut self, parts: &V, out: &mut Out<'_, V>) {
        for item in parts.items() {
            let [kind, state] = pick(&item, ["type", "state"]);
            match text(&kind) {
                Some(kind) if state.is_some() || kind == "tool-invocation" => part(&item, &kind, out),
                Some(kind) => self.chunk(&item, &kind, out),
                None => {}
            }
        }
    }

    /// A chunk of a stream, or a part of a model message.
    fn chunk<V: JsonView>(&mut self, chunk: &V, kind: &str, out: &mut Out<'_, V>) {
        match kind {
            "finish" => {
                let [reason] = pick(chunk, ["finishReason"]);
                // Calls that the client answers stay open; so they do where the reason is not said.
                match text(&reason).as_deref() {
                    None | Some("tool-calls") => return,
                    Some(_) => return self.end(false, out),
                }
            }
            "abort" => return self.end(true, out),
            "error" => return self.end(false, out),
            _ => {}
        }
        let Some(rest) = kind.strip_prefix("tool-") else { return };
        let [call, id, name, title] = pick(chunk, ["toolCallId", "id", "toolName", "title"]);
        let approval = || pick(chunk, ["approvalId", "approved", "reason"]);
        let id = match (text(&call).or_else(|| text(&id)), rest) {
            (Some(id), _) => id.into_owned(),
            (None, "approval-response") => match self.asked(approval()) {
                Some(id) => id,
                None => return,
            },
            (None, "output-denied" | "output-error" | "output-available") => out.made_id(rest, 0),
            (None, _) => return,
        };
        let mut event = out.event(id, Phase::Updated);
        event.name = text(&name);
        event.title = text(&title).into();
        match rest {
            "input-start" | "call-streaming-start" => {
                event.phase = Phase::Started;
                event.delta = Some(Cow::Borrowed(""));
                return out.send(event);
            }
            "input-delta" | "call-delta" => {
                let deltas = pick(chunk, ["inputTextDelta", "argsTextDelta", "delta"]);
                let delta = deltas.iter().find_map(text);
                if delta.is_some() {
                    event.delta = delta;
                    out.send(event);
                }
                return;
            }
            "input-available" | "call" => {
                event.phase = Phase::Snapshot;
                event.raw_input = input(chunk).into();
                // In the messages of assistant-ui the result stands with the call.
                if given(chunk.get("result")).is_some() {
                    result(&mut event, chunk);
                }
            }
            "input-error" => {
                event.raw_input = input(chunk).into();
                fail(&mut event, chunk);
            }
            "approval-request" => {
                let [approval, ..] = approval();
                if let Some(approval) = text(&approval) {
                    if self.approvals.len() == MOST_APPROVALS {
                        self.approvals.remove(0);
                    }
                    self.approvals.push((approval.into_owned(), event.id.clone().into_owned()));
                }
                event.status = Some(Status::Pending);
            }
            "approval-response" => answer(&mut event, chunk),
            "output-available" | "result" => {
                event.raw_input = input(chunk).into();
                result(&mut event, chunk);
            }
            "output-error" | "error" => fail(&mut event, chunk),
            "output-denied" => refuse(&mut event, None),
            _ => return,
        }
        out.send(event);
    }

    /// The call that a response to a request for approval is about.
    fn asked<V: JsonView>(&mut self, [approval, ..]: [Option<V>; 3]) -> Option<String> {
        let approval = text(&approval)?;
        let at = self.approvals.iter().position(|(id, _)| *id == approval)?;
        Some(self.approvals.swap_remove(at).1)
    }

    fn end<V: JsonView>(&mut self, cancelled: bool, out: &mut Out<'_, V>) {
        self.approvals.clear();
        out.end(None, cancelled);
    }
}

type Event<'e, V> = crate::ToolCallEvent<'e, V>;

/// The part of a UI message: all that is known of its call at this time.
fn part<V: JsonView>(part: &V, kind: &str, out: &mut Out<'_, V>) {
    let inner = given(part.get("toolInvocation"));
    let part = inner.as_ref().unwrap_or(part);
    let [id, name, state, title] = pick(part, ["toolCallId", "toolName", "state", "title"]);
    let (Some(id), Some(state)) = (text(&id), text(&state)) else { return };
    let mut event: Event<'_, V> = out.event(id, Phase::Snapshot);
    // A tool's name may begin with `tool-` itself.
    event.name = text(&name).or_else(|| Some(Cow::Borrowed(kind.strip_prefix("tool-")?)));
    event.title = text(&title).into();
    event.raw_input = input(part).into();
    match &*state {
        "input-streaming" | "partial-call" | "input-available" | "call" | "approval-requested" => {
            event.status = Some(Status::Pending);
        }
        "approval-responded" => {
            let approval = part.get("approval");
            answer(&mut event, approval.as_ref().unwrap_or(part));
        }
        "output-available" | "result" => result(&mut event, part),
        "output-error" => fail(&mut event, part),
        "output-denied" => refuse(&mut event, part.get("approval")),
        _ => {}
    }
    // A snapshot, whatever it says.
    event.phase = Phase::Snapshot;
    out.send(event);
}

/// The arguments: in version 4 `args`; `rawInput` where they could not be read.
fn input<V: JsonView>(part: &V) -> Option<V> {
    pick(part, ["input", "args", "rawInput"]).into_iter().find_map(given)
}

/// A result, which may be one of several on the way.
fn result<V: JsonView>(event: &mut Event<'_, V>, chunk: &V) {
    let [output, preliminary, is_error, old] = pick(chunk, ["output", "preliminary", "isError", "result"]);
    if preliminary.is_some_and(|flag| flag.as_bool() == Some(true)) {
        event.status = Some(Status::InProgress);
        return;
    }
    event.phase = Phase::Finished;
    event.status = Some(Status::Completed);
    let output = output.or(old);
    // In model messages the output says of what type it is.
    let typed =
        output.as_ref().filter(|output| output.is_object()).map(|output| pick(output, ["type", "value", "reason"]));
    if let Some([kind, value, reason]) = typed {
        match text(&kind).as_deref() {
            Some("execution-denied") => return refuse(event, reason),
            Some("error-text" | "error-json") => {
                event.status = Some(Status::Failed);
                event.error = value.as_ref().and_then(words).map(Cow::Owned);
                return;
            }
            _ => {}
        }
    }
    if is_error.is_some_and(|flag| flag.as_bool() == Some(true)) {
        event.status = Some(Status::Failed);
        event.error = output.as_ref().and_then(words).map(Cow::Owned);
    }
}

fn fail<V: JsonView>(event: &mut Event<'_, V>, chunk: &V) {
    let [told, error] = pick(chunk, ["errorText", "error"]);
    event.phase = Phase::Finished;
    event.status = Some(Status::Failed);
    event.error = text(&told).map(|told| Cow::Owned(told.into_owned())).or_else(|| words(&error?).map(Cow::Owned));
}

/// The answer to a request for approval.
fn answer<V: JsonView>(event: &mut Event<'_, V>, approval: &V) {
    let [approved, reason] = pick(approval, ["approved", "reason"]);
    match approved.and_then(|approved| approved.as_bool()) {
        Some(true) => event.status = Some(Status::InProgress),
        Some(false) => refuse(event, reason),
        None => {}
    }
}

/// `why` is a text, or an object with a `reason`.
fn refuse<V: JsonView>(event: &mut Event<'_, V>, why: Option<V>) {
    event.phase = Phase::Finished;
    event.status = Some(Status::Rejected);
    let of = |why: &V| why.as_str().map(|why| Cow::Owned(why.into_owned()));
    event.error = why.and_then(|why| of(&why).or_else(|| of(&why.get("reason")?)));
}
