//! JSON pointers (RFC 6901).

use alloc::string::{String, ToString};

/// Appends one step.
pub(super) fn push(path: &mut String, key: &str) {
    path.push('/');
    for c in key.chars() {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            c => path.push(c),
        }
    }
}

/// Appends the step to an element.
pub(super) fn push_index(path: &mut String, index: usize) {
    path.push('/');
    path.push_str(&index.to_string());
}
