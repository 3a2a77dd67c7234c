//! The strict parser: JSON as RFC 8259 has it, in one pass, without recursion.
//!
//! Limits do not end the parse: text that breaks one and is no JSON either is "no JSON".

use hashbrown::HashSet;

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
    let mut parser =
        Parser { text: text.as_bytes(), at: 0, limits, tokens: 0, depth: 0, parent: NONE, out: Parsed::default() };
    parser.document()?;
    if parser.out.over.is_none() {
        parser.out.duplicate = duplicate_key(&parser.out.tape, text);
    }
    Ok(parser.out)
}

/// No container is open.
const NONE: u32 = u32::MAX;

struct Parser<'a, 'l> {
    text: &'a [u8],
    at: usize,
    limits: &'l Limits,
    tokens: usize,
    depth: usize,
    /// The innermost open container. While one is open, its `next` leads to the one around it, and its `end` counts.
    parent: u32,
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
        let index = self.out.tape.nodes.len() as u32;
        if self.out.over.is_none() {
            let node = Node { kind, mark, start: start as u32, end: self.at as u32, next: index + 1 };
            self.out.tape.nodes.push(node);
        }
        index
    }

    fn document(&mut self) -> Result<(), Syntax> {
        // Two bits a level would do; past a limit there are no nodes to ask.
        let mut objects: smallvec::SmallVec<[bool; 32]> = smallvec::SmallVec::new();
        loop {
            self.skip_space();
            match self.peek() {
                open @ (b'{' | b'[') => {
                    let object = open == b'{';
                    self.open(object)?;
                    self.skip_space();
                    if self.peek() == if object { b'}' } else { b']' } {
                        self.close();
                    } else {
                        objects.push(object);
                        if object {
                            self.key()?;
                        }
                        self.count(object);
                        continue;
                    }
                }
                b'"' => self.string(false)?,
                _ => self.scalar()?,
            }
            // Behind a value: what follows belongs to the container around it, or to none.
            loop {
                self.skip_space();
                let Some(object) = objects.last().copied() else {
                    return if self.at == self.text.len() { Ok(()) } else { self.syntax() };
                };
                match self.peek() {
                    b',' => {
                        self.at += 1;
                        if object {
                            self.skip_space();
                            self.key()?;
                        }
                        self.count(object);
                        break;
                    }
                    b'}' if object => {
                        objects.pop();
                        self.close();
                    }
                    b']' if !object => {
                        objects.pop();
                        self.close();
                    }
                    _ => return self.syntax(),
                }
            }
        }
    }

    fn open(&mut self, object: bool) -> Result<(), Syntax> {
        let start = self.at;
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.syntax();
        }
        if self.depth > self.limits.depth {
            self.over(Limit::Depth, start);
        }
        let index = self.push(if object { Kind::Object } else { Kind::Array }, false, start);
        if let Some(node) = self.out.tape.nodes.get_mut(index as usize) {
            node.end = 0;
            node.next = self.parent;
            self.parent = index;
        }
        Ok(())
    }

    /// Counts a member or element of the innermost container.
    #[inline]
    fn count(&mut self, object: bool) {
        if self.out.over.is_some() {
            return;
        }
        let Some(node) = self.out.tape.nodes.get_mut(self.parent as usize) else { return };
        node.end += 1;
        let (limit, most) =
            if object { (Limit::Members, self.limits.members) } else { (Limit::Items, self.limits.items) };
        if node.end as usize > most {
            self.over(limit, self.at);
        }
    }

    fn close(&mut self) {
        let start = self.at;
        self.at += 1;
        self.depth -= 1;
        self.token(start);
        if self.out.over.is_some() {
            return;
        }
        let len = self.out.tape.nodes.len() as u32;
        if let Some(node) = self.out.tape.nodes.get_mut(self.parent as usize) {
            self.parent = node.next;
            node.next = len;
            node.end = self.at as u32;
        }
    }

    fn key(&mut self) -> Result<(), Syntax> {
        if self.peek() != b'"' {
            return self.syntax();
        }
        self.string(true)?;
        self.skip_space();
        if self.peek() != b':' {
            return self.syntax();
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self, key: bool) -> Result<(), Syntax> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        let mut lone = false;
        loop {
            self.at = end_of_plain(self.text, self.at);
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    self.escape(&mut lone)?;
                }
                _ => return self.syntax(),
            }
        }
        self.at += 1;
        if lone {
            self.out.lone_surrogate.get_or_insert(start);
        }
        if key
            && self.at - start - 2 > self.limits.key_bytes
            && self.decoded_len(start, escaped) > self.limits.key_bytes
        {
            self.over(Limit::KeyBytes, start);
        }
        self.push(Kind::String, escaped, start);
        Ok(())
    }

    fn decoded_len(&self, start: usize, escaped: bool) -> usize {
        let inner = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        let text = core::str::from_utf8(inner).unwrap_or_default();
        if escaped { toolprism::json::decode_string(text).len() } else { text.len() }
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

/// The index of the next quote, backslash or control character, eight bytes at a time.
#[inline]
fn end_of_plain(text: &[u8], mut at: usize) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    let equals = |word: u64, byte: u8| {
        let x = word ^ (LOW * u64::from(byte));
        x.wrapping_sub(LOW) & !x & HIGH
    };
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // Exact up to and including the lowest hit, which is all that is used.
        let control = word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        let hits = equals(word, b'"') | equals(word, b'\\') | control;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = text.get(at)
        && !matches!(byte, b'"' | b'\\' | 0..0x20)
    {
        at += 1;
    }
    at
}

/// The code unit of the escape `\uXXXX` at `at`.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// As [`unit`], if another such escape starts at `at`.
fn unit_after(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 2).filter(|start| *start == b"\\u").and_then(|_| unit(text, at))
}

/// Objects of up to this many members have their keys compared pair by pair, which needs no memory.
const FEW: usize = 16;

/// Where a key stands whose object has it already.
fn duplicate_key(tape: &Tape, text: &str) -> Option<usize> {
    let mut first: Option<usize> = None;
    for (index, node) in tape.nodes.iter().enumerate() {
        if node.kind != Kind::Object || node.next as usize <= index + 4 {
            continue;
        }
        let object = tape.value(text, index as u32);
        let twice = if object.members().nth(FEW).is_none() {
            object
                .members()
                .enumerate()
                .find(|(i, (key, _))| object.members().take(*i).any(|(other, _)| super::equal::equal(*key, other)))
        } else {
            let mut seen = HashSet::new();
            object.members().enumerate().find(|(_, (key, _))| !seen.insert(key.str()))
        };
        if let Some((_, (key, _))) = twice {
            first = Some(first.map_or(key.offset(), |offset| offset.min(key.offset())));
        }
    }
    first
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
    fn repeated_keys_are_found_whatever_their_spelling_and_number() {
        let duplicate = |text: &str| parse(text, &WIDE).unwrap().duplicate;
        assert_eq!(duplicate(r#"{"a":1,"b":{"a":1}}"#), None);
        assert_eq!(duplicate(r#"{"a":1,"\u0061":1}"#), Some(7));
        assert_eq!(duplicate(r#"{"x":[{"k":1,"k":2}]}"#), Some(13));
        let many: Vec<String> = (0..40).map(|i| format!("\"k{i}\":0")).collect();
        assert_eq!(duplicate(&format!("{{{}}}", many.join(","))), None);
        assert!(duplicate(&format!("{{{},\"k7\":0}}", many.join(","))).is_some());
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
