//! The record of a call.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString;

use serde::de::IgnoredAny;
use toolprism::json::{RawJson, to_value};
use toolprism::readers::Format;
use toolprism::{Input, ToolCall};

use crate::identify::input_datum;
use crate::record::{Datum, Record};
use crate::time;

/// The name of the member that holds the arguments as they came.
pub const RAW_INPUT: &str = "raw_input";

/// The names of a record, in order.
pub const NAMES: &[&str] = &[
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

/// The record of a call. `file` is where it was read, `format` of what format that is; `raw_input` adds the arguments as they
/// came.
pub fn record<'a>(file: Option<&'a str>, format: Option<Format>, call: &'a ToolCall, raw_input: bool) -> Record<'a> {
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
        format.map(|format| format.as_str()).into(),
        text(&call.session),
        text(&call.parent),
        file.into(),
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
fn input(input: Option<&Input>) -> Datum<'_> {
    let object = input.filter(|input| match input {
        Input::Canonical(_) => true,
        Input::Foreign(value) => value.is_object(),
    });
    object.map_or(Datum::Null, input_datum)
}
