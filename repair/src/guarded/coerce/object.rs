//! The members of an object: under their declared names, each once, and none that means "not given".

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::Walk;
use super::place::Place;
use crate::guarded::{Fault, FaultCode};
use crate::json::{self, Kind, Value, equal, pointer};
use crate::schema::Types;
use crate::{Code, names};

impl Walk<'_, '_> {
    /// Writes an object's members as its place wants them.
    pub(super) fn object(&mut self, object: Value<'_>, place: Option<&Place<'_>>) -> Result<(), Fault> {
        let renames = match place {
            Some(place) if self.may(Code::KeyRenamed) => Renames::of(object, place),
            _ => Renames::default(),
        };
        let mut seen: HashMap<Cow<'_, str>, Value<'_>> = HashMap::new();
        self.out.anchor(self.from.origin(object.offset()));
        self.out.text.push('{');
        for (key, value) in object.members() {
            let parent = self.path.len();
            let name = match renames.target(&key.str()) {
                Target::As(name) => name,
                Target::Itself => key.str(),
                Target::Unclear => {
                    pointer::push_key(&mut self.path, &key.str());
                    self.note_at(FaultCode::AmbiguousKey, key)?;
                    self.path.truncate(parent);
                    key.str()
                }
            };
            pointer::push_key(&mut self.path, &name);
            self.member(key, name, value, place, &mut seen)?;
            self.path.truncate(parent);
        }
        self.out.text.push('}');
        match place {
            // Where all faults are wanted, validation finds what is missing.
            Some(place) if self.noted.is_none() => self.check_required(object, place, &seen),
            _ => Ok(()),
        }
    }

    fn member<'d>(
        &mut self,
        key: Value<'d>,
        name: Cow<'d, str>,
        value: Value<'d>,
        place: Option<&Place<'_>>,
        seen: &mut HashMap<Cow<'d, str>, Value<'d>>,
    ) -> Result<(), Fault> {
        let known = match place {
            Some(place) => match place.member(&name) {
                Some(member) => Some((place.requires(&name), member)),
                // A null that may not be there says that nothing is there.
                None if self.call.lenient.is_some()
                    && value.kind() == Kind::Null
                    && self.may(Code::NullOptionalDropped) =>
                {
                    return self.change(Code::NullOptionalDropped, key);
                }
                None => {
                    self.note_at(FaultCode::UnexpectedKey, key)?;
                    None
                }
            },
            None => None,
        };
        let mut stand_in = None;
        if let Some((required, member)) = &known
            && let Some(code) = self.not_given(value, member)
        {
            stand_in = if *required { self.stand_in(value, member) } else { None };
            if !*required && self.may(code) {
                return self.change(code, key);
            }
            if stand_in.is_none() && self.noted.is_none() {
                return self.fault(FaultCode::MissingRequired, value);
            }
        }
        if let Some(other) = seen.get(&name) {
            if !equal::equal(*other, value) {
                return self.note_at(FaultCode::DuplicateKeyConflict, key);
            }
            return self.change(Code::DuplicateKey, key);
        }
        if !seen.is_empty() {
            self.out.text.push(',');
        }
        if key.is_str(&name) {
            self.copy(key);
        } else {
            self.change(Code::KeyRenamed, key)?;
            self.out.anchor(self.from.origin(key.offset()));
            self.out.text.push_str(&json::quoted(&name));
        }
        self.out.text.push(':');
        seen.insert(name, value);
        if let Some((code, json)) = stand_in {
            self.change(code, value)?;
            self.out.text.push_str(json);
            return Ok(());
        }
        self.noting(value, known.as_ref().map(|(_, member)| member))
    }

    /// What the further rules take a null for where the member is required.
    fn stand_in(&self, value: Value<'_>, member: &Place<'_>) -> Option<(Code, &'static str)> {
        if value.kind() != Kind::Null || self.call.lenient.is_none() {
            return None;
        }
        let all = [(Code::NullToFalse, Types::BOOLEAN, "false"), (Code::NullToEmptyList, Types::ARRAY, "[]")];
        let mut fit = all.into_iter().filter(|(_, types, _)| member.types.has(*types));
        match (fit.next(), fit.next()) {
            (Some((code, _, json)), None) if self.may(code) && member.accepts_text(json) => Some((code, json)),
            _ => None,
        }
    }

    /// Whether the value says that the member is not given: a null, or the word, where neither has another meaning.
    fn not_given(&self, value: Value<'_>, member: &Place<'_>) -> Option<Code> {
        if self.is_undefined(value) {
            return Some(Code::UndefinedDropped);
        }
        if member.types.has(Types::NULL) {
            return None;
        }
        let word = value.kind() == Kind::String
            && !member.types.has(Types::STRING)
            && !member.types.has(Types::ARRAY)
            && matches!(value.str().trim(), "null" | "None");
        (word || value.kind() == Kind::Null).then_some(Code::NullOptionalDropped)
    }

    fn check_required(
        &mut self,
        object: Value<'_>,
        place: &Place<'_>,
        seen: &HashMap<Cow<'_, str>, Value<'_>>,
    ) -> Result<(), Fault> {
        let missing = place.rules.iter().flat_map(|rules| &rules.required).find(|name| !seen.contains_key(&***name));
        match missing {
            Some(name) => {
                pointer::push_key(&mut self.path, name);
                self.fault(FaultCode::MissingRequired, object)
            }
            None => Ok(()),
        }
    }
}

/// Which keys of an object stand for which declared names.
#[derive(Default)]
struct Renames<'s> {
    /// By the key as it is written; `None` where several names could be meant.
    targets: HashMap<String, Option<&'s str>>,
}

enum Target<'k> {
    Itself,
    As(Cow<'k, str>),
    Unclear,
}

impl<'s> Renames<'s> {
    /// A key is another spelling of a declared name if the object may not have it as it is, or if the name is required and
    /// not there.
    fn of(object: Value<'_>, place: &Place<'s>) -> Self {
        if object.members().all(|(key, _)| place.declares(&key.str())) {
            return Renames::default();
        }
        let present: HashSet<Cow<'_, str>> = object.members().map(|(key, _)| key.str()).collect();
        let declared: HashSet<&str> = place.names().collect();
        let mut spelt: HashMap<Vec<u8>, Vec<&'s str>> = HashMap::new();
        for name in place.names() {
            let same = spelt.entry(names::spelling(name)).or_default();
            if !same.contains(&name) {
                same.push(name);
            }
        }
        let mut targets = HashMap::new();
        for key in present.iter().filter(|key| !declared.contains(&***key)) {
            let Some(same) = spelt.get(&names::spelling(key)) else { continue };
            let forbidden = place.member(key).is_none();
            let wanted = |name: &&str| place.requires(name) && !present.contains(*name);
            if forbidden || same.iter().any(wanted) {
                let one = if let [one] = same[..] { Some(one) } else { None };
                targets.insert(key.to_string(), one);
            }
        }
        Renames { targets }
    }

    fn target<'k>(&self, key: &str) -> Target<'k>
    where
        's: 'k,
    {
        match self.targets.get(key) {
            None => Target::Itself,
            Some(Some(name)) => Target::As(Cow::Borrowed(name)),
            Some(None) => Target::Unclear,
        }
    }
}
