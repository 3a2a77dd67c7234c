//! A call's record: what is known of it, and what decided it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use crate::event::{Place, Status};
use crate::identity::Identity;

/// One tool call, merged from its events.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The call's id, as the source gives it.
    pub id: String,
    /// The session that the call belongs to.
    pub session: Option<Box<str>>,
    /// The subagent within the session, if the call is not the main agent's.
    pub agent: Option<Box<str>>,
    /// The id of the call that started the subagent or the session.
    pub parent: Option<Box<str>>,
    /// The subagent or child session that this call has started.
    pub started: Option<Box<str>>,
    /// The harness that made the call: an id of the catalog where it is one.
    pub harness: Option<Cow<'static, str>>,
    /// The harness's version.
    pub version: Option<Box<str>>,
    /// The latest title, for people.
    pub title: Option<Box<str>>,
    /// The latest ACP kind.
    pub acp_kind: Option<Box<str>>,
    /// How the call stands.
    pub status: Status,
    /// The exit code of a command; kept apart from the status.
    pub exit_code: Option<i64>,
    /// What went wrong, in the source's words, shortened.
    pub error: Option<Box<str>>,
    /// First time an event gave, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// Time of the event that ended the call, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// Where the call first appears in its source.
    pub place: Place,
    /// What the call is, its canonical input, and which evidence decided.
    ///
    /// In a place of its own: as part of a list that grows, most of a record's memory would be needed twice.
    pub identity: Box<Identity>,
    /// The raw input as JSON text, where the ledger was asked to keep it.
    pub raw_input: Option<Box<str>>,
    /// What was odd about the call's events.
    pub flags: Flags,
}

impl ToolCall {
    /// How long the call took, in milliseconds; `None` while it runs, where times are missing, or where they run backwards.
    pub fn duration(&self) -> Option<u64> {
        u64::try_from(self.ended_at?.checked_sub(self.started_at?)?).ok()
    }

    /// The wire name, for diagnostics.
    pub fn name(&self) -> &str {
        &self.identity.meta.name
    }

    /// The label to group by.
    pub fn label(&self) -> &str {
        &self.identity.meta.label
    }
}

/// What can be odd about a call's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Flag {
    /// No event announced the call; nothing was invented for it.
    Orphan,
    /// The call was announced more than once.
    AnnouncedAgain,
    /// Events came after the end; they reopened nothing.
    LateEvent,
    /// A later envelope changed namespace or name, and was kept out.
    EnvelopeConflict,
    /// No arguments have come.
    InputPending,
    /// The id was used before by another call of the session.
    ReusedId,
    /// The end was set because the turn or session ended, not by a result.
    Swept,
    /// The arguments still stream: the input is what there is of them so far.
    Streaming,
    /// The call ended before its arguments did: the input is what there was of them.
    IncompleteInput,
    /// The text of the arguments is no JSON: the input is what stood before the fault.
    BrokenInput,
}

impl Flag {
    /// Every flag.
    pub const ALL: [Flag; 10] = [
        Flag::Orphan,
        Flag::AnnouncedAgain,
        Flag::LateEvent,
        Flag::EnvelopeConflict,
        Flag::InputPending,
        Flag::ReusedId,
        Flag::Swept,
        Flag::Streaming,
        Flag::IncompleteInput,
        Flag::BrokenInput,
    ];

    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Flag::Orphan => "orphan",
            Flag::AnnouncedAgain => "announced_again",
            Flag::LateEvent => "late_event",
            Flag::EnvelopeConflict => "envelope_conflict",
            Flag::InputPending => "input_pending",
            Flag::ReusedId => "reused_id",
            Flag::Swept => "swept",
            Flag::Streaming => "streaming",
            Flag::IncompleteInput => "incomplete_input",
            Flag::BrokenInput => "broken_input",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// A set of [`Flag`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    /// Whether `flag` is set.
    pub const fn has(self, flag: Flag) -> bool {
        self.0 & flag.bit() != 0
    }

    /// The flags that are set.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.into_iter().filter(move |flag| self.has(*flag))
    }

    pub(crate) fn set(&mut self, flag: Flag, on: bool) {
        if on {
            self.0 |= flag.bit();
        } else {
            self.0 &= !flag.bit();
        }
    }
}
