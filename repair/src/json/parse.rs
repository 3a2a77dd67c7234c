//! The strict parser: JSON as RFC 8259 has it, in one pass, without recursion.
//!
//! Limits do not end the parse: text that breaks one and is no JSON either is "no JSON".

use smallvec::SmallVec;

use super::keys::{self, Keys};
use super::lex::{end_of_plain, unit, unit_after};
use super::tape::{Kind, Node, Tape};

/// What a document may hold. A limit that is not wanted is `usize::MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Containers inside each other.
    pub(crate) depth: usize,
    /// Brackets, keys and scalars.
    pub(crate) tokens: usize,
    /// Elements of one array.
    pub(crate) items: usize,
    /// Members of one object.
    pub(crate) members: usize,
    /// Bytes of a key, decoded.
    pub(crate) key_bytes: usize,
    /// Bytes of a number.
    pub(crate) number_bytes: usize,
}

impl Limits {
    /// The depth alone.
    pub(crate) const fn depth(depth: usize) -> Self {
        let none = usize::MAX;
        Limits { depth, tokens: none, items: none, members: none, key_bytes: none, number_bytes: none }
    }
}

/// The limit that a document breaks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Depth,
    Tokens,
    Items,
    Members,
    KeyBytes,
    NumberBytes,
}

/// A document that is JSON.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) tape: Tape,
    /// The first limit that it breaks, and where; the nodes are then not complete.
    pub(crate) over: Option<(Limit, usize)>,
    /// Where the first key stands that its object has already.
    pub(crate) duplicate: Option<usize>,
    /// Where the first string starts that holds half a surrogate pair.
    pub(crate) lone_surrogate: Option<usize>,
}

/// Why text is not JSON: where it stops being so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) offset: usize,
}

/// Nesting beyond this is no JSON, whatever the limits: it bounds the walks over a document.
const MAX_DEPTH: usize = 10_000;

/// Reads `text` as one JSON value with white space around it.
pub(crate) fn parse(text: &str, limits: &Limits) -> Result<Parsed, Syntax> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, limits, tokens: 0, out: Parsed::default() };
    parser.document()?;
    if parser.out.over.is_some() {
        parser.out.duplicate = None;
    }
    Ok(parser.out)
}

/// An open container, or the place around the root.
#[derive(Clone, Copy)]
struct Frame {
    /// The bracket that ends it; 0 around the root.
    closer: u8,
    /// Its node.
    index: u32,
    /// Its members or elements so far.
    count: u32,
    keys: Keys,
}

struct Parser<'a, 'l> {
    text: &'a [u8],
    at: usize,
    limits: &'l Limits,
    tokens: usize,
    out: Parsed,
}

impl Parser<'_, '_> {
    #[inline]
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    fn syntax<T>(&self) -> Result<T, Syntax> {
        Err(Syntax { offset: self.at })
    }

    #[cold]
    fn over(&mut self, limit: Limit, offset: usize) {
        self.out.over.get_or_insert((limit, offset));
    }

    #[inline]
    fn token(&mut self, offset: usize) {
        self.tokens += 1;
        if self.tokens > self.limits.tokens {
            self.over(Limit::Tokens, offset);
        }
    }

    /// Adds a node; its index. Past a limit the list is of no use, and does not grow any more.
    #[inline]
    fn push(&mut self, kind: Kind, mark: bool, start: usize) -> u32 {
        self.token(start);
        let nodes = &mut self.out.tape.nodes;
        let index = nodes.len() as u32;
        if self.out.over.is_none() {
            if nodes.len() == nodes.capacity() {
                self.grow();
            }
            let node = Node { kind, mark, start: start as u32, end: self.at as u32, next: index + 1 };
            self.out.tape.nodes.push(node);
        }
        index
    }

    /// Makes room for the nodes that are to come if the rest of the text is like what has been read.
    #[cold]
    fn grow(&mut self) {
        let nodes = &mut self.out.tape.nodes;
        let whole = nodes.len().saturating_mul(self.text.len()) / self.at.max(1);
        let more = (whole - nodes.len().min(whole)) * 9 / 8;
        nodes.reserve_exact(more.clamp(nodes.len(), 16 * nodes.len()));
    }

    fn document(&mut self) -> Result<(), Syntax> {
        let mut around: SmallVec<[Frame; 16]> = SmallVec::new();
        let mut frame = Frame { closer: 0, index: 0, count: 0, keys: Keys::default() };
        loop {
            self.skip_space();
            match self.peek() {
                b'"' => {
                    self.string()?;
                }
                open @ (b'{' | b'[') => {
                    around.push(frame);
                    frame = self.open(open == b'{', around.len())?;
                    self.skip_space();
                    if self.peek() != frame.closer {
                        self.next_member(&mut frame)?;
                        continue;
                    }
                    self.close(&frame);
                    frame = around.pop().unwrap_or(frame);
                }
                _ => self.scalar()?,
            }
            // Behind a value: what follows belongs to the container around it, or to none.
            loop {
                self.skip_space();
                if frame.closer == 0 {
                    return if self.at == self.text.len() { Ok(()) } else { self.syntax() };
                }
                let byte = self.peek();
                if byte == b',' {
                    self.at += 1;
                    self.next_member(&mut frame)?;
                    break;
                }
                if byte != frame.closer {
                    return self.syntax();
                }
                self.close(&frame);
                frame = around.pop().unwrap_or(frame);
            }
        }
    }

    fn open(&mut self, object: bool, depth: usize) -> Result<Frame, Syntax> {
        let start = self.at;
        self.at += 1;
        if depth > MAX_DEPTH {
            return self.syntax();
        }
        if depth > self.limits.depth {
            self.over(Limit::Depth, start);
        }
        let (kind, closer) = if object { (Kind::Object, b'}') } else { (Kind::Array, b']') };
        let index = self.push(kind, false, start);
        Ok(Frame { closer, index, count: 0, keys: Keys::default() })
    }

    /// Reads the key of the member that comes next, and counts it; of an array it only counts the element.
    #[inline]
    fn next_member(&mut self, frame: &mut Frame) -> Result<(), Syntax> {
        let mut most = (Limit::Items, self.limits.items);
        if frame.closer == b'}' {
            self.key(&mut frame.keys)?;
            most = (Limit::Members, self.limits.members);
        }
        frame.count += 1;
        if frame.count as usize > most.1 {
            self.over(most.0, self.at);
        }
        Ok(())
    }

    #[inline]
    fn close(&mut self, frame: &Frame) {
        let start = self.at;
        self.at += 1;
        self.token(start);
        if self.out.over.is_some() {
            return;
        }
        let len = self.out.tape.nodes.len() as u32;
        if let Some(node) = self.out.tape.nodes.get_mut(frame.index as usize) {
            node.next = len;
            node.end = self.at as u32;
        }
        if frame.keys.may_repeat() {
            self.look_for_duplicate(frame.index);
        }
    }

    #[cold]
    fn look_for_duplicate(&mut self, object: u32) {
        // The text comes from a `str`, and keys are whole strings of it.
        let Ok(text) = core::str::from_utf8(self.text) else { return };
        if let Some(offset) = keys::first_duplicate(self.out.tape.value(text, object)) {
            let first = self.out.duplicate.map_or(offset, |first| first.min(offset));
            self.out.duplicate = Some(first);
        }
    }

    #[inline]
    fn key(&mut self, keys: &mut Keys) -> Result<(), Syntax> {
        self.skip_space();
        if self.peek() != b'"' {
            return self.syntax();
        }
        let start = self.at;
        let escaped = self.string()?;
        let inner = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        keys.add(inner, escaped);
        if inner.len() > self.limits.key_bytes {
            self.check_key(start, inner, escaped);
        }
        self.skip_space();
        if self.peek() != b':' {
            return self.syntax();
        }
        self.at += 1;
        Ok(())
    }

    #[cold]
    fn check_key(&mut self, start: usize, inner: &[u8], escaped: bool) {
        let text = core::str::from_utf8(inner).unwrap_or_default();
        if !escaped || toolprism::json::decode_string(text).len() > self.limits.key_bytes {
            self.over(Limit::KeyBytes, start);
        }
    }

    /// Reads a string; whether it holds an escape.
    #[inline]
    fn string(&mut self) -> Result<bool, Syntax> {
        let start = self.at;
        self.at = end_of_plain(self.text, start + 1);
        let escaped = self.peek() != b'"';
        if escaped {
            self.rest_of_string(start)?;
        }
        self.at += 1;
        self.push(Kind::String, escaped, start);
        Ok(escaped)
    }

    /// Goes on to the quote that ends the string, from what is no plain text in it.
    fn rest_of_string(&mut self, start: usize) -> Result<(), Syntax> {
        let mut lone = false;
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => self.escape(&mut lone)?,
                _ => return self.syntax(),
            }
            self.at = end_of_plain(self.text, self.at);
        }
        if lone {
            self.out.lone_surrogate.get_or_insert(start);
        }
        Ok(())
    }

    #[inline]
    fn escape(&mut self, lone: &mut bool) -> Result<(), Syntax> {
        match self.text.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let Some(unit) = unit(self.text, self.at) else { return self.syntax() };
                self.at += 6;
                match unit {
                    0xd800..0xdc00 => match unit_after(self.text, self.at) {
                        Some(0xdc00..0xe000) => self.at += 6,
                        _ => *lone = true,
                    },
                    0xdc00..0xe000 => *lone = true,
                    _ => {}
                }
            }
            _ => return self.syntax(),
        }
        Ok(())
    }

    fn scalar(&mut self) -> Result<(), Syntax> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (kind, word) = match rest.first() {
            Some(b't') => (Kind::True, &b"true"[..]),
            Some(b'f') => (Kind::False, &b"false"[..]),
            Some(b'n') => (Kind::Null, &b"null"[..]),
            Some(b'-' | b'0'..=b'9') => return self.number(),
            _ => return self.syntax(),
        };
        if !rest.starts_with(word) {
            return self.syntax();
        }
        let start = self.at;
        self.at += word.len();
        self.push(kind, false, start);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Syntax> {
        let start = self.at;
        self.at += usize::from(self.peek() == b'-');
        let int = self.at;
        self.digits()?;
        if self.text.get(int) == Some(&b'0') && self.at > int + 1 {
            self.at = int + 1;
            return self.syntax();
        }
        let mut plain = true;
        if self.peek() == b'.' {
            plain = false;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            plain = false;
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            self.digits()?;
        }
        if self.at - start > self.limits.number_bytes {
            self.over(Limit::NumberBytes, start);
        }
        self.push(Kind::Number, plain, start);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Syntax> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == from { self.syntax() } else { Ok(()) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    const WIDE: Limits = Limits::depth(512);

    fn fault(text: &str) -> Option<usize> {
        parse(text, &WIDE).err().map(|fault| fault.offset)
    }

    #[test]
    fn a_document_is_read_into_nodes() {
        let text = r#" {"a": [1, -2.5e3, "x\n"], "b": {}, "c": null} "#;
        let parsed = parse(text, &WIDE).unwrap();
        let root = parsed.tape.root(text);
        let keys: Vec<_> = root.members().map(|(key, value)| (key.str(), value.text())).collect();
        assert_eq!(keys, [("a".into(), r#"[1, -2.5e3, "x\n"]"#), ("b".into(), "{}"), ("c".into(), "null")]);
        let items: Vec<_> = root.get("a").unwrap().items().map(|item| (item.kind(), item.node().mark)).collect();
        assert_eq!(items, [(Kind::Number, true), (Kind::Number, false), (Kind::String, true)]);
        assert_eq!(root.get("a").unwrap().items().last().unwrap().str(), "x\n");
        assert_eq!((parsed.over, parsed.duplicate, parsed.lone_surrogate), (None, None, None));
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_place() {
        for (text, offset) in [
            ("", 0),
            ("{", 1),
            ("{,}", 1),
            (r#"{"a":1,}"#, 7),
            (r#"{"a" 1}"#, 5),
            ("[1 2]", 3),
            ("[1,]", 3),
            ("01", 1),
            ("1.", 2),
            ("-", 1),
            ("1e", 2),
            ("tru", 0),
            ("{} x", 3),
            ("\"a\tb\"", 2),
            (r#""\x""#, 1),
            (r#""\u12g4""#, 1),
            (r#""abc"#, 4),
            (r#"["a}"#, 4),
            ("[}", 1),
        ] {
            assert_eq!(fault(text), Some(offset), "{text}");
        }
        for text in ["0", "-0", "1e+5", "[]", " {} ", r#""\ud83d\ude00""#, "\"\u{2028}\u{7f}\"", "[[],[{}]]"] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn limits_are_reported_only_for_json() {
        let limits = Limits { depth: 2, tokens: 12, items: 3, members: 2, key_bytes: 3, number_bytes: 4 };
        let over = |text: &str| parse(text, &limits).map(|parsed| parsed.over);
        assert_eq!(over("[[1]]"), Ok(None));
        assert_eq!(over("[[[1]]]"), Ok(Some((Limit::Depth, 2))));
        assert_eq!(over("[[[1]]"), Err(Syntax { offset: 6 }));
        assert_eq!(over("[1,2,3]"), Ok(None));
        assert_eq!(over("[1,2,3,4]"), Ok(Some((Limit::Items, 7))));
        assert_eq!(over(r#"{"a":1,"b":2}"#), Ok(None));
        assert_eq!(over(r#"{"a":1,"b":2,"c":3}"#), Ok(Some((Limit::Members, 17))));
        assert_eq!(over(r#"{"\u0061bc":1}"#), Ok(None));
        assert_eq!(over(r#"{"abcd":1}"#), Ok(Some((Limit::KeyBytes, 1))));
        assert_eq!(over("12345"), Ok(Some((Limit::NumberBytes, 0))));
        assert_eq!(over("[[1,1,1],[1,1,1]]"), Ok(None));
        assert_eq!(over("[[1,1,1],[1,1,1],1]").map(|over| over.map(|(limit, _)| limit)), Ok(Some(Limit::Tokens)));
    }

    #[test]
    fn lone_surrogates_are_found() {
        let lone = |text: &str| parse(text, &WIDE).unwrap().lone_surrogate;
        assert_eq!(lone(r#"["\ud83d\ude00"]"#), None);
        assert_eq!(lone(r#"["a","\ud83d"]"#), Some(5));
        assert_eq!(lone(r#""\ude00x""#), Some(0));
        assert_eq!(lone(r#""\ud83d\u0041""#), Some(0));
    }

    #[test]
    fn nesting_is_bounded_without_recursion() {
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(fault(&deep(10_000)), None);
        assert_eq!(fault(&deep(10_001)), Some(10_001));
        assert_eq!(fault(&"[".repeat(1_000_000)), Some(10_001));
    }
}
