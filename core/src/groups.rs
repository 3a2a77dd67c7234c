//! Groups and runs: calls that share a key, kept up to date one call at a time.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use crate::call::ToolCall;
use crate::event::Status;

/// A group remembers this many different paths; further ones are only counted as "more".
pub const MOST_PATHS: usize = 1000;

/// What calls are grouped by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

fn path(call: &ToolCall) -> Option<&str> {
    let input = call.identity.meta.canonical_input()?;
    input.path.as_deref().or(input.directory.as_deref())
}

/// The calls that share a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// What the calls share, such as `"Run Command"`.
    pub value: String,
    /// The calls, as indices into the order in which they were added.
    pub calls: Vec<usize>,
    /// How many calls have each status, in the order of [`Status::ALL`].
    pub by_status: [usize; Status::ALL.len()],
    /// How many calls only read.
    pub read_only: usize,
    /// The different paths the calls touch, or touched before they changed, in order of appearance, at most [`MOST_PATHS`].
    pub paths: Vec<String>,
    /// Whether there were more paths than are listed.
    pub more_paths: bool,
    /// How many calls have a known duration.
    pub timed: usize,
    /// The sum of the known durations, in milliseconds.
    pub duration: u64,
    /// The longest known duration, in milliseconds; also of a call that has left the group since.
    pub longest: u64,
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

    /// How many calls have this status.
    pub fn with_status(&self, status: Status) -> usize {
        self.by_status.get(status as usize).copied().unwrap_or_default()
    }

    /// The share of calls that only read, 0 to 1.
    pub fn read_only_share(&self) -> f64 {
        if self.calls.is_empty() { 0.0 } else { self.read_only as f64 / self.calls.len() as f64 }
    }

    /// Counts a call in, or out again; the longest duration only ever grows.
    fn count_call(&mut self, counted: &Counted, come: bool) {
        let step = |n: &mut usize, on: bool| match (on, come) {
            (true, true) => *n += 1,
            (true, false) => *n = n.saturating_sub(1),
            (false, _) => {}
        };
        if let Some(n) = self.by_status.get_mut(counted.status as usize) {
            step(n, true);
        }
        step(&mut self.read_only, counted.read_only);
        step(&mut self.timed, counted.duration.is_some());
        let duration = counted.duration.unwrap_or_default();
        self.duration = if come { self.duration + duration } else { self.duration.saturating_sub(duration) };
        self.longest = self.longest.max(duration);
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
    /// Per group, the paths it has listed.
    seen: Vec<HashSet<String>>,
    /// What each call counted as when it was last told of.
    counted: Vec<Counted>,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    group: Option<usize>,
    status: Status,
    read_only: bool,
    duration: Option<u64>,
}

impl Counted {
    fn of(group: Option<usize>, call: &ToolCall) -> Self {
        Counted { group, status: call.status, read_only: call.identity.meta.read_only, duration: call.duration() }
    }
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

    /// Adds a call, and returns its index.
    pub fn add(&mut self, call: &ToolCall) -> usize {
        let at = self.counted.len();
        self.counted.push(Counted::of(None, call));
        self.update(at, call);
        at
    }

    /// Tells of a change to the call that was added as number `at`. A call that changes its group is moved, which costs as
    /// much as its old group is long.
    pub fn update(&mut self, at: usize, call: &ToolCall) {
        let Some(before) = self.counted.get(at).copied() else { return };
        let group = self.by.value(call).map(|value| self.group(value));
        let now = Counted::of(group, call);
        if let Some(old) = before.group.and_then(|g| self.groups.get_mut(g)) {
            old.count_call(&before, false);
            if before.group != group {
                old.calls.retain(|i| *i != at);
            }
        }
        if let Some(new) = group.and_then(|g| self.groups.get_mut(g)) {
            new.count_call(&now, true);
            if before.group != group {
                new.calls.push(at);
            }
        }
        if let Some(counted) = self.counted.get_mut(at) {
            *counted = now;
        }
        if let Some(group) = group {
            self.list_path(group, call);
        }
    }

    fn list_path(&mut self, group: usize, call: &ToolCall) {
        let (Some(path), Some(group), Some(seen)) = (path(call), self.groups.get_mut(group), self.seen.get_mut(group))
        else {
            return;
        };
        if seen.contains(path) {
            return;
        }
        if seen.len() == MOST_PATHS {
            group.more_paths = true;
            return;
        }
        seen.insert(path.to_owned());
        group.paths.push(path.to_owned());
    }

    fn group(&mut self, value: &str) -> usize {
        if let Some(at) = self.index.get(value) {
            return *at;
        }
        let at = self.groups.len();
        self.groups.push(Group { value: value.to_owned(), ..Default::default() });
        self.seen.push(HashSet::new());
        self.index.insert(value.to_owned(), at);
        at
    }
}

/// Neighbouring calls that share a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What the calls share; `None` for a call that has no such value.
    pub value: Option<String>,
    /// A key that stays the same while the run grows: the value and the id of its first call.
    pub key: String,
    /// The first call, as an index into the order in which they were added.
    pub first: usize,
    /// How many calls there are.
    pub len: usize,
}

/// Runs of calls, in order. Adding a call costs the same however many there are.
///
/// ```
/// use toolprism::{GroupBy, Runs};
/// assert!(Runs::new(GroupBy::Label).runs().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Runs {
    by: GroupBy,
    runs: Vec<Run>,
    calls: usize,
}

impl Runs {
    /// No runs yet.
    pub fn new(by: GroupBy) -> Self {
        Runs { by, ..Default::default() }
    }

    /// The runs of these calls.
    pub fn of<'c>(by: GroupBy, calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        let mut runs = Runs::new(by);
        for call in calls {
            runs.add(call);
        }
        runs
    }

    /// The runs.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Adds a call at the end.
    pub fn add(&mut self, call: &ToolCall) {
        let value = self.by.value(call);
        let at = self.calls;
        self.calls += 1;
        match self.runs.last_mut() {
            Some(run) if run.value.as_deref() == value && value.is_some() => run.len += 1,
            _ => {
                let name = value.map_or(Cow::Borrowed("-"), Cow::Borrowed);
                let key = alloc::format!("{}:{name}@{}", self.by.as_str(), call.id);
                self.runs.push(Run { value: value.map(ToOwned::to_owned), key, first: at, len: 1 });
            }
        }
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
