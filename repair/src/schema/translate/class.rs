//! Sets in brackets.

use alloc::string::String;

use super::escape::Escape;
use super::{Translator, literal};

impl Translator<'_> {
    /// A set in brackets, behind the opening one.
    pub(super) fn class(&mut self) -> Option<()> {
        let negated = self.eat("^");
        if self.ecma && self.eat("]") {
            self.out.push_str(if negated { r"[\x{0}-\x{10FFFF}]" } else { r"[^\x{0}-\x{10FFFF}]" });
            return Some(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            self.class_item()?;
            first = false;
        }
        self.out.push(']');
        self.eat("]").then_some(())
    }

    fn class_item(&mut self) -> Option<()> {
        if !self.ecma && self.rest.starts_with("[:") && self.rest.contains(":]") {
            let name = String::from(self.eat_while(16, |c| matches!(c, '[' | ':' | '^') || c.is_ascii_lowercase()));
            self.out.push_str(&name);
            self.out.push(']');
            return self.eat("]").then_some(());
        }
        let low = match self.class_char()? {
            Escape::Char(low) => low,
            Escape::Set(set) => {
                self.out.push_str(&set);
                return Some(());
            }
        };
        literal(&mut self.out, low);
        let before = self.rest;
        if self.rest.starts_with("-]") || !self.eat("-") {
            return Some(());
        }
        match self.class_char()? {
            Escape::Char(high) => {
                self.out.push('-');
                literal(&mut self.out, high);
            }
            // In ECMAScript the dash is then a literal.
            Escape::Set(set) if self.ecma => {
                literal(&mut self.out, '-');
                self.out.push_str(&set);
            }
            Escape::Set(_) => {
                self.rest = before;
                return None;
            }
        }
        Some(())
    }

    fn class_char(&mut self) -> Option<Escape> {
        match self.next()? {
            '\\' if self.ecma && self.eat("b") => Some(Escape::Char('\u{8}')),
            '\\' => self.common_escape(),
            c => Some(Escape::Char(c)),
        }
    }
}
