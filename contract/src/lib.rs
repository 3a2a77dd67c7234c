#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod arguments;
pub mod config;
mod error;
pub mod schema;

pub use error::{ToolError, ToolErrorKind};
