//! Agent Client Protocol: JSON-RPC messages, one a line; bare, or recorded with their direction as `{dir, t, msg}`.
//!
//! The tool calls are in `session/update`, and in the `toolCall` of `session/request_permission`, which some agents send
//! before any announcement. Which agent speaks is told by its answer to `initialize`, or by its own marks.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::filter::Filter;
use super::notification::{Params, Updates};
use super::session_update::Context;
use super::source::Source;
use super::{Events, Members, Records, Sink, time};
use crate::catalog::{self, Harness};
use crate::event::{MergeRules, Phase, Place, Status, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, JsonView, Number};
use crate::wire::WireSink;

/// A JSON-RPC message with one of ACP's own methods, or ACP's answer to `initialize` (MCP's has a date for a version).
pub(super) fn is_acp(record: &Members<'_>) -> bool {
    let recorded = record.get("msg").filter(|_| record.has("dir"));
    let member = |key: &str| recorded.map_or_else(|| record.get(key), |message| message.get(key));
    let version = |key: &str| member(key).and_then(|part| part.get("protocolVersion")?.as_i64()).is_some();
    if member("jsonrpc").is_none() {
        return false;
    }
    match member("method").and_then(|method| method.str()) {
        Some(method) => method.starts_with("session/") || method == "initialize" && version("params"),
        None => version("result"),
    }
}

pub(crate) struct Acp {
    filter: Filter,
    agent: Option<&'static Harness>,
    version: Option<String>,
    rules: MergeRules,
    updates: Updates,
    /// The sessions that prompts were sent to, by the client's request ids.
    prompts: HashMap<String, String>,
    /// The permissions asked for, by the agent's request ids. Both sides count their requests from the same number.
    permissions: HashMap<String, Permission>,
    /// The ids of the agent's requests for files and terminals, where the record does not say who sent them.
    asked: HashSet<String>,
    /// The sessions seen, as long as there is one only.
    session: Seen,
}

/// A permission asked for: the call, and the options that refuse it.
struct Permission {
    session: Option<String>,
    call: String,
    refusals: Vec<String>,
}

/// No more requests of a kind than this are remembered.
const MOST_REQUESTS: usize = 4096;

#[derive(Default)]
enum Seen {
    #[default]
    None,
    One(String),
    Many,
}

impl Acp {
    pub(crate) fn new() -> Self {
        Acp {
            filter: Filter::new(&[
                "tool_call",
                "toolCall",
                "turn_completed",
                "subagent_spawned",
                "protocolVersion",
                "stopReason",
                "\"prompt\"",
                "outcome",
                "\"error\"",
                "_text_file",
                "terminal/",
            ]),
            agent: None,
            version: None,
            rules: MergeRules::V1,
            updates: Updates::default(),
            prompts: HashMap::new(),
            permissions: HashMap::new(),
            asked: HashSet::new(),
            session: Seen::None,
        }
    }
}

impl Acp {
    /// Reads one bare message of a conversation that is under way, of which it is known who sent it.
    pub(crate) fn live(
        &mut self,
        from_agent: bool,
        cursor: &mut Cursor<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), JsonError> {
        let mut message = Message::read(cursor)?;
        message.from_agent = Some(from_agent);
        self.message::<Cursor<'_>>(message, Place::default(), None, &mut Events(sink))
    }
}

impl Records for Acp {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        self.read(cursor, place, None, &mut Events(sink))
    }
}

/// A JSON-RPC message.
struct Message<'a, V> {
    /// Whether the agent sent it, where the record says so.
    from_agent: Option<bool>,
    id: Option<V>,
    method: Option<Cow<'a, str>>,
    params: Option<V>,
    /// `params`, read at once where the method said before that they are an update's: they are most of all bytes.
    update: Option<Params<'a, V>>,
    result: Option<V>,
    /// The message answers that a request failed.
    failed: bool,
}

impl<V> Default for Message<'_, V> {
    fn default() -> Self {
        Message { from_agent: None, id: None, method: None, params: None, update: None, result: None, failed: false }
    }
}

impl<'a, V: JsonView> Message<'a, V> {
    fn read<S: Source<'a, View = V>>(source: &mut S) -> Result<Self, JsonError> {
        let mut out = Message::default();
        let Some(mut members) = source.object()? else { return Ok(out) };
        while let Some(key) = source.next(&mut members)? {
            out.member(key.as_ref(), source)?;
        }
        Ok(out)
    }

    fn member<S: Source<'a, View = V>>(&mut self, key: &[u8], source: &mut S) -> Result<(), JsonError> {
        match key {
            b"id" => self.id = Some(source.value()?),
            b"method" => self.method = source.string()?,
            b"params" if self.method.as_deref().is_some_and(is_update) => self.update = Some(Params::read(source)?),
            b"params" => self.params = Some(source.raw()?),
            b"result" => self.result = Some(source.raw()?).filter(|result| !result.is_null()),
            b"error" => self.failed = !source.raw()?.is_null(),
            _ => source.skip()?,
        }
        Ok(())
    }

    fn key(&self) -> Option<String> {
        Some(self.id.as_ref()?.to_text())
    }
}

impl Acp {
    /// Reads one message, bare or recorded, which was seen at the time `at`.
    pub(crate) fn read<'a, S: Source<'a>>(
        &mut self,
        source: &mut S,
        place: Place,
        mut at: Option<i64>,
        sink: &mut dyn WireSink<S::View>,
    ) -> Result<(), JsonError> {
        let mut message = Message::default();
        let mut direction = None;
        let Some(mut members) = source.object()? else { return Ok(()) };
        while let Some(key) = source.next(&mut members)? {
            match key.as_ref() {
                b"msg" => message = Message::read(source)?,
                b"dir" => direction = source.string()?,
                b"t" => at = time::from_seconds(&source.value()?),
                key => message.member(key, source)?,
            }
        }
        message.from_agent = match direction.as_deref() {
            Some("agent_to_client") => Some(true),
            Some("client_to_agent") => Some(false),
            _ => None,
        };
        self.message::<S>(message, place, at, sink)
    }

    /// Reads what the SDKs hand out: the parameters of a notification or of a request for permission, or an answer.
    pub(crate) fn part<'a, S: Source<'a>>(
        &mut self,
        part: &S::View,
        place: Place,
        at: Option<i64>,
        sink: &mut dyn WireSink<S::View>,
    ) -> Result<(), JsonError> {
        self.answer(&Message::default(), part, place, at, sink);
        self.update(Params::read(&mut S::before(part))?, place, at, sink);
        Ok(())
    }

    /// Forgets what is open in a turn; who the agent is stays known.
    pub(crate) fn clear(&mut self) {
        self.prompts.clear();
        self.permissions.clear();
        self.asked.clear();
        self.updates = Updates::default();
    }

    /// Names the harness before the agent does.
    pub(crate) fn expect(&mut self, harness: &str) {
        self.agent = catalog::harness(harness);
    }

    fn message<'a, S: Source<'a>>(
        &mut self,
        mut message: Message<'a, S::View>,
        place: Place,
        at: Option<i64>,
        sink: &mut dyn WireSink<S::View>,
    ) -> Result<(), JsonError> {
        if let Some(result) = &message.result {
            self.answer(&message, result, place, at, sink);
        } else if message.failed {
            self.fail(&message, at, sink);
        }
        if let Some(update) = message.update.take() {
            self.update(update, place, at, sink);
        }
        let (Some(method), Some(params)) = (message.method.as_deref(), &message.params) else { return Ok(()) };
        match method {
            "session/request_permission" => {
                let read = Params::read(&mut S::before(params))?;
                self.ask(&message, params, read.session.as_deref());
                self.update(read, place, at, sink);
            }
            "session/prompt" => {
                let session = text_in(params, "sessionId");
                self.see_session(session.as_deref());
                if let Some((key, session)) = message.key().zip(session) {
                    remember(&mut self.prompts, key, session);
                }
            }
            method if method.starts_with("fs/") || method.starts_with("terminal/") => {
                if let Some(key) = message.key().filter(|_| message.from_agent.is_none()) {
                    if self.asked.len() >= MOST_REQUESTS {
                        self.asked.clear();
                    }
                    self.asked.insert(key);
                }
            }
            method if is_update(method) => {
                self.update(Params::read(&mut S::before(params))?, place, at, sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn update<'a, V: JsonView>(
        &mut self,
        params: Params<'a, V>,
        place: Place,
        at: Option<i64>,
        sink: &mut dyn WireSink<V>,
    ) {
        self.see_session(params.session.as_deref());
        let Some(update) = params.update else { return };
        if self.agent.is_none() {
            self.agent = update.agent();
        }
        let context = Context {
            place,
            rules: self.rules,
            session: params.session,
            time: params.time.or(at),
            harness: self.agent,
            version: self.version.clone().map(Cow::Owned),
        };
        self.updates.update(update, &context, sink);
    }

    /// The answer to a request: who the agent is, the end of a turn, a permission refused.
    fn answer<V: JsonView>(
        &mut self,
        message: &Message<'_, V>,
        result: &V,
        place: Place,
        at: Option<i64>,
        sink: &mut dyn WireSink<V>,
    ) {
        if let Some(version) = result.get("protocolVersion").and_then(|v| v.as_number()) {
            self.rules = if matches!(version, Number::Int(2..)) { MergeRules::V2 } else { MergeRules::V1 };
            self.meet(result);
        }
        let key = message.key();
        let stop = result.get("stopReason").filter(|_| message.from_agent != Some(false));
        if let Some(stop) = stop.as_ref().and_then(|reason| reason.as_str()) {
            let session = match (key.as_ref().and_then(|key| self.prompts.remove(key)), &self.session) {
                (Some(session), _) => Some(session),
                (None, Seen::One(session)) => Some(session.clone()),
                _ => None,
            };
            if let Some(session) = session {
                let cancelled = stop == "cancelled";
                sink.end(&TurnEnd { session: Some(Cow::Owned(session)), agent: None, cancelled, time: at });
            }
        }
        let Some(outcome) = result.get("outcome").filter(|_| message.from_agent != Some(true)) else { return };
        let asked = key.as_ref().and_then(|key| self.permissions.remove(key));
        let Some((asked, chosen)) = asked.zip(text_in(&outcome, "optionId")) else { return };
        if asked.refusals.contains(&chosen) {
            let mut event = ToolCallEvent::new(asked.call, Phase::Mirror, place);
            event.session = asked.session.map(Cow::Owned);
            event.status = Some(Status::Rejected);
            event.time = at;
            sink.event(&event);
        }
    }

    /// A prompt that failed ends its turn as well.
    fn fail<V: JsonView>(&mut self, message: &Message<'_, V>, at: Option<i64>, sink: &mut dyn WireSink<V>) {
        let Some(key) = message.key() else { return };
        // Where both sides have asked under this number, and the record does not say who answers, it is the client, which
        // often has to: for a file that is not there, say. A turn left open is no false end.
        let answers_agent = match message.from_agent {
            Some(from_agent) => !from_agent,
            None => self.permissions.contains_key(&key) || self.asked.contains(&key),
        };
        if answers_agent {
            self.permissions.remove(&key);
        } else if let Some(session) = self.prompts.remove(&key) {
            sink.end(&TurnEnd { session: Some(Cow::Owned(session)), agent: None, cancelled: false, time: at });
        }
    }

    /// Learns who the agent is from its answer to `initialize`.
    fn meet<V: JsonView>(&mut self, result: &V) {
        // In ACP v2 it is called `info`.
        let Some(info) = result.get("agentInfo").or_else(|| result.get("info")) else {
            let grok = result.get("_meta").is_some_and(|meta| meta.get("grokShell").is_some());
            self.agent = if grok { catalog::harness("grok_build") } else { self.agent };
            return;
        };
        let names = ["name", "title"].into_iter().filter_map(|key| text_in(&info, key));
        self.agent = names.filter_map(|name| agent_called(&name)).next().or(self.agent);
        self.version = text_in(&info, "version");
    }

    fn ask<V: JsonView>(&mut self, message: &Message<'_, V>, params: &V, session: Option<&str>) {
        let asked = params.get("toolCall").or_else(|| params.get("subject")?.get("toolCall"));
        let call = asked.and_then(|call| text_in(&call, "toolCallId"));
        let Some((key, call)) = message.key().zip(call) else { return };
        let refuses = |option: &V| text_in(option, "kind").is_some_and(|kind| kind.starts_with("reject"));
        let options = params.get("options");
        let refusals = options.iter().flat_map(V::items).filter(refuses);
        let refusals = refusals.filter_map(|option| text_in(&option, "optionId")).collect();
        let session = session.map(ToString::to_string);
        remember(&mut self.permissions, key, Permission { session, call, refusals });
    }

    fn see_session(&mut self, session: Option<&str>) {
        let Some(session) = session else { return };
        self.session = match core::mem::take(&mut self.session) {
            Seen::None => Seen::One(session.to_string()),
            Seen::One(known) if known == session => Seen::One(known),
            _ => Seen::Many,
        };
    }
}

fn text_in<V: JsonView>(object: &V, key: &str) -> Option<String> {
    Some(object.get(key)?.as_str()?.into_owned())
}

/// Remembers an open request. Agents and clients that never answer cannot be waited for: all are forgotten at the limit.
fn remember<T>(requests: &mut HashMap<String, T>, key: String, request: T) {
    if requests.len() >= MOST_REQUESTS {
        requests.clear();
    }
    requests.insert(key, request);
}

/// Whether the parameters of this notification hold a session update; Grok Build has two of its own.
fn is_update(method: &str) -> bool {
    matches!(method, "session/update" | "_x.ai/session/update" | "_x.ai/session_notification")
}

/// The harness whose agent names itself so in `agentInfo`; adapters add a word of their own.
fn agent_called(name: &str) -> Option<&'static Harness> {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.strip_suffix("-agent-acp").or_else(|| name.strip_suffix("-acp")).unwrap_or(name);
    catalog::harness(name)
}
