//! Dates, times and durations, as RFC 3339 has them.

/// Exactly two digits.
fn two(text: &str) -> Option<u32> {
    (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

pub(super) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(century), Some(in_century)) = (year.get(..2).and_then(two), year.get(2..).and_then(two)) else {
        return false;
    };
    let (Some(month), Some(day)) = (two(month), two(day)) else { return false };
    let leap = if in_century == 0 { century % 4 == 0 } else { in_century % 4 == 0 };
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `12:30`, in minutes.
fn minutes(text: &str) -> Option<u32> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (two(hour)?, two(minute)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

pub(super) fn is_time(text: &str) -> bool {
    time(text).is_some()
}

fn time(text: &str) -> Option<()> {
    const DAY: u32 = 24 * 60;
    let local = minutes(text.get(..5)?)?;
    let second = two(text.get(5..8)?.strip_prefix(':')?)?;
    let mut zone = text.get(8..)?;
    if let Some(fraction) = zone.strip_prefix('.') {
        zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if zone.len() == fraction.len() {
            return None;
        }
    }
    let utc = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => local,
        ("+", offset) => local + DAY - minutes(offset)?,
        ("-", offset) => local + minutes(offset)?,
        _ => return None,
    };
    // A leap second is the last one of a day in UTC.
    (second < 60 || (second == 60 && utc % DAY == DAY - 1)).then_some(())
}

pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

pub(super) fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    let (days, time) = match text.split_once('T') {
        Some((days, time)) => (days, Some(time)),
        None => (text, None),
    };
    if time.is_none() && days.ends_with('W') {
        return units(days, "W");
    }
    let some = !days.is_empty() || time.is_some();
    some && units(days, "YMD") && time.is_none_or(|time| !time.is_empty() && units(time, "HMS"))
}

/// Numbers, each with a unit behind it, in the order of `units`.
fn units(mut text: &str, mut units: &str) -> bool {
    while !text.is_empty() {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let Some(unit) = rest.chars().next().filter(|_| rest.len() < text.len()) else { return false };
        let Some((_, later)) = units.split_once(unit) else { return false };
        units = later;
        text = rest.get(unit.len_utf8()..).unwrap_or_default();
    }
    true
}
