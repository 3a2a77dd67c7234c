//! The scanner under the text view: finds where values end, without recursion and without decoding anything.

use super::{JsonError, JsonFault, MAX_DEPTH};

pub(super) type Scan<T> = Result<T, JsonError>;

pub(super) fn fail<T>(offset: usize, fault: JsonFault) -> Scan<T> {
    Err(JsonError { offset, fault })
}

/// The byte at `i`, or 0 past the end. No value starts or ends with NUL, so 0 is always an error further on.
#[inline]
pub(super) fn at(text: &[u8], i: usize) -> u8 {
    text.get(i).copied().unwrap_or(0)
}

/// The fault for a byte that does not fit: past the end it is "unexpected end".
pub(super) fn misfit<T>(text: &[u8], i: usize, fault: JsonFault) -> Scan<T> {
    fail(i, if i >= text.len() { JsonFault::UnexpectedEnd } else { fault })
}

/// The index of the first byte at or after `i` that is not JSON white space.
#[inline]
pub(super) fn skip_space(text: &[u8], mut i: usize) -> usize {
    while matches!(at(text, i), b' ' | b'\n' | b'\r' | b'\t') {
        i += 1;
    }
    i
}

/// One past the closing quote of the string that opens at `open`.
#[inline]
pub(super) fn string_end(text: &[u8], open: usize) -> Scan<usize> {
    string_span(text, open).map(|(end, _)| end)
}

/// As [`string_end`], and whether the string holds an escape.
#[inline]
pub(super) fn string_span(text: &[u8], open: usize) -> Scan<(usize, bool)> {
    let mut i = open + 1;
    let mut escaped = false;
    loop {
        i = quote_or_backslash(text, i);
        match at(text, i) {
            b'"' => return Ok((i + 1, escaped)),
            b'\\' if i + 1 < text.len() => {
                escaped = true;
                i += 2;
            }
            _ => return fail(text.len(), JsonFault::UnexpectedEnd),
        }
    }
}

/// Whether the strings of a value, whose end is known, hold only what JSON allows: UTF-8, no bare control character, no
/// escape of another letter.
pub(super) fn check_strings(text: &[u8]) -> Scan<()> {
    let mut i = 0;
    while let Some(open) = memchr::memchr(b'"', text.get(i..).unwrap_or_default()).map(|n| i + n) {
        let end = string_end(text, open)?;
        let inside = text.get(open + 1..end - 1).unwrap_or_default();
        if let Some(wrong) = misspelt(inside) {
            return fail(open + 1 + wrong, JsonFault::BadString);
        }
        i = end;
    }
    Ok(())
}

/// Where in the inside of a string something stands that JSON does not allow.
fn misspelt(inside: &[u8]) -> Option<usize> {
    if let Err(error) = core::str::from_utf8(inside) {
        return Some(error.valid_up_to());
    }
    let mut i = 0;
    while let Some(byte) = inside.get(i) {
        match (byte, inside.get(i + 1)) {
            (b'\\', Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => i += 2,
            (b'\\', Some(b'u')) => {
                let digits = inside.get(i + 2..i + 6).unwrap_or_default();
                if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Some(i);
                }
                i += 6;
            }
            (b'\\' | 0..0x20, _) => return Some(i),
            _ => i += 1,
        }
    }
    None
}

/// One past the end of the value that starts at `i`, looking only at strings and brackets: for values nobody asks for.
pub(super) fn skim_end(text: &[u8], i: usize) -> Scan<usize> {
    let mut i = skip_space(text, i);
    match at(text, i) {
        b'"' => return string_end(text, i),
        b'{' | b'[' => {}
        _ => return scalar_end(text, i),
    }
    let mut levels = Levels { bits: [0; MAX_DEPTH / 64], depth: 0 };
    loop {
        i = quote_or_bracket(text, i);
        match at(text, i) {
            b'"' => i = string_end(text, i)?,
            open @ (b'{' | b'[') => {
                if !levels.push(open == b'{') {
                    return fail(i, JsonFault::TooDeep);
                }
                i += 1;
            }
            close @ (b'}' | b']') => {
                if levels.in_object() != (close == b'}') {
                    return fail(i, JsonFault::ExpectedCommaOrEnd);
                }
                levels.depth -= 1;
                i += 1;
                if levels.depth == 0 {
                    return Ok(i);
                }
            }
            _ if i >= text.len() => return fail(i, JsonFault::UnexpectedEnd),
            _ => i += 1,
        }
    }
}

/// The index of the next `"` or bracket (or of one of the few bytes that look like a bracket), or the length of the text.
#[inline]
fn quote_or_bracket(text: &[u8], mut i: usize) -> usize {
    // The four brackets are the letters `[` `]` `{` `}`: with these bits set they are all 0x7f, and so are `Y`, `_`, `y`.
    const LIKE_BRACKET: u8 = 0x26;
    while let Some(word) = text.get(i..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let hits = bytes_equal(word, b'"') | bytes_equal(word | (LOW * LIKE_BRACKET as u64), 0x7f);
        if hits != 0 {
            return i + (hits.trailing_zeros() / 8) as usize;
        }
        i += 8;
    }
    while i < text.len() && at(text, i) != b'"' && at(text, i) | LIKE_BRACKET != 0x7f {
        i += 1;
    }
    i
}

/// The index of the next `"` or `\`, or the length of the text. Most strings are short: eight bytes at a time first, and
/// the vector search only for what is longer than that pays for.
#[inline]
pub(crate) fn quote_or_backslash(text: &[u8], mut i: usize) -> usize {
    for _ in 0..4 {
        let Some(word) = text.get(i..).and_then(|rest| rest.first_chunk::<8>()) else { break };
        let word = u64::from_le_bytes(*word);
        let hits = bytes_equal(word, b'"') | bytes_equal(word, b'\\');
        if hits != 0 {
            return i + (hits.trailing_zeros() / 8) as usize;
        }
        i += 8;
    }
    match text.get(i..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        Some(n) => i + n,
        None => text.len(),
    }
}

/// A one in each byte of a word.
const LOW: u64 = 0x0101_0101_0101_0101;

/// The high bit of each byte of `word` that equals `byte`; exact up to and including the lowest hit, which is all we use.
#[inline]
const fn bytes_equal(word: u64, byte: u8) -> u64 {
    let x = word ^ (LOW * byte as u64);
    x.wrapping_sub(LOW) & !x & (LOW << 7)
}

/// One bit a level: set for an object, clear for an array.
struct Levels {
    bits: [u64; MAX_DEPTH / 64],
    depth: usize,
}

impl Levels {
    fn push(&mut self, object: bool) -> bool {
        let Some(word) = self.bits.get_mut(self.depth / 64) else { return false };
        let bit = 1 << (self.depth % 64);
        *word = if object { *word | bit } else { *word & !bit };
        self.depth += 1;
        true
    }

    fn in_object(&self) -> bool {
        let top = self.depth.wrapping_sub(1);
        self.bits.get(top / 64).is_some_and(|word| word >> (top % 64) & 1 == 1)
    }
}

/// One past the end of the value that starts at `i` (white space before it is allowed).
pub(super) fn value_end(text: &[u8], mut i: usize) -> Scan<usize> {
    let mut levels = Levels { bits: [0; MAX_DEPTH / 64], depth: 0 };
    loop {
        i = skip_space(text, i);
        match at(text, i) {
            b'"' => i = string_end(text, i)?,
            open @ (b'{' | b'[') => {
                let object = open == b'{';
                let inside = skip_space(text, i + 1);
                if at(text, inside) == if object { b'}' } else { b']' } {
                    i = inside + 1;
                } else if levels.push(object) {
                    i = if object { key_end(text, inside)? } else { inside };
                    continue;
                } else {
                    return fail(i, JsonFault::TooDeep);
                }
            }
            _ => i = scalar_end(text, i)?,
        }
        loop {
            if levels.depth == 0 {
                return Ok(i);
            }
            i = skip_space(text, i);
            match (at(text, i), levels.in_object()) {
                (b',', true) => {
                    i = key_end(text, skip_space(text, i + 1))?;
                    break;
                }
                (b',', false) => {
                    i += 1;
                    break;
                }
                (b'}', true) | (b']', false) => {
                    levels.depth -= 1;
                    i += 1;
                }
                _ => return misfit(text, i, JsonFault::ExpectedCommaOrEnd),
            }
        }
    }
}

/// One past the colon of the member whose name opens at `i`.
#[inline]
pub(super) fn key_end(text: &[u8], i: usize) -> Scan<usize> {
    if at(text, i) != b'"' {
        return misfit(text, i, JsonFault::ExpectedKey);
    }
    colon_end(text, string_end(text, i)?)
}

#[inline]
pub(super) fn colon_end(text: &[u8], i: usize) -> Scan<usize> {
    let i = skip_space(text, i);
    if at(text, i) != b':' {
        return misfit(text, i, JsonFault::ExpectedColon);
    }
    Ok(i + 1)
}

/// One past the end of a number, `true`, `false` or `null`.
pub(super) fn scalar_end(text: &[u8], i: usize) -> Scan<usize> {
    let rest = text.get(i..).unwrap_or_default();
    let word: &[u8] = match rest.first() {
        Some(b't') => b"true",
        Some(b'f') => b"false",
        Some(b'n') => b"null",
        Some(b'-' | b'0'..=b'9') => return number_end(text, i),
        _ => return misfit(text, i, JsonFault::ExpectedValue),
    };
    if rest.starts_with(word) {
        Ok(i + word.len())
    } else if word.starts_with(rest) {
        fail(text.len(), JsonFault::UnexpectedEnd)
    } else {
        fail(i, JsonFault::BadLiteral)
    }
}

fn number_end(text: &[u8], start: usize) -> Scan<usize> {
    let digits = |mut i: usize| {
        let from = i;
        while at(text, i).is_ascii_digit() {
            i += 1;
        }
        if i == from { misfit(text, i, JsonFault::BadLiteral) } else { Ok(i) }
    };
    let int = start + usize::from(at(text, start) == b'-');
    let mut i = digits(int)?;
    if at(text, int) == b'0' && i > int + 1 {
        return fail(int, JsonFault::BadLiteral);
    }
    if at(text, i) == b'.' {
        i = digits(i + 1)?;
    }
    if matches!(at(text, i), b'e' | b'E') {
        let sign = usize::from(matches!(at(text, i + 1), b'+' | b'-'));
        i = digits(i + 1 + sign)?;
    }
    Ok(i)
}
