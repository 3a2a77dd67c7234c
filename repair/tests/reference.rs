//! The conformance cases of the `reference` profile, as they are and damaged.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use toolprism::json::{JsonView, RawJson};
use toolprism_repair::{
    Action, CompletedCall, DEFAULT_MAX_ARGS_BYTES, Engine, Judgement, Meta, Options, Reason, SchemaLimits,
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

/// A conformance case, ready to be judged.
struct Case {
    json: Value,
    name: String,
    args: Vec<u8>,
    tools: Vec<ToolDefinition>,
    engine: Engine,
}

impl Case {
    fn read(line: &str) -> Case {
        let json: Value = serde_json::from_str(line).unwrap();
        let raw = RawJson::parse(line).unwrap();
        let tool =
            |tool: RawJson<'_>| ToolDefinition::new(tool.get("name").unwrap().as_str().unwrap(), parameters(&tool));
        let tools = raw.get("tools").unwrap().items().map(tool).collect();
        let args = match json["args_b64"].as_str() {
            Some(text) => decode_base64(text),
            None => json["args"].as_str().unwrap().into(),
        };
        let name = json["tool_name"].as_str().unwrap().into();
        let engine = Engine::new(options(&json));
        Case { json, name, args, tools, engine }
    }

    fn judge(&self) -> Judgement {
        let call = CompletedCall { tool_call_id: "c", tool_name: &self.name, args_json: &self.args };
        let cancel = AtomicBool::new(self.json["canceled"] == true);
        let meta = Meta { cancel: Some(&cancel), ..Meta::default() };
        if self.json["no_exact_tool"] == true {
            self.engine.judge_exact(&call, None, &self.tools, &meta)
        } else {
            self.engine.judge(&call, &self.tools, &meta)
        }
    }

    /// The call as it goes on.
    fn after(self, judged: Judgement) -> Case {
        let args = judged.args.map_or(self.args, String::into_bytes);
        Case { name: judged.tool_name.unwrap_or(self.name), args, ..self }
    }
}

/// The answer to a case as the cases write it.
fn answer(case: &Case, judged: &Judgement) -> Answer {
    let outcome = match judged.action {
        Action::Reject => "unrepairable",
        other => other.as_str(),
    };
    let name = judged.tool_name.as_ref().unwrap_or(&case.name).clone();
    let args = judged.args.clone().or_else(|| String::from_utf8(case.args.clone()).ok());
    (outcome.into(), name, judged.reason.as_str().into(), args.filter(|_| judged.action == Action::Rewrite))
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

/// What holds of every judgement.
fn check(case: Case, judged: Judgement) {
    assert_eq!(judged.changes.is_empty(), judged.action != Action::Rewrite, "{judged:?}");
    assert!(judged.changes.is_sorted_by_key(|change| change.offset), "{judged:?}");
    assert!(judged.changes.iter().all(|change| change.offset <= case.args.len()), "{judged:?}");
    if judged.action == Action::Rewrite {
        let again = case.after(judged).judge();
        assert_eq!((again.action, again.reason), (Action::Pass, Reason::ValidPassThrough), "{again:?}");
    }
}

#[test]
fn conformance_cases() {
    let mut differing = Vec::new();
    let mut count = 0;
    for line in CASES.lines() {
        count += 1;
        let case = Case::read(line);
        let judged = case.judge();
        let (found, expected) = (answer(&case, &judged), expected(&case.json));
        if found != expected {
            differing.push(format!("{} ({}): {found:?}, not {expected:?}", case.json["id"], case.json["note"]));
        }
        check(case, judged);
    }
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(manifest["repair_reference"], count);
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever arrives, the judgement is whole, and what was mended needs no mending.
    #[test]
    fn damaged_cases(
        case in 0_usize..658,
        cut in any::<Index>(),
        at in any::<Index>(),
        put in prop::sample::select(&["", ",", ":", "{", "[", "}", "]", "\"", "\\", " ", "1", "-", "\\ud83d", "\u{e9}"][..]),
    ) {
        let mut case = Case::read(CASES.lines().nth(case).unwrap());
        case.args.truncate(1 + cut.index(case.args.len() + 1));
        let at = at.index(case.args.len() + 1);
        case.args.splice(at..at, put.bytes());
        let judged = case.judge();
        check(case, judged);
    }
}
