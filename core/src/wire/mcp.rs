//! Model Context Protocol: `tools/call` and what answers it, in JSON-RPC messages of one connection, both directions.
//!
//! A call has no id but that of its request. Both sides count their requests on their own, so an answer is taken for a
//! call's only if it looks like one.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use core::hash::Hash;

use hashbrown::HashMap;

use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::{JsonType, JsonView};

/// No more open requests, or tasks, than this are remembered.
const MOST_REQUESTS: usize = 4096;

#[derive(Default)]
pub(super) struct Mcp {
    /// The server's name, from its answer to `initialize`.
    server: Option<String>,
    /// Open requests, by their ids as JSON text.
    requests: HashMap<String, Request>,
    /// Ids of calls, by the tokens of their progress and by the tasks that they have become.
    tokens: HashMap<String, String>,
    tasks: HashMap<String, String>,
}

enum Request {
    /// A call, by its id.
    Call(String),
    /// Another request with the same id: the other side's, most likely.
    Other,
    /// Both are open.
    Both(String),
}

impl Mcp {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let [id, method, params, result, error] = pick(message, ["id", "method", "params", "result", "error"]);
        let id = given(id);
        let key = id.as_ref().map(V::to_text);
        match (text(&method), key, given(result), given(error)) {
            (Some(method), Some(key), ..) if method == "tools/call" => self.call(key, text(&id), params, out),
            (Some(method), key, ..) => self.ask(&method, key, params, out),
            (None, Some(key), Some(result), _) => self.answer(&key, &result, out),
            (None, Some(key), None, Some(error)) => self.fail(&key, &error, out),
            _ => {}
        }
    }

    pub(super) fn clear(&mut self) {
        let server = self.server.take();
        *self = Mcp { server, ..Mcp::default() };
    }

    fn ask<V: JsonView>(&mut self, method: &str, key: Option<String>, params: Option<V>, out: &mut Out<'_, V>) {
        let member = |name: &str| params.as_ref().and_then(|params| given(params.get(name)));
        match (method, key) {
            ("tasks/result", Some(key)) => {
                let call = member("taskId").and_then(|task| self.tasks.get(&task.to_text()).cloned());
                remember(&mut self.requests, key, call.map_or(Request::Other, Request::Call));
            }
            (_, Some(key)) => {
                let request = match self.requests.remove(&key) {
                    Some(Request::Call(call) | Request::Both(call)) => Request::Both(call),
                    Some(Request::Other) | None => Request::Other,
                };
                remember(&mut self.requests, key, request);
            }
            ("notifications/progress", None) => {
                let call = member("progressToken").and_then(|token| self.tokens.get(&token.to_text()));
                say(call, Status::InProgress, out);
            }
            ("notifications/cancelled", None) => {
                let request = member("requestId").map(|id| id.to_text());
                if let Some(Request::Call(call) | Request::Both(call)) =
                    request.and_then(|key| self.requests.remove(&key))
                {
                    self.forget(&call);
                    say(Some(&call), Status::Cancelled, out);
                }
            }
            ("notifications/tasks/status", None) => {
                let Some(task) = member("taskId").map(|task| task.to_text()) else { return };
                let status = match text(&member("status")).as_deref() {
                    Some("failed") => Status::Failed,
                    Some("cancelled") => Status::Cancelled,
                    Some("working" | "input_required") => Status::InProgress,
                    // What came of it is told by its result.
                    _ => return,
                };
                say(self.tasks.get(&task), status, out);
            }
            _ => {}
        }
    }

    fn call<V: JsonView>(
        &mut self,
        key: String,
        text_id: Option<Cow<'_, str>>,
        params: Option<V>,
        out: &mut Out<'_, V>,
    ) {
        let [name, arguments, meta] =
            params.as_ref().map_or([None, None, None], |params| pick(params, ["name", "arguments", "_meta"]));
        // `1` and `"1"` are two ids.
        let (plain, other) = match &text_id {
            Some(text) => (text.clone().into_owned(), text.clone().into_owned()),
            None => (key.clone(), format!("\"{key}\"")),
        };
        let id = if self.requests.contains_key(&other) { key.clone() } else { plain };
        if let Some(token) = meta.and_then(|meta| given(meta.get("progressToken"))) {
            remember(&mut self.tokens, token.to_text(), id.clone());
        }
        let mut event = out.event(id.clone(), Phase::Started);
        event.name = text(&name);
        match &self.server {
            Some(server) => event.mcp = text(&name).map(|name| (Cow::Borrowed(server.as_str()), name)),
            None => event.namespace = Some(Cow::Borrowed("mcp")),
        }
        event.raw_input = given(arguments).into();
        event.status = Some(Status::InProgress);
        out.send(event);
        let request = match self.requests.remove(&key) {
            Some(Request::Other | Request::Both(_)) => Request::Both(id),
            Some(Request::Call(_)) | None => Request::Call(id),
        };
        remember(&mut self.requests, key, request);
    }

    fn answer<V: JsonView>(&mut self, key: &str, result: &V, out: &mut Out<'_, V>) {
        let keys = ["content", "structuredContent", "isError", "task", "toolResult", "serverInfo"];
        let [content, structured, is_error, task, old, server] = pick(result, keys);
        if let Some(name) = server.as_ref().and_then(|server| server.get("name")) {
            self.server = name.as_str().map(Cow::into_owned);
        }
        let listed = content.as_ref().is_some_and(|content| content.json_type() == JsonType::Array);
        let fits = listed || structured.is_some() || is_error.is_some() || task.is_some() || old.is_some();
        // Without another request of this id open there is no doubt.
        let alone = matches!(self.requests.get(key), Some(Request::Call(_)));
        let Some(call) = self.take(key, fits || alone) else { return };
        if let Some(task) = given(task).and_then(|task| given(task.get("taskId"))) {
            remember(&mut self.tasks, task.to_text(), call.clone());
            return say(Some(&call), Status::InProgress, out);
        }
        self.forget(&call);
        let mut event = out.event(call, Phase::Finished);
        event.status = Some(Status::Completed);
        if is_error.is_some_and(|flag| flag.as_bool() == Some(true)) {
            event.status = Some(Status::Failed);
            event.error = content.as_ref().and_then(words).map(Cow::Owned);
        }
        out.send(event);
    }

    fn fail<V: JsonView>(&mut self, key: &str, error: &V, out: &mut Out<'_, V>) {
        // Where both sides have asked under this number it may be either's; a call left open is no false end.
        let alone = matches!(self.requests.get(key), Some(Request::Call(_)));
        let Some(call) = self.take(key, alone) else { return };
        self.forget(&call);
        let mut event = out.event(call, Phase::Finished);
        event.status = Some(Status::Failed);
        event.error = words(error).map(Cow::Owned);
        out.send(event);
    }

    /// The call that an answer belongs to, if it is a call's; what it answers is settled.
    fn take(&mut self, key: &str, is_calls: bool) -> Option<String> {
        match self.requests.remove(key)? {
            Request::Call(call) if is_calls => Some(call),
            Request::Both(call) if is_calls => {
                self.requests.insert(key.to_owned(), Request::Other);
                Some(call)
            }
            Request::Both(call) | Request::Call(call) => {
                self.requests.insert(key.to_owned(), Request::Call(call));
                None
            }
            Request::Other => None,
        }
    }

    fn forget(&mut self, call: &str) {
        self.tokens.retain(|_, of| of != call);
        self.tasks.retain(|_, of| of != call);
    }
}

fn say<V: JsonView>(call: Option<&String>, status: Status, out: &mut Out<'_, V>) {
    let Some(call) = call else { return };
    let phase = if status.is_terminal() { Phase::Finished } else { Phase::Updated };
    let mut event = out.event(call.as_str(), phase);
    event.status = Some(status);
    out.send(event);
}

/// Remembers what is open. Peers that never answer cannot be waited for: all are forgotten at the limit.
fn remember<K: Eq + Hash, T>(open: &mut HashMap<K, T>, key: K, value: T) {
    if open.len() >= MOST_REQUESTS {
        open.clear();
    }
    open.insert(key, value);
}
