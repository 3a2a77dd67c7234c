//! Finding out the format of a source from its first records.

use alloc::vec::Vec;

use super::{Reader, without_mark};
use crate::json::{JsonError, JsonFault};
use crate::readers::{Format, Members, Quarantine, Reason, Sink};

/// How far a format is looked for before the source is given up as unknown.
const PROBE_LINES: usize = 256;
const PROBE_BYTES: usize = 8 << 20;
/// How much of a document is looked at before all of it.
const FRONT_BYTES: usize = 64 << 10;

/// How the format is being looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// Each line is tried by itself.
    Lines { tried: usize },
    /// The source is a document that may span lines.
    Document,
}

impl Reader {
    /// Tries the held lines that have not been tried yet.
    pub(super) fn look_for_format(&mut self, sink: &mut dyn Sink) {
        while let Probe::Lines { tried } = self.probe {
            let from = self.searched.max(self.probed);
            let fresh = self.held.get(from..).unwrap_or_default();
            let Some(newline) = memchr::memchr(b'\n', fresh) else {
                self.searched = self.held.len();
                // One line, and already long: a document without line breaks, it may be.
                if tried == 0 && self.held.len() > FRONT_BYTES {
                    self.begin_document(sink);
                }
                break;
            };
            let end = from + newline;
            let line = self.held.get(self.probed..end).unwrap_or_default().trim_ascii();
            let found = detect(line);
            if let Ok(Some(format)) = found {
                if format.is_document() && line.len() > self.limits.record {
                    self.begin(format, sink);
                } else {
                    self.start(format, sink);
                }
                return;
            }
            self.probed = end + 1;
            if line.is_empty() {
                continue;
            }
            let next = self.held.get(self.probed..).unwrap_or_default();
            self.probe = match found {
                Err(error) if tried == 0 && error.fault == JsonFault::UnexpectedEnd && !begins_record(next) => {
                    Probe::Document
                }
                _ => Probe::Lines { tried: tried + 1 },
            };
            if tried > PROBE_LINES {
                break;
            }
        }
        if self.probe == Probe::Document && !self.begin_document(sink) && self.held.len() > FRONT_BYTES {
            // No document that is known: lines after all, of which the first was cut.
            self.probe = Probe::Lines { tried: 1 };
            self.look_for_format(sink);
            return;
        }
        let tried_enough = matches!(self.probe, Probe::Lines { tried } if tried > PROBE_LINES);
        if self.held.len() > PROBE_BYTES.max(self.limits.record) || tried_enough && self.held.len() > PROBE_BYTES {
            let len = self.held.len() as u64;
            self.put_aside(Quarantine { place: self.place, len, reason: Reason::UnknownFormat }, sink);
            self.place.offset += len;
            self.held = Vec::new();
            self.probed = 0;
            self.searched = 0;
        }
    }

    /// Decides at the end of the source: the held bytes may be a short document, or a last line without a newline.
    pub(super) fn decide(&mut self, sink: &mut dyn Sink) {
        if self.begin_document(sink) {
            return;
        }
        let (format, whole) = claims(self.held.trim_ascii());
        let lines = || {
            let tries = self.held.split(|b| *b == b'\n').take(PROBE_LINES);
            tries.filter_map(|line| detect(line.trim_ascii()).ok().flatten()).next()
        };
        // If it is no whole record, it is lines after all, of which the first was cut; if not that, then one that is cut.
        if whole.is_err()
            && let Some(format) = lines()
        {
            self.set_format(format);
        } else if let Some(format) = format {
            self.begin(format, sink);
        }
    }

    /// Begins to read the held bytes as a document, if their front shows one.
    fn begin_document(&mut self, sink: &mut dyn Sink) -> bool {
        let (format, _) = claims(self.held.get(..FRONT_BYTES).unwrap_or(&self.held));
        let Some(format) = format.filter(|format| format.is_document()) else { return false };
        self.begin(format, sink);
        true
    }

    fn begin(&mut self, format: Format, sink: &mut dyn Sink) {
        self.set_format(format);
        self.document = Some(self.new_document());
        let held = core::mem::take(&mut self.held);
        self.push_document(&held, sink);
    }

    /// The format is known: reads what was held back.
    fn start(&mut self, format: Format, sink: &mut dyn Sink) {
        self.set_format(format);
        let held = core::mem::take(&mut self.held);
        let whole = memchr::memrchr(b'\n', &held).map_or(0, |i| i + 1);
        let (lines, rest) = held.split_at(whole);
        self.lines(lines, sink);
        self.hold(rest);
    }
}

/// Whether these bytes look like a record of their own, as the line after a torn one does; the inside of a document has
/// a member name or a bracket there.
fn begins_record(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{\"")
}

/// The format that a record shows, if it is decisive.
pub(crate) fn detect(text: &[u8]) -> Result<Option<Format>, JsonError> {
    let (format, outcome) = claims(text);
    outcome.map(|()| format)
}

/// The format that claims a record by the members it has, and whether the record is whole.
fn claims(text: &[u8]) -> (Option<Format>, Result<(), JsonError>) {
    let (members, outcome) = Members::read(without_mark(text));
    (Format::ALL.iter().copied().find(|format| format.detect(&members)), outcome)
}
