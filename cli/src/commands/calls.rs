//! `toolprism calls`: one row a call.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use toolprism::sources::Source;
use toolprism::{CanonicalInput, Status, ToolCall};
use toolprism_facade::calls::{NAMES, RAW_INPUT, record};
use toolprism_facade::time;

use super::{canvas, heading, read};
use crate::Exit;
use crate::args::{CallsArgs, Format, Global};
use crate::output::{Output, write_records};
use crate::scan::{FileReport, Scan};
use crate::style::{Role, mark};
use crate::table::{Canvas, Cell, Column, Row, write_table};
use crate::totals::Totals;
use crate::units;

pub(crate) fn run(args: &CallsArgs, global: &Global) -> io::Result<Exit> {
    let usual = || if io::stdout().is_terminal() { Format::Table } else { Format::Jsonl };
    let format = args.format.unwrap_or_else(usual);
    let raw_input = args.raw_input && format != Format::Table;
    let (scan, exit) = read(&args.read, raw_input, global);
    if exit == Exit::NothingRead {
        return Ok(exit);
    }
    let mut out = Output::new();
    if format == Format::Table {
        write_calls(&mut out, canvas(global), &scan)?;
    } else {
        let mut names = NAMES.to_vec();
        names.extend(raw_input.then_some(RAW_INPUT));
        let records = calls(&scan).map(|(file, source, call)| record(Some(&file.path), source.format, call, raw_input));
        write_records(&mut out, format, &names, records)?;
    }
    out.flush()?;
    Ok(exit)
}

/// Every call with its file, in order.
fn calls(scan: &Scan) -> impl Iterator<Item = (&FileReport, &Source, &ToolCall)> {
    let files = scan.files.iter().zip(&scan.sources);
    files.flat_map(|(file, source)| source.calls.iter().map(move |call| (file, source, call)))
}

const COLUMNS: &[Column] = &[
    Column::right("Line").drop(4),
    Column::left("Time").drop(3),
    Column::left(""),
    Column::left("Label").shrink(8, 15),
    Column::left("Input").shrink(20, 28),
    Column::right("Took").drop(1),
    Column::left("Tool").shrink(8, 16).drop(5),
    Column::left("Note").shrink(16, 20).drop(2),
];

fn write_calls(out: &mut Output, canvas: Canvas, scan: &Scan) -> io::Result<()> {
    let all: Vec<_> = calls(scan).collect();
    if !all.is_empty() {
        write_table(out, canvas, COLUMNS, all.len(), |i| {
            let Some(&(file, source, call)) = all.get(i) else { return Row::default() };
            let before = i.checked_sub(1).and_then(|before| all.get(before));
            let new = before.is_none_or(|(last_file, last_source, last)| {
                !same_section((last_file, last_source, last), (file, source, call))
            });
            Row { heading: new.then(|| heading(file, source, call.started_at)), cells: cells(call) }
        })?;
    }
    out.text(&Totals::of(scan).footer_with_marks(canvas))
}

/// Calls of one file stand together, and files of a single call do where they are of one session.
fn same_section(a: (&FileReport, &Source, &ToolCall), b: (&FileReport, &Source, &ToolCall)) -> bool {
    let single = |source: &Source| source.calls.len() == 1;
    std::ptr::eq(a.0, b.0) || single(a.1) && single(b.1) && a.2.session.is_some() && a.2.session == b.2.session
}

fn cells(call: &ToolCall) -> Vec<Cell<'_>> {
    let (mark, role) = mark(call.status);
    let label = if call.identity.why.is_known() { Role::Strong } else { Role::Warning };
    vec![
        Cell::own(Role::Faint, units::some(call.place.line)),
        Cell::own(Role::Faint, call.started_at.map(time::clock).unwrap_or_default()),
        Cell::own(role, mark),
        Cell::log(label, call.label()),
        summary(call),
        Cell::own(Role::Plain, call.duration().map(units::duration).unwrap_or_default()),
        Cell::log(Role::Faint, call.name()),
        Cell::log(role, note(call)),
    ]
}

/// What a call is about, in a line: the command, the pattern, the place; its title or name where that is all there is. Of
/// a tool that nobody knows the name tells most.
fn summary(call: &ToolCall) -> Cell<'_> {
    let about = call.identity.meta.canonical_input().and_then(about);
    let mcp = || call.identity.mcp.as_ref().map(|mcp| Cell::log(Role::Plain, format!("{} · {}", mcp.server, mcp.tool)));
    let title =
        || call.title.as_deref().filter(|_| call.identity.why.is_known()).map(|title| Cell::log(Role::Faint, title));
    about.or_else(mcp).or_else(title).unwrap_or_else(|| Cell::log(Role::Faint, call.name()))
}

fn about(input: &CanonicalInput) -> Option<Cell<'_>> {
    if let Some(command) = &input.command {
        return Some(Cell::log(Role::Plain, command));
    }
    let place = input.path.as_deref().or(input.directory.as_deref());
    if let Some(pattern) = &input.pattern {
        let place = place.map(|place| format!(" in {place}")).unwrap_or_default();
        return Some(Cell::log(Role::Plain, format!("{pattern}{place}")));
    }
    let Some(place) = place else {
        return input.description.as_deref().map(|description| Cell::log(Role::Plain, description));
    };
    let lines = match (input.offset, input.limit) {
        (None, None) => return Some(Cell::path(Role::Plain, place)),
        (Some(first), None) => format!("{place}:{first}-"),
        (offset, Some(limit)) => {
            let first = offset.unwrap_or(1);
            if limit <= 1 {
                return Some(Cell::path(Role::Plain, format!("{place}:{first}")));
            }
            format!("{place}:{first}-{}", first.saturating_add(limit - 1))
        }
    };
    Some(Cell::path(Role::Plain, lines))
}

/// How a call went wrong.
fn note(call: &ToolCall) -> Cow<'_, str> {
    match (&call.error, call.exit_code.filter(|code| *code != 0)) {
        (Some(error), _) => Cow::Borrowed(error),
        (None, Some(code)) => format!("exit code {code}").into(),
        (None, None) if matches!(call.status, Status::Completed) => Cow::Borrowed(""),
        (None, None) => Cow::Owned(call.status.as_str().replace('_', " ")),
    }
}
