//! The members of an object and the elements of an array, and what may stand between them.

use super::quoted::{self, Quoted, Quotes, Role};
use super::words::{self, Word};
use super::{Expect, Reader, escapes};
use crate::guarded::{Fault, FaultCode};
use crate::{Code, StopReason};

impl<'a> Reader<'a> {
    pub(super) fn key(&mut self, c: char, after_comma: bool, cut_key: bool) -> Result<Expect, Fault> {
        match c {
            '}' | ']' => self.close(c, after_comma),
            ',' => self.extra_comma(),
            '{' => self.fault(FaultCode::MultipleObjects, self.at),
            _ if is_elided(self.text.rest(self.at)) => self.fault(FaultCode::ElidedContent, self.at),
            _ => match Quotes::opened_by(c) {
                Some(quotes) => self.quoted_key(quotes),
                None => self.bare_key(cut_key),
            },
        }
    }

    fn quoted_key(&mut self, quotes: Quotes) -> Result<Expect, Fault> {
        let key = self.string(quotes, Role::Key)?;
        // The end of a cut text may look like the end of a key.
        self.separate();
        let from = self.draft.text.len();
        let offset = core::mem::replace(&mut self.at, key.end);
        self.write_string(&key, offset, |reader, to| {
            if let Some(open) = reader.open.last_mut() {
                open.key = (from, to);
            }
        })?;
        Ok(Expect::Colon { quoted: true })
    }

    /// A key without quotes, or without the first of them.
    fn bare_key(&mut self, cut_key: bool) -> Result<Expect, Fault> {
        let rest = self.text.rest(self.at);
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-');
        let len = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let word = rest.get(..len).unwrap_or_default();
        let starts_well = word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
        if !starts_well {
            let number = words::is_numeric(words::run(rest));
            return self.fault(if number { FaultCode::BadNumber } else { FaultCode::NotJson }, self.at);
        }
        let half = self.text.byte(self.at + len) == Some(b'"');
        let end = self.at + len + usize::from(half);
        let next = self.text.skip_gap(end);
        match self.text.byte(next) {
            Some(b':') => {}
            None => return self.fault(FaultCode::TruncatedString, self.text.len()),
            _ => return self.fault(FaultCode::NotJson, self.at),
        }
        if cut_key && half {
            self.draft.cut_key = Some(word.into());
        }
        self.separate();
        let from = self.draft.text.len();
        self.draft.text.push('"');
        self.draft.text.push_str(word);
        self.draft.text.push('"');
        let to = self.draft.text.len();
        if let Some(open) = self.open.last_mut() {
            open.key = (from, to);
        }
        self.change(Code::UnquotedKey, self.at)?;
        self.at = end;
        Ok(Expect::Colon { quoted: false })
    }

    pub(super) fn colon(&mut self, c: char, quoted: bool) -> Result<Expect, Fault> {
        let rest = self.text.rest(self.at);
        let len = match c {
            ':' => 1,
            '=' if quoted && rest.starts_with("=>") => 2,
            '=' if quoted && !rest.starts_with("==") => 1,
            ',' | '}' | ']' => return self.fault(FaultCode::MissingValue, self.at),
            _ if quoted && c.is_alphanumeric() => return self.fault(FaultCode::AmbiguousQuotes, self.at),
            _ => return self.fault(FaultCode::NotJson, self.at),
        };
        if c != ':' {
            self.change(Code::ColonVariant, self.at)?;
        }
        self.draft.text.push(':');
        self.at += len;
        Ok(Expect::Value)
    }

    pub(super) fn element(&mut self, c: char, after_comma: bool) -> Result<Expect, Fault> {
        match c {
            '}' | ']' => self.close(c, after_comma),
            ',' => self.fault(FaultCode::AmbiguousHole, self.at),
            _ => {
                self.separate();
                self.value(c)
            }
        }
    }

    pub(super) fn value(&mut self, c: char) -> Result<Expect, Fault> {
        self.draft.anchor(self.at);
        match c {
            '{' | '[' => {
                self.push(c == '{', self.at)?;
                self.at += 1;
                return Ok(Expect::Next { after_comma: false });
            }
            ',' | '}' | ']' => return self.fault(FaultCode::MissingValue, self.at),
            _ if is_elided(self.text.rest(self.at)) => return self.fault(FaultCode::ElidedContent, self.at),
            _ => {}
        }
        if let Some(quotes) = Quotes::opened_by(c) {
            let role = if self.in_object() { Role::Member } else { Role::Element };
            let string = self.string(quotes, role)?;
            let offset = core::mem::replace(&mut self.at, string.end);
            self.write_string(&string, offset, |_, _| {})?;
        } else {
            self.word()?;
        }
        self.count();
        Ok(Expect::Behind)
    }

    fn string(&mut self, quotes: Quotes, role: Role) -> Result<Quoted<'a>, Fault> {
        let string = quoted::read(&mut self.text, self.at, quotes, role);
        let string = string.or_else(|(code, offset)| self.fault(code, offset))?;
        // A template with a hole in it has no value yet.
        if quotes == Quotes::Backtick && string.inner.contains("${") {
            return self.fault(FaultCode::NotJson, self.at);
        }
        Ok(string)
    }

    fn write_string(
        &mut self,
        string: &Quoted<'a>,
        offset: usize,
        written: impl FnOnce(&mut Self, usize),
    ) -> Result<(), Fault> {
        let mended = escapes::write(string, &mut self.draft.text).or_else(|code| self.fault(code, offset))?;
        let to = self.draft.text.len();
        written(self, to);
        let quotes = match string.quotes {
            Quotes::Double => None,
            Quotes::Single => Some(Code::SingleQuotes),
            Quotes::Smart => Some(Code::SmartQuotes),
            Quotes::Backtick => Some(Code::BacktickQuotes),
        };
        let codes = [
            quotes,
            string.holds_quotes.then_some(Code::UnescapedQuote),
            mended.raw_control.then_some(Code::RawControlChar),
            mended.invalid_escape.then_some(Code::InvalidEscape),
        ];
        codes.into_iter().flatten().try_for_each(|code| self.change(code, offset))
    }

    fn word(&mut self) -> Result<(), Fault> {
        let run = words::run(self.text.rest(self.at));
        let end = self.at + run.len();
        let at_end = end == self.text.len();
        let word = words::read(run, at_end).or_else(|code| self.fault(code, if at_end { end } else { self.at }))?;
        match word {
            Word::Json(json, changed) => {
                if changed.is_some() {
                    self.draft.respelt.push(self.draft.text.len());
                }
                self.draft.text.push_str(&json);
                if let Some(code) = changed {
                    self.change(code, self.at)?;
                }
            }
            Word::Undefined => {
                self.draft.undefined.push(self.draft.text.len());
                self.draft.text.push_str("null");
            }
            Word::Bare => {
                // A letter before a quote makes it a string of another language.
                if self.text.char_at(end).is_some_and(|c| Quotes::opened_by(c).is_some()) {
                    return self.fault(FaultCode::NotJson, self.at);
                }
                let next = self.text.skip_gap(end);
                if !matches!(self.text.byte(next), Some(b',' | b'}' | b']')) {
                    return self.fault(FaultCode::UnknownValue, self.at);
                }
                self.draft.bare.push(self.draft.text.len());
                self.draft.text.push('"');
                self.draft.text.push_str(run);
                self.draft.text.push('"');
                self.change(Code::UnquotedString, self.at)?;
            }
        }
        self.at = end;
        Ok(())
    }

    pub(super) fn behind(&mut self, c: char) -> Result<Expect, Fault> {
        match c {
            ',' => {
                self.at += 1;
                Ok(Expect::Next { after_comma: true })
            }
            '}' | ']' => self.close(c, false),
            '{' if !self.in_object() && self.draft.text.ends_with('}') => self.missing_comma(),
            '{' => self.fault(FaultCode::MultipleObjects, self.at),
            _ if is_elided(self.text.rest(self.at)) => self.fault(FaultCode::ElidedContent, self.at),
            _ if self.in_object() && (Quotes::opened_by(c).is_some() || c.is_ascii_alphabetic() || c == '_') => {
                self.missing_comma()
            }
            _ => self.fault(FaultCode::NotJson, self.at),
        }
    }

    fn missing_comma(&mut self) -> Result<Expect, Fault> {
        self.change_around(Code::MissingComma, self.at)?;
        Ok(Expect::Next { after_comma: true })
    }

    fn extra_comma(&mut self) -> Result<Expect, Fault> {
        self.change_around(Code::ExtraComma, self.at)?;
        self.at += 1;
        Ok(Expect::Next { after_comma: false })
    }

    /// Closes what the bracket can close: the innermost container, or the innermost of its kind with all that are open
    /// inside that one; where none of its kind is open, it stands for the other bracket.
    fn close(&mut self, c: char, after_comma: bool) -> Result<Expect, Fault> {
        let object = c == '}';
        if after_comma {
            self.change_around(Code::TrailingComma, self.at)?;
        }
        let inner = self.open.iter().rev().position(|open| open.object == object);
        if inner != Some(0) {
            self.change_around(Code::MismatchedCloser, self.at)?;
        }
        self.draft.anchor(self.at);
        for _ in 0..=inner.unwrap_or(0) {
            self.pop();
        }
        if self.open.is_empty() && inner != Some(0) && self.stop == StopReason::Length {
            return self.fault(FaultCode::TruncatedLength, self.at);
        }
        self.at += 1;
        Ok(Expect::Behind)
    }
}

/// Whether something was left out here.
fn is_elided(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('\u{2026}')
}
