#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod client;
mod result;
mod server;
mod watched;

pub use client::{McpClient, McpError, McpLimits, McpTools, Refused};
pub use result::McpOutput;
pub use rmcp;
pub use server::McpServer;
