//! Texts that mean another type, and scalars that are wanted as text.

use alloc::string::String;
use alloc::vec::Vec;

use super::place::Place;
use super::{Draft, Walk};
use crate::Code;
use crate::guarded::syntax::is_space;
use crate::guarded::{Fault, FaultCode, whole};
use crate::json::{self, Kind, Limits, Value, number};
use crate::names;
use crate::schema::Types;

impl Walk<'_, '_> {
    /// A string where strings are taken.
    pub(super) fn string(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        if place.accepts(value) {
            self.copy(value);
            return Ok(());
        }
        let listed = place.listed();
        let text = value.str();
        let spelt = names::spelling(&text);
        let mut same: Vec<_> = listed.iter().filter(|other| names::spelling(other) == spelt).collect();
        same.dedup();
        match same[..] {
            [one] => {
                let spelt = json::quoted(one);
                if place.accepts_text(&spelt) {
                    self.change(Code::EnumCase, value)?;
                    self.out.anchor(self.from.origin(value.offset()));
                    self.out.text.push_str(&spelt);
                    return Ok(());
                }
                self.fault(FaultCode::SchemaMismatch, value)
            }
            _ => self.fault(place.mismatch(), value),
        }
    }

    /// A string where none is taken: the text of something that is.
    pub(super) fn text_of_other_type(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        if self.is_bare(value) {
            return self.fault(FaultCode::TypeMismatch, value);
        }
        let whole = value.str();
        let text = whole.trim_matches(is_space);
        if let Some((code, json)) = self.scalar(&whole, place) {
            if place.types.has(Types::ARRAY) && place.element(0).takes(value) {
                return self.fault(FaultCode::TypeMismatch, value);
            }
            self.change(code, value)?;
            self.out.anchor(self.from.origin(value.offset()));
            self.out.text.push_str(&json);
            return Ok(());
        }
        let (code, opens) = if text.starts_with('[') && place.types.has(Types::ARRAY) {
            (Code::StringToArray, true)
        } else {
            (Code::StringToObject, text.starts_with('{') && place.types.has(Types::OBJECT))
        };
        if opens {
            return self.json_text(code, text, value, place);
        }
        // Text with commas or lines may be one element or several, and no text may be none.
        let one = !text.is_empty() && !text.contains([',', '\n', ';']) && !text.starts_with(['[', '{']);
        if place.types.has(Types::ARRAY) && one {
            return self.wrap_text(value, place);
        }
        self.fault(FaultCode::TypeMismatch, value)
    }

    fn wrap_text(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        self.wrapped(value, |walk| {
            let element = place.element(0);
            if element.takes(value) {
                return walk.string(value, &element);
            }
            let Some((code, json)) = walk.scalar(&value.str(), &element) else {
                return walk.fault(FaultCode::TypeMismatch, value);
            };
            walk.change(code, value)?;
            walk.out.text.push_str(&json);
            Ok(())
        })
    }

    /// An array or object that was encoded once more.
    fn json_text(&mut self, code: Code, text: &str, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        let offset = self.from.origin(value.offset());
        let path = self.path.clone();
        let here = |fault: Fault| fault.inside_string(&path, offset);
        let inner = whole::container(text, &self.call.inside()).map_err(here)?.inside_string(code, offset)?;
        // Without quotes `[a-z]` is no list of words.
        if inner.has_marks() {
            return self.fault(FaultCode::TypeMismatch, value);
        }
        let parsed = super::super::strict(&inner).map_err(here)?;
        let may_copy = parsed.duplicate.is_none();
        let mut walk = Walk {
            from: &inner,
            call: self.call,
            path: path.clone(),
            out: Draft::default(),
            tries: self.tries,
            may_copy,
            is_single: may_copy,
            noted: None,
        };
        walk.value(parsed.tape.root(&inner.text), Some(place))?;
        let (written, tries) = (walk.out, walk.tries);
        self.tries = tries;
        self.out.anchor(offset);
        self.out.text.push_str(&written.text);
        let changes =
            inner.changes.into_iter().map(|change| crate::Change { path: path.clone() + &change.path, ..change });
        self.out.changes.extend(changes.chain(written.changes));
        Ok(())
    }

    /// A number or boolean where text is wanted: its own characters.
    pub(super) fn scalar_to_string(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        // A text has the characters that came; those of `+48` or `True` are gone.
        if self.from.is_respelt(value.offset()) {
            return self.fault(FaultCode::TypeMismatch, value);
        }
        let code = if value.kind() == Kind::Number { Code::NumberToString } else { Code::BoolToString };
        let mut text = String::from("\"");
        text.push_str(value.text());
        text.push('"');
        if !place.accepts_text(&text) {
            return self.fault(FaultCode::TypeMismatch, value);
        }
        self.change(code, value)?;
        self.out.anchor(self.from.origin(value.offset()));
        self.out.text.push_str(&text);
        Ok(())
    }
}

impl Walk<'_, '_> {
    /// The scalar that a text spells, if the place takes it.
    fn scalar(&self, whole: &str, place: &Place<'_>) -> Option<(Code, String)> {
        let lenient = self.call.lenient.is_some();
        let text = whole.trim_matches(is_space);
        let (code, json) = match text {
            "true" | "True" | "TRUE" => (Code::StringToBool, "true"),
            "false" | "False" | "FALSE" => (Code::StringToBool, "false"),
            "null" | "None" => (Code::StringToNull, "null"),
            // Space around a number is no part of one.
            _ if is_finite_number(text) && !(lenient && text.len() < whole.len()) => (Code::StringToNumber, text),
            _ => return word(whole).filter(|_| lenient).filter(|(code, json)| self.fits(*code, json, place)),
        };
        if self.fits(code, json, place) {
            let digits = if code == Code::StringToNumber { self.whole_number(json, place) } else { None };
            return Some((code, digits.unwrap_or_else(|| json.into())));
        }
        word(whole).filter(|_| lenient).filter(|(code, json)| self.fits(*code, json, place))
    }

    fn fits(&self, code: Code, json: &str, place: &Place<'_>) -> bool {
        self.may(code) && place.accepts_text(json)
    }

    /// The digits of a number that is to be whole, where it is written in another way.
    fn whole_number(&self, text: &str, place: &Place<'_>) -> Option<String> {
        let wanted = self.call.lenient.is_some() && !place.types.has(Types::NUMBER);
        (wanted && is_odd(text)).then(|| number::whole_digits(text)).flatten()
    }

    /// A number where numbers are taken; only the further rules have a look at how it is written.
    pub(super) fn number(&mut self, value: Value<'_>, place: &Place<'_>) -> Result<(), Fault> {
        if !place.accepts(value) {
            return self.fault(place.mismatch(), value);
        }
        let digits = self.whole_number(value.text(), place).filter(|_| self.may(Code::WholeNumber));
        let Some(digits) = digits else {
            self.copy(value);
            return Ok(());
        };
        self.change(Code::WholeNumber, value)?;
        self.out.anchor(self.from.origin(value.offset()));
        self.out.text.push_str(&digits);
        Ok(())
    }

    /// Whether a number can only be meant as a boolean.
    pub(super) fn is_bool_digit(&self, value: Value<'_>, place: &Place<'_>) -> bool {
        place.types.has(Types::BOOLEAN)
            && !place.types.meets(Types::STRING.with(Types::ARRAY))
            && matches!(value.text(), "1" | "0")
            && self.fits(Code::NumberToBool, if value.text() == "1" { "true" } else { "false" }, place)
    }
}

/// Whether a number is written as integer types do not read it.
pub(in crate::guarded) fn is_odd(text: &str) -> bool {
    text == "-0" || text.contains(['.', 'e', 'E'])
}

/// The boolean that a word stands for.
fn word(text: &str) -> Option<(Code, String)> {
    let text = text.trim();
    let is = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(["true", "yes", "1"]) {
        Some((Code::WordToBool, "true".into()))
    } else if is(["false", "no", "0"]) {
        Some((Code::WordToBool, "false".into()))
    } else {
        None
    }
}

fn is_finite_number(text: &str) -> bool {
    json::parse(text, &Limits::depth(0)).is_ok_and(|parsed| {
        let root = parsed.tape.root(text);
        root.kind() == Kind::Number && root.text() == text && number::is_finite(text)
    })
}
