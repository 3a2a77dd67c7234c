//! The rules of strings, numbers and counts.

use core::cmp::Ordering;

use super::rules::Rare;
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

pub(super) fn number(rare: &Rare, text: &str) -> Answer {
    let within = |bound: &str, wrong: Ordering, exclusive: bool| {
        order(text, bound).is_some_and(|order| order != wrong && !(exclusive && order == Ordering::Equal))
    };
    let least = |(bound, exclusive): &(alloc::string::String, bool)| within(bound, Ordering::Less, *exclusive);
    let most = |(bound, exclusive): &(alloc::string::String, bool)| within(bound, Ordering::Greater, *exclusive);
    demand(
        rare.minimum.as_ref().is_none_or(least)
            && rare.maximum.as_ref().is_none_or(most)
            && rare.exclusive_minimum.as_deref().is_none_or(|bound| within(bound, Ordering::Less, true))
            && rare.exclusive_maximum.as_deref().is_none_or(|bound| within(bound, Ordering::Greater, true))
            && rare.multiple_of.as_deref().is_none_or(|step| number::is_multiple(text, step) == Some(true)),
    )
}

/// As [`number::compare`], quicker for the usual integers.
fn order(a: &str, b: &str) -> Option<Ordering> {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => Some(a.cmp(&b)),
        _ => number::compare(a, b),
    }
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
