//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use toolprism::{GroupBy, Status, ToolCall, catalog};
use toolprism_repair::{Code, DEFAULT_MAX_ARGS_BYTES};

/// Any coding agent's log in, its tool calls out: one name for equivalent tools, whoever made the call.
#[derive(Debug, Parser)]
#[command(name = "toolprism", version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const AFTER_HELP: &str = "\
Examples:
  toolprism groups                          what your agents did, all of them together
  toolprism groups ~/.claude --by path      which files one of them touched
  toolprism calls session.jsonl             one row a call
  toolprism calls logs/ | jq .input.path    the same as JSON lines
  echo '{\"name\":\"Bash\"}' | toolprism identify

Exit codes:
  0  fine
  1  some lines of `identify`, `finalize` or `partial` could not be read, or the output could not be
     written
  2  wrong usage
  3  nothing could be read: no file found, or none of a known format
  4  damage was found, and --strict was given
`acp-proxy` ends with the agent's own code.";

/// What every command understands.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// When to use colour; NO_COLOR and CLICOLOR_FORCE are heeded
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", help_heading = "Display")]
    pub(crate) color: When,
    /// Width of tables, in columns [default: the terminal's]
    #[arg(long, global = true, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..), help_heading = "Display")]
    pub(crate) width: Option<u16>,
    /// No progress and no notes on stderr, errors only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Display")]
    pub(crate) quiet: bool,
    /// Name every file that was passed over, and every incomplete last line
    #[arg(short, long, global = true, help_heading = "Display")]
    pub(crate) verbose: bool,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Group the calls of logs by what they share
    Groups(GroupsArgs),
    /// List the calls of logs, one row a call
    Calls(CallsArgs),
    /// Say what single calls are: JSON lines in, envelopes out
    Identify(IdentifyArgs),
    /// Judge completed calls against their schemas: JSON lines in, pass, rewrite or reject out
    Finalize(FinalizeArgs),
    /// Show what is visible of arguments while they stream: documents in, steps out
    Partial(PartialArgs),
    /// Put an envelope on every tool call of an ACP or Grok Build log
    Stamp(StampArgs),
    /// Run an ACP agent, and put an envelope on every tool call that it tells its client of
    AcpProxy(AcpProxyArgs),
    /// Show the catalog of known tools
    Tools(ToolsArgs),
    /// Print the JSON Schema of the envelope
    Schema,
}

/// What to read, and how.
#[derive(Args, Debug)]
pub(crate) struct ReadArgs {
    /// Files, folders, globs such as 'logs/**/*.jsonl', or - for stdin [default: the logs of the agents used here]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Check every record from end to end, and exit with 4 if anything is damaged or unreadable
    #[arg(long)]
    pub(crate) strict: bool,
    /// Keep calls that an earlier file holds as well
    #[arg(long)]
    pub(crate) keep_copies: bool,
    /// Keep only calls with this label, such as 'Run Command'; may be given several times
    #[arg(long, value_name = "LABEL", help_heading = "Filters")]
    pub(crate) label: Vec<String>,
    /// Keep only calls with this status; may be given several times
    #[arg(long, value_enum, value_name = "STATUS", help_heading = "Filters")]
    pub(crate) status: Vec<StatusName>,
    /// Keep only calls of this harness, such as codex; may be given several times
    #[arg(long, value_name = "HARNESS", value_parser = known_harness, help_heading = "Filters")]
    pub(crate) harness: Vec<&'static str>,
    /// How many files to read at once [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

impl ReadArgs {
    /// Whether the filters let a call through.
    pub(crate) fn lets_through(&self, call: &ToolCall) -> bool {
        let label = |label: &String| label.eq_ignore_ascii_case(call.label());
        (self.label.is_empty() || self.label.iter().any(label))
            && (self.status.is_empty() || self.status.iter().any(|status| status.0 == call.status))
            && (self.harness.is_empty() || self.harness.iter().any(|id| call.harness.as_deref() == Some(*id)))
    }
}

fn known_harness(name: &str) -> Result<&'static str, String> {
    let known = || catalog::HARNESSES.iter().map(|harness| harness.id).collect::<Vec<_>>().join(", ");
    catalog::harness(name).map(|harness| harness.id).ok_or_else(|| format!("known are: {}", known()))
}

/// A status, by its name in records.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusName(Status);

impl ValueEnum for StatusName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [StatusName; Status::ALL.len()] = {
            let mut all = [StatusName(Status::Pending); Status::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = StatusName(Status::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()))
    }
}

/// How to write the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// One JSON document
    Json,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Args, Debug)]
#[command(after_help = GROUPS_HELP)]
pub(crate) struct GroupsArgs {
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// What the calls of a group share
    #[arg(long, value_enum, value_name = "WHAT", default_value = "label")]
    pub(crate) by: By,
    /// Show runs: neighbouring calls of one file that share it
    #[arg(long)]
    pub(crate) runs: bool,
    /// How to write the result
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

const GROUPS_HELP: &str = "\
Examples:
  toolprism groups                             the logs of all agents used here
  toolprism groups session.jsonl --runs        what happened, in order
  toolprism groups ~/.codex/sessions --by path
  toolprism groups --by harness --status failed --label 'run command'
  toolprism groups logs/ --format json | jq .unknown";

#[derive(Args, Debug)]
#[command(after_help = CALLS_HELP)]
pub(crate) struct CallsArgs {
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How to write the result [default: table on a terminal, else jsonl]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Add each call's raw input, as the model gave it (not in tables)
    #[arg(long)]
    pub(crate) raw_input: bool,
}

const CALLS_HELP: &str = "\
Examples:
  toolprism calls session.jsonl
  toolprism calls 'logs/**/*.jsonl.gz' --format csv > calls.csv
  toolprism calls ~/.claude --status failed
  ssh host cat session.jsonl | toolprism calls -";

#[derive(Args, Debug)]
#[command(after_help = IDENTIFY_HELP)]
pub(crate) struct IdentifyArgs {
    /// The file to read, or - for stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

const IDENTIFY_HELP: &str = "\
Each line is an object; all members are optional:
  harness  version  namespace  name  title  raw_input  acp_name  acp_kind  meta

Each line out is the call's envelope, followed by `why`: the evidence that decided. Calls of MCP tools also have `server`
and `tool`. For a line that cannot be read there is an `error`, so that lines out stand beside lines in.

Examples:
  echo '{\"harness\":\"claude_code\",\"name\":\"Read\",\"raw_input\":{\"file_path\":\"a.rs\"}}' | toolprism identify
  toolprism identify calls.jsonl";

#[derive(Args, Debug)]
#[command(after_help = FINALIZE_HELP)]
pub(crate) struct FinalizeArgs {
    /// The file to read, or - for stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// By which rules to judge
    #[arg(long, value_enum, value_name = "PROFILE", default_value = "guarded")]
    pub(crate) profile: ProfileName,
    /// Refuse longer arguments, unless a line has a `max_args_bytes` of its own; 0 for the default
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_ARGS_BYTES)]
    pub(crate) max_args_bytes: usize,
    /// Do not make this class of change, such as trailing_comma; may be given several times (guarded only)
    #[arg(long, value_name = "CODE", value_parser = known_code)]
    pub(crate) without: Vec<Code>,
}

/// By which rules to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// Nothing is ever invented: what is unfinished or has two readings is refused
    Guarded,
    /// As the proxy go-llm-interactive-proxy judges: completes what was cut off, and inserts defaults
    Reference,
}

fn known_code(name: &str) -> Result<Code, String> {
    let known = || Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", ");
    Code::ALL.iter().copied().find(|code| code.as_str() == name).ok_or_else(|| format!("known are: {}", known()))
}

const FINALIZE_HELP: &str = "\
Each line is an object with a call and the tools there are:
  tool_name  args or args_b64  tools [{name, parameters}]
  optional: stop  max_args_bytes  schema_limits  no_exact_tool  canceled
or, shorter, with the arguments and the schema of one tool:
  input  optional: schema  tool  stop

Each line out is {outcome, tool_name, args, reason, changes}. The outcome is pass (go on with the
originals), rewrite (go on with tool_name and args), or reject; with the profile reference that is
called unrepairable. `fault` says what stands in the way. For a line that cannot be read there is an
`error`, so that lines out stand beside lines in.

Examples:
  echo '{\"input\":\"{\\\"path\\\":\\\"a\\\",}\"}' | toolprism finalize
  echo '{\"tool_name\":\"Read\",\"args\":\"{}\",\"tools\":[\"read\"]}' | toolprism finalize
  toolprism finalize --profile reference calls.jsonl
  toolprism finalize calls.jsonl --without trailing_comma --without code_fence";

#[derive(Args, Debug)]
#[command(after_help = PARTIAL_HELP)]
pub(crate) struct PartialArgs {
    /// The file to read, or - for stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

const PARTIAL_HELP: &str = "\
Each line is an object:
  doc      the arguments, a string of at most 32 KiB
  lenient  whether to read them as models write them, rather than as strict JSON

Each line out is {steps}: [bytes, visible, closed] for each number of bytes from which something
else is visible. `fault` says what is wrong with the document, if anything is. For a line that
cannot be read there is an `error`, so that lines out stand beside lines in.

Examples:
  echo '{\"doc\":\"{\\\"path\\\":\\\"a.rs\\\"}\"}' | toolprism partial
  toolprism partial documents.jsonl";

#[derive(Args, Debug)]
#[command(after_help = STAMP_HELP)]
pub(crate) struct StampArgs {
    /// The log to read, or - for stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// Take out what an earlier run put in: gives the original, byte for byte
    #[arg(long)]
    pub(crate) remove: bool,
}

const STAMP_HELP: &str = "\
The log goes to stdout, unchanged but for the member `x.ai/tool` in the `_meta` of each message about a tool call. Calls that
have an envelope keep it, and a `_meta` that is no object is left alone.

Examples:
  toolprism stamp acp.jsonl > stamped.jsonl
  toolprism stamp --remove stamped.jsonl | cmp - acp.jsonl
  some-agent --acp | toolprism stamp | some-client";

#[derive(Args, Debug)]
#[command(after_help = ACP_PROXY_HELP)]
pub(crate) struct AcpProxyArgs {
    /// The agent, with its arguments
    #[arg(value_name = "AGENT", last = true, required = true)]
    pub(crate) agent: Vec<OsString>,
}

const ACP_PROXY_HELP: &str = "\
To be named in an ACP client in place of the agent. The agent's messages about tool calls get
`x.ai/tool` in their `_meta`, and ACP's `name` where the tool is known and the agent does not name it;
nothing else changes. The program ends when the agent does, with its exit code: 128 and the signal's
number if one ended it, 127 if there is no such program, 126 if it cannot be run.

Example, in the settings of Zed:
  \"agent_servers\": {
    \"OpenCode\": {
      \"type\": \"custom\",
      \"command\": \"toolprism\", \"args\": [\"acp-proxy\", \"--\", \"opencode\", \"acp\"]
    }
  }

Others:
  toolprism acp-proxy -- gemini --acp
  toolprism acp-proxy -- npx -y @agentclientprotocol/claude-agent-acp";

#[derive(Args, Debug)]
#[command(after_help = TOOLS_HELP)]
pub(crate) struct ToolsArgs {
    /// Show the tools of this harness alone
    #[arg(value_name = "HARNESS")]
    pub(crate) harness: Option<String>,
    /// How to write the result
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

const TOOLS_HELP: &str = "\
Examples:
  toolprism tools
  toolprism tools claude-code
  toolprism tools --format csv > tools.csv";

/// What calls can be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The label: the same for equivalent tools
    Label,
    /// The tool's own name
    Name,
    /// The kind, finer than the label
    Kind,
    /// The toolset
    Namespace,
    /// The agent program
    Harness,
    /// The MCP server
    Server,
    /// The file or folder touched
    Path,
}

impl From<By> for GroupBy {
    fn from(by: By) -> GroupBy {
        match by {
            By::Label => GroupBy::Label,
            By::Name => GroupBy::Name,
            By::Kind => GroupBy::Kind,
            By::Namespace => GroupBy::Namespace,
            By::Harness => GroupBy::Harness,
            By::Server => GroupBy::Server,
            By::Path => GroupBy::Path,
        }
    }
}
