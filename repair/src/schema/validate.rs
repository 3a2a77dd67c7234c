//! Whether a value is as its schema wants it.

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

    fn members(&mut self, rules: &Rules, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        let (mut missing, mut guess) = (rules.derived.required, 0);
        for (number, (key, member)) in value.members().enumerate() {
            let decoded;
            let name = if key.node().mark {
                decoded = key.str();
                &*decoded
            } else {
                key.inner()
            };
            let mut known = false;
            if let Some(at) = rules.find(name, guess) {
                guess = at + 1;
                missing &= !rules.derived.bits.get(at).copied().unwrap_or(0);
                known = true;
                if let Some((_, id)) = rules.properties.get(at) {
                    self.child(*id, member)?;
                }
            }
            for (pattern, id) in &rules.pattern_properties {
                self.spend(pattern.steps(name.len()).saturating_add(1))?;
                if pattern.matches(name) {
                    known = true;
                    self.child(*id, member)?;
                }
            }
            if let (false, Some(id)) = (known, rules.additional_properties) {
                known = true;
                self.child(id, member)?;
            }
            if let (true, Some(seen)) = (known, seen.as_deref_mut()) {
                seen.add(number);
            }
        }
        if missing != 0 {
            return Err(Invalid::Mismatch);
        }
        self.required(&rules.derived.required_besides, value)
    }

    /// Whether all these members are there.
    fn required(&mut self, names: &[alloc::boxed::Box<str>], value: Value<'_>) -> Answer {
        for name in names {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_none() {
                return Err(Invalid::Mismatch);
            }
        }
        Ok(())
    }

    fn elements(&mut self, rules: &Rules, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        let mut prefix = rules.prefix_items.iter();
        for (number, item) in value.items().enumerate() {
            match prefix.next().or(rules.items.as_ref()) {
                Some(id) => self.child(*id, item)?,
                None => return Ok(()),
            }
            if let Some(seen) = seen.as_deref_mut() {
                seen.add(number);
            }
        }
        Ok(())
    }

    /// Whether one of two is so; running out of steps is no answer.
    fn holds(
        &mut self,
        id: RuleId,
        value: Value<'_>,
        path: &Path<'_>,
        seen: Option<&mut Evaluated>,
    ) -> Result<bool, Invalid> {
        match self.branch(id, value, path, seen) {
            Ok(()) => Ok(true),
            Err(Invalid::Mismatch) => Ok(false),
            Err(Invalid::OutOfSteps) => Err(Invalid::OutOfSteps),
        }
    }

    /// Rules whose answer is not the whole answer: what they looked at counts only if they hold.
    fn branch(&mut self, id: RuleId, value: Value<'_>, path: &Path<'_>, seen: Option<&mut Evaluated>) -> Answer {
        let Some(seen) = seen else { return self.value(id, value, Some(path), None) };
        let mut inside = Evaluated::default();
        self.value(id, value, Some(path), Some(&mut inside))?;
        seen.merge(&inside);
        Ok(())
    }

    fn any_of(
        &mut self,
        ids: &[RuleId],
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut any = false;
        for id in ids {
            any |= self.holds(*id, value, path, seen.as_deref_mut())?;
            // All that hold count for what is looked at.
            if any && seen.is_none() {
                break;
            }
        }
        if any { Ok(()) } else { Err(Invalid::Mismatch) }
    }

    fn one_of(
        &mut self,
        ids: &[RuleId],
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut count = 0;
        for id in ids {
            count += u32::from(self.holds(*id, value, path, seen.as_deref_mut())?);
            if count > 1 {
                break;
            }
        }
        if count == 1 { Ok(()) } else { Err(Invalid::Mismatch) }
    }

    fn rare(&mut self, rare: &Rare, value: Value<'_>, path: &Path<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        match value.kind() {
            Kind::String => scalar::string(self, rare, value)?,
            Kind::Number => scalar::number(rare, value.text())?,
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

    fn rare_members(
        &mut self,
        rare: &Rare,
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        if rare.min_properties.is_some() || rare.max_properties.is_some() {
            scalar::size(value.members().count(), rare.min_properties, rare.max_properties)?;
        }
        if let Some(id) = rare.property_names {
            for (key, _) in value.members() {
                self.child(id, key)?;
            }
        }
        for (name, needed) in &rare.dependent_required {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_some() {
                self.required(needed, value)?;
            }
        }
        for (name, id) in &rare.dependent_schemas {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_some() {
                self.value(*id, value, Some(path), seen.as_deref_mut())?;
            }
        }
        Ok(())
    }

    fn rare_elements(&mut self, rare: &Rare, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        if rare.min_items.is_some() || rare.max_items.is_some() {
            scalar::size(value.items().count(), rare.min_items, rare.max_items)?;
        }
        if rare.unique_items && !unique::all_differ(value, &mut self.steps)? {
            return Err(Invalid::Mismatch);
        }
        let Some((id, least, most)) = rare.contains else { return Ok(()) };
        let mut count = 0;
        for (number, item) in value.items().enumerate() {
            match self.child(id, item) {
                Ok(()) => count += 1,
                Err(Invalid::Mismatch) => continue,
                Err(Invalid::OutOfSteps) => return Err(Invalid::OutOfSteps),
            }
            if let (true, Some(seen)) = (rare.contains_evaluates, seen.as_deref_mut()) {
                seen.add(number);
            }
        }
        scalar::size(count, Some(least), most)
    }

    /// Rules that ask what is left over by all others at this place.
    #[inline(never)]
    fn with_unevaluated(
        &mut self,
        rules: &Rules,
        rare: &Rare,
        value: Value<'_>,
        path: &Path<'_>,
        seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut inside = Evaluated::default();
        self.keywords(rules, value, path, Some(&mut inside))?;
        if let Some(id) = rare.unevaluated_properties {
            for (_, (_, member)) in value.members().enumerate().filter(|(number, _)| !inside.has(*number)) {
                self.child(id, member)?;
            }
            if value.kind() == Kind::Object {
                inside.add_all();
            }
        }
        if let Some(id) = rare.unevaluated_items {
            for (_, item) in value.items().enumerate().filter(|(number, _)| !inside.has(*number)) {
                self.child(id, item)?;
            }
            if value.kind() == Kind::Array {
                inside.add_all();
            }
        }
        if let Some(seen) = seen {
            seen.merge(&inside);
        }
        Ok(())
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
