//! A forward-only reader over JSON text: each byte is looked at once, whatever the nesting.

use alloc::borrow::Cow;

use super::scan::{self, Scan, at, fail, misfit, skip_space};
use super::text::{RawJson, decode, plain};
use super::{JsonError, JsonFault, MAX_DEPTH};

/// Walks JSON text from the front: step into what is wanted, [`skip`](Cursor::skip) the rest.
///
/// ```
/// use toolprism::json::Cursor;
/// let mut cursor = Cursor::new(br#"{"skip": [1, 2], "name": "ls"}"#);
/// let mut object = cursor.object()?.unwrap();
/// let mut name = None;
/// while let Some(key) = object.next(&mut cursor)? {
///     match key.as_bytes() {
///         b"name" => name = cursor.string()?,
///         _ => cursor.skip()?,
///     }
/// }
/// assert_eq!(name.as_deref(), Some("ls"));
/// # Ok::<(), toolprism::json::JsonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    pos: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the front of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Cursor { text, pos: 0, depth: 0 }
    }

    /// Byte offset of the next unread byte.
    pub fn offset(&self) -> usize {
        self.pos
    }

    /// The first byte of the next value, 0 at the end of the text.
    pub fn peek(&mut self) -> u8 {
        self.pos = skip_space(self.text, self.pos);
        at(self.text, self.pos)
    }

    /// Passes over the next value, checking no more of it than where it ends.
    #[inline]
    pub fn skip(&mut self) -> Result<(), JsonError> {
        self.pos = scan::skim_end(self.text, self.pos)?;
        Ok(())
    }

    /// As [`value`](Self::value), but checks no more of it than where it ends; a view of it ends where it is not JSON.
    pub fn raw(&mut self) -> Result<RawJson<'a>, JsonError> {
        let start = skip_space(self.text, self.pos);
        self.pos = scan::skim_end(self.text, start)?;
        Ok(RawJson::trusted(self.text.get(start..self.pos).unwrap_or_default()))
    }

    /// As [`value`](Self::value), and refuses what a reader can otherwise make do with: strings with a bare control
    /// character, an escape that JSON does not have, or broken UTF-8.
    pub fn strict_value(&mut self) -> Result<RawJson<'a>, JsonError> {
        let value = self.value()?;
        let start = self.pos - value.text().len();
        scan::check_strings(value.text()).map_err(|error| JsonError { offset: start + error.offset, ..error })?;
        Ok(value)
    }

    /// Checks the next value from end to end, and returns its text.
    pub fn value(&mut self) -> Result<RawJson<'a>, JsonError> {
        let start = skip_space(self.text, self.pos);
        self.pos = scan::value_end(self.text, start)?;
        Ok(RawJson::trusted(self.text.get(start..self.pos).unwrap_or_default()))
    }

    /// The next value if it is a string; any other value is passed over and gives `None`.
    pub fn string(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        if self.peek() != b'"' {
            self.skip()?;
            return Ok(None);
        }
        let start = self.pos;
        let (end, escaped) = scan::string_span(self.text, start)?;
        self.pos = end;
        let inner = self.text.get(start + 1..end - 1).unwrap_or_default();
        Ok(Some(if escaped { decode(inner) } else { plain(inner) }))
    }

    /// Steps into the next value if it is an object; any other value is passed over and gives `None`.
    pub fn object(&mut self) -> Result<Option<Walk>, JsonError> {
        self.enter(b'{')
    }

    /// Steps into the next value if it is an array; any other value is passed over and gives `None`.
    pub fn array(&mut self) -> Result<Option<Walk>, JsonError> {
        self.enter(b'[')
    }

    fn enter(&mut self, open: u8) -> Scan<Option<Walk>> {
        if self.peek() != open {
            self.skip()?;
            return Ok(None);
        }
        if self.depth == MAX_DEPTH {
            return fail(self.pos, JsonFault::TooDeep);
        }
        self.depth += 1;
        self.pos += 1;
        Ok(Some(Walk { first: true }))
    }

    /// Moves to the next element or member; `false` once the closing bracket has been read.
    fn advance(&mut self, walk: &mut Walk, close: u8) -> Scan<bool> {
        let byte = self.peek();
        if byte == close {
            self.pos += 1;
            self.depth = self.depth.saturating_sub(1);
            return Ok(false);
        }
        if walk.first {
            walk.first = false;
        } else if byte == b',' {
            self.pos += 1;
        } else {
            return misfit(self.text, self.pos, JsonFault::ExpectedCommaOrEnd);
        }
        Ok(true)
    }
}

/// A position inside an object or array that a [`Cursor`] has stepped into. After each step the value must be consumed.
#[derive(Debug)]
pub struct Walk {
    first: bool,
}

impl Walk {
    /// The name of the next member of an object; the cursor then stands before its value.
    pub fn next<'a>(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<Key<'a>>, JsonError> {
        if !cursor.advance(self, b'}')? {
            return Ok(None);
        }
        if cursor.peek() != b'"' {
            return misfit(cursor.text, cursor.pos, JsonFault::ExpectedKey);
        }
        let start = cursor.pos;
        let (end, escaped) = scan::string_span(cursor.text, start)?;
        cursor.pos = scan::colon_end(cursor.text, end)?;
        let inner = cursor.text.get(start + 1..end - 1).unwrap_or_default();
        let bytes = if escaped { Cow::Owned(decode(inner).into_owned().into_bytes()) } else { Cow::Borrowed(inner) };
        Ok(Some(Key(bytes)))
    }

    /// Whether the array has another element; the cursor then stands before it.
    pub fn next_item(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
        cursor.advance(self, b']')
    }
}

/// The name of a member, decoded only if it holds an escape.
#[derive(Clone, Debug)]
pub struct Key<'a>(Cow<'a, [u8]>);

impl<'a> Key<'a> {
    /// The name as UTF-8 bytes, for `match`.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn into_text(self) -> Cow<'a, str> {
        match self.0 {
            Cow::Borrowed(raw) => plain(raw),
            Cow::Owned(bytes) => Cow::Owned(alloc::string::String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

impl AsRef<[u8]> for Key<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strict_reader_refuses_strings_that_json_does_not_allow() {
        let fault = |text: &[u8]| Cursor::new(text).strict_value().map(|_| ()).map_err(|e| (e.offset, e.fault));
        let bad = |offset| Err((offset, JsonFault::BadString));
        assert_eq!(fault(br#" {"a\\\"\/\b\f\n\r\t\u00e9": ["\ud83d"]} "#), Ok(()));
        assert_eq!(fault(br#" ["a", "b\x"] "#), bad(9));
        assert_eq!(fault(br#"{"\u12": 1}"#), bad(2));
        assert_eq!(fault(br#""\u12g4""#), bad(1));
        assert_eq!(fault(b"\"a\tb\""), bad(2));
        assert_eq!(fault(b"\"a\xffb\""), bad(2));
        assert_eq!(fault(b"{\"a\":\"\t\",}"), Err((9, JsonFault::ExpectedKey)));
    }
}
