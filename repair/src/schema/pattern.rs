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
    /// The memory it may take at most, as a power of two.
    size: Size,
}

#[derive(Debug)]
enum Matcher {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
}

/// How large a compiled expression is; a large one takes longer for each character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Small = 1 << 16,
    Medium = 1 << 20,
    /// Enough for a class of all letters, repeated a hundred times.
    Large = 1 << 24,
}

/// A back-tracking match that takes more steps than this counts as no match.
const BACKTRACK_LIMIT: usize = 100_000;

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
            .delegate_size_limit(Size::Medium as usize)
            .build()
            .ok()?;
        Some(Pattern { matcher: Matcher::Backtracking(regex), size: Size::Medium })
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
        self.size as usize
    }

    /// The steps that matching a text of this many bytes is worth.
    pub(super) fn steps(&self, bytes: usize) -> u32 {
        let weight = match (&self.matcher, self.size) {
            (Matcher::Backtracking(_), _) => return u32::try_from(bytes).unwrap_or(u32::MAX).saturating_add(1_000),
            (_, Size::Small) => 1,
            (_, Size::Medium) => 16,
            (_, Size::Large) => 256,
        };
        u32::try_from(bytes / 16 * weight).unwrap_or(u32::MAX)
    }
}

fn linear(text: &str) -> Option<Pattern> {
    [Size::Small, Size::Medium, Size::Large].into_iter().find_map(|size| {
        let regex = regex::RegexBuilder::new(text).size_limit(size as usize).build();
        regex.ok().map(|regex| Pattern { matcher: Matcher::Linear(regex), size })
    })
}
