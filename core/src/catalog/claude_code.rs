//! Claude Code: names and fields as of 2.1.197 (its published SDK types), older names from logs of 1.0 and 2.0.

use super::{Harness, McpNaming, Tool, Toolset, command, description, directory, limit, line, name, path, pattern};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "claude_code",
    display: "Claude Code",
    aliases: &["claude"],
    mcp: &[McpNaming::Prefixed("mcp__", "__")],
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "claude_code", tools: TOOLS };

static TOOLS: &[Tool] = &[
    Tool::new(&[name("Read")], Kind::Read).input(&[path(&["file_path"]), line(&["offset"]), limit(&["limit"])]),
    Tool::new(&[name("Write")], Kind::Write).input(&[path(&["file_path"])]),
    Tool::new(&[name("Edit")], Kind::Edit).input(&[path(&["file_path"])]),
    Tool::new(&[name("Bash")], Kind::Execute).input(&[command(&["command"]), description(&["description"])]),
    Tool::new(&[name("Glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("Agent").since("2.1"), name("Task").until("2.1")], Kind::Task)
        .input(&[description(&["description"])]),
    Tool::new(&[name("TaskOutput").since("2.0"), name("BashOutput").until("2.0")], Kind::BackgroundTaskAction)
        .read_only(true),
];
