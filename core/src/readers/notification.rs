//! What stands around a session update: the notification's parameters, and what its order tells of subagents. Shared by
//! the readers of ACP messages and of Grok Build's updates.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::session_update::{Context, PIECE, SessionUpdate};
use super::source::Source;
use crate::catalog::Harness;
use crate::event::{Phase, ToolCallEvent, TurnEnd};
use crate::json::{JsonError, JsonView};
use crate::kind::Kind;
use crate::wire::WireSink;

/// The parameters of a session notification.
pub(super) struct Params<'a, V> {
    pub(super) session: Option<Cow<'a, str>>,
    pub(super) update: Option<SessionUpdate<'a, V>>,
    /// `_meta.agentTimestampMs`.
    pub(super) time: Option<i64>,
}

impl<V> Default for Params<'_, V> {
    fn default() -> Self {
        Params { session: None, update: None, time: None }
    }
}

impl<'a, V: JsonView> Params<'a, V> {
    pub(super) fn read<S: Source<'a, View = V>>(source: &mut S) -> Result<Self, JsonError> {
        let mut out = Params::default();
        let Some(mut members) = source.object()? else { return Ok(out) };
        while let Some(key) = source.next(&mut members)? {
            out.member(key.as_ref(), source)?;
        }
        Ok(out)
    }

    pub(super) fn member<S: Source<'a, View = V>>(&mut self, key: &[u8], source: &mut S) -> Result<(), JsonError> {
        match key {
            b"sessionId" => self.session = source.string()?,
            b"update" | b"toolCall" => self.update = Some(SessionUpdate::read(source)?),
            // What a permission is asked for, in ACP v2.
            b"subject" => {
                let Some(mut members) = source.object()? else { return Ok(()) };
                while let Some(key) = source.next(&mut members)? {
                    match key.as_ref() {
                        b"toolCall" => self.update = Some(SessionUpdate::read(source)?),
                        _ => source.skip()?,
                    }
                }
            }
            b"_meta" => {
                let Some(mut members) = source.object()? else { return Ok(()) };
                while let Some(key) = source.next(&mut members)? {
                    match key.as_ref() {
                        b"agentTimestampMs" => self.time = source.raw()?.as_i64(),
                        _ => source.skip()?,
                    }
                }
            }
            _ => source.skip()?,
        }
        Ok(())
    }
}

/// Hands on session updates, and remembers what later ones refer to.
#[derive(Default)]
pub(super) struct Updates {
    /// Session, id and description of announced calls that start a subagent, the latest last.
    waiting: Vec<(Option<String>, String, Option<String>)>,
    /// Session, index and id of the calls that a model is writing: only their first piece names them.
    writing: Vec<(Option<String>, i64, String)>,
}

/// More announced starts than this are not remembered, nor more calls that are being written.
const MOST_WAITING: usize = 256;

impl Updates {
    pub(super) fn update<'a, V: JsonView>(
        &mut self,
        update: SessionUpdate<'a, V>,
        context: &Context<'a>,
        sink: &mut dyn WireSink<V>,
    ) {
        match update.tag.as_deref() {
            Some("turn_completed") => self.end(&update, context, sink),
            Some("state_update") => {
                if update.state.as_deref() == Some("idle") {
                    self.end(&update, context, sink);
                }
            }
            Some("subagent_spawned") => {
                let starter = self.starter(update.description.as_deref(), context.session.as_deref());
                let Some((id, child)) = starter.zip(update.child_session) else { return };
                let mut event = ToolCallEvent::new(id, Phase::Mirror, context.place);
                event.session = context.session.clone();
                event.started = Some(child);
                sink.event(&event);
            }
            Some(PIECE) => self.piece(update, context, sink),
            _ => {
                if let Some(event) = update.into_event(context) {
                    self.remember(&event, context.harness);
                    sink.event(&event);
                }
            }
        }
    }

    fn end<V>(&mut self, update: &SessionUpdate<'_, V>, context: &Context<'_>, sink: &mut dyn WireSink<V>) {
        let session = context.session.as_deref();
        self.writing.retain(|entry| entry.0.as_deref() != session);
        let cancelled = update.stop_reason.as_deref() == Some("cancelled");
        sink.end(&TurnEnd { session: session.map(Cow::Borrowed), agent: None, cancelled, time: context.time });
    }

    /// A piece of the arguments of a call that has not been announced yet.
    fn piece<'a, V: JsonView>(
        &mut self,
        mut update: SessionUpdate<'a, V>,
        context: &Context<'a>,
        sink: &mut dyn WireSink<V>,
    ) {
        let (session, index) = (context.session.as_deref(), update.index.unwrap_or(0));
        let known = |entry: &&(Option<String>, i64, String)| entry.0.as_deref() == session && entry.1 == index;
        let id = match update.take_id() {
            Some(id) => id,
            None => match self.writing.iter().find(known) {
                Some(entry) => Cow::Owned(entry.2.clone()),
                None => Cow::Owned(format!("call@{}.{index}", context.place.line)),
            },
        };
        if self.writing.iter().find(known).is_none_or(|entry| entry.2 != id) {
            self.writing.retain(|entry| !known(&entry));
            if self.writing.len() >= MOST_WAITING {
                self.writing.remove(0);
            }
            self.writing.push((session.map(String::from), index, id.clone().into_owned()));
        }
        sink.event(&update.into_piece(id, context));
    }

    fn remember<V: JsonView>(&mut self, event: &ToolCallEvent<'_, V>, harness: Option<&'static Harness>) {
        let entry = harness.zip(event.name.as_deref()).and_then(|(harness, name)| harness.tool(name, None));
        if entry.is_some_and(|entry| entry.tool.kind == Kind::Task) && self.waiting.len() < MOST_WAITING {
            let description =
                event.raw_input.set().and_then(|raw| raw.get("description")?.as_str().map(Cow::into_owned));
            let session = event.session.as_deref().map(String::from);
            self.waiting.push((session, event.id.clone().into_owned(), description));
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
