//! Grok Build: names, fields and read-only flags as of September 2026.
//!
//! Its presets mix namespaces (the default one offers `write` of `opencode`), so all five toolsets are its own. Where the
//! reference projects, the rules here give the same; the other tools go beyond it.

use super::codex::TOOLSET as CODEX;
use super::opencode::TOOLSET as OPENCODE;
use super::{
    AcpName, AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, cwd, description, directory, limit, line, name,
    path, pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "grok_build",
    display: "Grok Build",
    aliases: &["grok", "grok_cli"],
    mcp: &[McpNaming::Joined("__")],
    acp: AcpWays::NONE.name(AcpName::Title),
    toolsets: &[&TOOLSET, &CONCISE, &HASHLINE, &CODEX, &OPENCODE],
};

static TOOLSET: Toolset = Toolset { namespace: "grok_build", tools: TOOLS };
static CONCISE: Toolset = Toolset { namespace: "grok_build_concise", tools: CONCISE_TOOLS };
static HASHLINE: Toolset = Toolset { namespace: "grok_build_hashline", tools: HASHLINE_TOOLS };

const READ: &[Rule] = &[path(&["target_file"]).verbatim(), line(&["offset"]), limit(&["limit"])];
const FILE: &[Rule] = &[path(&["file_path"]).verbatim()];
const GREP: &[Rule] = &[pattern(&["pattern"]).verbatim(), path(&["path"]).verbatim()];
const RUN: &[Rule] = &[command(&["command"]).verbatim(), description(&["description"]).verbatim()];

static TOOLS: &[Tool] = &[
    // Files and the shell
    Tool::new(&[name("read_file")], Kind::Read).input(READ).variants(&["ReadFile"]),
    Tool::new(&[name("search_replace")], Kind::Edit).input(FILE).variants(&["SearchReplace"]),
    Tool::new(&[name("list_dir")], Kind::List)
        .input(&[directory(&["target_directory"]).verbatim()])
        .variants(&["ListDir"]),
    Tool::new(&[name("grep")], Kind::Search).input(GREP).variants(&["Grep"]),
    Tool::new(&[name("run_terminal_command"), name("run_terminal_cmd")], Kind::Execute).input(RUN).variants(&["Bash"]),
    Tool::new(&[name("lsp")], Kind::Lsp).input(&[path(&["file_path"])]).variants(&["Lsp"]),
    Tool::new(&[name("monitor")], Kind::Monitor)
        .input(&[command(&["command"]), description(&["description"])])
        .variants(&["Monitor"]),
    // Subagents and background tasks
    Tool::new(&[name("spawn_subagent"), name("task"), name("Task")], Kind::Task)
        .input(&[description(&["description"]), cwd(&["cwd"])])
        .variants(&["Task"]),
    Tool::new(&[name("send_subagent_message")], Kind::ActiveAgentMessage).variants(&["SendSubagentMessage"]),
    Tool::new(
        &[
            name("get_command_or_subagent_output"),
            name("get_task_or_subagent_output"),
            name("get_task_output"),
            name("get_terminal_command_output"),
        ],
        Kind::BackgroundTaskAction,
    )
    .read_only(true)
    .variants(&["TaskOutput"]),
    Tool::new(
        &[name("wait_commands_or_subagents"), name("wait_tasks_or_subagents"), name("wait_tasks")],
        Kind::WaitTasksAction,
    )
    .read_only(true)
    .variants(&["WaitTasks"]),
    Tool::new(
        &[
            name("kill_command_or_subagent"),
            name("kill_task_or_subagent"),
            name("kill_task"),
            name("kill_terminal_command"),
        ],
        Kind::KillTaskAction,
    )
    .variants(&["KillTask"]),
    // Planning and people
    Tool::new(&[name("todo_write")], Kind::Plan).variants(&["TodoWrite"]),
    Tool::new(&[name("enter_plan_mode")], Kind::EnterPlan).variants(&["EnterPlanMode"]),
    Tool::new(&[name("exit_plan_mode")], Kind::ExitPlan).variants(&["ExitPlanMode"]),
    Tool::new(&[name("ask_user_question")], Kind::AskUser).variants(&["AskUserQuestion"]),
    Tool::new(&[name("update_goal")], Kind::GoalUpdate).variants(&["UpdateGoal"]),
    Tool::new(&[name("workflow")], Kind::Workflow).variants(&["Workflow"]),
    Tool::new(&[name("send_feedback")], Kind::Feedback).variants(&["SendFeedback"]),
    // The web; X search runs on the server and is never stamped
    Tool::new(&[name("web_search")], Kind::WebSearch).variants(&["WebSearch"]),
    Tool::new(&[name("x_search")], Kind::WebSearch).variants(&["XSearch"]),
    Tool::new(&[name("web_fetch")], Kind::WebFetch).variants(&["WebFetch"]),
    // Memory
    Tool::new(&[name("memory_search")], Kind::MemorySearch).variants(&["MemorySearch"]),
    Tool::new(&[name("memory_get")], Kind::MemoryGet)
        .input(&[path(&["path"]), line(&["from"]), limit(&["lines"])])
        .variants(&["MemoryGet"]),
    // Tools by tools
    Tool::new(&[name("search_tool")], Kind::SearchTool).variants(&["SearchTool"]),
    Tool::new(&[name("use_tool")], Kind::UseTool).variants(&["UseTool"]),
    // Media and apps
    Tool::new(&[name("image_gen")], Kind::ImageGen).variants(&["ImageGen"]),
    Tool::new(&[name("image_edit")], Kind::ImageGen).variants(&["ImageEdit"]),
    Tool::new(&[name("image_to_video")], Kind::ImageToVideo).variants(&["ImageToVideo"]),
    Tool::new(&[name("reference_to_video")], Kind::ReferenceToVideo).variants(&["ReferenceToVideo"]),
    Tool::new(&[name("init_or_update_app")], Kind::InitOrUpdateApp),
    // Schedules: even listing them counts as writing there
    Tool::new(&[name("scheduler_create")], Kind::Other).variants(&["SchedulerCreate"]),
    Tool::new(&[name("scheduler_delete")], Kind::Other).variants(&["SchedulerDelete"]),
    Tool::new(&[name("scheduler_list")], Kind::Other).variants(&["SchedulerList"]),
];

static CONCISE_TOOLS: &[Tool] = &[
    Tool::new(&[name("read_file")], Kind::Read).input(READ).variants(&["ReadFile"]),
    Tool::new(&[name("search_replace")], Kind::Edit).input(FILE).variants(&["SearchReplace"]),
    Tool::new(&[name("run_terminal_cmd")], Kind::Execute).input(RUN).variants(&["Bash"]),
];

static HASHLINE_TOOLS: &[Tool] = &[
    Tool::new(&[name("hashline_read")], Kind::Read).input(READ).variants(&["ReadFile"]),
    Tool::new(&[name("hashline_edit")], Kind::Edit).input(FILE).variants(&["HashlineEdit"]),
    Tool::new(&[name("hashline_grep")], Kind::Search).input(GREP).variants(&["Grep"]),
];
