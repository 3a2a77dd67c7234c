//! Groups: calls that share a key, kept up to date one call at a time.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::call::ToolCall;
use crate::runs::Runs;
use crate::summary::{Counted, Summary, path};

/// What calls are grouped by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupBy {
    /// The label: the same for equivalent tools of every harness.
    #[default]
    Label,
    /// The wire name.
    Name,
    /// The kind.
    Kind,
    /// The namespace.
    Namespace,
    /// The harness; calls whose harness is not known are left out.
    Harness,
    /// The MCP server; calls of other tools are left out.
    Server,
    /// The canonical input's `path` or `directory`; calls without one are left out.
    Path,
}

impl GroupBy {
    /// Every way, in order.
    pub const ALL: [GroupBy; 7] = [
        GroupBy::Label,
        GroupBy::Name,
        GroupBy::Kind,
        GroupBy::Namespace,
        GroupBy::Harness,
        GroupBy::Server,
        GroupBy::Path,
    ];

    /// A short stable name; also the first part of the groups' keys.
    pub const fn as_str(self) -> &'static str {
        match self {
            GroupBy::Label => "label",
            GroupBy::Name => "name",
            GroupBy::Kind => "kind",
            GroupBy::Namespace => "namespace",
            GroupBy::Harness => "harness",
            GroupBy::Server => "server",
            GroupBy::Path => "path",
        }
    }

    /// The value by which `call` is grouped, if it has one.
    pub fn value(self, call: &ToolCall) -> Option<&str> {
        let meta = &call.identity.meta;
        match self {
            GroupBy::Label => Some(&meta.label),
            GroupBy::Name => Some(&meta.name),
            GroupBy::Kind => Some(meta.kind.as_str()),
            GroupBy::Namespace => Some(meta.namespace.as_str()),
            GroupBy::Harness => call.harness.as_deref(),
            GroupBy::Server => call.identity.mcp.as_ref().map(|mcp| mcp.server.as_str()),
            GroupBy::Path => path(call),
        }
    }
}

/// The calls that share a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// What the calls share, such as `"Run Command"`.
    pub value: String,
    /// The calls, as indices into the order in which they were added, and in that order.
    pub calls: Vec<usize>,
    /// What they come to.
    pub summary: Summary,
}

impl Group {
    /// A key that stays the same while calls come and go, for lists on a screen: `label:Run Command`.
    pub fn key(&self, by: GroupBy) -> String {
        alloc::format!("{}:{}", by.as_str(), self.value)
    }

    /// How many calls there are.
    pub fn count(&self) -> usize {
        self.calls.len()
    }
}

/// Groups of calls. Adding a call, or telling of a change to one, costs the same however many there are.
///
/// ```
/// use toolprism::{CallLedger, GroupBy, Groups};
/// let ledger = CallLedger::default();
/// let groups = Groups::of(GroupBy::Label, ledger.calls());
/// assert!(groups.groups().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Groups {
    by: GroupBy,
    groups: Vec<Group>,
    index: HashMap<String, usize>,
    /// The group of each call, and what it counted as when it was last told of.
    counted: Vec<(Option<usize>, Counted)>,
}

impl Groups {
    /// No groups yet.
    pub fn new(by: GroupBy) -> Self {
        Groups { by, ..Default::default() }
    }

    /// The groups of these calls.
    pub fn of<'c>(by: GroupBy, calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        let mut groups = Groups::new(by);
        for call in calls {
            groups.add(call);
        }
        groups
    }

    /// What the calls are grouped by.
    pub fn by(&self) -> GroupBy {
        self.by
    }

    /// The groups, in order of appearance. A group that lost its calls stays, empty, so that positions are stable.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The index of the group that the call added as number `at` is in.
    pub fn holder(&self, at: usize) -> Option<usize> {
        self.counted.get(at).and_then(|(group, _)| *group)
    }

    /// Adds a call, and returns its index.
    pub fn add(&mut self, call: &ToolCall) -> usize {
        let at = self.counted.len();
        let group = self.group_of(call);
        if let Some(group) = group.and_then(|group| self.groups.get_mut(group)) {
            group.calls.push(at);
            group.summary.add(call);
        }
        self.counted.push((group, Counted::of(call)));
        at
    }

    /// Tells of a change to the call that was added as number `at`. A call that changes its group is moved, which costs as
    /// much as its old group is long.
    pub fn update(&mut self, at: usize, call: &ToolCall) {
        let Some(&(old, counted)) = self.counted.get(at) else { return };
        let new = self.group_of(call);
        if let Some(group) = old.and_then(|group| self.groups.get_mut(group)) {
            group.summary.remove(&counted);
            if old != new {
                group.calls.retain(|i| *i != at);
            }
        }
        if let Some(group) = new.and_then(|group| self.groups.get_mut(group)) {
            group.summary.add(call);
            if old != new {
                group.calls.insert(group.calls.partition_point(|i| *i < at), at);
            }
        }
        if let Some(entry) = self.counted.get_mut(at) {
            *entry = (new, Counted::of(call));
        }
    }

    /// The group that a call belongs to; a new one if there is none yet.
    fn group_of(&mut self, call: &ToolCall) -> Option<usize> {
        let value = self.by.value(call)?;
        if let Some(at) = self.index.get(value) {
            return Some(*at);
        }
        let at = self.groups.len();
        self.groups.push(Group { value: value.to_owned(), ..Default::default() });
        self.index.insert(value.to_owned(), at);
        Some(at)
    }
}

impl crate::ledger::CallLedger {
    /// The calls, grouped.
    pub fn groups(&self, by: GroupBy) -> Groups {
        Groups::of(by, self.calls())
    }

    /// The runs of the calls.
    pub fn runs(&self, by: GroupBy) -> Runs {
        Runs::of(by, self.calls())
    }
}
