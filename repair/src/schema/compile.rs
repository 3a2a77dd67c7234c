//! From the text of a schema to its rules.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::dialect::Draft;
use super::format::Format;
use super::rules::{Bound, Rare};
use super::{Pattern, PatternSyntax, RuleId, Rules, Schema, SchemaFault, SchemaLimits, Types};
use super::{intake, keywords, references};
use crate::json::{Kind, Value};

pub(super) fn compile(bytes: &[u8], limits: &SchemaLimits, patterns: PatternSyntax) -> Result<Schema, SchemaFault> {
    let intake::Intake { text, tape, draft } = intake::read(bytes, limits)?;
    let root = tape.root(&text);
    keywords::check_kind(draft, root)?;
    let mut compiler =
        Compiler { draft, patterns, pattern_room: PATTERN_ROOM, ids: HashMap::new(), places: Vec::new() };
    let id = compiler.id(root, root);
    let mut rules = Vec::new();
    // Every place that is named on the way gets the next number, so the list grows while it is worked through.
    while let Some(place) = compiler.places.get(rules.len()).copied() {
        rules.push(compiler.rules(root.at(place.index), root.at(place.base))?);
    }
    Ok(Schema { text, tape, rules, root: id })
}

/// The memory that all patterns of a schema may take together.
const PATTERN_ROOM: usize = 32 << 20;

#[derive(Clone, Copy)]
struct Place {
    index: u32,
    /// The schema from which references start here.
    base: u32,
}

struct Compiler {
    draft: Draft,
    patterns: PatternSyntax,
    pattern_room: usize,
    ids: HashMap<u32, RuleId>,
    /// By the number of their rules.
    places: Vec<Place>,
}

/// What is read from the keywords beside each other and only makes sense together.
#[derive(Default)]
struct Pending {
    contains: Option<RuleId>,
    min_contains: Option<u64>,
    max_contains: Option<u64>,
    branches: (Option<RuleId>, Option<RuleId>, Option<RuleId>),
    additional_items: Option<RuleId>,
    /// `items` is a list.
    listed: bool,
    exclusive: (bool, bool),
}

impl Compiler {
    fn id(&mut self, value: Value<'_>, base: Value<'_>) -> RuleId {
        let next = RuleId(self.places.len() as u32);
        let id = *self.ids.entry(value.index()).or_insert(next);
        if id == next {
            let base = if references::has_id(value, self.draft) { value } else { base };
            self.places.push(Place { index: value.index(), base: base.index() });
        }
        id
    }

    fn ids(&mut self, list: Value<'_>, base: Value<'_>) -> Vec<RuleId> {
        list.items().map(|item| self.id(item, base)).collect()
    }

    fn rules(&mut self, place: Value<'_>, base: Value<'_>) -> Result<Rules, SchemaFault> {
        let mut rules = Rules::open(place.index());
        match place.kind() {
            Kind::True => rules.boolean = Some(true),
            Kind::False => {
                rules.boolean = Some(false);
                rules.types = Types::NONE;
            }
            _ => self.keywords(place, base, &mut rules)?,
        }
        rules.derive();
        Ok(rules)
    }

    fn keywords(&mut self, place: Value<'_>, base: Value<'_>, rules: &mut Rules) -> Result<(), SchemaFault> {
        let mut rare = Rare::default();
        let mut pending = Pending::default();
        keywords::check_together(self.draft, place)?;
        for (key, value) in place.members() {
            let keyword = key.str();
            keywords::check(self.draft, &keyword, value)?;
            match &*keyword {
                "$ref" if value.kind() == Kind::String => rules.reference = Some(self.reference(value, base)?),
                _ if self.general(&keyword, value, rules) => {}
                _ if self.applicators(&keyword, value, base, rules, &mut rare, &mut pending)? => {}
                _ => self.assertions(&keyword, value, &mut rare, &mut pending)?,
            }
        }
        if let (Some(reference), true) = (rules.reference, self.draft <= Draft::Seven) {
            // Up to draft 7, nothing counts beside a reference.
            *rules = Rules { reference: Some(reference), ..Rules::open(rules.place) };
            return Ok(());
        }
        pending.settle(rules, &mut rare);
        // From 2020-12 on, what `contains` finds counts as evaluated.
        rare.contains_evaluates = self.draft == Draft::Twenty;
        rules.rare = (!rare.is_empty()).then(|| Box::new(rare));
        Ok(())
    }

    fn reference(&mut self, place: Value<'_>, base: Value<'_>) -> Result<RuleId, SchemaFault> {
        let Some(target) = references::resolve(base, &place.str(), self.draft) else {
            let message = "leads nowhere in the schema with `$id` around it; move what it leads to into that schema";
            return Err(SchemaFault::invalid(place, message));
        };
        keywords::check_kind(self.draft, target.value)?;
        Ok(self.id(target.value, target.base))
    }

    /// Keywords of values of any type that hold no schemas; whether it is one.
    fn general(&self, keyword: &str, value: Value<'_>, rules: &mut Rules) -> bool {
        match keyword {
            "type" => {
                let named = |name: Value<'_>| Types::named(&name.str()).unwrap_or(Types::NONE);
                rules.types = match value.kind() {
                    Kind::Array => value.items().fold(Types::NONE, |types, name| types.with(named(name))),
                    _ => named(value),
                };
            }
            "required" => rules.required = strings(value),
            "enum" => rules.enumeration = Some(value.items().map(Value::index).collect()),
            "const" if self.draft >= Draft::Six => rules.constant = Some(value.index()),
            "default" => rules.default = Some(value.index()),
            _ => return false,
        }
        true
    }

    /// Keywords that hold schemas; whether it is one.
    fn applicators(
        &mut self,
        keyword: &str,
        value: Value<'_>,
        base: Value<'_>,
        rules: &mut Rules,
        rare: &mut Rare,
        pending: &mut Pending,
    ) -> Result<bool, SchemaFault> {
        use Draft::*;
        let draft = self.draft;
        match keyword {
            "properties" => rules.properties = self.named(value, base),
            "patternProperties" => {
                for (key, schema) in value.members() {
                    rules.pattern_properties.push((self.pattern(key)?, self.id(schema, base)));
                }
            }
            "additionalProperties" => rules.additional_properties = Some(self.id(value, base)),
            "anyOf" => rules.any_of = self.ids(value, base),
            "oneOf" => rules.one_of = self.ids(value, base),
            "allOf" => rules.all_of = self.ids(value, base),
            "not" => rare.not = Some(self.id(value, base)),
            "items" if value.kind() == Kind::Array => {
                rules.prefix_items = self.ids(value, base);
                pending.listed = true;
            }
            "items" => rules.items = Some(self.id(value, base)),
            "additionalItems" if draft < Twenty => pending.additional_items = Some(self.id(value, base)),
            "prefixItems" if draft == Twenty => rules.prefix_items = self.ids(value, base),
            "contains" if draft >= Six => pending.contains = Some(self.id(value, base)),
            "propertyNames" if draft >= Six => rare.property_names = Some(self.id(value, base)),
            "if" if draft >= Seven => pending.branches.0 = Some(self.id(value, base)),
            "then" if draft >= Seven => pending.branches.1 = Some(self.id(value, base)),
            "else" if draft >= Seven => pending.branches.2 = Some(self.id(value, base)),
            "dependencies" => {
                let (names, schemas): (Vec<_>, Vec<_>) =
                    value.members().partition(|(_, entry)| entry.kind() == Kind::Array);
                let schemas: Vec<_> =
                    schemas.into_iter().map(|(key, schema)| (owned(key), self.id(schema, base))).collect();
                if draft <= Seven {
                    rare.dependent_required =
                        names.into_iter().map(|(key, list)| (owned(key), strings(list))).collect();
                    rare.dependent_schemas = schemas;
                }
            }
            "dependentSchemas" if draft >= Nineteen => rare.dependent_schemas = self.named(value, base),
            "unevaluatedProperties" if draft >= Nineteen => rare.unevaluated_properties = Some(self.id(value, base)),
            "unevaluatedItems" if draft >= Nineteen => rare.unevaluated_items = Some(self.id(value, base)),
            // Only whether they are schemas matters.
            "definitions" => drop(self.named(value, base)),
            "$defs" if draft >= Nineteen => drop(self.named(value, base)),
            "contentSchema" if draft >= Nineteen => _ = self.id(value, base),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Keywords that only some types are asked about.
    fn assertions(
        &mut self,
        keyword: &str,
        value: Value<'_>,
        rare: &mut Rare,
        pending: &mut Pending,
    ) -> Result<(), SchemaFault> {
        let draft = self.draft;
        let bound = |exclusive| Some(Bound::new(value.text(), exclusive));
        let size = || keywords::size(value.text());
        let truth = value.kind() == Kind::True;
        match keyword {
            "minimum" => rare.minimum = bound(false),
            "maximum" => rare.maximum = bound(false),
            "exclusiveMinimum" if draft == Draft::Four => pending.exclusive.0 = truth,
            "exclusiveMaximum" if draft == Draft::Four => pending.exclusive.1 = truth,
            "exclusiveMinimum" => rare.exclusive_minimum = bound(true),
            "exclusiveMaximum" => rare.exclusive_maximum = bound(true),
            "multipleOf" => rare.multiple_of = Some(value.text().into()),
            "minLength" => rare.min_length = size(),
            "maxLength" => rare.max_length = size(),
            "minItems" => rare.min_items = size(),
            "maxItems" => rare.max_items = size(),
            "minProperties" => rare.min_properties = size(),
            "maxProperties" => rare.max_properties = size(),
            "minContains" if draft >= Draft::Nineteen => pending.min_contains = size(),
            "maxContains" if draft >= Draft::Nineteen => pending.max_contains = size(),
            "uniqueItems" => rare.unique_items = truth,
            "pattern" => rare.pattern = Some(self.pattern(value)?),
            "format" if draft <= Draft::Seven => rare.format = Format::named(&value.str()),
            "dependentRequired" if draft >= Draft::Nineteen => {
                rare.dependent_required = value.members().map(|(key, list)| (owned(key), strings(list))).collect();
            }
            _ => {}
        }
        Ok(())
    }

    fn named(&mut self, value: Value<'_>, base: Value<'_>) -> Vec<(Box<str>, RuleId)> {
        value.members().map(|(key, schema)| (owned(key), self.id(schema, base))).collect()
    }

    fn pattern(&mut self, text: Value<'_>) -> Result<Pattern, SchemaFault> {
        let pattern = Pattern::compile(&text.str(), self.patterns);
        let room = pattern.as_ref().and_then(|pattern| self.pattern_room.checked_sub(pattern.room()));
        match (pattern, room) {
            (Some(pattern), Some(room)) => {
                self.pattern_room = room;
                Ok(pattern)
            }
            _ => {
                let message = match self.patterns {
                    PatternSyntax::Linear => {
                        "no regular expression of RE2's syntax, or too large a one; look-around and back-references are not supported"
                    }
                    PatternSyntax::Ecma => "no regular expression of ECMAScript's syntax, or too large a one",
                };
                Err(SchemaFault::unsupported(text, message))
            }
        }
    }
}

impl Pending {
    fn settle(self, rules: &mut Rules, rare: &mut Rare) {
        if self.listed {
            rules.items = self.additional_items;
        }
        if let Some(id) = self.contains {
            rare.contains = Some((id, self.min_contains.unwrap_or(1), self.max_contains));
        }
        if let (Some(condition), then, or_else) = self.branches {
            rare.condition = Some((condition, then, or_else));
        }
        for (bound, exclusive) in [(&mut rare.minimum, self.exclusive.0), (&mut rare.maximum, self.exclusive.1)] {
            if let Some(bound) = bound {
                bound.exclusive = exclusive;
            }
        }
    }
}

fn owned(key: Value<'_>) -> Box<str> {
    key.str().into()
}

fn strings(list: Value<'_>) -> Vec<Box<str>> {
    list.items().map(owned).collect()
}
