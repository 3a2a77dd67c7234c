//! Reading JSON: the [`JsonView`] trait that all of the crate's logic is written against, and the lazy text view.

mod cursor;
mod scan;
mod text;
mod value;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;

pub use cursor::{Cursor, Key, Walk};
pub(crate) use scan::quote_or_backslash;
pub(crate) use text::number;
pub use text::{RawJson, decode_string};
pub use value::to_value;

/// Nesting deeper than this is refused with [`JsonFault::TooDeep`].
pub const MAX_DEPTH: usize = 512;

/// A read-only look at one JSON value, wherever it lives: text, a parsed value, a host object.
///
/// Only what is asked for is touched, so projecting a call costs the fields read, not the size of the payload. Where an
/// object repeats a key, the last one counts, as in `serde_json`.
///
/// ```
/// use toolprism::json::{JsonView, RawJson};
/// let call = RawJson::parse(r#"{"path": "a.txt", "content": "...", "limit": 5}"#)?;
/// assert_eq!(call.get("path").and_then(|p| p.as_str().map(|s| s.into_owned())).as_deref(), Some("a.txt"));
/// assert_eq!(call.get("limit").and_then(|l| l.as_i64()), Some(5));
/// # Ok::<(), toolprism::json::JsonError>(())
/// ```
pub trait JsonView: Clone {
    /// Which of JSON's six types this is.
    fn json_type(&self) -> JsonType;

    /// The member `key` of an object; `None` when it is absent or this is no object. A `null` member is `Some`.
    fn get(&self, key: &str) -> Option<Self>;

    /// Several members in one pass: `out[i]` becomes the member `keys[i]`.
    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        for (slot, key) in out.iter_mut().zip(keys) {
            *slot = self.get(key);
        }
    }

    /// The text of a string; lone surrogates and broken UTF-8 read as U+FFFD.
    fn as_str(&self) -> Option<Cow<'_, str>>;

    /// A number, exact where it is an integer of 64 bits.
    fn as_number(&self) -> Option<Number>;

    /// A boolean.
    fn as_bool(&self) -> Option<bool>;

    /// The elements of an array; nothing for any other type.
    fn items(&self) -> impl Iterator<Item = Self>;

    /// The members of an object, in order; nothing for any other type.
    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)>;

    /// Whether more of this value may still come, as of arguments that are streaming.
    fn is_open(&self) -> bool {
        false
    }

    /// The value as JSON text; a view of text gives that text.
    fn to_text(&self) -> String {
        to_value(self).to_string()
    }

    /// A number that is an integer: `5`, `5.0`, `5e0`.
    fn as_i64(&self) -> Option<i64> {
        self.as_number()?.to_i64()
    }

    /// Whether this is `null`.
    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    /// Whether this is an object.
    fn is_object(&self) -> bool {
        self.json_type() == JsonType::Object
    }

    /// Whether this holds nothing a reader could use: `null` or `{}`. ACP v1 agents send both for "not known yet".
    fn is_blank(&self) -> bool {
        match self.json_type() {
            JsonType::Null => true,
            JsonType::Object => self.members().next().is_none(),
            _ => false,
        }
    }
}

/// JSON's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// a number
    Number,
    /// a string
    String,
    /// an array
    Array,
    /// an object
    Object,
}

/// A JSON number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer that fits `i64`.
    Int(i64),
    /// An integer above `i64::MAX`.
    UInt(u64),
    /// Anything else.
    Float(f64),
}

impl Number {
    /// The number as an integer, if it is one and fits; floats only where they are exact (below 2^53).
    pub fn to_i64(self) -> Option<i64> {
        match self {
            Number::Int(n) => Some(n),
            Number::UInt(_) => None,
            Number::Float(f) => {
                let exact = -9_007_199_254_740_992.0..=9_007_199_254_740_992.0;
                let n = f as i64;
                (exact.contains(&f) && n as f64 == f).then_some(n)
            }
        }
    }
}

/// A double as the text of it would read: JavaScript has no other numbers.
///
/// ```
/// use toolprism::json::Number;
/// assert_eq!(Number::from(5.0), Number::Int(5));
/// assert_eq!(Number::from(1e19), Number::UInt(10_000_000_000_000_000_000));
/// assert_eq!(Number::from(0.5), Number::Float(0.5));
/// assert_eq!(Number::from(-1e19), Number::Float(-1e19));
/// ```
impl From<f64> for Number {
    fn from(number: f64) -> Self {
        const I64_END: f64 = 9_223_372_036_854_775_808.0;
        const U64_END: f64 = 18_446_744_073_709_551_616.0;
        // What is too large for either integer type is compared as it is; the casts keep all else exactly.
        if (-I64_END..I64_END).contains(&number) && number as i64 as f64 == number {
            Number::Int(number as i64)
        } else if (I64_END..U64_END).contains(&number) {
            Number::UInt(number as u64)
        } else {
            Number::Float(number)
        }
    }
}

/// Why text is not JSON, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset in the text that was read.
    pub offset: usize,
    /// What is wrong there.
    pub fault: JsonFault,
}

/// What can be wrong with JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonFault {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// Something else stands where a value should.
    ExpectedValue,
    /// Something else stands where a member name should.
    ExpectedKey,
    /// The colon after a member name is missing.
    ExpectedColon,
    /// Neither a comma nor the closing bracket follows a value.
    ExpectedCommaOrEnd,
    /// A number, `true`, `false` or `null` is misspelt.
    BadLiteral,
    /// A string holds a bare control character, an escape that JSON does not have, or broken UTF-8 (strict reading only).
    BadString,
    /// Nesting is deeper than the limit, which is [`MAX_DEPTH`] unless a reader has one of its own.
    TooDeep,
    /// What must be kept of the text is more than the reader's limit.
    TooLarge,
    /// A complete value is followed by more text.
    TrailingText,
}

impl JsonFault {
    /// A short stable name, such as `unexpected_end`.
    pub const fn as_str(self) -> &'static str {
        match self {
            JsonFault::UnexpectedEnd => "unexpected_end",
            JsonFault::ExpectedValue => "expected_value",
            JsonFault::ExpectedKey => "expected_key",
            JsonFault::ExpectedColon => "expected_colon",
            JsonFault::ExpectedCommaOrEnd => "expected_comma_or_end",
            JsonFault::BadLiteral => "bad_literal",
            JsonFault::BadString => "bad_string",
            JsonFault::TooDeep => "too_deep",
            JsonFault::TooLarge => "too_large",
            JsonFault::TrailingText => "trailing_text",
        }
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonFault::UnexpectedEnd => "the text ends inside a value",
            JsonFault::ExpectedValue => "expected a value",
            JsonFault::ExpectedKey => "expected a member name",
            JsonFault::ExpectedColon => "expected ':' after a member name",
            JsonFault::ExpectedCommaOrEnd => "expected ',' or a closing bracket",
            JsonFault::BadLiteral => "misspelt number or literal",
            JsonFault::BadString => "a string holds what JSON does not allow",
            JsonFault::TooDeep => "nested too deeply",
            JsonFault::TooLarge => "larger than the limit",
            JsonFault::TrailingText => "text after the end of the value",
        })
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.fault, self.offset)
    }
}

impl core::error::Error for JsonError {}
