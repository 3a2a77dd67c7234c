//! Everything in a value that breaks its schema, with places in both.

use alloc::string::String;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::{Answer, Invalid, MAX_DEPTH, Path, Validator, has_type};
use crate::json::{self, Kind, Limits, Value, pointer};
use crate::schema::evaluated::Evaluated;
use crate::schema::rules::Rare;
use crate::schema::{RuleId, Rules, Schema, Types, intake, scalar, unique};
use crate::{Fault, FaultCode};

/// One rule that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which value, as a JSON pointer into the document; of a missing member its own, of a forbidden one as well.
    pub path: String,
    /// The keyword of JSON Schema that is broken, such as `type` or `required`. Moreover `tag` for the member that tells the
    /// branches of a union apart and has the value of none of them, `false` where nothing is allowed, and the empty text where the
    /// work that one document may make is used up.
    pub keyword: &'static str,
    /// The schema that has the keyword, as a JSON pointer into the schema's own document.
    pub schema: String,
    /// Where the value's text stands in the document, in bytes; of a missing member the object that lacks it, of a
    /// forbidden one its key.
    pub place: core::ops::Range<usize>,
}

/// What [`Schema::check`] finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    /// In the order of the document, up to [`MAX`](Violations::MAX).
    pub list: Vec<Violation>,
    /// There are more.
    pub more: bool,
}

impl Violations {
    /// As many are listed.
    pub const MAX: usize = 64;
}

impl Schema {
    /// Everything in a JSON document that breaks this schema. Containers inside each other are followed to a depth of 128.
    ///
    /// A value that fits no branch of a union is told by the branch that it was meant for, as far as that is clear: the only one
    /// of its type, the one with its tag, or the one that it comes nearest to.
    ///
    /// ```
    /// use toolprism_repair::{Schema, SchemaLimits};
    /// let schema = br#"{"properties": {"a": {"type": "integer", "maximum": 9}}, "required": ["b"]}"#;
    /// let schema = Schema::new(schema, &SchemaLimits::default()).unwrap();
    /// let found = schema.check(r#"{"a": 10}"#).unwrap();
    /// let found: Vec<_> = found.list.iter().map(|v| (&*v.path, v.keyword, &*v.schema)).collect();
    /// assert_eq!(found, [("/a", "maximum", "/properties/a"), ("/b", "required", "")]);
    /// assert!(schema.check(r#"{"b": 1}"#).unwrap().list.is_empty());
    /// ```
    pub fn check(&self, text: &str) -> Result<Violations, Fault> {
        let parsed =
            json::parse(text, &Limits::depth(128)).map_err(|fault| Fault::at(FaultCode::NotJson, fault.offset))?;
        match parsed.over {
            Some((_, offset)) => Err(Fault::at(FaultCode::TooDeep, offset)),
            None => Ok(self.explain(parsed.tape.root(text))),
        }
    }

    pub(crate) fn explain(&self, root: Value<'_>) -> Violations {
        let mut explainer = Explainer {
            schema: self,
            validator: Validator::new(self),
            depth: 0,
            path: String::new(),
            found: Violations::default(),
        };
        explainer.validator.accepts(self.root, root).ok();
        explainer.value(self.root, root, None);
        let mut found = explainer.found;
        if found.list.is_empty()
            && let Err(invalid) = Validator::new(self).accepts(self.root, root)
        {
            // Whatever is overlooked above, what is not valid is never told to be.
            let keyword = if invalid == Invalid::OutOfSteps { "" } else { "false" };
            let place = root.offset()..root.offset() + root.text().len();
            found.list.push(Violation { path: String::new(), keyword, schema: String::new(), place });
        }
        // What is missing is told behind what is there.
        found.list.sort_by_key(|violation| match violation.keyword {
            "required" | "dependentRequired" => violation.place.end,
            _ => violation.place.start,
        });
        found
    }
}

struct Explainer<'s> {
    schema: &'s Schema,
    validator: Validator<'s>,
    depth: u32,
    path: String,
    found: Violations,
}

impl<'s> Explainer<'s> {
    fn note(&mut self, rules: &Rules, keyword: &'static str, value: Value<'_>) {
        if self.found.list.len() == Violations::MAX {
            self.found.more = true;
            return;
        }
        let schema = intake::pointer_to(self.schema.value(rules.place));
        let known = |v: &Violation| v.path == self.path && v.keyword == keyword && v.schema == schema;
        if self.found.list.iter().any(known) {
            return;
        }
        let place = value.offset()..value.offset() + value.text().len();
        self.found.list.push(Violation { path: self.path.clone(), keyword, schema, place });
    }

    /// Notes a keyword that is broken, or that the work for one document is used up.
    fn demand(&mut self, answer: Answer, rules: &Rules, keyword: &'static str, value: Value<'_>) {
        match answer {
            Ok(()) => {}
            Err(Invalid::Mismatch) => self.note(rules, keyword, value),
            Err(Invalid::OutOfSteps) => self.note(rules, "", value),
        }
    }

    fn inside(&mut self, step: impl FnOnce(&mut String), then: impl FnOnce(&mut Self)) {
        let parent = self.path.len();
        step(&mut self.path);
        then(self);
        self.path.truncate(parent);
    }

    fn value(&mut self, id: RuleId, value: Value<'_>, before: Option<&Path<'_>>) {
        let schema = self.schema;
        let rules = schema.rules(id);
        if self.found.more {
            return;
        }
        if self.validator.spend(1).is_err() || self.depth == MAX_DEPTH {
            self.note(rules, "", value);
            return;
        }
        if rules.boolean == Some(false) {
            self.note(rules, "false", value);
            return;
        }
        if rules.constant.is_some() || rules.enumeration.is_some() {
            let keyword = if rules.constant.is_some() { "const" } else { "enum" };
            let answer = self.validator.listed(rules, value);
            let wrong = answer.is_err();
            self.demand(answer, rules, keyword, value);
            if wrong {
                return;
            }
        }
        if has_type(rules.types, value).is_err() {
            self.note(rules, "type", value);
            return;
        }
        self.depth += 1;
        self.keywords(rules, value, &Path { id, before });
        self.depth -= 1;
    }

    fn keywords(&mut self, rules: &'s Rules, value: Value<'_>, path: &Path<'_>) {
        let before = self.found.list.len();
        match value.kind() {
            Kind::Object => self.members(rules, value),
            Kind::Array => self.elements(rules, value),
            _ => {}
        }
        match rules.reference {
            Some(target) if path.has(target) => self.note(rules, "$ref", value),
            Some(target) => self.value(target, value, Some(path)),
            None => {}
        }
        for id in &rules.all_of {
            self.value(*id, value, Some(path));
        }
        for (ids, keyword, most) in [(&rules.any_of, "anyOf", usize::MAX), (&rules.one_of, "oneOf", 1)] {
            if !ids.is_empty() {
                self.union(rules, ids, keyword, most, value, path);
            }
        }
        let Some(rare) = &rules.rare else { return };
        self.rare(rules, rare, value, path);
        // What is left over is only known where all else is in order.
        if self.found.list.len() == before
            && (rare.unevaluated_properties.is_some() || rare.unevaluated_items.is_some())
        {
            self.unevaluated(rules, rare, value, path);
        }
    }

    fn members(&mut self, rules: &'s Rules, value: Value<'_>) {
        for (key, member) in value.members() {
            let name = key.str();
            let mut known = false;
            if let Some(id) = rules.property(&name) {
                known = true;
                self.inside(|path| pointer::push_key(path, &name), |this| this.value(id, member, None));
            }
            for (pattern, id) in &rules.pattern_properties {
                if self.validator.spend(pattern.steps(name.len()).saturating_add(1)).is_err() {
                    return self.note(rules, "", key);
                }
                if pattern.matches(&name) {
                    known = true;
                    self.inside(|path| pointer::push_key(path, &name), |this| this.value(*id, member, None));
                }
            }
            if let (false, Some(id)) = (known, rules.additional_properties) {
                self.inside(
                    |path| pointer::push_key(path, &name),
                    |this| match this.schema.rules(id).boolean {
                        Some(false) => this.note(rules, "additionalProperties", key),
                        _ => this.value(id, member, None),
                    },
                );
            }
        }
        self.required(rules, &rules.required, "required", value);
    }

    fn required(&mut self, rules: &Rules, names: &[alloc::boxed::Box<str>], keyword: &'static str, value: Value<'_>) {
        for name in names {
            let price = 1 + value.node().next.saturating_sub(value.index()) / 16;
            if self.validator.spend(price).is_err() {
                return self.note(rules, "", value);
            }
            if value.get(name).is_none() {
                self.inside(|path| pointer::push_key(path, name), |this| this.note(rules, keyword, value));
            }
        }
    }

    fn elements(&mut self, rules: &'s Rules, value: Value<'_>) {
        let mut prefix = rules.prefix_items.iter();
        for (number, item) in value.items().enumerate() {
            let Some(id) = prefix.next().or(rules.items.as_ref()) else { return };
            self.inside(|path| pointer::push_index(path, number), |this| this.value(*id, item, None));
        }
    }

    fn rare(&mut self, rules: &'s Rules, rare: &'s Rare, value: Value<'_>, path: &Path<'_>) {
        match value.kind() {
            Kind::Number => {
                if let Some(keyword) = scalar::broken_by_number(rare, value) {
                    self.note(rules, keyword, value);
                }
            }
            Kind::String => match scalar::broken_by_string(&mut self.validator, rare, value) {
                Ok(Some(keyword)) => self.note(rules, keyword, value),
                Ok(None) => {}
                Err(invalid) => self.demand(Err(invalid), rules, "", value),
            },
            Kind::Array => self.rare_elements(rules, rare, value),
            Kind::Object => self.rare_members(rules, rare, value, path),
            _ => {}
        }
        if let Some(id) = rare.not {
            match self.validator.holds(id, value, path, None) {
                Ok(true) => self.note(rules, "not", value),
                Ok(false) => {}
                Err(invalid) => self.demand(Err(invalid), rules, "not", value),
            }
        }
        let Some((condition, then, or_else)) = rare.condition else { return };
        match self.validator.holds(condition, value, path, None) {
            Ok(holds) => {
                if let Some(id) = if holds { then } else { or_else } {
                    self.value(id, value, Some(path));
                }
            }
            Err(invalid) => self.demand(Err(invalid), rules, "if", value),
        }
    }

    fn rare_elements(&mut self, rules: &Rules, rare: &Rare, value: Value<'_>) {
        let count = value.items().count();
        self.demand(scalar::size(count, rare.min_items, None), rules, "minItems", value);
        self.demand(scalar::size(count, None, rare.max_items), rules, "maxItems", value);
        if rare.unique_items {
            let answer = unique::all_differ(value, &mut self.validator.steps);
            let answer = answer.and_then(|differ| if differ { Ok(()) } else { Err(Invalid::Mismatch) });
            self.demand(answer, rules, "uniqueItems", value);
        }
        if rare.contains.is_some() {
            let only = Rare { contains: rare.contains, ..Rare::default() };
            let answer = self.validator.rare_elements(&only, value, None);
            self.demand(answer, rules, "contains", value);
        }
    }

    fn rare_members(&mut self, rules: &'s Rules, rare: &'s Rare, value: Value<'_>, path: &Path<'_>) {
        let count = value.members().count();
        self.demand(scalar::size(count, rare.min_properties, None), rules, "minProperties", value);
        self.demand(scalar::size(count, None, rare.max_properties), rules, "maxProperties", value);
        if let Some(id) = rare.property_names {
            for (key, _) in value.members() {
                let answer = self.validator.value(id, key, None, None);
                self.inside(
                    |path| pointer::push_key(path, &key.str()),
                    |this| this.demand(answer, rules, "propertyNames", key),
                );
            }
        }
        for (name, needed) in &rare.dependent_required {
            if value.get(name).is_some() {
                self.required(rules, needed, "dependentRequired", value);
            }
        }
        for (name, id) in &rare.dependent_schemas {
            if value.get(name).is_some() {
                self.value(*id, value, Some(path));
            }
        }
    }

    fn unevaluated(&mut self, rules: &Rules, rare: &Rare, value: Value<'_>, path: &Path<'_>) {
        let mut seen = Evaluated::default();
        let answer = self.validator.keywords(rules, value, path, Some(&mut seen));
        if answer.is_err() {
            return self.demand(answer, rules, "", value);
        }
        if let Some(id) = rare.unevaluated_properties {
            for (_, (key, member)) in value.members().enumerate().filter(|(number, _)| !seen.has(*number)) {
                let answer = self.validator.value(id, member, None, None);
                self.inside(
                    |path| pointer::push_key(path, &key.str()),
                    |this| this.demand(answer, rules, "unevaluatedProperties", key),
                );
            }
        }
        if let Some(id) = rare.unevaluated_items {
            for (number, item) in value.items().enumerate().filter(|(number, _)| !seen.has(*number)) {
                let answer = self.validator.value(id, item, None, None);
                self.inside(
                    |path| pointer::push_index(path, number),
                    |this| this.demand(answer, rules, "unevaluatedItems", item),
                );
            }
        }
    }

    /// A union of which at least one branch, and no more than `most`, must hold.
    fn union(
        &mut self,
        rules: &'s Rules,
        ids: &'s [RuleId],
        keyword: &'static str,
        most: usize,
        value: Value<'_>,
        path: &Path<'_>,
    ) {
        let mut holding = 0;
        for id in ids {
            match self.validator.holds(*id, value, path, None) {
                Ok(holds) => holding += usize::from(holds),
                Err(invalid) => return self.demand(Err(invalid), rules, keyword, value),
            }
        }
        if holding > 0 {
            if holding > most {
                self.note(rules, keyword, value);
            }
            return;
        }
        let of_type: SmallVec<[RuleId; 8]> =
            ids.iter().copied().filter(|id| has_type(self.types(*id), value).is_ok()).collect();
        let meant: SmallVec<[RuleId; 8]> = of_type.iter().copied().filter(|id| self.agrees(*id, value)).collect();
        match (&of_type[..], &meant[..]) {
            ([one], _) if self.lists(*one) => self.note(rules, keyword, value),
            ([one], _) | (_, [one]) => self.value(*one, value, Some(path)),
            ([], _) => self.note(rules, keyword, value),
            (_, []) => self.tag(rules, keyword, &of_type, value),
            _ => self.nearest(rules, keyword, &meant, value, path),
        }
    }

    /// Whether a branch lists its values: what else is possible is in the other branches.
    fn lists(&self, id: RuleId) -> bool {
        self.parts(id).iter().any(|rules| rules.constant.is_some() || rules.enumeration.is_some())
    }

    /// No branch has this tag: the tag is at fault, if all branches have one of the same name.
    fn tag(&mut self, rules: &Rules, keyword: &'static str, branches: &[RuleId], value: Value<'_>) {
        let fixed = |id: &RuleId| -> SmallVec<[&'s str; 2]> { self.fixed(*id).map(|(name, _)| name).collect() };
        let mut common = branches.first().map(fixed).unwrap_or_default();
        common.retain(|name| branches.iter().all(|id| self.fixed(*id).any(|(other, _)| other == *name)));
        match common[..] {
            [name] => {
                let Some(tag) = value.get(name) else {
                    return self
                        .inside(|path| pointer::push_key(path, name), |this| this.note(rules, "required", value));
                };
                self.inside(|path| pointer::push_key(path, name), |this| this.note(rules, "tag", tag));
            }
            _ => self.note(rules, keyword, value),
        }
    }

    /// Of several branches that could be meant, the one with the fewest faults is told, if there is one such.
    fn nearest(
        &mut self,
        rules: &Rules,
        keyword: &'static str,
        branches: &[RuleId],
        value: Value<'_>,
        path: &Path<'_>,
    ) {
        let outside = core::mem::take(&mut self.found);
        let mut tried: Vec<Violations> = Vec::new();
        for id in branches {
            self.value(*id, value, Some(path));
            tried.push(core::mem::take(&mut self.found));
        }
        self.found = outside;
        let least = tried.iter().map(|found| found.list.len()).min().unwrap_or(0);
        let mut nearest = tried.into_iter().filter(|found| found.list.len() == least);
        match (nearest.next(), nearest.next()) {
            (Some(one), None) if self.found.list.len() + one.list.len() <= Violations::MAX => {
                self.found.more |= one.more;
                self.found.list.extend(one.list);
            }
            _ => self.note(rules, keyword, value),
        }
    }

    /// The rules that hold together at one place, followed over references and `allOf`.
    fn parts(&self, id: RuleId) -> SmallVec<[&'s Rules; 4]> {
        const MAX_PARTS: usize = 32;
        let (mut parts, mut next) = (SmallVec::<[&'s Rules; 4]>::new(), alloc::vec![id]);
        while let Some(id) = next.pop() {
            let rules = self.schema.rules(id);
            if parts.len() == MAX_PARTS || parts.iter().any(|known| core::ptr::eq(*known, rules)) {
                continue;
            }
            parts.push(rules);
            next.extend(rules.reference);
            next.extend(&rules.all_of);
        }
        parts
    }

    fn types(&self, id: RuleId) -> Types {
        self.parts(id).iter().fold(Types::ANY, |types, rules| types.and(rules.types))
    }

    /// The members that a branch fixes to certain values.
    fn fixed(&self, id: RuleId) -> impl Iterator<Item = (&'s str, RuleId)> + use<'s> {
        let schema = self.schema;
        let properties = self.parts(id).into_iter().flat_map(|rules| &rules.properties);
        properties.filter_map(move |(name, id)| {
            let rules = schema.rules(*id);
            (rules.constant.is_some() || rules.enumeration.is_some()).then_some((&**name, *id))
        })
    }

    /// Whether the members that a branch fixes, and that are there, have one of the values that it fixes them to.
    fn agrees(&mut self, id: RuleId, value: Value<'_>) -> bool {
        self.fixed(id).all(|(name, fixed)| {
            value.get(name).is_none_or(|member| self.validator.value(fixed, member, None, None).is_ok())
        })
    }
}
