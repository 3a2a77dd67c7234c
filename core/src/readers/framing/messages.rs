//! Reading a source that is one document.

use super::document::{Document, END, Part, Rest, check};
use super::{Reader, Skipping, is_space, space, trimmed, without_mark};
use crate::event::Place;
use crate::json::{Cursor, JsonError, JsonFault};
use crate::readers::{Quarantine, Reason, Sink};

impl Reader {
    pub(super) fn push_document(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        let Some(mut document) = self.document.take() else { return };
        let goes_on = document.push(bytes, self.strict, &mut |part| match part {
            Part::Plain(bytes) => self.plain(bytes),
            Part::Damaged(bytes, error) => self.damaged(bytes, Reason::NotJson(error), sink),
            Part::Element { element, front } => self.element(element, front, sink),
            Part::TooLong { bytes, last } => self.too_long(bytes, last, sink),
        });
        if goes_on {
            self.document = Some(document);
        } else {
            self.skipping = Some(Skipping::Document(self.place));
        }
    }

    /// Reads one element of the list; what is no object holds no call.
    fn element(&mut self, element: &[u8], front: &[u8], sink: &mut dyn Sink) {
        let place = self.place;
        let Some(records) = &mut self.records else { return };
        let framed = element.first() == Some(&b'{') && element.last() == Some(&b'}');
        if framed && !self.strict && !records.wants(element) {
            self.plain(element);
            return;
        }
        let mut outcome = if framed && !self.strict { Ok(()) } else { check(element, self.strict) };
        if framed && outcome.is_ok() {
            let text = [front, element, END].concat();
            outcome = records.record(&mut Cursor::new(&text), behind(place, front), sink);
            outcome = outcome.map_err(|error| JsonError { offset: error.offset.saturating_sub(front.len()), ..error });
        }
        match outcome {
            Ok(()) => self.plain(element),
            Err(error) => self.damaged(element, Reason::NotJson(error), sink),
        }
    }

    /// Passes over a piece of what is too long.
    fn too_long(&mut self, bytes: &[u8], last: bool, sink: &mut dyn Sink) {
        let place = match self.skipping.take() {
            Some(Skipping::Message(start)) => start,
            _ => self.place,
        };
        self.advance(bytes);
        if last {
            let len = self.place.offset - place.offset;
            self.put_aside(Quarantine { place, len, reason: Reason::TooLong }, sink);
        } else {
            self.skipping = Some(Skipping::Message(place));
        }
    }

    pub(super) fn end_document(&mut self, document: Document, sink: &mut dyn Sink) {
        let rest = match document.finish() {
            Rest::Whole(bytes) => {
                let unmarked = without_mark(&bytes);
                let lead = bytes.len() - unmarked.len() + space(unmarked);
                let place = self.place;
                self.advance(&bytes);
                self.values(trimmed(unmarked), lead, bytes.len(), place, true, sink);
                bytes
            }
            Rest::Between(bytes) => {
                if bytes.iter().all(|byte| is_space(*byte) || *byte == b',') {
                    self.plain(&bytes);
                } else {
                    self.damaged(&bytes, Reason::Torn, sink);
                }
                bytes
            }
            Rest::Tail { tail, front } => {
                self.tail(&tail, &front, sink);
                tail
            }
            Rest::Cut { element, front } => {
                self.cut_element(&element, &front, sink);
                element
            }
        };
        // A last line without a newline is a line.
        self.tally.lines = self.place.line - u64::from(rest.last() == Some(&b'\n'));
    }

    /// Checks what follows the list: the rest of the document, and white space.
    fn tail(&mut self, tail: &[u8], front: &[u8], sink: &mut dyn Sink) {
        let text = [front, tail].concat();
        let mut cursor = Cursor::new(&text);
        let outcome = if self.strict { cursor.strict_value() } else { cursor.value() };
        match outcome {
            Ok(_) => {
                let end = cursor.offset();
                let more = text.get(end..).unwrap_or_default().iter().position(|byte| !is_space(*byte));
                let (rest, more) = tail.split_at(more.map_or(tail.len(), |more| end + more - front.len()));
                self.plain(rest);
                if !more.is_empty() {
                    let error = JsonError { offset: 0, fault: JsonFault::TrailingText };
                    self.damaged(more, Reason::NotJson(error), sink);
                }
            }
            Err(error) if error.fault == JsonFault::UnexpectedEnd => self.damaged(tail, Reason::Torn, sink),
            Err(error) => {
                let error = JsonError { offset: error.offset.saturating_sub(front.len()), ..error };
                self.damaged(tail, Reason::NotJson(error), sink);
            }
        }
    }

    /// Reads what there is of an element that is cut, or damaged so that its end was not recognised.
    fn cut_element(&mut self, element: &[u8], front: &[u8], sink: &mut dyn Sink) {
        let place = self.place;
        if let Some(records) = self.records.as_mut().filter(|_| element.first() == Some(&b'{')) {
            // It fails at the cut, after the calls before it.
            let _ = records.record(&mut Cursor::new(&[front, element].concat()), behind(place, front), sink);
        }
        let reason = match check(element, false) {
            Err(error) if error.fault != JsonFault::UnexpectedEnd => Reason::NotJson(error),
            _ => Reason::Torn,
        };
        self.damaged(element, reason, sink);
    }

    fn plain(&mut self, bytes: &[u8]) {
        self.tally.parsed += bytes.len() as u64;
        self.advance(bytes);
    }

    fn damaged(&mut self, bytes: &[u8], reason: Reason, sink: &mut dyn Sink) {
        let place = self.place;
        self.advance(bytes);
        self.put_aside(Quarantine { place, len: bytes.len() as u64, reason }, sink);
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
