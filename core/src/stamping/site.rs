//! The place in a message where a stamp stands or can stand.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem;

use crate::json::{Cursor, JsonError};
use crate::meta::{CanonicalToolMeta, META_KEY};

/// How a stamp begins: its first member, and the mark before that.
const STAMP: &[u8] = b"\"x.ai/tool\":\t{\"version\":";
/// How a `_meta` begins that was inserted whole.
const META_STAMP: &[u8] = b",\"_meta\":\t{";
/// How an inserted `name` begins.
const NAME_STAMP: &[u8] = b",\"name\":\t\"";

/// A cheap test: `false` only if no stamp stands in `text`.
pub(super) fn may_hold_stamp(text: &[u8]) -> bool {
    [STAMP, NAME_STAMP].iter().any(|stamp| memmem::find(text, stamp).is_some())
}

/// Where a line's message about a tool call stands, in byte offsets of the line.
pub(super) struct Site {
    /// The closing brace of the message.
    end: usize,
    /// The `_meta` member with the comma before it, if it has one.
    member: Range<usize>,
    pub(super) meta: Meta,
    name: Option<Name>,
}

pub(super) enum Meta {
    Absent,
    /// No object: not ours to touch.
    Other,
    Object {
        inside: Range<usize>,
        empty: bool,
        envelope: Option<Member>,
    },
}

/// An `x.ai/tool` member of a `_meta`.
pub(super) struct Member {
    end: usize,
    /// Whether a stamper wrote it.
    ours: bool,
}

/// A `name` member of a message.
struct Name {
    /// The member with the comma before it.
    member: Range<usize>,
    /// Whether it is a text, rather than `null` or something else.
    is_text: bool,
}

impl Site {
    /// Finds the update or the permission request's call in a line.
    pub(super) fn find(line: &[u8]) -> Result<Option<Site>, JsonError> {
        descend(&mut Cursor::new(line), line)
    }

    /// Reads the message that the cursor stands before.
    fn read(cursor: &mut Cursor<'_>, line: &[u8]) -> Result<Option<Site>, JsonError> {
        let (mut member, mut meta, mut name) = (0..0, Meta::Absent, None);
        let Some(mut members) = cursor.object()? else { return Ok(None) };
        let mut last = cursor.offset();
        while let Some(key) = members.next(cursor)? {
            let space = line.get(last..).unwrap_or_default().iter().take_while(|b| b.is_ascii_whitespace()).count();
            let comma = last + space;
            match key.as_bytes() {
                b"_meta" => {
                    meta = Meta::read(cursor, line)?;
                    member = comma..cursor.offset();
                }
                b"name" => {
                    let is_text = cursor.peek() == b'"';
                    cursor.skip()?;
                    name = Some(Name { member: comma..cursor.offset(), is_text });
                }
                _ => cursor.skip()?,
            }
            last = cursor.offset();
        }
        Ok(Some(Site { end: cursor.offset() - 1, member, meta, name }))
    }

    /// Whether there is a place for an envelope, and none yet.
    pub(super) fn takes_envelope(&self) -> bool {
        matches!(self.meta, Meta::Absent | Meta::Object { envelope: None, .. })
    }

    /// Whether the sender has seen to the call's name: it gives one, or a stamper was at work already.
    pub(super) fn is_named(&self) -> bool {
        let stamped = matches!(&self.meta, Meta::Object { envelope: Some(envelope), .. } if envelope.ours);
        stamped || self.name.as_ref().is_some_and(|name| name.is_text)
    }

    /// Appends the line with what its message lacks: the envelope, unless it has one or `_meta` is no object, and the name,
    /// if one is given and the message has no such member.
    pub(super) fn insert(&self, line: &[u8], envelope: &CanonicalToolMeta, name: Option<&str>, out: &mut Vec<u8>) {
        let write_envelope = |out: &mut Vec<u8>| {
            out.push(b'"');
            out.extend_from_slice(META_KEY.as_bytes());
            out.extend_from_slice(b"\":\t");
            out.extend_from_slice(serde_json::to_string(envelope).unwrap_or_default().as_bytes());
        };
        let (front, tail) = line.split_at_checked(self.end).unwrap_or((line, &[]));
        if let Meta::Object { inside, empty, envelope: None } = &self.meta {
            let (before, behind) = front.split_at_checked(inside.start).unwrap_or((front, &[]));
            out.extend_from_slice(before);
            write_envelope(out);
            out.extend_from_slice(if *empty { b"" } else { b"," });
            out.extend_from_slice(behind);
        } else {
            out.extend_from_slice(front);
        }
        if let Some(name) = name.filter(|_| self.name.is_none()) {
            out.extend_from_slice(b",\"name\":\t");
            out.extend_from_slice(serde_json::to_string(name).unwrap_or_default().as_bytes());
        }
        if matches!(self.meta, Meta::Absent) {
            out.extend_from_slice(META_STAMP);
            write_envelope(out);
            out.push(b'}');
        }
        out.extend_from_slice(tail);
    }

    /// What was inserted into the message, in order.
    pub(super) fn stamps(&self, message: &[u8]) -> [Option<Range<usize>>; 2] {
        let begins = |range: &Range<usize>, with| message.get(range.clone()).is_some_and(|text| text.starts_with(with));
        let mut whole = None;
        let mut member = None;
        if let Meta::Object { envelope: Some(envelope), inside, .. } = &self.meta
            && envelope.ours
        {
            if begins(&self.member, META_STAMP) && envelope.end + 1 == self.member.end {
                whole = Some(self.member.clone());
            } else {
                // The first member of an object that was there before, with the comma if others follow.
                let comma = usize::from(message.get(envelope.end) == Some(&b','));
                member = Some(inside.start..envelope.end + comma);
            }
        }
        // An inserted name is the last member but for an inserted `_meta`.
        let last = whole.as_ref().map_or(self.end, |meta| meta.start);
        let name = self.name.as_ref().map(|name| name.member.clone());
        let name = name.filter(|name| begins(name, NAME_STAMP) && name.end == last);
        if whole.is_some() { [name, whole] } else { [member, name] }
    }
}

/// Follows `msg`, `params`, `update` and `toolCall` down to the message.
fn descend(cursor: &mut Cursor<'_>, line: &[u8]) -> Result<Option<Site>, JsonError> {
    let mut found = None;
    let Some(mut members) = cursor.object()? else { return Ok(None) };
    while let Some(key) = members.next(cursor)? {
        match key.as_bytes() {
            b"msg" | b"params" => found = descend(cursor, line)?.or(found),
            b"update" | b"toolCall" => found = Site::read(cursor, line)?.or(found),
            _ => cursor.skip()?,
        }
    }
    Ok(found)
}

fn begins_with_stamp(inside: &[u8]) -> bool {
    inside.strip_prefix(STAMP).and_then(|rest| rest.first()).is_some_and(u8::is_ascii_digit)
}

impl Meta {
    fn read(cursor: &mut Cursor<'_>, line: &[u8]) -> Result<Meta, JsonError> {
        if cursor.peek() != b'{' {
            cursor.skip()?;
            return Ok(Meta::Other);
        }
        let start = cursor.offset() + 1;
        let (mut empty, mut envelope) = (true, None);
        let Some(mut members) = cursor.object()? else { return Ok(Meta::Other) };
        while let Some(key) = members.next(cursor)? {
            let ours = empty && begins_with_stamp(line.get(start..).unwrap_or_default());
            empty = false;
            cursor.skip()?;
            if key.as_bytes() == META_KEY.as_bytes() {
                envelope = Some(Member { end: cursor.offset(), ours });
            }
        }
        Ok(Meta::Object { inside: start..cursor.offset() - 1, empty, envelope })
    }
}
