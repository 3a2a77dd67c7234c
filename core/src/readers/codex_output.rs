//! What became of a Codex call, as the output that went back to the model tells it: there is no flag, only text.

use alloc::borrow::Cow;
use alloc::string::ToString;

use crate::event::Status;
use crate::json::{JsonType, JsonView, RawJson};

/// What is known of a call's end.
#[derive(Default)]
pub(super) struct Outcome<'a> {
    pub(super) status: Option<Status>,
    pub(super) exit_code: Option<i64>,
    pub(super) error: Option<Cow<'a, str>>,
    /// The thread of the subagent that the call has started.
    pub(super) started: Option<Cow<'a, str>>,
}

/// How much of an output is looked at; what decides stands in its first lines.
pub(super) const FRONT: usize = 2048;

/// Texts that refuse a call, from their start.
const REFUSED: &[&str] = &[
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "user rejected MCP tool call",
    "This action was rejected due to",
];

/// Texts of a call that was stopped.
const CANCELLED: &[&str] = &["aborted by user", "user cancelled MCP tool call"];

/// Texts of a call that went wrong.
const FAILED: &[&str] = &[
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse function arguments",
    "apply_patch verification failed",
    "apply_patch handler received",
    "exec_command failed",
    "write_stdin failed",
    "unable to locate image",
    "tool call error: ",
    "tool call failed",
    "execution error: ",
    "failed in sandbox",
    "sandbox error: ",
    "sandbox denied exec error",
];

impl<'a> Outcome<'a> {
    pub(super) fn new(status: Status) -> Self {
        Outcome { status: Some(status), ..Outcome::default() }
    }

    /// Reads the `output` of a `*_output` item: text, a list of parts, or (old versions) `{content, success}`.
    pub(super) fn read(output: &RawJson<'a>) -> Self {
        match output.json_type() {
            JsonType::String => Self::of_text(output),
            JsonType::Array => {
                let mut texts = output.items().filter_map(|part| part.get("text"));
                let mut outcome = texts.next().map_or(Outcome::new(Status::Completed), |text| Self::of_text(&text));
                if outcome.status == Some(Status::Failed) && outcome.error.is_none() {
                    outcome.error = texts.find_map(|text| text.str_front(FRONT).filter(|text| !text.is_empty()));
                }
                outcome
            }
            JsonType::Object => {
                let text = output.get("content").or_else(|| output.get("text"));
                let mut outcome = text.map_or(Outcome::new(Status::Completed), |text| Self::of_text(&text));
                if output.get("success").and_then(|success| success.as_bool()) == Some(false)
                    && outcome.status == Some(Status::Completed)
                {
                    outcome.status = Some(Status::Failed);
                    outcome.error = text.and_then(|text| text.str_front(FRONT));
                }
                outcome
            }
            _ => Outcome::new(Status::Completed),
        }
    }

    fn of_text(text: &RawJson<'a>) -> Self {
        let Some(front) = text.str_front(FRONT) else { return Outcome::new(Status::Completed) };
        if front.starts_with("{\"output\":") && succeeded(text) {
            return Outcome::of_exit(Some(0));
        }
        if ["{\"output\":", "{\"metadata\":", "{\"agent_id\":"].iter().any(|start| front.starts_with(start))
            && let Some(outcome) = text.str().as_deref().and_then(Self::of_json)
        {
            return outcome;
        }
        Self::of_report(&front)
    }

    /// `{"output", "metadata": {"exit_code"}}` of a command, or `{"agent_id"}` of a started subagent.
    fn of_json(text: &str) -> Option<Self> {
        let json = RawJson::parse(text).ok()?;
        let mut out = [None; 3];
        json.pick(&["output", "metadata", "agent_id"], &mut out);
        let [output, metadata, agent] = out;
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let mut outcome = Outcome::of_exit(metadata.and_then(|metadata| metadata.get("exit_code")?.as_i64()));
        if outcome.status == Some(Status::Failed) {
            outcome.error = output.and_then(|output| output.str_front(FRONT)).filter(|text| !text.is_empty()).map(own);
        }
        outcome.started = agent.and_then(|agent| agent.str()).map(own);
        Some(outcome)
    }

    /// A non-zero exit code counts as a failure, as it does in Codex's own `exec --json`.
    fn of_exit(code: Option<i64>) -> Self {
        let status = if code.is_some_and(|code| code != 0) { Status::Failed } else { Status::Completed };
        Outcome { exit_code: code, ..Outcome::new(status) }
    }

    /// Lines about the run, `Output:`, and the output itself; or a bare text.
    fn of_report(text: &Cow<'a, str>) -> Self {
        let mut rest: &str = text;
        let mut code = None;
        let mut failed = false;
        while let Some((line, below)) = rest.split_once('\n').or((!rest.is_empty()).then_some((rest, ""))) {
            let exit = line.strip_prefix("Exit code: ").or_else(|| line.strip_prefix("Process exited with code "));
            if let Some(exit) = exit {
                code = exit.trim().parse().ok();
            } else if line.starts_with("Script failed") {
                failed = true;
            } else if line == "Output:" {
                rest = below;
                // A patch in a shell command is reported inside the report of the shell.
                if code.is_none() && rest.starts_with("Exit code: ") {
                    continue;
                }
                break;
            } else if !is_report_line(line) {
                break;
            }
            rest = below;
        }
        if code.is_none() && !failed {
            return Self::of_prose(text, rest);
        }
        let mut outcome = Outcome::of_exit(code);
        if failed {
            outcome.status = Some(Status::Failed);
        }
        if outcome.status == Some(Status::Failed) && !rest.is_empty() {
            outcome.error = Some(tail(text, rest));
        }
        outcome
    }

    /// A text that says in words how the call ended: all of the output, or what follows the lines about the run.
    fn of_prose(text: &Cow<'a, str>, rest: &str) -> Self {
        let starts = |starts: &[&str]| starts.iter().any(|start| rest.starts_with(start));
        let status = if starts(REFUSED) || starts(FAILED) && rest.contains("rejected by user") {
            Status::Rejected
        } else if starts(CANCELLED) {
            Status::Cancelled
        } else if starts(FAILED) {
            Status::Failed
        } else {
            return Outcome::new(Status::Completed);
        };
        Outcome { error: Some(tail(text, rest)), ..Outcome::new(status) }
    }
}

/// Whether a command's JSON, which is a string here, ends with metadata that tell of success. Most do, and the output before
/// them need not be read. Within that output the quotes would have more backslashes.
fn succeeded(text: &RawJson<'_>) -> bool {
    const START: &[u8] = b",\\\"metadata\\\":{\\\"exit_code\\\":0,";
    const LONGEST: usize = 96;
    let text = text.text();
    let end = text.get(text.len().saturating_sub(LONGEST)..).unwrap_or_default();
    end.ends_with(b"}}\"") && memchr::memmem::find(end, START).is_some()
}

/// The lines that Codex puts before an output.
fn is_report_line(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "Chunk ID: ",
        "Wall time",
        "Process running with session ID ",
        "Original token count: ",
        "Total output lines: ",
        "[Total output lines: ",
        "Script completed",
        "Script running",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// The end of `text` that `rest` is, borrowed where `text` is.
fn tail<'a>(text: &Cow<'a, str>, rest: &str) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(text.len() - rest.len()..).unwrap_or_default()),
        Cow::Owned(_) => Cow::Owned(rest.to_string()),
    }
}
