//! Kimi CLI (the Python program, no longer developed): names and fields of 1.52.0, older names from its sources. It gives
//! MCP tools their bare names.

use super::{AcpWays, Harness, Rule, Tool, Toolset, command, description, directory, limit, line, name, path, pattern};
use crate::kind::Kind;

pub(super) static HARNESS: Harness =
    Harness { id: "kimi_cli", display: "Kimi CLI", aliases: &[], mcp: &[], acp: AcpWays::NONE, toolsets: &[&TOOLSET] };

static TOOLSET: Toolset = Toolset { namespace: "kimi_cli", tools: TOOLS };

const FILE: &[Rule] = &[path(&["path"])];

static TOOLS: &[Tool] = &[
    // Files; a negative `line_offset` counts from the end
    Tool::new(&[name("ReadFile")], Kind::Read).input(&[path(&["path"]), line(&["line_offset"]), limit(&["n_lines"])]),
    Tool::new(&[name("ReadMediaFile")], Kind::Read).input(FILE),
    Tool::new(&[name("WriteFile")], Kind::Write).input(FILE),
    Tool::new(&[name("StrReplaceFile")], Kind::Edit).input(FILE),
    Tool::new(&[name("PatchFile").until("0.4")], Kind::Edit).input(FILE),
    Tool::new(&[name("Glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["directory", "path"])]),
    Tool::new(&[name("Grep")], Kind::Search).input(&[pattern(&["pattern"]), path(&["path"])]),
    // Commands
    Tool::new(&[name("Shell"), name("Bash"), name("CMD")], Kind::Execute)
        .input(&[command(&["command"]), description(&["description"])]),
    // Subagents and background tasks
    Tool::new(&[name("Agent"), name("Task")], Kind::Task).input(&[description(&["description"])]),
    Tool::new(&[name("TaskList")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("TaskOutput")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("TaskStop")], Kind::KillTaskAction),
    Tool::new(&[name("SendDMail")], Kind::Other),
    // Planning and people
    Tool::new(&[name("SetTodoList")], Kind::Plan),
    Tool::new(&[name("EnterPlanMode")], Kind::EnterPlan),
    Tool::new(&[name("ExitPlanMode")], Kind::ExitPlan),
    Tool::new(&[name("AskUserQuestion")], Kind::AskUser),
    Tool::new(&[name("Think")], Kind::Other).read_only(true),
    // The web
    Tool::new(&[name("FetchURL")], Kind::WebFetch),
    Tool::new(&[name("SearchWeb")], Kind::WebSearch),
];
