//! Grok Build's `updates.jsonl`: ACP session updates and xAI's own, one a line, in an envelope of method and time.
//!
//! Older lines have no envelope. The order of lines is not the order of events, which the ledger does not mind.

use super::filter::Filter;
use super::notification::{Params, Updates};
use super::session_update::Context;
use super::{Events, Members, Records, Sink, time};
use crate::catalog::{self, Harness};
use crate::event::{MergeRules, Place};
use crate::json::{Cursor, JsonError, JsonView};

/// `{timestamp?, method, params: {sessionId, update}}`, or the notification `{sessionId, update}` itself.
pub(super) fn is_updates(record: &Members<'_>) -> bool {
    let update = record.get("params").and_then(|params| params.get("update")).or_else(|| record.get("update"));
    !record.has("jsonrpc") && update.is_some_and(|update| update.get("sessionUpdate").is_some())
}

pub(super) struct Grok {
    filter: Filter,
    harness: Option<&'static Harness>,
    updates: Updates,
}

impl Grok {
    pub(super) fn new() -> Self {
        Grok {
            filter: Filter::new(&["tool_call", "turn_completed", "subagent_spawned"]),
            harness: catalog::harness("grok_build"),
            updates: Updates::default(),
        }
    }
}

impl Records for Grok {
    fn wants(&self, record: &[u8]) -> bool {
        self.filter.test(record)
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, place: Place, sink: &mut dyn Sink) -> Result<(), JsonError> {
        let mut seconds = None;
        let mut params = Params::default();
        let mut nested = None;
        let Some(mut members) = cursor.object()? else { return Ok(()) };
        while let Some(key) = members.next(cursor)? {
            match key.as_bytes() {
                b"timestamp" => seconds = time::from_seconds(&cursor.value()?),
                b"params" => nested = Some(Params::read(cursor)?),
                _ => params.member(key.as_bytes(), cursor)?,
            }
        }
        let params = nested.unwrap_or(params);
        let context = Context {
            place,
            rules: MergeRules::V1,
            time: params.time.or(seconds),
            session: params.session,
            harness: self.harness,
            version: None,
        };
        if let Some(update) = params.update {
            self.updates.update(update, &context, &mut Events(sink));
        }
        Ok(())
    }
}
