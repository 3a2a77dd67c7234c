//! `toolprism partial`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../conformance/partial.jsonl");

#[test]
fn the_steps_are_those_of_the_cases() {
    let answers = Folder::new().run_with(&["partial"], CASES).lines();
    let cases: Vec<Value> = CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), cases.len());
    for (answer, case) in answers.iter().zip(&cases) {
        assert_eq!(answer["steps"], case["steps"], "{}", case["id"]);
        let fault = answer.get("fault").map(|fault| json!({"code": fault["code"], "offset": fault["offset"]}));
        assert_eq!(fault.as_ref(), case.get("fault"), "{}", case["id"]);
    }
}

#[test]
fn numbers_keep_their_spelling_and_an_answer_is_one_line() {
    let run = Folder::new().run_with(&["partial"], "{\"doc\":\"[1E+2,12345678901234567890123,\\\"\\u2028\\\"]\"}");
    let out = run.fine();
    assert!(
        out.contains(r#"[30,[1E+2,12345678901234567890123],false],[31,[1E+2,12345678901234567890123,""],false]"#),
        "{out}"
    );
    assert!(out.contains(r#"[34,[1E+2,12345678901234567890123,"\u2028"],false]"#), "{out}");
    assert_eq!(out.lines().count(), 1);
}

#[test]
fn a_bad_line_keeps_its_place_and_says_where_it_is_bad() {
    let folder = Folder::new();
    let long = format!("{{\"doc\":\"{}\"}}", "x".repeat((32 << 10) + 1));
    let lines = format!(
        "{{\"doc\":\"1 \"}}\n\n{{\"doc\" 1}}\n[]\n{{}}\n{{\"doc\":1}}\n{{\"doc\":\"\",\"lenient\":1}}\n{long}\n{{\"doc\":\"\",\"lenient\":null}}\n"
    );
    folder.write("in.jsonl", &lines);
    let run = folder.run(&["partial", "in.jsonl"]);
    assert_eq!(run.code, 1);
    let answers = run.lines();
    assert_eq!(answers[0], json!({"steps": [[0, null, false], [2, 1, true]]}));
    let errors: Vec<_> = answers[1..7]
        .iter()
        .map(|answer| (&answer["error"]["kind"], &answer["error"]["line"], &answer["error"]["column"]))
        .collect();
    let expected = [
        (json!("not_json"), json!(3), json!(8)),
        (json!("not_an_object"), json!(4), json!(1)),
        (json!("missing_member"), json!(5), json!(1)),
        (json!("wrong_type"), json!(6), json!(8)),
        (json!("wrong_type"), json!(7), json!(21)),
        (json!("too_long"), json!(8), json!(8)),
    ];
    assert_eq!(errors, expected.iter().map(|(kind, line, column)| (kind, line, column)).collect::<Vec<_>>());
    assert_eq!(answers[7], json!({"steps": [[0, null, false]]}));
    assert!(run.err.contains("partial: line 5, column 1: \"doc\" is missing"), "{}", run.err);
}
