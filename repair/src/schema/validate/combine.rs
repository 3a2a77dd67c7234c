//! Rules that are put together from other rules at the same value.

use super::{Answer, Invalid, Path, Validator};
use crate::json::{Kind, Value};
use crate::schema::evaluated::Evaluated;
use crate::schema::rules::Rare;
use crate::schema::{RuleId, Rules};

impl Validator<'_> {
    /// Whether one of two is so; running out of steps is no answer.
    pub(super) fn holds(
        &mut self,
        id: RuleId,
        value: Value<'_>,
        path: &Path<'_>,
        seen: Option<&mut Evaluated>,
    ) -> Result<bool, Invalid> {
        match self.branch(id, value, path, seen) {
            Ok(()) => Ok(true),
            Err(Invalid::Mismatch) => Ok(false),
            Err(Invalid::OutOfSteps) => Err(Invalid::OutOfSteps),
        }
    }

    /// Rules whose answer is not the whole answer: what they looked at counts only if they hold.
    pub(super) fn branch(
        &mut self,
        id: RuleId,
        value: Value<'_>,
        path: &Path<'_>,
        seen: Option<&mut Evaluated>,
    ) -> Answer {
        let Some(seen) = seen else { return self.value(id, value, Some(path), None) };
        let mut inside = Evaluated::default();
        self.value(id, value, Some(path), Some(&mut inside))?;
        seen.merge(&inside);
        Ok(())
    }

    pub(super) fn any_of(
        &mut self,
        ids: &[RuleId],
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut any = false;
        for id in ids {
            any |= self.holds(*id, value, path, seen.as_deref_mut())?;
            // All that hold count for what is looked at.
            if any && seen.is_none() {
                break;
            }
        }
        if any { Ok(()) } else { Err(Invalid::Mismatch) }
    }

    pub(super) fn one_of(
        &mut self,
        ids: &[RuleId],
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut count = 0;
        for id in ids {
            count += u32::from(self.holds(*id, value, path, seen.as_deref_mut())?);
            if count > 1 {
                break;
            }
        }
        if count == 1 { Ok(()) } else { Err(Invalid::Mismatch) }
    }

    /// Rules that ask what is left over by all others at this place.
    #[inline(never)]
    pub(super) fn with_unevaluated(
        &mut self,
        rules: &Rules,
        rare: &Rare,
        value: Value<'_>,
        path: &Path<'_>,
        seen: Option<&mut Evaluated>,
    ) -> Answer {
        let mut inside = Evaluated::default();
        self.keywords(rules, value, path, Some(&mut inside))?;
        if let Some(id) = rare.unevaluated_properties {
            for (_, (_, member)) in value.members().enumerate().filter(|(number, _)| !inside.has(*number)) {
                self.child(id, member)?;
            }
            if value.kind() == Kind::Object {
                inside.add_all();
            }
        }
        if let Some(id) = rare.unevaluated_items {
            for (_, item) in value.items().enumerate().filter(|(number, _)| !inside.has(*number)) {
                self.child(id, item)?;
            }
            if value.kind() == Kind::Array {
                inside.add_all();
            }
        }
        if let Some(seen) = seen {
            seen.merge(&inside);
        }
        Ok(())
    }
}
