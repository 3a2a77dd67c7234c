//! `toolprism identify`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::Folder;
use serde_json::{Value, json};

#[test]
fn the_envelope_stands_in_the_order_of_the_contract() {
    let folder = Folder::new();
    let run = folder.run_with(
        &["identify"],
        r#"{"harness":"claude","name":"Read","raw_input":{"file_path":"a.rs","offset":0,"content":"bulk"}}"#,
    );
    assert_eq!(
        run.fine(),
        r#"{"version":1,"name":"Read","kind":"read","namespace":"claude_code","label":"Read","read_only":true,"input":{"path":"a.rs","offset":1},"why":"catalog"}"#.to_owned() + "\n"
    );
}

#[test]
fn mcp_calls_have_server_and_tool_and_no_input() {
    let folder = Folder::new();
    let run = folder
        .run_with(&["identify", "-"], r#"{"harness":"claude_code","name":"mcp__fs__stat","raw_input":{"path":"a"}}"#);
    assert_eq!(
        run.fine(),
        r#"{"version":1,"name":"mcp__fs__stat","kind":"other","namespace":"mcp","label":"Tool","read_only":false,"why":"mcp_name","server":"fs","tool":"stat"}"#.to_owned() + "\n"
    );
}

#[test]
fn an_envelope_comes_out_as_it_went_in() {
    let envelope = r#"{"version":1,"name":"n","kind":"computer_use","namespace":"cursor","label":"L","read_only":true,"input":[1],"zz":{"a":1}"#;
    let line = format!(r#"{{"meta":{{"x.ai/tool":{envelope}}}}}}}"#);
    let run = Folder::new().run_with(&["identify"], &line);
    assert_eq!(run.fine(), format!("{envelope},\"why\":\"envelope\"}}\n"));
}

#[test]
fn every_kind_of_evidence_can_be_given() {
    let folder = Folder::new();
    let lines = [
        r#"{"meta":{"x.ai/tool":{"version":1,"name":"n","kind":"new_kind","namespace":"cursor","label":"L","read_only":true,"why":"mine"}}}"#,
        r#"{"harness":"claude_code","acp_name":"Bash","acp_kind":null}"#,
        r#"{"meta":{"claudeCode":{"toolName":"Bash"}}}"#,
        r#"{"title":"Doing something","acp_kind":"execute"}"#,
        r"{}",
    ];
    let answers = folder.run_with(&["identify"], lines.join("\n")).lines();
    let why: Vec<_> = answers.iter().map(|answer| answer["why"].as_str().unwrap()).collect();
    assert_eq!(why, ["envelope", "acp_name", "vendor_meta", "acp_kind", "nothing"]);
    assert_eq!((&answers[0]["kind"], &answers[0]["namespace"]), (&json!("new_kind"), &json!("cursor")));
    assert_eq!(answers[4]["label"], "Tool");
}

#[test]
fn a_bad_line_keeps_its_place_and_says_where_it_is_bad() {
    let folder = Folder::new();
    folder.write(
        "in.jsonl",
        "{\"name\":\"Bash\"}\n\n  {\"näme\" \"Read\"}\n[1]\n{\"title\":\"é\",\"name\":5}\n{\"name\":\"Read\"}\n",
    );
    let run = folder.run(&["identify", "in.jsonl"]);
    assert_eq!(run.code, 1);
    let lines = run.lines();
    assert_eq!(lines.len(), 5, "blank lines are skipped");
    assert_eq!((&lines[0]["label"], &lines[4]["label"]), (&json!("Run Command"), &json!("Read")));
    assert_eq!(
        lines[1],
        json!({"error": {"kind": "not_json", "message": "expected ':' after a member name", "line": 3, "column": 11}})
    );
    assert_eq!((&lines[2]["error"]["kind"], &lines[2]["error"]["line"]), (&json!("not_an_object"), &json!(4)));
    assert_eq!(
        lines[3],
        json!({"error": {"kind": "wrong_type", "message": "\"name\" must be a string", "line": 5, "column": 21}})
    );
    let said: Vec<&str> = run.err.lines().collect();
    assert_eq!(said[0], "identify: line 3, column 11: expected ':' after a member name");
    assert_eq!(said[2], "identify: line 5, column 21: \"name\" must be a string");
    assert_eq!(said.len(), 3);
}

#[test]
fn a_file_that_is_not_there_is_said_to_be_so() {
    let folder = Folder::new();
    let run = folder.run(&["identify", "missing.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.contains("missing.jsonl"), "{}", run.err);
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let folder = Folder::new();
    let mut child = folder.command(&["identify"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for (name, label) in [("Bash", "Run Command"), ("Read", "Read")] {
        writeln!(questions, "{{\"name\":\"{name}\"}}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!("\"label\":\"{label}\"")), "{answer}");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_envelope_comes_out_with_all_that_it_had() {
    let folder = Folder::new();
    let envelope = |input: Value| {
        json!({"version": 1, "name": "n", "kind": "new_kind", "namespace": "cursor", "label": "L", "read_only": true,
            "input": input, "zoom": [1, {"a": null}], "why": "not ours", "server": "not ours"})
    };
    for input in [json!({"path": "a", "url": "u"}), json!("text"), json!([1, 2]), json!(1.5), json!({})] {
        let envelope = envelope(input);
        let call = json!({"name": "other", "meta": {"x.ai/tool": envelope}});
        let answer = &folder.run_with(&["identify"], call.to_string()).lines()[0];
        for member in ["version", "name", "kind", "namespace", "label", "read_only", "input", "zoom"] {
            assert_eq!(answer[member], envelope[member], "{member}");
        }
        assert_eq!((&answer["why"], answer.get("server")), (&json!("envelope"), None));
    }
}
