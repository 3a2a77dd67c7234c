//! The rules of strings, numbers and counts.

use core::cmp::Ordering;

use super::rules::{Bound, Rare};
use super::{Invalid, Validator};
use crate::json::{Value, number};

type Answer = Result<(), Invalid>;

fn demand(ok: bool) -> Answer {
    if ok { Ok(()) } else { Err(Invalid::Mismatch) }
}

/// Whether a count is within its bounds.
pub(super) fn size(count: usize, least: Option<u64>, most: Option<u64>) -> Answer {
    let count = count as u64;
    demand(least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most))
}

pub(super) fn number(rare: &Rare, value: Value<'_>) -> Answer {
    demand(broken_by_number(rare, value).is_none())
}

/// The first keyword that a number breaks.
pub(super) fn broken_by_number(rare: &Rare, value: Value<'_>) -> Option<&'static str> {
    let text = value.text();
    let plain = if value.node().mark { text.parse::<i64>().ok() } else { None };
    let within = |bound: &Option<Bound>, wrong: Ordering| {
        let Some(bound) = bound else { return true };
        let order = match (plain, bound.plain) {
            (Some(value), Some(bound)) => Some(value.cmp(&bound)),
            _ => number::compare(text, &bound.text),
        };
        order.is_some_and(|order| order != wrong && !(bound.exclusive && order == Ordering::Equal))
    };
    if !within(&rare.minimum, Ordering::Less) {
        Some("minimum")
    } else if !within(&rare.maximum, Ordering::Greater) {
        Some("maximum")
    } else if !within(&rare.exclusive_minimum, Ordering::Less) {
        Some("exclusiveMinimum")
    } else if !within(&rare.exclusive_maximum, Ordering::Greater) {
        Some("exclusiveMaximum")
    } else if rare.multiple_of.as_deref().is_some_and(|step| number::is_multiple(text, step) != Some(true)) {
        Some("multipleOf")
    } else {
        None
    }
}

pub(super) fn string(validator: &mut Validator<'_>, rare: &Rare, value: Value<'_>) -> Answer {
    demand(broken_by_string(validator, rare, value)?.is_none())
}

/// The first keyword that a string breaks.
pub(super) fn broken_by_string(
    validator: &mut Validator<'_>,
    rare: &Rare,
    value: Value<'_>,
) -> Result<Option<&'static str>, Invalid> {
    let counted = rare.min_length.is_some() || rare.max_length.is_some();
    if !counted && rare.pattern.is_none() && rare.format.is_none() {
        return Ok(None);
    }
    let text = value.str();
    let count = if counted { text.chars().count() as u64 } else { 0 };
    if rare.min_length.is_some_and(|least| count < least) {
        return Ok(Some("minLength"));
    }
    if rare.max_length.is_some_and(|most| count > most) {
        return Ok(Some("maxLength"));
    }
    if let Some(pattern) = &rare.pattern {
        validator.spend(pattern.steps(text.len()))?;
        if !pattern.matches(&text) {
            return Ok(Some("pattern"));
        }
    }
    if let Some(format) = rare.format {
        validator.spend(format.steps(text.len()))?;
        if !format.accepts(&text) {
            return Ok(Some("format"));
        }
    }
    Ok(None)
}
