//! Groups and runs of the calls of a scan.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use toolprism::{GroupBy, Run, Summary, ToolCall};

use super::Scan;
use super::list::{List, One};
use crate::csv::csv_text;
use crate::error::Error;
use crate::groups::{self, FIGURES, Figures, GROUP, run_record};
use crate::ledger::group_by;
use crate::members::Members;
use crate::record::{Datum, Record, array_text};
use crate::tally::Tally;

/// The finest that an activity is told.
const MOST_BINS: usize = 1_000;

/// What calls can be grouped by.
#[derive(Clone, Copy)]
enum By {
    Call(GroupBy),
    Session,
    File,
    Status,
    All,
}

impl By {
    fn read(name: &str) -> Result<Self, Error> {
        const OTHERS: [By; 4] = [By::Session, By::File, By::Status, By::All];
        let others = OTHERS.into_iter().find(|by| by.as_str() == name);
        others.map_or_else(|| group_by(name).map(By::Call), Ok).map_err(|error| {
            let message = format!("{}, {}", error.message, OTHERS.map(By::as_str).join(", "));
            Error { message, ..error }
        })
    }

    fn as_str(self) -> &'static str {
        match self {
            By::Call(by) => by.as_str(),
            By::Session => "session",
            By::File => "file",
            By::Status => "status",
            By::All => "all",
        }
    }

    fn value<'a>(self, list: &List<'a>, one: One<'a>) -> Option<&'a str> {
        match self {
            By::Call(by) => by.value(one.call),
            By::Session => one.call.session.as_deref(),
            By::File => list.file(one),
            By::Status => Some(one.call.status.as_str()),
            By::All => Some("all"),
        }
    }
}

/// What is to be told of groups or runs.
struct Options {
    /// Those from one place to before another.
    from: usize,
    to: usize,
    which: Figures,
    /// Into so many parts an activity is divided.
    bins: Option<usize>,
}

impl Options {
    fn read(text: &[u8]) -> Result<Self, Error> {
        let options = Members::read(text)?;
        let bins = options.size("bins")?;
        if let Some(bins) = bins.filter(|bins| !(1..=MOST_BINS).contains(bins)) {
            return Err(Error::new("out_of_range", format!("\"bins\" must be from 1 to {MOST_BINS}, not {bins}")));
        }
        Ok(Options {
            from: options.size("from")?.unwrap_or(0),
            to: options.size("to")?.unwrap_or(usize::MAX),
            which: if options.flag("brief")? { Figures::Brief } else { Figures::All },
            bins,
        })
    }

    /// Those that are asked for.
    fn page<'i, T>(&self, all: &'i [T]) -> &'i [T] {
        let to = self.to.min(all.len());
        all.get(self.from.min(to)..to).unwrap_or_default()
    }
}

/// Calls that share a value.
struct Group<'a> {
    value: &'a str,
    /// Places in the list of what was asked about.
    places: Vec<u32>,
}

impl Scan {
    /// The records of the groups, the largest first, as a JSON array; of these calls only, if any are given.
    ///
    /// `by` is what [`Ledger::groups`](crate::Ledger::groups) takes, or `session`, `file`, `status`, or `all`, which puts all calls into one group. Options:
    /// `from` and `to` (the groups from one place to before another), `brief` (without names, labels and paths), and `bins`:
    /// each record then has `activity`, so many numbers: how its calls are spread over the time of all those asked about, or
    /// over their places where that is no more than a moment.
    pub fn groups(&self, by: &str, numbers: Option<&[u32]>, options: &[u8]) -> Result<String, Error> {
        let options = Options::read(options)?;
        self.with_groups(by, numbers, &options, |records| array_text(records))
    }

    /// The groups as CSV, as of `toolprism groups`, with a line of names.
    pub fn groups_csv(&self, by: &str, numbers: Option<&[u32]>) -> Result<String, Error> {
        let options = Options { from: 0, to: usize::MAX, which: Figures::All, bins: None };
        let names = [GROUP, FIGURES].concat();
        self.with_groups(by, numbers, &options, |records| csv_text(Some(&names), records))
    }

    fn with_groups(
        &self,
        by: &str,
        numbers: Option<&[u32]>,
        options: &Options,
        write: impl FnOnce(&mut dyn Iterator<Item = Record<'_>>) -> String,
    ) -> Result<String, Error> {
        let by = By::read(by)?;
        let list = self.list();
        let calls = list.some_or_all(numbers)?;
        let groups = grouped(by, &list, &calls);
        let bins = options.bins.map(|bins| (bins, bins_of(&calls, bins)));
        let shown = options.page(&groups);
        let members: Vec<Vec<&ToolCall>> = shown
            .iter()
            .map(|group| group.places.iter().filter_map(|at| calls.get(*at as usize)).map(|one| one.call).collect())
            .collect();
        let mut records = shown.iter().zip(&members).map(|(group, members)| {
            let summary = Summary::without_paths(members.iter().copied());
            let mut record = groups::with_value(by.as_str(), group.value, &summary, members, options.which);
            record.extend(bins.as_ref().map(|(bins, of)| ("activity", activity(group, *bins, of))));
            record
        });
        Ok(write(&mut records))
    }

    /// The records of the runs, in the order of the calls, as a JSON array; of these calls only, if any are given.
    ///
    /// A run does not reach over the end of a session or a file. Each has `first` and `last`, places in the list of what was
    /// asked about. Options: `from` and `to` (the runs from one place to before another; see [`run_starts`](Self::run_starts)),
    /// and `brief` (without names, labels and paths).
    pub fn runs(&self, by: &str, numbers: Option<&[u32]>, options: &[u8]) -> Result<String, Error> {
        let (by, options) = (group_by(by)?, Options::read(options)?);
        let list = self.list();
        let calls = list.some_or_all(numbers)?;
        let mut starts = starts(by, &calls);
        starts.push(calls.len());
        let spans: Vec<_> = starts.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect();
        let runs: Vec<(Run, &[One<'_>])> = options
            .page(&spans)
            .iter()
            .filter_map(|span| {
                let members = calls.get(span.clone())?;
                let (first, rest) = members.split_first()?;
                let mut run = Run::new(by, span.start, first.call);
                rest.iter().for_each(|one| run.add(one.call));
                Some((run, members))
            })
            .collect();
        Ok(array_text(runs.iter().map(|(run, members)| {
            let file = members.first().and_then(|one| list.file(*one));
            let members: Vec<_> = members.iter().map(|one| one.call).collect();
            let mut record = run_record(by, run, &members, file, options.which);
            record.extend([("first", run.first.into()), ("last", (run.first + run.len - 1).into())]);
            record
        })))
    }

    /// Where the runs begin: the place of the first call of each, in the list of what was asked about.
    pub fn run_starts(&self, by: &str, numbers: Option<&[u32]>) -> Result<Vec<u32>, Error> {
        let by = group_by(by)?;
        let starts = starts(by, &self.list().some_or_all(numbers)?);
        Ok(starts.into_iter().filter_map(|start| u32::try_from(start).ok()).collect())
    }
}

/// The groups, the largest first, then in order of appearance.
fn grouped<'a>(by: By, list: &List<'a>, calls: &[One<'a>]) -> Vec<Group<'a>> {
    let mut values = Tally::default();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (place, one) in calls.iter().enumerate() {
        let Some(value) = by.value(list, *one) else { continue };
        let at = values.place(value);
        if at == groups.len() {
            groups.push(Group { value, places: Vec::new() });
        }
        if let Some(group) = groups.get_mut(at) {
            group.places.push(place as u32);
        }
    }
    groups.sort_by_key(|group| core::cmp::Reverse(group.places.len()));
    groups
}

/// The places where runs begin.
fn starts(by: GroupBy, calls: &[One<'_>]) -> Vec<usize> {
    let mut before: Option<&One<'_>> = None;
    let mut begins = |one| {
        let last = before.replace(one);
        !last.is_some_and(|last| {
            let value = by.value(one.call);
            value.is_some()
                && value == by.value(last.call)
                && last.part == one.part
                && last.call.session == one.call.session
        })
    };
    calls.iter().enumerate().filter_map(|(at, one)| begins(one).then_some(at)).collect()
}

/// Into which of so many parts of the time each call falls. A call without a time has that of the one before it.
fn bins_of(calls: &[One<'_>], bins: usize) -> Vec<usize> {
    let times = || calls.iter().filter_map(|one| one.call.started_at);
    let (first, last) = (times().min().unwrap_or_default(), times().max().unwrap_or_default());
    let bin = |part: u64, whole: u64| ((part as f64 / whole as f64 * bins as f64) as usize).min(bins - 1);
    if first == last {
        return (0..calls.len()).map(|place| bin(place as u64, calls.len() as u64)).collect();
    }
    let mut time = times().next().unwrap_or_default();
    let mut of = |one: &One<'_>| {
        time = one.call.started_at.unwrap_or(time);
        bin(time.abs_diff(first), last.abs_diff(first))
    };
    calls.iter().map(&mut of).collect()
}

fn activity(group: &Group<'_>, bins: usize, of: &[usize]) -> Datum<'static> {
    let mut counts = alloc::vec![0_usize; bins];
    for bin in group.places.iter().filter_map(|place| of.get(*place as usize)) {
        if let Some(count) = counts.get_mut(*bin) {
            *count += 1;
        }
    }
    Datum::list(counts)
}
