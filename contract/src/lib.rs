#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod arguments;
pub mod config;
mod error;
mod json;
mod problem;
pub mod schema;

pub use error::{ToolError, ToolErrorKind};
pub use problem::{Category, Problem};
