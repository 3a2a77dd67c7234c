//! `toolprism groups`: calls that share something, or runs of them.

use std::io;

use toolprism::{Group, GroupBy, Groups, Status, ToolCall};
use toolprism_facade::groups::{FIGURES, GROUP, RUN, record};
use toolprism_facade::record::{Record, write_object};
use toolprism_facade::tally::tally;

use super::{canvas, read, runs};
use crate::Exit;
use crate::args::{Format, Global, GroupsArgs};
use crate::messages::quarantined;
use crate::output::{Output, write_items, write_records};
use crate::scan::Scan;
use crate::style::Role;
use crate::table::{Canvas, Cell, Column, Row, write_table};
use crate::text::{self, Keep, clean};
use crate::totals::Totals;
use crate::units;

pub(crate) fn run(args: &GroupsArgs, global: &Global) -> io::Result<Exit> {
    let (scan, exit) = read(&args.read, false, global);
    if exit == Exit::NothingRead {
        return Ok(exit);
    }
    let by = args.by.into();
    let mut out = Output::new();
    if args.runs {
        let runs = runs::of(by, &scan);
        match args.format {
            Format::Table => runs::write_runs(&mut out, canvas(global), &runs, &scan)?,
            format => write(
                &mut out,
                format,
                "runs",
                &[RUN, FIGURES].concat(),
                runs.iter().map(runs::FileRun::record),
                &scan,
            )?,
        }
    } else {
        let groups = CallGroups::of(by, &scan);
        match args.format {
            Format::Table => write_groups(&mut out, canvas(global), &groups, &scan)?,
            format => write(&mut out, format, "groups", &[GROUP, FIGURES].concat(), groups.records(), &scan)?,
        }
    }
    out.flush()?;
    Ok(exit)
}

/// Writes records; as JSON together with the figures of the scan.
fn write<'a>(
    out: &mut Output,
    format: Format,
    what: &str,
    names: &[&'static str],
    records: impl Iterator<Item = Record<'a>>,
    scan: &Scan,
) -> io::Result<()> {
    if format != Format::Json {
        return write_records(out, format, names, records);
    }
    let totals = Totals::of(scan);
    out.text(&format!("{{\"{what}\":["))?;
    write_items(out, records)?;
    out.append(|buffer| {
        buffer.extend_from_slice(b"],\n\"totals\":");
        write_object(&totals.record(), buffer);
        buffer.extend_from_slice(b",\n\"unknown\":");
        write_object(&totals.unknown_record(), buffer);
        buffer.extend_from_slice(b",\n\"quarantined\":[");
    })?;
    write_items(out, quarantined(scan))?;
    out.text("]}\n")
}

/// The groups of all calls, the largest first.
pub(crate) struct CallGroups<'a> {
    by: GroupBy,
    calls: Vec<&'a ToolCall>,
    groups: Groups,
    order: Vec<usize>,
}

impl<'a> CallGroups<'a> {
    pub(crate) fn of(by: GroupBy, scan: &'a Scan) -> Self {
        let calls: Vec<&ToolCall> = scan.sources.iter().flat_map(|source| &source.calls).collect();
        let groups = Groups::of(by, calls.iter().copied());
        let size = |at: &usize| groups.groups().get(*at).map_or(0, Group::count);
        let mut order: Vec<usize> = (0..groups.groups().len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(size(at)));
        CallGroups { by, calls, groups, order }
    }

    fn iter(&self) -> impl Iterator<Item = &Group> {
        self.order.iter().filter_map(|at| self.groups.groups().get(*at))
    }

    fn calls_of<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = &'a ToolCall> + 'g {
        group.calls.iter().filter_map(|at| self.calls.get(*at).copied())
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.iter().map(|group| record(self.by, group, &self.calls_of(group).collect::<Vec<_>>()))
    }
}

const BAR: usize = 12;

fn write_groups(out: &mut Output, canvas: Canvas, groups: &CallGroups<'_>, scan: &Scan) -> io::Result<()> {
    let by = groups.by;
    // What the calls of a group are called otherwise: by their tools' names, or by label where the name is shared.
    let (other, title) = match by {
        GroupBy::Name | GroupBy::Path | GroupBy::Harness => (GroupBy::Label, "Labels"),
        _ => (GroupBy::Name, "Tools"),
    };
    let first = match by {
        GroupBy::Path => Column::left("Path").shrink(24, 40),
        GroupBy::Label => Column::left("Label").shrink(12, 21),
        GroupBy::Name => Column::left("Tool").shrink(16, 32),
        GroupBy::Kind => Column::left("Kind").shrink(12, 22),
        GroupBy::Namespace => Column::left("Namespace").shrink(12, 20),
        GroupBy::Harness => Column::left("Harness").shrink(12, 20),
        GroupBy::Server => Column::left("MCP server").shrink(12, 24),
    };
    let columns = [
        first,
        Column::right("Calls"),
        Column::left("").drop(7),
        Column::right("Failed"),
        Column::right("Rejected").drop(2),
        Column::right("Cancelled").drop(3),
        Column::right("Read-only").drop(4),
        Column::right("Total").drop(1),
        Column::right("Longest").drop(6),
        Column::left(title).shrink(12, 24).drop(5),
        Column::left("Top paths").shrink(28, 28).drop(8),
    ];
    let sorted: Vec<&Group> = groups.iter().collect();
    let most = sorted.first().map_or(0, |group| group.count());
    let grouped: usize = sorted.iter().map(|group| group.count()).sum();
    if !sorted.is_empty() {
        write_table(out, canvas, &columns, sorted.len(), |i| {
            let Some(group) = sorted.get(i) else { return Row::default() };
            let number = |n: usize, role| Cell::own(role, units::some(n));
            let time = |ms: u64| {
                Cell::own(Role::Plain, if group.summary.timed == 0 { String::new() } else { units::duration(ms) })
            };
            let value = if by == GroupBy::Path {
                Cell::path(Role::Strong, &group.value)
            } else {
                Cell::log(Role::Strong, &group.value)
            };
            let others = tally(groups.calls_of(group).filter_map(|call| other.value(call)));
            let paths = tally(groups.calls_of(group).filter_map(|call| GroupBy::Path.value(call)));
            let paths = if by == GroupBy::Path { Vec::new() } else { listed(&paths, Keep::End) };
            Row::from(vec![
                value,
                number(group.count(), Role::Plain),
                Cell::own(Role::Accent, bar(group.count(), most)),
                number(group.summary.with_status(Status::Failed), Role::Bad),
                number(group.summary.with_status(Status::Rejected), Role::Warning),
                number(group.summary.with_status(Status::Cancelled), Role::Warning),
                Cell::own(
                    if group.summary.read_only == 0 { Role::Faint } else { Role::Plain },
                    units::rough_share(group.summary.read_only, group.count()),
                ),
                time(group.summary.duration),
                time(group.summary.longest),
                Cell::several(Role::Faint, listed(&others, Keep::Start)),
                Cell::several(Role::Faint, paths),
            ])
        })?;
    }
    out.text(&Totals::of(scan).footer(canvas))?;
    left_out(out, canvas, groups.calls.len() - grouped, by)
}

/// One of several in a cell is cut to this many columns.
const LONGEST: usize = 24;

/// `Bash ×600` and `shell ×12`; what occurs alone needs no number.
pub(super) fn listed(items: &[(&str, usize)], keep: Keep) -> Vec<String> {
    let shown = |(item, n): &(&str, usize)| {
        let item = clean(item, keep);
        let item = text::cut(&item, LONGEST, keep);
        if items.len() == 1 { item.into_owned() } else { format!("{item} ×{}", units::count(*n)) }
    };
    items.iter().map(shown).collect()
}

/// A bar of eighths of a column, as long as `part` is of `most`.
fn bar(part: usize, most: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if most == 0 { 0 } else { (part * BAR * 8).div_ceil(most) };
    let end = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{end}", "█".repeat(eighths / 8))
}

/// The line for calls that have nothing to be grouped by.
fn left_out(out: &mut Output, canvas: Canvas, calls: usize, by: GroupBy) -> io::Result<()> {
    if calls == 0 {
        return Ok(());
    }
    let (has, have) = match by {
        GroupBy::Server => ("is of no MCP server", "are of no MCP server"),
        GroupBy::Harness => ("is of no known harness", "are of no known harness"),
        _ => ("names no path", "name no path"),
    };
    let line = format!("{} {}", units::counted(calls, "call", "calls"), if calls == 1 { has } else { have });
    let line = canvas.painter.paint(Role::Faint, &line);
    out.text(&format!("  {line}\n"))
}
