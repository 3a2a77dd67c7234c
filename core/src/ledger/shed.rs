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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::event::{Phase, Place, Status, ToolCallEvent, TurnEnd};
    use crate::json::RawJson;

    fn apply(ledger: &mut CallLedger, id: &str, session: &'static str, status: Status) {
        let mut event = ToolCallEvent::<RawJson<'_>>::new(id, Phase::Started, Place::default());
        event.session = Some(session.into());
        event.status = Some(status);
        ledger.apply(&event);
    }

    #[test]
    fn what_is_left_is_found_and_ended_as_before() {
        let mut ledger = CallLedger::default();
        for (id, session, status) in [
            ("a", "s", Status::Completed),
            ("b", "t", Status::Pending),
            ("c", "s", Status::Completed),
            ("d", "s", Status::InProgress),
        ] {
            apply(&mut ledger, id, session, status);
        }
        assert_eq!(ledger.shed(3, 10_000), [1, 2, 3]);
        let ids: Vec<&str> = ledger.calls().iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["b", "c", "d"]);
        assert_eq!(ledger.open, [0, 1, 2], "what has ended is taken out at the next end");
        assert!(ledger.get(Some("s"), None, "a").is_none());
        apply(&mut ledger, "d", "s", Status::Completed);
        ledger.end(&TurnEnd { session: Some("t".into()), ..TurnEnd::default() });
        let ends: Vec<Status> = ledger.calls().iter().map(|call| call.status).collect();
        assert_eq!(ends, [Status::Unresolved, Status::Completed, Status::Completed]);
        assert!(ledger.open.is_empty());
        assert_eq!(ledger.shed(3, 0), [0; 0]);
        assert!(ledger.calls().is_empty() && ledger.states.is_empty());
        apply(&mut ledger, "b", "t", Status::Pending);
        assert_eq!(ledger.calls().len(), 1);
    }
}
