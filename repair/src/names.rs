//! Folding of names: what counts as another spelling of the same name.

use alloc::vec::Vec;

/// The form in which two spellings of a name are the same: ASCII letters in lower case, without white space, `_` and `-`.
/// Every other byte stays, so that `fs.read` and `fs/read` remain two names.
pub(crate) fn fold(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !is_separator(*byte)).map(|byte| byte.to_ascii_lowercase())
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0xb | 0xc | b'_' | b'-')
}

/// Whether the two names are spellings of the same name. What is nothing but separators is a spelling of no name.
pub(crate) fn same(a: &str, b: &str) -> bool {
    fold(a).next().is_some() && fold(a).eq(fold(b))
}

/// The stricter form for members and listed values, whose separators may carry meaning: space around it and ASCII case do
/// not count, nor do separators between two letters; beside digits one separator is as good as another. A sign in front
/// or behind stays what it is.
pub(crate) fn spelling(text: &str) -> Vec<u8> {
    let bytes = text.trim().as_bytes();
    let letter =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    let inner = |at: usize| at > 0 && at + 1 < bytes.len();
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if !is_separator(*byte) || !inner(at) {
            out.push(byte.to_ascii_lowercase());
        } else if !(letter(at.checked_sub(1)) && letter(Some(at + 1))) {
            out.push(b'_');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{same, spelling};

    #[test]
    fn separators_that_carry_meaning_stay() {
        for (a, b) in
            [("filePath", "file_path"), ("In-Progress", "in_progress"), (" files", "FILES"), ("arg-1", "arg_1")]
        {
            assert_eq!(spelling(a), spelling(b), "{a} {b}");
        }
        for (a, b) in [
            ("-1", "1"),
            ("-name", "name"),
            ("A-", "A"),
            ("1-0", "10"),
            ("--force", "force"),
            ("_path", "path"),
            ("arg1", "arg_1"),
        ] {
            assert_ne!(spelling(a), spelling(b), "{a} {b}");
        }
    }

    #[test]
    fn case_and_separators_do_not_matter() {
        for (a, b) in [("getWeather", "get_weather"), (" get-weather\t", "GET\u{b}WEATHER"), ("État_X", "Étatx")] {
            assert!(same(a, b) && same(b, a), "{a} {b}");
        }
    }

    #[test]
    fn all_else_matters() {
        for (a, b) in [
            ("get.weather", "get_weather"),
            ("get\u{a0}weather", "getweather"),
            ("ÉTAT", "état"),
            ("get_weath", "get_weather"),
            ("_-_", "_-_"),
            ("", ""),
            ("", "a"),
        ] {
            assert!(!same(a, b) && !same(b, a), "{a} {b}");
        }
    }
}
