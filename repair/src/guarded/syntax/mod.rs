//! Lenient reading: text that is nearly JSON in, strict JSON out, with each change noted.
//!
//! One pass from left to right, no second try: where the text can be read in two ways it is refused. What a schema must say
//! (is a bare word a string, may an undefined member be left out) is noted in the draft for the next stage.

mod escapes;
mod members;
mod quoted;
mod text;
mod words;

use alloc::string::String;
use alloc::vec::Vec;

use super::draft::Draft;
use super::{Fault, FaultCode, MAX_DEPTH};
use crate::json::pointer;
use crate::{Code, StopReason};

pub(super) use text::{Scanner, is_odd_space, is_space};

/// Reads the container that starts at `start`, or the object whose brace got lost before it. Gives the draft and where the
/// text goes on.
pub(super) fn read(text: &str, start: usize, lost_brace: bool, stop: StopReason) -> Result<(Draft, usize), Fault> {
    let mut reader = Reader {
        text: Scanner::new(text),
        at: start,
        stop,
        open: Vec::new(),
        draft: Draft::default(),
        space_noted: usize::MAX,
    };
    if lost_brace {
        reader.change_around(Code::MissingOpenBrace, start)?;
        reader.push(true, start)?;
        reader.members(lost_brace)?;
    } else {
        reader.container()?;
    }
    Ok((reader.draft, reader.at))
}

/// A container that is open.
struct Open {
    object: bool,
    /// How many members or elements have been written.
    count: usize,
    /// Of an object: where the key of the current member stands in the draft, quotes included.
    key: (usize, usize),
}

struct Reader<'a> {
    text: Scanner<'a>,
    at: usize,
    stop: StopReason,
    open: Vec<Open>,
    draft: Draft,
    /// Where odd white space was noted last.
    space_noted: usize,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A key or element; `after_comma` tells whether a comma came before it.
    Next { after_comma: bool },
    /// What joins a key and its value. `quoted` tells whether the key had quotes.
    Colon { quoted: bool },
    /// The value of a member.
    Value,
    /// A comma or a closing bracket.
    Behind,
}

impl<'a> Reader<'a> {
    fn fault<T>(&self, code: FaultCode, offset: usize) -> Result<T, Fault> {
        Err(Fault::new(code, self.path(self.open.len()), offset))
    }

    /// Notes a change of the member or element that is being read.
    fn change(&mut self, code: Code, offset: usize) -> Result<(), Fault> {
        let path = self.path(self.open.len());
        self.draft.change(code, path, offset)
    }

    /// Notes a change of the innermost container.
    fn change_around(&mut self, code: Code, offset: usize) -> Result<(), Fault> {
        let path = self.path(self.open.len().saturating_sub(1));
        self.draft.change(code, path, offset)
    }

    /// The place that the outermost containers lead to, as a JSON pointer.
    fn path(&self, depth: usize) -> String {
        let mut path = String::new();
        for open in self.open.iter().take(depth) {
            let (from, to) = open.key;
            if open.object {
                let key = self.draft.text.get(from + 1..to.max(1) - 1).map(toolprism::json::decode_string);
                pointer::push_key(&mut path, &key.unwrap_or_default());
            } else {
                pointer::push_index(&mut path, open.count);
            }
        }
        path
    }

    fn container(&mut self) -> Result<(), Fault> {
        let object = self.text.byte(self.at) == Some(b'{');
        self.push(object, self.at)?;
        self.at += 1;
        self.members(false)
    }

    /// Reads on until the outermost container is closed.
    fn members(&mut self, mut cut_key: bool) -> Result<(), Fault> {
        let mut expect = Expect::Next { after_comma: false };
        while !self.open.is_empty() {
            self.skip_trivia()?;
            let Some(c) = self.text.char_at(self.at) else { return self.end_of_text(expect) };
            expect = match expect {
                Expect::Next { after_comma } if self.in_object() => {
                    self.key(c, after_comma, core::mem::take(&mut cut_key))?
                }
                Expect::Next { after_comma } => self.element(c, after_comma)?,
                Expect::Colon { quoted } => self.colon(c, quoted)?,
                Expect::Value => self.value(c)?,
                Expect::Behind => self.behind(c)?,
            };
        }
        Ok(())
    }

    fn in_object(&self) -> bool {
        self.open.last().is_some_and(|open| open.object)
    }

    fn skip_trivia(&mut self) -> Result<(), Fault> {
        // Mostly there is nothing to skip.
        if matches!(self.text.byte(self.at), Some(b'!'..=b'"' | b'$'..=b'.' | b'0'..=b'~')) {
            return Ok(());
        }
        loop {
            let next = self.text.skip_space(self.at);
            let space = self.text.slice(self.at, next);
            if self.space_noted != next
                && let Some(odd) = space.find(is_odd_space)
            {
                self.space_noted = next;
                self.change_around(Code::OddWhitespace, self.at + odd)?;
            }
            self.at = next;
            match self.text.comment_end(next) {
                Some(end) => {
                    // A quote alone in a comment is rather the end of a string with the mark of a comment in it.
                    let quotes = memchr::memchr_iter(b'"', self.text.slice(next, end).as_bytes()).count();
                    if quotes % 2 == 1 {
                        return self.fault(FaultCode::AmbiguousQuotes, next);
                    }
                    self.change_around(Code::Comment, next)?;
                    self.at = end;
                }
                None => return Ok(()),
            }
        }
    }

    fn push(&mut self, object: bool, offset: usize) -> Result<(), Fault> {
        if self.open.len() == MAX_DEPTH {
            return self.fault(FaultCode::TooDeep, offset);
        }
        self.draft.anchor(offset);
        self.draft.text.push(if object { '{' } else { '[' });
        self.open.push(Open { object, count: 0, key: (0, 0) });
        Ok(())
    }

    fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.draft.text.push(if open.object { '}' } else { ']' });
        }
        self.count();
    }

    fn count(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.count += 1;
        }
    }

    /// Writes the comma before a member or element that is not the first.
    fn separate(&mut self) {
        if self.open.last().is_some_and(|open| open.count > 0) {
            self.draft.text.push(',');
        }
        self.draft.anchor(self.at);
    }

    /// The text is over. Closing brackets are added where the last value is whole, and the model ended by itself.
    fn end_of_text(&mut self, expect: Expect) -> Result<(), Fault> {
        let end = self.text.len();
        match expect {
            Expect::Behind if self.stop == StopReason::Length => {
                let path = self.path(self.open.len().saturating_sub(1));
                Err(Fault::new(FaultCode::TruncatedLength, path, end))
            }
            Expect::Behind if self.looks_cut() => self.fault(FaultCode::TruncatedString, end),
            Expect::Behind => {
                self.change_around(Code::ClosedBrackets, end)?;
                while !self.open.is_empty() {
                    self.pop();
                }
                Ok(())
            }
            _ => self.fault(FaultCode::TruncatedValue, end),
        }
    }

    /// Whether the last string ends as text does before a quotation: its quote is then rather an inner one, and the rest is
    /// missing.
    fn looks_cut(&self) -> bool {
        let string = self.draft.text.strip_suffix('"');
        string.is_some_and(|text| text.ends_with([' ', '(', '=', '[', '{', ',', ':', '<']))
    }
}
