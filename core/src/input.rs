//! Canonical input: the projection of a call's raw arguments.

use alloc::string::String;
use serde::Serialize;
use serde_json::Value;

use crate::json::{JsonType, JsonView, Number, to_value};

/// The eight fields that a call's arguments are projected to. Absent fields are omitted when written, never `null`; bulky
/// text (contents, patches, prompts) is never among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct CanonicalInput {
    /// The file, or the place searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First line read, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Number of lines read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What the model says the call is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The directory a command runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The directory listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The pattern searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// The names of the eight fields, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// `path`
    Path,
    /// `offset`
    Offset,
    /// `limit`
    Limit,
    /// `command`
    Command,
    /// `description`
    Description,
    /// `cwd`
    Cwd,
    /// `directory`
    Directory,
    /// `pattern`
    Pattern,
}

impl Field {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// All eight.
    pub const ALL: [Field; 8] = [
        Field::Path,
        Field::Offset,
        Field::Limit,
        Field::Command,
        Field::Description,
        Field::Cwd,
        Field::Directory,
        Field::Pattern,
    ];

    /// The key in the envelope's `input`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Field::Path => "path",
            Field::Offset => "offset",
            Field::Limit => "limit",
            Field::Command => "command",
            Field::Description => "description",
            Field::Cwd => "cwd",
            Field::Directory => "directory",
            Field::Pattern => "pattern",
        }
    }
}

/// The fields of a canonical input whose text had not come to its end: the arguments still stream, or were cut off. What is
/// there is the front of what will be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Growing {
    /// A bit for each field.
    fields: u8,
    waits: Waits,
}

/// What has to come before a field can be projected that the arguments have begun to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Waits {
    /// Nothing is waited for.
    #[default]
    Nothing,
    /// The end of a value.
    End,
    /// More of a string.
    Text,
}

impl Growing {
    /// Whether `field` may still grow.
    pub const fn has(self, field: Field) -> bool {
        self.fields & field.bit() != 0
    }

    /// Whether no field grows.
    pub const fn is_empty(self) -> bool {
        self.fields == 0
    }

    /// The fields that may still grow.
    pub fn iter(self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| self.has(*field))
    }

    pub(crate) fn add(&mut self, field: Field) {
        self.fields |= field.bit();
    }

    pub(crate) fn remove(&mut self, field: Field) {
        self.fields &= !field.bit();
    }

    pub(crate) fn wait_for(&mut self, what: Waits) {
        self.waits = self.waits.max(what);
    }

    pub(crate) fn waits_for(self) -> Waits {
        self.waits
    }
}

impl CanonicalInput {
    /// Whether no field is known. An empty input is not written at all.
    pub fn is_empty(&self) -> bool {
        *self == CanonicalInput::default()
    }

    /// The text field `field`; `None` also for `offset` and `limit`.
    pub fn text(&self, field: Field) -> Option<&str> {
        match field {
            Field::Path => self.path.as_deref(),
            Field::Command => self.command.as_deref(),
            Field::Description => self.description.as_deref(),
            Field::Cwd => self.cwd.as_deref(),
            Field::Directory => self.directory.as_deref(),
            Field::Pattern => self.pattern.as_deref(),
            Field::Offset | Field::Limit => None,
        }
    }

    pub(crate) fn set_text(&mut self, field: Field, text: String) {
        let slot = match field {
            Field::Path => &mut self.path,
            Field::Command => &mut self.command,
            Field::Description => &mut self.description,
            Field::Cwd => &mut self.cwd,
            Field::Directory => &mut self.directory,
            Field::Pattern => &mut self.pattern,
            Field::Offset | Field::Limit => return,
        };
        slot.get_or_insert(text);
    }

    pub(crate) fn text_mut(&mut self, field: Field) -> Option<&mut String> {
        match field {
            Field::Path => self.path.as_mut(),
            Field::Command => self.command.as_mut(),
            Field::Description => self.description.as_mut(),
            Field::Cwd => self.cwd.as_mut(),
            Field::Directory => self.directory.as_mut(),
            Field::Pattern => self.pattern.as_mut(),
            Field::Offset | Field::Limit => None,
        }
    }

    /// The bytes of its texts.
    pub(crate) fn text_bytes(&self) -> usize {
        Field::ALL.iter().filter_map(|field| self.text(*field)).map(str::len).sum()
    }

    /// Keeps what was shown before: a text that is no longer version of the one that was shown gives way to that, and a number
    /// that is missing or another one too.
    pub(crate) fn keep_shown(&mut self, shown: &CanonicalInput, growing: &mut Growing) {
        for field in Field::ALL {
            let Some(old) = shown.text(field) else { continue };
            if !self.text(field).is_some_and(|new| new.starts_with(old)) {
                if let Some(text) = self.text_mut(field) {
                    text.clear();
                    text.push_str(old);
                } else {
                    self.set_text(field, old.into());
                }
                growing.remove(field);
            }
        }
        self.offset = shown.offset.or(self.offset);
        self.limit = shown.limit.or(self.limit);
    }

    pub(crate) fn set_number(&mut self, field: Field, number: u64) {
        match field {
            Field::Offset => self.offset.get_or_insert(number),
            Field::Limit => self.limit.get_or_insert(number),
            _ => return,
        };
    }
}

/// The `input` of an envelope: the canonical fields, or what a foreign writer put there.
///
/// Reading keeps foreign input whole, so that writing the envelope back loses nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Input {
    /// An object of canonical fields only.
    Canonical(CanonicalInput),
    /// Any other JSON: further members, other types.
    Foreign(Value),
}

impl Input {
    /// The canonical fields, where the input has nothing else.
    pub fn canonical(&self) -> Option<&CanonicalInput> {
        match self {
            Input::Canonical(input) => Some(input),
            Input::Foreign(_) => None,
        }
    }

    /// Reads an envelope's `input`; `null` counts as absent.
    pub(crate) fn read<V: JsonView>(view: &V) -> Option<Input> {
        if view.is_null() {
            return None;
        }
        Some(canonical(view).map_or_else(|| Input::Foreign(to_value(view)), Input::Canonical))
    }
}

/// `view` as canonical input, if it is an object of canonical fields with their own types.
fn canonical<V: JsonView>(view: &V) -> Option<CanonicalInput> {
    if !view.is_object() {
        return None;
    }
    let mut input = CanonicalInput::default();
    for (key, value) in view.members() {
        let field = *Field::ALL.iter().find(|f| f.as_str() == key)?;
        match (field, value.json_type()) {
            // `5.0` is not written back as `5`, and so is foreign.
            (Field::Offset | Field::Limit, _) => match value.as_number()? {
                Number::Int(n) => input.set_number(field, u64::try_from(n).ok()?),
                Number::UInt(n) => input.set_number(field, n),
                Number::Float(_) => return None,
            },
            (_, JsonType::String) => input.set_text(field, value.as_str()?.into_owned()),
            _ => return None,
        }
    }
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_written_back_as_it_was_is_canonical() {
        for canonical in [json!({}), json!({"path": "a", "offset": 0, "limit": u64::MAX})] {
            let read = Input::read(&&canonical);
            assert!(matches!(read, Some(Input::Canonical(_))), "{canonical}");
            assert_eq!(serde_json::to_value(read).ok(), Some(canonical));
        }
        for foreign in
            [json!({"limit": 5.0}), json!({"limit": -1}), json!({"path": 1}), json!({"more": "x"}), json!([])]
        {
            assert_eq!(Input::read(&&foreign), Some(Input::Foreign(foreign)));
        }
        assert_eq!(Input::read(&&json!(null)), None);
    }
}
