//! `toolprism groups --runs`: neighbouring calls of one file that share something.

use std::io;

use toolprism::sources::Source;
use toolprism::{GroupBy, Run, Runs, Status, ToolCall};

use toolprism_facade::groups::{Figures, run_record};
use toolprism_facade::record::Record;
use toolprism_facade::tally::tally;
use toolprism_facade::time;

use super::groups::listed;
use crate::output::Output;
use crate::scan::{FileReport, Scan};
use crate::style::Role;
use crate::table::{Canvas, Cell, Column, Row, write_table};
use crate::text::Keep;
use crate::totals::Totals;
use crate::units;

/// A run, with its calls and the file they stand in.
pub(crate) struct FileRun<'a> {
    by: GroupBy,
    file: &'a FileReport,
    source: &'a Source,
    run: Run,
    calls: &'a [ToolCall],
}

/// The runs of every file, in order.
pub(crate) fn of(by: GroupBy, scan: &Scan) -> Vec<FileRun<'_>> {
    let files = scan.files.iter().zip(&scan.sources);
    files
        .flat_map(|(file, source)| {
            let runs = Runs::of(by, &source.calls).runs().to_vec();
            runs.into_iter().filter_map(move |run| {
                let calls = source.calls.get(run.first..run.first + run.len)?;
                Some(FileRun { by, file, source, run, calls })
            })
        })
        .collect()
}

impl FileRun<'_> {
    fn started_at(&self) -> Option<i64> {
        self.calls.iter().filter_map(|call| call.started_at).min()
    }

    fn ended_at(&self) -> Option<i64> {
        self.calls.iter().filter_map(|call| call.ended_at).max()
    }

    pub(crate) fn record(&self) -> Record<'_> {
        let calls: Vec<_> = self.calls.iter().collect();
        run_record(self.by, &self.run, &calls, Some(&self.file.path), Figures::All)
    }

    fn row(&self, new: bool) -> Row<'_> {
        let (value, role) = match &self.run.value {
            Some(value) => (value.as_str(), Role::Strong),
            None => ("–", Role::Faint),
        };
        let times = self.started_at().zip(self.ended_at());
        let took = times.and_then(|(from, to)| u64::try_from(to.checked_sub(from)?).ok()).map(units::duration);
        let cells = vec![
            Cell::own(Role::Faint, self.calls.first().map(|call| units::some(call.place.line)).unwrap_or_default()),
            Cell::own(Role::Faint, self.started_at().map(time::clock).unwrap_or_default()),
            Cell::log(role, value),
            Cell::own(Role::Plain, units::some(self.run.len)),
            Cell::own(Role::Bad, units::some(self.run.summary.with_status(Status::Failed))),
            Cell::own(Role::Plain, took.unwrap_or_default()),
            Cell::several(Role::Faint, listed(&tally(self.calls.iter().map(ToolCall::name)), Keep::Start)),
        ];
        let heading = new.then(|| super::heading(self.file, self.source, self.started_at()));
        Row { heading, cells }
    }
}

const COLUMNS: &[Column] = &[
    Column::right("Line").drop(2),
    Column::left("Time").drop(3),
    Column::left("Run").shrink(12, 21),
    Column::right("Calls"),
    Column::right("Failed"),
    Column::right("Took").drop(1),
    Column::left("Tools").shrink(16, 16).drop(4),
];

pub(super) fn write_runs(out: &mut Output, canvas: Canvas, runs: &[FileRun<'_>], scan: &Scan) -> io::Result<()> {
    if !runs.is_empty() {
        write_table(out, canvas, COLUMNS, runs.len(), |i| {
            let Some(run) = runs.get(i) else { return Row::default() };
            let before = i.checked_sub(1).and_then(|before| runs.get(before));
            run.row(before.is_none_or(|before| !std::ptr::eq(before.file, run.file)))
        })?;
    }
    out.text(&Totals::of(scan).footer(canvas))
}
