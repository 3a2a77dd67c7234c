//! From the regular expressions of RE2 and of ECMAScript to those of the two pattern engines.
//!
//! Both engines come without tables for `\d`, `\w` and `\s`, and read some characters otherwise, so an expression is read
//! once and written anew: classes as sets, literals as code points. What the syntax does not know is refused.

mod class;
mod escape;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;

use alloc::format;
use alloc::string::String;

use super::PatternSyntax;
use escape::Escape;

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
}

/// Writes `c` so that it stands for itself everywhere.
fn literal(out: &mut String, c: char) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_' {
        out.push_str(&format!("\\x{{{:X}}}", c as u32));
    } else {
        out.push(c);
    }
}
