//! Reading a source that is one document.

use super::document::{Document, END, Part, Rest};
use super::{Reader, Skipping, without_mark};
use crate::event::Place;
use crate::json::{Cursor, JsonError, JsonFault};
use crate::readers::{Quarantine, Reason, Sink};

impl Reader {
    pub(super) fn push_document(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        let Some(mut document) = self.document.take() else { return };
        document.push(bytes, &mut |part| match part {
            Part::Between(bytes) => {
                self.tally.parsed += bytes.len() as u64;
                self.advance(bytes);
            }
            Part::Message { message, front } => self.message(message, front, sink),
            Part::TooLong { bytes, last } => self.too_long(bytes, last, sink),
        });
        if document.held() > self.limits.record {
            self.skipping = Some(Skipping::Document(self.place));
        } else {
            self.document = Some(document);
        }
    }

    /// Reads one message of a document.
    fn message(&mut self, message: &[u8], front: &[u8], sink: &mut dyn Sink) {
        let place = self.place;
        self.advance(message);
        let Some(records) = self.records.as_mut().filter(|records| self.strict || records.wants(message)) else {
            self.tally.parsed += message.len() as u64;
            return;
        };
        let text = [front, message, END].concat();
        let outcome = if self.strict { Cursor::new(&text).strict_value().map(|_| ()) } else { Ok(()) };
        match outcome.and_then(|()| records.record(&mut Cursor::new(&text), behind(place, front), sink)) {
            Ok(()) => self.tally.parsed += message.len() as u64,
            Err(error) => {
                let reason = Reason::NotJson(JsonError { offset: error.offset.saturating_sub(front.len()), ..error });
                self.put_aside(Quarantine { place, len: message.len() as u64, reason }, sink);
            }
        }
    }

    /// Passes over a piece of a message that is too long.
    fn too_long(&mut self, bytes: &[u8], last: bool, sink: &mut dyn Sink) {
        let place = match self.skipping.take() {
            Some(Skipping::Message(start)) => start,
            _ => self.place,
        };
        self.advance(bytes);
        if last {
            self.put_aside(Quarantine { place, len: self.place.offset - place.offset, reason: Reason::TooLong }, sink);
        } else {
            self.skipping = Some(Skipping::Message(place));
        }
    }

    pub(super) fn end_document(&mut self, document: Document, sink: &mut dyn Sink) {
        match document.finish() {
            Rest::Complete(rest) => {
                self.tally.parsed += rest.len() as u64;
                self.advance(&rest);
            }
            Rest::Whole(bytes) => {
                let text = without_mark(&bytes).trim_ascii_start();
                let place = self.place;
                self.advance(&bytes);
                self.values(text.trim_ascii_end(), bytes.len() - text.len(), bytes.len(), place, true, sink);
            }
            Rest::Cut { rest, front } => self.cut_message(&rest, &front, sink),
        }
        // A last line without a newline is a line.
        self.tally.lines = self.place.line;
    }

    /// Reads what there is of a message that is cut, or damaged so that its end was not recognised.
    fn cut_message(&mut self, rest: &[u8], front: &[u8], sink: &mut dyn Sink) {
        let place = self.place;
        self.advance(rest);
        let Some(open) = memchr::memchr(b'{', rest) else {
            self.tally.parsed += rest.len() as u64;
            return;
        };
        let open = rest.get(open..).unwrap_or_default();
        if let Some(records) = &mut self.records {
            // It fails at the cut, after the calls before it.
            let _ = records.record(&mut Cursor::new(&[front, open].concat()), behind(place, front), sink);
        }
        let reason = match Cursor::new(open).value() {
            Err(error) if error.fault != JsonFault::UnexpectedEnd => Reason::NotJson(error),
            _ => Reason::Torn,
        };
        self.put_aside(Quarantine { place, len: rest.len() as u64, reason }, sink);
    }

    /// Moves on over bytes of a document.
    fn advance(&mut self, bytes: &[u8]) {
        self.place.offset += bytes.len() as u64;
        self.place.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
    }
}

/// Where a document would start whose message stands at `place`, behind this front.
fn behind(place: Place, front: &[u8]) -> Place {
    Place { offset: place.offset.saturating_sub(front.len() as u64), ..place }
}
