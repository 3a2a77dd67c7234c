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
use toolprism_facade::tools::ToolRegistry;

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
