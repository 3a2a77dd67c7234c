//! When two values are the same: numbers by value, objects whatever the order of their members.

use hashbrown::HashMap;

use super::{Kind, Value, number};

/// Whether the two values are equal as JSON Schema sees it: `1.0` is `1`, and `1` is not `true`.
pub(crate) fn equal(a: Value<'_>, b: Value<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Number, Kind::Number) => {
            a.text() == b.text() || number::compare(a.text(), b.text()) == Some(core::cmp::Ordering::Equal)
        }
        (Kind::String, Kind::String) => {
            if a.node().mark || b.node().mark {
                a.str() == b.str()
            } else {
                a.inner() == b.inner()
            }
        }
        (Kind::Array, Kind::Array) => {
            let (mut left, mut right) = (a.items(), b.items());
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return true,
                    (Some(x), Some(y)) if equal(x, y) => {}
                    _ => return false,
                }
            }
        }
        (Kind::Object, Kind::Object) => {
            let right: HashMap<_, _> = b.members().map(|(key, value)| (key.str(), value)).collect();
            let mut count = 0;
            for (key, value) in a.members() {
                count += 1;
                if !right.get(&key.str()).is_some_and(|other| equal(value, *other)) {
                    return false;
                }
            }
            count == right.len()
        }
        (left, right) => left == right,
    }
}
