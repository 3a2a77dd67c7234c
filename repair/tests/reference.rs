//! The `reference` profile: the conformance cases, and what the cases do not hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::Value;
use toolprism::json::{JsonView, RawJson};
use toolprism_repair::{
    Action, Code, CompletedCall, DEFAULT_MAX_ARGS_BYTES, Engine, Judgement, Meta, Options, Reason, SchemaLimits,
    ToolDefinition,
};

const CASES: &str = include_str!("../../conformance/repair_reference.jsonl");
const MANIFEST: &str = include_str!("../../conformance/manifest.json");

/// An answer as the cases write it: outcome, tool name, reason, arguments.
type Answer = (String, String, String, Option<String>);

/// Answers that are others on purpose, and why.
const OURS: [(&str, &str, (&str, &str)); 1] = [(
    "m-rename-015",
    "a member in another spelling before the exact one: the reference engine loses the first value",
    ("unrepairable", "unrepairable"),
)];

fn decode_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        bits = bits << 6 | DIGITS.iter().position(|digit| *digit == byte).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// A schema as the bytes that it is in the file.
fn parameters(tool: &RawJson<'_>) -> Vec<u8> {
    if let Some(value) = tool.get("parameters") {
        return value.text().to_vec();
    }
    let text = |member| tool.get(member).map(|value| value.as_str().unwrap().into_owned());
    let encoded = text("parameters_b64").map(|text| decode_base64(&text));
    text("parameters_text").map(String::into_bytes).or(encoded).unwrap_or_default()
}

fn options(case: &Value) -> Options {
    let limit = |value: &Value, default: usize| value.as_u64().map_or(default, |bytes| bytes as usize);
    let max_schema_bytes = limit(&case["schema_limits"]["max_schema_bytes"], SchemaLimits::default().max_schema_bytes);
    Options {
        max_args_bytes: limit(&case["max_args_bytes"], DEFAULT_MAX_ARGS_BYTES),
        schema_limits: SchemaLimits { max_schema_bytes, ..SchemaLimits::default() },
        ..Options::reference()
    }
}

fn run(line: &str) -> (Value, Answer) {
    let case: Value = serde_json::from_str(line).unwrap();
    let raw = RawJson::parse(line).unwrap();
    let tools: Vec<_> = raw.get("tools").unwrap().items().collect();
    let tools: Vec<ToolDefinition> = tools
        .iter()
        .map(|tool| ToolDefinition::new(tool.get("name").unwrap().as_str().unwrap(), parameters(tool)))
        .collect();
    let args = match case["args_b64"].as_str() {
        Some(text) => decode_base64(text),
        None => case["args"].as_str().unwrap().into(),
    };
    let name = case["tool_name"].as_str().unwrap();
    let call = CompletedCall { tool_call_id: "c", tool_name: name, args_json: &args };
    let cancel = AtomicBool::new(case["canceled"] == true);
    let meta = Meta { cancel: Some(&cancel), ..Meta::default() };
    let engine = Engine::new(options(&case));
    let judged = if case["no_exact_tool"] == true {
        engine.judge_with_tool(&call, None, &tools, &meta)
    } else {
        engine.judge(&call, &tools, &meta)
    };
    let answer = answer(judged, name, &args);
    (case, answer)
}

fn answer(judged: Judgement, name: &str, args: &[u8]) -> Answer {
    assert_eq!(judged.changes.is_empty(), judged.action != Action::Rewrite, "{judged:?}");
    let outcome = match judged.action {
        Action::Reject => "unrepairable",
        other => other.as_str(),
    };
    let name = judged.tool_name.unwrap_or_else(|| name.into());
    let args = (outcome == "rewrite").then(|| judged.args.unwrap_or_else(|| String::from_utf8(args.into()).unwrap()));
    (outcome.into(), name, judged.reason.as_str().into(), args)
}

fn expected(case: &Value) -> Answer {
    let expected = &case["expected"];
    let text = |member: &str| expected[member].as_str().map(String::from);
    let name = text("tool_name").unwrap();
    if let Some((_, _, (outcome, reason))) = OURS.iter().find(|(id, _, _)| case["id"] == *id) {
        return ((*outcome).into(), name, (*reason).into(), None);
    }
    (text("outcome").unwrap(), name, text("reason").unwrap(), text("args"))
}

#[test]
fn conformance_cases() {
    let mut differing = Vec::new();
    let mut count = 0;
    for line in CASES.lines() {
        count += 1;
        let (case, found) = run(line);
        let expected = expected(&case);
        if found != expected {
            differing.push(format!("{} ({}): {found:?}, not {expected:?}", case["id"], case["note"]));
        }
    }
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(manifest["repair_reference"], count);
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}
