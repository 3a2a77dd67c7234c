//! The ledger: merges events into calls.
//!
//! Calls are told apart by session, subagent and id. What an event says replaces what was known, and what it leaves out
//! stays. A call is projected when its arguments come, and the arguments are then let go, so that its record stays small
//! whatever it carried; they are kept only while nobody knows whose they are, or where the ledger is asked to. Arguments that
//! stream are projected as far as they are there.

mod arguments;
mod live;

mod shed;

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use self::arguments::{Arguments, call_of};
use crate::call::{Flag, Flags, ToolCall};
use crate::catalog;
use crate::event::{Change, Phase, Status, ToolCallEvent, TurnEnd};
use crate::identity::{Call, Evidence, McpTool, VENDOR_KEYS, identify, vendor_name_in};
use crate::json::{JsonView, RawJson};
use crate::meta::{self, CanonicalToolMeta, META_KEY};
use crate::namespace::Namespace;

/// An error text is shortened to about this many bytes.
const ERROR_BYTES: usize = 500;

/// Merges the events of tool calls, in whatever order they come.
///
/// ```
/// use toolprism::{CallLedger, Phase, Place, Status, ToolCallEvent, json::RawJson};
/// let mut ledger = CallLedger::default();
/// let raw = RawJson::parse(r#"{"file_path": "a.txt"}"#)?;
/// let mut start = ToolCallEvent::new("c1", Phase::Started, Place::default());
/// start.harness = Some("claude_code".into());
/// start.name = Some("Read".into());
/// start.raw_input = Some(raw).into();
/// ledger.apply(&start);
/// let mut end = ToolCallEvent::<RawJson>::new("c1", Phase::Finished, Place::default());
/// end.status = Some(Status::Completed);
/// ledger.apply(&end);
/// let call = &ledger.calls()[0];
/// assert_eq!((call.label(), call.status), ("Read", Status::Completed));
/// # Ok::<(), toolprism::json::JsonError>(())
/// ```
#[derive(Default)]
pub struct CallLedger {
    records: Vec<ToolCall>,
    states: Vec<Option<Box<State>>>,
    /// Indices into `records`, by session, subagent and id.
    index: HashTable<usize>,
    hasher: DefaultHashBuilder,
    /// The call that the last event was about: most likely the next one's too.
    last: usize,
    /// Indices of calls that have not ended.
    open: Vec<usize>,
    keep_raw_input: bool,
    ignored: u64,
}

/// What the ledger remembers of a call beside its record, as long as it is needed.
#[derive(Default)]
struct State {
    name: Option<Box<str>>,
    namespace: Option<Box<str>>,
    acp_name: Option<Box<str>>,
    mcp: Option<McpTool>,
    /// The envelope that the call was last stamped with.
    envelope: Option<Box<CanonicalToolMeta>>,
    /// The tool's name in a vendor's `_meta`.
    vendor_name: Option<Box<str>>,
    /// Arguments that could not be projected yet, as JSON text.
    waiting: Option<Box<str>>,
    arguments: Arguments,
}

impl State {
    /// What a record tells of the state that was dropped with its end.
    fn of(record: &ToolCall) -> Self {
        let known = record.identity.why.is_known();
        State { name: known.then(|| record.identity.meta.name.as_str().into()), ..Default::default() }
    }

    /// Whether the record tells all that there is.
    fn is_told_by(&self, record: &ToolCall) -> bool {
        let beside = self.namespace.is_some() || self.acp_name.is_some() || self.mcp.is_some();
        let beside = beside || self.envelope.is_some() || self.vendor_name.is_some() || self.waiting.is_some();
        !beside && record.identity.why.is_known() && self.name.as_deref() == Some(record.identity.meta.name.as_str())
    }
}

impl CallLedger {
    /// A ledger that keeps each call's raw input, for views that show it.
    pub fn keeping_raw_input() -> Self {
        CallLedger { keep_raw_input: true, ..Default::default() }
    }

    /// The calls, in the order in which they first appeared.
    pub fn calls(&self) -> &[ToolCall] {
        &self.records
    }

    /// Gives up the calls.
    pub fn into_calls(self) -> Vec<ToolCall> {
        self.records
    }

    /// The call with this id; of several with one id the latest.
    pub fn get(&self, session: Option<&str>, agent: Option<&str>, id: &str) -> Option<&ToolCall> {
        self.find(session, agent, id).and_then(|i| self.records.get(i))
    }

    /// How many events were left out because they only mirror a call that nothing announced.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// Merges one event, and returns the call's index in [`calls`](Self::calls), or `None` if the event was left out.
    pub fn apply<V: JsonView>(&mut self, event: &ToolCallEvent<'_, V>) -> Option<usize> {
        let (session, agent) = (event.session.as_deref(), event.agent.as_deref());
        let found = self.find(session, agent, &event.id);
        if found.is_none() && event.phase == Phase::Mirror {
            self.ignored += 1;
            return None;
        }
        let reused = found.filter(|&i| self.is_another_call(i, event));
        let at = match found {
            Some(at) if reused.is_none() => at,
            _ => self.insert(event, reused.is_some()),
        };
        self.last = at;
        let (record, slot) = (self.records.get_mut(at)?, self.states.get_mut(at)?);
        let state = slot.get_or_insert_with(|| Box::new(State::of(record)));
        if found == Some(at) && event.phase == Phase::Started {
            record.flags.set(Flag::AnnouncedAgain, !record.flags.has(Flag::Orphan));
            record.flags.set(Flag::Orphan, false);
        }
        let ended = record.status.is_terminal();
        merge_facts(record, event);
        merge_status(record, event);
        let changed = merge_evidence(record, state, event);
        arguments::merge(record, state, event, changed, ended, self.keep_raw_input);
        if record.status.is_terminal() {
            arguments::end(record, state, self.keep_raw_input);
        }
        if record.status.is_terminal() && state.is_told_by(record) {
            *slot = None;
        }
        Some(at)
    }

    /// Ends every open call of a turn: cancelled if the turn was, else unresolved. A result that comes later still counts.
    pub fn end(&mut self, end: &TurnEnd<'_>) {
        let (records, states) = (&mut self.records, &mut self.states);
        self.open.retain(|&i| {
            let Some(call) = records.get_mut(i) else { return false };
            if call.status.is_terminal() {
                return false;
            }
            let ours = end.session.as_deref().is_none_or(|s| call.session.as_deref() == Some(s))
                && (end.session.is_none() || call.agent.as_deref() == end.agent.as_deref());
            if ours {
                call.status = if end.cancelled { Status::Cancelled } else { Status::Unresolved };
                call.ended_at = end.time;
                call.flags.set(Flag::Swept, true);
                if let Some(Some(state)) = states.get_mut(i) {
                    arguments::end(call, state, self.keep_raw_input);
                }
            }
            !ours
        });
    }

    fn find(&self, session: Option<&str>, agent: Option<&str>, id: &str) -> Option<usize> {
        let same = |i: &usize| {
            self.records.get(*i).is_some_and(|call| {
                call.id == id && call.session.as_deref() == session && call.agent.as_deref() == agent
            })
        };
        if same(&self.last) {
            return Some(self.last);
        }
        let hash = self.hash(session, agent, id);
        self.index.find(hash, same).copied()
    }

    fn hash(&self, session: Option<&str>, agent: Option<&str>, id: &str) -> u64 {
        self.hasher.hash_one((session, agent, id))
    }

    /// Whether an announcement under an id that has already ended is a new call, rather than the old one told again.
    fn is_another_call<V: JsonView>(&self, at: usize, event: &ToolCallEvent<'_, V>) -> bool {
        let Some(record) = self.records.get(at) else { return false };
        if event.phase != Phase::Started || !record.status.is_terminal() {
            return false;
        }
        // Arguments that begin to stream are not those of a call that has ended.
        if event.delta.is_some() {
            return true;
        }
        let told;
        let state = match self.states.get(at) {
            Some(Some(state)) => state,
            _ => {
                told = State::of(record);
                &told
            }
        };
        let renamed = event.name.as_deref().zip(state.name.as_deref()).is_some_and(|(new, old)| new != old);
        if renamed {
            return true;
        }
        let Some(raw) = event.raw_input.set().filter(|raw| !raw.is_blank()) else { return false };
        let Some(known) = record.identity.meta.canonical_input() else { return false };
        let again = identify(&call_of(record, state, Some(raw)));
        again.meta.canonical_input().is_some_and(|input| input != known)
    }

    fn insert<V: JsonView>(&mut self, event: &ToolCallEvent<'_, V>, reused: bool) -> usize {
        let at = self.records.len();
        let mut flags = Flags::default();
        flags.set(Flag::Orphan, matches!(event.phase, Phase::Updated | Phase::Finished));
        flags.set(Flag::InputPending, true);
        flags.set(Flag::ReusedId, reused);
        let own = |text: &Option<Cow<'_, str>>| text.as_deref().map(Box::from);
        self.records.push(ToolCall {
            id: event.id.clone().into_owned(),
            session: own(&event.session),
            agent: own(&event.agent),
            parent: None,
            started: None,
            harness: None,
            version: None,
            title: None,
            acp_kind: None,
            status: Status::Pending,
            exit_code: None,
            error: None,
            started_at: None,
            ended_at: None,
            place: event.place,
            identity: Box::new(identify::<RawJson<'_>>(&Call::default())),
            raw_input: None,
            flags,
        });
        self.states.push(None);
        self.open.push(at);
        self.point_to(at);
        at
    }

    /// Lets events for this id mean this call, the latest with the id.
    fn point_to(&mut self, at: usize) {
        let records = &self.records;
        let key = |i: usize| {
            records
                .get(i)
                .map(|call| (call.session.as_deref(), call.agent.as_deref(), call.id.as_str()))
                .unwrap_or_default()
        };
        let hash = self.hasher.hash_one(key(at));
        if let Ok(entry) = self.index.find_entry(hash, |i| key(*i) == key(at)) {
            entry.remove();
        }
        self.index.insert_unique(hash, at, |i| self.hasher.hash_one(key(*i)));
    }
}

/// The parts of an event that simply replace what was known.
fn merge_facts<V>(record: &mut ToolCall, event: &ToolCallEvent<'_, V>) {
    fn keep(slot: &mut Option<Box<str>>, new: &Option<Cow<'_, str>>) {
        if let Some(new) = new {
            *slot = Some((&**new).into());
        }
    }
    fn change(slot: &mut Option<Box<str>>, new: &Change<Cow<'_, str>>) {
        match new {
            Change::Keep => {}
            Change::Clear => *slot = None,
            Change::Set(text) => *slot = Some((&**text).into()),
        }
    }
    keep(&mut record.parent, &event.parent);
    keep(&mut record.started, &event.started);
    change(&mut record.title, &event.title);
    change(&mut record.acp_kind, &event.acp_kind);
    if event.exit_code.is_some() {
        record.exit_code = event.exit_code;
    }
    // A call that has ended well keeps no complaint that came too late.
    let refuted = record.status == Status::Completed && event.status.is_some_and(|status| status != Status::Completed);
    if let Some(error) = event.error.as_ref().filter(|_| !refuted) {
        record.error = Some(shortened(error).into());
    }
    record.started_at = match (record.started_at, event.time) {
        (Some(known), Some(new)) => Some(known.min(new)),
        (known, new) => known.or(new),
    };
}

/// Statuses only move forward. An end that a result gave is final; one that a sweep gave yields to a result.
fn merge_status<V>(record: &mut ToolCall, event: &ToolCallEvent<'_, V>) {
    let Some(new) = event.status else { return };
    let swept = record.flags.has(Flag::Swept);
    if record.status.is_terminal() && !(swept && new.is_terminal()) {
        if new != record.status && event.phase != Phase::Started {
            record.flags.set(Flag::LateEvent, true);
        }
        return;
    }
    if new.is_terminal() {
        record.flags.set(Flag::Swept, false);
        record.ended_at = event.time.or(record.ended_at);
    }
    if new >= record.status || new.is_terminal() {
        record.status = new;
    }
}

/// Merges what says whose call it is; returns whether anything new came.
fn merge_evidence<V: JsonView>(record: &mut ToolCall, state: &mut State, event: &ToolCallEvent<'_, V>) -> bool {
    let mut changed = false;
    let mut learn = |slot: &mut Option<Box<str>>, new: Option<&str>| {
        if let Some(new) = new.filter(|new| !new.is_empty() && slot.as_deref() != Some(*new)) {
            *slot = Some(new.into());
            changed = true;
        }
    };
    let (envelope, vendor) = event.meta.as_ref().map_or((None, None), |meta| {
        let mut found = [const { None }; 3];
        meta.pick(&[META_KEY, VENDOR_KEYS[0], VENDOR_KEYS[1]], &mut found);
        let [envelope, claude, plain] = found;
        (envelope.as_ref().and_then(|e| meta::parse_envelope(e).ok()), vendor_name_in([claude, plain]))
    });
    let vendor_harness = vendor.as_ref().and_then(|(_, harness)| *harness).map(|harness| harness.id);
    learn(&mut state.vendor_name, vendor.as_ref().map(|(name, _)| name.as_str()));
    learn(&mut record.version, event.version.as_deref());
    learn(&mut state.name, event.name.as_deref());
    learn(&mut state.namespace, event.namespace.as_deref());
    learn(&mut state.acp_name, event.acp_name.set().map(|name| &**name));
    let harness = event.harness.as_deref().or(vendor_harness);
    if let Some(harness) = harness.filter(|harness| !harness.is_empty() && record.harness.as_deref() != Some(harness)) {
        let known = catalog::harness(harness).map(|harness| Cow::Borrowed(harness.id));
        record.harness = Some(known.unwrap_or_else(|| Cow::Owned(harness.to_owned())));
        changed = true;
    }
    if event.acp_name == Change::Clear {
        changed |= state.acp_name.take().is_some();
    }
    if let Some((server, tool)) = &event.mcp {
        let mcp = McpTool { server: server.clone().into_owned(), tool: tool.clone().into_owned() };
        changed |= state.mcp.replace(mcp.clone()) != Some(mcp);
    }
    if let Some(mut envelope) = envelope {
        if contradicts(&envelope, record, state.acp_name.as_deref()) {
            record.flags.set(Flag::EnvelopeConflict, true);
        } else {
            if envelope.input.is_none() {
                envelope.input = state.envelope.take().and_then(|known| known.input);
            }
            state.envelope = Some(Box::new(envelope));
            changed = true;
        }
    }
    changed
}

/// Whether an envelope makes another tool of a call that is known already: by an envelope, or by its name. An MCP server can
/// send an envelope of its own, and agents hand it on; but it has no hold over ACP's `name`. What was stamped by guess on a
/// call that is no such server's may so be put right.
fn contradicts(envelope: &CanonicalToolMeta, record: &ToolCall, acp_name: Option<&str>) -> bool {
    let known = &record.identity.meta;
    let is_mcp = |meta: &CanonicalToolMeta| meta.namespace.known() == Some(Namespace::Mcp);
    let is_vouched_for = envelope.name != known.name && acp_name == Some(envelope.name.as_str());
    if record.identity.why == Evidence::Envelope && is_vouched_for && !is_mcp(known) {
        return false;
    }
    let elsewhere = match record.identity.why {
        Evidence::Envelope => known.namespace != envelope.namespace,
        // Several toolsets have tools of one name, and only the envelope tells them apart; but none is an MCP server's.
        Evidence::Catalog | Evidence::McpName | Evidence::AcpName => is_mcp(known) != is_mcp(envelope),
        _ => return false,
    };
    elsewhere || known.name != envelope.name
}

/// The front of a text, cut at a character.
fn shortened(text: &str) -> String {
    if text.len() <= ERROR_BYTES {
        return text.to_owned();
    }
    let end = (0..=ERROR_BYTES).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let mut out = text.get(..end).unwrap_or_default().to_string();
    out.push('…');
    out
}
