//! The list of nodes that a parse gives, and the view that walks it.

use alloc::borrow::Cow;

use smallvec::SmallVec;
use toolprism::json::decode_string;

/// JSON's types, with the literals told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

/// One value, or one key of an object, which is a string node right before the value it names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Of a string: it holds an escape. Of a number: it is written without point or exponent.
    pub(crate) mark: bool,
    /// Where its text starts and ends, quotes and brackets included.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index of the first node behind this value and all inside it.
    pub(crate) next: u32,
}

/// A list of nodes.
pub(super) type Nodes = SmallVec<[Node; 48]>;

/// The nodes of one document in the order of its text; the first is the root. Small documents need no allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    pub(crate) nodes: Nodes,
}

impl Tape {
    /// The root, seen together with the text that was parsed.
    pub(crate) fn root<'a>(&'a self, text: &'a str) -> Value<'a> {
        self.value(text, 0)
    }

    /// The value whose node has this index.
    pub(crate) fn value<'a>(&'a self, text: &'a str, index: u32) -> Value<'a> {
        Value::new(text, &self.nodes, index)
    }

    /// All numbers of the document.
    pub(crate) fn numbers<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Value<'a>> {
        let numbers = self.nodes.iter().enumerate().filter(|(_, node)| node.kind == Kind::Number);
        numbers.map(move |(index, _)| self.value(text, index as u32))
    }
}

/// One value of a document.
#[derive(Clone, Copy)]
pub(crate) struct Value<'a> {
    text: &'a str,
    nodes: &'a [Node],
    index: u32,
}

/// Stands in where an index leads nowhere, which a parsed document never does.
const NOWHERE: Node = Node { kind: Kind::Null, mark: false, start: 0, end: 0, next: u32::MAX };

impl<'a> Value<'a> {
    pub(super) fn new(text: &'a str, nodes: &'a [Node], index: u32) -> Self {
        Value { text, nodes, index }
    }

    #[inline]
    pub(crate) fn node(self) -> Node {
        self.nodes.get(self.index as usize).copied().unwrap_or(NOWHERE)
    }

    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// How many nodes it has, itself included.
    pub(crate) fn size(self) -> usize {
        self.node().next.saturating_sub(self.index) as usize
    }

    /// Byte offset in the document.
    pub(crate) fn offset(self) -> usize {
        self.node().start as usize
    }

    /// Its text, quotes and brackets included.
    #[inline]
    pub(crate) fn text(self) -> &'a str {
        let node = self.node();
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// Of a string: what stands between its quotes, undecoded.
    #[inline]
    pub(crate) fn inner(self) -> &'a str {
        let node = self.node();
        self.text.get(node.start as usize + 1..(node.end as usize).wrapping_sub(1)).unwrap_or_default()
    }

    /// Of a string: its content. Lone surrogates read as U+FFFD.
    pub(crate) fn str(self) -> Cow<'a, str> {
        if self.node().mark { decode_string(self.inner()) } else { Cow::Borrowed(self.inner()) }
    }

    /// Whether this string's content is `other`.
    #[inline]
    pub(crate) fn is_str(self, other: &str) -> bool {
        let node = self.node();
        if node.mark {
            return self.str() == other;
        }
        (node.end - node.start) as usize == other.len() + 2 && self.inner() == other
    }

    /// The value of the same document whose node has this index.
    pub(crate) fn at(self, index: u32) -> Value<'a> {
        Value { index, ..self }
    }

    /// The elements of an array; nothing of any other value.
    pub(crate) fn items(self) -> impl Iterator<Item = Value<'a>> {
        let end = if self.kind() == Kind::Array { self.node().next } else { 0 };
        let mut index = self.index + 1;
        core::iter::from_fn(move || {
            let item = (index < end).then(|| self.at(index))?;
            index = item.node().next;
            Some(item)
        })
    }

    /// The members of an object, key and value, in order; nothing of any other value.
    pub(crate) fn members(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let end = if self.kind() == Kind::Object { self.node().next } else { 0 };
        let mut index = self.index + 1;
        core::iter::from_fn(move || {
            let member = (index < end).then(|| (self.at(index), self.at(index + 1)))?;
            index = member.1.node().next;
            Some(member)
        })
    }

    /// The first member of this name.
    pub(crate) fn get(self, key: &str) -> Option<Value<'a>> {
        self.members().find(|(name, _)| name.is_str(key)).map(|(_, value)| value)
    }
}
