//! One JSON document with a long list of messages, read a message at a time.
//!
//! A session that is one document can be of any size. A short one is read as a whole; of a longer one only the front is
//! kept, up to the list, and the element of the list that is being taken in: each message is then read as a document of its
//! own, with that front and no other message. What follows the list is not known to the messages of a long document. An
//! element over the limit is not kept: it is passed over in pieces.

use alloc::vec::Vec;

use super::is_space;
use crate::json::{Cursor, JsonError, JsonFault};

/// A document up to this length is read as a whole, so that the order of its members does not matter.
const SHORT: usize = 1 << 20;

/// The member of the document that holds the list.
const LIST: &[u8] = b"\"messages\"";

/// A longer front is not repeated for every message; the messages then stand alone.
const MOST_FRONT: usize = 16 << 10;

/// What stands in for a front that is too long, or damaged.
const NO_FRONT: &[u8] = b"{\"messages\":[";

/// Splits a long document into its messages.
pub(super) struct Document {
    /// A document up to this length is kept as a whole.
    short: usize,
    /// What is longer is passed over.
    limit: usize,
    state: State,
    /// The bytes of the part that has not come to its end.
    held: Vec<u8>,
    /// How many of them have been looked at.
    at: usize,
    /// How many brackets are open: of the document before the list, then of the element.
    depth: usize,
    in_string: bool,
    /// Where the last string of the front starts.
    name: usize,
    /// The name that the list follows, and nothing but a colon has come since.
    list_next: bool,
    /// Whether an element has come since the last comma.
    after_element: bool,
    /// Whether pieces of the part have been passed over.
    too_long: bool,
    /// The document up to the list, with its bracket.
    front: Vec<u8>,
}

/// Which part of the document is being taken in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// All up to the list.
    Front,
    /// White space and a comma, in the list.
    Between,
    /// An element of the list: a message, or something else.
    Element,
    /// All from the end of the list on.
    Tail,
    /// A document that has ended without a list.
    Whole,
}

/// What a document is split into.
pub(super) enum Part<'a> {
    /// Legal bytes that are no element.
    Plain(&'a [u8]),
    /// Bytes that are no element, and not legal.
    Damaged(&'a [u8], JsonError),
    /// An element, and the front of the document: `front`, `element` and [`END`] are a document that holds no other.
    Element { element: &'a [u8], front: &'a [u8] },
    /// What is over the limit, or a piece of it; `last` ends it.
    TooLong { bytes: &'a [u8], last: bool },
}

/// What closes the list and the document.
pub(super) const END: &[u8] = b"]}";

/// What is left at the end of a document.
pub(super) enum Rest {
    /// A document that is short, or without a list: to be read as a whole.
    Whole(Vec<u8>),
    /// The end of a document, from the end of its list on, and its front.
    Tail { tail: Vec<u8>, front: Vec<u8> },
    /// The start of an element that is cut, and the front of the document.
    Cut { element: Vec<u8>, front: Vec<u8> },
    /// White space, and perhaps a comma.
    Between(Vec<u8>),
}

impl Document {
    pub(super) fn new(limit: usize) -> Self {
        Document {
            short: SHORT.min(limit),
            limit,
            state: State::Front,
            held: Vec::new(),
            at: 0,
            depth: 0,
            in_string: false,
            name: 0,
            list_next: false,
            after_element: false,
            too_long: false,
            front: Vec::new(),
        }
    }

    /// Takes in bytes, and hands on what is complete. `false` once no list can be found within the limit.
    pub(super) fn push(&mut self, bytes: &[u8], strict: bool, hand_on: &mut dyn FnMut(Part<'_>)) -> bool {
        self.held.extend_from_slice(bytes);
        if self.state == State::Front && self.held.len() <= self.short {
            return true;
        }
        let mut done = 0;
        let mut start = self.state;
        while let Some(end) = self.part_end(done) {
            let part = self.held.get(done..end).unwrap_or_default();
            let too_long = core::mem::take(&mut self.too_long) || start != State::Front && part.len() > self.limit;
            match start {
                _ if too_long => hand_on(Part::TooLong { bytes: part, last: true }),
                State::Element => hand_on(Part::Element { element: part, front: &self.front }),
                State::Between => hand_on(self.between(part)),
                _ => {
                    let (front, outcome) = check_front(part, strict);
                    hand_on(outcome.map_or_else(|error| Part::Damaged(part, error), |()| Part::Plain(part)));
                    self.front = front;
                }
            }
            self.after_element = start == State::Element;
            done = end;
            start = self.state;
        }
        self.let_go(done);
        if self.held.len() <= self.limit {
            return true;
        }
        if matches!(self.state, State::Front | State::Whole) {
            return false;
        }
        if self.at > 0 {
            hand_on(Part::TooLong { bytes: self.held.get(..self.at).unwrap_or_default(), last: false });
            self.too_long = true;
            self.let_go(self.at);
        }
        true
    }

    fn let_go(&mut self, bytes: usize) {
        self.held.drain(..bytes);
        self.at -= bytes;
    }

    /// Looks on until the part that starts at `start` has come to its end; the end.
    fn part_end(&mut self, start: usize) -> Option<usize> {
        match self.state {
            State::Front => self.front_end(),
            State::Between => self.between_end(),
            State::Element => self.element_end(start),
            State::Tail | State::Whole => {
                self.at = self.held.len();
                None
            }
        }
    }

    fn front_end(&mut self) -> Option<usize> {
        loop {
            if self.in_string {
                self.string_end()?;
                self.list_next = self.depth == 1 && self.held.get(self.name..self.at) == Some(LIST);
                continue;
            }
            let byte = *self.held.get(self.at)?;
            let list = self.list_next && byte == b'[';
            match byte {
                b'"' => {
                    self.in_string = true;
                    self.name = self.at;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.list_next &= byte == b':' || is_space(byte);
            self.at += 1;
            if list {
                self.depth = 0;
                self.state = State::Between;
                return Some(self.at);
            }
            if self.depth == 0 && matches!(byte, b'}' | b']') {
                self.state = State::Whole;
                return None;
            }
        }
    }

    fn between_end(&mut self) -> Option<usize> {
        loop {
            let byte = *self.held.get(self.at)?;
            // A closing brace has no place here; what follows may be messages all the same.
            if !is_space(byte) && !matches!(byte, b',' | b'}') {
                self.state = if byte == b']' { State::Tail } else { State::Element };
                return Some(self.at);
            }
            self.at += 1;
        }
    }

    fn element_end(&mut self, start: usize) -> Option<usize> {
        loop {
            if self.in_string {
                self.string_end()?;
                if self.depth == 0 {
                    break;
                }
            }
            let byte = *self.held.get(self.at)?;
            match byte {
                b'"' if self.depth > 0 || self.at == start => self.in_string = true,
                b'{' | b'[' if self.depth > 0 || self.at == start => self.depth += 1,
                b'}' | b']' if self.depth > 0 => self.depth -= 1,
                // A number or a word ends before what comes next.
                _ if self.depth == 0 && (is_space(byte) || b",]}[{\"".contains(&byte)) => break,
                _ => {}
            }
            self.at += 1;
            if self.depth == 0 && matches!(byte, b'}' | b']') {
                break;
            }
        }
        self.state = State::Between;
        Some(self.at)
    }

    /// Looks for the end of the open string; `None` if it has not come yet.
    fn string_end(&mut self) -> Option<()> {
        loop {
            let rest = self.held.get(self.at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.held.len();
                return None;
            };
            self.at += found;
            if self.held.get(self.at) == Some(&b'"') {
                self.at += 1;
                self.in_string = false;
                return Some(());
            }
            // An escape whose second half has not come is looked at again.
            self.held.get(self.at + 1)?;
            self.at += 2;
        }
    }

    /// Whether what stands between elements is a comma, or nothing before the first and after the last.
    fn between<'a>(&self, bytes: &'a [u8]) -> Part<'a> {
        let comma = self.after_element && self.state == State::Element;
        let mut marks = bytes.iter().enumerate().filter(|(_, byte)| !is_space(**byte));
        let fault = match (marks.next(), marks.next()) {
            (None, _) if !comma => None,
            (Some((_, b',')), None) if comma => None,
            (Some((_, b',')), Some((at, _))) if comma => Some(at),
            (first, _) => Some(first.map_or(bytes.len(), |(at, _)| at)),
        };
        match fault {
            None => Part::Plain(bytes),
            Some(offset) => Part::Damaged(bytes, JsonError { offset, fault: JsonFault::ExpectedCommaOrEnd }),
        }
    }

    /// Ends the document.
    pub(super) fn finish(self) -> Rest {
        match self.state {
            State::Front | State::Whole => Rest::Whole(self.held),
            State::Between => Rest::Between(self.held),
            State::Element => Rest::Cut { element: self.held, front: self.front },
            State::Tail => Rest::Tail { tail: self.held, front: self.front },
        }
    }
}

/// The front to read messages with, and whether the front of the document is legal.
fn check_front(bytes: &[u8], strict: bool) -> (Vec<u8>, Result<(), JsonError>) {
    let front = super::without_mark(bytes);
    let outcome = check(&[front, END].concat(), strict)
        .map_err(|error| JsonError { offset: error.offset + (bytes.len() - front.len()), ..error });
    let kept = if front.len() > MOST_FRONT || outcome.is_err() { NO_FRONT } else { front };
    (kept.to_vec(), outcome)
}

/// Whether the text is one value.
pub(super) fn check(text: &[u8], strict: bool) -> Result<(), JsonError> {
    let mut cursor = Cursor::new(text);
    if strict { cursor.strict_value() } else { cursor.value() }?;
    let offset = cursor.offset();
    if offset == text.len() { Ok(()) } else { Err(JsonError { offset, fault: JsonFault::TrailingText }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The elements as documents, what is damaged, and all bytes in order.
    fn split(text: &str, piece: usize) -> (Vec<String>, Vec<String>, String) {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (mut documents, mut damaged, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        let mut document = Document { short: 0, ..Document::new(usize::MAX) };
        for piece in text.as_bytes().chunks(piece) {
            document.push(piece, false, &mut |part| match part {
                Part::Plain(plain) => bytes.extend_from_slice(plain),
                Part::Damaged(part, _) => {
                    bytes.extend_from_slice(part);
                    damaged.push(text_of(part));
                }
                Part::Element { element, front } => {
                    bytes.extend_from_slice(element);
                    documents.push(text_of(&[front, element, END].concat()));
                }
                Part::TooLong { bytes: piece, .. } => bytes.extend_from_slice(piece),
            });
        }
        match document.finish() {
            Rest::Whole(rest) | Rest::Between(rest) => bytes.extend(rest),
            Rest::Tail { tail: rest, .. } | Rest::Cut { element: rest, .. } => bytes.extend(rest),
        }
        (documents, damaged, text_of(&bytes))
    }

    #[test]
    fn each_element_becomes_a_document_with_the_front() {
        let text = r#" {"a": {"messages": [{"not": "these"}]}, "messages" : [ {"x": "]}\"\\"}, {"y": [{}]} , "z\"", 5, [6]], "z": [1]} "#;
        for piece in [1, 3, 1000] {
            let (documents, damaged, bytes) = split(text, piece);
            let front = r#" {"a": {"messages": [{"not": "these"}]}, "messages" : ["#;
            let elements = [r#"{"x": "]}\"\\"}"#, r#"{"y": [{}]}"#, r#""z\"""#, "5", "[6]"];
            assert_eq!(documents, elements.map(|element| [front, element, "]}"].concat()));
            assert_eq!((damaged.len(), bytes.as_str()), (0, text));
        }
    }

    #[test]
    fn a_cut_document_gives_its_complete_messages() {
        let text = r#"{"messages":[{"a":1},{"b":"#;
        let (documents, _, bytes) = split(text, 4);
        assert_eq!((documents, bytes.as_str()), (Vec::from([String::from(r#"{"messages":[{"a":1}]}"#)]), text));
    }

    #[test]
    fn what_is_wrong_between_elements_is_told() {
        for (list, elements, wrong) in [
            ("{}{}", 2, &[""][..]),
            ("{},,{}", 2, &[",,"]),
            (",{}", 1, &[","]),
            ("{}, ", 1, &[", "]),
            ("{}}, {}", 2, &["}, "]),
            ("{}, x {}", 3, &[" "]),
            ("{} ,\n{}", 2, &[]),
            ("", 0, &[]),
        ] {
            for piece in [1, 1000] {
                let (documents, damaged, bytes) = split(&["{\"messages\":[", list, "]}"].concat(), piece);
                assert_eq!(
                    (documents.len(), damaged.as_slice()),
                    (elements, &*wrong.iter().map(|w| String::from(*w)).collect::<Vec<_>>()),
                    "{list}"
                );
                assert_eq!(bytes, ["{\"messages\":[", list, "]}"].concat());
            }
        }
    }

    #[test]
    fn a_value_called_messages_is_no_list() {
        for text in [r#"{"x":"messages","y":[{}]}"#, r#"{"messages":{"y":[{}]}}"#, r#"{"messages":"a","y":[{}]}"#] {
            let (documents, _, bytes) = split(text, 5);
            assert_eq!((documents.len(), bytes.as_str()), (0, text));
        }
        assert!(split(r#"{} {"messages":[{}]}"#, 5).0.is_empty(), "a second document is not looked into");
    }
}
