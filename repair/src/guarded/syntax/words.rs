//! What stands without quotes: numbers, literals, bare words.

use alloc::borrow::Cow;
use alloc::format;

use crate::Code;
use crate::guarded::FaultCode;
use crate::json::number;

/// A value without quotes, as it is to be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A number or literal, and what was changed about it.
    Json(Cow<'a, str>, Option<Code>),
    /// `undefined`.
    Undefined,
    /// A word that only a schema can say to be a string.
    Bare,
}

/// The run of bytes at the front of `text` that a number or word can consist of.
pub(super) fn run(text: &str) -> &str {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '/' | '@' | '-' | '+');
    let end = text.find(|c| !part(c)).unwrap_or(text.len());
    let run = text.get(..end).unwrap_or_default();
    // A comment may follow at once.
    let block = text.get(end..).is_some_and(|behind| behind.starts_with('*'));
    match run.find("//") {
        Some(line) => run.get(..line).unwrap_or_default(),
        None if block => run.strip_suffix('/').unwrap_or(run),
        None => run,
    }
}

/// Whether a run is meant as a number.
pub(super) fn is_numeric(run: &str) -> bool {
    matches!(
        run.as_bytes(),
        [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9', ..] | [b'-' | b'+', b'.', ..] | [b'-' | b'+']
    )
}

/// Reads a run; `at_end` says that the text ends with it.
pub(super) fn read(run: &str, at_end: bool) -> Result<Word<'_>, FaultCode> {
    if is_numeric(run) {
        return if at_end { Err(FaultCode::TruncatedNumber) } else { number(run) };
    }
    let (literal, changed) = match run {
        "true" | "false" | "null" => (run, None),
        "True" | "TRUE" => ("true", Some(Code::PythonLiteral)),
        "False" | "FALSE" => ("false", Some(Code::PythonLiteral)),
        "None" | "NONE" | "Null" | "NULL" => ("null", Some(Code::PythonLiteral)),
        "undefined" => return Ok(Word::Undefined),
        _ if is_non_finite(run) => return Err(FaultCode::NonFiniteNumber),
        // A word at the very end may go on.
        _ if at_end => return Err(FaultCode::TruncatedValue),
        "" => return Err(FaultCode::NotJson),
        _ if run.starts_with(['+', '-', '$', '/']) || run.contains('+') => return Err(FaultCode::NotJson),
        _ => return Ok(Word::Bare),
    };
    Ok(Word::Json(Cow::Borrowed(literal), changed))
}

fn is_non_finite(run: &str) -> bool {
    let name = run.trim_start_matches(['-', '+']);
    ["nan", "inf", "infinity"].iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// A number as JSON has it, or with a point at one end, or with a plus sign.
fn number(run: &str) -> Result<Word<'_>, FaultCode> {
    let (sign, rest) = match run.as_bytes().first() {
        Some(b'-') => ("-", run.get(1..)),
        Some(b'+') => ("", run.get(1..)),
        _ => ("", Some(run)),
    };
    let rest = rest.unwrap_or_default();
    let (mantissa, power) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at..).unwrap_or_default()),
        None => (rest, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let power_digits = power.trim_start_matches(['e', 'E']);
    let power_digits = power_digits.strip_prefix(['+', '-']).unwrap_or(power_digits);
    let sound = all_digits(whole)
        && all_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && (whole.len() < 2 || !whole.starts_with('0'))
        && all_digits(power_digits)
        && power.is_empty() == power_digits.is_empty();
    if !sound {
        return Err(FaultCode::BadNumber);
    }
    if !number::is_finite(rest) {
        return Err(FaultCode::NonFiniteNumber);
    }
    let strict = !whole.is_empty() && !run.starts_with('+') && mantissa.contains('.') != fraction.is_empty();
    if strict {
        return Ok(Word::Json(Cow::Borrowed(run), None));
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Ok(Word::Json(Cow::Owned(format!("{sign}{whole}{point}{fraction}{power}")), Some(Code::NumberFormat)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_where_they_can_be_read_in_one_way() {
        for (text, json) in [
            ("0", "0"),
            ("-12.50e+3", "-12.50e+3"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("+5", "5"),
            ("+.5", "0.5"),
            ("5.e3", "5e3"),
        ] {
            let changed = (text != json).then_some(Code::NumberFormat);
            assert_eq!(read(text, false), Ok(Word::Json(json.into(), changed)), "{text}");
        }
        for text in ["007", "12abc", "-", "+", "1_000", "0x10", "1.2.3", "1e", "1e+", "2024-01-01", "1e5.0", "-.", "00"]
        {
            assert_eq!(read(text, false), Err(FaultCode::BadNumber), "{text}");
        }
        for text in ["1e999", "-1e999", "NaN", "-Infinity", "inf"] {
            assert_eq!(read(text, false), Err(FaultCode::NonFiniteNumber), "{text}");
        }
        assert_eq!(read("12", true), Err(FaultCode::TruncatedNumber));
        assert_eq!(read("-", true), Err(FaultCode::TruncatedNumber));
    }

    #[test]
    fn words_are_literals_or_bare() {
        assert_eq!(read("None", false), Ok(Word::Json("null".into(), Some(Code::PythonLiteral))));
        assert_eq!(read("true", true), Ok(Word::Json("true".into(), None)));
        assert_eq!(read("tru", true), Err(FaultCode::TruncatedValue));
        assert_eq!(read("undefined", false), Ok(Word::Undefined));
        assert_eq!(read("src/main.rs", false), Ok(Word::Bare));
        assert_eq!(run("1//one\n"), "1");
        assert_eq!(run("a/b/*x*/"), "a/b");
        assert_eq!(read("", false), Err(FaultCode::NotJson));
        assert_eq!(read("", true), Err(FaultCode::TruncatedValue));
    }
}
