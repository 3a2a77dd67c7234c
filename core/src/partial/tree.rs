//! What is visible so far: nodes in the order of the text, and one buffer for all keys, strings and numbers. Both only grow.

use alloc::string::String;
use alloc::vec::Vec;

use super::{MAX_DEPTH, Options};
use crate::json::{JsonFault, JsonType};

/// In place of a key: the node is an element, and [`Node::key_len`] its index.
const ELEMENT: u32 = u32::MAX;

/// In place of a container's end: it has none yet.
const NOT_ENDED: u32 = u32::MAX;

/// One value. What an object or array holds follows it directly, up to its end.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    key: u32,
    key_len: u32,
    /// Where the text of a string or number starts in the buffer.
    start: u32,
    /// Its length; of an object or array the node behind its last.
    len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(super) fn json_type(self) -> JsonType {
        match self {
            Kind::Null => JsonType::Null,
            Kind::False | Kind::True => JsonType::Bool,
            Kind::Number => JsonType::Number,
            Kind::String => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    fn is_container(self) -> bool {
        matches!(self, Kind::Array | Kind::Object)
    }
}

/// An open object or array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) node: u32,
    /// How many elements or members it has.
    count: u32,
}

/// A string of which the middle was left out.
#[derive(Debug)]
struct Cut {
    node: u32,
    omitted: u64,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    text: String,
    open: Vec<Level>,
    /// Whether the last node is a string that still grows.
    string_open: bool,
    /// Where the key or number that is being read starts in the buffer. It is no part of what is visible.
    start: usize,
    /// The key that the next value belongs to.
    key: (u32, u32),
    cuts: Vec<Cut>,
    /// The end so far of a string whose front is all that is kept.
    tail: String,
    /// How much of that string came between its front and `tail`.
    dropped: u64,
}

impl Tree {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self =
            Tree { nodes: core::mem::take(&mut self.nodes), text: core::mem::take(&mut self.text), ..Tree::default() };
        self.nodes.clear();
        self.text.clear();
    }

    pub(super) fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    pub(super) fn last(&self) -> u32 {
        (self.nodes.len() as u32).saturating_sub(1)
    }

    pub(super) fn levels(&self) -> &[Level] {
        &self.open
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the root is an object without a member.
    pub(super) fn is_placeholder(&self) -> bool {
        matches!(self.nodes.as_slice(), [Node { kind: Kind::Object, .. }])
    }

    /// What the innermost open container is.
    pub(super) fn innermost(&self) -> Option<Kind> {
        Some(self.node(self.open.last()?.node)?.kind)
    }

    pub(super) fn string_open(&self) -> bool {
        self.string_open
    }

    /// The bytes that may still be kept.
    fn room(&self, options: &Options) -> usize {
        let most = options.most_bytes.min(u32::MAX as usize / 2);
        most.saturating_sub(self.text.len() + self.tail.len() + self.nodes.len() * size_of::<Node>())
    }

    /// Starts to read a key or a number.
    pub(super) fn start_hidden(&mut self) {
        self.start = self.text.len();
    }

    /// More of a key or a number. Of what does not fit the front is kept, and its length is the error.
    pub(super) fn append_hidden(&mut self, text: &str, options: &Options) -> Result<(), usize> {
        let fits = fitting(text, self.room(options));
        self.text.push_str(fits);
        if fits.len() < text.len() { Err(fits.len()) } else { Ok(()) }
    }

    /// The key has ended.
    pub(super) fn end_key(&mut self) {
        self.key = (self.start as u32, (self.text.len() - self.start) as u32);
    }

    /// Adds a value to the innermost open container.
    fn add(&mut self, kind: Kind, start: usize, len: u32, options: &Options) -> Result<(), JsonFault> {
        if self.room(options) < size_of::<Node>() {
            return Err(JsonFault::TooLarge);
        }
        let in_object = self.innermost() == Some(Kind::Object);
        let index = self.open.last_mut().map_or(0, |level| {
            level.count += 1;
            level.count - 1
        });
        let (key, key_len) = if in_object { self.key } else { (ELEMENT, index) };
        self.nodes.push(Node { kind, key, key_len, start: start as u32, len });
        Ok(())
    }

    pub(super) fn open_container(&mut self, kind: Kind, options: &Options) -> Result<(), JsonFault> {
        if self.open.len() == MAX_DEPTH {
            return Err(JsonFault::TooDeep);
        }
        self.add(kind, 0, NOT_ENDED, options)?;
        self.open.push(Level { node: self.last(), count: 0 });
        Ok(())
    }

    /// Ends the innermost container, and returns it.
    pub(super) fn close_container(&mut self) -> Option<u32> {
        let level = self.open.pop()?;
        let end = self.nodes.len() as u32;
        self.nodes.get_mut(level.node as usize)?.len = end;
        Some(level.node)
    }

    pub(super) fn literal(&mut self, kind: Kind, options: &Options) -> Result<(), JsonFault> {
        self.add(kind, 0, 0, options)
    }

    /// The number that was read is whole.
    pub(super) fn number(&mut self, options: &Options) -> Result<(), JsonFault> {
        self.add(Kind::Number, self.start, (self.text.len() - self.start) as u32, options)
    }

    pub(super) fn open_string(&mut self, options: &Options) -> Result<(), JsonFault> {
        self.add(Kind::String, self.text.len(), 0, options)?;
        self.string_open = true;
        Ok(())
    }

    /// More of the open string. Of what does not fit the front is kept, and its length is the error.
    pub(super) fn append(&mut self, text: &str, options: &Options) -> Result<(), usize> {
        let room = self.room(options);
        let Some(node) = self.nodes.last_mut() else { return Ok(()) };
        let cutting = self.dropped > 0 || !self.tail.is_empty();
        let (front, rest) = match options.keep {
            None => (text, ""),
            Some(_) if cutting => ("", text),
            Some(keep) => {
                let front = fitting(text, keep.head().saturating_sub(node.len as usize));
                (front, text.get(front.len()..).unwrap_or_default())
            }
        };
        let fits = fitting(front, room);
        self.text.push_str(fits);
        node.len += fits.len() as u32;
        if fits.len() < front.len() {
            return Err(fits.len());
        }
        if let Some(keep) = options.keep.filter(|_| !rest.is_empty()) {
            // Of a long piece only the end can count.
            let from = rest.len().saturating_sub(keep.tail + 4);
            let from = (0..=from).rev().find(|&i| rest.is_char_boundary(i)).unwrap_or_default();
            if from > 0 {
                self.dropped += (self.tail.len() + from) as u64;
                self.tail.clear();
            }
            self.tail.push_str(rest.get(from..).unwrap_or_default());
            // Dropped in large pieces, so that each byte is moved once or twice.
            if self.tail.len() > 2 * keep.tail + 64 {
                self.drop_front(keep.tail);
            }
        }
        Ok(())
    }

    /// Shortens the tail to about `most` bytes.
    fn drop_front(&mut self, most: usize) {
        let from = self.tail.len().saturating_sub(most);
        let from = (from..=self.tail.len()).find(|&i| self.tail.is_char_boundary(i)).unwrap_or_default();
        self.dropped += from as u64;
        self.tail.drain(..from);
    }

    /// The open string has ended: its tail becomes visible.
    pub(super) fn close_string(&mut self, options: &Options) {
        self.string_open = false;
        if let Some(keep) = options.keep.filter(|_| self.dropped > 0 || !self.tail.is_empty()) {
            if self.dropped > 0 || self.tail.len() > keep.tail {
                self.drop_front(keep.tail);
            }
            let before = self.text.len();
            if self.dropped > 0 {
                use core::fmt::Write;
                // Writing to a string cannot fail.
                let _ = write!(self.text, "…[{} bytes omitted]…", self.dropped);
                self.cuts.push(Cut { node: self.last(), omitted: self.dropped });
            }
            self.text.push_str(&self.tail);
            self.tail.clear();
            self.dropped = 0;
            if let Some(node) = self.nodes.last_mut() {
                node.len += (self.text.len() - before) as u32;
            }
        }
    }

    /// How many bytes of a string are not shown: left out, or, while it grows, not yet decided upon.
    pub(super) fn omitted(&self, at: u32) -> u64 {
        if self.string_open && at == self.last() {
            return self.dropped + self.tail.len() as u64;
        }
        let found = self.cuts.binary_search_by_key(&at, |cut| cut.node).ok();
        found.and_then(|i| self.cuts.get(i)).map_or(0, |cut| cut.omitted)
    }

    /// Whether more of this value may come.
    pub(super) fn is_open(&self, at: u32) -> bool {
        match self.node(at) {
            Some(node) if node.kind.is_container() => node.len == NOT_ENDED,
            Some(Node { kind: Kind::String, .. }) => self.string_open && at == self.last(),
            _ => false,
        }
    }

    /// The text of a string or number.
    pub(super) fn text(&self, at: u32) -> &str {
        match self.node(at) {
            Some(node) if matches!(node.kind, Kind::Number | Kind::String) => {
                self.text.get(node.start as usize..node.start as usize + node.len as usize).unwrap_or_default()
            }
            _ => "",
        }
    }

    /// The key of a member; `None` for elements and the root.
    pub(super) fn key(&self, at: u32) -> Option<&str> {
        let node = self.node(at).filter(|node| node.key != ELEMENT)?;
        self.text.get(node.key as usize..node.key as usize + node.key_len as usize)
    }

    /// The index of an element.
    pub(super) fn index(&self, at: u32) -> u32 {
        self.node(at).map_or(0, |node| node.key_len)
    }

    /// The node behind a value and all that it holds.
    pub(super) fn behind(&self, at: u32) -> u32 {
        match self.node(at) {
            Some(node) if !node.kind.is_container() => at + 1,
            Some(node) if node.len != NOT_ENDED => node.len,
            _ => self.nodes.len() as u32,
        }
    }

    /// The values that a container holds.
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> + Clone {
        let container = self.node(at).is_some_and(|node| node.kind.is_container());
        let end = if container { self.behind(at) } else { 0 };
        let first = Some(at + 1).filter(|first| *first < end);
        core::iter::successors(first, move |at| Some(self.behind(*at)).filter(|next| *next < end))
    }

    /// How many members or elements the root has, while it is open.
    pub(super) fn root_count(&self) -> usize {
        self.open.first().map_or(0, |level| level.count as usize)
    }
}

/// The front of a text that fits into `room` bytes, cut between characters.
fn fitting(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let end = (0..=room).rev().find(|&i| text.is_char_boundary(i)).unwrap_or_default();
    text.get(..end).unwrap_or_default()
}
