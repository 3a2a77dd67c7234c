#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

/// The examples of the documentation, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/contract.md")]
mod docs {}

mod client;
mod result;
mod server;
mod watched;

pub use client::{McpClient, McpError, McpLimits, McpTools, Refused};
pub use result::McpOutput;
pub use rmcp;
pub use server::McpServer;
