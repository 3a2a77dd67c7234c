//! Arguments for one schema: as the `guarded` profile reads them, with further rules for values that typed code cannot take,
//! and with everything that is wrong instead of the first fault.
//!
//! | further rule | code |
//! |---|---|
//! | a whole number written as `42.0`, `1e3` or `-0.0` | [`Code::WholeNumber`] |
//! | `"yes"`, `"no"`, `"1"`, `"0"` for a boolean, in any case | [`Code::WordToBool`] |
//! | 1 and 0 for a boolean | [`Code::NumberToBool`] |
//! | `null` for a required boolean or list | [`Code::NullToFalse`], [`Code::NullToEmptyList`] |
//! | `null` for a member that is forbidden | [`Code::NullOptionalDropped`] |
//! | one number for a list of texts | [`Code::WrapSingle`] and [`Code::NumberToString`] |
//!
//! Three things that the profile takes are refused, since typed code would refuse them: a number with space around it in a
//! text, and a boolean or a list as an element where the elements are neither.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::draft::Draft;
use super::{Allowed, Call, Fault, FaultCode, MAX_DEPTH, coerce, envelope, is_valid, strict, whole};
use crate::json::{self, Limits, Parsed};
use crate::schema::{Schema, Violations};
use crate::{Change, Code, DEFAULT_MAX_ARGS_BYTES, StopReason};

/// How arguments are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The tool's name, as far as it is known: text around the arguments may name it.
    pub tool: Option<&'a str>,
    /// Why the model stopped.
    pub stop: StopReason,
    /// The changes that may be made.
    pub allowed: Allowed,
    /// Longer arguments are refused.
    pub max_args_bytes: usize,
}

impl Default for Reading<'_> {
    fn default() -> Self {
        Reading { tool: None, stop: StopReason::Unknown, allowed: Allowed::ALL, max_args_bytes: DEFAULT_MAX_ARGS_BYTES }
    }
}

/// Arguments that their schema accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aligned<'t> {
    /// One JSON object; borrowed if the arguments are taken as they came.
    pub text: Cow<'t, str>,
    /// What was changed.
    pub changes: Vec<Change>,
}

/// Arguments that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// They cannot be read as one object, or in one way only.
    Unreadable(Fault),
    /// They can be read, but not as the schema wants them.
    Invalid {
        /// What was read, as JSON: the values at fault stand in it as they came.
        text: String,
        /// Everything in it that breaks the schema.
        violations: Violations,
        /// What was in the way of reading them otherwise, with places in the arguments as they came. Some say what a violation says,
        /// some what no schema can see, such as two values for one name.
        faults: Vec<Fault>,
    },
}

impl Schema {
    /// Reads arguments as this schema wants them. What is valid stays as it is, byte for byte, except for whole numbers that
    /// are written as integer types do not read them.
    ///
    /// ```
    /// use toolprism_repair::{Misfit, Reading, Schema, SchemaLimits};
    /// let schema = br#"{"properties": {"line": {"type": "integer"}, "all": {"type": "boolean"}}}"#;
    /// let schema = Schema::new(schema, &SchemaLimits::default()).unwrap();
    /// let aligned = schema.align(r#"{"line": "42.0", "all": "yes"}"#, &Reading::default()).unwrap();
    /// assert_eq!(aligned.text, r#"{"line":42,"all":true}"#);
    ///
    /// let Err(Misfit::Invalid { violations, .. }) = schema.align(r#"{"line": 3.7, "all": 2}"#, &Reading::default()) else {
    ///     panic!("both are wrong");
    /// };
    /// let places: Vec<_> = violations.list.iter().map(|violation| &*violation.path).collect();
    /// assert_eq!(places, ["/line", "/all"]);
    /// ```
    pub fn align<'t>(&self, text: &'t str, reading: &Reading<'_>) -> Result<Aligned<'t>, Misfit> {
        if text.len() > reading.max_args_bytes.min(u32::MAX as usize) {
            return Err(Misfit::Unreadable(Fault::at(FaultCode::ArgsTooLarge, reading.max_args_bytes)));
        }
        let parsed = json::parse(text, &Limits::depth(MAX_DEPTH)).ok();
        if let Some(parsed) = &parsed
            && is_valid(parsed, text, Some(self))
            && !has_odd_number(parsed, text)
        {
            return Ok(Aligned { text: Cow::Borrowed(text), changes: Vec::new() });
        }
        let call = Call { tool: reading.tool, schema: Some(self), stop: reading.stop, lenient: Some(reading.allowed) };
        let draft = read(text, parsed.is_some(), &call, self).map_err(Misfit::Unreadable)?;
        if let Some(change) = draft.changes.iter().find(|change| !reading.allowed.has(change.code)) {
            let code = FaultCode::ChangeDisabled(change.code);
            return Err(Misfit::Unreadable(Fault::new(code, change.path.clone(), change.offset)));
        }
        let (draft, faults) = coerce::coerce_all(draft, &call).map_err(Misfit::Unreadable)?;
        let parsed = strict(&draft).map_err(Misfit::Unreadable)?;
        if is_valid(&parsed, &draft.text, Some(self)) && faults.iter().all(|fault| is_seen(fault.code)) {
            if draft.text.len() > reading.max_args_bytes {
                return Err(Misfit::Unreadable(Fault::at(FaultCode::ArgsTooLarge, reading.max_args_bytes)));
            }
            let text = if draft.changes.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(draft.text) };
            return Ok(Aligned { text, changes: draft.changes });
        }
        let violations = self.explain(parsed.tape.root(&draft.text));
        Err(Misfit::Invalid { text: draft.text, violations, faults })
    }
}

/// The stages before the schema's.
fn read(text: &str, is_json: bool, call: &Call<'_>, schema: &Schema) -> Result<Draft, Fault> {
    let draft = if is_json { whole::read(text, call)? } else { whole::read_no_json(text, call)? };
    let parsed = strict(&draft)?;
    if draft.is_patched() {
        let place = coerce::Place::of(schema, &[schema.root()]);
        let at_end = draft.changes.iter().all(|change| change.code != Code::MismatchedCloser);
        if let Some(key) = coerce::misplaced(parsed.tape.root(&draft.text), place, at_end) {
            return Err(Fault::at(FaultCode::MisplacedMember, draft.origin(key.offset())));
        }
    }
    Ok(envelope::open(&draft, &parsed, call)?.unwrap_or(draft))
}

/// Whether validation sees by itself what this fault is about.
fn is_seen(code: FaultCode) -> bool {
    !matches!(code, FaultCode::AmbiguousKey | FaultCode::DuplicateKeyConflict | FaultCode::UnknownValue)
}

/// Whether there is a whole number that is written as integer types do not read it.
pub(super) fn has_odd_number(parsed: &Parsed, text: &str) -> bool {
    let is_odd = |number: &str| number == "-0" || json::number::is_integer(number);
    parsed.tape.numbers(text).any(|number| (!number.node().mark || number.text() == "-0") && is_odd(number.text()))
}
