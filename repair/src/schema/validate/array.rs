//! The keywords of arrays.

use super::{Answer, Invalid, Validator};
use crate::json::Value;
use crate::schema::evaluated::Evaluated;
use crate::schema::rules::Rare;
use crate::schema::{Rules, scalar, unique};

impl Validator<'_> {
    pub(super) fn elements(&mut self, rules: &Rules, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
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

    pub(super) fn rare_elements(&mut self, rare: &Rare, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
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
}
