//! What an assembler knows of a call.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::StreamEvent;

/// What is known of an id.
pub(super) enum State<E> {
    /// The call is held.
    Open(Open<E>),
    /// The call was judged and let out.
    Done,
    /// The call is not judged, and flows.
    Through,
    /// The call was rejected.
    Refused,
}

/// A call that is held.
pub(super) struct Open<E> {
    /// The tool's name.
    pub(super) name: String,
    /// All of its events so far, the one that started it first.
    pub(super) events: Vec<E>,
    /// The bytes of arguments in them.
    pub(super) bytes: usize,
    /// Its place among all calls.
    pub(super) place: usize,
}

impl<E: StreamEvent> Open<E> {
    pub(super) fn new(name: String, event: E, place: usize) -> Self {
        Open { name, events: vec![event], bytes: 0, place }
    }

    pub(super) fn hold(&mut self, event: E) {
        self.bytes = self.bytes.saturating_add(event.part().delta().len());
        self.events.push(event);
    }

    /// The call with its last event.
    pub(super) fn with(mut self, event: E) -> Self {
        self.hold(event);
        self
    }

    /// The arguments, put together; a single piece is not copied.
    pub(super) fn args(&self) -> Cow<'_, [u8]> {
        let mut pieces = self.events.iter().map(|event| event.part().delta()).filter(|piece| !piece.is_empty());
        let first = pieces.next().unwrap_or_default();
        if first.len() == self.bytes {
            return Cow::Borrowed(first);
        }
        let mut all = Vec::with_capacity(self.bytes);
        all.extend_from_slice(first);
        pieces.for_each(|piece| all.extend_from_slice(piece));
        Cow::Owned(all)
    }
}
