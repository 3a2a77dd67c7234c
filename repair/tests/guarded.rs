//! The conformance cases of the `guarded` profile.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use toolprism_repair::{Action, CompletedCall, Engine, Judgement, Meta, StopReason, ToolDefinition};

const CASES: &str = include_str!("../../conformance/repair_guarded.jsonl");
const MANIFEST: &str = include_str!("../../conformance/manifest.json");

fn judge(engine: &Engine, case: &Value) -> Judgement {
    let text = |member: &str| case[member].as_str().unwrap_or_default();
    let stop = StopReason::from_wire(text("stop"));
    let meta = Meta { stop, ..Meta::default() };
    if case["kind"] == "tool_name" {
        let tools: Vec<_> = case["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| ToolDefinition::new(name.as_str().unwrap(), ""))
            .collect();
        let call = CompletedCall { tool_call_id: "c", tool_name: text("input"), args_json: b"{}" };
        return engine.judge(&call, &tools, &meta);
    }
    let schema = case.get("schema").map(Value::to_string).unwrap_or_default();
    let tools = [ToolDefinition::new(text("tool"), schema)];
    let call = CompletedCall { tool_call_id: "c", tool_name: text("tool"), args_json: text("input").as_bytes() };
    engine.judge(&call, &tools, &meta)
}

/// What came out, as the cases write it.
fn outcome(case: &Value, judged: &Judgement) -> Value {
    if judged.action == Action::Reject {
        return json!("reject");
    }
    if case["kind"] == "tool_name" {
        return judged.tool_name.as_deref().map_or_else(|| case["input"].clone(), Into::into);
    }
    let args = judged.args.as_deref().unwrap_or_else(|| case["input"].as_str().unwrap());
    serde_json::from_str(args).expect("JSON")
}

/// Equality by value: 5 is 5.0.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64() && (x.is_f64() || y.is_f64()),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}

/// Cases whose suggested codes name another of several faults than the first one that is met.
const OTHER_CODES: [&str; 5] = [
    "dev-concat_string-01",
    "dev-concatenated-07",
    "dev-scalar_to_string-04",
    "dev-unescaped_quote-04",
    "dev-unquoted_value-03",
];

#[test]
fn cases() {
    let engine = Engine::default();
    let (mut cases, mut wrong, mut other_codes) = (0, Vec::new(), Vec::new());
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        cases += 1;
        let judged = judge(&engine, &case);
        let found = outcome(&case, &judged);
        let exact = same(&found, &case["expected"]);
        let also = case.get("also_ok").is_some_and(|other| other == "any" || same(&found, other));
        if !exact && !also {
            wrong.push(format!(
                "{}: expected {}, found {found} {:?}\n   {}",
                case["id"], case["expected"], judged.fault, case["input"]
            ));
        }
        let mut codes: Vec<_> = match &judged.fault {
            Some(fault) => vec![fault.code.as_str()],
            None => judged.changes.iter().map(|change| change.code.as_str()).collect(),
        };
        codes.sort_unstable();
        codes.dedup();
        let mut expected: Vec<_> =
            case["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
        expected.sort_unstable();
        if exact && codes != expected && !OTHER_CODES.contains(&case["id"].as_str().unwrap()) {
            other_codes.push(format!("{}: expected {expected:?}, found {codes:?}\n   {}", case["id"], case["input"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {cases} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(other_codes.is_empty(), "{} of {cases} with other codes:\n{}", other_codes.len(), other_codes.join("\n"));
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(cases, manifest["repair_guarded"].as_u64().unwrap(), "the manifest counts the cases");
}

#[test]
fn a_union_inside_a_union_ends() {
    let schema = r#"{"properties":{"v":{"oneOf":[{"type":"integer"},{"oneOf":[{"type":"number"},{"type":"array","items":{"type":"integer"}}]}]},
        "n":{"type":"integer"}}}"#;
    let tools = [ToolDefinition::new("t", schema)];
    let call = CompletedCall { tool_call_id: "c", tool_name: "t", args_json: br#"{"v":["7"],"n":"1"}"# };
    let judged = Engine::default().judge(&call, &tools, &Meta::default());
    assert_eq!(judged.args.as_deref(), Some(r#"{"v":[7],"n":1}"#));
}
