//! How often things occur.

use alloc::vec::Vec;
use core::hash::Hash;

use hashbrown::HashMap;

/// So many different things are found by looking through all of them, which is faster than looking them up.
const FEW: usize = 8;

/// Counts how often each of several things occurs.
pub(crate) struct Tally<T> {
    counts: Vec<(T, usize)>,
    /// Of all things, once they are more than a few.
    index: HashMap<T, usize>,
}

impl<T> Default for Tally<T> {
    fn default() -> Self {
        Tally { counts: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Hash + Eq + Copy> Tally<T> {
    pub(crate) fn add(&mut self, item: T) {
        let at = self.place(item);
        if let Some((_, n)) = self.counts.get_mut(at) {
            *n += 1;
        }
    }

    /// The place of a thing in the order of appearance.
    pub(crate) fn place(&mut self, item: T) -> usize {
        let next = self.counts.len();
        let known = if next <= FEW {
            self.counts.iter().position(|(known, _)| *known == item)
        } else {
            self.index.get(&item).copied()
        };
        if let Some(at) = known {
            return at;
        }
        self.counts.push((item, 0));
        if next == FEW {
            self.index = self.counts.iter().enumerate().map(|(at, (item, _))| (*item, at)).collect();
        } else if next > FEW {
            self.index.insert(item, next);
        }
        next
    }

    /// The most frequent first, then in order of appearance.
    pub(crate) fn sorted(mut self) -> Vec<(T, usize)> {
        self.counts.sort_by_key(|(_, n)| core::cmp::Reverse(*n));
        self.counts
    }
}

/// How often each of several things occurs, the most frequent first, then in order of appearance.
///
/// ```
/// assert_eq!(toolprism_facade::tally::tally(["a", "b", "b"]), [("b", 2), ("a", 1)]);
/// ```
pub fn tally<T: Hash + Eq + Copy>(items: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut tally = Tally::default();
    items.into_iter().for_each(|item| tally.add(item));
    tally.sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_things_are_counted_alike() {
        for kinds in [1, FEW - 1, FEW, FEW + 1, FEW + 2, 100] {
            let items = (0..1000).map(|i| i % kinds).chain([0]);
            let counts = tally(items);
            assert_eq!(counts.len(), kinds);
            assert_eq!(counts[0], (0, 1000 / kinds + 1 + usize::from(1000 % kinds > 0)));
            assert_eq!(counts.iter().map(|(_, n)| n).sum::<usize>(), 1001);
            assert!(counts.iter().skip(1).is_sorted_by_key(|(item, n)| (core::cmp::Reverse(*n), *item)));
        }
    }
}
