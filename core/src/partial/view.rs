//! What is visible as a [`JsonView`], and as text.

use alloc::borrow::Cow;
use alloc::string::String;

use super::tree::{Kind, Tree};
use crate::json::{JsonType, JsonView, Number, number};

/// A value that is visible, with as much of it as has come. Asking it reads nothing anew.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) tree: &'a Tree,
    pub(super) at: u32,
}

impl<'a> View<'a> {
    /// How many bytes of a string are not shown: left out by [`Keep`](super::Keep), or held back by it while the string grows.
    pub fn omitted(&self) -> u64 {
        self.tree.omitted(self.at)
    }

    /// As [`JsonView::as_str`], borrowing from the input rather than from the view.
    pub fn str(&self) -> Option<&'a str> {
        (self.json_type() == JsonType::String).then(|| self.tree.text(self.at))
    }

    fn child(&self, at: u32) -> Self {
        View { tree: self.tree, at }
    }
}

impl JsonView for View<'_> {
    fn json_type(&self) -> JsonType {
        self.tree.node(self.at).map_or(JsonType::Null, |node| node.kind.json_type())
    }

    fn get(&self, key: &str) -> Option<Self> {
        self.tree.children(self.at).filter(|at| self.tree.key(*at) == Some(key)).last().map(|at| self.child(at))
    }

    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        for at in self.tree.children(self.at) {
            let Some(key) = self.tree.key(at) else { return };
            if let Some(slot) = keys.iter().position(|k| *k == key).and_then(|i| out.get_mut(i)) {
                *slot = Some(self.child(at));
            }
        }
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        self.str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number> {
        (self.json_type() == JsonType::Number).then(|| number(self.tree.text(self.at))).flatten()
    }

    fn as_bool(&self) -> Option<bool> {
        match self.tree.node(self.at)?.kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let items = (self.json_type() == JsonType::Array).then(|| self.tree.children(self.at));
        items.into_iter().flatten().map(|at| self.child(at))
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let member = |at| Some((Cow::Borrowed(self.tree.key(at)?), self.child(at)));
        self.tree.children(self.at).filter_map(member)
    }

    fn is_open(&self) -> bool {
        self.tree.is_open(self.at)
    }

    /// The value as JSON text, with what is open closed. Numbers are spelt as they came.
    fn to_text(&self) -> String {
        let mut out = String::new();
        // The containers written into, each with the node behind it and its closing bracket.
        let mut open = alloc::vec::Vec::new();
        let end = self.tree.behind(self.at);
        let mut at = self.at;
        while let Some(node) = self.tree.node(at).filter(|_| at < end) {
            while let Some((_, close)) = open.pop_if(|(end, _)| *end <= at) {
                out.push(close);
            }
            if at > self.at {
                if !out.ends_with(['{', '[']) {
                    out.push(',');
                }
                if let Some(key) = self.tree.key(at) {
                    write_string(key, &mut out);
                    out.push(':');
                }
            }
            match node.kind {
                Kind::Null => out.push_str("null"),
                Kind::False => out.push_str("false"),
                Kind::True => out.push_str("true"),
                Kind::Number => out.push_str(self.tree.text(at)),
                Kind::String => write_string(self.tree.text(at), &mut out),
                Kind::Array | Kind::Object => {
                    let (first, close) = if node.kind == Kind::Array { ('[', ']') } else { ('{', '}') };
                    out.push(first);
                    open.push((self.tree.behind(at), close));
                }
            }
            at += 1;
        }
        out.extend(open.into_iter().rev().map(|(_, close)| close));
        out
    }
}

fn write_string(text: &str, out: &mut String) {
    // A text always has a JSON form.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}
