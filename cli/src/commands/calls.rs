//! `toolprism calls`: one row a call.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use serde::de::IgnoredAny;
use toolprism::json::{RawJson, to_value};
use toolprism::sources::Source;
use toolprism::{CanonicalInput, Input, Status, ToolCall};

use super::{canvas, heading, read};
use crate::Exit;
use crate::args::{CallsArgs, Format, Global};
use crate::data::{Datum, Record};
use crate::output::{Output, write_records};
use crate::scan::{FileReport, Scan};
use crate::style::{Role, mark};
use crate::table::{Canvas, Cell, Column, Row, write_table};
use crate::totals::Totals;
use crate::{time, units};

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
        let records = calls(&scan).map(|(file, source, call)| record(file, source, call, raw_input));
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

const RAW_INPUT: &str = "raw_input";

/// The names of a record, in order.
const NAMES: &[&str] = &[
    "id",
    "name",
    "label",
    "kind",
    "namespace",
    "read_only",
    "status",
    "input",
    "harness",
    "format",
    "session",
    "parent_id",
    "file",
    "line",
    "why",
    "server",
    "tool",
    "agent",
    "title",
    "version",
    "exit_code",
    "error",
    "started_at",
    "ended_at",
    "duration_ms",
    "offset",
    "known",
    "flags",
];

fn record<'a>(file: &'a FileReport, source: &Source, call: &'a ToolCall, raw_input: bool) -> Record<'a> {
    fn text(text: &Option<Box<str>>) -> Datum<'_> {
        text.as_deref().into()
    }
    let (identity, meta) = (&call.identity, &call.identity.meta);
    let mcp = identity.mcp.as_ref();
    let values: [Datum<'a>; NAMES.len()] = [
        call.id.as_str().into(),
        meta.name.as_str().into(),
        (&*meta.label).into(),
        meta.kind.as_str().into(),
        meta.namespace.as_str().into(),
        meta.read_only.into(),
        call.status.as_str().into(),
        input(meta.input.as_ref()),
        call.harness.as_deref().into(),
        source.format.map(|format| format.as_str()).into(),
        text(&call.session),
        text(&call.parent),
        file.path.as_str().into(),
        call.place.line.into(),
        identity.why.as_str().into(),
        mcp.map(|mcp| mcp.server.as_str()).into(),
        mcp.map(|mcp| mcp.tool.as_str()).into(),
        text(&call.agent),
        text(&call.title),
        text(&call.version),
        call.exit_code.into(),
        text(&call.error),
        call.started_at.map(time::rfc3339).into(),
        call.ended_at.map(time::rfc3339).into(),
        call.duration().into(),
        call.place.offset.into(),
        identity.why.is_known().into(),
        Datum::list(call.flags.iter().map(|flag| flag.as_str())),
    ];
    let mut record: Record<'a> = NAMES.iter().copied().zip(values).collect();
    if raw_input {
        let raw = call.raw_input.as_deref();
        record.push((RAW_INPUT, raw.map_or(Datum::Null, |raw| Datum::Json(on_one_line(raw)))));
    }
    record
}

/// JSON text as it fits into a line of JSON: what a document has spread over lines is drawn together. Text with faults that
/// were read past (a wrong escape, a control character in a string) is written anew.
fn on_one_line(json: &str) -> Cow<'_, str> {
    if serde_json::from_str::<IgnoredAny>(json).is_err() {
        let value = RawJson::parse(json).map(|json| to_value(&json)).unwrap_or_default();
        return Cow::Owned(value.to_string());
    }
    if !json.contains(['\n', '\r']) {
        return Cow::Borrowed(json);
    }
    let (mut inside, mut escaped) = (false, false);
    let keep = |c: &char| {
        inside ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        inside || !c.is_ascii_whitespace()
    };
    Cow::Owned(json.chars().filter(keep).collect())
}

/// The canonical input, or the object that a foreign envelope has in its place.
fn input(input: Option<&Input>) -> Datum<'static> {
    let object = input.filter(|input| match input {
        Input::Canonical(_) => true,
        Input::Foreign(value) => value.is_object(),
    });
    let text = object.and_then(|input| serde_json::to_string(input).ok());
    text.map_or(Datum::Null, |text| Datum::Json(Cow::Owned(text)))
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
