//! Whether all elements of an array differ.

use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash, Hasher};

use hashbrown::DefaultHashBuilder;

use super::Invalid;
use crate::json::{Kind, Value, equal};

/// As many elements are compared each with each.
const FEW: usize = 8;

/// Whether no two elements of the array are equal. Deep comparisons are paid for with `steps`.
pub(super) fn all_differ(array: Value<'_>, steps: &mut u32) -> Result<bool, Invalid> {
    if array.items().nth(FEW).is_none() {
        for (number, item) in array.items().enumerate() {
            for other in array.items().take(number) {
                if same(item, other, steps)? {
                    return Ok(false);
                }
            }
        }
        return Ok(true);
    }
    let builder = DefaultHashBuilder::default();
    let mut hashed: Vec<_> = array.items().map(|item| (hash(item, &builder), item)).collect();
    hashed.sort_unstable_by_key(|(hash, _)| *hash);
    for alike in hashed.chunk_by(|(a, _), (b, _)| a == b) {
        for (number, (_, item)) in alike.iter().enumerate() {
            for (_, other) in alike.iter().take(number) {
                if same(*item, *other, steps)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether the two are equal, paid for with steps.
pub(super) fn same(a: Value<'_>, b: Value<'_>, steps: &mut u32) -> Result<bool, Invalid> {
    let nodes = |value: Value<'_>| value.node().next.saturating_sub(value.index());
    let price = if matches!(a.kind(), Kind::Object | Kind::Array) && a.kind() == b.kind() {
        nodes(a).saturating_add(nodes(b))
    } else {
        1
    };
    *steps = steps.checked_sub(price).ok_or(Invalid::OutOfSteps)?;
    Ok(equal::equal(a, b))
}

/// Equal values have equal hashes, however they are written.
fn hash(value: Value<'_>, builder: &DefaultHashBuilder) -> u64 {
    let mut hasher = builder.build_hasher();
    match value.kind() {
        Kind::Number => {
            // Equal numbers read as the same double; adding zero takes the sign from a negative one.
            (0_u8, (value.text().parse::<f64>().unwrap_or(0.0) + 0.0).to_bits()).hash(&mut hasher);
        }
        Kind::String => (1_u8, value.str()).hash(&mut hasher),
        Kind::Array => {
            2_u8.hash(&mut hasher);
            value.items().for_each(|item| hash(item, builder).hash(&mut hasher));
        }
        Kind::Object => {
            // A sum, for the order of members does not matter.
            let sum = value.members().fold(0_u64, |sum, (key, member)| {
                sum.wrapping_add(builder.hash_one((key.str(), hash(member, builder))))
            });
            (3_u8, sum).hash(&mut hasher);
        }
        Kind::True | Kind::False | Kind::Null => (4_u8, value.kind() as u8).hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::json::{Limits, parse};
    use alloc::format;
    use alloc::string::String;

    fn differ(text: &str) -> Result<bool, Invalid> {
        let parsed = parse(text, &Limits::depth(64)).unwrap();
        all_differ(parsed.tape.root(text), &mut 1_000)
    }

    #[test]
    fn values_are_told_apart_whatever_their_number() {
        for (items, answer) in [
            (r#"1, 1.0"#, false),
            (r#"1, true"#, true),
            (r#"0, -0.0"#, false),
            (r#""a", "\u0061""#, false),
            (r#"{"a":1,"b":[2]}, {"b":[20e-1],"a":1}"#, false),
            (r#"{"a":1}, {"a":2}"#, true),
            (r#"[1,2], [2,1]"#, true),
            (r#"9007199254740993, 9007199254740992"#, true),
            ("null, false, 0, \"\", [], {}", true),
        ] {
            assert_eq!(differ(&format!("[{items}]")), Ok(answer), "{items}");
            let many = format!("[{items}, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]");
            assert_eq!(differ(&many), Ok(answer), "{many}");
        }
    }

    #[test]
    fn numbers_that_only_digits_tell_apart_cost_steps() {
        let many: Vec<String> = (0..100).map(|i| format!("0.1000000000000000000000{i:03}1")).collect();
        assert_eq!(differ(&format!("[{}]", many.join(","))), Err(Invalid::OutOfSteps));
    }
}
