//! `toolprism tools`: the catalog.

use std::io::{self, Write};

use toolprism::catalog::{self, Entry, Harness, Name, Rule};

use super::canvas;
use crate::Exit;
use crate::args::{Format, Global, ToolsArgs};
use crate::messages::problem;
use crate::output::{Output, write_records};
use crate::style::Role;
use crate::table::{Canvas, Cell, Column, Row, write_table};
use crate::text::{Keep, clean};
use crate::units::counted;
use toolprism_facade::record::{Datum, Record};

pub(crate) fn run(args: &ToolsArgs, global: &Global) -> io::Result<Exit> {
    let harnesses: Vec<&Harness> = match &args.harness {
        None => catalog::HARNESSES.to_vec(),
        Some(name) => match catalog::harness(name) {
            Some(harness) => vec![harness],
            None => return Ok(no_such(name, global)),
        },
    };
    let tools: Vec<(&Harness, Entry)> =
        harnesses.iter().flat_map(|harness| harness.entries().map(|entry| (*harness, entry))).collect();
    let mut out = Output::new();
    match args.format {
        Format::Table => write_tools(&mut out, canvas(global), &tools)?,
        format => write_records(&mut out, format, NAMES, tools.iter().map(|(harness, entry)| record(harness, *entry)))?,
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn no_such(name: &str, global: &Global) -> Exit {
    let known: Vec<&str> = catalog::HARNESSES.iter().map(|harness| harness.id).collect();
    let name = clean(name, Keep::Start);
    let mut text = String::new();
    problem(&mut text, global, &format!("no harness is called \"{name}\"; known are: {}", known.join(", ")));
    // Where stderr cannot be written, the exit code still says it.
    let _ = io::stderr().write_all(text.as_bytes());
    Exit::Usage
}

/// The names of a tool's record, in order.
const NAMES: &[&str] = &["harness", "namespace", "name", "names", "kind", "label", "read_only", "input"];

fn record(harness: &Harness, entry: Entry) -> Record<'static> {
    let tool = entry.tool;
    let name = |name: &Name| -> Record<'static> {
        vec![("name", name.wire.into()), ("since", name.since.into()), ("until", name.until.into())]
    };
    let rule = |rule: &Rule| -> Record<'static> {
        vec![
            ("field", rule.field.as_str().into()),
            ("from", Datum::list(rule.from.iter().copied())),
            ("how", rule.how.as_str().into()),
        ]
    };
    vec![
        ("harness", harness.id.into()),
        ("namespace", entry.toolset.namespace.into()),
        ("name", tool.names.first().map(|name| name.wire).into()),
        ("names", Datum::list(tool.names.iter().map(name))),
        ("kind", tool.kind.as_str().into()),
        ("label", tool.kind.label().into()),
        ("read_only", tool.is_read_only().into()),
        ("input", Datum::list(tool.input.iter().map(rule))),
    ]
}

const COLUMNS: &[Column] = &[
    Column::left("Tool").shrink(20, 32),
    Column::left("Label").shrink(12, 21),
    Column::left("Kind").drop(2),
    Column::left("Read-only").drop(3),
    Column::left("Input").shrink(16, 32).drop(1),
];

fn write_tools(out: &mut Output, canvas: Canvas, tools: &[(&Harness, Entry)]) -> io::Result<()> {
    write_table(out, canvas, COLUMNS, tools.len(), |i| {
        let Some((harness, entry)) = tools.get(i) else { return Row::default() };
        let before = i.checked_sub(1).and_then(|before| tools.get(before));
        let new = before
            .is_none_or(|(last, before)| last.id != harness.id || before.toolset.namespace != entry.toolset.namespace);
        Row { heading: new.then(|| heading(harness, *entry)), cells: cells(*entry) }
    })
}

fn heading(harness: &Harness, entry: Entry) -> Vec<Cell<'static>> {
    let mut pieces = vec![
        Cell::own(Role::Strong, harness.display),
        Cell::own(Role::Faint, format!("namespace {}", entry.toolset.namespace)),
        Cell::own(Role::Faint, counted(entry.toolset.tools.len(), "tool", "tools")),
    ];
    if let Some(naming) = harness.mcp.first() {
        pieces.push(Cell::own(Role::Faint, format!("MCP tools as {}", naming.join("server", "tool"))));
    }
    pieces
}

fn cells(entry: Entry) -> Vec<Cell<'static>> {
    let tool = entry.tool;
    let names: Vec<String> = tool.names.iter().map(name).collect();
    let rules: Vec<String> = tool.input.iter().map(rule).collect();
    vec![
        Cell::several(Role::Strong, names),
        Cell::own(Role::Plain, tool.kind.label()),
        Cell::own(Role::Faint, tool.kind.as_str()),
        Cell::own(Role::Good, if tool.is_read_only() { "✓" } else { "" }),
        Cell::several(Role::Faint, rules),
    ]
}

/// A name, with the versions that use it if not all do.
fn name(name: &Name) -> String {
    match (name.since, name.until) {
        (None, None) => name.wire.to_owned(),
        (Some(since), None) => format!("{} (≥ {since})", name.wire),
        (None, Some(until)) => format!("{} (< {until})", name.wire),
        (Some(since), Some(until)) => format!("{} (≥ {since}, < {until})", name.wire),
    }
}

/// `path ← file_path`, or `path` alone where the member has the field's name.
fn rule(rule: &Rule) -> String {
    let field = rule.field.as_str();
    let from: Vec<&str> = rule.from.iter().map(|from| if from.is_empty() { "the input" } else { from }).collect();
    if from == [field] { field.to_owned() } else { format!("{field} ← {}", from.join(" or ")) }
}
