//! Runs: neighbouring calls that share a key.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::call::ToolCall;
use crate::groups::GroupBy;
use crate::summary::{Counted, Summary};

/// Neighbouring calls that share a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What the calls share; `None` for a call that has no such value.
    pub value: Option<String>,
    /// A key that stays the same while the run grows: the value and the id of its first call.
    pub key: String,
    /// The first call, as an index into the order in which they were added.
    pub first: usize,
    /// How many calls there are.
    pub len: usize,
    /// What they come to.
    pub summary: Summary,
}

impl Run {
    /// A run that begins with this call, which is number `first`.
    pub fn new(by: GroupBy, first: usize, call: &ToolCall) -> Self {
        let value = by.value(call);
        let key = alloc::format!("{}:{}@{}", by.as_str(), value.unwrap_or("-"), call.id);
        let mut run = Run { value: value.map(ToOwned::to_owned), key, first, len: 0, summary: Summary::default() };
        run.add(call);
        run
    }

    /// Takes in the next call, which shares the key.
    pub fn add(&mut self, call: &ToolCall) {
        self.len += 1;
        self.summary.add(call);
    }
}

/// Runs of calls, in order. Adding a call, or telling of a change to one, costs the same however many there are.
///
/// ```
/// use toolprism::{GroupBy, Runs};
/// assert!(Runs::new(GroupBy::Label).runs().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Runs {
    by: GroupBy,
    runs: Vec<Run>,
    /// What each call counted as when it was last told of.
    counted: Vec<Counted>,
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

    /// Adds a call at the end, and returns the index of its run.
    pub fn add(&mut self, call: &ToolCall) -> usize {
        let value = self.by.value(call);
        let at = self.counted.len();
        self.counted.push(Counted::of(call));
        if let Some(run) = self.runs.last_mut().filter(|run| value.is_some() && run.value.as_deref() == value) {
            run.add(call);
            return self.runs.len() - 1;
        }
        self.runs.push(Run::new(self.by, at, call));
        self.runs.len() - 1
    }

    /// Tells of a change to the call number `at` of all `calls` added so far, and returns the indices of the runs that changed.
    /// Where the call no longer shares its run's key, the runs from there on are made anew, which costs as much as there are
    /// calls behind it.
    pub fn update(&mut self, at: usize, calls: &[ToolCall]) -> Range<usize> {
        let (Some(call), Some(counted)) = (calls.get(at), self.counted.get_mut(at)) else { return 0..0 };
        let holder = self.runs.partition_point(|run| run.first <= at).saturating_sub(1);
        let Some(run) = self.runs.get_mut(holder) else { return 0..0 };
        if run.value.as_deref() == self.by.value(call) {
            run.summary.remove(counted);
            run.summary.add(call);
            *counted = Counted::of(call);
            return holder..holder + 1;
        }
        // The call may now go with those before it.
        let keep = holder.saturating_sub(1);
        let (first, known) = (self.runs.get(keep).map_or(0, |run| run.first), self.counted.len());
        self.runs.truncate(keep);
        self.counted.truncate(first);
        for call in calls.get(first..known).unwrap_or_default() {
            self.add(call);
        }
        keep..self.runs.len()
    }
}
