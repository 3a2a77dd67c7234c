//! GitHub Copilot CLI: names and fields of 1.0.102, as its requests to the model show them (the program is closed), and
//! older names from logs.

use super::{
    AcpWays, Harness, McpNaming, Refine, Rule, Tool, Toolset, command, description, first_directory, first_path, name,
    patch_path, path, pattern, range_length, range_start,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "copilot_cli",
    display: "GitHub Copilot CLI",
    aliases: &["copilot", "github_copilot"],
    mcp: &[McpNaming::JoinedAfter("-", &["github-mcp-server"])],
    acp: AcpWays::NONE,
    toolsets: &[&TOOLSET],
};

static TOOLSET: Toolset = Toolset { namespace: "copilot_cli", tools: TOOLS };

const VIEW: &[Rule] = &[path(&["path"]), range_start(&["view_range"]), range_length(&["view_range"])];
const FILE: &[Rule] = &[path(&["path"])];
const RUN: &[Rule] = &[command(&["command"]), description(&["description"])];
const EDITOR: Refine = Refine::Mode(
    "command",
    &[
        ("view", Kind::Read),
        ("create", Kind::Write),
        ("str_replace", Kind::Edit),
        ("insert", Kind::Edit),
        ("undo_edit", Kind::Edit),
    ],
);

static TOOLS: &[Tool] = &[
    // Files; `view` also lists directories, which its arguments do not tell
    Tool::new(&[name("view")], Kind::Read).input(VIEW),
    Tool::new(&[name("create")], Kind::Write).input(FILE),
    Tool::new(&[name("edit")], Kind::Edit).input(FILE),
    Tool::new(&[name("apply_patch")], Kind::Edit).input(&[patch_path(&["patch", "input", ""])]),
    Tool::new(&[name("str_replace_editor")], Kind::Other).input(VIEW).refine(EDITOR),
    Tool::new(&[name("glob")], Kind::List).input(&[pattern(&["pattern"]), first_directory(&["paths", "path"])]),
    Tool::new(&[name("grep"), name("rg")], Kind::Search)
        .input(&[pattern(&["pattern"]), first_path(&["paths", "path"])]),
    // Commands
    Tool::new(&[name("bash")], Kind::Execute).input(RUN),
    Tool::new(&[name("powershell")], Kind::Execute).input(RUN),
    Tool::new(&[name("shell")], Kind::Execute).input(RUN),
    Tool::new(&[name("read_bash")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("list_bash")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("write_bash")], Kind::BackgroundTaskAction),
    Tool::new(&[name("stop_bash")], Kind::KillTaskAction),
    // Subagents
    Tool::new(&[name("task")], Kind::Task).input(&[description(&["description"])]),
    Tool::new(&[name("write_agent")], Kind::Task),
    Tool::new(&[name("read_agent")], Kind::BackgroundTaskAction).read_only(true),
    Tool::new(&[name("list_agents")], Kind::BackgroundTaskAction).read_only(true),
    // Planning and people
    Tool::new(&[name("update_todo")], Kind::Plan),
    Tool::new(&[name("ask_user")], Kind::AskUser),
    Tool::new(&[name("report_intent")], Kind::Other).read_only(true),
    // The rest
    Tool::new(&[name("web_fetch")], Kind::WebFetch),
    Tool::new(&[name("skill")], Kind::Skill),
    Tool::new(&[name("sql")], Kind::Other).input(&[description(&["description"])]),
    Tool::new(&[name("session_store_sql")], Kind::Other).read_only(true).input(&[description(&["description"])]),
    Tool::new(&[name("fetch_copilot_cli_documentation")], Kind::Other).read_only(true),
];
