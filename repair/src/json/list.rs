//! The lists that nodes are gathered in: one needs no allocation for a short document, the other is faster for a long one.

use alloc::vec::Vec;
use core::ops::DerefMut;

use super::tape::{Node, Nodes};

/// What nodes are gathered in.
pub(super) trait List: Default + DerefMut<Target = [Node]> + Into<Nodes> {
    fn is_full(&self) -> bool;
    fn reserve(&mut self, more: usize);
    fn push(&mut self, node: Node);
}

impl List for Nodes {
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }

    fn reserve(&mut self, more: usize) {
        self.reserve_exact(more);
    }

    fn push(&mut self, node: Node) {
        self.push(node);
    }
}

impl List for Vec<Node> {
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }

    fn reserve(&mut self, more: usize) {
        self.reserve_exact(more);
    }

    fn push(&mut self, node: Node) {
        self.push(node);
    }
}
