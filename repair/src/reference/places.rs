//! What the schema repair takes from a schema: less than validation does, and read more literally.

use alloc::string::String;
use alloc::vec::Vec;

use super::encode;
use crate::json::{Kind, Value};
use crate::schema::{RuleId, Rules, Schema};
use crate::{Code, Reason, names};

/// References and lone alternatives that lead to each other; more than this is a circle.
const MAX_HOPS: usize = 1_024;

/// The rules that hold at a place, by way of `$ref` and of alternatives that are none. `None` if there are no rules: the
/// value stays as it is. The repair ends where a choice would have to be made.
pub(super) fn applied(schema: &Schema, id: RuleId) -> Result<Option<&Rules>, Reason> {
    let mut id = id;
    for _ in 0..MAX_HOPS {
        let rules = schema.rules(id);
        if rules.boolean.is_some() {
            return Ok(None);
        }
        let choices = [&rules.one_of, &rules.any_of, &rules.all_of].into_iter().find(|choices| !choices.is_empty());
        id = match (rules.reference, choices.map(Vec::as_slice)) {
            (Some(target), _) => lone(schema, rules, target)?,
            (None, Some([only])) => *only,
            (None, Some(_)) => return Err(Reason::Unrepairable),
            (None, None) => return Ok(Some(rules)),
        };
    }
    Err(Reason::Unrepairable)
}

/// The target of a `$ref`, which may have nothing beside it.
fn lone(schema: &Schema, rules: &Rules, target: RuleId) -> Result<RuleId, Reason> {
    match schema.value(rules.place).members().count() {
        1 => Ok(target),
        _ => Err(Reason::Unrepairable),
    }
}

/// A value that a schema names for a member that is not there.
#[derive(Clone, Copy)]
pub(super) struct Fill<'s> {
    pub(super) value: Value<'s>,
    pub(super) code: Code,
    pub(super) reason: Reason,
}

/// The value for the property of these rules. It is read from the schema's text: older drafts know no `const`, and it counts
/// nevertheless.
pub(super) fn fill(schema: &Schema, id: RuleId) -> Result<Option<Fill<'_>>, Reason> {
    let mut rules = schema.rules(id);
    if rules.boolean.is_some() {
        return Ok(None);
    }
    for _ in 0..MAX_HOPS {
        match rules.reference {
            None => return Ok(named_value(schema.value(rules.place))),
            Some(target) => rules = schema.rules(lone(schema, rules, target)?),
        }
        if rules.boolean.is_some() {
            break;
        }
    }
    Err(Reason::Unrepairable)
}

fn named_value(place: Value<'_>) -> Option<Fill<'_>> {
    if let Some(value) = place.get("const") {
        return Some(Fill { value, code: Code::ConstInserted, reason: Reason::ConstInserted });
    }
    let mut values = place.get("enum").into_iter().flat_map(Value::items);
    if let (Some(value), None) = (values.next(), values.next()) {
        return Some(Fill { value, code: Code::EnumInserted, reason: Reason::EnumInserted });
    }
    let value = place.get("default")?;
    Some(Fill { value, code: Code::DefaultInserted, reason: Reason::DefaultInserted })
}

/// The rules of an array's elements. Those of a tuple are not looked at, those behind `prefixItems` count for all.
pub(super) fn items(schema: &Schema, rules: &Rules) -> Option<RuleId> {
    rules.items.filter(|_| schema.value(rules.place).get("items").is_some_and(|items| items.kind() == Kind::Object))
}

/// What becomes of an object's member.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is the property of this index, perhaps in another spelling.
    Property(usize),
    /// It is no property, and these rules hold for it.
    Rules(RuleId),
    /// Nothing is said of it.
    Keep,
    /// It may not be there.
    Drop,
}

/// What becomes of the member `name` of an object with these rules.
pub(super) fn fate(schema: &Schema, rules: &Rules, name: &str) -> Result<Fate, Reason> {
    if let Some(index) = rules.find(name, 0) {
        return Ok(Fate::Property(index));
    }
    let properties = || rules.properties.iter().map(|(key, _)| &**key);
    let mut alike = properties().enumerate().filter(|(_, key)| names::same(key, name)).map(|(index, _)| index);
    match (alike.next(), alike.next()) {
        (Some(_), Some(_)) => return Err(Reason::AmbiguousProperty),
        (Some(index), None) => return Ok(Fate::Property(index)),
        _ => {}
    }
    if let Some(id) = by_pattern(schema, rules, name)? {
        return Ok(Fate::Rules(id));
    }
    Ok(match rules.additional_properties {
        None => Fate::Keep,
        Some(id) => match schema.rules(id).boolean {
            None => Fate::Rules(id),
            Some(true) => Fate::Keep,
            Some(false) => Fate::Drop,
        },
    })
}

/// The rules of the patterns that `name` matches, which must be the same to the letter.
fn by_pattern(schema: &Schema, rules: &Rules, name: &str) -> Result<Option<RuleId>, Reason> {
    let mut matching = rules.pattern_properties.iter().filter(|(pattern, _)| pattern.matches(name)).map(|(_, id)| *id);
    let Some(first) = matching.next() else { return Ok(None) };
    let same = |id| {
        let [a, b] = [first, id].map(|id| schema.value(schema.rules(id).place).text());
        a == b || compacted(a) == compacted(b)
    };
    if matching.all(same) { Ok(Some(first)) } else { Err(Reason::Unrepairable) }
}

fn compacted(json: &str) -> String {
    let mut text = String::new();
    encode::compact(&mut text, json);
    text
}

/// The properties that get a value where they are missing, or end the repair, each by its index: first the required ones in
/// their order, then the others by their names.
pub(super) type Fills<'s> = Vec<(usize, Result<Fill<'s>, Reason>)>;

/// What is inserted into objects of these rules.
pub(super) fn fills<'s>(schema: &'s Schema, rules: &Rules) -> Fills<'s> {
    let filled = |(index, (_, id)): (usize, &(_, RuleId))| Some((index, fill(schema, *id).transpose()?));
    let mut fills: Fills<'s> = rules.properties.iter().enumerate().filter_map(filled).collect();
    fills.sort_by_cached_key(|(index, _)| {
        let name = rules.properties.get(*index).map_or("", |(name, _)| name);
        (rules.required.iter().position(|required| **required == *name).unwrap_or(usize::MAX), name)
    });
    fills
}
