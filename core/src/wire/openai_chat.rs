//! OpenAI Chat Completions: chunks with `choices[].delta`, whole responses, and the messages of a conversation; and what
//! gateways and other servers make of them.
//!
//! Pieces of a call belong together by their `index`. Where it is missing, or the same for several calls, the ids decide, or
//! the names together with whether the arguments so far are complete.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::asked::Asked;
use super::{Out, given, pick, text};
use crate::event::{Phase, Status};
use crate::json::JsonView;

/// No more calls of one response than this are told apart.
const MOST_SLOTS: usize = 256;

#[derive(Default)]
pub(super) struct Chat {
    slots: Vec<Slot>,
    asked: Asked,
    /// The response that the latest chunk belongs to.
    response: String,
    /// Whether that response has calls.
    has_calls: bool,
}

/// A call whose pieces are coming.
struct Slot {
    choice: i64,
    index: Option<i64>,
    /// The id that its events have.
    id: String,
    /// The id that the source gives it.
    given: Option<String>,
    name: String,
    arguments: Arguments,
    response: String,
}

/// One element of `tool_calls`, or a `function_call`.
struct Piece<'p, V> {
    choice: i64,
    index: Option<i64>,
    given: Option<&'p str>,
    name: Option<&'p str>,
    arguments: Option<&'p V>,
}

/// The index of the `function_call` that there was before `tool_calls`.
const LEGACY: i64 = -1;

impl Chat {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let keys = ["choices", "messages", "role", "message", "id", "error"];
        let [choices, messages, role, inner, id, error] = pick(message, keys);
        if let Some(id) = text(&id).filter(|id| *id != self.response) {
            self.response = id.into_owned();
            self.has_calls = false;
        }
        if let Some(choices) = given(choices) {
            for (at, choice) in choices.items().enumerate() {
                self.choice(&choice, at, out);
            }
        } else if let Some(messages) = messages {
            for message in messages.items() {
                self.message(&message, out);
            }
            self.has_calls = false;
        } else if role.is_some() {
            self.message(message, out);
            self.has_calls = false;
        } else if let Some(inner) = inner {
            // Ollama's own responses.
            self.message(&inner, out);
        }
        if given(error).is_some() {
            self.end(false, out);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Chat::default();
    }

    fn choice<V: JsonView>(&mut self, choice: &V, at: usize, out: &mut Out<'_, V>) {
        let [index, delta, message, reason] = pick(choice, ["index", "delta", "message", "finish_reason"]);
        let index = index.and_then(|index| index.as_i64()).unwrap_or(at as i64);
        if let Some(delta) = given(delta) {
            self.delta(&delta, index, out);
        }
        if let Some(message) = given(message) {
            self.message(&message, out);
        }
        if let Some(reason) = text(&reason) {
            self.finish(&reason, index, out);
        }
    }

    fn finish<V: JsonView>(&mut self, reason: &str, choice: i64, out: &mut Out<'_, V>) {
        self.slots.retain(|slot| slot.choice != choice);
        match reason {
            "tool_calls" | "function_call" => {}
            // Calls were cut short, or never came.
            "length" | "content_filter" | "error" => self.end(false, out),
            "abort" | "cancelled" => self.end(true, out),
            // Many servers say `stop` although they call.
            _ if self.has_calls => {}
            _ => self.end(false, out),
        }
        if self.response.is_empty() {
            self.has_calls = false;
        }
    }

    fn end<V: JsonView>(&mut self, cancelled: bool, out: &mut Out<'_, V>) {
        self.slots.clear();
        self.asked.clear();
        out.end(None, cancelled);
    }

    fn delta<V: JsonView>(&mut self, delta: &V, choice: i64, out: &mut Out<'_, V>) {
        let [calls, legacy] = pick(delta, ["tool_calls", "function_call"]);
        let calls: Vec<V> = calls.iter().flat_map(V::items).collect();
        for (at, call) in calls.iter().enumerate() {
            let [index, id, function, custom] = pick(call, ["index", "id", "function", "custom"]);
            // Of several in one chunk without an index the place is the index.
            let index = index.and_then(|index| index.as_i64()).or((calls.len() > 1).then_some(at as i64));
            let (name, arguments) = called(&function, &custom);
            let (given, name) = (text(&id), text(&name));
            let (given, name) = (given.as_deref(), name.as_deref());
            self.piece(&Piece { choice, index, given, name, arguments: arguments.as_ref() }, at, out);
        }
        if let Some(function) = given(legacy) {
            let (name, arguments) = called(&Some(function), &None);
            let name = text(&name);
            let piece = Piece {
                choice,
                index: Some(LEGACY),
                given: None,
                name: name.as_deref(),
                arguments: arguments.as_ref(),
            };
            self.piece(&piece, 0, out);
        }
    }

    fn piece<V: JsonView>(&mut self, piece: &Piece<'_, V>, number: usize, out: &mut Out<'_, V>) {
        self.has_calls = true;
        let late = piece.name.is_none() && piece.given.is_some_and(|given| self.asked.find(given).is_some());
        let found = self.find(piece).filter(|at| !self.is_another_call(*at, piece));
        let at = found.unwrap_or_else(|| self.open(piece, number, out));
        let Some(slot) = self.slots.get_mut(at) else { return };
        let named = slot.learn(piece, &mut self.asked);
        let phase = match found {
            Some(_) => Phase::Updated,
            // The stream was joined in the middle of a call, or goes on after its end.
            None if piece.name.is_none() && (piece.given.is_none() || late) => Phase::Updated,
            None => Phase::Started,
        };
        let mut event = out.event(slot.id.as_str(), phase);
        event.name = named.then_some(Cow::Borrowed(slot.name.as_str()));
        let delta = piece.arguments.and_then(|arguments| arguments.as_str());
        slot.arguments.push(delta.as_deref().unwrap_or_default());
        let whole = piece.arguments.filter(|arguments| arguments.is_object());
        event.raw_input = whole.cloned().into();
        event.delta = match (found, whole) {
            // The announcement has a piece, even an empty one: more will come.
            (None, None) => Some(delta.unwrap_or_default()),
            _ => delta.filter(|text| !text.is_empty()),
        };
        if found.is_none() || named || whole.is_some() || event.delta.is_some() {
            out.send(event);
        }
    }

    fn find<V>(&self, piece: &Piece<'_, V>) -> Option<usize> {
        let last = |test: &dyn Fn(&Slot) -> bool| {
            self.slots.iter().rposition(|slot| slot.choice == piece.choice && test(slot))
        };
        let by_id = || piece.given.and_then(|given| last(&|slot| slot.given.as_deref() == Some(given)));
        match piece.index {
            Some(index) => last(&|slot| slot.index == Some(index)).or_else(|| by_id().filter(|_| piece.name.is_none())),
            None => by_id().or_else(|| last(&|_| true)),
        }
    }

    /// Whether a piece that seems to belong to a call starts another one.
    fn is_another_call<V: JsonView>(&self, at: usize, piece: &Piece<'_, V>) -> bool {
        let (Some(slot), Some(name)) = (self.slots.get(at), piece.name) else { return false };
        let complete = slot.arguments.is_complete();
        match (slot.given.as_deref(), piece.given) {
            (Some(old), Some(new)) if old == new => false,
            // An id that changes with every chunk is no sign of another call.
            (Some(_), Some(_)) => complete || name != slot.name || slot.response != self.response,
            _ => {
                let begins = piece.arguments.is_some_and(|arguments| arguments.as_str().is_none_or(|a| !a.is_empty()));
                begins && (complete || slot.response != self.response)
            }
        }
    }

    fn open<V: JsonView>(&mut self, piece: &Piece<'_, V>, number: usize, out: &Out<'_, V>) -> usize {
        if self.slots.len() == MOST_SLOTS {
            self.slots.remove(0);
        }
        let name = piece.name.unwrap_or_default();
        // A late piece names a call of a response that has ended.
        let known = piece.given.filter(|_| name.is_empty()).and_then(|given| self.asked.find(given));
        let id = known.map(ToString::to_string);
        self.slots.push(Slot {
            choice: piece.choice,
            index: piece.index,
            id: id.unwrap_or_else(|| self.asked.ask(piece.given, name, || out.made_id(name, number))),
            given: piece.given.map(ToString::to_string),
            name: String::new(),
            arguments: Arguments::default(),
            response: self.response.clone(),
        });
        self.slots.len() - 1
    }

    /// A message of a conversation.
    fn message<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let [role, calls, legacy] = pick(message, ["role", "tool_calls", "function_call"]);
        if let Some("tool" | "function") = text(&role).as_deref() {
            return self.result(message, out);
        }
        for (at, call) in calls.iter().flat_map(V::items).enumerate() {
            let [id, function, custom] = pick(&call, ["id", "function", "custom"]);
            self.whole(&id, called(&function, &custom), at, out);
        }
        if let Some(function) = given(legacy) {
            self.whole(&None, called(&Some(function), &None), 0, out);
        }
    }

    /// A call with all of its arguments.
    fn whole<V: JsonView>(
        &mut self,
        id: &Option<V>,
        (name, arguments): (Option<V>, Option<V>),
        number: usize,
        out: &mut Out<'_, V>,
    ) {
        self.has_calls = true;
        let (id, name) = (text(id), text(&name));
        // What was streamed may be told once more as a whole.
        let known = id.as_deref().filter(|id| self.asked.find(id).is_some());
        let (id, phase) = match known {
            Some(id) => (id.to_string(), Phase::Snapshot),
            None => {
                let made = || out.made_id(name.as_deref().unwrap_or_default(), number);
                (self.asked.ask(id.as_deref(), name.as_deref().unwrap_or_default(), made), Phase::Started)
            }
        };
        let mut event = out.event(id, phase);
        event.name = name;
        event.raw_input = given(arguments.clone()).filter(|a| a.as_str().is_none_or(|text| !text.is_empty())).into();
        out.send(event);
    }

    fn result<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let [id, name, ollama] = pick(message, ["tool_call_id", "name", "tool_name"]);
        let (id, name) = (text(&id), text(&name).or_else(|| text(&ollama)));
        let call = self.asked.answer(id.as_deref(), name.as_deref());
        let id = call.or(id.map(Cow::into_owned)).unwrap_or_else(|| out.made_id("result", 0));
        let mut event = out.event(id, Phase::Finished);
        event.status = Some(Status::Completed);
        out.send(event);
    }
}

/// Name and arguments of a call, by its kind.
fn called<V: JsonView>(function: &Option<V>, custom: &Option<V>) -> (Option<V>, Option<V>) {
    let of = |call: &V, arguments: &str| {
        let [name, arguments] = pick(call, ["name", arguments]);
        (name, arguments)
    };
    match (function, custom) {
        (Some(function), _) if function.is_object() => of(function, "arguments"),
        (_, Some(custom)) => of(custom, "input"),
        _ => (None, None),
    }
}

impl Slot {
    /// Takes in the id and name of a piece; whether the name has changed.
    fn learn<V>(&mut self, piece: &Piece<'_, V>, asked: &mut Asked) -> bool {
        let late_id = self.given.is_none() && piece.given.is_some();
        if late_id {
            self.given = piece.given.map(ToString::to_string);
        }
        let named = match piece.name {
            Some(name) if self.name.is_empty() || name.len() > self.name.len() && name.starts_with(&self.name) => {
                self.name = name.to_string();
                true
            }
            // Some servers cut the name into pieces, and many repeat it; the pieces come before any arguments.
            Some(name) if name != self.name && !self.arguments.begun => {
                self.name.push_str(name);
                true
            }
            _ => false,
        };
        if late_id || named {
            asked.learn(&self.id, piece.given, &self.name);
        }
        named
    }
}

/// Follows the text of arguments through its pieces, to tell whether it is a complete object.
#[derive(Default)]
struct Arguments {
    begun: bool,
    depth: u32,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Arguments {
    fn push(&mut self, text: &str) {
        self.begun |= !text.is_empty();
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed |= self.depth == 0;
                }
                _ => {}
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.closed && self.depth == 0 && !self.in_string
    }
}
