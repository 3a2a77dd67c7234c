//! OpenAI Responses: the events of a stream, whole responses, and the items of both.
//!
//! A call has two ids: the item's own, by which the stream's events may name it, and `call_id`, by which results do. Proxies
//! make the first anew, so pieces are told apart by `output_index` before it.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::{JsonType, JsonView};

/// No more calls of one response than this are told apart.
const MOST_SLOTS: usize = 256;

#[derive(Default)]
pub(super) struct Responses {
    slots: Vec<Slot>,
    /// Whether the response has calls whose results the client gives.
    has_calls: bool,
}

/// A call of the response that is being streamed.
struct Slot {
    output_index: Option<i64>,
    item: String,
    /// The id that its events have.
    id: String,
}

/// Where an item stands.
#[derive(Clone, Copy)]
enum Told {
    /// It begins in a stream, under this `output_index`.
    Added(Option<i64>),
    /// It has come to its end there.
    Done(Option<i64>),
    /// In a response or request that was not streamed.
    Whole,
    /// At the end of a stream that has told it before.
    Again,
}

/// Calls that the service itself runs, so that the item's status is the call's.
const SERVED: &[&str] =
    &["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"];

impl Responses {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let keys = ["type", "response", "item", "output_index", "item_id", "output", "input", "status"];
        let [kind, response, item, index, item_id, output, input, status] = pick(message, keys);
        let kind = text(&kind).unwrap_or_default();
        let index = index.and_then(|index| index.as_i64());
        if let Some(step) = kind.strip_prefix("response.") {
            match (step, item) {
                ("created", _) => self.clear(),
                ("completed" | "incomplete" | "failed" | "cancelled", _) => self.close(step, &response, out),
                ("output_item.added", Some(item)) => self.item(&item, Told::Added(index), out),
                ("output_item.done", Some(item)) => self.item(&item, Told::Done(index), out),
                _ => self.piece(step, index, text(&item_id), message, out),
            }
        } else if kind == "error" {
            self.clear();
            out.end(None, false);
        } else if kind.ends_with("_call") {
            self.item(message, Told::Whole, out);
            self.has_calls = false;
        } else if kind.ends_with("_output") {
            result(message, &kind, out);
        } else if let Some(items) = output.filter(|output| output.json_type() == JsonType::Array) {
            self.items(&items, Told::Whole, out);
            self.stop(text(&status).as_deref().unwrap_or_default(), out);
        } else if let Some(items) = input {
            self.items(&items, Told::Whole, out);
            self.has_calls = false;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Responses::default();
    }

    fn items<V: JsonView>(&mut self, items: &V, told: Told, out: &mut Out<'_, V>) {
        for item in items.items() {
            let [kind] = pick(&item, ["type"]);
            match text(&kind) {
                Some(kind) if kind.ends_with("_call") => self.item(&item, told, out),
                Some(kind) if kind.ends_with("_output") => result(&item, &kind, out),
                _ => {}
            }
        }
    }

    /// The end of a response.
    fn close<V: JsonView>(&mut self, step: &str, response: &Option<V>, out: &mut Out<'_, V>) {
        if let Some(items) = response.as_ref().and_then(|response| response.get("output")) {
            self.items(&items, Told::Again, out);
        }
        self.stop(step, out);
    }

    fn stop<V: JsonView>(&mut self, status: &str, out: &mut Out<'_, V>) {
        let goes_on = status == "completed" && self.has_calls || matches!(status, "" | "in_progress" | "queued");
        self.clear();
        if !goes_on {
            out.end(None, status == "cancelled");
        }
    }

    fn item<V: JsonView>(&mut self, item: &V, told: Told, out: &mut Out<'_, V>) {
        let keys =
            ["type", "id", "call_id", "name", "arguments", "input", "status", "server_label", "namespace", "error"];
        let [kind, item_id, call_id, name, arguments, input, status, server, namespace, error] = pick(item, keys);
        let Some(kind) = text(&kind).filter(|kind| kind.ends_with("_call")) else { return };
        let item_id = text(&item_id);
        let index = match told {
            Told::Added(index) | Told::Done(index) => index,
            Told::Whole | Told::Again => None,
        };
        let known = self.find(index, item_id.as_deref());
        let id = match (text(&call_id).or(item_id.clone()), known) {
            // The id that a slot has was given by the item that opened it, or made for the want of one.
            (Some(id), _) => id.into_owned(),
            (None, Some(slot)) => slot.id.clone(),
            (None, None) => out.made_id(&kind, index.unwrap_or(0) as usize),
        };
        if known.is_none() && matches!(told, Told::Added(_) | Told::Done(_)) {
            self.open(index, item_id.as_deref(), &id);
        }
        let served = SERVED.contains(&&*kind);
        self.has_calls |= !served;
        let phase = if matches!(told, Told::Added(_) | Told::Whole) { Phase::Started } else { Phase::Snapshot };
        let mut event = out.event(id, phase);
        let own_type = !matches!(&*kind, "function_call" | "custom_tool_call" | "mcp_call");
        // Items of a type of their own have no name; what they are called with is all of them.
        event.name = if own_type { Some(kind.clone()) } else { text(&name) };
        let input = if own_type { Some(item.clone()) } else { given_text(arguments).or_else(|| given_text(input)) };
        let streams = matches!(told, Told::Added(_)) && !own_type && input.is_none();
        event.delta = streams.then_some(Cow::Borrowed(""));
        event.raw_input = input.into();
        if let Some(server) = text(&server) {
            event.mcp = event.name.clone().map(|tool| (server, tool));
        } else if let Some(server) = text(&namespace).and_then(mcp_server) {
            event.mcp = event.name.clone().map(|tool| (server, tool));
        }
        if served {
            event.status = text(&status).as_deref().and_then(status_of);
            if let Some(error) = given(error) {
                event.status = Some(Status::Failed);
                event.error = words(&error).map(Cow::Owned);
            }
        }
        out.send(event);
    }

    /// More of a call's arguments, all of them, or how a call stands that the service runs.
    fn piece<V: JsonView>(
        &mut self,
        step: &str,
        index: Option<i64>,
        item: Option<Cow<'_, str>>,
        message: &V,
        out: &mut Out<'_, V>,
    ) {
        let Some((what, step)) = step.rsplit_once('.') else { return };
        let whole = match what {
            "function_call_arguments" | "mcp_call_arguments" | "mcp_call.arguments" => "arguments",
            "custom_tool_call_input" => "input",
            // The code is a member of the item, and not the whole of what the call is made with.
            "code_interpreter_call_code" => return,
            _ if what.ends_with("_call") => {
                let status =
                    status_of(step).or((step == "searching" || step == "interpreting").then_some(Status::InProgress));
                if let (Some(status), Some(slot)) = (status, self.find(index, item.as_deref())) {
                    let phase = if status.is_terminal() { Phase::Finished } else { Phase::Updated };
                    let mut event = out.event(slot.id.clone(), phase);
                    event.status = Some(status);
                    out.send(event);
                }
                return;
            }
            _ => return,
        };
        let [delta, whole] = pick(message, ["delta", whole]);
        let id = match self.find(index, item.as_deref()) {
            Some(slot) => slot.id.clone(),
            None => {
                // The stream was joined in the middle of a call.
                let id = item.as_deref().map(ToOwned::to_owned);
                let id = id.unwrap_or_else(|| out.made_id("call", index.unwrap_or(0) as usize));
                self.open(index, item.as_deref(), &id);
                id
            }
        };
        self.has_calls |= !what.starts_with("mcp_");
        let mut event = out.event(id, Phase::Updated);
        match step {
            "delta" => event.delta = text(&delta),
            "done" => event.raw_input = given_text(whole).into(),
            _ => return,
        }
        if event.delta.is_some() || event.raw_input.set().is_some() {
            out.send(event);
        }
    }

    fn find(&self, index: Option<i64>, item: Option<&str>) -> Option<&Slot> {
        let by_index = index.and_then(|index| self.slots.iter().find(|slot| slot.output_index == Some(index)));
        by_index.or_else(|| item.and_then(|item| self.slots.iter().find(|slot| slot.item == item)))
    }

    fn open(&mut self, output_index: Option<i64>, item: Option<&str>, id: &str) {
        if self.slots.len() == MOST_SLOTS {
            self.slots.remove(0);
        }
        self.slots.push(Slot { output_index, item: item.unwrap_or_default().to_owned(), id: id.to_owned() });
    }
}

/// A member that holds anything but an empty text: arguments are one until they come.
fn given_text<V: JsonView>(member: Option<V>) -> Option<V> {
    given(member).filter(|member| member.as_str().is_none_or(|text| !text.is_empty()))
}

/// The server in a namespace of Codex's calls.
fn mcp_server(namespace: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let server = namespace.strip_prefix("mcp__")?;
    Some(Cow::Owned(server.strip_suffix("__").unwrap_or(server).to_owned()))
}

fn status_of(status: &str) -> Option<Status> {
    match status {
        "incomplete" => Some(Status::Unresolved),
        status => Status::from_acp(status),
    }
}

/// A result that the client gives. There is no flag of failure, save in `apply_patch_call_output`.
fn result<V: JsonView>(item: &V, kind: &str, out: &mut Out<'_, V>) {
    let [call_id, id, status, output] = pick(item, ["call_id", "id", "status", "output"]);
    // The output of a search for tools that the service ran by itself names no call.
    if kind == "tool_search_output" && text(&call_id).is_none() {
        return;
    }
    let id = text(&call_id).or_else(|| text(&id)).map(Cow::into_owned).unwrap_or_else(|| out.made_id(kind, 0));
    let mut event = out.event(id, Phase::Finished);
    event.status = Some(Status::Completed);
    if text(&status).as_deref() == Some("failed") {
        event.status = Some(Status::Failed);
        event.error = output.as_ref().and_then(words).map(Cow::Owned);
    }
    out.send(event);
}
