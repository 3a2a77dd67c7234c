//! Numbers as their text: exact comparison whatever their size, in time linear in their digits.

use alloc::string::String;
use core::cmp::Ordering;

/// The value of a JSON number: `0.d1 d2 d3... * 10^exponent`, without leading or trailing zeros among the digits.
struct Decimal<'a> {
    negative: bool,
    /// The digits before and behind the point, as they are written; `skip` and `len` cut the zeros off both ends.
    whole: &'a [u8],
    fraction: &'a [u8],
    skip: usize,
    len: usize,
    exponent: i64,
}

/// An exponent beyond this cannot be read: such a number is equal to nothing, no integer, and in no range. It is what the
/// reference engine's number type does, without the time that takes.
const MAX_EXPONENT: i64 = 1_000_000;

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (negative, bytes) = bytes.strip_prefix(b"-").map_or((false, bytes), |rest| (true, rest));
        let (mantissa, power) = match bytes.iter().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => (bytes.get(..at)?, power(bytes.get(at + 1..)?)?),
            None => (bytes, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|b| *b == b'.') {
            Some(at) => (mantissa.get(..at)?, mantissa.get(at + 1..)?),
            None => (mantissa, &[][..]),
        };
        let mut number = Decimal { negative, whole, fraction, skip: 0, len: 0, exponent: 0 };
        let total = whole.len() + fraction.len();
        number.len = total;
        let zero = |n: &Decimal<'_>, i: usize| n.all().nth(i) == Some(b'0');
        number.skip = number.all().take_while(|d| *d == b'0').count();
        if number.skip == total {
            return Some(Decimal { negative: false, skip: 0, len: 0, exponent: 0, ..number });
        }
        let mut end = total;
        while end > number.skip && zero(&number, end - 1) {
            end -= 1;
        }
        number.len = end - number.skip;
        number.exponent = whole.len() as i64 - number.skip as i64 + power;
        Some(number)
    }

    fn all(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.whole.iter().chain(self.fraction).copied()
    }

    fn digits(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.all().skip(self.skip).take(self.len)
    }

    fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// The power of ten of the last digit.
    fn unit(&self) -> i64 {
        self.exponent - self.len as i64
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |n: &Self| {
            if n.is_zero() {
                0
            } else if n.negative {
                -1
            } else {
                1
            }
        };
        let (a, b) = (sign(self), sign(other));
        if a != b || a == 0 {
            return a.cmp(&b);
        }
        let size = self.exponent.cmp(&other.exponent).then_with(|| self.digits().cmp(other.digits()));
        if a < 0 { size.reverse() } else { size }
    }
}

fn power(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut value = 0_i64;
    for digit in digits {
        value = value * 10 + i64::from(digit.checked_sub(b'0')?);
        if value > MAX_EXPONENT {
            return None;
        }
    }
    Some(if negative { -value } else { value })
}

/// How two numbers compare; `None` where an exponent is beyond reading.
pub(crate) fn compare(a: &str, b: &str) -> Option<Ordering> {
    Some(Decimal::read(a)?.cmp(&Decimal::read(b)?))
}

/// Whether the number has no fraction: `5`, `5.0`, `50e-1`.
pub(crate) fn is_integer(text: &str) -> bool {
    Decimal::read(text).is_some_and(|n| n.is_zero() || n.unit() >= 0)
}

/// As many zeros are written out for an exponent; it is more than integers of 128 bits have digits.
const MAX_ZEROS: i64 = 40;

/// The digits of a whole number without point or exponent: `42` of `42.0`, `1000` of `1e3`, `0` of `-0.0`. `None` if it has a
/// fraction, or so large an exponent that no integer type holds it.
pub(crate) fn whole_digits(text: &str) -> Option<String> {
    let number = Decimal::read(text)?;
    if number.is_zero() {
        return Some(String::from("0"));
    }
    if !(0..=MAX_ZEROS).contains(&number.unit()) {
        return None;
    }
    let mut digits = String::from(if number.negative { "-" } else { "" });
    digits.extend(number.digits().map(char::from));
    digits.extend((0..number.unit()).map(|_| '0'));
    Some(digits)
}

/// Whether the number is finite as a double.
pub(crate) fn is_finite(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether `number` is a whole multiple of `step`, exactly; `None` if an exponent is beyond reading, if the step is not
/// positive, or has more digits than 64 bits hold.
pub(crate) fn is_multiple(number: &str, step: &str) -> Option<bool> {
    let (number, step) = (Decimal::read(number)?, Decimal::read(step)?);
    if step.is_zero() || step.negative {
        return None;
    }
    let divisor = step.digits().try_fold(0_u64, |n, d| n.checked_mul(10)?.checked_add(u64::from(d - b'0')))?;
    if number.is_zero() {
        return Some(true);
    }
    let shift = number.unit() - step.unit();
    if shift < 0 {
        // The last digit of `number` is no zero, so ten times the divisor does not divide it.
        return Some(false);
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(divisor)) as u64;
    let mut rest =
        number.digits().fold(0_u64, |n, d| ((u128::from(n) * 10 + u128::from(d - b'0')) % u128::from(divisor)) as u64);
    let (mut base, mut exponent) = (10 % divisor, shift);
    while exponent > 0 {
        if exponent & 1 == 1 {
            rest = times(rest, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    Some(rest == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value() {
        for (a, b, order) in [
            ("1", "1.0", Ordering::Equal),
            ("10", "1e1", Ordering::Equal),
            ("-0", "0", Ordering::Equal),
            ("0.001", "1e-3", Ordering::Equal),
            ("100", "1000e-1", Ordering::Equal),
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("-2", "-1", Ordering::Less),
            ("-1", "1", Ordering::Less),
            ("0.5", "0.45", Ordering::Greater),
            ("1e1000000", "9e999999", Ordering::Greater),
            ("0", "-1e-5", Ordering::Greater),
        ] {
            assert_eq!(compare(a, b), Some(order), "{a} {b}");
            assert_eq!(compare(b, a), Some(order.reverse()), "{b} {a}");
        }
        assert_eq!(compare("1e1000001", "1"), None);
        assert_eq!(compare("1e99999999999999999999", "1"), None);
    }

    #[test]
    fn integers_are_told_by_value() {
        for text in ["0", "-0", "5", "5.0", "50e-1", "1e2", "0e-9", "1.50e1"] {
            assert!(is_integer(text), "{text}");
        }
        for text in ["0.5", "5e-1", "1e-1000000", "1e1000001", "15e-1"] {
            assert!(!is_integer(text), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_written_out_exactly() {
        for (text, digits) in [
            ("42", Some("42")),
            ("42.0", Some("42")),
            ("1e3", Some("1000")),
            ("-1.50e1", Some("-15")),
            ("-0.0", Some("0")),
            ("0e999", Some("0")),
            ("9007199254740993.0", Some("9007199254740993")),
            ("1.8446744073709551615e19", Some("18446744073709551615")),
            ("1e40", Some("10000000000000000000000000000000000000000")),
            ("1e41", None),
            ("1e999", None),
            ("3.7", None),
            ("1e-1", None),
        ] {
            assert_eq!(whole_digits(text).as_deref(), digits, "{text}");
        }
    }

    #[test]
    fn multiples_are_exact() {
        for (number, step, answer) in [
            ("10", "5", Some(true)),
            ("0.3", "0.1", Some(true)),
            ("0.35", "0.1", Some(false)),
            ("1e300", "7", Some(false)),
            ("7e300", "7", Some(true)),
            ("0", "3", Some(true)),
            ("19.99", "0.01", Some(true)),
            ("-6", "4", Some(false)),
            ("-8", "4", Some(true)),
            ("1", "0", None),
            ("1", "123456789012345678901", None),
            ("5", "0.00001", Some(true)),
        ] {
            assert_eq!(is_multiple(number, step), answer, "{number} {step}");
        }
    }
}
