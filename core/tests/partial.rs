//! Arguments that stream: the conformance cases, at every byte and in pieces cut anywhere.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use toolprism::partial::{PartialInput, State};

const CASES: &str = include_str!("../../conformance/partial.jsonl");
const MANIFEST: &str = include_str!("../../conformance/manifest.json");

fn reader(case: &Value) -> PartialInput {
    if case["lenient"] == true { PartialInput::lenient() } else { PartialInput::new() }
}

fn shown(input: &PartialInput) -> Value {
    input.to_text().map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
}

/// What the case says of the first `bytes` bytes.
fn expected(case: &Value, bytes: usize) -> (Value, Value) {
    let steps = case["steps"].as_array().unwrap();
    let step = steps.iter().rfind(|step| step[0].as_u64().unwrap() <= bytes as u64).unwrap();
    (step[1].clone(), step[2].clone())
}

#[test]
fn every_cut_shows_what_the_cases_say() {
    let mut cases = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let doc = case["doc"].as_str().unwrap().as_bytes();
        assert_eq!(doc.len() as u64, case["bytes"].as_u64().unwrap());
        for piece in 1..=7 {
            let mut input = reader(&case);
            let mut end = 0;
            loop {
                let found = (shown(&input), json!(input.is_complete()));
                assert_eq!(found, expected(&case, end), "{} in pieces of {piece}, {end} bytes", case["id"]);
                if end == doc.len() {
                    break;
                }
                let next = (end + piece).min(doc.len());
                input.push(&doc[end..next]);
                end = next;
            }
            let fault = match input.state() {
                State::Broken(error) => json!({"code": error.fault.as_str(), "offset": error.offset}),
                _ => Value::Null,
            };
            assert_eq!(fault, case["fault"], "{} in pieces of {piece}", case["id"]);
        }
        cases += 1;
    }
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(cases, manifest["partial"].as_u64().unwrap(), "the manifest counts the cases");
}
