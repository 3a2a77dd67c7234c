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
    demand(
        within(&rare.minimum, Ordering::Less)
            && within(&rare.maximum, Ordering::Greater)
            && within(&rare.exclusive_minimum, Ordering::Less)
            && within(&rare.exclusive_maximum, Ordering::Greater)
            && rare.multiple_of.as_deref().is_none_or(|step| number::is_multiple(text, step) == Some(true)),
    )
}

pub(super) fn string(validator: &mut Validator<'_>, rare: &Rare, value: Value<'_>) -> Answer {
    let counted = rare.min_length.is_some() || rare.max_length.is_some();
    if !counted && rare.pattern.is_none() && rare.format.is_none() {
        return Ok(());
    }
    let text = value.str();
    if counted {
        size(text.chars().count(), rare.min_length, rare.max_length)?;
    }
    if let Some(pattern) = &rare.pattern {
        validator.spend(pattern.steps(text.len()))?;
        demand(pattern.matches(&text))?;
    }
    if let Some(format) = rare.format {
        validator.spend(format.steps(text.len()))?;
        demand(format.accepts(&text))?;
    }
    Ok(())
}
