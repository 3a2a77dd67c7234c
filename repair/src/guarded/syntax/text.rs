//! The text under repair: looking ahead in it without ever looking at the same stretch again and again.

/// White space that JSON does not know, but that stands between tokens where a model writes it.
pub(in crate::guarded) fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{b}' | '\u{c}' | '\u{85}' | '\u{a0}' | '\u{feff}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
            ..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{2060}' | '\u{3000}'
    )
}

/// White space of either kind.
pub(in crate::guarded) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r') || is_odd_space(c)
}

/// A key that is looked for ahead is not longer than this.
const LONGEST_KEY: usize = 128;

/// Text with what was found ahead in it.
#[derive(Debug)]
pub(in crate::guarded) struct Scanner<'a> {
    text: &'a str,
    line_ends: Ahead,
    comment_ends: Ahead,
}

/// The next place of something, remembered: it holds for every position up to it.
#[derive(Debug, Default)]
struct Ahead {
    from: usize,
    to: Option<Option<usize>>,
}

impl Ahead {
    fn find(&mut self, at: usize, search: impl FnOnce() -> Option<usize>) -> Option<usize> {
        match self.to {
            Some(found) if self.from <= at && found.is_none_or(|place| at <= place) => found,
            _ => {
                let found = search();
                *self = Ahead { from: at, to: Some(found) };
                found
            }
        }
    }
}

impl<'a> Scanner<'a> {
    pub(in crate::guarded) fn new(text: &'a str) -> Self {
        Scanner { text, line_ends: Ahead::default(), comment_ends: Ahead::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// The first place at or after `at` without white space.
    pub(super) fn skip_space(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
                Some(0xb | 0xc | 0x80..) => match self.char_at(at) {
                    Some(c) if is_odd_space(c) => at += c.len_utf8(),
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// The first place at or after `at` with neither white space nor a comment.
    pub(super) fn skip_gap(&mut self, at: usize) -> usize {
        let mut at = self.skip_space(at);
        while let Some(end) = self.comment_end(at) {
            at = self.skip_space(end);
        }
        at
    }

    /// Where the comment ends that starts at `at`, if one does. One that never ends is none: it may have swallowed what
    /// belongs to the text.
    pub(super) fn comment_end(&mut self, at: usize) -> Option<usize> {
        let text = self.text;
        let rest = self.rest(at);
        if rest.starts_with("/*") {
            let close = self
                .comment_ends
                .find(at + 2, || memchr::memmem::find(text.as_bytes().get(at + 2..)?, b"*/").map(|n| at + 2 + n))?;
            return Some(close + 2);
        }
        if !(rest.starts_with("//") || rest.starts_with('#')) {
            return None;
        }
        let end = self.line_ends.find(at, || memchr::memchr(b'\n', text.as_bytes().get(at..)?).map(|n| at + n));
        end.map(|end| end + 1)
    }

    /// Whether a key in double quotes stands at `at`, followed by a colon.
    pub(super) fn is_key(&self, at: usize) -> bool {
        let inner = self.text.as_bytes().get(at + 1..).unwrap_or_default();
        let inner = inner.get(..LONGEST_KEY.min(inner.len())).unwrap_or_default();
        let Some(close) = inner.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n')) else { return false };
        inner.get(close) == Some(&b'"') && self.byte(self.skip_space(at + close + 2)) == Some(b':')
    }
}
