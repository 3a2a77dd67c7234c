//! The records of groups and runs.

use alloc::vec::Vec;
use alloc::{format, vec};

use toolprism::{Group, GroupBy, Run, Status, Summary, ToolCall};

use crate::record::{Datum, Record};
use crate::tally::Tally;
use crate::time;

/// A record lists this many paths.
const MOST_PATHS: usize = 10;

/// The names of a group's record, in order; those of [`FIGURES`] follow.
pub const GROUP: &[&str] = &["key", "by", "value", "calls"];

/// The record of a group and its calls.
pub fn record<'a>(by: GroupBy, group: &'a Group, calls: &[&'a ToolCall]) -> Record<'a> {
    with_value(by.as_str(), &group.value, &group.summary, calls, Figures::All)
}

/// The record of the calls that have this value.
pub(crate) fn with_value<'a>(
    by: &'a str,
    value: &'a str,
    summary: &Summary,
    calls: &[&'a ToolCall],
    which: Figures,
) -> Record<'a> {
    let mut record: Record<'a> = vec![
        ("key", format!("{by}:{value}").into()),
        ("by", by.into()),
        ("value", value.into()),
        ("calls", calls.len().into()),
    ];
    record.extend(figures(summary, calls, which));
    record
}

/// The names of a run's record, in order; those of [`FIGURES`] follow.
pub const RUN: &[&str] =
    &["key", "by", "value", "calls", "session", "file", "line", "first_id", "last_id", "started_at", "ended_at"];

/// The record of a run and its calls. `file` is where they were read.
pub fn run_record<'a>(
    by: GroupBy,
    run: &'a Run,
    calls: &[&'a ToolCall],
    file: Option<&'a str>,
    which: Figures,
) -> Record<'a> {
    let (first, last) = (calls.first(), calls.last());
    let mut record: Record<'a> = vec![
        ("key", run.key.as_str().into()),
        ("by", by.as_str().into()),
        ("value", run.value.as_deref().into()),
        ("calls", run.len.into()),
        ("session", first.and_then(|call| call.session.as_deref()).into()),
        ("file", file.into()),
        ("line", first.map(|call| call.place.line).into()),
        ("first_id", first.map(|call| call.id.as_str()).into()),
        ("last_id", last.map(|call| call.id.as_str()).into()),
        ("started_at", calls.iter().filter_map(|call| call.started_at).min().map(time::rfc3339).into()),
        ("ended_at", calls.iter().filter_map(|call| call.ended_at).max().map(time::rfc3339).into()),
    ];
    record.extend(figures(&run.summary, calls, which));
    record
}

/// How much the records of groups and runs tell of their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// All of [`FIGURES`].
    All,
    /// Without names, labels and paths, which take most of the time and text.
    Brief,
}

/// What the records of groups and runs tell of their calls: the names, in order.
pub const FIGURES: &[&str] = &[
    "pending",
    "in_progress",
    "completed",
    "failed",
    "rejected",
    "cancelled",
    "unresolved",
    "read_only",
    "read_only_share",
    "timed",
    "duration_ms",
    "longest_ms",
    "names",
    "labels",
    "paths",
    "top_paths",
];

/// What the records of groups and runs tell of their calls.
pub(crate) fn figures<'a>(summary: &Summary, calls: &[&'a ToolCall], which: Figures) -> Record<'a> {
    fn often<'a>(what: &'static str, items: Vec<(&'a str, usize)>) -> Datum<'a> {
        let item = |(text, n): (&'a str, usize)| -> Record<'a> { vec![(what, text.into()), ("calls", n.into())] };
        Datum::list(items.into_iter().map(item))
    }
    let mut record: Record<'a> =
        Status::ALL.map(|status| (status.as_str(), Datum::from(summary.with_status(status)))).to_vec();
    record.extend([
        ("read_only", summary.read_only.into()),
        ("read_only_share", summary.read_only_share().into()),
        ("timed", summary.timed.into()),
        ("duration_ms", summary.duration.into()),
        ("longest_ms", summary.longest.into()),
    ]);
    if which == Figures::Brief {
        return record;
    }
    let (mut names, mut labels, mut paths) = (Tally::default(), Tally::default(), Tally::default());
    for call in calls {
        names.add(call.name());
        labels.add(call.label());
        GroupBy::Path.value(call).into_iter().for_each(|path| paths.add(path));
    }
    let mut paths = paths.sorted();
    let count = paths.len();
    paths.truncate(MOST_PATHS);
    record.extend([
        ("names", often("name", names.sorted())),
        ("labels", often("label", labels.sorted())),
        ("paths", count.into()),
        ("top_paths", often("path", paths)),
    ]);
    record
}
