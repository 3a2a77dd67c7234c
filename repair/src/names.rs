//! Folding of names: what counts as another spelling of the same name.

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

#[cfg(test)]
mod tests {
    use super::same;

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
