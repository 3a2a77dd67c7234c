//! Keys, strings and bare text: escapes, surrogate pairs and UTF-8 sequences that may be cut anywhere.

use alloc::string::String;

use super::event::{Event, Path};
use super::machine::{Place, Step};
use super::tree::Kind;
use super::{Mode, PartialInput};
use crate::json::{JsonFault, quote_or_backslash};

/// What has been read of a character, and waits until it is whole.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The front of an escape or of a UTF-8 sequence; or a backslash that is no escape, with the front of the sequence behind it.
    bytes: [u8; 8],
    len: u8,
    /// The first half of a surrogate pair, 0 if there is none.
    high: u16,
}

impl Held {
    fn get(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    fn add(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = byte;
            self.len += 1;
        }
    }

    fn set(&mut self, bytes: &[u8]) {
        self.len = 0;
        bytes.iter().for_each(|byte| self.add(*byte));
    }

    fn clear(&mut self) {
        self.len = 0;
    }
}

const REPLACEMENT: &str = "\u{fffd}";

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Whether the bytes are the front of a character, rather than broken.
fn is_front(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl PartialInput {
    /// Reads on in a key, a string or bare text. `bytes` is not empty.
    pub(super) fn in_string(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event<'_>)) -> Step {
        if self.tree.is_empty() {
            // Only bare text has begun without a quote.
            self.tree.open_string(&self.options).map_err(|fault| (0, fault))?;
            self.tell_opened(Kind::String, sink);
        }
        let Some(&byte) = bytes.first() else { return Ok(0) };
        match self.held.get() {
            [b'\\', b'u', ..] => self.in_unicode_escape(byte, sink),
            [b'\\'] => self.in_escape(byte, sink),
            [_, ..] => self.in_sequence(byte, sink),
            [] if self.place == Place::InText => self.run(bytes, bytes.len(), sink),
            [] if byte == b'\\' => {
                self.held.add(byte);
                Ok(1)
            }
            [] => {
                // A high surrogate that nothing follows.
                self.lose_high(sink)?;
                if byte == b'"' {
                    self.end_string(sink);
                    return Ok(1);
                }
                self.run(bytes, quote_or_backslash(bytes, 0), sink)
            }
        }
    }

    /// Appends the characters of `bytes[..end]`, none of which is special to JSON unless it is a bare control character.
    fn run(&mut self, bytes: &[u8], end: usize, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let strict = self.options.mode == Mode::Strict;
        let run = bytes.get(..end).unwrap_or_default();
        let bare = if strict { run.iter().position(|byte| *byte < 0x20) } else { None };
        let run = run.get(..bare.unwrap_or(end)).unwrap_or_default();
        if let Ok(text) = core::str::from_utf8(run) {
            self.emit(text, sink)?;
        } else {
            let mut read = 0;
            for chunk in run.utf8_chunks() {
                self.emit(chunk.valid(), sink).map_err(|(fits, fault)| (read + fits, fault))?;
                read += chunk.valid().len();
                let broken = chunk.invalid();
                if read + broken.len() == bytes.len() && is_front(broken) {
                    self.held.set(broken);
                } else if strict && !broken.is_empty() {
                    return Err((read, JsonFault::BadString));
                } else if !broken.is_empty() {
                    self.emit(REPLACEMENT, sink).map_err(|(_, fault)| (read, fault))?;
                }
                read += broken.len();
            }
        }
        match bare {
            Some(at) => Err((at, JsonFault::BadString)),
            None => Ok(end),
        }
    }

    /// Goes on with a UTF-8 sequence.
    fn in_sequence(&mut self, byte: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let read = usize::from(is_continuation(byte));
        if read == 1 {
            self.held.add(byte);
        }
        let (bytes, len) = (self.held.bytes, usize::from(self.held.len));
        let held = bytes.get(..len).unwrap_or_default();
        if read == 1 && is_front(held) {
            return Ok(1);
        }
        self.held.clear();
        let mut at = 0;
        for chunk in held.utf8_chunks() {
            let (valid, broken) = (chunk.valid(), chunk.invalid());
            let mut appended = self.emit(valid, sink).map_err(|(fits, fault)| (at + fits, fault));
            at += valid.len();
            if appended.is_ok() && !broken.is_empty() {
                appended = match self.options.mode {
                    Mode::Strict => Err((at, JsonFault::BadString)),
                    _ => self.emit(REPLACEMENT, sink).map_err(|(_, fault)| (at, fault)),
                };
            }
            at += broken.len();
            if let Err((at, fault)) = appended {
                // The place is in the sequence, wherever the text was cut.
                self.offset -= len - read;
                return Err((at, fault));
            }
        }
        Ok(read)
    }

    /// The byte behind a backslash.
    fn in_escape(&mut self, byte: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        let text = match byte {
            b'u' => {
                self.held.add(byte);
                return Ok(1);
            }
            b'"' => "\"",
            b'\\' => "\\",
            b'/' => "/",
            b'b' => "\u{8}",
            b'f' => "\u{c}",
            b'n' => "\n",
            b'r' => "\r",
            b't' => "\t",
            _ if self.options.mode == Mode::Strict => return Err((0, JsonFault::BadString)),
            _ => {
                self.lose_high(sink)?;
                self.held.add(byte);
                // Both characters show together, when the second is whole.
                if !is_front(&[byte]) {
                    self.emit_held(sink)?;
                }
                return Ok(1);
            }
        };
        self.lose_high(sink)?;
        self.held.clear();
        self.emit(text, sink).map_err(|(_, fault)| (0, fault))?;
        Ok(1)
    }

    /// The byte behind `\u` and up to three digits.
    fn in_unicode_escape(&mut self, byte: u8, sink: &mut impl FnMut(Event<'_>)) -> Step {
        if !byte.is_ascii_hexdigit() {
            if self.options.mode == Mode::Strict {
                return Err((0, JsonFault::BadString));
            }
            // It is no escape; the byte is read as any other.
            self.lose_high(sink)?;
            self.emit_held(sink)?;
            return Ok(0);
        }
        self.held.add(byte);
        let [_, _, digits @ ..] = self.held.bytes;
        let Some(digits) = digits.get(..4).filter(|_| self.held.len == 6) else { return Ok(1) };
        let code = digits.iter().fold(0, |code, digit| code << 4 | char::from(*digit).to_digit(16).unwrap_or_default());
        self.held.clear();
        if (0xdc00..0xe000).contains(&code) && self.held.high != 0 {
            let high = u32::from(core::mem::take(&mut self.held.high));
            self.emit_char(0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00), sink)?;
            return Ok(1);
        }
        self.lose_high(sink)?;
        match u16::try_from(code) {
            Ok(high @ 0xd800..0xdc00) => self.held.high = high,
            _ => self.emit_char(code, sink)?,
        }
        Ok(1)
    }

    /// A high surrogate turned out to stand alone.
    fn lose_high(&mut self, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        if core::mem::take(&mut self.held.high) != 0 {
            self.emit(REPLACEMENT, sink).map_err(|(_, fault)| (0, fault))?;
        }
        Ok(())
    }

    fn emit_char(&mut self, code: u32, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.emit(char.encode_utf8(&mut [0; 4]), sink).map_err(|(_, fault)| (0, fault))
    }

    /// Appends what was held back as it stands.
    fn emit_held(&mut self, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        let (bytes, len) = (self.held.bytes, usize::from(self.held.len));
        self.held.clear();
        let text = String::from_utf8_lossy(bytes.get(..len).unwrap_or_default());
        self.emit(&text, sink).map_err(|(_, fault)| (0, fault))
    }

    /// Appends text to what is being read.
    fn emit(&mut self, text: &str, sink: &mut impl FnMut(Event<'_>)) -> Result<(), (usize, JsonFault)> {
        if text.is_empty() {
            return Ok(());
        }
        if self.place == Place::InKey {
            return self.tree.append_hidden(text, &self.options).map_err(|fits| (fits, JsonFault::TooLarge));
        }
        let appended = self.tree.append(text, &self.options);
        let fits = appended.map_or_else(|fits| text.get(..fits).unwrap_or_default(), |()| text);
        if !fits.is_empty() {
            sink(Event::Appended(Path::last(&self.tree), fits));
        }
        appended.map_err(|fits| (fits, JsonFault::TooLarge))
    }

    /// The closing quote.
    fn end_string(&mut self, sink: &mut impl FnMut(Event<'_>)) {
        if self.place == Place::InKey {
            self.tree.end_key();
            self.place = Place::Colon;
            return;
        }
        self.tree.close_string(&self.options);
        sink(Event::Closed(Path::last(&self.tree)));
        self.behind_value();
    }

    /// The end of bare text: nothing of it can be waited for any more.
    pub(super) fn end_text(&mut self, sink: &mut impl FnMut(Event<'_>)) {
        if self.tree.is_empty() {
            return;
        }
        if self.emit_held(sink).is_ok() {
            self.tree.close_string(&self.options);
            sink(Event::Closed(Path::last(&self.tree)));
            self.place = Place::After;
        }
    }
}
