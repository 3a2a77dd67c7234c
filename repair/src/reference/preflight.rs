//! What arguments may hold at most, and what is said of those that hold more.

use alloc::format;

use super::completion::Open;
use crate::Reason;
use crate::json::{Limit, Limits, Parsed, parse};

/// The limits of arguments of at most `max` bytes.
pub(super) fn limits(max: usize) -> Limits {
    Limits { depth: 64, tokens: max.min(16_384), items: 4_096, members: 1_024, key_bytes: 16_384, number_bytes: 64 }
}

/// Whether the document keeps to the limits and has no key twice; of several faults the first in the text counts.
pub(super) fn check(text: &str, parsed: &Parsed) -> Result<(), Reason> {
    let repeats = |offset, filler| repeats_key(text.get(..offset).unwrap_or_default(), filler);
    match (parsed.over, parsed.duplicate) {
        (None, None) => Ok(()),
        (Some((Limit::NumberBytes, offset)), _) if !repeats(offset, "0") => Err(Reason::ArgsTooLarge),
        (Some((Limit::KeyBytes, offset)), _) if !repeats(offset, r#""":0"#) => Err(Reason::ArgsTooLarge),
        _ => Err(Reason::Unrepairable),
    }
}

/// Whether a key comes for the second time in `start`, where the document breaks its first limit: the parse has not looked.
/// `filler` stands in for what comes next.
fn repeats_key(start: &str, filler: &str) -> bool {
    let Some(open) = Open::scan(start) else { return false };
    let mut closed = format!("{start}{filler}");
    open.close(&mut closed);
    let twice = parse(&closed, &Limits::depth(usize::MAX)).ok().and_then(|parsed| parsed.duplicate);
    twice.is_some_and(|at| at < start.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), Reason> {
        parse(text, &limits(65_536)).map_err(|_| Reason::Canceled).and_then(|parsed| check(text, &parsed))
    }

    #[test]
    fn the_first_fault_decides() {
        let long = "1".repeat(65);
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        assert_eq!(checked(r#"{"a":1,"b":{"a":1}}"#), Ok(()));
        assert_eq!(checked(r#"{"a":1,"a":1}"#), Err(Reason::Unrepairable));
        assert_eq!(checked(&format!("[{long}]")), Err(Reason::ArgsTooLarge));
        assert_eq!(checked(&format!("[{long},{deep}]")), Err(Reason::ArgsTooLarge));
        assert_eq!(checked(&format!("[{deep},{long}]")), Err(Reason::Unrepairable));
        assert_eq!(checked(&format!(r#"{{"a":1,"a":{long}}}"#)), Err(Reason::Unrepairable));
        assert_eq!(checked(&format!(r#"{{"a":{long},"a":1}}"#)), Err(Reason::ArgsTooLarge));
        assert_eq!(checked(&format!(r#"{{"{}":1}}"#, "k".repeat(16_385))), Err(Reason::ArgsTooLarge));
    }
}
