#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod arguments;
mod cancel;
mod compact;
pub mod config;
mod context;
mod delta;
mod dispatch;
mod dynamic;
mod error;
mod guard;
mod json;
mod names;
mod output;
mod problem;
mod progress;
mod registry;
mod rename;
pub mod schema;
mod stream;
mod template;
#[cfg(test)]
mod testing;
mod tool;
mod update;
mod usual;

pub use cancel::{CancelToken, Cancelled};
pub use context::{CallContext, Extensions, ListContext};
pub use delta::{Delta, Deltas, MAX_DELTA_BYTES};
pub use dispatch::{CallOptions, CallRequest, Dispatch, Outcome};
pub use dynamic::DynamicTool;
pub use error::{ToolError, ToolErrorKind};
pub use names::{MAX_NAME, NameError, QualifiedName, check_name};
pub use output::{MAX_OUTPUT_DEPTH, Output, ToolContent, ToolOutput, Truncation};
pub use problem::{Category, Problem};
pub use progress::{ContentBlock, Progress, TextResource};
pub use registry::{ListedTool, Listing, Registry, RegistryError, RegistryFault, ToolConfig};
pub use rename::{ParameterError, ParameterFault};
pub use stream::{Feed, PROGRESS_BUFFER, ProgressSender, StreamClosed, StreamItem, ToolStream};
pub use template::{MAX_TEMPLATE_DEPTH, Names, Template, TemplateError};
pub use tool::{DynTool, NoArgs, Tool, ToolMetadata};
pub use update::{Content, PROGRESS_KEY, Raw, RawOutput, Status, Title, Update, UpdateMeta};
