//! The members of an object that a caller gives: each is what it must be, or the error says so.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use toolprism::json::{JsonView, RawJson};

use crate::error::{Error, object};

/// An object in a text; errors tell places by that text.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) json: RawJson<'a>,
}

impl<'a> Members<'a> {
    /// Reads the text of a JSON object.
    pub(crate) fn read(text: &'a [u8]) -> Result<Self, Error> {
        Ok(Members { text, json: object(text)? })
    }

    /// A member; one that is `null` counts as absent.
    pub(crate) fn get(self, name: &str) -> Option<RawJson<'a>> {
        self.json.get(name).filter(|member| !member.is_null())
    }

    pub(crate) fn text(self, name: &str) -> Result<Option<Cow<'a, str>>, Error> {
        self.with(name, "a string", |member| member.str())
    }

    /// A whole number, 0 or more.
    pub(crate) fn count(self, name: &str) -> Result<Option<u64>, Error> {
        self.with(name, "a whole number, 0 or more", |member| member.as_i64().and_then(|count| count.try_into().ok()))
    }

    /// As [`count`](Self::count), of things in memory.
    pub(crate) fn size(self, name: &str) -> Result<Option<usize>, Error> {
        Ok(self.count(name)?.map(|count| usize::try_from(count).unwrap_or(usize::MAX)))
    }

    /// `false` if it is absent.
    pub(crate) fn flag(self, name: &str) -> Result<bool, Error> {
        Ok(self.with(name, "true or false", |member| member.as_bool())?.unwrap_or(false))
    }

    fn with<T>(
        self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(RawJson<'a>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(member) = self.get(name) else { return Ok(None) };
        read(member).map(Some).ok_or_else(|| self.wrong(member, format!("\"{name}\" must be {wanted}")))
    }

    pub(crate) fn wrong(self, member: RawJson<'_>, message: String) -> Error {
        Error::wrong_type(self.text, member, message)
    }

    pub(crate) fn missing(self, message: &str) -> Error {
        Error { kind: "missing_member", ..self.wrong(self.json, message.into()) }
    }
}
