//! Escapes that mean the same inside brackets and outside.

use alloc::format;
use alloc::string::String;

use super::Translator;

const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const SPACES: &str = r"\t\n\x0C\r ";
const ECMA_SPACES: &str = r"\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

/// What an escape stands for.
pub(super) enum Escape {
    Char(char),
    /// Half a pair, or a class, written out; it is no end of a range.
    Set(String),
}

impl Translator<'_> {
    /// An escape that means the same inside brackets and outside, behind its backslash.
    pub(super) fn common_escape(&mut self) -> Option<Escape> {
        let before = self.rest;
        let c = self.next()?;
        let spaces = if self.ecma { ECMA_SPACES } else { SPACES };
        let set = |set: &str| Some(Escape::Set(format!("[{set}]")));
        match c {
            'd' => set(DIGITS),
            'D' => set(&format!("^{DIGITS}")),
            'w' => set(WORDS),
            'W' => set(&format!("^{WORDS}")),
            's' => set(spaces),
            'S' => set(&format!("^{spaces}")),
            'p' | 'P' => self.property(c),
            't' => Some(Escape::Char('\t')),
            'n' => Some(Escape::Char('\n')),
            'r' => Some(Escape::Char('\r')),
            'f' => Some(Escape::Char('\u{c}')),
            'v' => Some(Escape::Char('\u{b}')),
            'a' if !self.ecma => Some(Escape::Char('\u{7}')),
            'x' if !self.ecma && self.eat("{") => self.braced(),
            'x' => self.hex(2).and_then(char::from_u32).map(Escape::Char),
            'u' if self.ecma && self.eat("{") => self.braced(),
            'u' if self.ecma => self.unit(),
            'c' if self.ecma => {
                let letter = self.next().filter(char::is_ascii_alphabetic)?;
                char::from_u32(letter as u32 % 32).map(Escape::Char)
            }
            '0' if self.ecma => (!self.rest.starts_with(|c: char| c.is_ascii_digit())).then_some(Escape::Char('\0')),
            '0'..='7' if !self.ecma => {
                self.rest = before;
                let octal = self.eat_while(3, |c| matches!(c, '0'..='7'));
                // One digit alone would be a back-reference.
                let ok = octal.len() > 1 || octal == "0";
                ok.then(|| u32::from_str_radix(octal, 8).ok().and_then(char::from_u32).map(Escape::Char))?
            }
            _ if c.is_ascii_alphanumeric() => None,
            _ if c.is_ascii() || self.ecma => Some(Escape::Char(c)),
            _ => None,
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.eat_while(digits, char::is_ascii_hexdigit);
        if text.len() == digits { u32::from_str_radix(text, 16).ok() } else { None }
    }

    /// Hexadecimal digits up to a closing bracket.
    fn braced(&mut self) -> Option<Escape> {
        let value = u32::from_str_radix(self.eat_while(8, char::is_ascii_hexdigit), 16).ok();
        if self.eat("}") { value.and_then(char::from_u32).map(Escape::Char) } else { None }
    }

    /// The code unit behind `\u`; halves of a pair belong together.
    fn unit(&mut self) -> Option<Escape> {
        let unit = self.hex(4)?;
        if let Some(c) = char::from_u32(unit) {
            return Some(Escape::Char(c));
        }
        let low = if self.eat("\\u") { self.hex(4)? } else { return None };
        let units = [u16::try_from(unit).ok()?, u16::try_from(low).ok()?];
        char::decode_utf16(units).next()?.ok().map(Escape::Char)
    }

    /// `\p{...}`, behind its letter.
    fn property(&mut self, letter: char) -> Option<Escape> {
        let name = if self.eat("{") {
            let name = self.eat_while(64, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '=' | '^'));
            let text = format!("\\{letter}{{{name}}}");
            self.eat("}").then_some(text)?
        } else {
            let name = self.next().filter(|c| !self.ecma && c.is_ascii_uppercase())?;
            format!("\\{letter}{{{name}}}")
        };
        Some(Escape::Set(name))
    }
}
