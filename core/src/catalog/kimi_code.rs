//! Kimi Code (the TypeScript program): names and fields of wire protocol 1.4.

use super::{
    AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, cwd, description, directory, limit, line, name, path,
    pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "kimi_code",
    display: "Kimi Code",
    aliases: &["kimi"],
    mcp: &[McpNaming::Prefixed("mcp__", "__")],
    acp: AcpWays::NONE,
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "kimi_code", tools: TOOLS };

const FILE: &[Rule] = &[path(&["path"])];

static TOOLS: &[Tool] = &[
    // Files
    Tool::new(&[name("Read")], Kind::Read).input(&[path(&["path"]), line(&["line_offset"]), limit(&["n_lines"])]),
    Tool::new(&[name("ReadMediaFile")], Kind::Read).input(FILE),
    Tool::new(&[name("Write")], Kind::Write).input(FILE),
    Tool::new(&[name("Edit")], Kind::Edit).input(FILE),
    Tool::new(&[name("Glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("Grep")], Kind::Search).input(&[pattern(&["pattern"]), path(&["path"])]),
    // Commands
    Tool::new(&[name("Bash")], Kind::Execute).input(&[
        command(&["command"]),
        description(&["description"]),
        cwd(&["cwd"]),
    ]),
    // Subagents and background tasks
    Tool::new(&[name("Agent")], Kind::Task).input(&[description(&["description"])]),
    Tool::new(&[name("AgentSwarm")], Kind::Task).input(&[description(&["description"])]),
    Tool::new(&[name("TaskList")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("TaskOutput")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("TaskStop")], Kind::KillTaskAction),
    // Planning and people
    Tool::new(&[name("TodoList")], Kind::Plan),
    Tool::new(&[name("CreateGoal")], Kind::GoalUpdate),
    Tool::new(&[name("UpdateGoal")], Kind::GoalUpdate),
    Tool::new(&[name("EnterPlanMode")], Kind::EnterPlan),
    Tool::new(&[name("ExitPlanMode")], Kind::ExitPlan),
    Tool::new(&[name("AskUserQuestion")], Kind::AskUser),
    // The web
    Tool::new(&[name("FetchURL")], Kind::WebFetch),
    Tool::new(&[name("WebSearch")], Kind::WebSearch),
    // The rest
    Tool::new(&[name("Skill")], Kind::Skill),
    Tool::new(&[name("SelectTools")], Kind::SearchTool),
];
