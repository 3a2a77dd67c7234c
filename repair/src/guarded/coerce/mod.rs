//! Values as the schema wants them, where it leaves one reading: the stage that knows the schema.
//!
//! The document and the rules are walked together, and the new text is written straight away. What is valid is copied byte
//! for byte. A value that is not is taken only if exactly one change makes it so.

mod misplaced;
mod object;
mod place;
mod scalar;

use alloc::string::String;
use alloc::vec::Vec;

pub(super) use self::misplaced::misplaced;
pub(super) use self::place::Place;
use super::draft::Draft;
use super::{Call, Fault, FaultCode};
use crate::Code;
use crate::json::{Kind, Value, pointer};
use crate::schema::{RuleId, Types};

/// Values that are looked at, for one document, while branches of unions are tried out.
const MAX_TRIED: usize = 100_000;

/// Takes a document to one that its schema accepts, and in which no key stands twice; what it was not, it tells.
pub(super) fn coerce(draft: Draft, call: &Call<'_>) -> Result<Draft, Fault> {
    coerce_noting(draft, call, None).map(|(draft, _)| draft)
}

/// As [`coerce`], but a value that cannot be taken stays as it is, and the fault is noted.
pub(super) fn coerce_all(draft: Draft, call: &Call<'_>) -> Result<(Draft, Vec<Fault>), Fault> {
    coerce_noting(draft, call, Some(Vec::new()))
}

fn coerce_noting(draft: Draft, call: &Call<'_>, noted: Option<Vec<Fault>>) -> Result<(Draft, Vec<Fault>), Fault> {
    let parsed = super::strict(&draft)?;
    let root = parsed.tape.root(&draft.text);
    let place = call.schema.map(|schema| Place::of(schema, &[schema.root()]));
    let may_copy = parsed.duplicate.is_none()
        && !draft.has_marks()
        && (call.lenient.is_none() || !super::align::has_odd_number(&parsed, &draft.text));
    let mut walk = Walk {
        from: &draft,
        call,
        path: String::new(),
        out: Draft::default(),
        tries: MAX_TRIED,
        may_copy,
        is_single: parsed.duplicate.is_none(),
        noted,
    };
    walk.check_marks(root, place.as_ref())?;
    walk.noting(root, place.as_ref())?;
    let (mut out, noted) = (walk.out, walk.noted.unwrap_or_default());
    let mut changes = draft.changes;
    changes.append(&mut out.changes);
    changes.sort_by_key(|change| change.offset);
    out.changes = changes;
    Ok((out, noted))
}

/// What came of trying the branches of a union.
enum Tried {
    /// One is left, or all that are left write the same.
    Taken(Draft),
    /// Two write different things.
    Unclear,
    /// None is left; why the first was not.
    None(Option<Fault>),
}

pub(super) struct Walk<'d, 'c> {
    /// The document, with where its parts came from.
    from: &'d Draft,
    call: &'c Call<'c>,
    /// Where the walk is.
    path: String,
    out: Draft,
    /// How many values may still be looked at in tries.
    tries: usize,
    /// Nothing in the document needs a look beside what its schema asks for, so what is valid may be copied.
    may_copy: bool,
    /// No key of the document stands twice in its object.
    is_single: bool,
    /// Where faults are noted instead of ending the walk.
    noted: Option<Vec<Fault>>,
}

impl Walk<'_, '_> {
    fn fault<T>(&self, code: FaultCode, value: Value<'_>) -> Result<T, Fault> {
        Err(Fault::new(code, self.path.clone(), self.from.origin(value.offset())))
    }

    fn change(&mut self, code: Code, value: Value<'_>) -> Result<(), Fault> {
        if !self.may(code) {
            return self.fault(FaultCode::ChangeDisabled(code), value);
        }
        let offset = self.from.origin(value.offset());
        self.out.change(code, self.path.clone(), offset)
    }

    /// Whether a change may be made as far as it is known by now: without the further rules, that is asked at the end.
    fn may(&self, code: Code) -> bool {
        self.call.lenient.is_none_or(|allowed| allowed.has(code))
    }

    /// Writes one value, or where faults are noted, leaves one as it is that cannot be taken.
    fn noting(&mut self, value: Value<'_>, place: Option<&Place<'_>>) -> Result<(), Fault> {
        if self.noted.is_none() {
            return self.value(value, place);
        }
        let (start, path) = (self.out.mark(), self.path.len());
        let Err(fault) = self.value(value, place) else { return Ok(()) };
        self.path.truncate(path);
        self.note(fault)?;
        drop(self.out.take_since(&start));
        self.copy(value);
        Ok(())
    }

    fn note_at(&mut self, code: FaultCode, value: Value<'_>) -> Result<(), Fault> {
        let fault = Fault::new(code, self.path.clone(), self.from.origin(value.offset()));
        self.note(fault)
    }

    /// Notes a fault, or ends with it.
    fn note(&mut self, fault: Fault) -> Result<(), Fault> {
        match &mut self.noted {
            Some(noted) if fault.code != FaultCode::TooManyChanges => {
                noted.push(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }

    fn copy(&mut self, value: Value<'_>) {
        self.out.anchor(self.from.origin(value.offset()));
        self.out.text.push_str(value.text());
    }

    /// What only a schema can decide, where there is none or it cannot.
    fn check_marks(&self, root: Value<'_>, place: Option<&Place<'_>>) -> Result<(), Fault> {
        if let Some(key) = &self.from.cut_key
            && !place.is_some_and(|place| place.declares(key))
        {
            return self.fault(FaultCode::UnexpectedKey, root);
        }
        let unknown = self.from.bare.first().into_iter().chain(self.from.undefined.first()).min();
        match unknown {
            Some(at) if place.is_none() => Err(Fault::at(FaultCode::UnknownValue, self.from.origin(*at))),
            _ => Ok(()),
        }
    }

    fn is_bare(&self, value: Value<'_>) -> bool {
        self.from.bare.binary_search(&value.offset()).is_ok()
    }

    fn is_undefined(&self, value: Value<'_>) -> bool {
        self.from.undefined.binary_search(&value.offset()).is_ok()
    }

    /// Writes one value as its place wants it; without a place as it is.
    fn value(&mut self, value: Value<'_>, place: Option<&Place<'_>>) -> Result<(), Fault> {
        let Some(place) = place else {
            return match value.kind() {
                Kind::Object => self.object(value, None),
                Kind::Array => self.array(value, None),
                _ => {
                    self.copy(value);
                    Ok(())
                }
            };
        };
        if self.is_undefined(value) {
            return self.fault(FaultCode::UnknownValue, value);
        }
        if !place.takes(value) {
            return self.other_type(value, place);
        }
        if !place.unions.is_empty() && matches!(value.kind(), Kind::Object | Kind::Array) {
            return self.union(value, place);
        }
        match value.kind() {
            Kind::Object => self.object(value, Some(place)),
            Kind::Array => self.array(value, Some(place)),
            Kind::String => self.string(value, place),
            Kind::Number if self.call.lenient.is_some() => self.number(value, place),
            _ if place.accepts(value) => {
                self.copy(value);
                Ok(())
            }
            _ => self.fault(place.mismatch(), value),
        }
    }

    fn array(&mut self, array: Value<'_>, place: Option<&Place<'_>>) -> Result<(), Fault> {
        self.out.anchor(self.from.origin(array.offset()));
        self.out.text.push('[');
        for (index, item) in array.items().enumerate() {
            if index > 0 {
                self.out.text.push(',');
            }
            let parent = self.path.len();
            pointer::push_index(&mut self.path, index);
            let element = place.map(|place| place.element(index));
            match &element {
                Some(element) if !self.may_be_element(item, element) => {
                    self.note_at(FaultCode::TypeMismatch, item)?;
                    self.copy(item);
                }
                _ => self.noting(item, element.as_ref())?,
            }
            self.path.truncate(parent);
        }
        self.out.text.push(']');
        Ok(())
    }

    /// The further rules take a list inside a list, or a truth among texts, for a mistake that says too little.
    fn may_be_element(&self, item: Value<'_>, element: &Place<'_>) -> bool {
        let doubtful = matches!(item.kind(), Kind::Array | Kind::True | Kind::False);
        self.call.lenient.is_none() || !doubtful || element.takes(item)
    }

    /// A container where several branches are possible: each is tried, and one must be left.
    fn union(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        let branches = place.branches(0, value);
        if let [one] = branches[..] {
            return self.value(value, Some(&place.narrowed(0, one)));
        }
        if self.may_copy && place.accepts(value) {
            self.copy(value);
            return Ok(());
        }
        // A try succeeds or it does not.
        let noted = self.noted.take();
        let tried = self.try_branches(value, place, branches);
        self.noted = noted;
        match tried? {
            Tried::Taken(written) => {
                self.out.anchor(self.from.origin(value.offset()));
                self.out.text.push_str(&written.text);
                self.out.changes.extend(written.changes);
                Ok(())
            }
            // What is valid is no fault, even where it is unclear by which branch.
            _ if self.call.lenient.is_some() && self.is_single && place.accepts(value) => {
                self.copy(value);
                Ok(())
            }
            Tried::Unclear => self.fault(FaultCode::TypeMismatch, value),
            Tried::None(Some(fault)) => Err(fault),
            Tried::None(None) => self.fault(FaultCode::SchemaMismatch, value),
        }
    }

    fn try_branches(&mut self, value: Value<'_>, place: &Place<'_>, branches: Vec<RuleId>) -> Result<Tried, Fault> {
        let (start, path) = (self.out.mark(), self.path.len());
        let mut taken: Option<Draft> = None;
        let mut first_fault = None;
        for branch in branches {
            self.tries = match self.tries.checked_sub(value.size()) {
                Some(left) => left,
                None => return self.fault(FaultCode::SchemaMismatch, value),
            };
            let narrowed = place.narrowed(0, branch);
            let tried = self.value(value, Some(&narrowed));
            let mut written = self.out.take_since(&start);
            self.path.truncate(path);
            match tried {
                Ok(()) if narrowed.accepts_text(&written.text) => match &taken {
                    Some(other) if other.text != written.text => return Ok(Tried::Unclear),
                    Some(_) => {}
                    None => taken = Some(core::mem::take(&mut written)),
                },
                Ok(()) => {}
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        Ok(taken.map_or(Tried::None(first_fault), Tried::Taken))
    }

    /// A value of a type that its place does not take.
    fn other_type(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        match value.kind() {
            Kind::String => self.text_of_other_type(value, place),
            Kind::Array => self.unwrap_single(value, place),
            Kind::Number if self.call.lenient.is_some() && self.is_bool_digit(value, place) => {
                self.change(Code::NumberToBool, value)?;
                self.out.anchor(self.from.origin(value.offset()));
                self.out.text.push_str(if value.text() == "1" { "true" } else { "false" });
                Ok(())
            }
            Kind::Number | Kind::True | Kind::False if place.types.has(Types::STRING) => {
                self.scalar_to_string(value, place)
            }
            Kind::Object | Kind::Number | Kind::True | Kind::False if place.types.has(Types::ARRAY) => {
                self.wrap_single(value, place)
            }
            _ => self.fault(FaultCode::TypeMismatch, value),
        }
    }

    /// Writes an array with the one element that `element` writes.
    fn wrapped(&mut self, value: Value<'_>, element: impl FnOnce(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.change(Code::WrapSingle, value)?;
        self.out.text.push('[');
        let parent = self.path.len();
        pointer::push_index(&mut self.path, 0);
        element(self)?;
        self.path.truncate(parent);
        self.out.text.push(']');
        Ok(())
    }

    fn wrap_single(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        let element = place.element(0);
        let as_text = value.kind() == Kind::Number && element.types.has(Types::STRING);
        if self.call.lenient.is_some() && as_text && !element.takes(value) {
            return self.wrapped(value, |walk| walk.scalar_to_string(value, &element));
        }
        // What stands inside needs no second wrapping.
        if !element.takes(value) {
            return self.fault(FaultCode::TypeMismatch, value);
        }
        self.wrapped(value, |walk| walk.value(value, Some(&element)))
    }

    fn unwrap_single(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        let mut items = value.items();
        match (items.next(), items.next()) {
            (Some(item), None) if place.takes(item) => {
                self.change(Code::UnwrapSingle, value)?;
                self.value(item, Some(place))
            }
            _ => self.fault(FaultCode::TypeMismatch, value),
        }
    }
}
