//! A cheap test whether a record can hold what a reader looks for.

use alloc::boxed::Box;
use alloc::vec::Vec;
use memchr::memmem::Finder;

/// Looks for words in the bytes of a record.
///
/// A word may also stand there in escapes (`"tool_\u0075se"`), so a record that escapes a letter is let through as well:
/// the test has no false negatives.
pub(super) struct Filter {
    words: Box<[Finder<'static>]>,
    escape: Finder<'static>,
}

impl Filter {
    /// A test for any of `words`: letters, `_` and other characters from `@` on, or such that are never escaped.
    pub(super) fn new(words: &[&'static str]) -> Self {
        Filter {
            words: words.iter().map(|word| Finder::new(*word)).collect::<Vec<_>>().into(),
            escape: Finder::new("\\u00"),
        }
    }

    /// `false` only if none of the words stands in `record`.
    pub(super) fn test(&self, record: &[u8]) -> bool {
        self.words.iter().any(|word| word.find(record).is_some()) || self.escapes_a_letter(record)
    }

    fn escapes_a_letter(&self, record: &[u8]) -> bool {
        self.escape.find_iter(record).any(|at| matches!(record.get(at + 4), Some(b'4'..=b'7')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_plain_and_escaped() {
        let filter = Filter::new(&["tool_use"]);
        assert!(filter.test(br#"{"type":"tool_use"}"#));
        assert!(filter.test(br#"{"type":"tool_\u0075se"}"#));
        assert!(!filter.test(br#"{"type":"text","text":"\u003cb\u003e \u00e9"}"#));
    }
}
