//! Gemini CLI: names and fields of 0.11.3, 0.28.2 and 0.61.0.
//!
//! Lines were counted from 0 (`offset`, `limit`) up to 0.3x, and are counted from 1 (`start_line`, `end_line`) since.

use super::{
    AcpName, AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, cwd, description, directory, first_path, limit,
    line, line_from_zero, name, path, pattern, to_line,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "gemini_cli",
    display: "Gemini CLI",
    aliases: &["gemini"],
    mcp: &[McpNaming::Prefixed("mcp_", "_"), McpNaming::Joined("__")],
    acp: AcpWays::NONE.name(AcpName::CallId),
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "gemini_cli", tools: TOOLS };

const READ: &[Rule] = &[
    path(&["file_path", "absolute_path", "path"]),
    line(&["start_line"]),
    line_from_zero(&["offset"]),
    to_line(&["end_line"], "start_line"),
    limit(&["limit"]),
];
const FILE: &[Rule] = &[path(&["file_path"])];
const DIRECTORY: Rule = directory(&["dir_path", "path"]);

static TOOLS: &[Tool] = &[
    // Files
    Tool::new(&[name("read_file")], Kind::Read).input(READ),
    Tool::new(&[name("read_many_files")], Kind::Read).input(&[first_path(&["paths", "include"])]),
    Tool::new(&[name("get_internal_docs")], Kind::Read),
    Tool::new(&[name("write_file")], Kind::Write).input(FILE),
    Tool::new(&[name("replace")], Kind::Edit).input(FILE),
    Tool::new(&[name("list_directory")], Kind::ListDir).input(&[DIRECTORY]),
    Tool::new(&[name("glob")], Kind::List).input(&[pattern(&["pattern"]), DIRECTORY]),
    Tool::new(&[name("grep_search"), name("search_file_content")], Kind::Search)
        .input(&[pattern(&["pattern"]), path(&["dir_path", "path"])]),
    // Commands
    Tool::new(&[name("run_shell_command")], Kind::Execute).input(&[
        command(&["command"]),
        description(&["description"]),
        cwd(&["dir_path", "directory"]),
    ]),
    Tool::new(&[name("list_background_processes")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("read_background_output")], Kind::BackgroundTaskAction).read_only(true),
    // Subagents, some of them tools of their own
    Tool::new(&[name("invoke_agent"), name("delegate_to_agent")], Kind::Task).input(&[description(&["agent_name"])]),
    Tool::new(&[name("codebase_investigator")], Kind::Task).input(&[description(&["objective"])]),
    Tool::new(&[name("cli_help")], Kind::Task).input(&[description(&["question"])]),
    Tool::new(&[name("complete_task")], Kind::Other).read_only(true),
    // Planning and people
    Tool::new(&[name("write_todos")], Kind::Plan),
    Tool::new(&[name("tracker_create_task")], Kind::Plan),
    Tool::new(&[name("tracker_update_task")], Kind::Plan),
    Tool::new(&[name("tracker_add_dependency")], Kind::Plan),
    Tool::new(&[name("tracker_get_task")], Kind::Plan).read_only(true),
    Tool::new(&[name("tracker_list_tasks")], Kind::Plan).read_only(true),
    Tool::new(&[name("tracker_visualize")], Kind::Plan).read_only(true),
    Tool::new(&[name("enter_plan_mode")], Kind::EnterPlan),
    Tool::new(&[name("exit_plan_mode")], Kind::ExitPlan),
    Tool::new(&[name("ask_user")], Kind::AskUser),
    Tool::new(&[name("update_topic")], Kind::Other).read_only(true),
    // The web
    Tool::new(&[name("google_web_search")], Kind::WebSearch),
    Tool::new(&[name("web_fetch")], Kind::WebFetch),
    Tool::new(&[name("take_snapshot")], Kind::Other).read_only(true),
    // The rest
    Tool::new(&[name("activate_skill")], Kind::Skill),
    Tool::new(&[name("save_memory")], Kind::Other),
    Tool::new(&[name("list_mcp_resources")], Kind::Other).read_only(true),
    Tool::new(&[name("read_mcp_resource")], Kind::Other).read_only(true),
];
