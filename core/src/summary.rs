//! What the calls of a group or run come to, kept up to date one call at a time.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::call::ToolCall;
use crate::event::Status;

/// A summary lists this many different paths; whether there are further ones is all that is told of them.
pub const MOST_PATHS: usize = 1000;

/// So many paths are found by looking through all of them; most runs have fewer.
const FEW_PATHS: usize = 8;

/// What calls come to: how they ended, what they touched, how long they took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
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
    /// The longest known duration, in milliseconds; also of a call that has been taken out since.
    pub longest: u64,
    /// The paths that are listed, once they are more than a few.
    listed: HashSet<String>,
}

impl Summary {
    /// What these calls come to, but for their paths, which are left out.
    pub fn without_paths<'c>(calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        let mut summary = Summary::default();
        for call in calls {
            summary.count_in(&Counted::of(call));
        }
        summary
    }

    /// How many calls there are.
    pub fn count(&self) -> usize {
        self.by_status.iter().sum()
    }

    /// How many calls have this status.
    pub fn with_status(&self, status: Status) -> usize {
        self.by_status.get(status as usize).copied().unwrap_or_default()
    }

    /// The share of calls that only read, 0 to 1.
    pub fn read_only_share(&self) -> f64 {
        let calls = self.count();
        if calls == 0 { 0.0 } else { self.read_only as f64 / calls as f64 }
    }

    pub(crate) fn add(&mut self, call: &ToolCall) {
        self.count_in(&Counted::of(call));
        if let Some(path) = path(call) {
            self.list(path);
        }
    }

    fn count_in(&mut self, counted: &Counted) {
        if let Some(n) = self.by_status.get_mut(counted.status as usize) {
            *n += 1;
        }
        self.read_only += usize::from(counted.read_only);
        if let Some(duration) = counted.duration {
            self.timed += 1;
            self.duration = self.duration.saturating_add(duration);
            self.longest = self.longest.max(duration);
        }
    }

    /// Takes a call out again, as it was counted.
    pub(crate) fn remove(&mut self, counted: &Counted) {
        if let Some(n) = self.by_status.get_mut(counted.status as usize) {
            *n = n.saturating_sub(1);
        }
        self.read_only = self.read_only.saturating_sub(usize::from(counted.read_only));
        if let Some(duration) = counted.duration {
            self.timed = self.timed.saturating_sub(1);
            self.duration = self.duration.saturating_sub(duration);
        }
    }

    fn list(&mut self, path: &str) {
        let few = self.listed.is_empty();
        let known = if few { self.paths.iter().any(|known| known == path) } else { self.listed.contains(path) };
        if known {
            return;
        }
        if self.paths.len() == MOST_PATHS {
            self.more_paths = true;
            return;
        }
        self.paths.push(path.to_owned());
        if self.paths.len() > FEW_PATHS {
            // The first time, all that were few before.
            let unlisted = self.listed.len();
            self.listed.extend(self.paths.iter().skip(unlisted).cloned());
        }
    }
}

/// What a call counted as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    status: Status,
    read_only: bool,
    duration: Option<u64>,
}

impl Counted {
    pub(crate) fn of(call: &ToolCall) -> Self {
        Counted { status: call.status, read_only: call.identity.meta.read_only, duration: call.duration() }
    }
}

/// What a call touches: the canonical input's `path` or `directory`.
pub(crate) fn path(call: &ToolCall) -> Option<&str> {
    let input = call.identity.meta.canonical_input()?;
    input.path.as_deref().or(input.directory.as_deref())
}
