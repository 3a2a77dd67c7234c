//! JavaScript in tokens: as much of it as tells code from strings, comments and regular expressions.

use alloc::string::String;
use alloc::vec::Vec;

/// A piece of a script.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// A string, or a template without substitutions.
    Text(Quoted<'a>),
    /// A regular expression.
    Pattern,
    /// Any other character; a backquote is an end of a template with substitutions.
    Mark(u8),
    /// The end of the script.
    End,
}

/// The inside of a string or template, its escapes unread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Quoted<'a> {
    pub(super) quote: u8,
    raw: &'a str,
}

impl Quoted<'_> {
    /// The text it stands for; `None` where an escape is misspelt.
    pub(super) fn decode(self) -> Option<String> {
        let mut out = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'v' => out.push('\u{b}'),
                '0' if !chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => out.push('\0'),
                '0'..='9' => return None,
                'x' => out.push(char::from_u32(hex(&mut chars, 2)?)?),
                'u' => out.push(unicode(&mut chars)?),
                // A backslash at the end of a line joins it to the next.
                '\n' => {}
                other => out.push(other),
            }
        }
        Some(out)
    }
}

/// The rest of `\uXXXX` or `\u{X}`, two of them for one character where they are surrogates; a lone one is U+FFFD.
fn unicode(chars: &mut core::str::Chars<'_>) -> Option<char> {
    if chars.as_str().starts_with('{') {
        let (digits, _) = chars.as_str().get(1..)?.split_once('}')?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        chars.nth(digits.len() + 1);
        return Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    let high = hex(chars, 4)?;
    let mut ahead = chars.clone();
    if (0xd800..0xdc00).contains(&high)
        && (ahead.next(), ahead.next()) == (Some('\\'), Some('u'))
        && let Some(low @ 0xdc00..0xe000) = hex(&mut ahead, 4)
    {
        *chars = ahead;
        return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
    }
    Some(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn hex(chars: &mut core::str::Chars<'_>, digits: usize) -> Option<u32> {
    (0..digits).try_fold(0, |code, _| Some(code * 16 + chars.next()?.to_digit(16)?))
}

/// The tokens of a script, one after the other.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    source: &'a str,
    pub(super) at: usize,
    /// The open braces in each open `${`.
    substitutions: Vec<usize>,
    /// Whether the last token ends an operand, so that a slash after it divides.
    after_operand: bool,
    /// Whether a line ended before the last token.
    pub(super) on_new_line: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Tokens { source, at: 0, substitutions: Vec::new(), after_operand: false, on_new_line: false }
    }

    /// The next token; `None` where the script breaks off inside one.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space()?;
        let start = self.at;
        let Some(byte) = self.peek(0) else { return self.substitutions.is_empty().then_some(Token::End) };
        let token = match byte {
            b'"' | b'\'' => {
                self.at += 1;
                self.string(byte)?
            }
            b'`' => {
                self.at += 1;
                self.template(true)?
            }
            b'}' if self.substitutions.last() == Some(&0) => {
                self.at += 1;
                self.substitutions.pop();
                self.template(false)?
            }
            b'/' if !self.after_operand => self.pattern()?,
            b'0'..=b'9' => {
                self.skip_while(|b| is_word(b) || b == b'.');
                // `1e-5`
                if let Some(number) = self.source.get(start..self.at)
                    && number.ends_with(['e', 'E'])
                    && !number.starts_with("0x")
                    && matches!(self.peek(0), Some(b'+' | b'-'))
                {
                    self.at += 1;
                    self.skip_while(is_word);
                }
                Token::Word(self.source.get(start..self.at)?)
            }
            _ if is_word(byte) => {
                self.skip_while(is_word);
                Token::Word(self.source.get(start..self.at)?)
            }
            _ => {
                self.at += 1;
                if let Some(braces) = self.substitutions.last_mut() {
                    match byte {
                        b'{' => *braces += 1,
                        b'}' => *braces -= 1,
                        _ => {}
                    }
                }
                Token::Mark(byte)
            }
        };
        self.after_operand = match token {
            Token::Word(word) => !is_operator(word),
            Token::Mark(byte) => matches!(byte, b')' | b']' | b'}' | b'`'),
            Token::Text(_) | Token::Pattern => true,
            Token::End => false,
        };
        Some(token)
    }

    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        match self.next()? {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    /// After an item of a list: the next item's first token, or the `end`.
    pub(super) fn next_entry(&mut self, end: u8) -> Option<Token<'a>> {
        match self.next()? {
            Token::Mark(b',') => self.next(),
            token => (token == Token::Mark(end)).then_some(token),
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
    }

    /// Skips space and comments.
    fn skip_space(&mut self) -> Option<()> {
        self.on_new_line = false;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'\n'), _) => {
                    self.on_new_line = true;
                    self.at += 1;
                }
                (Some(byte), _) if byte.is_ascii_whitespace() || byte == 0xb => self.at += 1,
                (Some(b'/'), Some(b'/')) => self.skip_while(|b| b != b'\n'),
                (Some(b'/'), Some(b'*')) => self.at += self.source.get(self.at + 2..)?.find("*/")? + 4,
                _ => return Some(()),
            }
        }
    }

    /// The rest of a string.
    fn string(&mut self, quote: u8) -> Option<Token<'a>> {
        let start = self.at;
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 2,
                b'\n' => return None,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return Some(Token::Text(Quoted { quote, raw: self.source.get(start..self.at - 1)? }));
                    }
                }
            }
        }
    }

    /// The rest of a template, up to its end or its next substitution.
    fn template(&mut self, from_start: bool) -> Option<Token<'a>> {
        let start = self.at;
        loop {
            match (self.peek(0)?, self.peek(1)) {
                (b'\\', _) => self.at += 2,
                (b'`', _) => {
                    self.at += 1;
                    let raw = self.source.get(start..self.at - 1)?;
                    return Some(if from_start { Token::Text(Quoted { quote: b'`', raw }) } else { Token::Mark(b'`') });
                }
                (b'$', Some(b'{')) => {
                    self.at += 2;
                    self.substitutions.push(0);
                    return Some(Token::Mark(b'$'));
                }
                _ => self.at += 1,
            }
        }
    }

    /// A regular expression, which must end on its line.
    fn pattern(&mut self) -> Option<Token<'a>> {
        let mut in_class = false;
        loop {
            self.at += 1;
            match self.peek(0)? {
                b'\n' => return None,
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.at += 1;
        self.skip_while(is_word);
        Some(Token::Pattern)
    }
}

/// Bytes of names and numbers; every character beyond ASCII counts.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Keywords after which an operand follows.
fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "return"
            | "typeof"
            | "case"
            | "in"
            | "of"
            | "delete"
            | "void"
            | "throw"
            | "new"
            | "else"
            | "do"
            | "await"
            | "yield"
            | "instanceof"
    )
}
