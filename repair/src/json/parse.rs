//! The strict parser: JSON as RFC 8259 has it, in one pass, without recursion.
//!
//! Limits do not end the parse: text that breaks one and is no JSON either is "no JSON".

use alloc::vec::Vec;

use smallvec::SmallVec;
use toolprism::json::decode_string;

use super::keys::{self, Keys};
use super::lex::{self, byte, end_of_plain, skip_space};
use super::limits::{Limit, Limits};
use super::list::List;
use super::tape::{Kind, Node, Nodes, Tape, Value};

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
    /// Up to here most documents fit into the list that needs no allocation; the other one is faster for many nodes.
    const SHORT: usize = 1_024;
    if text.len() <= SHORT { parse_into::<Nodes>(text, limits) } else { parse_into::<Vec<Node>>(text, limits) }
}

fn parse_into<L: List>(text: &str, limits: &Limits) -> Result<Parsed, Syntax> {
    let nodes = L::default();
    let mut parser =
        Parser { text, limits, room: limits.tokens, nodes, over: None, duplicate: None, lone_surrogate: None };
    parser.document()?;
    let Parser { nodes, over, duplicate, lone_surrogate, .. } = parser;
    Ok(Parsed {
        tape: Tape { nodes: nodes.into() },
        over,
        duplicate: duplicate.filter(|_| over.is_none()),
        lone_surrogate,
    })
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

/// What is gathered on the way. Where the way has led to is handed from step to step, so that it can stay in a register.
struct Parser<'a, 'l, L> {
    text: &'a str,
    limits: &'l Limits,
    /// How many tokens may still come. Nothing more may come once any limit is broken: the nodes are of no use then.
    room: usize,
    nodes: L,
    over: Option<(Limit, usize)>,
    duplicate: Option<usize>,
    lone_surrogate: Option<usize>,
}

impl<L: List> Parser<'_, '_, L> {
    #[cold]
    fn over(&mut self, limit: Limit, offset: usize) {
        self.over.get_or_insert((limit, offset));
        self.room = 0;
    }

    /// Counts a token; whether there was room for it.
    #[inline(always)]
    fn token(&mut self, offset: usize) -> bool {
        if self.room == 0 {
            self.over(Limit::Tokens, offset);
            return false;
        }
        self.room -= 1;
        true
    }

    /// Adds the node of what stands from `start` to `end`.
    #[inline(always)]
    fn push(&mut self, kind: Kind, mark: bool, start: usize, end: usize) {
        if !self.token(start) {
            return;
        }
        if self.nodes.is_full() {
            self.grow(end);
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, mark, start: start as u32, end: end as u32, next });
    }

    /// Makes room for the nodes that are to come if the rest of the text is like what has been read up to `at`.
    #[cold]
    fn grow(&mut self, at: usize) {
        let len = self.nodes.len().max(32);
        let whole = self.nodes.len().saturating_mul(self.text.len()) / at.max(1);
        let more = whole.saturating_sub(self.nodes.len()) * 9 / 8;
        self.nodes.reserve(more.clamp(len, 16 * len));
    }

    fn document(&mut self) -> Result<(), Syntax> {
        let text = self.text.as_bytes();
        let mut around: SmallVec<[Frame; 16]> = SmallVec::new();
        let mut frame = Frame { closer: 0, index: 0, count: 0, keys: Keys::default() };
        let mut at = 0;
        loop {
            at = skip_space(text, at);
            match byte(text, at) {
                b'"' => at = self.string(text, at)?.0,
                open @ (b'{' | b'[') => {
                    around.push(frame);
                    frame = self.open(open == b'{', around.len(), at)?;
                    at = skip_space(text, at + 1);
                    if byte(text, at) != frame.closer {
                        at = self.next_member(text, at, &mut frame)?;
                        continue;
                    }
                    at = self.close(&frame, at);
                    frame = around.pop().unwrap_or(frame);
                }
                _ => at = self.scalar(text, at)?,
            }
            // Behind a value: what follows belongs to the container around it, or to none.
            loop {
                at = skip_space(text, at);
                let next = byte(text, at);
                if next == b',' && frame.closer != 0 {
                    at = self.next_member(text, at + 1, &mut frame)?;
                    break;
                }
                if frame.closer == 0 && at == text.len() {
                    return Ok(());
                }
                if frame.closer == 0 || next != frame.closer {
                    return Err(Syntax { offset: at });
                }
                at = self.close(&frame, at);
                frame = around.pop().unwrap_or(frame);
            }
        }
    }

    #[inline(always)]
    fn open(&mut self, object: bool, depth: usize, at: usize) -> Result<Frame, Syntax> {
        if depth > MAX_DEPTH {
            return Err(Syntax { offset: at + 1 });
        }
        if depth > self.limits.depth {
            self.over(Limit::Depth, at);
        }
        let index = self.nodes.len() as u32;
        let (kind, closer) = if object { (Kind::Object, b'}') } else { (Kind::Array, b']') };
        self.push(kind, false, at, at + 1);
        Ok(Frame { closer, index, count: 0, keys: Keys::default() })
    }

    /// Reads the key of the member that comes next, and counts it; of an array it only counts the element.
    #[inline(always)]
    fn next_member(&mut self, text: &[u8], at: usize, frame: &mut Frame) -> Result<usize, Syntax> {
        let mut at = at;
        let mut most = (Limit::Items, self.limits.items);
        if frame.closer == b'}' {
            at = self.key(text, skip_space(text, at), &mut frame.keys)?;
            most = (Limit::Members, self.limits.members);
        }
        frame.count += 1;
        if frame.count as usize > most.1 {
            self.over(most.0, at);
        }
        Ok(at)
    }

    #[inline(always)]
    fn close(&mut self, frame: &Frame, at: usize) -> usize {
        if self.token(at) {
            let len = self.nodes.len() as u32;
            if let Some(node) = self.nodes.get_mut(frame.index as usize) {
                node.next = len;
                node.end = at as u32 + 1;
            }
            if frame.keys.may_repeat() {
                self.look_for_duplicate(frame.index);
            }
        }
        at + 1
    }

    #[cold]
    fn look_for_duplicate(&mut self, object: u32) {
        if let Some(offset) = keys::first_duplicate(Value::new(self.text, &self.nodes, object)) {
            let first = self.duplicate.map_or(offset, |first| first.min(offset));
            self.duplicate = Some(first);
        }
    }

    #[inline(always)]
    fn key(&mut self, text: &[u8], start: usize, keys: &mut Keys) -> Result<usize, Syntax> {
        if byte(text, start) != b'"' {
            return Err(Syntax { offset: start });
        }
        let (end, escaped) = self.string(text, start)?;
        let inner = text.get(start + 1..end - 1).unwrap_or_default();
        keys.add(inner, escaped);
        if inner.len() > self.limits.key_bytes {
            self.check_key(start, end, escaped);
        }
        let colon = skip_space(text, end);
        if byte(text, colon) == b':' { Ok(colon + 1) } else { Err(Syntax { offset: colon }) }
    }

    #[cold]
    fn check_key(&mut self, start: usize, end: usize, escaped: bool) {
        let inner = self.text.get(start + 1..end - 1).unwrap_or_default();
        if !escaped || decode_string(inner).len() > self.limits.key_bytes {
            self.over(Limit::KeyBytes, start);
        }
    }

    /// Reads a string: where it ends, and whether it holds an escape.
    #[inline(always)]
    fn string(&mut self, text: &[u8], start: usize) -> Result<(usize, bool), Syntax> {
        let mut quote = end_of_plain(text, start + 1);
        let escaped = byte(text, quote) != b'"';
        if escaped {
            quote = self.rest_of_string(text, start, quote)?;
        }
        self.push(Kind::String, escaped, start, quote + 1);
        Ok((quote + 1, escaped))
    }

    /// Goes on to the quote that ends the string, from what is no plain text in it.
    #[inline(never)]
    fn rest_of_string(&mut self, text: &[u8], start: usize, at: usize) -> Result<usize, Syntax> {
        let (mut at, mut lone) = (at, false);
        loop {
            match byte(text, at) {
                b'"' => break,
                b'\\' => {
                    let escape = lex::escape(text, at).ok_or(Syntax { offset: at })?;
                    lone |= escape.lone;
                    at = end_of_plain(text, at + escape.len);
                }
                _ => return Err(Syntax { offset: at }),
            }
        }
        if lone {
            self.lone_surrogate.get_or_insert(start);
        }
        Ok(at)
    }

    #[inline(always)]
    fn scalar(&mut self, text: &[u8], start: usize) -> Result<usize, Syntax> {
        let rest = text.get(start..).unwrap_or_default();
        let (kind, word) = match byte(text, start) {
            b't' => (Kind::True, &b"true"[..]),
            b'f' => (Kind::False, &b"false"[..]),
            b'n' => (Kind::Null, &b"null"[..]),
            _ => return self.number(text, start),
        };
        if !rest.starts_with(word) {
            return Err(Syntax { offset: start });
        }
        let end = start + word.len();
        self.push(kind, false, start, end);
        Ok(end)
    }

    #[inline(always)]
    fn number(&mut self, text: &[u8], start: usize) -> Result<usize, Syntax> {
        let (end, plain) = lex::number(text, start).map_err(|offset| Syntax { offset })?;
        if end - start > self.limits.number_bytes {
            self.over(Limit::NumberBytes, start);
        }
        self.push(Kind::Number, plain, start, end);
        Ok(end)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;

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
