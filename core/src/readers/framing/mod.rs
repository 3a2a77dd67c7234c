//! From bytes to records: splitting into lines, finding out the format, going on after damage.

mod document;
mod messages;
mod probe;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Format, Quarantine, Reason, Records, Sink};
use crate::event::Place;
use crate::json::{Cursor, JsonFault, RawJson};
use document::Document;
use probe::Probe;

pub(crate) use probe::detect;

/// Bounds on what a reader holds in memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest record that is read (a line; in a source that is one document, a message), in bytes. Longer ones are
    /// quarantined. 64 MiB by default.
    pub record: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { record: 64 << 20 }
    }
}

/// What a reader has done with the bytes. `bytes == parsed + quarantined` once it has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The format that the source was read as; `None` if none was found.
    pub format: Option<Format>,
    /// Bytes taken in.
    pub bytes: u64,
    /// Bytes read: records, blank lines, and records that cannot hold a tool call.
    pub parsed: u64,
    /// Bytes handed over as [`Quarantine`].
    pub quarantined: u64,
    /// Lines seen.
    pub lines: u64,
    /// Quarantined spans that are damage (a torn last line is not).
    pub damaged: u64,
}

/// Reads one source: push its bytes, then finish.
///
/// ```
/// use toolprism::{CallLedger, readers::Reader};
/// let log = br#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#;
/// let mut ledger = CallLedger::default();
/// let mut reader = Reader::new();
/// for piece in log.chunks(16) {
///     reader.push(piece, &mut ledger);
/// }
/// let tally = reader.finish(&mut ledger);
/// assert_eq!(ledger.calls()[0].label(), "Run Command");
/// assert_eq!(tally.bytes, tally.parsed + tally.quarantined);
/// ```
pub struct Reader {
    limits: Limits,
    strict: bool,
    records: Option<Box<dyn Records>>,
    /// The bytes held back: an unfinished line, or all lines while the format is not known.
    held: Vec<u8>,
    /// How many of the held bytes are lines that show no format.
    probed: usize,
    /// How many of the held bytes have been searched for a newline.
    searched: usize,
    probe: Probe,
    /// Where the held bytes start.
    place: Place,
    /// What is too long is being passed over.
    skipping: Option<Skipping>,
    /// The source is one document, which is being split.
    document: Option<Document>,
    tally: Tally,
}

/// What is passed over because it is too long, from where it started.
#[derive(Clone, Copy)]
enum Skipping {
    /// A line, up to its end.
    Line(Place),
    /// A message of a document, up to its end.
    Message(Place),
    /// A document whose list of messages has not been found.
    Document(Place),
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

impl Reader {
    /// A reader that finds out the format by itself.
    pub fn new() -> Self {
        Reader::with_limits(Limits::default())
    }

    /// As [`new`](Self::new), with other bounds on memory.
    pub fn with_limits(limits: Limits) -> Self {
        Reader {
            limits,
            strict: false,
            records: None,
            held: Vec::new(),
            probed: 0,
            searched: 0,
            probe: Probe::Lines { tried: 0 },
            place: Place { line: 1, offset: 0 },
            skipping: None,
            document: None,
            tally: Tally::default(),
        }
    }

    /// Checks every record from end to end, strings included. Without it a record that cannot hold a tool call is only
    /// checked to begin and end like an object, and strings that JSON does not allow are made do with.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Takes the format as given.
    pub fn with_format(mut self, format: Format) -> Self {
        self.set_format(format);
        self.document = format.is_document().then(|| self.new_document());
        self
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.tally.format
    }

    fn new_document(&self) -> Document {
        Document::new(self.limits.record)
    }

    fn set_format(&mut self, format: Format) {
        self.tally.format = Some(format);
        self.records = Some(format.open());
    }

    /// Takes in the next bytes of the source.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut dyn Sink) {
        self.tally.bytes += bytes.len() as u64;
        match self.skipping {
            Some(Skipping::Line(start)) => {
                let Some(newline) = memchr::memchr(b'\n', bytes) else { return };
                self.end_skipping(start, newline as u64 + 1, bytes.len(), sink);
                bytes = bytes.get(newline + 1..).unwrap_or_default();
            }
            Some(Skipping::Document(_)) => return,
            Some(Skipping::Message(_)) | None => {}
        }
        if self.document.is_some() {
            self.push_document(bytes, sink);
            return;
        }
        if self.records.is_none() {
            self.held.extend_from_slice(bytes);
            self.look_for_format(sink);
            return;
        }
        if !self.held.is_empty() {
            let Some(newline) = memchr::memchr(b'\n', bytes) else {
                self.hold(bytes);
                return;
            };
            let (end, rest) = bytes.split_at(newline + 1);
            let mut line = core::mem::take(&mut self.held);
            line.reserve_exact(end.len());
            line.extend_from_slice(end);
            self.lines(&line, sink);
            line.clear();
            self.held = line;
            bytes = rest;
        }
        let whole = memchr::memrchr(b'\n', bytes).map_or(0, |i| i + 1);
        let (lines, rest) = bytes.split_at(whole);
        self.lines(lines, sink);
        self.hold(rest);
    }

    /// Ends the source, and says what became of its bytes.
    pub fn finish(mut self, sink: &mut dyn Sink) -> Tally {
        if self.records.is_none() {
            self.decide(sink);
        }
        if let Some(Skipping::Line(start) | Skipping::Message(start) | Skipping::Document(start)) = self.skipping.take()
        {
            let len = self.tally.bytes - start.offset;
            self.tally.lines = start.line;
            self.put_aside(Quarantine { place: start, len, reason: Reason::TooLong }, sink);
            return self.tally;
        }
        if let Some(document) = self.document.take() {
            self.end_document(document, sink);
            return self.tally;
        }
        let rest = core::mem::take(&mut self.held);
        if self.records.is_some() {
            let whole = memchr::memrchr(b'\n', &rest).map_or(0, |i| i + 1);
            let (lines, last) = rest.split_at(whole);
            self.lines(lines, sink);
            if !last.is_empty() {
                self.line(last, true, sink);
            }
        } else if rest.iter().all(u8::is_ascii_whitespace) {
            self.tally.parsed += rest.len() as u64;
        } else {
            let reason = Reason::UnknownFormat;
            self.put_aside(Quarantine { place: self.place, len: rest.len() as u64, reason }, sink);
        }
        self.tally
    }

    /// Keeps the start of a line for later, unless it is too long.
    fn hold(&mut self, bytes: &[u8]) {
        if self.held.len() + bytes.len() > self.limits.record {
            self.held = Vec::new();
            self.skipping = Some(Skipping::Line(self.place));
            return;
        }
        // Grow by what is needed, rather than by doubling: a long line then costs its own length.
        self.held.reserve_exact(bytes.len());
        self.held.extend_from_slice(bytes);
    }

    fn end_skipping(&mut self, start: Place, taken: u64, pushed: usize, sink: &mut dyn Sink) {
        let end = self.tally.bytes - pushed as u64 + taken;
        self.skipping = None;
        self.tally.lines += 1;
        self.put_aside(Quarantine { place: start, len: end - start.offset, reason: Reason::TooLong }, sink);
        self.place = Place { line: start.line + 1, offset: end };
    }

    /// Reads whole lines.
    fn lines(&mut self, lines: &[u8], sink: &mut dyn Sink) {
        let mut start = 0;
        for newline in memchr::memchr_iter(b'\n', lines) {
            if let Some(line) = lines.get(start..newline + 1) {
                self.line(line, false, sink);
            }
            start = newline + 1;
        }
    }

    /// Reads one line, with its newline if it has one.
    fn line(&mut self, line: &[u8], last: bool, sink: &mut dyn Sink) {
        let place = self.place;
        self.place = Place { line: place.line + 1, offset: place.offset + line.len() as u64 };
        self.tally.lines += 1;
        if line.len() > self.limits.record {
            self.put_aside(Quarantine { place, len: line.len() as u64, reason: Reason::TooLong }, sink);
            return;
        }
        let Some(records) = &mut self.records else { return };
        let unmarked = if place.offset == 0 { without_mark(line) } else { line };
        let text = trimmed(unmarked);
        if text.is_empty() {
            self.tally.parsed += line.len() as u64;
            return;
        }
        let framed = text.first() == Some(&b'{') && text.last() == Some(&b'}');
        if framed && !self.strict && !records.wants(text) {
            self.tally.parsed += line.len() as u64;
            return;
        }
        let lead = line.len() - unmarked.len() + space(unmarked);
        self.values(text, lead, line.len(), place, last, sink);
    }

    /// Reads the values of a line: one, or several glued together after a crash.
    fn values(&mut self, text: &[u8], lead: usize, len: usize, line: Place, last: bool, sink: &mut dyn Sink) {
        let mut done = 0;
        while done < text.len() {
            let rest = text.get(done..).unwrap_or_default();
            let place = Place { line: line.line, offset: line.offset + (lead + done) as u64 };
            let mut cursor = Cursor::new(rest);
            let Some(records) = &mut self.records else { return };
            let outcome = match cursor.peek() {
                b'{' if self.strict => {
                    let checked = cursor.clone().strict_value();
                    checked.and_then(|_| records.record(&mut cursor, place, sink)).map_err(Reason::NotJson)
                }
                b'{' => records.record(&mut cursor, place, sink).map_err(Reason::NotJson),
                _ => Err(RawJson::parse(rest).map_or_else(Reason::NotJson, |_| Reason::NotAnObject)),
            };
            let Err(reason) = outcome else {
                let end = cursor.offset();
                done += end + space(rest.get(end..).unwrap_or_default());
                continue;
            };
            let reason = match reason {
                Reason::NotJson(error) if last && error.fault == JsonFault::UnexpectedEnd => Reason::Torn,
                reason => reason,
            };
            // The rest of the line, with its newline, is what could not be read.
            let lost = if done == 0 { len } else { len - lead - done };
            let place = if done == 0 { line } else { place };
            self.tally.parsed += (len - lost) as u64;
            self.put_aside(Quarantine { place, len: lost as u64, reason }, sink);
            return;
        }
        self.tally.parsed += len as u64;
    }

    fn put_aside(&mut self, span: Quarantine, sink: &mut dyn Sink) {
        self.tally.quarantined += span.len;
        self.tally.damaged += u64::from(span.reason.is_damage());
        sink.quarantine(&span);
    }
}

/// JSON's white space.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// How much white space bytes begin with.
fn space(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_space(**byte)).count()
}

/// Bytes without the white space around them.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let start = space(bytes);
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

/// A source without the byte order mark that it may begin with.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
