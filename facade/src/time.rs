//! Times as text. All of them are UTC.

use alloc::format;
use alloc::string::String;

const DAY: i64 = 86_400_000;

/// `2026-09-14T12:03:44.120Z` (RFC 3339) for milliseconds since 1970.
pub fn rfc3339(ms: i64) -> String {
    let ((year, month, day), ms_of_day) = (civil(ms.div_euclid(DAY)), ms.rem_euclid(DAY));
    if !(0..10_000).contains(&year) {
        return format!("{}T{}.{:03}Z", date(ms), clock(ms), ms.rem_euclid(1000));
    }
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let (seconds, ms) = (ms_of_day / 1000, ms_of_day % 1000);
    let numbers = [year, month, day, seconds / 3600, seconds / 60 % 60, seconds % 60, ms];
    for (mut number, end) in numbers.into_iter().zip([4, 7, 10, 13, 16, 19, 23]) {
        // A number is followed by a sign, and preceded by one.
        for digit in text.iter_mut().take(end).rev().take_while(|byte| byte.is_ascii_digit()) {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// `2026-09-14`
pub fn date(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// `12:03:44`
pub fn clock(ms: i64) -> String {
    let seconds = ms.rem_euclid(DAY) / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Year, month and day of a day counted from 1970. Years are counted from March, so that the leap day is their last.
fn civil(day: i64) -> (i64, i64, i64) {
    // Days since 0000-03-01; a cycle of 400 years has 146,097.
    let day = day + 719_468;
    let (cycle, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (cycle * 400 + year + next, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_right_around_leap_days_and_before_1970() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59.999Z");
        assert_eq!(rfc3339(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(rfc3339(951_868_800_000), "2000-03-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
        assert_eq!(rfc3339(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn no_time_is_too_far_away() {
        assert!(rfc3339(i64::MAX).ends_with('Z'));
        assert!(rfc3339(i64::MIN).starts_with('-'));
    }
}
