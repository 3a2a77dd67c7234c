//! What a keyword may hold: the part of the metaschemas that tells a schema from something else.

use alloc::borrow::Cow;
use alloc::format;

use hashbrown::HashSet;

use super::dialect::Draft;
use super::{SchemaFault, Types};
use crate::json::{Kind, Value, number};

/// What the drafts demand of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    Text,
    Truth,
    Number,
    Positive,
    /// A non-negative integer.
    Size,
    /// Unique strings, and at least so many.
    Names(usize),
    List,
    Enumeration,
    TypeNames,
    Schema,
    /// A schema, or a boolean where booleans are no schemas.
    SchemaOrTruth,
    Schemas,
    SchemaOrSchemas,
    /// An object of schemas.
    SchemasByName,
    /// An object of lists as [`Names`](Self::Names).
    NamesByName,
    /// An object of either.
    SchemasOrNamesByName(usize),
    TruthsByName,
    /// A URI reference without fragment.
    Identifier,
    Anchor,
}

/// The demand of `draft` on this keyword; `None` if it is no keyword of that draft.
fn demand(draft: Draft, keyword: &str) -> Option<Demand> {
    use Demand::*;
    use Draft::*;
    let names = usize::from(draft == Four);
    let (since, demand) = match keyword {
        "$schema" | "title" | "description" | "format" | "pattern" => (Four, Text),
        "id" if draft == Four => (Four, Text),
        "$id" => (Six, if draft < Nineteen { Text } else { Identifier }),
        "$ref" => (Six, Text),
        "$comment" | "contentMediaType" | "contentEncoding" => (Seven, Text),
        "$dynamicRef" if draft == Twenty => (Twenty, Text),
        "$recursiveRef" => (Nineteen, Text),
        "$anchor" => (Nineteen, Anchor),
        "$vocabulary" => (Nineteen, TruthsByName),
        "readOnly" | "writeOnly" => (Seven, Truth),
        "deprecated" => (Nineteen, Truth),
        "examples" => (Six, List),
        "multipleOf" => (Four, Positive),
        "maximum" | "minimum" => (Four, Number),
        "exclusiveMaximum" | "exclusiveMinimum" => (Four, if draft == Four { Truth } else { Number }),
        "maxLength" | "minLength" | "maxItems" | "minItems" | "maxProperties" | "minProperties" => (Four, Size),
        "maxContains" | "minContains" => (Nineteen, Size),
        "uniqueItems" => (Four, Truth),
        "required" => (Four, Names(names)),
        "enum" => (Four, if draft < Seven { Enumeration } else { List }),
        "type" => (Four, TypeNames),
        "properties" | "patternProperties" | "definitions" => (Four, SchemasByName),
        "$defs" | "dependentSchemas" => (Nineteen, SchemasByName),
        "dependentRequired" => (Nineteen, NamesByName),
        "dependencies" => (Four, SchemasOrNamesByName(names)),
        "additionalProperties" => (Four, SchemaOrTruth),
        "additionalItems" if draft < Twenty => (Four, SchemaOrTruth),
        "items" => (Four, if draft < Twenty { SchemaOrSchemas } else { Schema }),
        "prefixItems" => (Twenty, Schemas),
        "allOf" | "anyOf" | "oneOf" => (Four, Schemas),
        "not" => (Four, Schema),
        "contains" | "propertyNames" => (Six, Schema),
        "if" | "then" | "else" => (Seven, Schema),
        "unevaluatedItems" | "unevaluatedProperties" | "contentSchema" => (Nineteen, Schema),
        _ => return None,
    };
    (draft >= since).then_some(demand)
}

/// Whether `value` can be a schema of this draft at all.
pub(super) fn check_kind(draft: Draft, value: Value<'_>) -> Result<(), SchemaFault> {
    match value.kind() {
        Kind::Object => Ok(()),
        Kind::True | Kind::False if draft > Draft::Four => Ok(()),
        Kind::True | Kind::False => Err(SchemaFault::unsupported(value, "draft-04 has no boolean schemas; use `{}`")),
        _ => Err(SchemaFault::unsupported(value, "no schema; it must be an object")),
    }
}

/// Whether the keyword's value is what the draft demands. Schemas inside it are not entered.
pub(super) fn check(draft: Draft, keyword: &str, value: Value<'_>) -> Result<(), SchemaFault> {
    let Some(demand) = demand(draft, keyword) else { return Ok(()) };
    let kind = value.kind();
    let want = |ok: bool, what: &str| {
        if ok { Ok(()) } else { Err(SchemaFault::unsupported(value, format!("`{keyword}` must be {what}"))) }
    };
    let truth = matches!(kind, Kind::True | Kind::False);
    match demand {
        Demand::Text => want(kind == Kind::String, "a string"),
        Demand::Truth => want(truth, "`true` or `false`"),
        Demand::Number => want(kind == Kind::Number, "a number"),
        Demand::Positive => want(kind == Kind::Number && is_positive(value.text()), "a number above 0"),
        Demand::Size => want(kind == Kind::Number && size(value.text()).is_some(), "an integer of at least 0"),
        Demand::Names(least) => check_names(keyword, value, least),
        Demand::List => want(kind == Kind::Array, "an array"),
        Demand::Enumeration => want(is_enumeration(value), "an array of at least one value, none of them twice"),
        Demand::TypeNames => {
            want(is_types(value), "one or more, each once, of array, boolean, integer, null, number, object and string")
        }
        Demand::Schema => check_kind(draft, value),
        Demand::SchemaOrTruth if truth => Ok(()),
        Demand::SchemaOrTruth => check_kind(draft, value),
        Demand::Schemas => check_schemas(draft, keyword, value),
        Demand::SchemaOrSchemas if kind == Kind::Array => check_schemas(draft, keyword, value),
        Demand::SchemaOrSchemas => check_kind(draft, value),
        Demand::SchemasByName | Demand::NamesByName | Demand::SchemasOrNamesByName(_) | Demand::TruthsByName => {
            want(kind == Kind::Object, "an object")?;
            value.members().try_for_each(|(_, entry)| match demand {
                Demand::NamesByName => check_names(keyword, entry, 0),
                Demand::SchemasOrNamesByName(least) if entry.kind() == Kind::Array => {
                    check_names(keyword, entry, least)
                }
                Demand::TruthsByName => want(matches!(entry.kind(), Kind::True | Kind::False), "an object of booleans"),
                _ => check_kind(draft, entry),
            })
        }
        Demand::Identifier => {
            let ok =
                kind == Kind::String && value.str().split_once('#').is_none_or(|(_, fragment)| fragment.is_empty());
            want(ok, "an address without fragment")
        }
        Demand::Anchor => want(kind == Kind::String && is_anchor(draft, &value.str()), "a name of letters and digits"),
    }
}

/// What the draft demands of keywords beside each other.
pub(super) fn check_together(draft: Draft, schema: Value<'_>) -> Result<(), SchemaFault> {
    for (keyword, needed) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if draft == Draft::Four && schema.get(keyword).is_some() && schema.get(needed).is_none() {
            return Err(SchemaFault::unsupported(
                schema,
                format!("in draft-04 `{keyword}` needs `{needed}` beside it"),
            ));
        }
    }
    Ok(())
}

/// The value of a non-negative integer, also one written as `2.0`; the largest there is stands for all beyond it.
pub(super) fn size(text: &str) -> Option<u64> {
    if let Ok(plain) = text.parse() {
        return Some(plain);
    }
    let natural = number::is_integer(text) && number::compare(text, "0")?.is_ge();
    // Exact as far as doubles are; nothing has as many parts as the first one that is not.
    natural.then(|| text.parse::<f64>().map_or(u64::MAX, |double| double as u64))
}

fn is_positive(text: &str) -> bool {
    number::compare(text, "0").is_some_and(core::cmp::Ordering::is_gt)
}

fn check_names(keyword: &str, value: Value<'_>, least: usize) -> Result<(), SchemaFault> {
    let mut seen = HashSet::new();
    let strings = value.items().all(|item| item.kind() == Kind::String && seen.insert(item.str()));
    if value.kind() == Kind::Array && strings && seen.len() >= least {
        return Ok(());
    }
    let what = if least > 0 { "one or more strings" } else { "strings" };
    Err(SchemaFault::unsupported(value, format!("`{keyword}` must hold an array of {what}, none of them twice")))
}

fn check_schemas(draft: Draft, keyword: &str, value: Value<'_>) -> Result<(), SchemaFault> {
    if value.kind() != Kind::Array || value.items().next().is_none() {
        return Err(SchemaFault::unsupported(value, format!("`{keyword}` must be an array of at least one schema")));
    }
    value.items().try_for_each(|item| check_kind(draft, item))
}

fn is_types(value: Value<'_>) -> bool {
    let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
    match value.kind() {
        Kind::String => Types::named(&value.str()).is_some(),
        Kind::Array => {
            value.items().all(|item| {
                item.kind() == Kind::String && Types::named(&item.str()).is_some() && seen.insert(item.str())
            }) && !seen.is_empty()
        }
        _ => false,
    }
}

fn is_enumeration(value: Value<'_>) -> bool {
    let mut steps = u32::MAX;
    value.kind() == Kind::Array
        && value.items().next().is_some()
        && super::unique::all_differ(value, &mut steps) == Ok(true)
}

fn is_anchor(draft: Draft, text: &str) -> bool {
    let start = |c: char| c.is_ascii_alphabetic() || (c == '_' && draft == Draft::Twenty);
    let rest = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c) || (c == ':' && draft == Draft::Nineteen);
    text.starts_with(start) && text.chars().all(rest)
}
