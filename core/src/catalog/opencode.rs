//! OpenCode: names and fields of 1.0.185 and 1.18.33, and the toolset that Grok Build offers under the namespace
//! `opencode` (whose refined raw input is in snake case).

use super::{
    AcpName, AcpWays, Harness, McpNaming, Rule, Tool, Toolset, command, cwd, description, directory, limit, line,
    line_from_zero, name, patch_path, path, pattern,
};
use crate::kind::Kind;

pub(super) static HARNESS: Harness = Harness {
    id: "opencode",
    display: "OpenCode",
    aliases: &[],
    // Any unknown name with an underscore is taken for an MCP tool's: OpenCode marks them in no other way.
    mcp: &[McpNaming::Joined("_")],
    acp: AcpWays { name: AcpName::Title, mark: None, stand_in: &["invalid", "Invalid Tool"] },
    toolsets: &[&TOOLSET],
};

pub(super) static TOOLSET: Toolset = Toolset { namespace: "opencode", tools: TOOLS };

const FILE: &[Rule] = &[path(&["filePath", "file_path"]).verbatim()];
const PATCH: &[Rule] = &[patch_path(&["patchText", "patch", "input", ""])];
const SEARCH: &[Rule] = &[pattern(&["pattern"]), path(&["path"])];

static TOOLS: &[Tool] = &[
    // Files
    Tool::new(&[name("read").since("1.1")], Kind::Read).input(&[
        path(&["filePath"]),
        line(&["offset"]),
        limit(&["limit"]),
    ]),
    Tool::new(&[name("read").until("1.1")], Kind::Read).input(&[
        path(&["filePath"]),
        line_from_zero(&["offset"]),
        limit(&["limit"]),
    ]),
    Tool::new(&[name("write")], Kind::Write).input(FILE).variants(&["Write"]),
    Tool::new(&[name("edit")], Kind::Edit).input(FILE).variants(&["SearchReplace"]),
    Tool::new(&[name("multiedit")], Kind::Edit).input(FILE),
    Tool::new(&[name("apply_patch"), name("patch").until("1.1")], Kind::Edit).input(PATCH),
    Tool::new(&[name("glob")], Kind::List).input(&[pattern(&["pattern"]), directory(&["path"])]),
    Tool::new(&[name("list").until("1.1")], Kind::ListDir).input(&[directory(&["path"])]),
    Tool::new(&[name("grep")], Kind::Search).input(SEARCH),
    Tool::new(&[name("lsp")], Kind::Lsp).input(&[path(&["filePath"])]),
    // Commands and subagents
    Tool::new(&[name("bash")], Kind::Execute)
        .input(&[command(&["command"]).verbatim(), description(&["description"]).verbatim(), cwd(&["workdir"])])
        .variants(&["Bash"]),
    Tool::new(&[name("task")], Kind::Task).input(&[description(&["description"])]),
    // Planning and people
    Tool::new(&[name("todowrite")], Kind::Plan),
    Tool::new(&[name("todoread").until("1.1")], Kind::Plan).read_only(true),
    Tool::new(&[name("plan_enter")], Kind::EnterPlan),
    Tool::new(&[name("plan_exit")], Kind::ExitPlan),
    Tool::new(&[name("question")], Kind::AskUser),
    // The web
    Tool::new(&[name("webfetch")], Kind::WebFetch),
    Tool::new(&[name("websearch")], Kind::WebSearch),
    Tool::new(&[name("codesearch")], Kind::WebSearch),
    // The rest; `invalid` stands in for a call whose tool or arguments were wrong, and keeps neither
    Tool::new(&[name("skill")], Kind::Skill).variants(&["Skill"]),
    Tool::new(&[name("batch")], Kind::Other),
    Tool::new(&[name("invalid")], Kind::Other),
];
