//! Bytes that come in pieces of any size, as lines.

use alloc::vec::Vec;

/// A longer line is not looked at.
const LONGEST: usize = 64 << 20;

/// Cuts bytes into lines.
///
/// ```
/// let mut lines = toolprism::stamping::Lines::default();
/// let mut seen = Vec::new();
/// for piece in [&b"a\nb"[..], b"c\nd"] {
///     lines.push(piece, |line, _| seen.push(line.to_vec()));
/// }
/// lines.finish(|line, _| seen.push(line.to_vec()));
/// assert_eq!(seen, [&b"a\n"[..], b"bc\n", b"d"]);
/// ```
#[derive(Debug)]
pub struct Lines {
    /// The front of a line.
    held: Vec<u8>,
    /// Whether the front of a line that is too long has been handed on.
    inside: bool,
    longest: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { held: Vec::new(), inside: false, longest: LONGEST }
    }
}

impl Lines {
    /// Takes the next bytes, and hands on the lines that end in them, each with its newline and with `true`. A line of more than
    /// 64 MiB is handed on in pieces as they come, with `false`.
    pub fn push(&mut self, bytes: &[u8], mut hand_on: impl FnMut(&[u8], bool)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = piece.last() == Some(&b'\n');
            if self.inside || self.held.len() + piece.len() > self.longest {
                let held = core::mem::take(&mut self.held);
                [&held, piece].into_iter().filter(|bytes| !bytes.is_empty()).for_each(|bytes| hand_on(bytes, false));
                self.inside = !ends;
            } else if !ends {
                self.held.extend_from_slice(piece);
            } else if self.held.is_empty() {
                hand_on(piece, true);
            } else {
                self.held.extend_from_slice(piece);
                hand_on(&self.held, true);
                self.held.clear();
            }
        }
    }

    /// Hands on the last line, if it has no newline.
    pub fn finish(&mut self, mut hand_on: impl FnMut(&[u8], bool)) {
        if !self.held.is_empty() {
            hand_on(&self.held, true);
        }
        self.held = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// What is handed on of these pieces; what is not whole stands in brackets.
    fn lines(pieces: &[&str]) -> String {
        let mut lines = Lines { longest: 4, ..Lines::default() };
        let mut out = String::new();
        let mut take = |line: &[u8], whole: bool| {
            let line = String::from_utf8_lossy(line).replace('\n', "$");
            out += &if whole { alloc::format!("{line} ") } else { alloc::format!("[{line}] ") };
        };
        for piece in pieces {
            lines.push(piece.as_bytes(), &mut take);
        }
        lines.finish(&mut take);
        lines.finish(&mut take);
        out
    }

    #[test]
    fn lines_are_whole_wherever_the_pieces_are_cut() {
        assert_eq!(lines(&["a\nbc\n\nd"]), "a$ bc$ $ d ");
        assert_eq!(lines(&["a", "", "\nb", "c", "\n\n", "d"]), "a$ bc$ $ d ");
        assert_eq!(lines(&[]), "");
    }

    #[test]
    fn a_line_that_is_too_long_comes_in_pieces() {
        assert_eq!(lines(&["abc\n", "abcd\n", "ab\n"]), "abc$ [abcd$] ab$ ");
        assert_eq!(lines(&["abc", "de", "f\ng", "h\n"]), "[abc] [de] [f$] gh$ ");
        assert_eq!(lines(&["abcde"]), "[abcde] ");
    }
}
