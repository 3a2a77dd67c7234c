//! Output that comes in pieces, as pieces of a bounded size: nothing is lost, and no character is cut.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A piece has no more bytes than this unless set otherwise.
pub const MAX_DELTA_BYTES: usize = 16 << 10;

/// The longest character in UTF-8; no piece can be held to less.
pub(crate) const MAX_CHARACTER: usize = 4;

/// A piece of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delta<'t> {
    /// The text.
    pub delta: Cow<'t, str>,
    /// How many bytes the output has up to the end of this piece, with those that were lost.
    pub total_bytes: u64,
    /// The limit cut it here: more is there already.
    pub truncated: bool,
    /// Bytes before it were lost.
    pub gap: bool,
}

/// The front of `text` that has at most `most` bytes, cut between characters, and the rest. The front has at least one
/// character.
pub(crate) fn split(text: &str, most: usize) -> (&str, &str) {
    let most = most.max(MAX_CHARACTER).min(text.len());
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Makes [`Delta`]s of bytes as a program writes them, cut anywhere.
///
/// A character that comes in two parts is held back until it is whole. What is no UTF-8 becomes U+FFFD.
///
/// ```
/// use toolprism_contract::Deltas;
/// let mut deltas = Deltas::new();
/// let pieces = deltas.push(b"caf\xc3");
/// assert_eq!((pieces[0].delta.as_ref(), pieces[0].total_bytes), ("caf", 3));
/// let pieces = deltas.push(b"\xa9!");
/// assert_eq!((pieces[0].delta.as_ref(), pieces[0].total_bytes), ("é!", 6));
/// assert_eq!(deltas.finish(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Deltas {
    most: usize,
    /// The start of a character whose end has not come: at most three bytes.
    held: Vec<u8>,
    total: u64,
    gap: bool,
}

impl Default for Deltas {
    fn default() -> Self {
        Deltas { most: MAX_DELTA_BYTES, held: Vec::new(), total: 0, gap: false }
    }
}

impl Deltas {
    /// Pieces of at most [`MAX_DELTA_BYTES`] bytes.
    pub fn new() -> Self {
        Deltas::default()
    }

    /// Pieces of at most so many bytes; fewer than four are taken for four, since a character may have that many.
    pub fn with_max_bytes(most: usize) -> Self {
        Deltas { most: most.max(MAX_CHARACTER), ..Deltas::default() }
    }

    /// Says that so many bytes were lost before they came here: the next piece has a gap before it.
    pub fn lost(&mut self, bytes: u64) {
        self.total += bytes + self.held.len() as u64;
        self.gap |= bytes > 0 || !self.held.is_empty();
        self.held.clear();
    }

    /// More of the output, in pieces; none if all of it is held back.
    pub fn push<'t>(&mut self, bytes: &'t [u8]) -> Vec<Delta<'t>> {
        if self.held.is_empty() {
            let (whole, held) = bytes.split_at(bytes.len() - unfinished(bytes));
            self.held.extend_from_slice(held);
            return self.cut(String::from_utf8_lossy(whole));
        }
        self.held.extend_from_slice(bytes);
        let held = self.held.split_off(self.held.len() - unfinished(&self.held));
        let whole = std::mem::replace(&mut self.held, held);
        self.cut(Cow::Owned(String::from_utf8_lossy(&whole).into_owned()))
    }

    /// What is held back at the end of the output, as U+FFFD: its rest will not come.
    pub fn finish(&mut self) -> Option<Delta<'static>> {
        let held = std::mem::take(&mut self.held);
        self.cut(Cow::Owned(String::from_utf8_lossy(&held).into_owned())).pop()
    }

    fn cut<'t>(&mut self, text: Cow<'t, str>) -> Vec<Delta<'t>> {
        let mut deltas = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let (piece, rest) = split(text.get(at..).unwrap_or_default(), self.most);
            at += piece.len();
            self.total += piece.len() as u64;
            deltas.push(Delta {
                delta: match &text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.get(at - piece.len()..at).unwrap_or_default()),
                    Cow::Owned(_) => Cow::Owned(piece.to_owned()),
                },
                total_bytes: self.total,
                truncated: !rest.is_empty(),
                gap: std::mem::take(&mut self.gap),
            });
        }
        deltas
    }
}

/// How many bytes at the end are the start of a character whose rest may still come.
fn unfinished(bytes: &[u8]) -> usize {
    let tail = bytes.get(bytes.len().saturating_sub(MAX_CHARACTER - 1)..).unwrap_or_default();
    let Some(start) = tail.iter().rposition(|byte| !(0x80..0xc0).contains(byte)) else { return 0 };
    let tail = tail.get(start..).unwrap_or_default();
    match std::str::from_utf8(tail) {
        // The standard library knows no error length only where the end is missing.
        Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => tail.len(),
        _ => 0,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn all(deltas: &mut Deltas, parts: &[&[u8]]) -> Vec<Delta<'static>> {
        let mut out = Vec::new();
        for part in parts {
            let pieces = deltas.push(part);
            out.extend(pieces.into_iter().map(|d| Delta { delta: Cow::Owned(d.delta.into_owned()), ..d }));
        }
        out.extend(deltas.finish());
        out
    }

    #[test]
    fn pieces_are_bounded_whole_characters_and_lose_nothing() {
        let text = "aé漢🦀".repeat(50);
        for most in [0, 4, 5, 7, 16, 1000] {
            for step in [1, 2, 3, 5, 500] {
                let parts: Vec<_> = text.as_bytes().chunks(step).collect();
                let pieces = all(&mut Deltas::with_max_bytes(most), &parts);
                assert!(pieces.iter().all(|d| !d.delta.is_empty() && d.delta.len() <= most.max(4)), "{most} {step}");
                assert!(pieces.iter().all(|d| !d.gap));
                assert_eq!(pieces.iter().map(|d| d.delta.as_ref()).collect::<String>(), text, "{most} {step}");
                assert_eq!(pieces.last().unwrap().total_bytes, text.len() as u64);
            }
        }
    }

    #[test]
    fn a_piece_says_when_more_of_it_is_there() {
        let mut deltas = Deltas::with_max_bytes(4);
        let cut: Vec<_> = deltas.push(b"abcdefgh").iter().map(|d| (d.total_bytes, d.truncated)).collect();
        assert_eq!(cut, [(4, true), (8, false)]);
        assert!(!deltas.push(b"ij")[0].truncated);
    }

    #[test]
    fn broken_bytes_are_shown_and_do_not_hold_up_the_rest() {
        for (bytes, text) in [
            (&b"a\xffb"[..], "a\u{fffd}b"),
            (b"a\xe2\x82", "a\u{fffd}"),
            (b"\x80\x80\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf0\x9f\xa6", "\u{fffd}"),
            (b"\xe2\x28\xa1", "\u{fffd}(\u{fffd}"),
        ] {
            for step in 1..=bytes.len() {
                let parts: Vec<_> = bytes.chunks(step).collect();
                let pieces = all(&mut Deltas::new(), &parts);
                assert_eq!(pieces.iter().map(|d| d.delta.as_ref()).collect::<String>(), text, "{bytes:?} {step}");
            }
        }
    }

    #[test]
    fn what_was_lost_is_counted_and_told_once() {
        let mut deltas = Deltas::new();
        assert_eq!(deltas.push(b"ab\xc3").len(), 1);
        deltas.lost(10);
        let after = all(&mut deltas, &[b"cd", b"ef"]);
        let told: Vec<_> = after.iter().map(|d| (d.delta.as_ref(), d.total_bytes, d.gap)).collect();
        assert_eq!(told, [("cd", 15, true), ("ef", 17, false)]);
    }
}
