//! Claude Code: names and fields as of 2.1.197 (its published SDK types), older names from logs of 1.0 and 2.0.

use super::{
    AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, description, directory, limit, line, name, path, pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "claude_code",
    display: "Claude Code",
    aliases: &["claude", "claude_code_acp", "claude_agent_acp"],
    // A plugin's server is `plugin_<plugin>_<server>`.
    mcp: &[McpNaming::Prefixed("mcp__", "__")],
    acp: AcpWays { mark: Some("claudeCode"), ..AcpWays::NONE },
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "claude_code", tools: TOOLS };

const FILE: &[Rule] = &[path(&["file_path"])];
const NOTEBOOK: &[Rule] = &[path(&["notebook_path"])];
const RUN: &[Rule] = &[command(&["command"]), description(&["description"])];

static TOOLS: &[Tool] = &[
    // Files
    Tool::new(&[name("Read")], Kind::Read).input(&[path(&["file_path"]), line(&["offset"]), limit(&["limit"])]),
    Tool::new(&[name("Write")], Kind::Write).input(FILE),
    Tool::new(&[name("Edit")], Kind::Edit).input(FILE),
    Tool::new(&[name("MultiEdit").until("2.1")], Kind::Edit).input(FILE),
    Tool::new(&[name("NotebookRead").until("2.0")], Kind::Read).input(NOTEBOOK),
    Tool::new(&[name("NotebookEdit")], Kind::Edit).input(NOTEBOOK),
    Tool::new(&[name("Glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("LS").until("2.1")], Kind::ListDir).input(&[directory(&["path"])]),
    // Grep's `offset` counts results, not lines.
    Tool::new(&[name("Grep")], Kind::Search).input(&[pattern(&["pattern"]), path(&["path"])]),
    Tool::new(&[name("LSP")], Kind::Lsp).input(&[path(&["filePath"])]),
    // Commands
    Tool::new(&[name("Bash")], Kind::Execute).input(RUN),
    Tool::new(&[name("PowerShell")], Kind::Execute).input(RUN),
    Tool::new(&[name("REPL")], Kind::Execute).input(&[command(&["code"]), description(&["description"])]),
    Tool::new(&[name("Monitor")], Kind::Monitor).input(RUN),
    // Subagents and background tasks
    Tool::new(&[name("Agent").since("2.1"), name("Task").until("2.1")], Kind::Task)
        .input(&[description(&["description"])]),
    Tool::new(
        &[name("TaskOutput").since("2.0"), name("BashOutput").until("2.0"), name("AgentOutputTool").until("2.1")],
        Kind::BackgroundTaskAction,
    )
    .read_only(true),
    Tool::new(
        &[name("TaskStop").since("2.0"), name("KillShell").until("2.0"), name("KillBash").until("2.0")],
        Kind::KillTaskAction,
    ),
    // Planning and people
    Tool::new(&[name("TodoWrite")], Kind::Plan),
    Tool::new(&[name("TaskCreate")], Kind::Plan),
    Tool::new(&[name("TaskUpdate")], Kind::Plan),
    Tool::new(&[name("TaskGet")], Kind::Plan).read_only(true),
    Tool::new(&[name("TaskList")], Kind::Plan).read_only(true),
    Tool::new(&[name("EnterPlanMode")], Kind::EnterPlan),
    Tool::new(&[name("ExitPlanMode"), name("exit_plan_mode").until("2.0")], Kind::ExitPlan),
    Tool::new(&[name("AskUserQuestion")], Kind::AskUser),
    Tool::new(&[name("SendMessage")], Kind::Other),
    Tool::new(&[name("PushNotification")], Kind::Other),
    // The web
    Tool::new(&[name("WebFetch")], Kind::WebFetch),
    Tool::new(&[name("WebSearch")], Kind::WebSearch),
    // Skills, workflows, tools by tools
    Tool::new(&[name("Skill")], Kind::Skill),
    Tool::new(&[name("SlashCommand").until("2.1")], Kind::Skill),
    Tool::new(&[name("Workflow")], Kind::Workflow),
    Tool::new(&[name("ToolSearch")], Kind::SearchTool),
    Tool::new(&[name("ListMcpResourcesTool"), name("ListMcpResources")], Kind::Other).read_only(true),
    Tool::new(&[name("ReadMcpResourceTool"), name("ReadMcpResource"), name("ReadMcpResourceDir")], Kind::Other)
        .read_only(true),
    // Schedules
    Tool::new(&[name("CronCreate")], Kind::Other),
    Tool::new(&[name("CronDelete")], Kind::Other),
    Tool::new(&[name("CronList")], Kind::Other).read_only(true),
    Tool::new(&[name("ScheduleWakeup")], Kind::Other),
    Tool::new(&[name("RemoteTrigger")], Kind::Other),
    // The rest
    Tool::new(&[name("Artifact")], Kind::Other).input(FILE),
    Tool::new(&[name("EnterWorktree")], Kind::Other),
    Tool::new(&[name("ExitWorktree")], Kind::Other),
    Tool::new(&[name("Projects")], Kind::Other),
    Tool::new(&[name("ReportFindings")], Kind::Other),
    Tool::new(&[name("StructuredOutput")], Kind::Other),
];
