//! Whether a value is as its schema wants it.

mod array;
mod combine;
mod explain;
mod object;

use super::evaluated::Evaluated;
use super::rules::Rare;
use super::{RuleId, Rules, Schema, Types, scalar, unique};
use crate::json::{Kind, Value, number};

/// Asks a schema about values. Holds how much work is left: a schema can be written so that one value means endless work.
pub(crate) struct Validator<'s> {
    schema: &'s Schema,
    steps: u32,
    depth: u32,
}

/// The value is not as the schema wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// It breaks the schema.
    Mismatch,
    /// The work that one document may make is used up.
    OutOfSteps,
}

pub use explain::{Violation, Violations};

type Answer = Result<(), Invalid>;

/// The rules that led to a value's rules at the same value, the nearest first.
#[derive(Clone, Copy)]
struct Path<'p> {
    id: RuleId,
    before: Option<&'p Path<'p>>,
}

impl Path<'_> {
    fn has(&self, id: RuleId) -> bool {
        let mut at = Some(self);
        while let Some(path) = at {
            if path.id == id {
                return true;
            }
            at = path.before;
        }
        false
    }
}

/// Rules inside rules, whether at one value or from value to value. The deepest document with some rules for each of its
/// levels stays below; it bounds the stack.
const MAX_DEPTH: u32 = 1_024;

/// The steps to begin with, and those that each node brings that is asked about.
const STEPS: u32 = 1_000_000;
const STEPS_PER_NODE: u32 = 64;

impl<'s> Validator<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Validator { schema, steps: STEPS, depth: 0 }
    }

    /// Whether `value`, with all inside it, is as the rules at `id` want it.
    pub(crate) fn accepts(&mut self, id: RuleId, value: Value<'_>) -> Result<(), Invalid> {
        let nodes = value.node().next.saturating_sub(value.index());
        self.steps = self.steps.saturating_add(nodes.saturating_mul(STEPS_PER_NODE));
        self.depth = 0;
        self.value(id, value, None, None)
    }

    #[inline]
    pub(super) fn spend(&mut self, steps: u32) -> Answer {
        self.steps = self.steps.checked_sub(steps).ok_or(Invalid::OutOfSteps)?;
        Ok(())
    }

    /// A member or an element. Most of them have a type and no more.
    #[inline]
    fn child(&mut self, id: RuleId, value: Value<'_>) -> Answer {
        let rules = self.schema.rules(id);
        if rules.derived.only_types {
            self.spend(1)?;
            return has_type(rules.types, value);
        }
        self.value(id, value, None, None)
    }

    /// `seen` gathers what is looked at in `value`, for rules above that ask for it.
    fn value(
        &mut self,
        id: RuleId,
        value: Value<'_>,
        before: Option<&Path<'_>>,
        seen: Option<&mut Evaluated>,
    ) -> Answer {
        self.spend(1)?;
        let rules = self.schema.rules(id);
        has_type(rules.types, value)?;
        if rules.derived.only_types {
            return Ok(());
        }
        if self.depth == MAX_DEPTH {
            return Err(Invalid::OutOfSteps);
        }
        self.depth += 1;
        let path = Path { id, before };
        let answer = match &rules.rare {
            Some(rare) if rare.unevaluated_properties.is_some() || rare.unevaluated_items.is_some() => {
                self.with_unevaluated(rules, rare, value, &path, seen)
            }
            _ => self.keywords(rules, value, &path, seen),
        };
        self.depth -= 1;
        answer
    }

    fn keywords(
        &mut self,
        rules: &Rules,
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        if rules.constant.is_some() || rules.enumeration.is_some() {
            self.listed(rules, value)?;
        }
        match value.kind() {
            Kind::Object if !rules.derived.ignores_members => self.members(rules, value, seen.as_deref_mut())?,
            Kind::Array if !rules.derived.ignores_elements => self.elements(rules, value, seen.as_deref_mut())?,
            _ => {}
        }
        if let Some(target) = rules.reference {
            if path.has(target) {
                // A circle at one value says nothing, and the reference engine calls it a mismatch.
                return Err(Invalid::Mismatch);
            }
            self.value(target, value, Some(path), seen.as_deref_mut())?;
        }
        for id in &rules.all_of {
            self.value(*id, value, Some(path), seen.as_deref_mut())?;
        }
        if !rules.any_of.is_empty() {
            self.any_of(&rules.any_of, value, path, seen.as_deref_mut())?;
        }
        if !rules.one_of.is_empty() {
            self.one_of(&rules.one_of, value, path, seen.as_deref_mut())?;
        }
        match &rules.rare {
            Some(rare) => self.rare(rare, value, path, seen),
            None => Ok(()),
        }
    }

    /// `enum` and `const`.
    fn listed(&mut self, rules: &Rules, value: Value<'_>) -> Answer {
        let schema = self.schema;
        if let Some(constant) = rules.constant
            && !unique::same(schema.value(constant), value, &mut self.steps)?
        {
            return Err(Invalid::Mismatch);
        }
        let Some(list) = &rules.enumeration else { return Ok(()) };
        for entry in list {
            if unique::same(schema.value(*entry), value, &mut self.steps)? {
                return Ok(());
            }
        }
        Err(Invalid::Mismatch)
    }

    fn rare(&mut self, rare: &Rare, value: Value<'_>, path: &Path<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        match value.kind() {
            Kind::String => scalar::string(self, rare, value)?,
            Kind::Number => scalar::number(rare, value)?,
            Kind::Object => self.rare_members(rare, value, path, seen.as_deref_mut())?,
            Kind::Array => self.rare_elements(rare, value, seen.as_deref_mut())?,
            Kind::True | Kind::False | Kind::Null => {}
        }
        if let Some(id) = rare.not
            && self.holds(id, value, path, None)?
        {
            return Err(Invalid::Mismatch);
        }
        let Some((condition, then, or_else)) = rare.condition else { return Ok(()) };
        let next = if self.holds(condition, value, path, seen.as_deref_mut())? { then } else { or_else };
        match next {
            Some(id) => self.value(id, value, Some(path), seen),
            None => Ok(()),
        }
    }
}

/// Whether the value's type is one of these.
#[inline]
fn has_type(types: Types, value: Value<'_>) -> Answer {
    let node = value.node();
    let ok = match node.kind {
        Kind::Number if !types.has(Types::NUMBER) => {
            types.has(Types::INTEGER) && (node.mark || number::is_integer(value.text()))
        }
        kind => types.meets(Types::of(kind)),
    };
    if ok { Ok(()) } else { Err(Invalid::Mismatch) }
}
