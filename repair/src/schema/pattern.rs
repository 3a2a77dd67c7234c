//! Regular expressions of schemas.

/// Which regular expressions are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternSyntax {
    /// Those that match in linear time (RE2): no look-around, no back-references.
    Linear,
    /// Those of ECMAScript; look-around and back-references have a limit on the steps they take.
    Ecma,
}

/// A compiled regular expression, matched anywhere in a text.
#[derive(Debug)]
pub(crate) struct Pattern;

impl Pattern {
    /// Whether it matches somewhere in `text`; running into the limit of steps counts as no match.
    pub(crate) fn matches(&self, _text: &str) -> bool {
        true
    }
}
