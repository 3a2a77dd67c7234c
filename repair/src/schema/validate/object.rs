//! The keywords of objects.

use alloc::boxed::Box;

use super::{Answer, Invalid, Path, Validator};
use crate::json::Value;
use crate::schema::evaluated::Evaluated;
use crate::schema::rules::Rare;
use crate::schema::{Rules, scalar};

impl Validator<'_> {
    pub(super) fn members(&mut self, rules: &Rules, value: Value<'_>, mut seen: Option<&mut Evaluated>) -> Answer {
        let (mut missing, mut guess) = (rules.derived.required, 0);
        for (number, (key, member)) in value.members().enumerate() {
            let decoded;
            let name = if key.node().mark {
                decoded = key.str();
                &*decoded
            } else {
                key.inner()
            };
            let mut known = false;
            if let Some(at) = rules.find(name, guess) {
                guess = at + 1;
                missing &= !rules.derived.bits.get(at).copied().unwrap_or(0);
                known = true;
                if let Some((_, id)) = rules.properties.get(at) {
                    self.child(*id, member)?;
                }
            }
            for (pattern, id) in &rules.pattern_properties {
                self.spend(pattern.steps(name.len()).saturating_add(1))?;
                if pattern.matches(name) {
                    known = true;
                    self.child(*id, member)?;
                }
            }
            if let (false, Some(id)) = (known, rules.additional_properties) {
                known = true;
                self.child(id, member)?;
            }
            if let (true, Some(seen)) = (known, seen.as_deref_mut()) {
                seen.add(number);
            }
        }
        if missing != 0 {
            return Err(Invalid::Mismatch);
        }
        self.required(&rules.derived.required_besides, value)
    }

    /// Whether all these members are there.
    pub(super) fn required(&mut self, names: &[Box<str>], value: Value<'_>) -> Answer {
        for name in names {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_none() {
                return Err(Invalid::Mismatch);
            }
        }
        Ok(())
    }

    pub(super) fn rare_members(
        &mut self,
        rare: &Rare,
        value: Value<'_>,
        path: &Path<'_>,
        mut seen: Option<&mut Evaluated>,
    ) -> Answer {
        if rare.min_properties.is_some() || rare.max_properties.is_some() {
            scalar::size(value.members().count(), rare.min_properties, rare.max_properties)?;
        }
        if let Some(id) = rare.property_names {
            for (key, _) in value.members() {
                self.child(id, key)?;
            }
        }
        for (name, needed) in &rare.dependent_required {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_some() {
                self.required(needed, value)?;
            }
        }
        for (name, id) in &rare.dependent_schemas {
            self.spend(1 + value.node().next.saturating_sub(value.index()) / 16)?;
            if value.get(name).is_some() {
                self.value(*id, value, Some(path), seen.as_deref_mut())?;
            }
        }
        Ok(())
    }
}
