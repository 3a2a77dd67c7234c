//! What stands in a string, written as JSON: escapes that JSON knows stay as they are, a backslash that starts none is text.

use alloc::string::String;

use super::quoted::{Quoted, Quotes};
use crate::guarded::FaultCode;
use crate::json::end_of_plain;

/// What writing a string found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mended {
    pub(super) raw_control: bool,
    pub(super) invalid_escape: bool,
}

/// Writes the content of a string as JSON, quotes included. Legal escapes stay as they are written.
pub(super) fn write(string: &Quoted<'_>, out: &mut String) -> Result<Mended, FaultCode> {
    let inner = string.inner;
    let mut mended = Mended::default();
    if string.plain {
        out.push('"');
        out.push_str(inner);
        out.push('"');
        return Ok(mended);
    }
    let literal = backslashes_are_text(string)?;
    let (mut at, mut copied) = (0, 0);
    out.push('"');
    loop {
        at = end_of_plain(inner.as_bytes(), at);
        let Some(special) = inner.as_bytes().get(at).copied() else { break };
        let escape = if special == b'\\' { Escape::of(inner.as_bytes(), at, string.quotes) } else { Escape::Unknown };
        if let (false, Escape::Legal(len)) = (literal, &escape) {
            at += len;
            continue;
        }
        out.push_str(inner.get(copied..at).unwrap_or_default());
        match special {
            b'"' => out.push_str("\\\""),
            b'\\' => match escape {
                Escape::Foreign if string.quotes != Quotes::Double => return Err(FaultCode::AmbiguousEscape),
                // `\'` is a quote in every language that has it: the backslash is left out.
                Escape::OwnQuote if !literal => mended.invalid_escape |= string.quotes == Quotes::Double,
                _ => {
                    mended.invalid_escape = true;
                    out.push_str("\\\\");
                }
            },
            control => {
                mended.raw_control = true;
                push_control(control, out);
            }
        }
        at += 1;
        copied = at;
    }
    out.push_str(inner.get(copied..).unwrap_or_default());
    out.push('"');
    Ok(mended)
}

fn push_control(byte: u8, out: &mut String) {
    match byte {
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        _ => {
            out.push_str("\\u00");
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
            }
        }
    }
}

/// What a backslash starts.
enum Escape {
    /// An escape of JSON, of this many bytes.
    Legal(usize),
    /// A quote that JSON does not escape.
    OwnQuote,
    /// An escape of Python and JavaScript, whose quotes the string may have.
    Foreign,
    Unknown,
}

impl Escape {
    #[inline]
    fn of(text: &[u8], at: usize, quotes: Quotes) -> Escape {
        match text.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Escape::Legal(2),
            Some(b'u') if text.get(at + 2..at + 6).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => {
                Escape::Legal(6)
            }
            Some(b'\'') => Escape::OwnQuote,
            Some(b'`') if quotes == Quotes::Backtick => Escape::OwnQuote,
            Some(b'x' | b'0'..=b'7' | b'a' | b'v' | b'u' | b'U' | b'N' | b'\n') => Escape::Foreign,
            _ => Escape::Unknown,
        }
    }
}

/// Whether no backslash of the string is an escape: it is a drive's path, and one of them is none. Refuses what can be
/// read both ways.
fn backslashes_are_text(string: &Quoted<'_>) -> Result<bool, FaultCode> {
    let seen = Backslashes::of(string);
    if string.quotes != Quotes::Double {
        // `'\begin'` starts with a backslash rather than with a backspace.
        return if seen.rare { Err(FaultCode::AmbiguousEscape) } else { Ok(false) };
    }
    if !seen.unknown {
        return Ok(false);
    }
    match drive(string.inner) {
        Some(0) if seen.doubled || seen.quote => Err(FaultCode::AmbiguousEscape),
        Some(0) => Ok(true),
        // A path somewhere in the text: `\n` behind it may be a line's end or the start of a name.
        Some(path) if seen.last_letter.is_some_and(|letter| letter > path) => Err(FaultCode::AmbiguousEscape),
        // Beside `\s` a `\n` before a letter may be the start of a name as well, and `\b` and `\f` are hardly meant.
        _ if seen.rare || (seen.unknown_letter && seen.word) => Err(FaultCode::AmbiguousEscape),
        _ => Ok(false),
    }
}

/// Which kinds of backslashes a string has.
#[derive(Default)]
struct Backslashes {
    /// One that starts no escape.
    unknown: bool,
    /// Such a one before a letter.
    unknown_letter: bool,
    doubled: bool,
    quote: bool,
    /// `\b` or `\f`, which no one writes on purpose.
    rare: bool,
    /// Where the last escape by a letter stands.
    last_letter: Option<usize>,
    /// An escape by a letter that another letter follows.
    word: bool,
}

impl Backslashes {
    fn of(string: &Quoted<'_>) -> Self {
        let text = string.inner.as_bytes();
        let mut seen = Backslashes::default();
        let mut at = 0;
        while let Some(hit) = memchr::memchr(b'\\', text.get(at..).unwrap_or_default()) {
            at += hit;
            let letter = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphabetic);
            at += match Escape::of(text, at, string.quotes) {
                Escape::Legal(len) => {
                    match text.get(at + 1) {
                        Some(b'\\') => seen.doubled = true,
                        Some(b'"') => seen.quote = true,
                        Some(b'/') => {}
                        Some(name) => {
                            seen.rare |= matches!(name, b'b' | b'f') && letter(at + 2);
                            seen.word |= len == 2 && letter(at + 2);
                            seen.last_letter = Some(at);
                        }
                        None => {}
                    }
                    len
                }
                Escape::OwnQuote => 2,
                Escape::Foreign | Escape::Unknown => {
                    seen.unknown = true;
                    seen.unknown_letter |= letter(at + 1);
                    1
                }
            };
        }
        seen
    }
}

/// Where the first path of a drive starts, such as `C:\dir`.
fn drive(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memmem::find_iter(bytes, b":\\").find_map(|colon| {
        let letter = colon.checked_sub(1)?;
        let before = letter.checked_sub(1).and_then(|i| bytes.get(i));
        let alone = !before.is_some_and(u8::is_ascii_alphanumeric);
        (bytes.get(letter)?.is_ascii_alphabetic() && alone).then_some(letter)
    })
}
