//! What a schema says of one place, keyword by keyword.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::Pattern;
use crate::json::Kind;

/// Names the rules of one place of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RuleId(pub(crate) u32);

/// A set of JSON Schema's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Types = Types(0);
    pub(crate) const NULL: Types = Types(1);
    pub(crate) const BOOLEAN: Types = Types(2);
    pub(crate) const INTEGER: Types = Types(4);
    /// Every number, integers included.
    pub(crate) const NUMBER: Types = Types(8 | 4);
    pub(crate) const STRING: Types = Types(16);
    pub(crate) const ARRAY: Types = Types(32);
    pub(crate) const OBJECT: Types = Types(64);
    pub(crate) const ANY: Types = Types(127);

    pub(crate) const fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    /// Whether all of `other` is in this set.
    pub(crate) const fn has(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets have a type in common.
    pub(crate) const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    /// The type of this name.
    pub(crate) fn named(name: &str) -> Option<Types> {
        Some(match name {
            "null" => Types::NULL,
            "boolean" => Types::BOOLEAN,
            "integer" => Types::INTEGER,
            "number" => Types::NUMBER,
            "string" => Types::STRING,
            "array" => Types::ARRAY,
            "object" => Types::OBJECT,
            _ => return None,
        })
    }

    /// The types that values of this kind can have; of numbers, whether it is an integer must be asked of the number.
    pub(crate) const fn of(kind: Kind) -> Types {
        match kind {
            Kind::Object => Types::OBJECT,
            Kind::Array => Types::ARRAY,
            Kind::String => Types::STRING,
            Kind::Number => Types::NUMBER,
            Kind::True | Kind::False => Types::BOOLEAN,
            Kind::Null => Types::NULL,
        }
    }
}

/// The rules of one place. Values of the schema's own document are named by their index in it.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The value of the schema's document that these rules were read from.
    pub(crate) place: u32,
    /// Of a boolean schema: what it is.
    pub(crate) boolean: Option<bool>,
    pub(crate) types: Types,
    /// Where `$ref` leads.
    pub(crate) reference: Option<RuleId>,
    pub(crate) any_of: Vec<RuleId>,
    pub(crate) one_of: Vec<RuleId>,
    pub(crate) all_of: Vec<RuleId>,
    /// In the schema's order.
    pub(crate) properties: Vec<(Box<str>, RuleId)>,
    pub(crate) required: Vec<Box<str>>,
    pub(crate) pattern_properties: Vec<(Pattern, RuleId)>,
    pub(crate) additional_properties: Option<RuleId>,
    /// Of the elements behind the first [`prefix_items`](Self::prefix_items).
    pub(crate) items: Option<RuleId>,
    pub(crate) prefix_items: Vec<RuleId>,
    pub(crate) constant: Option<u32>,
    /// `Some` if there is an `enum`, also an empty one.
    pub(crate) enumeration: Option<Vec<u32>>,
    pub(crate) default: Option<u32>,
    /// What few schemas have.
    pub(crate) rare: Option<Box<Rare>>,
    /// What follows from the members above, and makes validating quick.
    pub(super) derived: Derived,
}

/// What [`Rules::derive`] finds.
#[derive(Debug, Default)]
pub(super) struct Derived {
    /// [`Rules::types`] says all there is to say.
    pub(super) only_types: bool,
    /// Nothing is said of the members of an object, nor of the elements of an array.
    pub(super) ignores_members: bool,
    pub(super) ignores_elements: bool,
    /// For each of the [`Rules::properties`], its bit in [`required`](Self::required), or 0.
    pub(super) bits: Vec<u64>,
    /// The bits of all required properties.
    pub(super) required: u64,
    /// The required names that have no bit.
    pub(super) required_besides: Vec<Box<str>>,
    /// The numbers of [`Rules::properties`] in the order of their names; empty if there are few.
    pub(super) by_name: Vec<u32>,
}

/// Keywords that few places have. Sizes and bounds are non-negative integers or the text of a number.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    pub(crate) minimum: Option<Bound>,
    pub(crate) maximum: Option<Bound>,
    /// Draft 6 and later may have both kinds of bound.
    pub(crate) exclusive_minimum: Option<Bound>,
    pub(crate) exclusive_maximum: Option<Bound>,
    pub(crate) multiple_of: Option<String>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) format: Option<super::format::Format>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    pub(crate) contains: Option<(RuleId, u64, Option<u64>)>,
    pub(super) contains_evaluates: bool,
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
    pub(crate) property_names: Option<RuleId>,
    pub(crate) dependent_required: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(crate) dependent_schemas: Vec<(Box<str>, RuleId)>,
    pub(crate) not: Option<RuleId>,
    pub(crate) condition: Option<(RuleId, Option<RuleId>, Option<RuleId>)>,
    pub(crate) unevaluated_properties: Option<RuleId>,
    pub(crate) unevaluated_items: Option<RuleId>,
}

impl Rare {
    /// Whether nothing is said at all.
    pub(super) fn is_empty(&self) -> bool {
        let Rare {
            minimum: None,
            maximum: None,
            exclusive_minimum: None,
            exclusive_maximum: None,
            multiple_of: None,
            min_length: None,
            max_length: None,
            pattern: None,
            format: None,
            min_items: None,
            max_items: None,
            unique_items: false,
            contains: None,
            contains_evaluates: _,
            min_properties: None,
            max_properties: None,
            property_names: None,
            dependent_required,
            dependent_schemas,
            not: None,
            condition: None,
            unevaluated_properties: None,
            unevaluated_items: None,
        } = self
        else {
            return false;
        };
        dependent_required.is_empty() && dependent_schemas.is_empty()
    }
}

/// A bound of numbers.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) text: Box<str>,
    /// Whether the bound itself is outside.
    pub(crate) exclusive: bool,
    /// Its value, if it is a usual integer.
    pub(super) plain: Option<i64>,
}

impl Bound {
    pub(super) fn new(text: &str, exclusive: bool) -> Self {
        Bound { text: text.into(), exclusive, plain: text.parse().ok() }
    }
}

/// As many properties are looked through one by one.
const FEW: usize = 12;

impl Rules {
    /// Rules that allow everything.
    pub(super) fn open(place: u32) -> Self {
        Rules { place, boolean: None, types: Types::ANY, ..Rules::NOWHERE }
    }

    /// Works out [`Derived`], after all other members are set.
    pub(super) fn derive(&mut self) {
        let position = |name: &str| self.properties.iter().position(|(key, _)| &**key == name);
        let mut bits = alloc::vec![0; self.properties.len()];
        let (mut required, mut besides) = (0_u64, Vec::new());
        for (number, name) in self.required.iter().enumerate() {
            match (position(name).and_then(|at| bits.get_mut(at)), 1_u64.checked_shl(number as u32)) {
                (Some(slot), Some(bit)) => {
                    *slot = bit;
                    required |= bit;
                }
                _ => besides.push(name.clone()),
            }
        }
        let mut by_name: Vec<u32> = Vec::new();
        if self.properties.len() > FEW {
            by_name = (0..self.properties.len() as u32).collect();
            by_name.sort_by(|a, b| self.name_at(*a).cmp(self.name_at(*b)));
        }
        let ignores_members = self.properties.is_empty()
            && self.required.is_empty()
            && self.pattern_properties.is_empty()
            && self.additional_properties.is_none();
        let ignores_elements = self.items.is_none() && self.prefix_items.is_empty();
        let only_types = ignores_members
            && ignores_elements
            && self.reference.is_none()
            && [&self.any_of, &self.one_of, &self.all_of].iter().all(|list| list.is_empty())
            && self.constant.is_none()
            && self.enumeration.is_none()
            && self.rare.is_none();
        self.derived = Derived {
            only_types,
            ignores_members,
            ignores_elements,
            bits,
            required,
            required_besides: besides,
            by_name,
        };
    }

    fn name_at(&self, number: u32) -> &str {
        self.properties.get(number as usize).map_or("", |(name, _)| name)
    }

    /// The number of this property. Documents mostly keep the schema's order, so `guess` is asked first.
    #[inline]
    pub(crate) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        if self.properties.get(guess).is_some_and(|(key, _)| &**key == name) {
            return Some(guess);
        }
        let sorted = &self.derived.by_name;
        if sorted.is_empty() {
            return self.properties.iter().position(|(key, _)| &**key == name);
        }
        let at = sorted.binary_search_by(|at| self.name_at(*at).cmp(name)).ok()?;
        sorted.get(at).map(|number| *number as usize)
    }

    /// The rules of this property.
    pub(crate) fn property(&self, name: &str) -> Option<RuleId> {
        self.find(name, 0).and_then(|at| self.properties.get(at)).map(|(_, id)| *id)
    }

    pub(crate) fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|key| &**key == name)
    }

    /// Forbids everything.
    const NOWHERE: Rules = Rules {
        place: 0,
        boolean: Some(false),
        types: Types::NONE,
        reference: None,
        any_of: Vec::new(),
        one_of: Vec::new(),
        all_of: Vec::new(),
        properties: Vec::new(),
        required: Vec::new(),
        pattern_properties: Vec::new(),
        additional_properties: None,
        items: None,
        prefix_items: Vec::new(),
        constant: None,
        enumeration: None,
        default: None,
        rare: None,
        derived: Derived {
            only_types: false,
            ignores_members: true,
            ignores_elements: true,
            bits: Vec::new(),
            required: 0,
            required_besides: Vec::new(),
            by_name: Vec::new(),
        },
    };
}

/// The rules of a place; an index that leads nowhere, which compiling never makes, forbids everything.
pub(crate) fn look_up(rules: &[Rules], id: RuleId) -> &Rules {
    static NOWHERE: Rules = Rules::NOWHERE;
    rules.get(id.0 as usize).unwrap_or(&NOWHERE)
}
