//! Pi: names and fields of 0.73.1. It has no MCP of its own; its extensions register names as they like.

use super::{AcpWays, Harness, Tool, Toolset, command, directory, limit, line, name, path, pattern};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "pi",
    display: "Pi",
    aliases: &["pi_coding_agent"],
    mcp: &[],
    acp: AcpWays::NONE,
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "pi", tools: TOOLS };

static TOOLS: &[Tool] = &[
    // Models also write `file_path`.
    Tool::new(&[name("read")], Kind::Read).input(&[path(&["path", "file_path"]), line(&["offset"]), limit(&["limit"])]),
    Tool::new(&[name("write")], Kind::Write).input(&[path(&["path", "file_path"])]),
    Tool::new(&[name("edit")], Kind::Edit).input(&[path(&["path", "file_path"])]),
    Tool::new(&[name("bash")], Kind::Execute).input(&[command(&["command"])]),
    Tool::new(&[name("grep")], Kind::Search).input(&[pattern(&["pattern"]), path(&["path"])]),
    Tool::new(&[name("find")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("ls")], Kind::ListDir).input(&[directory(&["path"])]),
];
