//! Runs the program in a folder of its own.

// Each file of tests is a program of its own, and uses some of this.
#![allow(dead_code, unreachable_pub)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A folder that is empty at first and gone in the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> &Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        self
    }

    /// The program, at work here, with a home of its own that is empty, and no colour.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolprism"));
        command.args(args).current_dir(&self.0).env_clear();
        command.env("HOME", self.0.join("home")).env("USERPROFILE", self.0.join("home"));
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Run::from(self.command(args).output().unwrap())
    }

    pub fn run_with(&self, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let writing = std::thread::spawn(move || stdin.write_all(&input));
        let run = Run::from(child.wait_with_output().unwrap());
        let _ = writing.join();
        run
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a run of the program came to.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// The output, of a run that went well and had nothing to say.
    pub fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    pub fn json(self) -> Value {
        serde_json::from_str(&self.fine()).unwrap()
    }

    pub fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A line of a Claude Code session that makes a call.
pub fn call(session: &str, id: &str, name: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","sessionId":"{session}","version":"2.1.197","uuid":"u-{id}","timestamp":"2026-09-14T12:00:00.000Z","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}}}"#
    ) + "\n"
}

/// The line that answers it, two and a half seconds later.
pub fn result(session: &str, id: &str, failed: bool, text: &str) -> String {
    format!(
        r#"{{"type":"user","sessionId":"{session}","version":"2.1.197","uuid":"r-{id}","timestamp":"2026-09-14T12:00:02.500Z","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{failed},"content":"{text}"}}]}}}}"#
    ) + "\n"
}

/// A session of five calls: two read, one runs and fails, one is an MCP tool's, one is unknown.
pub fn session(session: &str) -> String {
    [
        call(session, "c1", "Read", r#"{"file_path":"/p/a.rs","offset":10,"limit":20}"#),
        result(session, "c1", false, "text"),
        call(session, "c2", "Read", r#"{"file_path":"/p/b.rs"}"#),
        result(session, "c2", false, "text"),
        call(session, "c3", "Bash", r#"{"command":"cargo test, \"all\"","description":"Run tests"}"#),
        result(session, "c3", true, "Exit code 101\\nfailed"),
        call(session, "c4", "mcp__fs__stat", r#"{"x":1}"#),
        result(session, "c4", false, "ok"),
        call(session, "c5", "Frobnicate", r#"{"zig":1}"#),
    ]
    .concat()
}
