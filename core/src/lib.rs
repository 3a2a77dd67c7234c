#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

/// The examples of the documentation, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/partial.md")]
mod docs {}

mod call;
pub mod catalog;
mod event;
mod groups;
mod identity;
mod input;
pub mod json;
mod kind;
mod ledger;
pub mod meta;
mod namespace;
pub mod output;
pub mod partial;
mod projection;
pub mod readers;
mod runs;
#[cfg(feature = "schema")]
mod schema;
mod sentence;
pub mod sources;
pub mod stamping;
mod summary;
pub mod wire;

pub use call::{Flag, Flags, ToolCall};
pub use event::{Change, MergeRules, Phase, Place, Status, ToolCallEvent, TurnEnd};
pub use groups::{Group, GroupBy, Groups};
pub use identity::{Call, Evidence, Identity, McpTool, identify};
pub use input::{CanonicalInput, Field, Growing, Input};
pub use kind::{AcpKind, Kind, Tense, WireKind, Wording, writing_tool_kind};
pub use ledger::CallLedger;
pub use meta::{CanonicalToolMeta, META_KEY};
pub use namespace::{Namespace, WireNamespace};
pub use partial::PartialInput;
pub use projection::project_with;
pub use runs::{Run, Runs};
#[cfg(feature = "schema")]
pub use schema::tool_meta_json_schema;
pub use sentence::summary_line;
pub use summary::{MOST_PATHS, Summary};
