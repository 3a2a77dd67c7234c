//! How an assembler works.

use crate::DEFAULT_MAX_ARGS_BYTES;

/// More bytes of arguments than this are never held of one call.
pub const MAX_ARGS_BYTES: usize = 8_388_608;

/// Pieces that may be held of one call beyond one for each byte of its arguments: empty ones cost memory too.
const SPARE_EVENTS: usize = 1_024;

/// What becomes of a call that no finalizer could judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUnjudged {
    /// It is rejected: nothing gets past the finalizers.
    #[default]
    Reject,
    /// Its events are let through as they came.
    PassThrough,
}

/// How an [`Assembler`](crate::Assembler) works.
///
/// The default lets no call past the finalizers. The proxy go-llm-interactive-proxy, which this seam comes from, does so
/// even where it is told to fail closed; [`AssemblerOptions::reference`] does as it does:
///
/// | a call that | by default | `reference()` |
/// |---|---|---|
/// | has more arguments than are held | is rejected with `args_too_large` | goes through unjudged |
/// | is not started, is started twice, goes on after its end, or has a blank id | is rejected | goes through unjudged |
/// | a finalizer fails or panics at, or answers with a rewrite that is none | is rejected | goes through as it came |
///
/// In both, a call that never comes to its end is given back by [`Assembler::finish`](crate::Assembler::finish); the proxy drops
/// it in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssemblerOptions {
    /// Of one call no more bytes of arguments are held. 0 means 65,536, more than [`MAX_ARGS_BYTES`] means that.
    pub max_args_bytes: usize,
    /// No more calls are held at the same time; a further one is not judged.
    pub max_open_calls: usize,
    /// What becomes of a call that no finalizer could judge.
    pub on_unjudged: OnUnjudged,
}

impl AssemblerOptions {
    /// As the proxy does: what cannot be judged goes through.
    pub fn reference() -> Self {
        AssemblerOptions { on_unjudged: OnUnjudged::PassThrough, ..AssemblerOptions::default() }
    }

    /// The options with their bounds applied.
    pub(super) fn bounded(self) -> Self {
        let max_args_bytes = match self.max_args_bytes {
            0 => DEFAULT_MAX_ARGS_BYTES,
            bytes => bytes.min(MAX_ARGS_BYTES),
        };
        AssemblerOptions { max_args_bytes, ..self }
    }

    /// Whether a call that holds so much takes one more piece of `more` bytes.
    pub(super) fn hold(&self, bytes: usize, events: usize, more: usize) -> bool {
        // Sums could overflow; differences of what is already within bounds cannot.
        let room = self.max_args_bytes.saturating_sub(bytes);
        more <= room && events.saturating_sub(SPARE_EVENTS) < self.max_args_bytes
    }
}

impl Default for AssemblerOptions {
    fn default() -> Self {
        AssemblerOptions {
            max_args_bytes: DEFAULT_MAX_ARGS_BYTES,
            max_open_calls: 1_024,
            on_unjudged: OnUnjudged::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(max_args_bytes: usize) -> AssemblerOptions {
        AssemblerOptions { max_args_bytes, ..AssemblerOptions::default() }.bounded()
    }

    #[test]
    fn the_cap_has_a_default_and_a_maximum() {
        assert_eq!(with(0).max_args_bytes, 65_536);
        assert_eq!(with(1).max_args_bytes, 1);
        assert_eq!(with(8_388_608).max_args_bytes, 8_388_608);
        assert_eq!(with(8_388_609).max_args_bytes, 8_388_608);
        assert_eq!(with(usize::MAX).max_args_bytes, 8_388_608);
    }

    #[test]
    fn sums_do_not_overflow() {
        let options = with(10);
        assert!(options.hold(4, 1, 6), "exactly at the cap");
        assert!(!options.hold(4, 1, 7));
        assert!(!options.hold(1, 1, usize::MAX));
        assert!(!options.hold(10, 1, usize::MAX));
        assert!(!options.hold(usize::MAX, 1, usize::MAX));
        assert!(options.hold(10, 1, 0));
        assert!(!options.hold(10, usize::MAX, 0));
    }

    #[test]
    fn empty_pieces_are_bounded_too() {
        let options = with(10);
        assert!(options.hold(0, 1_033, 0));
        assert!(!options.hold(0, 1_034, 0));
    }
}
