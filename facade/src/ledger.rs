//! Logs and live streams: bytes in, the records of their calls out.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use toolprism::json::{JsonView, RawJson};
use toolprism::readers::{Format, Quarantine, Reader, Sink, Tally};
use toolprism::{CallLedger, GroupBy, Groups, Runs, ToolCall, ToolCallEvent, TurnEnd};

use crate::error::{Error, object};
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

/// What reading gives: the calls, and what could not be read.
#[derive(Default)]
struct Kept {
    ledger: CallLedger,
    spans: Vec<Quarantine>,
    more_spans: u64,
}

impl Sink for Kept {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, span: &Quarantine) {
        if self.spans.len() < MOST_SPANS {
            self.spans.push(*span);
        } else {
            self.more_spans += 1;
        }
    }
}

impl Default for Ledger {
    /// As with the options `{}`.
    fn default() -> Self {
        Ledger { reader: Some(Reader::new()), tally: None, kept: Kept::default(), raw_input: false }
    }
}

impl Ledger {
    /// A ledger without calls. Options, as a JSON object: `strict` checks every record from end to end, `raw_input` keeps
    /// the arguments as they came. Both are `false` if absent.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        let options = object(options)?;
        let flag = |name: &str| match options.get(name).filter(|member| !member.is_null()) {
            Some(member) => {
                member.as_bool().ok_or_else(|| Error::new("wrong_type", format!("\"{name}\" must be true or false")))
            }
            None => Ok(false),
        };
        let (strict, raw_input) = (flag("strict")?, flag("raw_input")?);
        let reader = if strict { Reader::new().strict() } else { Reader::new() };
        let ledger = if raw_input { CallLedger::keeping_raw_input() } else { CallLedger::default() };
        let kept = Kept { ledger, ..Kept::default() };
        Ok(Ledger { reader: Some(reader), tally: None, kept, raw_input })
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

    fn format(&self) -> Option<Format> {
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
            let members = calls.get(run.first..run.first + run.len).unwrap_or_default();
            groups::run_record(by, run, members, None)
        })))
    }

    /// What was read, as a JSON object: `format`, `bytes` and `quarantined_bytes` (`null` until the end), the spans that could
    /// not be read in `quarantined`, and how many more there are in `more_quarantined`.
    pub fn report(&self) -> String {
        object_text(&self.report_record())
    }

    fn report_record(&self) -> Record<'_> {
        let spans = self.kept.spans.iter().map(|span| span_record(None, span));
        let tally = self.tally.as_ref();
        alloc::vec![
            ("format", self.format().map(|format| format.as_str()).into()),
            ("bytes", tally.map(|tally| tally.bytes).into()),
            ("quarantined_bytes", tally.map(|tally| tally.quarantined).into()),
            ("quarantined", Datum::list(spans)),
            ("more_quarantined", self.kept.more_spans.into()),
        ]
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
