//! What a client is told of a call: ACP's `tool_call` and `tool_call_update`, each with the envelope.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use toolprism::{CanonicalInput, CanonicalToolMeta, Field, Kind, META_KEY};

use crate::{ContentBlock, Output, Progress, ToolContent, ToolError, compact};

/// The key beside the envelope in `_meta` under which a [`Progress`] item stands as it is.
pub const PROGRESS_KEY: &str = "toolprism/progress";

/// A title is not longer than this, in bytes.
const MAX_TITLE: usize = 200;

/// Where a call stands, in ACP's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is announced.
    Pending,
    /// It runs.
    InProgress,
    /// It did what it was asked for.
    Completed,
    /// It did not: it was refused, failed, ran out of time or was cancelled.
    Failed,
}

/// One step of a call: the `update` of an ACP `session/update`.
///
/// Serialize it, or look into its fields. It borrows from the call, so that a step costs nothing that nobody looks at.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Update<'u> {
    /// `tool_call` for the first step, `tool_call_update` for all others.
    pub session_update: &'static str,
    /// The call's id.
    pub tool_call_id: &'u str,
    /// The tool's client name; in the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'u str>,
    /// What to show of the call; in the first step, and when its arguments are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title<'u>>,
    /// ACP's kind; in the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Where the call stands.
    pub status: Status,
    /// The arguments as the model wrote them; in the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_input: Option<Raw<'u>>,
    /// What people see, in place of what they saw before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content<'u>>,
    /// What came of it, for programs; in the last step. Of a call that failed it is `{"type": "Error", "kind", "message"}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_output: Option<RawOutput<'u>>,
    /// The envelope, and what the tool itself said.
    #[serde(rename = "_meta")]
    pub meta: UpdateMeta<'u>,
}

impl<'u> Update<'u> {
    /// A step without anything but what all have.
    pub(crate) fn new(id: &'u str, status: Status, meta: UpdateMeta<'u>) -> Self {
        Update {
            session_update: "tool_call_update",
            tool_call_id: id,
            name: None,
            title: None,
            kind: None,
            status,
            raw_input: None,
            content: None,
            raw_output: None,
            meta,
        }
    }

    /// The update as JSON text on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The `_meta` of an update.
#[derive(Clone, Copy, Debug)]
pub struct UpdateMeta<'u> {
    /// The envelope without its input.
    pub envelope: &'u CanonicalToolMeta,
    /// Its input, once the arguments are checked.
    pub input: Option<&'u CanonicalInput>,
    /// What the tool said.
    pub progress: Option<&'u Progress>,
}

impl Serialize for UpdateMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.input {
            Some(input) => map.serialize_entry(META_KEY, &self.envelope.with_input(input))?,
            None => map.serialize_entry(META_KEY, self.envelope)?,
        }
        if let Some(progress) = self.progress {
            map.serialize_entry(PROGRESS_KEY, progress)?;
        }
        map.end()
    }
}

/// A call's title: the tool's name, or what it does to what.
#[derive(Clone, Copy, Debug)]
pub enum Title<'u> {
    /// The tool's name.
    Name(&'u str),
    /// The label of the kind, and the file, command or pattern.
    Target(&'static str, &'u str),
}

impl<'u> Title<'u> {
    /// The title of a call with this input, if there is something to say.
    pub(crate) fn of(kind: Kind, input: &'u CanonicalInput) -> Option<Self> {
        let fields = [Field::Command, Field::Pattern, Field::Path, Field::Directory];
        let target = fields.into_iter().find_map(|field| input.text(field))?;
        Some(Title::Target(kind.label(), target))
    }
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Title::Name(name) => f.write_str(name),
            Title::Target(label, target) => {
                let (line, rest) = target.split_once('\n').unwrap_or((target, ""));
                let (shown, cut) = crate::delta::split(line, MAX_TITLE);
                let dots = if rest.is_empty() && cut.is_empty() { "" } else { "..." };
                write!(f, "{label} {shown}{dots}")
            }
        }
    }
}

impl Serialize for Title<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Text that is JSON, or is meant to be: it is written as the JSON that it is, or else as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'u>(pub &'u str);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        compact::as_raw(self.0, serializer)
    }
}

/// What came of a call, for programs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RawOutput<'u> {
    /// The tool's output.
    Output(&'u Output),
    /// Why there is none.
    Error(&'u ToolError),
}

impl Serialize for RawOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "type", rename = "Error")]
        struct Tagged<'e> {
            kind: &'static str,
            message: &'e str,
            #[serde(skip_serializing_if = "Option::is_none")]
            details: Option<&'e serde_json::Value>,
        }
        match self {
            RawOutput::Output(output) => output.serialize(serializer),
            RawOutput::Error(ToolError { kind, message, details }) => {
                Tagged { kind: kind.as_str(), message, details: details.as_ref() }.serialize(serializer)
            }
        }
    }
}

/// What people see of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'u> {
    /// A text.
    Text(Cow<'u, str>),
    /// Blocks.
    Blocks(&'u [ContentBlock]),
    /// What the output's type says.
    Items(&'u [ToolContent]),
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "type", rename = "content")]
        struct Block<T> {
            content: T,
        }
        #[derive(Serialize)]
        #[serde(tag = "type", rename = "text")]
        struct Text<'t> {
            text: &'t str,
        }
        match self {
            Content::Text(text) => [Block { content: Text { text } }].serialize(serializer),
            Content::Blocks(blocks) => serializer.collect_seq(blocks.iter().map(|content| Block { content })),
            Content::Items(items) => items.serialize(serializer),
        }
    }
}
