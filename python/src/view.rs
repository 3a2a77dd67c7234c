//! Python's own objects, read in place: only the members that are asked for are touched.

use std::borrow::Cow;
use std::cell::RefCell;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toolprism::json::{JsonType, JsonView, MAX_DEPTH, Number};

use crate::error;

/// A dict of no more members is gone through once; in a larger one each member is looked up.
const FEW: usize = 16;

/// What is wrong with an object, found while it is read. From then on the object shows nothing.
#[derive(Default)]
pub(crate) struct Faults(RefCell<Option<PyErr>>);

impl Faults {
    /// Notes a fault; the first one counts.
    pub(crate) fn note(&self, fault: PyErr) {
        self.0.borrow_mut().get_or_insert(fault);
    }

    /// The result of a reading, unless there was a fault.
    pub(crate) fn or<T>(self, value: T) -> PyResult<T> {
        self.0.into_inner().map_or(Ok(value), Err)
    }

    fn is_some(&self) -> bool {
        self.0.borrow().is_some()
    }
}

/// One Python object as a JSON value.
#[derive(Clone)]
pub(crate) struct View<'a, 'py> {
    pub(crate) value: Bound<'py, PyAny>,
    faults: &'a Faults,
    depth: usize,
}

impl<'a, 'py> View<'a, 'py> {
    pub(crate) fn new(value: &Bound<'py, PyAny>, faults: &'a Faults) -> Self {
        View { value: value.clone(), faults, depth: 0 }
    }

    fn below(&self, value: Bound<'py, PyAny>) -> Self {
        View { value, faults: self.faults, depth: self.depth + 1 }
    }

    /// Notes what is wrong with the object.
    pub(crate) fn note(&self, fault: PyErr) {
        self.faults.note(fault);
    }

    /// Whether to look inside; what is nested too deeply, as an object in itself is, is a fault.
    pub(crate) fn may_enter(&self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.faults.note(error::plain(
                self.value.py(),
                "too_deep",
                "nested too deeply, or an object that holds itself",
            ));
        }
        !self.faults.is_some()
    }

    /// A member's name.
    pub(crate) fn key<'k>(&self, key: &'k Bound<'py, PyAny>) -> Option<Cow<'k, str>> {
        let name = key.cast::<PyString>().ok().map(|key| text(key));
        if name.is_none() {
            self.faults.note(PyTypeError::new_err(format!("a dict's keys must be str, not {}", type_name(key))));
        }
        name
    }

    /// A copy of the members, which stays as it is whatever becomes of the dict.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Bound<'py, PyAny>, Self)> {
        let dict = self.value.cast::<PyDict>().ok().filter(|_| self.may_enter());
        let items = dict.map(PyDictMethods::items).into_iter().flatten();
        items.map_while(|item| Some((item.get_item(0).ok()?, self.below(item.get_item(1).ok()?))))
    }
}

impl JsonView for View<'_, '_> {
    fn json_type(&self) -> JsonType {
        let value = &self.value;
        if value.is_instance_of::<PyString>() {
            JsonType::String
        } else if value.is_instance_of::<PyDict>() {
            JsonType::Object
        } else if value.is_none() {
            JsonType::Null
        } else if value.is_instance_of::<PyBool>() {
            JsonType::Bool
        } else if value.is_instance_of::<PyInt>() {
            JsonType::Number
        } else if let Ok(number) = value.cast::<PyFloat>() {
            if !number.value().is_finite() {
                let fault = format!("JSON has no number {}", number.value());
                self.faults.note(error::plain(value.py(), "not_json", &fault));
            }
            JsonType::Number
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            JsonType::Array
        } else {
            let fault =
                format!("{} has no form in JSON: give dict, list, str, int, float, bool or None", type_name(value));
            self.faults.note(PyTypeError::new_err(fault));
            JsonType::Null
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        let dict = self.value.cast::<PyDict>().ok().filter(|_| self.may_enter())?;
        match dict.get_item(key) {
            Ok(found) => found.map(|value| self.below(value)),
            Err(fault) => {
                self.faults.note(fault);
                None
            }
        }
    }

    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        let Some(dict) = self.value.cast::<PyDict>().ok().filter(|_| self.may_enter()) else { return };
        if dict.len() > FEW {
            for (slot, key) in out.iter_mut().zip(keys) {
                *slot = self.get(key);
            }
            return;
        }
        // Nothing in here runs Python code, so the dict stays as it is.
        for (key, value) in dict.iter() {
            let Some(name) = self.key(&key) else { return };
            let at = keys.iter().position(|key| *key == name);
            if let Some(slot) = at.and_then(|at| out.get_mut(at)) {
                *slot = Some(self.below(value));
            }
        }
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        self.value.cast::<PyString>().ok().map(|value| text(value))
    }

    fn as_number(&self) -> Option<Number> {
        let value = &self.value;
        if let Ok(number) = value.cast::<PyFloat>() {
            return Some(Number::Float(number.value()));
        }
        if value.is_instance_of::<PyBool>() || !value.is_instance_of::<PyInt>() {
            return None;
        }
        if let Ok(number) = value.extract() {
            return Some(Number::Int(number));
        }
        if let Ok(number) = value.extract() {
            return Some(Number::UInt(number));
        }
        let number = value.extract().map(Number::Float);
        if number.is_err() {
            self.faults.note(error::plain(value.py(), "not_json", "an int is too large for a number in JSON"));
        }
        number.ok()
    }

    fn as_bool(&self) -> Option<bool> {
        self.value.cast::<PyBool>().ok().map(PyBoolMethods::is_true)
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let inside = Some(&self.value).filter(|value| !value.is_instance_of::<PyString>() && self.may_enter());
        let list = inside.and_then(|value| value.cast::<PyList>().ok());
        let tuple = inside.and_then(|value| value.cast::<PyTuple>().ok());
        let item = move |at: usize| match (list, tuple) {
            (Some(list), _) => list.get_item(at).ok(),
            (_, Some(tuple)) => tuple.get_item(at).ok(),
            _ => None,
        };
        (0..).map_while(move |at| item(at).filter(|_| !self.faults.is_some())).map(|value| self.below(value))
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        self.pairs().map_while(|(key, value)| Some((Cow::Owned(self.key(&key)?.into_owned()), value)))
    }

    fn to_text(&self) -> String {
        let mut out = String::new();
        crate::write::value(self, &mut out);
        out
    }

    fn is_blank(&self) -> bool {
        self.value.is_none() || self.value.cast::<PyDict>().is_ok_and(|dict| dict.is_empty())
    }
}

/// A text; a lone surrogate reads as U+FFFD, as it does in JSON text.
fn text<'t>(text: &'t Bound<'_, PyString>) -> Cow<'t, str> {
    if let Ok(text) = text.to_str() {
        return Cow::Borrowed(text);
    }
    let units = utf16(text).unwrap_or_default();
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// The UTF-16 units of a text that is no UTF-8.
pub(crate) fn utf16(text: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    Ok(bytes.chunks(2).map(|unit| unit.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte))).collect())
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().fully_qualified_name().map_or_else(|_| "this".into(), |name| name.to_string())
}
