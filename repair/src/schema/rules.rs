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
}

/// Keywords that few places have. Sizes and bounds are non-negative integers or the text of a number.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    pub(crate) minimum: Option<(String, Exclusive)>,
    pub(crate) maximum: Option<(String, Exclusive)>,
    /// Draft 6 and later may have both kinds of bound.
    pub(crate) exclusive_minimum: Option<String>,
    pub(crate) exclusive_maximum: Option<String>,
    pub(crate) multiple_of: Option<String>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) format: Option<super::format::Format>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    pub(crate) contains: Option<(RuleId, u64, Option<u64>)>,
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

/// Whether a bound itself is outside.
pub(crate) type Exclusive = bool;

impl Rules {
    /// The rules of this property.
    pub(crate) fn property(&self, name: &str) -> Option<RuleId> {
        self.properties.iter().find(|(key, _)| &**key == name).map(|(_, id)| *id)
    }

    pub(crate) fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|key| &**key == name)
    }
}

/// The rules of a place; an index that leads nowhere, which compiling never makes, forbids everything.
pub(crate) fn look_up(rules: &[Rules], id: RuleId) -> &Rules {
    static NOWHERE: Rules = Rules {
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
    };
    rules.get(id.0 as usize).unwrap_or(&NOWHERE)
}
