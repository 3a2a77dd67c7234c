//! Strings, in whatever quotes: where they end, and what stands in them.
//!
//! A quote that is not escaped ends its string where JSON would go on behind it. If some before it did not, the string
//! holds quotes of its own, and is taken only if they come in pairs and nothing else could be meant.

use super::text::{Scanner, is_space};
use crate::guarded::FaultCode;
use crate::json::end_of_plain;

/// A string as it was found.
#[derive(Debug)]
pub(super) struct Quoted<'a> {
    /// What stands between its quotes.
    pub(super) inner: &'a str,
    pub(super) quotes: Quotes,
    /// It holds quotes of its own kind that are not escaped.
    pub(super) holds_quotes: bool,
    /// It holds neither quotes, backslashes nor control characters: it is JSON as it stands.
    pub(super) plain: bool,
    /// Where the text goes on.
    pub(super) end: usize,
}

/// The kinds of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    Double,
    Single,
    /// Typographic ones, double or single.
    Smart,
    Backtick,
}

impl Quotes {
    /// The kind of quotes that this character opens.
    pub(super) fn opened_by(c: char) -> Option<Quotes> {
        Some(match c {
            '"' => Quotes::Double,
            '\'' => Quotes::Single,
            '`' => Quotes::Backtick,
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2018}' | '\u{2019}' => Quotes::Smart,
            _ => return None,
        })
    }
}

/// Where a string stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Member,
    Element,
}

/// Reads the string that opens at `at` with a quote of this kind.
pub(super) fn read<'a>(
    text: &mut Scanner<'a>,
    at: usize,
    quotes: Quotes,
    role: Role,
) -> Result<Quoted<'a>, (FaultCode, usize)> {
    let open = text.char_at(at).unwrap_or('"');
    let start = at + open.len_utf8();
    let plain_to = end_of_plain(text.bytes(), start);
    let found = |text: &Scanner<'a>, close: usize, holds_quotes| {
        let end = close + text.char_at(close).map_or(1, char::len_utf8);
        Quoted { inner: text.slice(start, close), quotes, holds_quotes, plain: close <= plain_to, end }
    };
    let (mut inside, mut inches) = (0_usize, false);
    let mut from = if quotes == Quotes::Double { plain_to } else { start };
    loop {
        let Some(close) = next_quote(text, from, open) else {
            return Err((FaultCode::TruncatedString, text.len()));
        };
        let verdict = match (quotes, role) {
            (_, Role::Key) => Verdict::Ends,
            (Quotes::Double, _) => behind_quote(text, close, role),
            _ if goes_on(text, close + text.char_at(close).map_or(1, char::len_utf8)) => Verdict::Ends,
            _ => Verdict::Unclear,
        };
        match verdict {
            Verdict::Ends if inside == 0 && !inches => return Ok(found(text, close, false)),
            Verdict::Ends if inside % 2 == 0 && ends_for_sure(text, close, role) => {
                return Ok(found(text, close, true));
            }
            Verdict::Inside if inside % 2 == 0 && is_inch_mark(text, start, close) => {
                inches = true;
                from = close + 1;
            }
            Verdict::Inside if !is_quotation_mark(text, start, close, inside % 2 == 0, role) => {
                return Err((FaultCode::AmbiguousQuotes, close));
            }
            Verdict::Inside => {
                inside += 1;
                from = close + 1;
            }
            _ => return Err((FaultCode::AmbiguousQuotes, close)),
        }
    }
}

/// Where the next quote stands that can end a string opened by `open`; escapes are stepped over.
fn next_quote(text: &Scanner<'_>, from: usize, open: char) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.rest(at);
        let hit = match open {
            '"' | '\'' | '`' => memchr::memchr2(open as u8, b'\\', rest.as_bytes())?,
            '\u{2018}' | '\u{2019}' => rest.find(['\u{2019}', '\\'])?,
            _ => rest.find(['\u{201d}', '\u{201c}', '\\'])?,
        };
        if rest.as_bytes().get(hit) != Some(&b'\\') {
            return Some(at + hit);
        }
        at += hit + 1;
        at += text.char_at(at)?.len_utf8();
    }
}

enum Verdict {
    /// JSON can go on behind it.
    Ends,
    /// It belongs to the text of the string.
    Inside,
    /// Both, or neither.
    Unclear,
}

/// What the double quote at `at`, in the string of a value, can be.
fn behind_quote(text: &mut Scanner<'_>, at: usize, role: Role) -> Verdict {
    if goes_on(text, at + 1) {
        return Verdict::Ends;
    }
    let next = text.skip_space(at + 1);
    match text.byte(next) {
        Some(b':') => Verdict::Unclear,
        Some(b'"') if role == Role::Member && text.is_key(next) => Verdict::Ends,
        // Of two quotes in a row the second may be the end.
        Some(b'"') if next == at + 1 && goes_on(text, next + 1) => Verdict::Inside,
        Some(b'"') => Verdict::Unclear,
        _ => Verdict::Inside,
    }
}

/// Whether a quote inside a string looks as one that opens or closes a quotation: it touches what is quoted, and no word
/// ends where it opens or starts where it closes. `"a" + "b"` is no string with quotations in it. Nor does a quotation open
/// where the next element of a list would.
fn is_quotation_mark(text: &Scanner<'_>, start: usize, at: usize, opens: bool, role: Role) -> bool {
    let front = text.slice(start, at);
    let (before, behind) = (front.chars().next_back(), text.char_at(at + 1));
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let space = |c: Option<char>| c.is_none_or(is_space);
    if !opens {
        return !space(before) && !word(behind);
    }
    let next_element = role == Role::Element && front.trim_end_matches(is_space).ends_with(',');
    !word(before) && !space(behind) && !next_element && !matches!(before, Some(',' | '[' | '{' | ':'))
}

/// Whether a quote inside a string means inches: `5" tall`.
fn is_inch_mark(text: &Scanner<'_>, start: usize, at: usize) -> bool {
    let digit = text.slice(start, at).ends_with(|c: char| c.is_ascii_digit());
    digit && text.char_at(at + 1).is_some_and(is_space)
}

/// Whether a value that ends before `at` is followed by what may follow a value, or by nothing at all.
fn goes_on(text: &mut Scanner<'_>, at: usize) -> bool {
    if matches!(text.byte(at), Some(b',' | b'}' | b']')) {
        return true;
    }
    let mut next = text.skip_space(at);
    // A comment needs space before it: `<a href="//host">` and `"#id"` are text.
    if next > at
        && let Some(end) = text.comment_end(next)
    {
        next = text.skip_space(end);
        return matches!(text.byte(next), None | Some(b',' | b'}' | b']' | b'"' | b'/' | b'#'));
    }
    matches!(text.byte(next), None | Some(b',' | b'}' | b']'))
}

/// Whether the quote at `at` ends a string that holds quotes: what follows must be the next key or a bracket, not merely
/// something that could be.
fn ends_for_sure(text: &mut Scanner<'_>, at: usize, role: Role) -> bool {
    let next = text.skip_space(at + 1);
    match (text.byte(next), role) {
        (Some(b','), Role::Member) => {
            let key = text.skip_space(next + 1);
            text.byte(key) == Some(b'}') || (text.byte(key) == Some(b'"') && text.is_key(key))
        }
        (Some(b','), Role::Element) => matches!(text.byte(text.skip_space(next + 1)), Some(b'"' | b']')),
        (Some(b'}'), Role::Member) | (Some(b']'), Role::Element) => true,
        (Some(b'"'), Role::Member) => text.is_key(next),
        _ => false,
    }
}
