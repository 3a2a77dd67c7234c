//! All rules that hold at one place of a document, gathered over references and combinations.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::guarded::FaultCode;
use crate::json::{self, Kind, Limits, Value, number};
use crate::schema::{RuleId, Rules, Schema, Types, Validator};

/// References and combinations inside each other beyond this are not followed; validation still sees them.
const MAX_RULES: usize = 64;

/// The rules of one place.
#[derive(Clone)]
pub(in crate::guarded) struct Place<'s> {
    pub(super) schema: &'s Schema,
    /// What a value must satisfy to be valid here.
    origins: SmallVec<[RuleId; 2]>,
    /// Every one of these holds.
    pub(super) rules: SmallVec<[&'s Rules; 4]>,
    /// Of each of these one branch holds, and which one is not known yet.
    pub(super) unions: Vec<&'s [RuleId]>,
    /// The unions of which the branch is known; it is among the origins.
    decided: Vec<&'s [RuleId]>,
    /// The types that are possible.
    pub(super) types: Types,
}

impl<'s> Place<'s> {
    pub(in crate::guarded) fn of(schema: &'s Schema, origins: &[RuleId]) -> Self {
        Place::decided(schema, origins.into(), Vec::new())
    }

    fn decided(schema: &'s Schema, origins: SmallVec<[RuleId; 2]>, decided: Vec<&'s [RuleId]>) -> Self {
        let mut place = Place {
            schema,
            origins: origins.clone(),
            rules: SmallVec::new(),
            unions: Vec::new(),
            decided,
            types: Types::ANY,
        };
        for origin in origins {
            place.gather(origin, Types::NONE);
        }
        place
    }

    /// This place, where the branch `id` of a union is the one that holds.
    pub(super) fn narrowed(&self, union: usize, id: RuleId) -> Self {
        let (mut origins, mut decided) = (self.origins.clone(), self.decided.clone());
        origins.push(id);
        decided.extend(self.unions.get(union));
        Place::decided(self.schema, origins, decided)
    }

    /// Adds the rules at `id`; `or` are types that are possible beside theirs.
    fn gather(&mut self, id: RuleId, or: Types) {
        let rules = self.schema.rules(id);
        if self.rules.len() == MAX_RULES || self.rules.iter().any(|known| core::ptr::eq(*known, rules)) {
            return;
        }
        self.rules.push(rules);
        let own = if rules.boolean == Some(false) { Types::NONE } else { rules.types };
        self.types = self.types.and(own.with(or));
        if let Some(target) = rules.reference {
            self.gather(target, or);
        }
        for part in &rules.all_of {
            self.gather(*part, or);
        }
        for union in [&rules.any_of, &rules.one_of] {
            self.gather_union(union, or);
        }
    }

    /// A union with one branch beside `null` is that branch, or null.
    fn gather_union(&mut self, union: &'s [RuleId], or: Types) {
        if self.decided.iter().any(|known| core::ptr::eq(*known, union)) {
            return;
        }
        let types = |id: &RuleId| Place::of_branch(self.schema, *id);
        let mut others = union.iter().filter(|id| types(id) != Types::NULL);
        match (others.next(), others.next()) {
            (None, _) if union.is_empty() => {}
            (Some(one), None) => {
                let null = if union.len() > 1 { Types::NULL } else { Types::NONE };
                self.gather(*one, or.with(null));
            }
            _ => {
                let all = union.iter().fold(or, |all, id| all.with(types(id)));
                self.types = self.types.and(all);
                self.unions.push(union);
            }
        }
    }

    /// The types of a branch, as far as they can be told without looking at a value.
    fn of_branch(schema: &Schema, id: RuleId) -> Types {
        let mut types = Types::ANY;
        let mut next = Some(id);
        for _ in 0..MAX_RULES {
            let Some(rules) = next.map(|id| schema.rules(id)) else { break };
            types = types.and(if rules.boolean == Some(false) { Types::NONE } else { rules.types });
            next = rules.reference;
        }
        types
    }

    /// The branches of the union at `index` that a value of this kind could satisfy.
    pub(super) fn branches(&self, index: usize, value: Value<'_>) -> Vec<RuleId> {
        let union = self.unions.get(index).copied().unwrap_or_default();
        let possible = |id: &&RuleId| {
            Place::of_branch(self.schema, **id).meets(Types::of(value.kind())) && self.agrees(**id, value)
        };
        union.iter().filter(possible).copied().collect()
    }

    /// Whether the members of an object that a branch fixes to certain values have one of them.
    fn agrees(&self, id: RuleId, value: Value<'_>) -> bool {
        if value.kind() != Kind::Object {
            return true;
        }
        Place::of(self.schema, &[id]).rules.iter().flat_map(|rules| &rules.properties).all(|(name, property)| {
            let fixed = self.schema.rules(*property);
            let fixes = fixed.constant.is_some() || fixed.enumeration.is_some();
            !fixes
                || value.get(name).is_none_or(|member| Validator::new(self.schema).accepts(*property, member) == Ok(()))
        })
    }

    /// Whether the value is valid here as it stands.
    pub(in crate::guarded) fn accepts(&self, value: Value<'_>) -> bool {
        let mut validator = Validator::new(self.schema);
        self.origins.iter().all(|origin| validator.accepts(*origin, value) == Ok(()))
    }

    /// Whether this JSON text is valid here.
    pub(super) fn accepts_text(&self, text: &str) -> bool {
        json::parse(text, &Limits::depth(super::super::MAX_DEPTH))
            .is_ok_and(|parsed| self.accepts(parsed.tape.root(text)))
    }

    /// Whether a property of this name is declared.
    pub(in crate::guarded) fn declares(&self, name: &str) -> bool {
        self.rules.iter().any(|rules| rules.property(name).is_some())
    }

    pub(super) fn requires(&self, name: &str) -> bool {
        self.rules.iter().any(|rules| rules.requires(name))
    }

    /// The names of all declared properties.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        self.rules.iter().flat_map(|rules| rules.properties.iter().map(|(name, _)| &**name))
    }

    /// The place of a member; `None` if the schema forbids one of this name.
    pub(super) fn member(&self, name: &str) -> Option<Place<'s>> {
        let mut origins: SmallVec<[RuleId; 4]> = SmallVec::new();
        for rules in &self.rules {
            let before = origins.len();
            origins.extend(rules.property(name));
            origins.extend(rules.pattern_properties.iter().filter(|(p, _)| p.matches(name)).map(|(_, id)| *id));
            if before == origins.len()
                && let Some(id) = rules.additional_properties
            {
                if self.schema.rules(id).boolean == Some(false) {
                    return None;
                }
                origins.push(id);
            }
        }
        Some(Place::of(self.schema, &origins))
    }

    /// The place of an element.
    pub(super) fn element(&self, index: usize) -> Place<'s> {
        let mut origins: SmallVec<[RuleId; 4]> = SmallVec::new();
        for rules in &self.rules {
            origins.extend(rules.prefix_items.get(index).copied().or(rules.items));
        }
        Place::of(self.schema, &origins)
    }

    /// The texts that an enumeration or constant here lists.
    pub(super) fn listed(&self) -> Vec<Cow<'s, str>> {
        let mut values = Vec::new();
        for rules in &self.rules {
            let indexes = rules.enumeration.iter().flatten().chain(&rules.constant);
            values.extend(indexes.map(|index| self.schema.value(*index)));
        }
        for union in &self.unions {
            for id in union.iter() {
                let rules = self.schema.rules(*id);
                let indexes = rules.enumeration.iter().flatten().chain(&rules.constant);
                values.extend(indexes.map(|index| self.schema.value(*index)));
            }
        }
        values.into_iter().filter(|value| value.kind() == Kind::String).map(Value::str).collect()
    }

    /// What a value of the right type that is not valid here is guilty of.
    pub(super) fn mismatch(&self) -> FaultCode {
        let lists = |id: &RuleId| {
            let rules = self.schema.rules(*id);
            rules.enumeration.is_some() || rules.constant.is_some()
        };
        let listed = self.rules.iter().any(|rules| rules.enumeration.is_some() || rules.constant.is_some());
        let union = self.unions.iter().any(|union| union.iter().any(lists));
        if listed || union { FaultCode::EnumMismatch } else { FaultCode::SchemaMismatch }
    }

    /// Whether a value of this kind is of a possible type.
    pub(super) fn takes(&self, value: Value<'_>) -> bool {
        match value.kind() {
            Kind::Number => {
                self.types.has(Types::NUMBER) || (self.types.has(Types::INTEGER) && number::is_integer(value.text()))
            }
            kind => self.types.meets(Types::of(kind)),
        }
    }
}
