//! Forgetting calls, for a ledger over a stream that may have no end.

use alloc::vec::Vec;

use super::{CallLedger, State};
use crate::call::ToolCall;
use crate::meta::CanonicalToolMeta;

impl CallLedger {
    /// Forgets calls until no more than `calls` are left, with texts of no more than `bytes` together: those that have ended
    /// before those that are open, and of each the oldest first. Arguments of unknown tools that take a large part of that
    /// are let go first, and the calls stay as they are known.
    ///
    /// Returns the former indices of the calls that are left, in order: the place of each in this list is its index now.
    pub(crate) fn shed(&mut self, calls: usize, bytes: usize) -> Vec<usize> {
        for state in self.states.iter_mut().flatten() {
            state.waiting = state.waiting.take().filter(|text| text.len() <= bytes / 64);
        }
        let mut latest: Vec<usize> = (0..self.records.len()).rev().collect();
        latest.sort_by_key(|&i| self.records.get(i).is_some_and(|call| call.status.is_terminal()));
        let mut left = bytes;
        let fits = |i: &usize| {
            let Some((record, state)) = self.records.get(*i).zip(self.states.get(*i)) else { return false };
            let fit = left.checked_sub(weight(record, state.as_deref()));
            left = fit.unwrap_or(left);
            fit.is_some()
        };
        let mut kept: Vec<usize> = latest.into_iter().filter(fits).take(calls).collect();
        kept.sort_unstable();
        keep(&mut self.records, &kept);
        keep(&mut self.states, &kept);
        self.open.retain_mut(|i| kept.binary_search(i).map(|at| *i = at).is_ok());
        self.index.clear();
        for at in 0..self.records.len() {
            self.point_to(at);
        }
        kept
    }
}

fn keep<T>(items: &mut Vec<T>, kept: &[usize]) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
}

/// How many bytes of text a call holds, about.
fn weight(record: &ToolCall, state: Option<&State>) -> usize {
    let texts = [&record.session, &record.agent, &record.parent, &record.started, &record.title, &record.acp_kind];
    let texts = texts.into_iter().chain([&record.version, &record.error, &record.raw_input]);
    let texts = texts.flatten().map(|text| text.len()).sum::<usize>();
    record.id.len() + texts + weight_of_meta(&record.identity.meta) + state.map_or(0, weight_of_state)
}

fn weight_of_state(state: &State) -> usize {
    let texts = [&state.name, &state.namespace, &state.acp_name, &state.vendor_name, &state.waiting];
    let texts = texts.into_iter().flatten().map(|text| text.len()).sum::<usize>();
    texts + state.envelope.as_deref().map_or(0, weight_of_meta)
}

fn weight_of_meta(meta: &CanonicalToolMeta) -> usize {
    serde_json::to_vec(meta).map_or(0, |text| text.len())
}
