//! Times, as logs write them, in milliseconds since 1970.

use crate::json::{JsonView, Number};

/// An RFC 3339 time such as `2026-11-30T10:11:31.240Z`, in milliseconds since 1970; a missing zone is taken for UTC.
pub fn from_iso(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = bytes.get(from..to)?;
        digits.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
    };
    let mark = |at: usize, marks: &[u8]| bytes.get(at).is_some_and(|b| marks.contains(b));
    if !(mark(4, b"-") && mark(7, b"-") && mark(10, b"Tt ") && mark(13, b":") && mark(16, b":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    let mut millis = 0;
    if mark(at, b".,") {
        let digits = bytes.get(at + 1..)?.iter().take_while(|b| b.is_ascii_digit());
        let mut weight = 100;
        for digit in digits {
            millis += i64::from(digit - b'0') * weight;
            weight /= 10;
            at += 1;
        }
        at += 1;
    }
    let zone = match bytes.get(at) {
        None | Some(b'Z' | b'z') => 0,
        Some(sign @ (b'+' | b'-')) => {
            let minutes =
                number(at + 1, at + 3)? * 60 + number(at + 4, at + 6).or_else(|| number(at + 3, at + 5)).unwrap_or(0);
            if *sign == b'-' { -minutes } else { minutes }
        }
        Some(_) => return None,
    };
    let days = days_since_1970(year, month, day);
    Some((((days * 24 + hour) * 60 + minute - zone) * 60 + second) * 1000 + millis)
}

/// Days from 1970-01-01 in the Gregorian calendar, with years counted from March so that leap days come last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// A number of seconds, whole or not.
pub(super) fn from_seconds(value: &impl JsonView) -> Option<i64> {
    match value.as_number()? {
        Number::Int(seconds) => seconds.checked_mul(1000),
        Number::Float(seconds) if seconds.abs() < 1e12 => Some((seconds * 1000.0) as i64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_times_are_read_with_fraction_and_zone() {
        assert_eq!(from_iso("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(from_iso("2026-11-30T10:11:31.240Z"), Some(1_796_033_491_240));
        assert_eq!(from_iso("2026-11-30T12:11:31.24+02:00"), Some(1_796_033_491_240));
        assert_eq!(from_iso("2024-02-29T23:59:59"), Some(1_709_251_199_000));
        assert_eq!(from_iso("[trimmed]"), None);
        assert_eq!(from_iso("2026-13-30T10:11:31Z"), None);
    }
}
