//! `toolprism calls`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Folder, call, session};
use serde_json::{Value, json};

const KEYS: [&str; 28] = [
    "id",
    "name",
    "label",
    "kind",
    "namespace",
    "read_only",
    "status",
    "input",
    "harness",
    "format",
    "session",
    "parent_id",
    "file",
    "line",
    "why",
    "server",
    "tool",
    "agent",
    "title",
    "version",
    "exit_code",
    "error",
    "started_at",
    "ended_at",
    "duration_ms",
    "offset",
    "known",
    "flags",
];

#[test]
fn each_line_holds_all_keys_in_order() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let run = folder.run(&["calls", "a.jsonl"]);
    let lines = run.lines();
    assert_eq!(lines.len(), 5);
    for line in &lines {
        assert!(KEYS.iter().all(|key| line.get(key).is_some()));
        assert_eq!(line.as_object().unwrap().len(), KEYS.len());
    }
    // The last call has no input whose members could be taken for the record's own.
    let last = run.out.lines().last().unwrap();
    let places: Vec<usize> = KEYS.iter().map(|key| last.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{last}");
    let first = &lines[0];
    assert_eq!(first["label"], "Read");
    assert_eq!(first["input"], json!({"path": "/p/a.rs", "offset": 10, "limit": 20}));
    assert_eq!((&first["harness"], &first["format"]), (&json!("claude_code"), &json!("claude_session")));
    assert_eq!((&first["file"], &first["line"], &first["offset"]), (&json!("a.jsonl"), &json!(1), &json!(0)));
    assert_eq!((&first["why"], &first["known"]), (&json!("catalog"), &json!(true)));
    assert_eq!(first["started_at"], "2026-09-14T12:00:00.000Z");
    assert_eq!(first["ended_at"], "2026-09-14T12:00:02.500Z");
    assert_eq!(first["duration_ms"], 2500);
    assert_eq!(first["server"], Value::Null);
    assert_eq!((&lines[2]["status"], &lines[2]["exit_code"]), (&json!("failed"), &json!(101)));
    assert_eq!(lines[2]["error"], "Exit code 101\nfailed");
    assert_eq!((&lines[3]["server"], &lines[3]["tool"]), (&json!("fs"), &json!("stat")));
    assert_eq!((&lines[4]["known"], &lines[4]["input"]), (&json!(false), &Value::Null));
    assert_eq!(lines[4]["status"], "pending");
    run.fine();
}

#[test]
fn the_raw_input_is_there_only_when_asked_for() {
    let folder = Folder::new();
    folder.write("a.jsonl", call("s", "c1", "Write", r#"{"file_path":"/p/a","content":"bulk"}"#));
    assert!(!folder.run(&["calls", "a.jsonl"]).fine().contains("bulk"));
    let lines = folder.run(&["calls", "a.jsonl", "--raw-input"]).lines();
    assert_eq!(lines[0]["raw_input"], json!({"file_path": "/p/a", "content": "bulk"}));
    let csv = folder.run(&["calls", "a.jsonl", "--raw-input", "--format", "csv"]).fine();
    assert!(csv.lines().next().unwrap().ends_with(",flags,raw_input"));
    assert!(csv.contains(r#"""content"":""bulk"""#), "{csv}");
}

#[test]
fn json_is_one_array_of_the_same_records() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1")).write("empty.jsonl", "");
    let lines = folder.run(&["calls", "a.jsonl"]).lines();
    assert_eq!(folder.run(&["calls", "a.jsonl", "--format", "json"]).json(), Value::Array(lines));
    assert_eq!(folder.run(&["calls", "empty.jsonl", "--format", "json"]).json(), json!([]));
}

#[test]
fn csv_has_a_header_and_quotes() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let csv = folder.run(&["calls", "a.jsonl", "--format", "csv"]).fine();
    assert_eq!(csv.lines().next().unwrap(), KEYS.join(","));
    // One record holds a line break in its error, so there is one line more than header and calls.
    assert_eq!(csv.lines().count(), 1 + 5 + 1);
    assert!(csv.contains(r#""{""command"":""cargo test, \""all\"""",""description"":""Run tests""}""#), "{csv}");
}

#[test]
fn the_table_shows_what_happened() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let table = folder.run(&["calls", "a.jsonl", "--format", "table", "--width", "120"]).fine();
    for text in
        ["a.jsonl  Claude Code session  2026-09-14 UTC", "/p/a.rs:10-29", "cargo test, \"all\"", "fs · stat", "2.5 s"]
    {
        assert!(table.contains(text), "{text} is not in\n{table}");
    }
    assert!(table.contains("5 calls in 1 session · ✓ 3 completed · ✗ 1 failed · … 1 pending"), "{table}");
    assert!(!table.contains('\u{1b}'));
    let narrow = folder.run(&["calls", "a.jsonl", "--format", "table", "--width", "80"]).fine();
    assert!(
        narrow.contains("cargo test, \"all\"") && narrow.contains("Exit code 101"),
        "what went wrong stays:\n{narrow}"
    );
    for width in ["60", "80", "100", "140"] {
        let table = folder.run(&["calls", "a.jsonl", "--format", "table", "--width", width]).fine();
        let most = table.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(most <= width.parse().unwrap(), "{table}");
    }
}

#[test]
fn files_come_in_sorted_order_whatever_the_number_of_jobs() {
    let folder = Folder::new();
    for n in 0..20 {
        // The first file is the smallest, so that the order of work is not the order of output.
        folder.write(&format!("logs/{n:02}.jsonl"), session(&format!("s{n}")).repeat(n + 1));
    }
    let one = folder.run(&["calls", "logs", "--jobs", "1"]).fine();
    let many = folder.run(&["calls", "logs", "--jobs", "8"]).fine();
    assert!(one == many);
    let files: Vec<String> =
        one.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["file"].to_string()).collect();
    assert!(files.is_sorted() && files.len() == 100);
}

#[test]
fn copies_are_removed_unless_they_are_to_stay() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1")).write("b.jsonl", session("s1"));
    assert_eq!(folder.run(&["calls", "."]).lines().len(), 5);
    assert_eq!(folder.run(&["calls", ".", "--keep-copies"]).lines().len(), 10);
    // One file that is named twice is one file.
    assert_eq!(folder.run(&["calls", "a.jsonl", "./a.jsonl", ".", "--keep-copies"]).lines().len(), 10);
}

#[test]
fn grok_and_acp_logs_are_read_too() {
    let folder = Folder::new();
    let update = r#"{"sessionId":"g1","update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Execute","kind":"execute","status":"pending","rawInput":{"command":"ls"},"_meta":{"x.ai/tool":{"version":1,"name":"run_terminal_command","kind":"execute","namespace":"grok_build","label":"Run Command","read_only":false}}}}"#;
    folder.write(
        "updates.jsonl",
        format!("{{\"timestamp\":1796034389,\"method\":\"session/update\",\"params\":{update}}}\n"),
    );
    folder.write("acp.jsonl", format!("{{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{update}}}\n"));
    let lines = folder.run(&["calls", "."]).lines();
    let formats: Vec<&Value> = lines.iter().map(|line| &line["format"]).collect();
    assert_eq!(formats, ["acp", "grok_updates"]);
    for line in &lines {
        assert_eq!((&line["why"], &line["label"]), (&json!("envelope"), &json!("Run Command")));
    }
}

#[test]
fn a_document_without_lines_has_no_line_numbers_to_show() {
    let folder = Folder::new();
    let part = r#"{"type":"tool","tool":"bash","callID":"c1","sessionID":"ses_1","id":"prt_1","messageID":"msg_1","state":{"status":"completed","input":{"command":"ls"},"output":"","time":{"start":1796034389870,"end":1796034389990}}}"#;
    let export = format!(
        r#"{{"info":{{"id":"ses_1","version":"1.2.0","directory":"/p"}},"messages":[{{"info":{{"id":"msg_1","sessionID":"ses_1","role":"assistant"}},"parts":[{part}]}}]}}"#
    );
    folder.write("export.json", export);
    let run = folder.run(&["calls", "export.json"]);
    assert_eq!((&run.lines()[0]["format"], &run.lines()[0]["line"]), (&json!("opencode_export"), &json!(0)));
    let table = folder.run(&["calls", "export.json", "--format", "table"]).fine();
    assert!(!table.contains("Line") && table.contains("Run Command"), "{table}");
}

#[test]
fn raw_input_is_one_line_of_json_however_it_was_written() {
    let folder = Folder::new();
    let part = json!({"type": "tool", "tool": "bash", "callID": "c1", "sessionID": "ses_1", "id": "prt_1",
        "messageID": "msg_1", "state": {"status": "completed", "input": {"command": "a \"b\" \\", "x": [1, 2]}}});
    folder.write("part.json", serde_json::to_string_pretty(&part).unwrap());
    let run = folder.run(&["calls", "part.json", "--raw-input"]);
    assert_eq!(run.lines()[0]["raw_input"], part["state"]["input"]);
    assert!(run.fine().contains(r#""raw_input":{"command":"a \"b\" \\","x":[1,2]}"#));
    // Neither a tab in a string nor an escape of a plain letter is JSON, but both are read past.
    folder.write("tab.json", part.to_string().replace("a \\", "a\t\\"));
    let run = folder.run(&["calls", "tab.json", "--raw-input"]);
    assert_eq!(run.lines()[0]["raw_input"]["command"], "a\t\"b\" \\");
    folder.write("escape.json", part.to_string().replace("a \\", "a \\q\\"));
    let run = folder.run(&["calls", "escape.json", "--raw-input"]);
    assert!(run.lines()[0]["raw_input"]["command"].is_string(), "{}", run.out);
}

#[test]
fn the_library_writes_the_same_csv() {
    let folder = Folder::new();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut scan = toolprism_facade::Scan::new(b"{}").unwrap();
    // In the order in which the program reads them.
    let logs = ["acp/gemini_cli.jsonl", "acp/opencode.jsonl", "opencode/export.json"];
    for log in logs {
        let log_of = std::fs::read(samples.join(log)).unwrap();
        folder.write(log, &log_of);
        scan.begin(log).unwrap();
        scan.push(&log_of).unwrap();
    }
    scan.finish();
    let calls = folder.run(&[&["calls", "--format", "csv"], &logs[..]].concat()).fine();
    let own = scan.csv(toolprism_facade::Numbers::Range(0, usize::MAX), true).unwrap();
    assert!(own.lines().eq(calls.lines()) && own.lines().count() > 50);
    for by in ["label", "path"] {
        let groups = folder.run(&[&["groups", "--by", by, "--format", "csv"], &logs[..]].concat()).fine();
        assert!(scan.groups_csv(by, None).unwrap() == groups, "{by}");
    }
}
