//! What a piece of text changes, and where.

use core::fmt;

use super::tree::{Level, Tree};
use super::view::View;
use crate::json::JsonType;

/// A change to what is visible.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An object, array or string has begun. The root begins anew where lenient reading replaces `{}`.
    Opened(Path<'a>, JsonType),
    /// A string has grown by this text: all of it, also where only its front and end are kept.
    Appended(Path<'a>, &'a str),
    /// A number, `true`, `false` or `null` is there.
    Value(Path<'a>),
    /// An object, array or string has ended.
    Closed(Path<'a>),
}

/// Where a value stands. Nothing is made of it until it is asked; written out it is a JSON pointer.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    tree: &'a Tree,
    /// The containers around the value, the root first.
    around: &'a [Level],
    at: u32,
}

/// One step from a container to what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A member's key.
    Key(&'a str),
    /// An element's index, from 0.
    Index(u32),
}

impl<'a> Path<'a> {
    /// The path of the value that came last, which is in the innermost open container.
    pub(super) fn last(tree: &'a Tree) -> Self {
        Path::of(tree, tree.last())
    }

    /// The path of a value of the innermost open container.
    pub(super) fn of(tree: &'a Tree, at: u32) -> Self {
        let around = tree.levels();
        // A container that has just opened is no part of the way to itself.
        let own = around.last().is_some_and(|level| level.node == at);
        Path { tree, around: around.get(..around.len() - usize::from(own)).unwrap_or_default(), at }
    }

    /// How many steps the value is from the root.
    pub fn depth(&self) -> usize {
        self.around.len()
    }

    /// The steps from the root to the value.
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let (tree, at) = (self.tree, self.at);
        let nodes = self.around.iter().map(|level| level.node).skip(1).chain((!self.around.is_empty()).then_some(at));
        nodes.map(|node| tree.key(node).map_or_else(|| Part::Index(tree.index(node)), Part::Key))
    }

    /// The value there.
    pub fn value(&self) -> View<'a> {
        View { tree: self.tree, at: self.at }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.parts().try_for_each(|part| match part {
            Part::Index(index) => write!(f, "/{index}"),
            Part::Key(key) => {
                f.write_char('/')?;
                key.chars().try_for_each(|c| match c {
                    '~' => f.write_str("~0"),
                    '/' => f.write_str("~1"),
                    c => f.write_char(c),
                })
            }
        })
    }
}
