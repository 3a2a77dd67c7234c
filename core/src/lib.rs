#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod catalog;
mod identity;
mod input;
pub mod json;
mod kind;
pub mod meta;
mod namespace;
mod projection;
#[cfg(feature = "schema")]
mod schema;

pub use identity::{Call, Evidence, Identity, McpTool, identify};
pub use input::{CanonicalInput, Field, Input};
pub use kind::{AcpKind, Kind, Tense, WireKind, Wording, writing_tool_kind};
pub use meta::{CanonicalToolMeta, META_KEY};
pub use namespace::{Namespace, WireNamespace};
#[cfg(feature = "schema")]
pub use schema::tool_meta_json_schema;
