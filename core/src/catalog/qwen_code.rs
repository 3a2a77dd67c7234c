//! Qwen Code: names and fields of 0.15.10, older names (shared with Gemini CLI, from which it was forked) from its
//! sources. Its `offset` counts lines from 0.

use super::{
    AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, cwd, description, directory, first_path, limit,
    line_from_zero, name, path, pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "qwen_code",
    display: "Qwen Code",
    aliases: &["qwen"],
    mcp: &[McpNaming::Prefixed("mcp__", "__")],
    acp: AcpWays::NONE,
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "qwen_code", tools: TOOLS };

const READ: &[Rule] = &[path(&["file_path", "absolute_path", "path"]), line_from_zero(&["offset"]), limit(&["limit"])];
const FILE: &[Rule] = &[path(&["file_path"])];
const RUN: &[Rule] = &[command(&["command"]), description(&["description"]), cwd(&["directory"])];

static TOOLS: &[Tool] = &[
    // Files
    Tool::new(&[name("read_file")], Kind::Read).input(READ),
    Tool::new(&[name("read_many_files").until("0.9")], Kind::Read).input(&[first_path(&["paths"])]),
    Tool::new(&[name("write_file")], Kind::Write).input(FILE),
    Tool::new(&[name("edit"), name("replace").until("0.6")], Kind::Edit).input(FILE),
    Tool::new(&[name("list_directory")], Kind::ListDir).input(&[directory(&["path"])]),
    Tool::new(&[name("glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("grep_search"), name("search_file_content").until("0.6")], Kind::Search)
        .input(&[pattern(&["pattern"]), path(&["path"])]),
    Tool::new(&[name("lsp")], Kind::Lsp).input(&[path(&["filePath"])]),
    // Commands
    Tool::new(&[name("run_shell_command")], Kind::Execute).input(RUN),
    Tool::new(&[name("monitor")], Kind::Monitor).input(RUN),
    // Subagents
    Tool::new(&[name("agent"), name("task").until("0.13")], Kind::Task).input(&[description(&["description"])]),
    Tool::new(&[name("send_message")], Kind::Task),
    Tool::new(&[name("task_stop")], Kind::KillTaskAction),
    // Planning and people
    Tool::new(&[name("todo_write")], Kind::Plan),
    Tool::new(&[name("exit_plan_mode")], Kind::ExitPlan),
    Tool::new(&[name("ask_user_question")], Kind::AskUser),
    // The web
    Tool::new(&[name("web_fetch")], Kind::WebFetch),
    Tool::new(&[name("web_search")], Kind::WebSearch),
    // The rest
    Tool::new(&[name("skill")], Kind::Skill),
    Tool::new(&[name("tool_search")], Kind::SearchTool),
    Tool::new(&[name("save_memory")], Kind::Other),
    Tool::new(&[name("structured_output")], Kind::Other),
    Tool::new(&[name("cron_create")], Kind::Other),
    Tool::new(&[name("cron_delete")], Kind::Other),
    Tool::new(&[name("cron_list")], Kind::Other).read_only(true),
];
