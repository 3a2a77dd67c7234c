//! What is read: files, folders, globs, stdin, the homes of agents; and how that ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::io::Write;

use common::{Folder, call, session};
use flate2::Compression;
use flate2::write::GzEncoder;

fn gz(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn files(folder: &Folder, args: &[&str]) -> Vec<String> {
    let lines = folder.run(&[&["calls"], args].concat()).lines();
    let mut files: Vec<String> = lines.iter().map(|line| line["file"].as_str().unwrap().replace('\\', "/")).collect();
    files.dedup();
    files
}

#[test]
fn folders_are_searched_for_what_can_be_a_log() {
    let folder = Folder::new();
    for name in ["in/a.jsonl", "in/deep/er/b.json", "in/c.ndjson", "in/d.JSONL", "in/e.jsonl.gz"] {
        folder.write(name, session(name));
    }
    for name in
        ["in/x.txt", "in/.git/x.jsonl", "in/node_modules/m/x.jsonl", "in/auth.json", "in/oauth_creds.json", "in/x.db"]
    {
        folder.write(name, session(name));
    }
    assert_eq!(
        files(&folder, &["in"]),
        ["in/a.jsonl", "in/c.ndjson", "in/d.JSONL", "in/deep/er/b.json", "in/e.jsonl.gz"]
    );
    // What is named itself is read, whatever its name.
    assert_eq!(files(&folder, &["in/x.txt"]), ["in/x.txt"]);
    assert_eq!(files(&folder, &["in/auth.json"]), ["in/auth.json"]);
}

#[test]
fn globs_are_expanded_here_too() {
    let folder = Folder::new();
    for name in ["in/a.jsonl", "in/deep/er/b.jsonl", "in/deep/c.log", "in/deep/auth.json"] {
        folder.write(name, session(name));
    }
    assert_eq!(files(&folder, &["in/**/*.jsonl"]), ["in/a.jsonl", "in/deep/er/b.jsonl"]);
    assert_eq!(files(&folder, &["in/*/*"]), ["in/deep/c.log", "in/deep/er/b.jsonl"]);
    assert_eq!(files(&folder, &["in/?.jsonl"]), ["in/a.jsonl"]);
    assert_eq!(files(&folder, &["in/**"]), ["in/a.jsonl", "in/deep/c.log", "in/deep/er/b.jsonl"]);
    let run = folder.run(&["calls", "in/*.none"]);
    assert_eq!((run.code, run.err.as_str()), (3, "toolprism: in/*.none: nothing matches\n"));
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_do_no_harm() {
    let folder = Folder::new();
    folder.write("in/deep/a.jsonl", session("s1"));
    std::os::unix::fs::symlink(folder.path().join("in"), folder.path().join("in/deep/up")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("in/deep/a.jsonl"), folder.path().join("in/b.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("in/c.jsonl")).unwrap();
    let run = folder.run(&["calls", "in", "--keep-copies"]);
    assert_eq!((run.code, run.lines().len()), (0, 5), "a file that is found twice is read once");
}

#[test]
fn stdin_is_a_file_called_dash() {
    let folder = Folder::new();
    let run = folder.run_with(&["calls", "-"], session("s1"));
    assert_eq!(run.lines().len(), 5);
    assert_eq!(run.lines()[0]["file"], "-");
    let run = folder.run_with(&["calls", "-", "-"], gz(&session("s1")));
    assert_eq!(run.lines().len(), 5, "compressed, and named twice");
}

#[test]
fn without_a_path_the_homes_of_agents_are_read_and_no_secrets() {
    let folder = Folder::new();
    let homes = [
        "home/.claude/projects/p/a.jsonl",
        "home/.codex/archived_sessions/rollout-b.jsonl",
        "home/.codex/sessions/2026/09/14/rollout-a.jsonl",
        "home/.gemini/tmp/4f1c/chats/session.json",
        "home/.grok/sessions/p/s/updates.jsonl",
        "home/.local/share/opencode/storage/part/m/prt_1.json",
    ];
    for name in homes {
        folder.write(name, session(name));
    }
    for name in [
        "home/.claude/history.jsonl",
        "home/.codex/auth.json",
        "home/.gemini/oauth_creds.json",
        "home/.gemini/tmp/4f1c/logs.json",
        "home/.grok/sessions/p/s/events.jsonl",
        "home/.local/share/opencode/auth.json",
        "home/.local/share/opencode/storage/session/p/ses_1.json",
    ] {
        folder.write(name, session(name));
    }
    let found = files(&folder, &[]);
    let found: Vec<&str> = found.iter().map(|file| &file[file.find("home/").unwrap()..]).collect();
    assert_eq!(found, homes);
}

#[test]
fn agents_can_have_moved() {
    let folder = Folder::new();
    for name in
        ["c/projects/p/a.jsonl", "x/sessions/a.jsonl", "g/sessions/s/updates.jsonl", "d/opencode/storage/part/m/p.json"]
    {
        folder.write(name, session(name));
    }
    folder.write("home/.claude/projects/p/old.jsonl", session("old"));
    let mut command = folder.command(&["calls"]);
    for (variable, place) in
        [("CLAUDE_CONFIG_DIR", "c"), ("CODEX_HOME", "x"), ("GROK_HOME", "g"), ("XDG_DATA_HOME", "d")]
    {
        command.env(variable, folder.path().join(place));
    }
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert_eq!(text.lines().count(), 20);
    assert!(!text.contains("old.jsonl"));
}

#[test]
fn where_there_are_no_logs_it_is_said_where_they_were_looked_for() {
    let folder = Folder::new();
    for command in ["groups", "calls"] {
        let run = folder.run(&[command]);
        assert_eq!((run.code, run.out.as_str()), (3, ""));
        assert!(run.err.contains("no logs of agents found") && run.err.contains(".claude"), "{}", run.err);
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    let run = folder.run(&["groups", "empty"]);
    assert_eq!(run.code, 3);
    assert!(run.err.contains("no file to read"), "{}", run.err);
    let run = folder.run(&["groups", "missing"]);
    assert_eq!(run.code, 3);
    assert!(run.err.starts_with("toolprism: missing: ") && run.err.lines().count() == 1, "{}", run.err);
}

#[test]
fn other_formats_are_counted_in_folders_and_told_of_where_named() {
    let folder = Folder::new();
    folder
        .write("in/a.jsonl", session("s1"))
        .write("in/package.json", "{\"name\":\"x\"}")
        .write("in/big.json", "[1,2]\n".repeat(1000));
    let run = folder.run(&["groups", "in"]);
    assert!(run.out.contains("passed over: 2 files of other formats") && run.err.is_empty(), "{}", run.out);
    let run = folder.run(&["groups", "in", "--verbose", "--strict"]);
    assert_eq!(run.code, 0, "nothing of a log is lost");
    assert!(run.err.contains("package.json: passed over"), "{}", run.err);
    let run = folder.run(&["calls", "in/package.json", "in/a.jsonl"]);
    assert_eq!((run.code, run.lines().len()), (0, 5));
    assert!(
        run.err.contains("in/package.json: no record of a known format (known are: Claude Code session"),
        "{}",
        run.err
    );
    assert_eq!(folder.run(&["calls", "in/package.json"]).code, 3);
    folder.write("none/package.json", "{}");
    let run = folder.run(&["calls", "none"]);
    assert_eq!(run.code, 3);
    assert!(run.err.contains("nothing could be read: 1 file, none of a known format"), "{}", run.err);
}

#[test]
fn an_empty_file_is_a_log_without_calls() {
    let folder = Folder::new();
    folder.write("a.jsonl", "").write("b.jsonl", "\n\n");
    assert_eq!(folder.run(&["calls", "a.jsonl", "b.jsonl", "--strict"]).fine(), "");
    assert!(folder.run(&["groups", "a.jsonl"]).fine().contains("0 calls"));
    assert_eq!(folder.run(&["groups", ".", "--format", "json"]).json()["groups"], serde_json::json!([]));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1")).write("b.jsonl", session("s2"));
    fs::set_permissions(folder.path().join("b.jsonl"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(folder.path().join("b.jsonl")).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let run = folder.run(&["calls", "a.jsonl", "b.jsonl"]);
    assert_eq!((run.code, run.lines().len()), (0, 5));
    assert_eq!(run.err, "toolprism: b.jsonl: could not be read: Permission denied\n");
    assert_eq!(folder.run(&["calls", ".", "--strict", "--quiet"]).code, 4);
    assert_eq!(folder.run(&["calls", "b.jsonl"]).code, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_fails_while_it_is_read_costs_only_itself() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    // Reading the start of a process's memory is an error for everyone.
    let run = folder.run(&["calls", "/proc/self/mem", "a.jsonl", "--strict"]);
    assert_eq!((run.code, run.lines().len()), (4, 5));
    assert!(run.err.starts_with("toolprism: /proc/self/mem: could not be read: "), "{}", run.err);
    assert_eq!(folder.run(&["calls", "/proc/self/mem"]).code, 3);
}

#[test]
fn compressed_logs_are_read_and_cut_ones_up_to_the_cut() {
    let folder = Folder::new();
    let long: String =
        (0..500).map(|n| call("s1", &format!("c{n}"), "Read", &format!(r#"{{"file_path":"/p/{n}"}}"#))).collect();
    let packed = gz(&long);
    folder.write("a.jsonl.gz", &packed).write("b.jsonl.gz", &packed[..packed.len() / 2]);
    // Two archives behind one another are one file.
    folder.write("c.jsonl.gz", [gz(&session("s2")), gz(&session("s3"))].concat());
    assert_eq!(folder.run(&["calls", "a.jsonl.gz"]).lines().len(), 500);
    assert_eq!(folder.run(&["calls", "c.jsonl.gz"]).lines().len(), 10);
    let run = folder.run(&["calls", "b.jsonl.gz"]);
    assert!(run.lines().len() < 500 && !run.lines().is_empty());
    assert!(run.err.contains("b.jsonl.gz: could not be read to its end"), "{}", run.err);
    assert_eq!(folder.run(&["calls", "b.jsonl.gz", "--strict"]).code, 4);
}

#[test]
fn damage_is_told_of_ten_times_a_file_and_fails_only_where_strict() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        session("s1") + &"{\"bad\": tool_use}\n".repeat(13) + &session("s2") + "{\"type\":\"assistant\",\"tool_use",
    );
    let run = folder.run(&["calls", "a.jsonl", "--strict"]);
    assert_eq!((run.code, run.lines().len()), (4, 10));
    let said: Vec<&str> = run.err.lines().collect();
    assert_eq!(said.len(), 11, "{}", run.err);
    let offset = session("s1").len();
    assert!(said[0].starts_with(&format!("a.jsonl:10 (byte {offset}, 18 bytes): not JSON")), "{}", said[0]);
    assert_eq!(said[10], "a.jsonl: and 3 more");
    let run = folder.run(&["calls", "a.jsonl", "--quiet"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    // A last line that is still being written is no damage.
    folder.write("b.jsonl", session("s1") + "{\"type\":\"assistant\",\"tool_use");
    folder.run(&["calls", "b.jsonl", "--strict"]).fine();
    let run = folder.run(&["calls", "b.jsonl", "--strict", "--verbose"]);
    assert!(run.err.contains("the last line is incomplete"), "{}", run.err);
}

#[test]
fn strict_checks_what_is_otherwise_passed_over() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1") + "{\"type\":\"summary\",}\n");
    folder.run(&["calls", "a.jsonl"]).fine();
    assert_eq!(folder.run(&["calls", "a.jsonl", "--strict"]).code, 4);
    folder.write("b.jsonl", session("s1").replacen("a.rs", "a\\x.rs", 1));
    folder.run(&["calls", "b.jsonl"]).fine();
    let strict = folder.run(&["calls", "b.jsonl", "--strict"]);
    assert!(strict.code == 4 && strict.err.contains("a string holds what JSON does not allow"), "{}", strict.err);
}

#[test]
fn wrong_usage_is_code_two() {
    let folder = Folder::new();
    for args in [&["calls", "--format", "xml"][..], &["frobnicate"], &["groups", "--by"], &["calls", "--jobs", "0"]] {
        let run = folder.run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.starts_with("error:"), "{}", run.err);
    }
}
