//! One JSON document with a long list of messages, read a message at a time.
//!
//! A session that is one document can be of any size. A short one is read as a whole; of a longer one only the front is
//! kept, up to the list, and the message that is being taken in: each message is then read as a document of its own, with
//! that front and no other message. What follows the list is not known to the messages of a long document. A message over
//! the limit is not kept: it is passed over in pieces.

use alloc::vec::Vec;

/// A document up to this length is read as a whole, so that the order of its members does not matter.
const SHORT: usize = 1 << 20;

/// The member of the document that holds the list.
const LIST: &[u8] = b"\"messages\"";

/// A longer front is not repeated for every message; the messages then stand alone.
const MOST_FRONT: usize = 16 << 10;

/// Splits a long document into its messages.
pub(super) struct Document {
    /// A document up to this length is kept as a whole.
    short: usize,
    /// A message over this length is passed over.
    limit: usize,
    /// Bytes taken in and not handed on yet.
    held: Vec<u8>,
    /// How many of them have been looked at.
    at: usize,
    depth: usize,
    /// Where the string that is open starts.
    string: Option<usize>,
    /// The last string of the outer object, if it was the list's name, and nothing but a colon has come since.
    list_next: bool,
    /// Whether the brackets that are open are the outer object's and the list's.
    in_list: bool,
    /// Where the message that is open starts.
    message: Option<usize>,
    /// Whether pieces of that message have been passed over.
    too_long: bool,
    /// The document up to the list, with its bracket.
    front: Vec<u8>,
    handed_on: bool,
}

/// What a document is split into.
pub(super) enum Part<'a> {
    /// Bytes between messages.
    Between(&'a [u8]),
    /// A message, and the front of the document: `front`, `message` and [`END`] are a document that holds no other.
    Message { message: &'a [u8], front: &'a [u8] },
    /// A message over the limit, or a piece of one; `last` ends it.
    TooLong { bytes: &'a [u8], last: bool },
}

/// What closes the list and the document.
pub(super) const END: &[u8] = b"]}";

/// What is left at the end of a document.
pub(super) enum Rest {
    /// The end of a document whose messages have been handed on.
    Complete(Vec<u8>),
    /// A document that is short, or without messages: to be read as a whole.
    Whole(Vec<u8>),
    /// The start of what is cut, after the messages that are complete, and the front of the document.
    Cut { rest: Vec<u8>, front: Vec<u8> },
}

impl Document {
    pub(super) fn new(limit: usize) -> Self {
        Document {
            short: SHORT.min(limit),
            limit,
            held: Vec::new(),
            at: 0,
            depth: 0,
            string: None,
            list_next: false,
            in_list: false,
            message: None,
            too_long: false,
            front: Vec::new(),
            handed_on: false,
        }
    }

    /// How many bytes are held back.
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// Takes in bytes, and hands on what is complete.
    pub(super) fn push(&mut self, bytes: &[u8], hand_on: &mut dyn FnMut(Part<'_>)) {
        self.held.extend_from_slice(bytes);
        if !self.handed_on && self.held.len() <= self.short {
            return;
        }
        let mut done = 0;
        while let Some(end) = self.next_message() {
            let start = self.message.take().unwrap_or(end);
            hand_on(Part::Between(self.held.get(done..start).unwrap_or_default()));
            let message = self.held.get(start..end).unwrap_or_default();
            hand_on(if core::mem::take(&mut self.too_long) || message.len() > self.limit {
                Part::TooLong { bytes: message, last: true }
            } else {
                Part::Message { message, front: &self.front }
            });
            self.handed_on = true;
            done = end;
        }
        self.let_go(done);
        if self.held.len() > self.limit {
            self.pass_over(hand_on);
        }
    }

    /// Hands on what has been looked at though nothing is complete, so that no more is held than the limit. Before the list
    /// is found nothing can be handed on.
    fn pass_over(&mut self, hand_on: &mut dyn FnMut(Part<'_>)) {
        // One byte stays, so that a string that is open still has a start.
        let end = self.at.saturating_sub(1);
        if let Some(start) = self.message {
            hand_on(Part::Between(self.held.get(..start).unwrap_or_default()));
            let end = end.max(start);
            if end > start {
                hand_on(Part::TooLong { bytes: self.held.get(start..end).unwrap_or_default(), last: false });
                self.too_long = true;
            }
            self.handed_on = true;
            self.let_go(end);
        } else if self.handed_on {
            hand_on(Part::Between(self.held.get(..end).unwrap_or_default()));
            self.let_go(end);
        }
    }

    /// Drops bytes that have been handed on.
    fn let_go(&mut self, bytes: usize) {
        if bytes > 0 {
            self.held.drain(..bytes);
            self.at -= bytes;
            self.string = self.string.map(|start| start.saturating_sub(bytes));
            self.message = self.message.map(|start| start.saturating_sub(bytes));
        }
    }

    /// Looks on until a message is complete; one past its end.
    fn next_message(&mut self) -> Option<usize> {
        loop {
            if let Some(start) = self.string {
                self.string_end(start)?;
                continue;
            }
            let byte = *self.held.get(self.at)?;
            match byte {
                b'"' => self.string = Some(self.at),
                b'{' | b'[' => {
                    if self.in_list && self.depth == 2 && byte == b'{' {
                        self.message = Some(self.at);
                    }
                    if self.list_next && byte == b'[' {
                        self.in_list = true;
                        let front = self.held.get(..=self.at).unwrap_or_default();
                        let front = super::without_mark(front);
                        self.front =
                            if front.len() > MOST_FRONT { b"{\"messages\":[".to_vec() } else { front.to_vec() };
                    }
                    self.depth += 1;
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.in_list &= self.depth >= 2;
                }
                _ => {}
            }
            self.list_next &= byte == b':' || byte.is_ascii_whitespace();
            self.at += 1;
            if self.message.is_some() && self.depth == 2 && byte == b'}' {
                return Some(self.at);
            }
        }
    }

    /// Looks for the end of the open string; `None` if it has not come yet.
    fn string_end(&mut self, start: usize) -> Option<()> {
        let mut at = self.at.max(start + 1);
        let end = loop {
            let rest = self.held.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest).map(|i| at + i) else {
                self.at = self.held.len();
                return None;
            };
            match self.held.get(found) {
                Some(b'"') => break found + 1,
                // An escape whose second half has not come is looked at again.
                _ if found + 1 >= self.held.len() => {
                    self.at = found;
                    return None;
                }
                _ => at = found + 2,
            }
        };
        self.list_next = self.depth == 1 && !self.in_list && self.held.get(start..end) == Some(LIST);
        self.string = None;
        self.at = end;
        Some(())
    }

    /// Ends the document.
    pub(super) fn finish(self) -> Rest {
        if !self.handed_on {
            Rest::Whole(self.held)
        } else if self.depth > 0 || self.string.is_some() {
            Rest::Cut { rest: self.held, front: self.front }
        } else {
            Rest::Complete(self.held)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The messages as documents, and all bytes in order.
    fn split(text: &str, piece: usize) -> (Vec<String>, String, bool) {
        let (mut documents, mut bytes) = (Vec::new(), Vec::new());
        let mut document = Document { short: 0, ..Document::new(usize::MAX) };
        for piece in text.as_bytes().chunks(piece) {
            document.push(piece, &mut |part| match part {
                Part::Between(between) => bytes.extend_from_slice(between),
                Part::Message { message, front } => {
                    bytes.extend_from_slice(message);
                    documents.push(String::from_utf8_lossy(&[front, message, END].concat()).into_owned());
                }
                Part::TooLong { bytes: piece, .. } => bytes.extend_from_slice(piece),
            });
        }
        let (rest, complete) = match document.finish() {
            Rest::Complete(rest) | Rest::Whole(rest) => (rest, true),
            Rest::Cut { rest, .. } => (rest, false),
        };
        bytes.extend(rest);
        (documents, String::from_utf8_lossy(&bytes).into_owned(), complete)
    }

    #[test]
    fn each_message_becomes_a_document_with_the_front() {
        let text =
            r#" {"a": {"messages": [{"not": "these"}]}, "messages" : [ {"x": "]}\"\\"}, {"y": [{}]} ], "z": [1]} "#;
        for piece in [1, 3, 1000] {
            let (documents, bytes, complete) = split(text, piece);
            let front = r#" {"a": {"messages": [{"not": "these"}]}, "messages" : ["#;
            assert_eq!(documents, [[front, r#"{"x": "]}\"\\"}]}"#].concat(), [front, r#"{"y": [{}]}]}"#].concat()]);
            assert_eq!((bytes.as_str(), complete), (text, true));
        }
    }

    #[test]
    fn a_cut_document_gives_its_complete_messages() {
        let (documents, bytes, complete) = split(r#"{"messages":[{"a":1},{"b":"#, 4);
        assert_eq!(documents, [r#"{"messages":[{"a":1}]}"#]);
        assert_eq!((bytes.as_str(), complete), (r#"{"messages":[{"a":1},{"b":"#, false));
    }

    #[test]
    fn a_value_called_messages_is_no_list() {
        assert!(split(r#"{"x":"messages","y":[{}]}"#, 5).0.is_empty());
        assert!(split(r#"{"messages":{"y":[{}]}}"#, 5).0.is_empty());
        assert!(split(r#"{"messages":"a","y":[{}]}"#, 5).0.is_empty());
    }
}
