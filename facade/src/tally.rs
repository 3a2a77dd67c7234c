//! How often things occur.

use alloc::vec::Vec;
use core::hash::Hash;

use hashbrown::HashMap;

/// How often each of several things occurs, the most frequent first, then in order of appearance.
///
/// ```
/// assert_eq!(toolprism_facade::tally::tally(["a", "b", "b"]), [("b", 2), ("a", 1)]);
/// ```
pub fn tally<T: Hash + Eq + Copy>(items: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut index = HashMap::new();
    let mut out: Vec<(T, usize)> = Vec::new();
    for item in items {
        let at = *index.entry(item).or_insert_with(|| {
            out.push((item, 0));
            out.len() - 1
        });
        if let Some((_, n)) = out.get_mut(at) {
            *n += 1;
        }
    }
    out.sort_by_key(|(_, n)| core::cmp::Reverse(*n));
    out
}
