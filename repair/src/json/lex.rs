//! The smallest parts of JSON, as the parser asks for them.

/// The byte at `at`; 0 behind the end, which stands for nothing in JSON.
#[inline(always)]
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

/// Where the white space at `at` ends.
#[inline(always)]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\n' | b'\r' | b'\t') {
        at += 1;
    }
    at
}

/// Where the number at `start` ends, and whether it has neither point nor exponent; or where it stops being a number.
#[inline]
pub(super) fn number(text: &[u8], start: usize) -> Result<(usize, bool), usize> {
    let int = start + usize::from(byte(text, start) == b'-');
    let mut at = digits(text, int)?;
    if byte(text, int) == b'0' && at > int + 1 {
        return Err(int + 1);
    }
    let end = at;
    if byte(text, at) == b'.' {
        at = digits(text, at + 1)?;
    }
    if matches!(byte(text, at), b'e' | b'E') {
        at += 1;
        at = digits(text, at + usize::from(matches!(byte(text, at), b'+' | b'-')))?;
    }
    Ok((at, at == end))
}

/// Where the digits at `from` end, of which there must be some.
#[inline(always)]
fn digits(text: &[u8], from: usize) -> Result<usize, usize> {
    let mut at = from;
    while byte(text, at).is_ascii_digit() {
        at += 1;
    }
    if at == from { Err(at) } else { Ok(at) }
}

/// An escape in a string; of a surrogate pair both halves.
pub(super) struct Escape {
    pub(super) len: usize,
    /// It is half a surrogate pair.
    pub(super) lone: bool,
}

/// The escape at `at`, where a backslash stands.
#[inline]
pub(super) fn escape(text: &[u8], at: usize) -> Option<Escape> {
    let (len, lone) = match byte(text, at + 1) {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => (2, false),
        b'u' => match (unit(text, at)?, unit_after(text, at + 6)) {
            (0xd800..0xdc00, Some(0xdc00..0xe000)) => (12, false),
            (unit, _) => (6, matches!(unit, 0xd800..0xe000)),
        },
        _ => return None,
    };
    Some(Escape { len, lone })
}

/// The index of the next quote, backslash or control character, eight bytes at a time.
#[inline(always)]
pub(crate) fn end_of_plain(text: &[u8], mut at: usize) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    let equals = |word: u64, byte: u8| {
        let x = word ^ (LOW * u64::from(byte));
        x.wrapping_sub(LOW) & !x & HIGH
    };
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // Exact up to and including the lowest hit, which is all that is used.
        let control = word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        let hits = equals(word, b'"') | equals(word, b'\\') | control;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = text.get(at)
        && !matches!(byte, b'"' | b'\\' | 0..0x20)
    {
        at += 1;
    }
    at
}

/// The code unit of the escape `\uXXXX` at `at`.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// As [`unit()`], if another such escape starts at `at`.
fn unit_after(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 2).filter(|start| *start == b"\\u").and_then(|_| unit(text, at))
}
