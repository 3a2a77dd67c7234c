//! Live streams: what is told of changes, and what is not told again.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use toolprism_facade::Live;

fn live() -> Live {
    Live::new(br#"{"wire":"ai_sdk"}"#).unwrap()
}

fn called(live: &mut Live, id: &str, name: &str, input: Value) {
    push(live, &json!({"type": "tool-input-available", "toolCallId": id, "toolName": name, "input": input}));
}

fn push(live: &mut Live, message: &Value) {
    live.push(message.to_string().as_bytes()).unwrap();
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The members of records, by name.
fn members(records: &Value, names: &[&str]) -> Value {
    let of = |record: &Value| names.iter().map(|name| record[name].clone()).collect::<Value>();
    records.as_array().unwrap().iter().map(of).collect()
}

#[test]
fn what_changed_is_told_once() {
    let mut live = live();
    called(&mut live, "a", "Read", json!({"file_path": "x"}));
    called(&mut live, "b", "Bash", json!({"command": "ls"}));
    push(&mut live, &json!({"type": "tool-output-available", "toolCallId": "a", "output": ""}));
    let told = json(&live.changes());
    assert_eq!(
        members(&told, &["at", "id", "status", "verb"]),
        json!([[0, "a", "completed", "Read"], [1, "b", "pending", "Running"]])
    );
    assert_eq!(live.changes(), "[]");
    live.end_turn(false);
    let told = json(&live.changes());
    assert_eq!(members(&told, &["at", "status"]), json!([[1, "unresolved"]]), "what has ended does not end again");
    live.end_turn(true);
    assert_eq!(live.changes(), "[]");
}

#[test]
fn groups_and_runs_are_told_of_when_they_change() {
    let mut live = live();
    called(&mut live, "a", "Read", json!({"file_path": "x"}));
    called(&mut live, "b", "Bash", json!({"command": "ls"}));
    called(&mut live, "c", "Read", json!({"file_path": "y"}));
    let first = json(&live.groups("label").unwrap());
    assert_eq!(
        members(&first, &["at", "key", "count", "pending"]),
        json!([[0, "label:Read", 2, 2], [1, "label:Run Command", 1, 1]])
    );
    assert_eq!(live.groups("label").unwrap(), "[]");
    let runs = json(&live.runs("label").unwrap());
    assert_eq!(runs["count"], 3);
    assert_eq!(members(&runs["changed"], &["at", "first", "count"]), json!([[0, 0, 1], [1, 1, 1], [2, 2, 1]]));
    push(&mut live, &json!({"type": "tool-output-error", "toolCallId": "b", "errorText": "no"}));
    assert_eq!(members(&json(&live.groups("label").unwrap()), &["at", "failed"]), json!([[1, 1]]));
    assert_eq!(members(&json(&live.runs("label").unwrap())["changed"], &["at", "failed"]), json!([[1, 1]]));
    assert_eq!(live.group_calls("label", 0).unwrap(), [0, 2]);
    assert_eq!(live.line_of([0, 2]), "Reading 2 files");
    assert_eq!(live.line(), "Reading 2 files, ran 1 command, 1 failed");
    // Groups by something else are made when they are first asked for, of all calls there are.
    assert_eq!(members(&json(&live.groups("name").unwrap()), &["value"]), json!([["Read"], ["Bash"]]));
}

#[test]
fn a_call_that_turns_out_to_be_another_tool_changes_two_groups() {
    let mut live = Live::new(br#"{"wire":"acp"}"#).unwrap();
    let mut update = |update: Value| push(&mut live, &json!({"sessionId": "s", "update": update}));
    update(json!({"sessionUpdate": "tool_call", "toolCallId": "a", "title": "Working"}));
    update(
        json!({"sessionUpdate": "tool_call", "toolCallId": "b", "title": "ls", "kind": "execute", "rawInput": {"command": "ls"}}),
    );
    assert_eq!(
        members(&json(&live.groups("label").unwrap()), &["value", "count"]),
        json!([["Tool", 1], ["Run Command", 1]])
    );
    assert_eq!(json(&live.runs("label").unwrap())["count"], 2);
    let change = json!({"sessionUpdate": "tool_call_update", "toolCallId": "a", "kind": "execute", "rawInput": {"command": "pwd"}});
    push(&mut live, &json!({"sessionId": "s", "update": change}));
    assert_eq!(
        members(&json(&live.groups("label").unwrap()), &["value", "count"]),
        json!([["Tool", 0], ["Run Command", 2]])
    );
    let runs = json(&live.runs("label").unwrap());
    assert_eq!(
        (runs["count"].clone(), members(&runs["changed"], &["at", "first", "count"])),
        (json!(1), json!([[0, 0, 2]]))
    );
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let refused = |options: &str| Live::new(options.as_bytes()).map(|_| ()).unwrap_err();
    assert_eq!(refused("{}").kind, "missing_member");
    assert_eq!(refused(r#"{"wire":"pigeon"}"#).kind, "unknown_value");
    assert!(refused(r#"{"wire":"pigeon"}"#).message.contains("anthropic_messages"));
    assert_eq!(refused(r#"{"wire":"acp","harness":5}"#).kind, "wrong_type");
    assert_eq!(refused(r#"{"wire":"acp","raw_input":"yes"}"#).kind, "wrong_type");
    assert_eq!(refused("[]").kind, "not_an_object");
    let mut live = live();
    let error = live.push(b"{\"a\":").unwrap_err();
    assert_eq!((error.kind, error.offset), ("not_json", Some(5)));
    assert_eq!(live.groups("colour").unwrap_err().kind, "unknown_value");
    assert!(live.is_empty());
}
