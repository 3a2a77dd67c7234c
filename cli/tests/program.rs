//! The program as a whole: help, schema, catalog, closed pipes, hostile logs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{Folder, call, session};
use serde_json::Value;

#[test]
fn alone_it_explains_itself() {
    let folder = Folder::new();
    let help = folder.run(&[]).fine();
    for text in ["groups", "calls", "identify", "tools", "schema", "Examples:", "Exit codes:"] {
        assert!(help.contains(text), "{text}");
    }
    for command in ["groups", "calls", "identify", "tools"] {
        assert!(folder.run(&[command, "--help"]).fine().contains("Examples:"), "{command}");
    }
    assert!(folder.run(&["--version"]).fine().starts_with("toolprism "));
}

#[test]
fn the_schema_is_that_of_the_envelope() {
    let schema = Folder::new().run(&["schema"]).json();
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(required, ["version", "name", "kind", "namespace", "label", "read_only"]);
}

#[test]
fn the_catalog_is_shown_in_every_format() {
    let folder = Folder::new();
    let all = folder.run(&["tools", "--format", "json"]).json();
    let read =
        all.as_array().unwrap().iter().find(|tool| tool["harness"] == "claude_code" && tool["name"] == "Read").unwrap();
    assert_eq!((read["label"].as_str(), read["read_only"].as_bool()), (Some("Read"), Some(true)));
    assert_eq!(read["input"][0], serde_json::json!({"field": "path", "from": ["file_path"], "how": "text"}));
    let one = folder.run(&["tools", "Claude-Code", "--format", "jsonl"]);
    assert!(!one.lines().is_empty() && one.lines().iter().all(|tool| tool["harness"] == "claude_code"));
    let csv = folder.run(&["tools", "claude", "--format", "csv"]).fine();
    assert_eq!(csv.lines().next().unwrap(), "harness,namespace,name,names,kind,label,read_only,input");
    let table = folder.run(&["tools", "claude", "--width", "120"]).fine();
    assert!(table.contains("Claude Code  namespace claude_code") && table.contains("mcp__server__tool"), "{table}");
    assert!(table.contains("path ← file_path"), "{table}");
    let run = folder.run(&["tools", "nobody"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(
        run.err.contains("no harness is called \"nobody\"; known are: ") && run.err.contains("claude_code"),
        "{}",
        run.err
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    let log: String = (0..20_000).map(|n| call("s1", &format!("c{n}"), "Read", r#"{"file_path":"/p/a"}"#)).collect();
    folder.write("a.jsonl", log);
    for args in [
        &["calls", "a.jsonl"][..],
        &["calls", "a.jsonl", "--format", "table"],
        &["calls", "a.jsonl", "--format", "csv"],
    ] {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 100];
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut first).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&["calls", "a.jsonl"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("toolprism: the output could not be written"), "{said}");
}

#[test]
fn nothing_in_a_log_reaches_the_terminal_raw() {
    let folder = Folder::new();
    let evil = r"\u001b[31m\u0007\u202egnp.exe\u200b\u009b\r\n\u2066";
    let log = call("s1", "c1", evil, r#"{"a":1}"#)
        + &call("s1", "c2", "Read", &format!(r#"{{"file_path":"/p/{evil}"}}"#))
        + &call("s1", "c3", "Bash", &format!(r#"{{"command":"{evil}"}}"#))
        + &call("s1", "c4", &format!("mcp__{evil}__{evil}"), "{}")
        + &common::result("s1", "c3", true, evil);
    folder.write("a.jsonl", log);
    let fit = |text: &str| {
        let unfit = |char: char| {
            char != '\n'
                && (char.is_control()
                    || matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        };
        assert!(!text.chars().any(unfit), "{text:?}");
    };
    let mut tables = vec![folder.run(&["calls", "a.jsonl", "--format", "table", "--width", "200"]).fine()];
    for by in ["label", "name", "server", "path"] {
        tables.push(folder.run(&["groups", "a.jsonl", "--width", "200", "--by", by]).fine());
        tables.push(folder.run(&["groups", "a.jsonl", "--width", "200", "--runs", "--by", by]).fine());
    }
    for table in &tables {
        fit(table);
    }
    assert!(tables[0].contains("\\u{1b}[31m\\u{7}\\u{202e}gnp.exe"), "{}", tables[0]);
    // What is for programs holds the text as it is, in JSON's own escapes.
    let lines = folder.run(&["calls", "a.jsonl"]).lines();
    assert_eq!(lines[0]["name"], "\u{1b}[31m\u{7}\u{202e}gnp.exe\u{200b}\u{9b}\r\n\u{2066}");
}

#[test]
fn megabytes_of_a_name_fill_no_screen() {
    let folder = Folder::new();
    let long = "x".repeat(2 << 20);
    folder.write(
        "a.jsonl",
        call("s1", "c1", &long, "{}") + &call("s1", "c2", "Read", &format!(r#"{{"file_path":"/{long}"}}"#)),
    );
    for args in [
        &["calls", "a.jsonl", "--format", "table"][..],
        &["groups", "a.jsonl"],
        &["groups", "a.jsonl", "--by", "path"],
        &["groups", "a.jsonl", "--by", "name", "--runs"],
    ] {
        let table = folder.run(args).fine();
        assert!(table.len() < 10_000, "{args:?}");
        assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    }
    assert_eq!(folder.run(&["calls", "a.jsonl"]).lines()[0]["name"].as_str().unwrap().len(), 2 << 20);
}

#[test]
fn bytes_that_are_no_text_cost_nothing_but_themselves() {
    let folder = Folder::new();
    let mut log = session("s1").into_bytes();
    log.extend_from_slice(b"\xff\xfe\x00tool_use\n");
    log.extend_from_slice(session("s2").as_bytes());
    folder.write("a.jsonl", log);
    let run = folder.run(&["calls", "a.jsonl"]);
    assert_eq!((run.code, run.lines().len()), (0, 10));
    assert_eq!(run.err.lines().count(), 1);
    let known = run.lines().iter().filter(|line| line["known"] == Value::Bool(true)).count();
    assert_eq!(known, 8);
}
