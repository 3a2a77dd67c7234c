//! Which members or elements of one value the rules so far have looked at.

use smallvec::SmallVec;

/// A set of members or elements, by their number. Only schemas with `unevaluatedProperties` or `unevaluatedItems` need it.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluated {
    bits: SmallVec<[u64; 4]>,
    /// All of them are in.
    all: bool,
}

impl Evaluated {
    pub(super) fn add(&mut self, number: usize) {
        let word = number / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= 1 << (number % 64);
        }
    }

    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.all || self.bits.get(number / 64).is_some_and(|bits| bits & 1 << (number % 64) != 0)
    }

    /// Adds all that is in `other`.
    pub(super) fn merge(&mut self, other: &Evaluated) {
        self.all |= other.all;
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        self.bits.iter_mut().zip(&other.bits).for_each(|(bits, more)| *bits |= more);
    }
}
