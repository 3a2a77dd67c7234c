//! Strict JSON text as a flat list of nodes, read once and then walked without looking at the text again.

pub(crate) mod equal;
mod keys;
mod lex;
mod limits;
mod list;
pub(crate) mod number;
mod parse;
pub(crate) mod pointer;
mod tape;

pub(crate) use lex::end_of_plain;
pub(crate) use limits::{Limit, Limits};
pub(crate) use parse::{Parsed, Syntax, parse};
pub(crate) use tape::{Kind, Tape, Value};

/// The text as a JSON string, quotes included.
pub(crate) fn quoted(text: &str) -> alloc::string::String {
    alloc::string::ToString::to_string(&serde_json::Value::from(text))
}
