//! The MCP bridge beside the official SDK.

use std::process::Command;

use crate::Result;
use crate::npm::{copy_all, tools};
use crate::process::{cargo, root, run, target_dir};

const SDK: [&str; 2] = ["@modelcontextprotocol/sdk@1.32.2", "zod@4.6.7"];

/// Runs the tests in `contract/mcp/tests/sdk`.
pub(crate) fn test() -> Result {
    run(cargo(["build", "--quiet", "-p", "toolprism-mcp", "--examples"]))?;
    let folder = tools("mcp", &SDK)?;
    copy_all(&root().join("contract/mcp/tests/sdk"), &folder)?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=dot", "sdk.test.mjs"]).current_dir(&folder);
    node.env("EXAMPLES", target_dir()?.join("debug/examples"));
    run(node)
}
