//! What one reading of a format can be done on: JSON text, each byte of it once, or any view of a value.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::json::{Cursor, JsonError, JsonView, Key, RawJson, Walk};

/// A place before a value: as [`Cursor`], which is one.
pub(crate) trait Source<'a>: Clone {
    /// Whether it is read while it happens. A log has no use for pieces of arguments: it holds the whole, too.
    const LIVE: bool;

    /// The view that values are handed on as.
    type View: JsonView;
    /// A position inside an object.
    type Walk;
    /// The name of a member.
    type Name: AsRef<[u8]>;

    /// The place before `view`.
    fn before(view: &Self::View) -> Self;

    /// Steps into the next value if it is an object; passes over any other.
    fn object(&mut self) -> Result<Option<Self::Walk>, JsonError>;

    /// Moves before the value of the next member. Each must be consumed.
    fn next(&mut self, walk: &mut Self::Walk) -> Result<Option<Self::Name>, JsonError>;

    /// The next value if it is a string; passes over any other.
    fn string(&mut self) -> Result<Option<Cow<'a, str>>, JsonError>;

    /// The next value, checked from end to end where that means anything.
    fn value(&mut self) -> Result<Self::View, JsonError>;

    /// The next value as it stands.
    fn raw(&mut self) -> Result<Self::View, JsonError>;

    /// Passes over the next value.
    fn skip(&mut self) -> Result<(), JsonError>;

    /// Whether the next value is `null`.
    fn is_null(&mut self) -> bool;
}

impl<'a> Source<'a> for Cursor<'a> {
    const LIVE: bool = false;

    type View = RawJson<'a>;
    type Walk = Walk;
    type Name = Key<'a>;

    fn before(view: &RawJson<'a>) -> Self {
        Cursor::new(view.text())
    }

    #[inline]
    fn object(&mut self) -> Result<Option<Walk>, JsonError> {
        Cursor::object(self)
    }

    #[inline]
    fn next(&mut self, walk: &mut Walk) -> Result<Option<Key<'a>>, JsonError> {
        walk.next(self)
    }

    #[inline]
    fn string(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        Cursor::string(self)
    }

    #[inline]
    fn value(&mut self) -> Result<RawJson<'a>, JsonError> {
        Cursor::value(self)
    }

    #[inline]
    fn raw(&mut self) -> Result<RawJson<'a>, JsonError> {
        Cursor::raw(self)
    }

    #[inline]
    fn skip(&mut self) -> Result<(), JsonError> {
        Cursor::skip(self)
    }

    #[inline]
    fn is_null(&mut self) -> bool {
        self.peek() == b'n'
    }
}

/// A place before a value of any view.
#[derive(Clone)]
pub(crate) struct Viewed<V>(Option<V>);

impl<V: JsonView> Viewed<V> {
    fn members(view: &V) -> Vec<(String, V)> {
        view.members().map(|(name, value)| (name.into_owned(), value)).collect()
    }
}

/// There is always a value before which a [`Viewed`] stands: it is only taken once it has been set.
const NO_VALUE: JsonError = JsonError { offset: 0, fault: crate::json::JsonFault::ExpectedValue };

impl<'a, V: JsonView> Source<'a> for Viewed<V> {
    const LIVE: bool = true;

    type View = V;
    type Walk = vec::IntoIter<(String, V)>;
    type Name = String;

    fn before(view: &V) -> Self {
        Viewed(Some(view.clone()))
    }

    fn object(&mut self) -> Result<Option<Self::Walk>, JsonError> {
        let view = self.0.take().filter(V::is_object);
        Ok(view.map(|view| Self::members(&view).into_iter()))
    }

    fn next(&mut self, walk: &mut Self::Walk) -> Result<Option<String>, JsonError> {
        Ok(walk.next().map(|(name, value)| {
            self.0 = Some(value);
            name
        }))
    }

    fn string(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        Ok(self.0.take().and_then(|view| Some(Cow::Owned(view.as_str()?.into_owned()))))
    }

    fn value(&mut self) -> Result<V, JsonError> {
        self.0.take().ok_or(NO_VALUE)
    }

    fn raw(&mut self) -> Result<V, JsonError> {
        self.value()
    }

    fn skip(&mut self) -> Result<(), JsonError> {
        self.0 = None;
        Ok(())
    }

    fn is_null(&mut self) -> bool {
        self.0.as_ref().is_none_or(V::is_null)
    }
}
