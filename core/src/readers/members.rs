//! The members of a record, split once for all the formats that may claim it.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::json::{Cursor, JsonError, JsonView, Key, RawJson};

/// A record's own members; those of the objects in it stay text.
#[derive(Default)]
pub(crate) struct Members<'a>(Vec<(Key<'a>, RawJson<'a>)>);

/// More members than this show no format, and are not kept.
const MOST: usize = 64;

impl<'a> Members<'a> {
    /// Splits the value at the front of `text`; there are none if it is no object. Where the text is no JSON, or is cut
    /// short, what came before is still returned, and a member whose value is cut reads as an empty text.
    pub(super) fn read(text: &'a [u8]) -> (Self, Result<(), JsonError>) {
        let mut members = Members::default();
        let outcome = members.fill(&mut Cursor::new(text));
        (members, outcome)
    }

    fn fill(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let Some(mut walk) = cursor.object()? else { return Ok(()) };
        while let Some(key) = walk.next(cursor)? {
            let value = cursor.raw();
            if self.0.len() < MOST {
                self.0.push((key, *value.as_ref().unwrap_or(&RawJson::EMPTY)));
            }
            value?;
        }
        Ok(())
    }

    /// The member `key`; of several the last.
    pub(super) fn get(&self, key: &str) -> Option<RawJson<'a>> {
        self.0.iter().rev().find(|(name, _)| name.as_bytes() == key.as_bytes()).map(|(_, value)| *value)
    }

    /// Whether there is a member `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of the member `key`, if it is a string.
    pub(super) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.str()
    }

    /// The member `key`, if it is an object.
    pub(super) fn object(&self, key: &str) -> Option<RawJson<'a>> {
        self.get(key).filter(RawJson::is_object)
    }
}
