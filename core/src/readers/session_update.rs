//! What ACP's `session/update` says of tool calls; shared by the readers of ACP messages and of Grok Build's updates.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use crate::catalog::{self, AcpName, Harness, name_in_id};
use crate::event::{Change, MergeRules, Phase, Place, Status, ToolCallEvent};
use crate::json::{JsonError, JsonView};
use crate::meta::META_KEY;

use super::source::Source;

/// A `sessionUpdate` object, read once.
pub(super) struct SessionUpdate<'a, V> {
    /// The value of `sessionUpdate`; absent in a permission request's `toolCall`.
    pub(super) tag: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
    name: Change<Cow<'a, str>>,
    title: Change<Cow<'a, str>>,
    kind: Change<Cow<'a, str>>,
    status: Option<Cow<'a, str>>,
    content: Option<V>,
    raw_input: Change<V>,
    output: Output<'a>,
    meta: Option<V>,
    /// Why a turn ended.
    pub(super) stop_reason: Option<Cow<'a, str>>,
    /// How a session stands (ACP v2).
    pub(super) state: Option<Cow<'a, str>>,
    /// A piece of the arguments that a model is writing, and which of its calls they are.
    pub(super) piece: Option<Cow<'a, str>>,
    pub(super) index: Option<i64>,
    /// The session of a subagent that was started, and what it is for.
    pub(super) child_session: Option<Cow<'a, str>>,
    pub(super) description: Option<Cow<'a, str>>,
}

impl<V> Default for SessionUpdate<'_, V> {
    fn default() -> Self {
        SessionUpdate {
            tag: None,
            id: None,
            name: Change::Keep,
            title: Change::Keep,
            kind: Change::Keep,
            status: None,
            content: None,
            raw_input: Change::Keep,
            output: Output::default(),
            meta: None,
            stop_reason: None,
            state: None,
            piece: None,
            index: None,
            child_session: None,
            description: None,
        }
    }
}

/// Grok Build's own: arguments while the model writes them.
pub(super) const PIECE: &str = "tool_call_delta_chunk";

impl<'a, V: JsonView> SessionUpdate<'a, V> {
    /// Reads the object that the source stands before.
    pub(super) fn read<S: Source<'a, View = V>>(source: &mut S) -> Result<Self, JsonError> {
        let mut out = SessionUpdate::default();
        let start = source.clone();
        let Some(mut members) = source.object()? else { return Ok(out) };
        while let Some(key) = source.next(&mut members)? {
            match key.as_ref() {
                b"sessionUpdate" => {
                    out.tag = source.string()?;
                    let wanted = match out.tag.as_deref() {
                        Some("tool_call" | "tool_call_update" | "tool_call_content_chunk") => true,
                        Some("turn_completed" | "state_update" | "subagent_spawned") => true,
                        tag => S::LIVE && tag == Some(PIECE),
                    };
                    if !wanted {
                        // Nothing about a tool call, and perhaps large: pass over it without looking.
                        *source = start;
                        source.skip()?;
                        return Ok(SessionUpdate::default());
                    }
                }
                b"toolCallId" | b"tool_call_id" => out.id = source.string()?,
                b"name" => out.name = text(source)?,
                b"title" => out.title = text(source)?,
                b"kind" => out.kind = text(source)?,
                b"status" => out.status = source.string()?,
                b"content" => out.content = Some(source.raw()?),
                b"rawInput" => {
                    let raw = source.value()?;
                    out.raw_input = if raw.is_null() { Change::Clear } else { Change::Set(raw) };
                }
                b"rawOutput" => out.output = Output::read(source, true)?,
                b"_meta" => out.meta = Some(source.value()?),
                b"stop_reason" | b"stopReason" => out.stop_reason = source.string()?,
                b"state" => out.state = source.string()?,
                b"arguments_delta" => out.piece = source.string()?,
                b"tool_index" => out.index = source.raw()?.as_i64(),
                b"child_session_id" => out.child_session = source.string()?,
                b"description" => out.description = source.string()?,
                _ => source.skip()?,
            }
        }
        Ok(out)
    }

    /// The event, if the update is about a tool call.
    pub(super) fn into_event(self, context: &Context<'a>) -> Option<ToolCallEvent<'a, V>> {
        let announced = match self.tag.as_deref() {
            Some("tool_call") => true,
            Some("tool_call_update" | "tool_call_content_chunk") | None => false,
            Some(_) => return None,
        };
        let id = self.id.clone()?;
        let status = self.status.as_deref().and_then(Status::from_acp);
        let phase = match (context.rules, announced) {
            // In v2 the first update creates the call.
            (MergeRules::V2, _) => Phase::Snapshot,
            (MergeRules::V1, true) => Phase::Started,
            (MergeRules::V1, false) if self.tag.is_none() => Phase::Snapshot,
            (MergeRules::V1, false) if status.is_some_and(Status::is_terminal) => Phase::Finished,
            (MergeRules::V1, false) => Phase::Updated,
        };
        let mut event = context.event(id, phase);
        event.status = status;
        if status == Some(Status::Failed) {
            let (error, refused) = self.failure();
            event.error = error;
            if refused {
                event.status = Some(Status::Rejected);
            }
        }
        event.exit_code = self.output.exit_code;
        if let Some(harness) = context.harness.filter(|harness| self.is_stand_in(harness)) {
            event.namespace = Some(Cow::Borrowed(harness.id));
            event.error = self.raw_input.set().and_then(|raw| owned(&raw.get("error")?));
            if status == Some(Status::Completed) {
                event.status = Some(Status::Failed);
            }
        }
        event.name = name(&event.id, &self.title, announced, context.harness, self.raw_input.set(), self.meta.as_ref());
        let patch = |change: Change<Cow<'a, str>>| match (change, context.rules) {
            // In v1 `null` is the same as absent.
            (Change::Clear, MergeRules::V1) => Change::Keep,
            (change, _) => change,
        };
        event.acp_name = patch(self.name);
        event.title = patch(self.title);
        event.acp_kind = patch(self.kind);
        event.raw_input = match (self.raw_input, context.rules) {
            (Change::Clear, MergeRules::V1) => Change::Keep,
            (change, _) => change,
        };
        event.meta = self.meta;
        Some(event)
    }

    pub(super) fn take_id(&mut self) -> Option<Cow<'a, str>> {
        self.id.take().filter(|id| !id.is_empty())
    }

    /// The event of a piece of arguments: the announcement comes when they are complete.
    pub(super) fn into_piece(self, id: Cow<'a, str>, context: &Context<'a>) -> ToolCallEvent<'a, V> {
        let mut event = context.event(id, Phase::Updated);
        event.name = self.name.set().cloned();
        event.delta = self.piece;
        event
    }

    /// The harness that the update gives away by a mark of its own.
    pub(super) fn agent(&self) -> Option<&'static Harness> {
        let marked = |key: &str| self.meta.as_ref().is_some_and(|meta| meta.get(key).is_some());
        if let Some(harness) = catalog::HARNESSES.iter().find(|harness| harness.acp.mark.is_some_and(marked)) {
            return Some(harness);
        }
        let envelope = self.meta.as_ref().and_then(|meta| owned(&meta.get(META_KEY)?.get("namespace")?));
        if self.tag.as_deref() == Some(PIECE) || envelope.is_some_and(|namespace| namespace.starts_with("grok_build")) {
            return catalog::harness("grok_build");
        }
        name_in_id(self.id.as_deref()?)?;
        catalog::HARNESSES.iter().find(|harness| harness.acp.name == AcpName::CallId).copied()
    }

    /// Whether the harness ran another tool in place of the one that was called.
    fn is_stand_in(&self, harness: &Harness) -> bool {
        self.title.set().is_some_and(|title| harness.acp.stand_in.contains(&title.as_ref()))
    }

    /// What a failed call says of its failure, and whether it was refused rather than tried.
    fn failure(&self) -> (Option<Cow<'a, str>>, bool) {
        let text = self.content.as_ref().and_then(content_text).or_else(|| self.output.message.clone());
        let refused = text.as_deref().is_some_and(|text| {
            ["Hook denied:", "User rejected", "The user doesn't want to"].iter().any(|start| text.starts_with(start))
        });
        (text, refused)
    }
}

/// What the messages around an update say of it.
pub(super) struct Context<'a> {
    pub(super) place: Place,
    pub(super) rules: MergeRules,
    pub(super) session: Option<Cow<'a, str>>,
    pub(super) time: Option<i64>,
    pub(super) harness: Option<&'static Harness>,
    pub(super) version: Option<Cow<'a, str>>,
}

impl<'a> Context<'a> {
    fn event<V>(&self, id: Cow<'a, str>, phase: Phase) -> ToolCallEvent<'a, V> {
        let mut event = ToolCallEvent::new(id, phase, self.place);
        event.rules = self.rules;
        event.session = self.session.clone();
        event.time = self.time;
        event.harness = self.harness.map(|h| Cow::Borrowed(h.id));
        event.version = self.version.clone();
        event
    }
}

fn text<'a, S: Source<'a>>(source: &mut S) -> Result<Change<Cow<'a, str>>, JsonError> {
    if source.is_null() {
        source.skip()?;
        return Ok(Change::Clear);
    }
    Ok(source.string()?.into())
}

fn owned<'a, V: JsonView>(text: &V) -> Option<Cow<'a, str>> {
    Some(Cow::Owned(text.as_str()?.into_owned()))
}

/// The first text of a `content` array.
fn content_text<'a, V: JsonView>(content: &V) -> Option<Cow<'a, str>> {
    content.items().find_map(|item| owned(&item.get("content").unwrap_or(item).get("text")?))
}

/// What `rawOutput` says beside the output itself.
#[derive(Default)]
struct Output<'a> {
    exit_code: Option<i64>,
    message: Option<Cow<'a, str>>,
}

impl<'a> Output<'a> {
    fn read<S: Source<'a>>(source: &mut S, outermost: bool) -> Result<Self, JsonError> {
        let mut out = Output::default();
        let Some(mut members) = source.object()? else { return Ok(out) };
        while let Some(key) = source.next(&mut members)? {
            match key.as_ref() {
                b"exit_code" | b"exitCode" | b"exit" => out.exit_code = source.raw()?.as_i64(),
                b"metadata" if outermost => out.exit_code = Output::read(source, false)?.exit_code.or(out.exit_code),
                b"message" | b"error" => out.message = source.string()?.or(out.message),
                _ => source.skip()?,
            }
        }
        Ok(out)
    }
}

/// The wire name, where the agent puts it elsewhere than in a field of its own.
fn name<'a, V: JsonView>(
    id: &str,
    title: &Change<Cow<'a, str>>,
    announced: bool,
    harness: Option<&'static Harness>,
    raw_input: Option<&V>,
    meta: Option<&V>,
) -> Option<Cow<'a, str>> {
    match harness?.acp.name {
        // A tool of the agent's backend has a sentence for a title, and its name in `variant`.
        AcpName::Title if announced => identifier(title).or_else(|| {
            let backend = meta?.get("backend")?.as_bool()?;
            backend.then(|| Some(Cow::Owned(snake_case(&raw_input?.get("variant")?.as_str()?)))).flatten()
        }),
        AcpName::CallId => name_in_id(id).map(|name| Cow::Owned(name.to_string())),
        AcpName::Title | AcpName::Elsewhere => None,
    }
}

/// A title that can be a wire name.
fn identifier<'a>(title: &Change<Cow<'a, str>>) -> Option<Cow<'a, str>> {
    let title = title.set()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    (!title.is_empty() && title.chars().all(plain)).then(|| title.clone())
}

fn snake_case(pascal: &str) -> String {
    let mut out = String::with_capacity(pascal.len() + 4);
    for (i, c) in pascal.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_become_names() {
        assert_eq!(snake_case("XSearch"), "x_search");
    }
}
