//! Python's objects as JSON text: integers of any size and lone surrogates are kept as they are.

use std::fmt::Write as _;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use toolprism::json::{JsonType, JsonView};

use crate::error;
use crate::view::{Faults, View, utf16};

/// An object as JSON text.
pub(crate) fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let faults = Faults::default();
    let text = View::new(value, &faults).to_text();
    faults.or(text)
}

pub(crate) fn value(view: &View<'_, '_>, out: &mut String) {
    match view.json_type() {
        JsonType::Null => out.push_str("null"),
        JsonType::Bool => out.push_str(if view.as_bool() == Some(true) { "true" } else { "false" }),
        JsonType::Number => number(view, out),
        JsonType::String => string(&view.value, out),
        JsonType::Array => {
            out.push('[');
            for (at, item) in view.items().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                value(&item, out);
            }
            out.push(']');
        }
        JsonType::Object => {
            out.push('{');
            for (at, (key, member)) in view.pairs().enumerate() {
                if view.key(&key).is_none() || !view.may_enter() {
                    return;
                }
                out.push_str(if at > 0 { "," } else { "" });
                string(&key, out);
                out.push(':');
                value(&member, out);
            }
            out.push('}');
        }
    }
}

fn number(view: &View<'_, '_>, out: &mut String) {
    let number = &view.value;
    // By the type itself, so that an enum's members are written as their numbers.
    let class = if number.is_instance_of::<PyInt>() { "int" } else { "float" };
    let builtins = number.py().import(intern!(number.py(), "builtins"));
    let text =
        builtins.and_then(|module| module.getattr(class)?.call_method1("__repr__", (number,))?.extract::<String>());
    match text {
        Ok(text) => out.push_str(&text),
        Err(_) => view.note(error::plain(number.py(), "not_json", "an int has too many digits")),
    }
}

fn string(text: &Bound<'_, PyAny>, out: &mut String) {
    let Ok(text) = text.cast::<PyString>() else { return };
    out.push('"');
    match text.to_str() {
        Ok(text) => text.chars().for_each(|c| character(c, out)),
        Err(_) => {
            for unit in char::decode_utf16(utf16(text).unwrap_or_default()) {
                match unit {
                    Ok(c) => character(c, out),
                    Err(lone) => escape(lone.unpaired_surrogate(), out),
                }
            }
        }
    }
    out.push('"');
}

fn character(c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\0'..='\x1f' => escape(c as u16, out),
        _ => out.push(c),
    }
}

fn escape(unit: u16, out: &mut String) {
    // Writing to a String does not fail.
    let _ = write!(out, "\\u{unit:04x}");
}
