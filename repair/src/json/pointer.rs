//! JSON pointers, built while a document is walked: a step is appended on the way down and cut off on the way up.

use alloc::string::String;
use core::fmt::Write;

/// Appends the step to a member.
pub(crate) fn push_key(path: &mut String, key: &str) {
    path.push('/');
    for c in key.chars() {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            _ => path.push(c),
        }
    }
}

/// Appends the step to an element.
pub(crate) fn push_index(path: &mut String, index: usize) {
    // Writing to a text cannot fail.
    let _ = write!(path, "/{index}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_escaped() {
        let mut path = String::new();
        push_key(&mut path, "a/b~c");
        push_index(&mut path, 7);
        assert_eq!(path, "/a~1b~0c/7");
    }
}
