//! Logs and live streams: bytes in, the records of their calls out.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use toolprism::json::RawJson;
use toolprism::readers::{Format, Quarantine, Reader, Sink, Tally};
use toolprism::sources::Source;
use toolprism::{CallLedger, GroupBy, Groups, Runs, ToolCall, ToolCallEvent, TurnEnd};

use crate::error::Error;
use crate::groups::Figures;
use crate::members::Members;
use crate::record::{Datum, Record, array_text, object_text};
use crate::{calls, groups};

/// A damaged log lists this many spans; further ones are only counted.
const MOST_SPANS: usize = 1_000;

/// Merges the events of a log or a live stream into calls. The format is found out from the bytes, which may come in pieces
/// of any size.
///
/// ```
/// let mut ledger = toolprism_facade::Ledger::new(b"{}")?;
/// ledger.push(br#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":["#)?;
/// ledger.push(br#"{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#)?;
/// ledger.finish();
/// assert!(ledger.groups("label")?.contains(r#""value":"Run Command","calls":1"#));
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub struct Ledger {
    /// Until [`finish`](Self::finish).
    reader: Option<Reader>,
    /// What became of the bytes, once it has finished.
    tally: Option<Tally>,
    kept: Kept,
    raw_input: bool,
}

/// How to read.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadOptions {
    strict: bool,
    pub(crate) raw_input: bool,
}

impl ReadOptions {
    /// Reads the text of a JSON object.
    pub(crate) fn read(options: &[u8]) -> Result<Self, Error> {
        let options = Members::read(options)?;
        Ok(ReadOptions { strict: options.flag("strict")?, raw_input: options.flag("raw_input")? })
    }
}

/// What reading gives: the calls, and what could not be read.
#[derive(Default)]
struct Kept {
    ledger: CallLedger,
    spans: Spans,
}

/// What could not be read.
#[derive(Default)]
pub(crate) struct Spans {
    listed: Vec<Quarantine>,
    more: u64,
}

impl Sink for Kept {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, span: &Quarantine) {
        if self.spans.listed.len() < MOST_SPANS {
            self.spans.listed.push(*span);
        } else {
            self.spans.more += 1;
        }
    }
}

impl Default for Ledger {
    /// As with the options `{}`.
    fn default() -> Self {
        Ledger::with(ReadOptions::default())
    }
}

impl Ledger {
    /// A ledger without calls. Options, as a JSON object: `strict` checks every record from end to end, `raw_input` keeps
    /// the arguments as they came. Both are `false` if absent.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        ReadOptions::read(options).map(Ledger::with)
    }

    pub(crate) fn with(ReadOptions { strict, raw_input }: ReadOptions) -> Self {
        let reader = if strict { Reader::new().strict() } else { Reader::new() };
        let ledger = if raw_input { CallLedger::keeping_raw_input() } else { CallLedger::default() };
        let kept = Kept { ledger, ..Kept::default() };
        Ledger { reader: Some(reader), tally: None, kept, raw_input }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(reader) = &mut self.reader else {
            return Err(Error::new("finished", "the ledger is finished and takes no more bytes: make a new one"));
        };
        reader.push(bytes, &mut self.kept);
        Ok(())
    }

    /// Says that no more bytes come: a last line without an end is read now. A second time nothing happens.
    pub fn finish(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.tally = Some(reader.finish(&mut self.kept));
        }
    }

    /// Finishes, and gives up the calls and what is known of the bytes.
    pub(crate) fn into_parts(mut self) -> (Source, Option<Tally>, Spans) {
        self.finish();
        let format = self.format();
        (Source { format, calls: self.kept.ledger.into_calls() }, self.tally, self.kept.spans)
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.reader.as_ref().map_or_else(|| self.tally.as_ref().and_then(|tally| tally.format), Reader::format)
    }

    /// The records of all calls, as a JSON array.
    pub fn calls(&self) -> String {
        array_text(self.kept.ledger.calls().iter().map(|call| self.record(call)))
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.kept.ledger.calls().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The calls themselves, for hosts that want no text.
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.kept.ledger.calls()
    }

    /// The records of the groups, the largest first, as a JSON array.
    pub fn groups(&self, by: &str) -> Result<String, Error> {
        let by = group_by(by)?;
        let calls = self.kept.ledger.calls();
        let found = Groups::of(by, calls);
        let mut sorted: Vec<_> = found.groups().iter().collect();
        sorted.sort_by_key(|group| core::cmp::Reverse(group.count()));
        Ok(array_text(sorted.into_iter().map(|group| {
            let members: Vec<_> = group.calls.iter().filter_map(|at| calls.get(*at)).collect();
            groups::record(by, group, &members)
        })))
    }

    /// The records of the runs, in the order of the calls, as a JSON array.
    pub fn runs(&self, by: &str) -> Result<String, Error> {
        let by = group_by(by)?;
        let calls = self.kept.ledger.calls();
        let found = Runs::of(by, calls);
        Ok(array_text(found.runs().iter().map(|run| {
            let members: Vec<_> = calls.iter().skip(run.first).take(run.len).collect();
            groups::run_record(by, run, &members, None, Figures::All)
        })))
    }

    /// What was read, as a JSON object: `format`, `bytes` and `quarantined_bytes` (`null` until the end), the spans that could
    /// not be read in `quarantined`, and how many more there are in `more_quarantined`.
    pub fn report(&self) -> String {
        object_text(&self.report_record())
    }

    pub(crate) fn report_record(&self) -> Record<'_> {
        report_record(self.format(), self.tally.as_ref(), &self.kept.spans)
    }

    fn record<'a>(&'a self, call: &'a ToolCall) -> Record<'a> {
        calls::record(None, self.format(), call, self.raw_input)
    }
}

/// Reads a whole log: `{"calls": [...], "report": {...}}`. Options as of [`Ledger::new`].
pub fn read_session(bytes: &[u8], options: &[u8]) -> Result<String, Error> {
    let mut ledger = Ledger::new(options)?;
    ledger.push(bytes)?;
    ledger.finish();
    Ok(format!("{{\"calls\":{},\"report\":{}}}", ledger.calls(), ledger.report()))
}

/// What is known of the bytes of a source; no `tally` before their end.
pub(crate) fn report_record<'a>(format: Option<Format>, tally: Option<&Tally>, spans: &Spans) -> Record<'a> {
    alloc::vec![
        ("format", format.map(|format| format.as_str()).into()),
        ("bytes", tally.map(|tally| tally.bytes).into()),
        ("quarantined_bytes", tally.map(|tally| tally.quarantined).into()),
        ("quarantined", Datum::list(spans.listed.iter().map(|span| span_record(None, span)))),
        ("more_quarantined", spans.more.into()),
    ]
}

/// The record of bytes that could not be read. `file` is where they stand.
pub fn span_record<'a>(file: Option<&'a str>, span: &Quarantine) -> Record<'a> {
    let mut record: Record<'a> = Vec::new();
    record.extend(file.map(|file| ("file", file.into())));
    record.extend([
        ("line", span.place.line.into()),
        ("offset", span.place.offset.into()),
        ("bytes", span.len.into()),
        ("reason", span.reason.as_str().into()),
        ("message", span.reason.to_string().into()),
    ]);
    record
}

/// What calls are grouped by, from its name.
pub fn group_by(name: &str) -> Result<GroupBy, Error> {
    GroupBy::ALL.into_iter().find(|by| by.as_str() == name).ok_or_else(|| {
        let known: Vec<_> = GroupBy::ALL.iter().map(|by| by.as_str()).collect();
        Error::new("unknown_value", format!("calls cannot be grouped by {name:?}; known are: {}", known.join(", ")))
    })
}
