//! The one form of errors.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

use toolprism::json::{JsonView, RawJson};

use crate::record::{Record, object_text};

/// Why an input could not be read. Every binding turns this into its language's own error, member by member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Error {
    /// A short stable name, such as `not_json`.
    pub kind: &'static str,
    /// What is wrong, in words.
    pub message: String,
    /// The file, where the input is one.
    pub file: Option<Box<str>>,
    /// The line in the input, from 1.
    pub line: Option<u64>,
    /// The column in that line in characters, from 1.
    pub column: Option<u64>,
    /// The byte offset in the input.
    pub offset: Option<u64>,
    /// What to do about it, where the message does not say it.
    pub hint: Option<Box<str>>,
}

impl Error {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), ..Error::default() }
    }

    pub(crate) fn at(kind: &'static str, message: impl Into<String>, offset: usize) -> Self {
        Error { offset: Some(offset as u64), ..Error::new(kind, message) }
    }

    /// A member of a text is not what it must be.
    pub(crate) fn wrong_type(text: &[u8], member: RawJson<'_>, message: String) -> Self {
        let offset = member.text().as_ptr().addr().saturating_sub(text.as_ptr().addr());
        Error::at("wrong_type", message, offset)
    }

    /// The error as a JSON object; what is not known is left out.
    pub fn to_json(&self) -> String {
        let mut record: Record<'_> = alloc::vec![("kind", self.kind.into()), ("message", self.message.as_str().into())];
        for (name, text) in [("file", &self.file), ("hint", &self.hint)] {
            record.extend(text.as_deref().map(|text| (name, text.into())));
        }
        for (name, number) in [("line", self.line), ("column", self.column), ("offset", self.offset)] {
            record.extend(number.map(|number| (name, number.into())));
        }
        object_text(&record)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(offset) = self.offset {
            write!(f, " (byte {offset})")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// Reads a text as one JSON value.
pub(crate) fn json(text: &[u8]) -> Result<RawJson<'_>, Error> {
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let rest = text.get(start..).unwrap_or_default();
    RawJson::parse(rest).map_err(|error| Error::at("not_json", error.fault.to_string(), start + error.offset))
}

/// Reads a text as one JSON object.
pub(crate) fn object(text: &[u8]) -> Result<RawJson<'_>, Error> {
    let json = json(text)?;
    if json.is_object() {
        return Ok(json);
    }
    let offset = json.text().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    Err(Error::at("not_an_object", "this is JSON, but no object", offset))
}
