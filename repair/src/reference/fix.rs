//! The schema repair: walks a document and its rules together and writes the document anew, with members renamed, left out
//! and inserted as the rules allow.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashMap;
use smallvec::{SmallVec, smallvec};

use super::encode;
use super::places::{self, Fate, Fill, Fills};
use crate::json::{Kind, Value, pointer};
use crate::schema::{RuleId, Rules, Schema, Types};
use crate::{Change, Code, Reason};

/// More values than this are not visited.
const MAX_VISITS: usize = 4_096;
/// More changes are not noted: their result breaks a limit. At most 4,096 members are renamed, and the tokens that a document
/// may hold are no more than 8,192 members, left out or inserted.
const MAX_CHANGES: usize = 4_096 + 8_192 + 8_192;
/// A longer path is cut at a step: it may be as long as the arguments, and there may be many.
const MAX_PATH: usize = 1_024;

/// A document written anew.
pub(super) struct Fixed {
    pub(super) text: String,
    /// What is otherwise than before, in the order of the walk.
    pub(super) changes: Vec<Change>,
    /// Why the first of them was made.
    pub(super) reason: Option<Reason>,
}

/// Mends what can be mended without a choice. Whether the schema accepts the result is to be seen. A result of more than `max`
/// bytes is not whole.
pub(super) fn fix(schema: &Schema, root: Value<'_>, max: usize) -> Result<Fixed, Reason> {
    let fixed = Fixed { text: String::with_capacity(root.text().len()), changes: Vec::new(), reason: None };
    let mut fixer = Fixer { schema, max, fixed, path: String::new(), visits: 0, fills: HashMap::new() };
    fixer.value(root, schema.root())?;
    Ok(fixer.fixed)
}

struct Fixer<'s> {
    schema: &'s Schema,
    max: usize,
    fixed: Fixed,
    path: String,
    visits: usize,
    /// What [`places::fills`] says, by the place of the rules.
    fills: HashMap<u32, Rc<Fills<'s>>>,
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
        for (index, fill) in self.fills(rules).iter().filter(|(index, _)| seen.get(*index) == Some(&false)) {
            let name = rules.properties.get(*index).map_or("", |(name, _)| name);
            self.insert(name, (*fill)?, start, end);
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

    fn fills(&mut self, rules: &Rules) -> Rc<Fills<'s>> {
        let schema = self.schema;
        self.fills.entry(rules.place).or_insert_with(|| Rc::new(places::fills(schema, rules))).clone()
    }

    fn insert(&mut self, name: &str, fill: Fill<'_>, start: usize, offset: usize) {
        // Few members can ask for much more than there may be.
        if self.fixed.text.len() > self.max {
            return;
        }
        let above = self.path.len();
        self.key(name, start);
        self.copy(fill.value);
        self.note(fill.code, fill.reason, offset);
        self.path.truncate(above);
    }

    fn note(&mut self, code: Code, reason: Reason, offset: usize) {
        self.fixed.reason.get_or_insert(reason);
        if self.fixed.changes.len() < MAX_CHANGES {
            self.fixed.changes.push(Change { code, path: front(&self.path).into(), offset });
        }
    }
}

/// The path, or the part of it that is kept.
fn front(path: &str) -> &str {
    let Some(front) = path.as_bytes().get(..=MAX_PATH) else { return path };
    let end = front.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

/// Whether a scalar stands where a scalar of another type should. Any number will do for an integer.
fn needs_coercion(wanted: Types, kind: Kind) -> bool {
    const SCALARS: Types = Types::NULL.with(Types::BOOLEAN).with(Types::NUMBER).with(Types::STRING);
    let is = Types::of(kind);
    is.meets(SCALARS) && wanted.meets(SCALARS) && !wanted.meets(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_of_the_wrong_type_are_told_from_other_mismatches() {
        let either = Types::ARRAY.with(Types::NULL);
        for (wanted, kind, answer) in [
            (Types::INTEGER, Kind::String, true),
            (Types::INTEGER, Kind::Number, false),
            (Types::STRING, Kind::Null, true),
            (Types::ARRAY, Kind::String, false),
            (either, Kind::String, true),
            (Types::STRING, Kind::Array, false),
            (Types::ANY, Kind::True, false),
        ] {
            assert_eq!(needs_coercion(wanted, kind), answer, "{wanted:?} {kind:?}");
        }
    }

    #[test]
    fn long_paths_are_cut_at_a_step() {
        let step = format!("/{}", "k".repeat(499));
        assert_eq!(front(&step.repeat(2)), step.repeat(2));
        assert_eq!(front(&step.repeat(9)), step.repeat(2));
        assert_eq!(front(&format!("{}/ab", "/x".repeat(511))).len(), 1_022);
        assert_eq!(front(&format!("/{}", "é".repeat(5_000))), "");
    }
}
