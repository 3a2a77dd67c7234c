//! The schema repair: walks a document and its rules together and writes the document anew, with members renamed, left out
//! and inserted as the rules allow.

use alloc::string::String;
use alloc::vec::Vec;

use smallvec::{SmallVec, smallvec};

use super::encode;
use super::places::{self, Fate, Fill};
use crate::json::{Kind, Value, pointer};
use crate::schema::{RuleId, Rules, Schema, Types};
use crate::{Change, Code, Reason};

/// More values than this are not visited.
const MAX_VISITS: usize = 4_096;

/// A document written anew.
pub(super) struct Fixed {
    pub(super) text: String,
    /// What is otherwise than before, in the order of the walk.
    pub(super) changes: Vec<Change>,
    /// Why the first of them was made.
    pub(super) reason: Option<Reason>,
}

/// Mends what can be mended without a choice. Whether the schema accepts the result is to be seen.
pub(super) fn fix(schema: &Schema, root: Value<'_>) -> Result<Fixed, Reason> {
    let fixed = Fixed { text: String::with_capacity(root.text().len()), changes: Vec::new(), reason: None };
    let mut fixer = Fixer { schema, fixed, path: String::new(), visits: 0 };
    fixer.value(root, schema.root())?;
    Ok(fixer.fixed)
}

struct Fixer<'s> {
    schema: &'s Schema,
    fixed: Fixed,
    path: String,
    visits: usize,
}

impl<'s> Fixer<'s> {
    /// Recursion is as deep as the document, which is bounded before.
    fn value(&mut self, value: Value<'_>, id: RuleId) -> Result<(), Reason> {
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return Err(Reason::Unrepairable);
        }
        let Some(rules) = places::applied(self.schema, id)? else {
            self.copy(value);
            return Ok(());
        };
        if needs_coercion(rules.types, value.kind()) {
            return Err(Reason::ScalarCoercionDisabled);
        }
        match (value.kind(), places::items(self.schema, rules)) {
            (Kind::Object, _) => self.object(value, rules),
            (Kind::Array, Some(items)) => self.array(value, items),
            _ => {
                self.copy(value);
                Ok(())
            }
        }
    }

    fn copy(&mut self, value: Value<'_>) {
        encode::compact(&mut self.fixed.text, value.text());
    }

    fn array(&mut self, array: Value<'_>, items: RuleId) -> Result<(), Reason> {
        self.fixed.text.push('[');
        for (index, item) in array.items().enumerate() {
            if index > 0 {
                self.fixed.text.push(',');
            }
            let above = self.path.len();
            pointer::push_index(&mut self.path, index);
            self.value(item, items)?;
            self.path.truncate(above);
        }
        self.fixed.text.push(']');
        Ok(())
    }

    fn object(&mut self, object: Value<'_>, rules: &'s Rules) -> Result<(), Reason> {
        self.fixed.text.push('{');
        let start = self.fixed.text.len();
        let mut seen: SmallVec<[bool; 32]> = smallvec![false; rules.properties.len()];
        for (key, value) in object.members() {
            let above = self.path.len();
            self.member(key, value, rules, &mut seen, start)?;
            self.path.truncate(above);
        }
        let end = object.node().end.saturating_sub(1) as usize;
        for (name, fill) in places::fills(self.schema, rules, &seen)? {
            self.insert(name, &fill, start, end);
        }
        self.fixed.text.push('}');
        Ok(())
    }

    fn member(
        &mut self,
        key: Value<'_>,
        value: Value<'_>,
        rules: &'s Rules,
        seen: &mut [bool],
        start: usize,
    ) -> Result<(), Reason> {
        let name = key.str();
        match places::fate(self.schema, rules, &name)? {
            Fate::Property(index) => {
                let (Some(seen), Some((property, id))) = (seen.get_mut(index), rules.properties.get(index)) else {
                    return Err(Reason::Unrepairable);
                };
                // Two members for one property: neither value may be lost.
                if core::mem::replace(seen, true) {
                    return Err(Reason::Unrepairable);
                }
                self.key(property, start);
                if **property != *name {
                    self.note(Code::KeyRenamed, Reason::PropertyRenamed, key.offset());
                }
                self.value(value, *id)
            }
            Fate::Rules(id) => {
                self.key(&name, start);
                self.value(value, id)
            }
            Fate::Keep => {
                self.key(&name, start);
                self.copy(value);
                Ok(())
            }
            Fate::Drop => {
                pointer::push_key(&mut self.path, &name);
                self.note(Code::PropertyRemoved, Reason::AdditionalPropertyRemoved, key.offset());
                Ok(())
            }
        }
    }

    /// Writes a key, and steps into its member. `start` is where the object's first member stands.
    fn key(&mut self, name: &str, start: usize) {
        if self.fixed.text.len() > start {
            self.fixed.text.push(',');
        }
        encode::string(&mut self.fixed.text, name);
        self.fixed.text.push(':');
        pointer::push_key(&mut self.path, name);
    }

    fn insert(&mut self, name: &str, fill: &Fill<'_>, start: usize, offset: usize) {
        let above = self.path.len();
        self.key(name, start);
        self.copy(fill.value);
        self.note(fill.code, fill.reason, offset);
        self.path.truncate(above);
    }

    fn note(&mut self, code: Code, reason: Reason, offset: usize) {
        self.fixed.reason.get_or_insert(reason);
        self.fixed.changes.push(Change { code, path: self.path.clone(), offset });
    }
}

/// Whether a scalar stands where a scalar of another type should. Any number will do for an integer.
fn needs_coercion(wanted: Types, kind: Kind) -> bool {
    const SCALARS: Types = Types::NULL.with(Types::BOOLEAN).with(Types::NUMBER).with(Types::STRING);
    let is = Types::of(kind);
    is.meets(SCALARS) && wanted.meets(SCALARS) && !wanted.meets(is)
}
