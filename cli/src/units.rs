//! Numbers, sizes, shares and durations for people.

/// `1,204`
pub(crate) fn count(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of a table, where nothing says less than a zero.
pub(crate) fn some(n: impl TryInto<u64>) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        0 => String::new(),
        n => count(n),
    }
}

/// `1 call`, `2 calls`
pub(crate) fn counted(n: impl TryInto<u64>, one: &str, many: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// `0.2 %` of a whole; a share that is not nothing never reads `0 %`, and one that is not all never `100 %`.
pub(crate) fn share(part: usize, whole: usize) -> String {
    if part == 0 || whole == 0 {
        return "0 %".to_owned();
    }
    if part == whole {
        return "100 %".to_owned();
    }
    match part as f64 * 100.0 / whole as f64 {
        percent if percent < 0.1 => "<0.1 %".to_owned(),
        percent if percent > 99.9 => ">99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// `82 %`, as [`share`] but in whole numbers.
pub(crate) fn rough_share(part: usize, whole: usize) -> String {
    match share(part, whole).as_str() {
        exact @ ("0 %" | "100 %") => exact.to_owned(),
        _ => format!("{:.0} %", (part as f64 * 100.0 / whole as f64).clamp(1.0, 99.0)),
    }
}

/// `240 ms`, `12.4 s`, `42m 10s`, `3h 04m`, `2d 03h`
pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1000;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..59_950 => format!("{:.1} s", ms as f64 / 1000.0),
        _ if seconds < 3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ if seconds < 86_400 => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// `812 B`, `1.2 kB`, `210 MB`
pub(crate) fn bytes(n: u64) -> String {
    if n < 1_000 {
        return format!("{n} B");
    }
    let mut value = n as f64;
    for unit in ["kB", "MB", "GB", "TB"] {
        value /= 1_000.0;
        if value < 999.5 || unit == "TB" {
            let digits = usize::from(value < 9.95);
            return format!("{value:.digits$} {unit}");
        }
    }
    format!("{n} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let all = [0, 999, 1_000, 1_204, 12_345, 1_000_000].map(|n: u64| count(n));
        assert_eq!(all, ["0", "999", "1,000", "1,204", "12,345", "1,000,000"]);
        assert_eq!(
            (counted(1_u64, "call", "calls"), counted(0_u64, "call", "calls")),
            ("1 call".into(), "0 calls".into())
        );
    }

    #[test]
    fn shares_are_never_rounded_to_nothing_or_all() {
        assert_eq!(share(3, 1204), "0.2 %");
        assert_eq!(share(1, 100_000), "<0.1 %");
        assert_eq!(share(99_999, 100_000), ">99.9 %");
        assert_eq!([share(0, 0), share(0, 9), share(9, 9)], ["0 %", "0 %", "100 %"]);
        assert_eq!([rough_share(1, 1000), rough_share(999, 1000), rough_share(1, 3)], ["1 %", "99 %", "33 %"]);
    }

    #[test]
    fn durations_change_unit_without_a_gap() {
        let all = [0, 999, 1_000, 59_949, 59_950, 3_599_000, 3_599_600, 86_399_000, 183_600_000].map(duration);
        assert_eq!(all, ["0 ms", "999 ms", "1.0 s", "59.9 s", "1m 00s", "59m 59s", "1h 00m", "23h 59m", "2d 03h"]);
        assert!(duration(u64::MAX).ends_with('h'));
    }

    #[test]
    fn sizes_keep_two_digits_or_more() {
        let all = [0, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 210_400_000].map(bytes);
        assert_eq!(all, ["0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "210 MB"]);
        assert_eq!(bytes(u64::MAX), "18446744 TB");
    }
}
