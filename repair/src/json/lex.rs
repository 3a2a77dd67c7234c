//! What the parser asks of the bytes of a text.

/// The index of the next quote, backslash or control character, eight bytes at a time.
#[inline]
pub(super) fn end_of_plain(text: &[u8], mut at: usize) -> usize {
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
pub(super) fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// As [`unit`], if another such escape starts at `at`.
pub(super) fn unit_after(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 2).filter(|start| *start == b"\\u").and_then(|_| unit(text, at))
}
