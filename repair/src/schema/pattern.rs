//! Regular expressions of schemas.

use super::translate::{Target, translate};

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
pub(crate) struct Pattern {
    matcher: Matcher,
    /// The memory it may take.
    size: usize,
}

#[derive(Debug)]
enum Matcher {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
}

/// The memory that a compiled expression may take, the smallest that is enough. The last is enough for a class of all
/// letters, repeated a hundred times.
const SIZES: [usize; 4] = [1 << 12, 1 << 16, 1 << 20, 1 << 24];

/// What expressions may take that are matched by back-tracking, each of the parts that need none.
const BACKTRACKING_SIZE: usize = 1 << 20;

/// A back-tracking match that takes more steps than this counts as no match.
const BACKTRACK_LIMIT: usize = 20_000;

impl Pattern {
    /// Compiles `text`; `None` if it is no expression of this syntax, or too large a one.
    pub(crate) fn compile(text: &str, syntax: PatternSyntax) -> Option<Pattern> {
        if let Some(pattern) = translate(text, syntax, Target::Linear).and_then(|text| linear(&text)) {
            return Some(pattern);
        }
        if syntax == PatternSyntax::Linear {
            return None;
        }
        let regex = fancy_regex::RegexBuilder::new(&translate(text, syntax, Target::Backtracking)?)
            .backtrack_limit(BACKTRACK_LIMIT)
            .delegate_size_limit(BACKTRACKING_SIZE)
            .build()
            .ok()?;
        Some(Pattern { matcher: Matcher::Backtracking(regex), size: BACKTRACKING_SIZE })
    }

    /// Whether it matches somewhere in `text`; running into the limit of steps counts as no match.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match &self.matcher {
            Matcher::Linear(regex) => regex.is_match(text),
            Matcher::Backtracking(regex) => regex.is_match(text).unwrap_or(false),
        }
    }

    /// The bytes of memory that it may take.
    pub(super) fn room(&self) -> usize {
        self.size
    }

    /// The steps that matching a text of this many bytes is worth: at worst, each byte is held against all of a linear
    /// expression, and each step of a back-tracking one looks at all of the text.
    pub(super) fn steps(&self, bytes: usize) -> u32 {
        let steps = match self.matcher {
            Matcher::Linear(_) => bytes.saturating_mul(self.size) / 8_192,
            Matcher::Backtracking(_) => bytes.saturating_mul(16).saturating_add(1_000),
        };
        u32::try_from(steps).unwrap_or(u32::MAX)
    }
}

fn linear(text: &str) -> Option<Pattern> {
    SIZES.into_iter().find_map(|size| {
        let regex = regex::RegexBuilder::new(text).size_limit(size).build();
        regex.ok().map(|regex| Pattern { matcher: Matcher::Linear(regex), size })
    })
}
