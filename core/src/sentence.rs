//! What to say of calls on a screen: what a call is about, and one line for many calls.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::call::ToolCall;
use crate::event::Status;
use crate::kind::{Kind, Tense};
use crate::summary::path;

impl ToolCall {
    /// Whether to speak of the call as running or as done.
    pub fn tense(&self) -> Tense {
        if self.status.is_terminal() { Tense::Done } else { Tense::Running }
    }

    /// What the call is about, for the place behind its verb: the command, the pattern searched for, the path, the directory,
    /// the MCP tool, what the model says it is for or, where there is no more, the title. `None` where nothing is known.
    pub fn subject(&self) -> Option<&str> {
        let input = self.identity.meta.canonical_input();
        let field =
            |pick: fn(&crate::CanonicalInput) -> &Option<String>| input.and_then(|input| pick(input).as_deref());
        let searched =
            if self.identity.meta.kind.kind() == Kind::Search { field(|input| &input.pattern) } else { None };
        field(|input| &input.command)
            .or(searched)
            .or_else(|| path(self))
            .or_else(|| field(|input| &input.pattern))
            .or_else(|| self.identity.mcp.as_ref().map(|mcp| mcp.tool.as_str()))
            .or_else(|| field(|input| &input.description))
            .or_else(|| self.title.as_deref().filter(|title| *title != self.name()))
    }
}

/// One line for these calls, in English: what they did in the order in which they began, then what went wrong.
///
/// Files and folders are counted once each, however often they were touched. Kinds with a call that still runs are spoken of
/// as running.
///
/// ```
/// use toolprism::{CallLedger, readers::Reader, summary_line};
/// let mut ledger = CallLedger::default();
/// let mut reader = Reader::new();
/// let call = |id: &str, name: &str, input: &str| format!(
///     r#"{{"type":"assistant","sessionId":"s","uuid":"{id}","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}}}"#
/// ) + "\n";
/// for (id, name, input) in [("1", "Read", r#"{"file_path":"a"}"#), ("2", "Read", r#"{"file_path":"b"}"#), ("3", "Bash", r#"{"command":"ls"}"#)] {
///     reader.push(call(id, name, input).as_bytes(), &mut ledger);
/// }
/// assert_eq!(summary_line(ledger.calls()), "Reading 2 files, running 1 command");
/// ```
pub fn summary_line<'c>(calls: impl IntoIterator<Item = &'c ToolCall>) -> String {
    let mut clauses: Vec<Clause<'c>> = Vec::new();
    let mut by_status = [0_usize; Status::ALL.len()];
    for call in calls {
        if let Some(count) = by_status.get_mut(call.status as usize) {
            *count += 1;
        }
        let kind = call.identity.meta.kind.kind();
        match clauses.iter_mut().find(|clause| clause.says_the_same_as(kind)) {
            Some(clause) => clause.add(call),
            None => {
                let mut clause = Clause { kind, tense: Tense::Done, calls: 0, paths: HashSet::new(), nameless: 0 };
                clause.add(call);
                clauses.push(clause);
            }
        }
    }
    let mut parts: Vec<String> = clauses.iter().map(Clause::text).collect();
    for part in parts.iter_mut().skip(1) {
        *part = uncapitalised(part);
    }
    for status in [Status::Failed, Status::Rejected, Status::Cancelled, Status::Unresolved] {
        let count = by_status.get(status as usize).copied().unwrap_or_default();
        let words = if status == Status::Unresolved { "without a result" } else { status.as_str() };
        if count > 0 {
            parts.push(alloc::format!("{count} {words}"));
        }
    }
    parts.join(", ")
}

/// What the calls that are spoken of in the same words come to.
struct Clause<'c> {
    kind: Kind,
    tense: Tense,
    calls: usize,
    paths: HashSet<&'c str>,
    /// Calls that name no path.
    nameless: usize,
}

impl<'c> Clause<'c> {
    fn says_the_same_as(&self, kind: Kind) -> bool {
        self.kind.wording(Tense::Done).text == kind.wording(Tense::Done).text
    }

    fn add(&mut self, call: &'c ToolCall) {
        self.calls += 1;
        if call.tense() == Tense::Running {
            self.tense = Tense::Running;
        }
        match path(call) {
            Some(path) => {
                self.paths.insert(path);
            }
            None => self.nameless += 1,
        }
    }

    fn text(&self) -> String {
        let words = self.kind.wording(self.tense).text;
        if let Some((one, is_place)) = noun(self.kind) {
            let count = if is_place { self.paths.len() + self.nameless } else { self.calls };
            return alloc::format!("{words} {}", counted(count, one));
        }
        if self.calls == 1 {
            return words.to_string();
        }
        // "Used a tool": there are several of what the article stands before.
        let article = [" a ", " an "].into_iter().find_map(|article| words.split_once(article));
        match article {
            Some((verb, one)) => alloc::format!("{verb} {}", counted(self.calls, one)),
            None => alloc::format!("{words} {} times", self.calls),
        }
    }
}

/// What calls of a kind are counted in, where their verb does not say so, and whether that has a path.
fn noun(kind: Kind) -> Option<(&'static str, bool)> {
    Some(match kind {
        Kind::Read | Kind::Edit | Kind::Delete | Kind::Write | Kind::Move => ("file", true),
        Kind::ListDir | Kind::List => ("folder", true),
        Kind::Execute => ("command", false),
        Kind::WebFetch => ("page", false),
        _ => return None,
    })
}

fn counted(count: usize, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    alloc::format!("{count} {one}{end}")
}

fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallLedger, Phase, Place, ToolCallEvent};

    use serde_json::{Value, json};

    fn calls(told: &[(&str, Value, Status)]) -> Vec<ToolCall> {
        let mut ledger = CallLedger::default();
        for (i, (name, input, status)) in told.iter().enumerate() {
            let mut event = ToolCallEvent::new(i.to_string(), Phase::Snapshot, Place::default());
            event.harness = Some("claude_code".into());
            event.name = Some((*name).into());
            event.raw_input = Some(input).into();
            event.status = Some(*status);
            ledger.apply(&event);
        }
        ledger.into_calls()
    }

    #[test]
    fn a_line_counts_things_and_says_what_went_wrong() {
        use Status::{Cancelled, Completed, Failed, InProgress, Rejected, Unresolved};
        let read = |path: &str, status| ("Read", json!({"file_path": path}), status);
        let bash = |status| ("Bash", json!({"command": "ls"}), status);
        let line = |told: &[(&str, Value, Status)]| summary_line(&calls(told));
        let three = [read("a", Completed), read("b", Completed), read("c", Completed), bash(Completed), bash(Failed)];
        assert_eq!(line(&three), "Read 3 files, ran 2 commands, 1 failed");
        assert_eq!(line(&[read("a", Completed), read("a", Completed)]), "Read 1 file");
        assert_eq!(line(&[read("a", Completed), ("Read", json!({}), InProgress)]), "Reading 2 files");
        let two_tools = [("mcp__s__t", json!({}), Completed), ("mcp__s__u", json!({}), Rejected)];
        assert_eq!(line(&two_tools), "Used 2 tools, 1 rejected");
        assert_eq!(line(&[("Task", json!({}), Completed)]), "Ran a subagent");
        let web = ("WebSearch", json!({"query": "q"}), Completed);
        assert_eq!(line(&[bash(Cancelled), web.clone(), web]), "Ran 1 command, searched the web 2 times, 1 cancelled");
        assert_eq!(line(&[bash(Unresolved)]), "Ran 1 command, 1 without a result");
        assert_eq!(
            line(&[("LS", json!({"path": "d"}), Completed), ("Glob", json!({"pattern": "*", "path": "d"}), Completed)]),
            "Listed 1 folder"
        );
        assert_eq!(line(&[]), "");
    }

    #[test]
    fn the_subject_is_what_a_call_is_about() {
        let subject = |name: &str, input: Value| {
            let calls = calls(&[(name, input, Status::Completed)]);
            calls.first().and_then(|call| call.subject()).map(str::to_string)
        };
        let some = |text: &str| Some(text.to_string());
        assert_eq!(subject("Bash", json!({"command": "ls", "description": "List"})), some("ls"));
        assert_eq!(subject("Grep", json!({"pattern": "x", "path": "d"})), some("x"));
        assert_eq!(subject("Glob", json!({"pattern": "*.rs", "path": "d"})), some("d"));
        assert_eq!(subject("Glob", json!({"pattern": "*.rs"})), some("*.rs"));
        assert_eq!(subject("Read", json!({"file_path": "a.txt"})), some("a.txt"));
        assert_eq!(subject("Task", json!({"description": "Look around"})), some("Look around"));
        assert_eq!(subject("mcp__s__t", json!({})), some("t"));
        assert_eq!(subject("TodoWrite", json!({})), None);
        let mut titled = calls(&[("TodoWrite", json!({}), Status::Completed)]);
        titled[0].title = Some("Three things to do".into());
        assert_eq!(titled[0].subject(), Some("Three things to do"));
        titled[0].title = Some("TodoWrite".into());
        assert_eq!(titled[0].subject(), None, "the name is no subject");
    }
}
