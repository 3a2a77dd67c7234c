//! The machine that reads the text: where it is between two bytes, and what the next one does.

use super::event::{Event, Path};
use super::number::Digits;
use super::tree::Kind;
use super::{Mode, PartialInput};
use crate::json::{JsonError, JsonFault};

/// Where in the text the next byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the object, among text that is passed over (lenient only).
    Before,
    /// Where a value must begin.
    Value,
    /// Behind `[`.
    FirstElement,
    /// Behind a comma in an array.
    Element,
    /// Behind `{`.
    FirstKey,
    /// Behind a comma in an object.
    Key,
    /// Behind a key.
    Colon,
    /// Behind a value in an object or array.
    Comma,
    /// In a key.
    InKey,
    /// In a string.
    InString,
    /// In bare text.
    InText,
    /// In a number.
    InNumber(Digits),
    /// In `true`, `false` or `null`, behind so many letters.
    InWord(Kind, u8),
    /// Behind the root.
    After,
}

impl Place {
    pub(super) fn start(mode: Mode) -> Self {
        match mode {
            Mode::Strict => Place::Value,
            Mode::Lenient => Place::Before,
            Mode::Text => Place::InText,
        }
    }
}

/// How many bytes were read, or what is wrong behind how many.
pub(super) type Step = Result<usize, (usize, JsonFault)>;

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn word(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::True => b"true",
        Kind::False => b"false",
        _ => b"null",
    }
}

impl PartialInput {
    /// Reads all of `bytes`, or up to a fault.
    pub(super) fn read(&mut self, mut bytes: &[u8], sink: &mut impl FnMut(Event<'_>)) {
        while let Some(&byte) = bytes.first() {
            let step = match self.place {
                Place::InString | Place::InKey | Place::InText => self.in_string(bytes, sink),
                Place::InNumber(digits) => self.in_number(bytes, digits, sink),
                Place::InWord(kind, letters) => self.in_word(byte, kind, letters, sink),
                Place::Before => self.before(bytes, sink),
                Place::After if self.options.mode == Mode::Lenient => self.after(bytes, sink),
                _ if is_space(&byte) => Ok(bytes.iter().take_while(|byte| is_space(byte)).count()),
                _ => self.mark(byte, sink),
            };
            match step {
                Ok(read) => {
                    self.offset += read;
                    bytes = bytes.get(read..).unwrap_or_default();
                }
                Err((read, fault)) => {
                    self.offset += read;
                    self.fault = Some(JsonError { offset: self.offset, fault });
                    return;
                }
            }
        }
    }

    /// The text ends here.
    pub(super) fn read_end(&mut self, sink: &mut impl FnMut(Event<'_>)) {
        match self.place {
            Place::InNumber(digits) if digits.is_whole() && self.tree.is_empty() => {
                if let Err((_, fault)) = self.end_number(sink) {
                    self.fault = Some(JsonError { offset: self.offset, fault });
                }
            }
            Place::InText => self.end_text(sink),
            _ => {}
        }
    }

    /// A byte outside of strings, numbers and words.
    fn mark(&mut self, byte: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let lenient = self.options.mode == Mode::Lenient;
        match (self.place, byte) {
            (Place::FirstElement, b']') | (Place::FirstKey, b'}') => self.close(sink),
            (Place::Element, b']') | (Place::Key, b'}') if lenient => self.close(sink),
            (Place::Value | Place::FirstElement | Place::Element, _) => return self.value(byte, sink),
            (Place::FirstKey | Place::Key, b'"') => {
                self.tree.start_hidden();
                self.place = Place::InKey;
            }
            (Place::Colon, b':') => self.place = Place::Value,
            (Place::Comma, _) => match (byte, self.tree.innermost()) {
                (b',', Some(Kind::Object)) => self.place = Place::Key,
                (b',', _) => self.place = Place::Element,
                (b'}', Some(Kind::Object)) | (b']', Some(Kind::Array)) => self.close(sink),
                _ => return Err((0, JsonFault::ExpectedCommaOrEnd)),
            },
            (Place::FirstKey | Place::Key, _) => return Err((0, JsonFault::ExpectedKey)),
            (Place::Colon, _) => return Err((0, JsonFault::ExpectedColon)),
            _ => return Err((0, JsonFault::TrailingText)),
        }
        Ok(1)
    }

    /// The first byte of a value.
    fn value(&mut self, byte: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let fault = |fault| (0, fault);
        match byte {
            b'{' => self.open(Kind::Object, sink)?,
            b'[' => self.open(Kind::Array, sink)?,
            b'"' => {
                self.tree.open_string(&self.options).map_err(fault)?;
                self.place = Place::InString;
                self.tell_opened(Kind::String, sink);
            }
            b't' => self.place = Place::InWord(Kind::True, 1),
            b'f' => self.place = Place::InWord(Kind::False, 1),
            b'n' => self.place = Place::InWord(Kind::Null, 1),
            _ => {
                let digits = Digits::first(byte).ok_or((0, JsonFault::ExpectedValue))?;
                self.tree.start_hidden();
                self.place = Place::InNumber(digits);
                return self.hide_digits(&[byte]);
            }
        }
        Ok(1)
    }

    fn open(&mut self, kind: Kind, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        self.tree.open_container(kind, &self.options).map_err(|fault| (0, fault))?;
        self.place = if kind == Kind::Object { Place::FirstKey } else { Place::FirstElement };
        self.tell_opened(kind, sink);
        Ok(())
    }

    fn close(&mut self, sink: &mut impl FnMut(Event<'_>)) {
        if let Some(closed) = self.tree.close_container() {
            sink(Event::Closed(Path::of(&self.tree, closed)));
        }
        self.behind_value();
    }

    pub(super) fn behind_value(&mut self) {
        self.place = if self.tree.levels().is_empty() { Place::After } else { Place::Comma };
    }

    pub(super) fn tell_opened(&self, kind: Kind, sink: &mut impl FnMut(Event<'_>)) {
        sink(Event::Opened(Path::last(&self.tree), kind.json_type()));
    }

    fn in_word(&mut self, byte: u8, kind: Kind, letters: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let word = word(kind);
        let read = usize::from(letters);
        if word.get(read) != Some(&byte) {
            return Err((0, JsonFault::BadLiteral));
        }
        if read + 1 < word.len() {
            self.place = Place::InWord(kind, letters + 1);
            return Ok(1);
        }
        self.tree.literal(kind, &self.options).map_err(|fault| (0, fault))?;
        sink(Event::Value(Path::last(&self.tree)));
        self.behind_value();
        Ok(1)
    }

    fn in_number(&mut self, bytes: &[u8], mut digits: Digits, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let mut read = 0;
        while let Some(next) = bytes.get(read).and_then(|byte| digits.next(*byte)) {
            digits = next;
            read += 1;
        }
        self.place = Place::InNumber(digits);
        self.hide_digits(bytes.get(..read).unwrap_or_default())?;
        let Some(byte) = bytes.get(read) else { return Ok(read) };
        if !digits.is_whole() || !(is_space(byte) || matches!(byte, b',' | b']' | b'}')) {
            return Err((read, JsonFault::BadLiteral));
        }
        self.end_number(sink).map_err(|(_, fault)| (read, fault))?;
        Ok(read)
    }

    /// Keeps the digits of a number until it is whole.
    fn hide_digits(&mut self, digits: &[u8]) -> Step {
        let text = core::str::from_utf8(digits).unwrap_or_default();
        self.tree.append_hidden(text, &self.options).map_err(|fits| (fits, JsonFault::TooLarge))?;
        Ok(digits.len())
    }

    fn end_number(&mut self, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        self.tree.number(&self.options).map_err(|fault| (0, fault))?;
        sink(Event::Value(Path::last(&self.tree)));
        self.behind_value();
        Ok(())
    }

    /// Passes over text up to the object.
    fn before(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event<'_>)) -> Step {
        let Some(at) = memchr::memchr(b'{', bytes) else { return Ok(bytes.len()) };
        self.open(Kind::Object, sink).map_err(|(_, fault)| (at, fault))?;
        Ok(at + 1)
    }

    /// Passes over text behind the object; an object behind `{}` replaces it.
    fn after(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event<'_>)) -> Step {
        let next = memchr::memchr(b'{', bytes).filter(|_| self.tree.is_placeholder());
        let Some(at) = next else { return Ok(bytes.len()) };
        self.tree.clear();
        self.open(Kind::Object, sink).map_err(|(_, fault)| (at, fault))?;
        Ok(at + 1)
    }
}
