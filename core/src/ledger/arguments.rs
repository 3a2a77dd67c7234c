//! A call's arguments: as a whole, or as text that streams.

use alloc::boxed::Box;

use super::State;
use super::live::{Live, Step};
use crate::call::{Flag, ToolCall};
use crate::event::{Change, MergeRules, ToolCallEvent};
use crate::identity::{Call, Evidence, Identity, identify};
use crate::input::{Growing, Input};
use crate::json::{JsonView, RawJson};
use crate::meta::CanonicalToolMeta;
use crate::partial;

/// How a call's arguments come.
#[derive(Default)]
pub(super) enum Arguments {
    /// As a whole, or not at all yet.
    #[default]
    Awaited,
    /// As text, piece by piece.
    Streaming(Box<Live>),
    /// All of that text was there; what follows it means nothing.
    Ended,
    /// They came as a whole, and no text is expected.
    Whole,
}

/// Takes in what an event says of the arguments, and works out the identity anew where anything that bears on it has changed:
/// `changed` says whether evidence has. `ended`: the call had ended before the event.
pub(super) fn merge<V: JsonView>(
    record: &mut ToolCall,
    state: &mut State,
    event: &ToolCallEvent<'_, V>,
    changed: bool,
    ended: bool,
    keep_raw_input: bool,
) {
    let delta = event.delta.as_deref().filter(|delta| !delta.is_empty() && matches!(event.raw_input, Change::Keep));
    record.flags.set(Flag::LateEvent, record.flags.has(Flag::LateEvent) || ended && delta.is_some());
    let raw = match &event.raw_input {
        Change::Set(raw) if event.rules == MergeRules::V2 || !raw.is_blank() => Some(raw),
        Change::Clear => {
            state.waiting = None;
            state.arguments = Arguments::Awaited;
            record.raw_input = None;
            clear_flags(record);
            record.flags.set(Flag::InputPending, true);
            *record.identity = identity_of::<RawJson<'_>>(record, state, None);
            return;
        }
        _ => None,
    };
    // The title and the ACP kind count where nothing says more; a view of the text costs nothing where they have not changed.
    let told = changed || event.title.set().is_some() || event.acp_kind.set().is_some();
    if let Some(raw) = raw {
        state.arguments = Arguments::Whole;
        take_in(record, state, raw, keep_raw_input);
    } else if let Some(delta) = delta.filter(|_| !ended) {
        merge_delta(record, state, delta, told, keep_raw_input);
    } else if changed || !record.identity.why.is_known() {
        identify_again(record, state);
    }
}

/// Arguments that are there as a whole.
fn take_in<V: JsonView>(record: &mut ToolCall, state: &mut State, raw: &V, keep_raw_input: bool) {
    clear_flags(record);
    record.flags.set(Flag::InputPending, false);
    *record.identity = identity_of(record, state, Some(raw));
    keep_text(record, state, raw, keep_raw_input);
}

/// Keeps the text of arguments where it may be needed later.
fn keep_text<V: JsonView>(record: &mut ToolCall, state: &mut State, raw: &V, keep_raw_input: bool) {
    let known = record.identity.why.is_known();
    let text: Option<Box<str>> = (keep_raw_input || !known).then(|| raw.to_text().into());
    state.waiting = if known { None } else { text.clone() };
    if keep_raw_input {
        record.raw_input = text;
    }
}

fn clear_flags(record: &mut ToolCall) {
    for flag in [Flag::Streaming, Flag::IncompleteInput, Flag::BrokenInput] {
        record.flags.set(flag, false);
    }
}

/// Works out the identity anew from the arguments that are known.
fn identify_again(record: &mut ToolCall, state: &mut State) {
    if let Arguments::Streaming(live) = core::mem::take(&mut state.arguments) {
        let view = live.view();
        let identity = identity_of(record, state, view.as_ref());
        adopt(record, identity);
        state.arguments = Arguments::Streaming(live);
        return;
    }
    let waiting = state.waiting.take();
    let kept = waiting.as_ref().or(record.raw_input.as_ref());
    let view = kept.and_then(|text| RawJson::parse(&**text).ok());
    let identity = identity_of(record, state, view.as_ref());
    adopt(record, identity);
    state.waiting = waiting.filter(|_| !record.identity.why.is_known());
}

/// Takes over an identity. What was projected from arguments that are gone stays.
fn adopt(record: &mut ToolCall, mut identity: Identity) {
    if identity.meta.input.is_none() {
        identity.meta.input = record.identity.meta.input.take();
    }
    *record.identity = identity;
}

/// Takes in more of the text of the arguments. `told`: the event says something else of the call too.
fn merge_delta(record: &mut ToolCall, state: &mut State, delta: &str, told: bool, keep_raw_input: bool) {
    let mut live = match core::mem::take(&mut state.arguments) {
        Arguments::Awaited => Box::new(Live::new(keep_raw_input)),
        Arguments::Streaming(live) => live,
        rest => {
            let late = matches!(rest, Arguments::Whole);
            record.flags.set(Flag::LateEvent, record.flags.has(Flag::LateEvent) || late);
            state.arguments = rest;
            if told {
                identify_again(record, state);
            }
            return;
        }
    };
    let growing = record.identity.growing;
    let step = live.push(delta, growing, record.identity.meta.canonical_input());
    if live.is_complete() {
        record.flags.set(Flag::Streaming, false);
        if live.has_content() {
            if let Some(view) = live.view() {
                take_in(record, state, &view, keep_raw_input);
            }
            state.arguments = Arguments::Ended;
            return;
        }
    }
    match step {
        _ if told => {
            let identity = identity_of(record, state, live.view().as_ref());
            adopt(record, identity);
        }
        Step::Look => show(record, identity_of(record, state, live.view().as_ref())),
        Step::Grown => {
            if let Some(Input::Canonical(input)) = &mut record.identity.meta.input {
                live.grow(growing, input);
            }
        }
        Step::Same => {}
    }
    record.flags.set(Flag::Streaming, matches!(live.state(), partial::State::Open));
    record.flags.set(Flag::BrokenInput, matches!(live.state(), partial::State::Broken(_)));
    record.flags.set(Flag::InputPending, record.flags.has(Flag::InputPending) && !live.has_content());
    state.arguments = Arguments::Streaming(live);
}

/// Takes over what a look has found. No field that was shown is taken back while nothing but more text has come.
fn show(record: &mut ToolCall, mut identity: Identity) {
    if let Some(shown) = record.identity.meta.canonical_input() {
        let mut input = identity.meta.canonical_input().cloned().unwrap_or_default();
        input.keep_shown(shown, &mut identity.growing);
        identity.meta.set_input(input);
    }
    *record.identity = identity;
}

/// The call has ended: what is not there of its arguments will not come.
pub(super) fn end(record: &mut ToolCall, state: &mut State, keep_raw_input: bool) {
    let mut live = match core::mem::take(&mut state.arguments) {
        Arguments::Streaming(live) => live,
        rest => {
            state.arguments = rest;
            return;
        }
    };
    record.flags.set(Flag::Streaming, false);
    let finished = live.finish();
    record.flags.set(Flag::BrokenInput, matches!(finished, partial::State::Broken(_)));
    record.flags.set(Flag::IncompleteInput, finished == partial::State::Incomplete && live.has_begun());
    let Some(view) = live.view().filter(|_| live.has_content()) else { return };
    if finished == partial::State::Complete {
        return take_in(record, state, &view, keep_raw_input);
    }
    show(record, identity_of(record, state, Some(&view)));
    keep_text(record, state, &view, keep_raw_input);
}

fn identity_of<V: JsonView>(record: &ToolCall, state: &State, raw: Option<&V>) -> Identity {
    let mut identity = identify(&call_of(record, state, raw));
    if let Some(envelope) = &state.envelope {
        let mut meta = CanonicalToolMeta::clone(envelope);
        let growing = if meta.input.is_none() { identity.growing } else { Growing::default() };
        if meta.input.is_none() {
            meta.input = identity.meta.input.take();
        }
        identity = Identity { meta, why: Evidence::Envelope, growing, mcp: identity.mcp };
    }
    identity
}

pub(super) fn call_of<'a, V: JsonView>(record: &'a ToolCall, state: &'a State, raw: Option<&V>) -> Call<'a, V> {
    let envelope = state.envelope.as_ref();
    Call {
        harness: record.harness.as_deref(),
        version: record.version.as_deref(),
        namespace: envelope.map(|e| e.namespace.as_str()).or(state.namespace.as_deref()),
        name: envelope.map(|e| e.name.as_str()).or(state.name.as_deref()),
        acp_name: state.acp_name.as_deref(),
        title: record.title.as_deref(),
        acp_kind: record.acp_kind.as_deref(),
        mcp: state.mcp.as_ref().map(|mcp| (mcp.server.as_str(), mcp.tool.as_str())),
        vendor_name: state.vendor_name.as_deref(),
        raw_input: raw.cloned(),
        meta: None,
    }
}
