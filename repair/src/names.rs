//! Folding of names: what counts as another spelling of the same name.

use alloc::string::String;

/// The form in which two spellings of a name are the same: ASCII letters in lower case, without white space, `_` and `-`.
/// Every other character stays, so that `fs.read` and `fs/read` remain two names.
pub(crate) fn fold(name: &str) -> String {
    name.chars().filter(|c| !is_separator(*c)).map(|c| c.to_ascii_lowercase()).collect()
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '_' | '-')
}

/// Whether the two names are spellings of the same name.
pub(crate) fn same(a: &str, b: &str) -> bool {
    let folded = |name: &'_ str| -> String { fold(name) };
    !fold(a).is_empty() && folded(a) == folded(b)
}
