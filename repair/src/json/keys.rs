//! Keys that an object has twice.

use hashbrown::HashSet;

use super::Value;
use super::equal::equal;

/// What is remembered of the keys of an object while it is read: enough to say of most objects that no key comes twice. One
/// bit for each key, by its length and its ends; all bits once two keys have the same.
#[derive(Clone, Copy, Default)]
pub(super) struct Keys(u64);

impl Keys {
    /// Adds what stands between the quotes of a key.
    #[inline]
    pub(super) fn add(&mut self, inner: &[u8], escaped: bool) {
        let end = |byte: Option<&u8>| u32::from(byte.copied().unwrap_or(0));
        let mix = end(inner.first()) * 5 + end(inner.last()) * 11 + inner.len() as u32 * 3;
        let bit = 1 << (mix % 64);
        self.0 |= if self.0 & bit != 0 || escaped { u64::MAX } else { bit };
    }

    /// Whether a closer look is needed.
    #[inline]
    pub(super) fn may_repeat(&self) -> bool {
        self.0 == u64::MAX
    }
}

/// Objects of up to this many members have their keys compared pair by pair, which needs no memory.
const FEW: usize = 16;

/// Where the first key stands that `object` has already.
pub(super) fn first_duplicate(object: Value<'_>) -> Option<usize> {
    let keys = || object.members().map(|(key, _)| key);
    let repeated = if keys().nth(FEW).is_none() {
        keys().enumerate().find(|(i, key)| keys().take(*i).any(|other| equal(*key, other)))
    } else {
        let mut seen = HashSet::new();
        keys().enumerate().find(|(_, key)| !seen.insert(key.str()))
    };
    repeated.map(|(_, key)| key.offset())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::json::{Limits, parse};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    const WIDE: Limits = Limits::depth(512);

    #[test]
    fn repeated_keys_are_found_whatever_their_spelling_and_number() {
        let duplicate = |text: &str| parse(text, &WIDE).unwrap().duplicate;
        assert_eq!(duplicate(r#"{"a":1,"b":{"a":1}}"#), None);
        assert_eq!(duplicate(r#"{"a":1,"\u0061":1}"#), Some(7));
        assert_eq!(duplicate(r#"{"x":[{"k":1,"k":2}]}"#), Some(13));
        let many: Vec<String> = (0..40).map(|i| format!("\"k{i}\":0")).collect();
        assert_eq!(duplicate(&format!("{{{}}}", many.join(","))), None);
        assert!(duplicate(&format!("{{{},\"k7\":0}}", many.join(","))).is_some());
    }

    #[test]
    fn the_first_repeated_key_of_the_document_counts() {
        let duplicate = |text: &str| parse(text, &WIDE).unwrap().duplicate;
        assert_eq!(duplicate(r#"{"a":{"b":1,"b":2},"a":1}"#), Some(12));
        assert_eq!(duplicate(r#"{"a":1,"a":{"b":1,"b":2}}"#), Some(7));
        assert_eq!(duplicate(r#"{"ab":1,"axb":2,"a":3,"xa":4,"":5}"#), None);
    }
}
