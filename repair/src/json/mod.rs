//! Strict JSON text as a flat list of nodes, read once and then walked without looking at the text again.

pub(crate) mod equal;
mod keys;
mod lex;
pub(crate) mod number;
mod parse;
pub(crate) mod pointer;
mod tape;

pub(crate) use lex::end_of_plain;
pub(crate) use parse::{Limit, Limits, Parsed, Syntax, parse};
pub(crate) use tape::{Kind, Tape, Value};
