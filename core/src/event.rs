//! Events: what every reader yields, and what the ledger merges.

use alloc::borrow::Cow;

/// One thing that a log or a stream says of one tool call. Everything but the id is optional; text is borrowed from the
/// source, and the raw input is only a view of it.
#[derive(Clone, Debug)]
pub struct ToolCallEvent<'a, V> {
    /// The call's id, as the source gives it. Unique only together with `session` and `agent`.
    pub id: Cow<'a, str>,
    /// The session that the call belongs to.
    pub session: Option<Cow<'a, str>>,
    /// The subagent within the session, if the call is not the main agent's.
    pub agent: Option<Cow<'a, str>>,
    /// The id of the call that started the subagent, where the source names it.
    pub parent: Option<Cow<'a, str>>,
    /// The subagent or child session that this call has started.
    pub started: Option<Cow<'a, str>>,
    /// What the event is to the call.
    pub phase: Phase,
    /// Whose rules say what `null` and `{}` mean.
    pub rules: MergeRules,
    /// Where the event stands in the source.
    pub place: Place,
    /// When it happened, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The harness that made the call: an id of the catalog, or any other text.
    pub harness: Option<Cow<'a, str>>,
    /// The harness's version.
    pub version: Option<Cow<'a, str>>,
    /// The namespace, where the source names it.
    pub namespace: Option<Cow<'a, str>>,
    /// The tool's name on the wire.
    pub name: Option<Cow<'a, str>>,
    /// ACP's stable tool name.
    pub acp_name: Change<Cow<'a, str>>,
    /// The title shown to people.
    pub title: Change<Cow<'a, str>>,
    /// The ACP tool kind.
    pub acp_kind: Change<Cow<'a, str>>,
    /// Server and tool, where the source itself says that this is an MCP call.
    pub mcp: Option<(Cow<'a, str>, Cow<'a, str>)>,
    /// The arguments: an object, JSON text in a string, or bare text.
    pub raw_input: Change<V>,
    /// More of the text of the arguments, where they stream: JSON as the model writes it, or bare text, in pieces cut anywhere.
    /// Pieces of one call follow each other in order. Ignored in an event that has a `raw_input` too, which is all of them. The
    /// announcement of a call whose arguments will come so has a piece as well, often an empty one.
    pub delta: Option<Cow<'a, str>>,
    /// The `_meta` object.
    pub meta: Option<V>,
    /// How the call stands.
    pub status: Option<Status>,
    /// The exit code of a command. It says nothing of the status: half of the harnesses call a failed command a success.
    pub exit_code: Option<i64>,
    /// What went wrong, in the source's words.
    pub error: Option<Cow<'a, str>>,
}

impl<'a, V> ToolCallEvent<'a, V> {
    /// An event that says nothing yet.
    pub fn new(id: impl Into<Cow<'a, str>>, phase: Phase, place: Place) -> Self {
        ToolCallEvent {
            id: id.into(),
            session: None,
            agent: None,
            parent: None,
            started: None,
            phase,
            rules: MergeRules::V1,
            place,
            time: None,
            harness: None,
            version: None,
            namespace: None,
            name: None,
            acp_name: Change::Keep,
            title: Change::Keep,
            acp_kind: Change::Keep,
            mcp: None,
            raw_input: Change::Keep,
            delta: None,
            meta: None,
            status: None,
            exit_code: None,
            error: None,
        }
    }
}

/// What an event is to its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The call is announced.
    Started,
    /// More is known of it. Without an announcement before it the call is an orphan.
    Updated,
    /// It has ended. Without an announcement before it the call is an orphan.
    Finished,
    /// All that is known of it at this time: harnesses that rewrite records, and ACP v2. Creates the call if need be.
    Snapshot,
    /// A second account of a call that another record announces. Ignored for a call that is not known.
    Mirror,
}

impl Phase {
    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Phase::Started => "started",
            Phase::Updated => "updated",
            Phase::Finished => "finished",
            Phase::Snapshot => "snapshot",
            Phase::Mirror => "mirror",
        }
    }
}

/// The two ways in which the parts of an event replace what was known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeRules {
    /// ACP v1, and everything else: what is absent, `null` or (for the raw input) `{}` changes nothing.
    #[default]
    V1,
    /// ACP v2: `null` clears, `{}` is a value.
    V2,
}

/// A change to one part of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// Leave it as it is.
    #[default]
    Keep,
    /// Forget it (`null`, which only ACP v2 means so).
    Clear,
    /// Replace it.
    Set(T),
}

impl<T> From<Option<T>> for Change<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Change::Keep, Change::Set)
    }
}

impl<T> Change<T> {
    /// The new value, if there is one.
    pub fn set(&self) -> Option<&T> {
        match self {
            Change::Set(value) => Some(value),
            Change::Keep | Change::Clear => None,
        }
    }
}

/// How a call stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Announced; its arguments may still be streaming, or it awaits approval.
    #[default]
    Pending,
    /// Running.
    InProgress,
    /// Ended well, as its harness sees it.
    Completed,
    /// Ended with an error.
    Failed,
    /// Refused by the user, a hook or a permission rule, and so never run.
    Rejected,
    /// Stopped before its end.
    Cancelled,
    /// Its turn or session ended, and no result was recorded.
    Unresolved,
}

impl Status {
    /// Every status, in order.
    pub const ALL: [Status; 7] = [
        Status::Pending,
        Status::InProgress,
        Status::Completed,
        Status::Failed,
        Status::Rejected,
        Status::Cancelled,
        Status::Unresolved,
    ];

    /// A short stable name; the first four are ACP's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Rejected => "rejected",
            Status::Cancelled => "cancelled",
            Status::Unresolved => "unresolved",
        }
    }

    /// Reads an ACP status.
    pub fn from_acp(wire: &str) -> Option<Status> {
        Some(match wire {
            "pending" => Status::Pending,
            "in_progress" => Status::InProgress,
            "completed" => Status::Completed,
            "failed" => Status::Failed,
            "cancelled" => Status::Cancelled,
            _ => return None,
        })
    }

    /// Whether the call has ended. Such a status never goes back to an open one.
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Status::Pending | Status::InProgress)
    }
}

/// Where something stands in its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Line, or message of a live stream, counted from 1; 0 where the source has neither.
    pub line: u64,
    /// Byte offset from the start of the source.
    pub offset: u64,
}

/// The end of a turn or session: calls that are still open will get no result any more.
#[derive(Clone, Debug, Default)]
pub struct TurnEnd<'a> {
    /// The session; `None` for every session of the source.
    pub session: Option<Cow<'a, str>>,
    /// The subagent; `None` for the main agent alone.
    pub agent: Option<Cow<'a, str>>,
    /// Whether the turn was stopped rather than finished.
    pub cancelled: bool,
    /// When, in milliseconds since 1970.
    pub time: Option<i64>,
}
