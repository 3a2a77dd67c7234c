//! How far a number is.

/// What was read of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    /// `-`
    Sign,
    /// `0`, which no digit may follow
    Zero,
    /// `12`
    Whole,
    /// `12.`
    Point,
    /// `12.5`
    Fraction,
    /// `12e`
    Letter,
    /// `12e-`
    ExponentSign,
    /// `12e-3`
    Exponent,
}

impl Digits {
    /// The start of a number.
    pub(super) fn first(byte: u8) -> Option<Digits> {
        match byte {
            b'-' => Some(Digits::Sign),
            b'0' => Some(Digits::Zero),
            b'1'..=b'9' => Some(Digits::Whole),
            _ => None,
        }
    }

    /// One byte more; `None` if it is no part of the number.
    pub(super) fn next(self, byte: u8) -> Option<Digits> {
        use Digits::{Exponent, ExponentSign, Fraction, Letter, Point, Sign, Whole, Zero};
        Some(match (self, byte) {
            (Sign, b'0') => Zero,
            (Sign, b'1'..=b'9') | (Whole, b'0'..=b'9') => Whole,
            (Zero | Whole, b'.') => Point,
            (Point | Fraction, b'0'..=b'9') => Fraction,
            (Zero | Whole | Fraction, b'e' | b'E') => Letter,
            (Letter, b'+' | b'-') => ExponentSign,
            (Letter | ExponentSign | Exponent, b'0'..=b'9') => Exponent,
            _ => return None,
        })
    }

    /// Whether the number may end here.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Digits::Zero | Digits::Whole | Digits::Fraction | Digits::Exponent)
    }
}
