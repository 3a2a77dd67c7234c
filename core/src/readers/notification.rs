//! What stands around a session update: the notification's parameters, and what its order tells of subagents. Shared by
//! the readers of ACP messages and of Grok Build's updates.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::Sink;
use super::session_update::{Context, SessionUpdate};
use crate::catalog::Harness;
use crate::event::{Phase, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, JsonError, JsonView, RawJson};
use crate::kind::Kind;

/// The parameters of a session notification.
#[derive(Default)]
pub(super) struct Params<'a> {
    pub(super) session: Option<Cow<'a, str>>,
    pub(super) update: Option<SessionUpdate<'a>>,
    /// `_meta.agentTimestampMs`.
    pub(super) time: Option<i64>,
}

impl<'a> Params<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        let mut out = Params::default();
        let Some(mut members) = cursor.object()? else { return Ok(out) };
        while let Some(key) = members.next(cursor)? {
            out.member(key.as_bytes(), cursor)?;
        }
        Ok(out)
    }

    pub(super) fn member(&mut self, key: &[u8], cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        match key {
            b"sessionId" => self.session = cursor.string()?,
            b"update" | b"toolCall" => self.update = Some(SessionUpdate::read(cursor)?),
            b"_meta" => {
                let Some(mut members) = cursor.object()? else { return Ok(()) };
                while let Some(key) = members.next(cursor)? {
                    match key.as_bytes() {
                        b"agentTimestampMs" => self.time = cursor.raw()?.as_i64(),
                        _ => cursor.skip()?,
                    }
                }
            }
            _ => cursor.skip()?,
        }
        Ok(())
    }
}

/// Hands on session updates, and remembers which calls may have started a subagent.
#[derive(Default)]
pub(super) struct Subagents {
    /// Session, id and description of announced calls that start one, the latest last.
    waiting: Vec<(Option<String>, String, Option<String>)>,
}

/// More announced starts than this are not remembered.
const MOST_WAITING: usize = 256;

impl Subagents {
    pub(super) fn update<'a>(&mut self, update: SessionUpdate<'a>, context: &Context<'a>, sink: &mut dyn Sink) {
        match update.tag.as_deref() {
            Some("turn_completed") => {
                let cancelled = update.stop_reason.as_deref() == Some("cancelled");
                let end = TurnEnd { session: context.session.clone(), agent: None, cancelled, time: context.time };
                sink.end(&end);
            }
            Some("subagent_spawned") => {
                let starter = self.starter(update.description.as_deref(), context.session.as_deref());
                let Some((id, child)) = starter.zip(update.child_session) else { return };
                let mut event = ToolCallEvent::<RawJson<'_>>::new(id, Phase::Mirror, context.place);
                event.session = context.session.clone();
                event.started = Some(child);
                sink.event(&event);
            }
            _ => {
                if let Some(event) = update.into_event(context) {
                    self.remember(&event, context.harness);
                    sink.event(&event);
                }
            }
        }
    }

    fn remember(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>, harness: Option<&'static Harness>) {
        let entry = harness.zip(event.name.as_deref()).and_then(|(harness, name)| harness.tool(name, None));
        if entry.is_some_and(|entry| entry.tool.kind == Kind::Task) && self.waiting.len() < MOST_WAITING {
            let description = event.raw_input.set().and_then(|raw| raw.get("description")?.str());
            let own = |text: &Option<Cow<'_, str>>| text.as_deref().map(String::from);
            self.waiting.push((own(&event.session), event.id.clone().into_owned(), own(&description)));
        }
    }

    /// The call that started a subagent: the one with its description, else the latest of the session.
    fn starter(&mut self, description: Option<&str>, session: Option<&str>) -> Option<String> {
        let ours = |entry: &&(Option<String>, String, Option<String>)| entry.0.as_deref() == session;
        let found = self.waiting.iter().filter(ours).find(|entry| entry.2.as_deref() == description);
        let id = found.or_else(|| self.waiting.iter().rev().find(ours)).map(|entry| entry.1.clone())?;
        self.waiting.retain(|entry| entry.1 != id);
        Some(id)
    }
}
