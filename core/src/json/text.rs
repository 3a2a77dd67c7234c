//! JSON text as a lazy view: one slice, read again for each question.

use alloc::borrow::Cow;
use alloc::string::String;

use super::cursor::{Cursor, Walk};
use super::scan;
use super::{JsonError, JsonFault, JsonType, JsonView, Number};

/// One JSON value as text. Copying it copies a slice; nothing is decoded until it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RawJson<'a> {
    /// Exactly one value as the scanner delimits it, without space around it.
    text: &'a [u8],
}

impl<'a> RawJson<'a> {
    /// `""`: no text at all.
    pub(crate) const EMPTY: Self = RawJson { text: b"\"\"" };

    /// Checks that `text` is one JSON value, and takes it as a view.
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Self, JsonError> {
        let text = text.as_ref();
        let mut cursor = Cursor::new(text);
        let value = cursor.value()?;
        if cursor.peek() != 0 || cursor.offset() < text.len() {
            return scan::fail(cursor.offset(), JsonFault::TrailingText);
        }
        Ok(value)
    }

    /// Takes text that the scanner has already passed over.
    pub(super) fn trusted(text: &'a [u8]) -> Self {
        RawJson { text }
    }

    /// The text of the value as it stands.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// As [`JsonView::as_str`], borrowing from the text rather than from the view.
    pub fn str(&self) -> Option<Cow<'a, str>> {
        match self.text {
            [b'"', inner @ .., b'"'] => Some(decode(inner)),
            _ => None,
        }
    }

    /// The front of a string: what stands in its first `bytes` bytes, cut between characters. For looking at a long text
    /// without decoding all of it.
    pub fn str_front(&self, bytes: usize) -> Option<Cow<'a, str>> {
        let inner = self.text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let Some(front) = inner.get(..bytes).filter(|front| front.len() < inner.len()) else {
            return Some(decode(inner));
        };
        // Neither an escape nor a character is cut: step over whole escapes, then back to where a character starts.
        let mut end = 0;
        while let Some(at) = front.get(end..).and_then(|rest| memchr::memchr(b'\\', rest)) {
            let escape = end + at;
            let len = unescape(inner.get(escape..).unwrap_or_default()).map_or(1, |(_, len)| len);
            if escape + len > bytes {
                return Some(decode(front.get(..escape).unwrap_or_default()));
            }
            end = escape + len;
        }
        let starts_char = |i: &usize| inner.get(*i).is_some_and(|byte| byte & 0xc0 != 0x80);
        let end = (end..=bytes).rev().find(starts_char).unwrap_or(bytes);
        Some(decode(inner.get(..end).unwrap_or_default()))
    }

    fn walk(&self, open: u8) -> (Cursor<'a>, Option<Walk>) {
        let mut cursor = Cursor::new(self.text);
        let walk = if self.text.first() != Some(&open) {
            None
        } else if open == b'{' {
            cursor.object().ok().flatten()
        } else {
            cursor.array().ok().flatten()
        };
        (cursor, walk)
    }
}

impl<'a> JsonView for RawJson<'a> {
    fn json_type(&self) -> JsonType {
        match self.text.first() {
            Some(b'{') => JsonType::Object,
            Some(b'[') => JsonType::Array,
            Some(b'"') => JsonType::String,
            Some(b't' | b'f') => JsonType::Bool,
            Some(b'n') | None => JsonType::Null,
            Some(_) => JsonType::Number,
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        let mut out = [None];
        self.pick(&[key], &mut out);
        let [found] = out;
        found
    }

    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        let (mut cursor, Some(mut walk)) = self.walk(b'{') else { return };
        while let Ok(Some(key)) = walk.next(&mut cursor) {
            let Ok(value) = cursor.raw() else { return };
            if let Some(i) = keys.iter().position(|k| k.as_bytes() == key.as_bytes())
                && let Some(slot) = out.get_mut(i)
            {
                *slot = Some(value);
            }
        }
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        self.str()
    }

    fn to_text(&self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }

    fn is_blank(&self) -> bool {
        match self.text {
            b"null" => true,
            [b'{', inner @ .., b'}'] => inner.trim_ascii().is_empty(),
            _ => false,
        }
    }

    fn as_number(&self) -> Option<Number> {
        if !matches!(self.text.first(), Some(b'-' | b'0'..=b'9')) {
            return None;
        }
        number(core::str::from_utf8(self.text).ok()?)
    }

    fn as_bool(&self) -> Option<bool> {
        match self.text {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let (mut cursor, mut walk) = self.walk(b'[');
        core::iter::from_fn(move || {
            let more = walk.as_mut()?.next_item(&mut cursor).ok()?;
            more.then(|| cursor.raw().ok()).flatten()
        })
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let (mut cursor, mut walk) = self.walk(b'{');
        core::iter::from_fn(move || {
            let key = walk.as_mut()?.next(&mut cursor).ok()??;
            Some((key.into_text(), cursor.raw().ok()?))
        })
    }
}

/// The content of a JSON string, given what stands between its quotes. Lone surrogates become U+FFFD, and an escape that
/// JSON does not know reads as the character itself.
///
/// ```
/// assert_eq!(toolprism::json::decode_string(r"a\n\u00e9"), "a\né");
/// ```
pub fn decode_string(inner: &str) -> Cow<'_, str> {
    decode(inner.as_bytes())
}

/// The inside of a JSON string as text. Anything that is not Unicode becomes U+FFFD: a broken byte or a lone surrogate must
/// not cost the whole record.
pub(super) fn decode(raw: &[u8]) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', raw) else { return plain(raw) };
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut at = first;
    loop {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.push_str(&plain(before));
        let Some((char, len)) = unescape(escape) else { break };
        out.push(char);
        rest = escape.get(len..).unwrap_or_default();
        at = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
    }
    Cow::Owned(out)
}

/// Bytes without escapes as text.
pub(super) fn plain(raw: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// The character that the escape at the front of `text` stands for, and the length of the escape.
fn unescape(text: &[u8]) -> Option<(char, usize)> {
    let char = match text.get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let Some(high) = hex4(text, 2) else { return Some((char::REPLACEMENT_CHARACTER, 2)) };
            if (0xd800..0xdc00).contains(&high)
                && text.get(6..8) == Some(b"\\u")
                && let Some(low @ 0xdc00..0xe000) = hex4(text, 8)
            {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12));
            }
            return Some((char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6));
        }
        // `\"`, `\\` and `\/`; an escape that JSON does not know reads as the character itself.
        &other if other.is_ascii() => char::from(other),
        _ => return Some((char::REPLACEMENT_CHARACTER, 1)),
    };
    Some((char, 2))
}

/// A number by its text.
pub(crate) fn number(text: &str) -> Option<Number> {
    // `-0` is no integer: it has a sign to keep.
    if let Some(n) = text.parse().ok().filter(|_| text != "-0") {
        return Some(Number::Int(n));
    }
    if let Ok(n) = text.parse() {
        return Some(Number::UInt(n));
    }
    text.parse().ok().map(Number::Float)
}

fn hex4(text: &[u8], from: usize) -> Option<u32> {
    let digits = core::str::from_utf8(text.get(from..from + 4)?).ok()?;
    if digits.starts_with('+') { None } else { u32::from_str_radix(digits, 16).ok() }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn str(text: &str) -> String {
        RawJson::parse(text).ok().and_then(|j| j.str().map(Cow::into_owned)).unwrap_or_default()
    }

    #[test]
    fn every_legal_escape_is_read() {
        assert_eq!(str(r#""\"\\\/\b\f\n\r\t\u0041\u00e9""#), "\"\\/\u{8}\u{c}\n\r\tAé");
        assert_eq!(str(r#""\ud83d\ude00""#), "😀");
        assert_eq!(str(r#""a\ud83d""#), "a\u{fffd}");
        assert_eq!(str(r#""\ud83dx\ude00""#), "\u{fffd}x\u{fffd}");
    }

    #[test]
    fn the_front_of_a_string_is_cut_between_characters() {
        let front = |text: &'static str, bytes| {
            RawJson::parse(text).ok().and_then(|j| j.str_front(bytes).map(Cow::into_owned)).unwrap_or_default()
        };
        assert_eq!(front(r#""abcdef""#, 3), "abc");
        assert_eq!(front(r#""abc""#, 3), "abc");
        assert_eq!(front(r#""abc""#, 9), "abc");
        assert_eq!(front(r#""a\nbc""#, 2), "a");
        assert_eq!(front(r#""a\nbc""#, 3), "a\n");
        assert_eq!(front(r#""\ud83d\ude00x""#, 11), "");
        assert_eq!(front(r#""\ud83d\ude00x""#, 12), "😀");
        assert_eq!(front("\"aé\"", 2), "a");
        assert_eq!(front("\"é\"", 2), "é");
        assert_eq!(front("\"éé\"", 3), "é");
        assert_eq!(RawJson::parse("5").ok().and_then(|j| j.str_front(2)), None);
    }

    #[test]
    fn keys_may_be_escaped_and_the_last_of_a_name_counts() {
        let json = RawJson::parse(r#" { "\u0061" : 1 , "a" : 2, "b":{"a":3} } "#).expect("legal");
        assert_eq!(json.get("a").and_then(|v| v.as_i64()), Some(2));
        assert_eq!(json.members().count(), 3);
    }

    #[test]
    fn numbers_are_exact_where_json_is() {
        let number = |t: &'static str| RawJson::parse(t).expect("legal").as_number();
        assert_eq!(number("9007199254740993"), Some(Number::Int(9_007_199_254_740_993)));
        assert_eq!(number("18446744073709551615"), Some(Number::UInt(u64::MAX)));
        assert_eq!(number("1e3").and_then(Number::to_i64), Some(1000));
        assert_eq!(number("3.7").and_then(Number::to_i64), None);
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_place() {
        let fault = |t: &'static str| RawJson::parse(t).map(|_| ()).map_err(|e| (e.offset, e.fault));
        assert_eq!(fault(r#"{"a": "#), Err((6, JsonFault::UnexpectedEnd)));
        assert_eq!(fault(r#"{"a" 1}"#), Err((5, JsonFault::ExpectedColon)));
        assert_eq!(fault(r#"{"a":1}}"#), Err((7, JsonFault::TrailingText)));
        assert_eq!(fault("[1 2]"), Err((3, JsonFault::ExpectedCommaOrEnd)));
        assert_eq!(fault("[01]"), Err((1, JsonFault::BadLiteral)));
        assert_eq!(fault("nul"), Err((3, JsonFault::UnexpectedEnd)));
        assert_eq!(fault(""), Err((0, JsonFault::UnexpectedEnd)));
        assert_eq!(fault("{,}"), Err((1, JsonFault::ExpectedKey)));
        assert_eq!(fault(r#"{"a":1,}"#), Err((7, JsonFault::ExpectedKey)));
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        let deep = |n: usize| {
            [Vec::from_iter(core::iter::repeat_n(b'[', n)), Vec::from_iter(core::iter::repeat_n(b']', n))].concat()
        };
        assert!(RawJson::parse(&deep(super::super::MAX_DEPTH)).is_ok());
        let error = RawJson::parse(&deep(100_000)).map(|_| ()).map_err(|e| e.fault);
        assert_eq!(error, Err(JsonFault::TooDeep));
    }
}
