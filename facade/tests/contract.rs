//! The cases of `conformance/contract.jsonl`, which every face that has the tool contract runs: here they are what the facade
//! itself answers.
//!
//! `TOOLPRISM_WRITE_CASES=1 cargo test -p toolprism-facade --all-features --test contract` writes the answers anew after a change
//! that is meant; look at the difference line by line.
#![cfg(feature = "contract")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use toolprism_facade::Error;
use toolprism_facade::tools::{ToolCall, ToolRegistry};

/// A case. What it holds stays text, so that no number is rounded.
#[derive(Deserialize, Serialize)]
struct Case {
    id: String,
    tools: Vec<Box<RawValue>>,
    call: Box<RawValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    progress: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Box<RawValue>>,
    expect: Option<Box<RawValue>>,
}

/// What the steps of a case come to: what is run, what came of it, and all updates.
#[derive(Default, Serialize)]
struct Answer {
    run: Option<Box<RawValue>>,
    outcome: Option<Box<RawValue>>,
    updates: Vec<Box<RawValue>>,
}

impl Answer {
    fn take(&mut self, steps: &str) {
        #[derive(Deserialize)]
        struct Steps {
            updates: Vec<Box<RawValue>>,
            run: Option<Box<RawValue>>,
            outcome: Option<Box<RawValue>>,
        }
        let steps: Steps = serde_json::from_str(steps).unwrap();
        self.updates.extend(steps.updates);
        self.run = self.run.take().or(steps.run);
        assert!(self.outcome.is_none(), "nothing follows the outcome");
        self.outcome = steps.outcome;
    }
}

fn answer(case: &Case) -> String {
    let mut tools = ToolRegistry::new();
    for tool in &case.tools {
        tools.register(tool.get().as_bytes()).unwrap();
    }
    let call = case.call.get().replacen('{', r#"{"id":"c1","#, 1);
    let (mut call, steps) = tools.begin(call.as_bytes()).unwrap();
    let mut answer = Answer::default();
    answer.take(&steps);
    if answer.run.is_some() {
        for item in &case.progress {
            answer.take(&call.progress(item.get().as_bytes()).unwrap());
        }
        let end = case.end.as_deref().map_or(r#"{"output":"done"}"#, RawValue::get);
        answer.take(&call.end(end.as_bytes()).unwrap());
    }
    serde_json::to_string(&answer).unwrap()
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let text = fs::read_to_string(folder.join("contract.jsonl")).unwrap();
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    if std::env::var_os("TOOLPRISM_WRITE_CASES").is_some() {
        let answered = cases.into_iter().map(|case| {
            let expect = RawValue::from_string(answer(&case)).unwrap();
            serde_json::to_string(&Case { expect: Some(expect), ..case }).unwrap() + "\n"
        });
        fs::write(folder.join("contract.jsonl"), answered.collect::<String>()).unwrap();
        return;
    }
    for case in &cases {
        assert_eq!(answer(case), case.expect.as_deref().map_or("", RawValue::get), "{}", case.id);
    }
    let manifest: Value = serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(cases.len() as u64, manifest["contract"].as_u64().unwrap(), "the manifest counts the cases");
}

fn registry() -> ToolRegistry {
    let mut tools = ToolRegistry::new();
    let tool = br#"{"id": "t", "namespace": "mine", "kind": "read", "schema": {"type": "object"}}"#;
    assert_eq!(tools.register(tool).unwrap(), "mine:t");
    tools
}

fn begin(call: &str) -> (ToolCall, Value) {
    let (call, steps) = registry().begin(call.as_bytes()).unwrap();
    (call, serde_json::from_str(&steps).unwrap())
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_place() {
    let mut tools = registry();
    let kind = |result: Result<String, Error>| result.unwrap_err().kind;
    for (definition, wanted) in [
        ("", "not_json"),
        ("[]", "wrong_type"),
        (r#"{"id": "u"}"#, "wrong_type"),
        (r#"{"id": "u", "namespace": "n", "kind": "read", "schema": {}, "more": 1}"#, "wrong_type"),
        (r#"{"id": "u", "namespace": "n", "kind": "reed", "schema": {}}"#, "bad_tool"),
        (r#"{"id": "u", "namespace": "n", "kind": "read", "schema": {"type": "strin"}}"#, "bad_tool"),
        (r#"{"id": "t", "namespace": "mine", "kind": "read", "schema": {}}"#, "bad_tool"),
    ] {
        assert_eq!(kind(tools.register(definition.as_bytes())), wanted, "{definition}");
    }
    assert_eq!(kind(tools.list(Some("other"))), "wrong_type");
    assert_eq!(tools.begin(br#"{"id": "1", "name": "t"}"#).unwrap_err().kind, "wrong_type");
    let error = tools.begin(b"{\n!").unwrap_err();
    assert_eq!((error.kind, error.line, error.column), ("not_json", Some(2), Some(1)));
}

#[test]
fn a_call_that_has_ended_takes_nothing_more() {
    let (mut call, begun) = begin(r#"{"id": "1", "name": "t", "arguments": {}}"#);
    assert_eq!(begun["run"]["tool"], "mine:t");
    assert_eq!(call.progress(b"5").unwrap_err().kind, "wrong_type");
    assert!(call.progress(b"\"half\"").unwrap().contains(r#""text":"half""#));
    assert!(call.end(br#"{"output": 1}"#).unwrap().contains(r#""status":"completed""#));
    assert_eq!(call.progress(b"\"more\"").unwrap_err().kind, "ended");
    assert_eq!(call.end(br#"{"output": 2}"#).unwrap_err().kind, "ended");

    let (mut refused, begun) = begin(r#"{"id": "1", "name": "u", "arguments": "{}"}"#);
    assert_eq!(begun["outcome"]["error"]["kind"], "not_found");
    assert_eq!(refused.end(b"{}").unwrap_err().kind, "ended");
}

#[test]
fn an_end_that_cannot_be_read_fails_the_call() {
    for end in ["", r#"{"output": NaN}"#, r#"{"output": "\ud800"}"#, r#"{"output": 1, "more": 2}"#] {
        let (mut call, _) = begin(r#"{"id": "1", "name": "t", "arguments": {}}"#);
        let steps: Value = serde_json::from_str(&call.end(end.as_bytes()).unwrap()).unwrap();
        let error = &steps["outcome"]["error"];
        assert_eq!(
            (&error["kind"], &error["details"]["reason"]),
            (&"execution".into(), &"output_encoding".into()),
            "{end}"
        );
    }
}

#[test]
fn nothing_runs_that_nobody_waits_for_or_whose_numbers_would_be_rounded() {
    let (_, steps) = begin(r#"{"id": "1", "name": "t", "arguments": {}, "cancelled": true}"#);
    assert_eq!((steps.get("run"), &steps["outcome"]["error"]["kind"]), (None, &"cancelled".into()));
    let call = |number: &str| {
        begin(&format!(
            r#"{{"id": "1", "name": "t", "arguments": {{"n": {number}}}, "max_integer": 9007199254740991}}"#
        ))
        .1
    };
    assert!(call("-9007199254740991")["run"].is_object() && call("1e300")["run"].is_object());
    let steps = call("9007199254740992");
    assert_eq!(steps.get("run"), None);
    assert_eq!(steps["outcome"]["error"]["details"]["problems"][0]["path"], "/n");
}
