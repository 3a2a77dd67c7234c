//! Genuine agents behind `toolprism acp-proxy`: installed from npm, with a scripted model on the loopback.

use std::env::consts::EXE_SUFFIX;
use std::process::Command;

use crate::Result;
use crate::npm::{copy_all, tools};
use crate::process::{cargo, root, run, target_dir};

/// The official SDK, and a validator of schemas.
const CLIENT: [&str; 2] = ["@agentclientprotocol/sdk@2.4.0", "ajv@8.20.0"];

/// The agents, by their names in `cli/tests/agents`.
const AGENTS: [(&str, &str); 3] = [
    ("opencode", "opencode-ai@1.18.33"),
    ("gemini", "@google/gemini-cli@0.61.0"),
    ("qwen", "@qwen-code/qwen-code@0.15.10"),
];

/// Those that every change is tried with.
const USUAL: usize = 2;

/// Runs the tests in `cli/tests/agents`; `all` of the agents, or only the usual ones.
pub(crate) fn test(all: bool) -> Result {
    run(cargo(["build", "--quiet", "-p", "toolprism-cli"]))?;
    let agents = AGENTS.get(..if all { AGENTS.len() } else { USUAL }).unwrap_or_default();
    let packages: Vec<&str> = CLIENT.into_iter().chain(agents.iter().map(|(_, package)| *package)).collect();
    let folder = tools(if all { "agents" } else { "usual-agents" }, &packages)?;
    copy_all(&root().join("cli/tests/agents"), &folder)?;
    let names: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", "agents.test.mjs"]).current_dir(&folder);
    node.env("TOOLPRISM", target_dir()?.join("debug").join(format!("toolprism{EXE_SUFFIX}")));
    node.env("TOOLPRISM_ROOT", root()).env("AGENTS", names.join(","));
    run(node)
}
