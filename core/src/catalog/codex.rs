//! Codex CLI: names and fields of 0.22, 0.45, 0.80, 0.128 and 0.171, and the toolset that Grok Build offers under the
//! namespace `codex`.
//!
//! Beside functions there are the types of items that have no name: of the rollout (`local_shell_call`), of
//! `exec --json` (`command_execution`) and of older events (`patch_apply`).

use super::{
    AcpWays, Harness, McpNaming, Refine, Rule, Tool, Toolset, argv, command, cwd, cwd_uri, description, directory,
    first_path, least_key, limit, line, name, patch_path, path, pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "codex",
    display: "Codex CLI",
    aliases: &["codex_acp", "openai_codex"],
    mcp: &[McpNaming::Prefixed("mcp__", "__"), McpNaming::Joined("__")],
    acp: AcpWays::NONE,
    toolsets: &[&TOOLSET],
};

pub(super) static TOOLSET: Toolset = Toolset { namespace: "codex", tools: TOOLS };

const RUN: &[Rule] = &[argv(&["cmd", "command"]), cwd(&["workdir", "cwd"])];
const CHANGES: &[Rule] = &[first_path(&["changes"]), least_key(&["changes"])];

static TOOLS: &[Tool] = &[
    // Commands
    Tool::new(&[name("exec_command")], Kind::Execute).input(RUN).refine(Refine::Shell),
    Tool::new(&[name("shell_command")], Kind::Execute).input(RUN).refine(Refine::Shell),
    Tool::new(&[name("shell"), name("container.exec")], Kind::Execute).input(RUN).refine(Refine::Shell),
    Tool::new(&[name("local_shell_call"), name("local_shell")], Kind::Execute)
        .input(&[argv(&["action.command"]), cwd(&["action.working_directory"])])
        .refine(Refine::Shell),
    Tool::new(&[name("command_execution"), name("CommandExecution")], Kind::Execute)
        .input(&[argv(&["command"]), cwd_uri(&["cwd"])])
        .refine(Refine::Shell),
    Tool::new(&[name("exec")], Kind::Execute).refine(Refine::Script),
    Tool::new(&[name("js_repl")], Kind::Execute).input(&[command(&["input", "code", ""])]),
    Tool::new(&[name("write_stdin")], Kind::BackgroundTaskAction),
    Tool::new(&[name("wait")], Kind::BackgroundTaskAction).read_only(true),
    // Files
    Tool::new(&[name("apply_patch")], Kind::Edit)
        .input(&[patch_path(&["patch", "input", ""])])
        .variants(&["ApplyPatch"]),
    Tool::new(&[name("file_change"), name("FileChange"), name("patch_apply")], Kind::Edit).input(CHANGES),
    Tool::new(&[name("read_file")], Kind::Read)
        .input(&[path(&["file_path"]), line(&["offset"]), limit(&["limit"])])
        .variants(&["CodexReadFile"]),
    Tool::new(&[name("view_image")], Kind::Read).input(&[path(&["path"])]),
    Tool::new(&[name("list_dir")], Kind::ListDir).input(&[directory(&["dir_path"])]).variants(&["CodexListDir"]),
    Tool::new(&[name("grep_files")], Kind::Search)
        .input(&[pattern(&["pattern"]), path(&["path"])])
        .variants(&["CodexGrepFiles"]),
    // Planning and people
    Tool::new(&[name("update_plan"), name("todo_list")], Kind::Plan),
    Tool::new(&[name("get_goal")], Kind::GoalUpdate).read_only(true),
    Tool::new(&[name("create_goal")], Kind::GoalUpdate),
    Tool::new(&[name("update_goal")], Kind::GoalUpdate),
    Tool::new(&[name("request_user_input")], Kind::AskUser),
    // Subagents; `collaboration` is the namespace of a function call
    Tool::new(&[name("spawn_agent"), name("collaboration/spawn_agent")], Kind::Task)
        .input(&[description(&["task_name"])]),
    Tool::new(&[name("send_input")], Kind::Task),
    Tool::new(&[name("resume_agent")], Kind::Task),
    Tool::new(&[name("collab_tool_call")], Kind::Task),
    Tool::new(&[name("followup_task"), name("collaboration/followup_task")], Kind::Task),
    Tool::new(&[name("send_message"), name("collaboration/send_message")], Kind::Task),
    Tool::new(&[name("wait_agent"), name("collaboration/wait_agent")], Kind::WaitTasksAction).read_only(true),
    Tool::new(&[name("list_agents"), name("collaboration/list_agents")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("close_agent")], Kind::KillTaskAction),
    Tool::new(&[name("interrupt_agent"), name("collaboration/interrupt_agent")], Kind::KillTaskAction),
    // The web; `web__run` is its name in a script
    Tool::new(&[name("web_search"), name("web_search_call"), name("web__run")], Kind::WebSearch),
    Tool::new(&[name("image_generation_call")], Kind::ImageGen),
    // Tools by tools
    Tool::new(&[name("tool_search"), name("tool_search_call")], Kind::SearchTool),
    Tool::new(&[name("list_mcp_resources")], Kind::Other).read_only(true),
    Tool::new(&[name("list_mcp_resource_templates")], Kind::Other).read_only(true),
    Tool::new(&[name("read_mcp_resource")], Kind::Other).read_only(true),
];
