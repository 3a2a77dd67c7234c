//! A stream cut into lines, with a bound on what is held.

/// A longer line is not looked at. It is as long as a record may be that is read from a file.
const LONGEST: usize = 64 << 20;
/// So much memory is held on to between lines.
const USUAL: usize = 1 << 20;

/// A part of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A line with its newline; without one, if the stream ends there.
    Line(&'a [u8]),
    /// Bytes of a line that is not to be looked at: it is too long, or begins as no message does.
    Bytes(&'a [u8]),
}

/// Cuts a stream into lines, whatever the blocks it comes in. Bytes that cannot be part of a message are not held back: a
/// question without a newline on an agent's stdout is seen at once.
pub(super) struct Pieces {
    /// The front of a line whose end has not come.
    held: Vec<u8>,
    /// The rest of the line is handed on as it comes.
    passing: bool,
    longest: usize,
}

impl Pieces {
    pub(super) fn new() -> Self {
        Pieces { held: Vec::new(), passing: false, longest: LONGEST }
    }

    /// Takes a block, and hands on every piece that is complete.
    pub(super) fn push(&mut self, block: &[u8], mut hand_on: impl FnMut(Piece<'_>)) {
        for part in block.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.last() == Some(&b'\n');
            let begins_otherwise = self.held.is_empty() && !may_begin_message(part);
            if self.passing || begins_otherwise || self.held.len() + part.len() > self.longest {
                if !self.held.is_empty() {
                    hand_on(Piece::Bytes(&self.held));
                }
                hand_on(Piece::Bytes(part));
                self.release();
                self.passing = !ends;
            } else if ends && self.held.is_empty() {
                hand_on(Piece::Line(part));
            } else {
                self.held.extend_from_slice(part);
                if ends {
                    hand_on(Piece::Line(&self.held));
                    self.release();
                }
            }
        }
    }

    /// Ends the stream.
    pub(super) fn finish(self, hand_on: impl FnOnce(Piece<'_>)) {
        if !self.held.is_empty() {
            hand_on(Piece::Line(&self.held));
        }
    }

    fn release(&mut self) {
        self.held.clear();
        self.held.shrink_to(USUAL);
    }
}

/// Whether a line that begins so can hold a message; white space and a byte order mark may stand before it.
fn may_begin_message(line: &[u8]) -> bool {
    line.first().is_none_or(|byte| matches!(byte, b'{' | b' ' | b'\t' | b'\r' | b'\n' | b'\xef'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The pieces of a stream that comes in blocks of this size, neighbouring bytes as one.
    fn cut(stream: &[u8], block: usize, longest: usize) -> Vec<(bool, String)> {
        let mut found: Vec<(bool, String)> = Vec::new();
        let mut take = |piece: Piece<'_>| match piece {
            Piece::Line(line) => found.push((true, String::from_utf8(line.to_vec()).unwrap())),
            Piece::Bytes(bytes) => {
                let text = std::str::from_utf8(bytes).unwrap();
                match found.last_mut() {
                    Some((false, last)) if !last.ends_with('\n') => last.push_str(text),
                    _ => found.push((false, text.to_owned())),
                }
            }
        };
        let mut pieces = Pieces { longest, ..Pieces::new() };
        for block in stream.chunks(block) {
            pieces.push(block, &mut take);
            assert!(pieces.held.len() <= longest);
        }
        pieces.finish(take);
        found
    }

    #[test]
    fn the_blocks_make_no_difference() {
        let stream = b"{\"a\":1}\n\nnoise {\r\n  {\"b\":2}\r\n{\"toolong\":34567}\n{}\n[]\n{\"c\":";
        let line = |text: &str| (true, text.to_owned());
        let bytes = |text: &str| (false, text.to_owned());
        let expected = [
            line("{\"a\":1}\n"),
            line("\n"),
            bytes("noise {\r\n"),
            line("  {\"b\":2}\r\n"),
            bytes("{\"toolong\":34567}\n"),
            line("{}\n"),
            bytes("[]\n"),
            line("{\"c\":"),
        ];
        for block in 1..=stream.len() {
            assert_eq!(cut(stream, block, 12), expected, "{block}");
        }
    }

    #[test]
    fn noise_is_not_held_back() {
        let mut pieces = Pieces::new();
        let mut seen = Vec::new();
        pieces.push(b"Continue? ", |piece| seen.push(format!("{piece:?}")));
        assert_eq!(seen.len(), 1);
        assert!(pieces.held.is_empty() && pieces.passing);
    }

    #[test]
    fn a_long_line_leaves_no_large_memory_behind() {
        let mut pieces = Pieces::new();
        let mut lines = 0;
        let long = [b"{".as_slice(), &vec![b'x'; 8 << 20], b"\n"].concat();
        for block in long.chunks(64 << 10) {
            pieces.push(block, |piece| lines += usize::from(matches!(piece, Piece::Line(line) if line == long)));
        }
        assert_eq!(lines, 1);
        assert!(pieces.held.capacity() <= USUAL);
    }
}
