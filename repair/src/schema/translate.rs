//! From the regular expressions of RE2 and of ECMAScript to those of the two pattern engines.
//!
//! Both engines come without tables for `\d`, `\w` and `\s`, and read some characters otherwise, so an expression is read
//! once and written anew: classes as sets, literals as code points. What the syntax does not know is refused.

use alloc::format;
use alloc::string::String;

use super::PatternSyntax;

/// Which engine it is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Linear,
    Backtracking,
}

/// Writes `text` anew; `None` if the syntax does not have it.
pub(super) fn translate(text: &str, syntax: PatternSyntax, target: Target) -> Option<String> {
    let out = String::with_capacity(text.len() * 2);
    let mut translator = Translator { rest: text, ecma: syntax == PatternSyntax::Ecma, target, dot_all: false, out };
    translator.expression()?;
    Some(translator.out)
}

const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const SPACES: &str = r"\t\n\x0C\r ";
const ECMA_SPACES: &str = r"\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

/// Repetitions of RE2 go no further.
const MAX_REPEAT: u32 = 1_000;

struct Translator<'a> {
    rest: &'a str,
    ecma: bool,
    target: Target,
    /// A flag has made the dot match line ends too.
    dot_all: bool,
    out: String,
}

/// What an escape stands for.
enum Escape {
    Char(char),
    /// Half a pair, or a class, written out; it is no end of a range.
    Set(String),
}

impl Translator<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    fn eat(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The longest start of the rest of which all characters are `wanted`, at most `most` of them.
    fn eat_while(&mut self, most: usize, wanted: fn(&char) -> bool) -> &str {
        let len = self.rest.chars().take(most).take_while(wanted).map(char::len_utf8).sum();
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    fn expression(&mut self) -> Option<()> {
        // Before: a repetition; an edge of a text or word, which ECMAScript does not repeat.
        let (mut repeated, mut edge) = (false, true);
        while let Some(c) = self.next() {
            let next_edge = matches!(c, '^' | '$' | '(' | '|') || (c == '\\' && self.rest.starts_with(['b', 'B']));
            let repeats = match c {
                '*' | '+' | '?' => {
                    self.out.push(c);
                    true
                }
                '{' => self.counted()?,
                _ => false,
            };
            if repeats {
                // One repetition of another is an error in both syntaxes; what follows at once can only make it lazy.
                if repeated || (edge && self.ecma) {
                    return None;
                }
                if self.eat("?") {
                    self.out.push('?');
                }
            } else {
                self.single(c)?;
            }
            (repeated, edge) = (repeats, next_edge);
        }
        Some(())
    }

    /// Anything but a repetition.
    fn single(&mut self, c: char) -> Option<()> {
        match c {
            '\\' => self.escape()?,
            '[' => self.class()?,
            '(' => self.group()?,
            '.' if self.ecma && !self.dot_all => self.out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            '.' | '^' | '$' | '|' | ')' => self.out.push(c),
            // Its text is written already if it is one, and a literal otherwise.
            _ => literal(&mut self.out, c),
        }
        Some(())
    }

    /// `{2}`, `{2,}` or `{2,3}`, behind its bracket; otherwise the bracket is a literal.
    fn counted(&mut self) -> Option<bool> {
        let Some((inside, behind)) = self.rest.split_once('}') else { return Some(false) };
        let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
        let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !number(least) || !(most.is_empty() || number(most)) || (most.is_empty() && !inside.contains(',')) {
            return Some(false);
        }
        let over = |text: &str| !text.is_empty() && text.parse::<u32>().map_or(true, |n| n > MAX_REPEAT);
        if !self.ecma && (over(least) || over(most)) {
            return None;
        }
        self.out.push_str(&format!("{{{inside}}}"));
        self.rest = behind;
        Some(true)
    }

    fn group(&mut self) -> Option<()> {
        if !self.eat("?") {
            self.out.push('(');
            return Some(());
        }
        for look in ["=", "!", "<=", "<!"] {
            if self.eat(look) {
                self.out.push_str(&format!("(?{look}"));
                return (self.target == Target::Backtracking).then_some(());
            }
        }
        if self.eat("P<") || self.eat("<") {
            let name = String::from(self.eat_while(usize::MAX, |c| c.is_alphanumeric() || matches!(c, '_' | '$')));
            // The engines' names have no dollar sign.
            self.out.push_str(&format!("(?<{}>", name.replace('$', "_")));
            return self.eat(">").then_some(());
        }
        let flags = String::from(self.eat_while(usize::MAX, |c| matches!(c, 'i' | 'm' | 's' | 'U' | '-')));
        self.dot_all |= flags.contains('s');
        let end = self.next().filter(|end| *end == ':' || (*end == ')' && !flags.is_empty()))?;
        self.out.push_str(&format!("(?{flags}{end}"));
        Some(())
    }

    /// An escape outside brackets, behind its backslash.
    fn escape(&mut self) -> Option<()> {
        let rest = self.rest;
        match self.next()? {
            edge @ ('b' | 'B') => {
                self.edge(edge == 'B');
                return Some(());
            }
            'A' => {
                self.out.push_str(r"\A");
                return Some(());
            }
            'z' => {
                self.out.push_str(r"\z");
                return Some(());
            }
            'Z' if self.ecma => {
                self.out.push_str(r"\z");
                return Some(());
            }
            'Q' if !self.ecma => {
                let (quoted, behind) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
                quoted.chars().for_each(|c| literal(&mut self.out, c));
                self.rest = behind;
                return Some(());
            }
            '1'..='9' if self.ecma => {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let (number, behind) = rest.split_at(digits);
                self.out.push_str(&format!("(?:\\{number})"));
                self.rest = behind;
                return (self.target == Target::Backtracking).then_some(());
            }
            'k' if self.ecma && self.eat("<") => {
                let name = String::from(self.eat_while(usize::MAX, |c| *c != '>'));
                self.out.push_str(&format!("\\k<{}>", name.replace('$', "_")));
                return (self.eat(">") && self.target == Target::Backtracking).then_some(());
            }
            _ => self.rest = rest,
        }
        match self.common_escape()? {
            Escape::Char(c) => literal(&mut self.out, c),
            Escape::Set(set) => self.out.push_str(&set),
        }
        Some(())
    }

    /// A word's edge, or its opposite; words are of ASCII.
    fn edge(&mut self, not: bool) {
        let text = match (self.target, not) {
            (Target::Linear, false) => r"(?-u:\b)",
            (Target::Linear, true) => r"(?-u:\B)",
            (Target::Backtracking, false) => "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))",
            (Target::Backtracking, true) => "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))",
        };
        self.out.push_str(text);
    }

    /// An escape that means the same inside brackets and outside, behind its backslash.
    fn common_escape(&mut self) -> Option<Escape> {
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

    /// A set in brackets, behind the opening one.
    fn class(&mut self) -> Option<()> {
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

/// Writes `c` so that it stands for itself everywhere.
fn literal(out: &mut String, c: char) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_' {
        out.push_str(&format!("\\x{{{:X}}}", c as u32));
    } else {
        out.push(c);
    }
}
