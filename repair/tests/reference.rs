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

/// Judges arguments for a tool `t` with this schema, and how long that takes.
fn judge(engine: &Engine, args: &str, schema: &str) -> (Judgement, Duration) {
    let tools = [ToolDefinition::new("t", schema)];
    let call = CompletedCall { tool_call_id: "c", tool_name: "t", args_json: args.as_bytes() };
    let start = Instant::now();
    let judged = engine.judge(&call, &tools, &Meta::default());
    (judged, start.elapsed())
}

fn engine() -> Engine {
    Engine::new(Options::reference())
}

/// Far above what the work takes, and far below what it would take if it grew the wrong way.
const SOON: Duration = Duration::from_millis(500);

#[test]
fn a_flood_of_brackets_is_refused_at_once() {
    for open in ["[", "{\"a\":", "[{\"a\":["] {
        let args = open.repeat(10_000_000 / open.len());
        for (max_args_bytes, reason) in [(8 << 20, Reason::ArgsTooLarge), (16 << 20, Reason::Unrepairable)] {
            let engine = Engine::new(Options { max_args_bytes, ..Options::reference() });
            let (judged, took) = judge(&engine, &args, r#"{"type":"object"}"#);
            assert_eq!((judged.action, judged.reason), (Action::Reject, reason));
            assert!(took < SOON, "{took:?}");
        }
    }
}

#[test]
fn huge_exponents_cost_no_more_than_their_digits() {
    let args = format!("[{}]", vec!["1e999999"; 1_000].join(","));
    let (judged, took) = judge(&engine(), &args, r#"{"type":"array","items":{"type":"integer"}}"#);
    assert_eq!(judged.action, Action::Pass);
    assert!(took < SOON, "{took:?}");
}

#[test]
fn definitions_that_double_are_looked_at_once() {
    let levels: Vec<String> = (0..31)
        .map(|i| {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", i + 1);
            format!(r#""d{i}":{{"type":"object","properties":{{"a":{next},"b":{next}}}}}"#)
        })
        .collect();
    let schema =
        format!(r#"{{"$defs":{{{},"d31":{{"type":"integer"}}}},"$ref":"{}"}}"#, levels.join(","), "#/$defs/d0");
    let (judged, took) = judge(&engine(), r#"{"a":{"b":{}}}"#, &schema);
    assert_eq!(judged.action, Action::Pass, "{judged:?}");
    assert!(took < SOON, "{took:?}");
}

#[test]
fn references_in_a_circle_end_the_repair() {
    let circle = r##"{"type":"object","required":["x"],"properties":{"x":{"default":1},"a":{"$ref":"#/$defs/a"}},
        "$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##;
    for args in [r#"{"a":1}"#, "{}", r#"{"a":"#] {
        let (judged, took) = judge(&engine(), args, circle);
        assert_eq!((judged.action, judged.reason), (Action::Reject, Reason::Unrepairable), "{args}");
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn a_call_that_nobody_waits_for_is_not_judged() {
    let cancel = AtomicBool::new(true);
    let meta = Meta { cancel: Some(&cancel), ..Meta::default() };
    let call = CompletedCall { tool_call_id: "c", tool_name: "nobody", args_json: &[b'['; 70_000] };
    assert_eq!(engine().judge(&call, &[], &meta).reason, Reason::Canceled);
}

#[test]
fn longer_limits_are_kept_to() {
    let engine = Engine::new(Options { max_args_bytes: 9, ..Options::reference() });
    for (args, reason) in [
        (r#"{"a":"xyz"#, Reason::Unrepairable),
        (r#"{"a":"x"#, Reason::SyntaxRepaired),
        (r#"{"a":"xyz"}"#, Reason::ArgsTooLarge),
    ] {
        assert_eq!(judge(&engine, args, "").0.reason, reason, "{args}");
    }
}

/// The changes of a judgement, each as code, path and offset.
fn changes(args: &str, schema: &str) -> Vec<(Code, String, usize)> {
    let (judged, _) = judge(&engine(), args, schema);
    judged.changes.into_iter().map(|change| (change.code, change.path, change.offset)).collect()
}

#[test]
fn changes_are_told_with_their_places() {
    let schema = r#"{"type":"object","additionalProperties":false,"required":["file_path","m"],"properties":{
        "file_path":{"type":"string"},"m":{"const":1},"d":{"default":2},"e":{"enum":[3]},
        "xs":{"type":"array","items":{"properties":{"a/b":{"type":"integer"}},"required":["a/b"]}}}}"#;
    let args = r#"{"filePath":"x","junk":1,"xs":[{"A/B":1}]}"#;
    let expected = [
        (Code::KeyRenamed, "/file_path", 1),
        (Code::PropertyRemoved, "/junk", 16),
        (Code::KeyRenamed, "/xs/0/a~1b", 32),
        (Code::ConstInserted, "/m", 41),
        (Code::DefaultInserted, "/d", 41),
        (Code::EnumInserted, "/e", 41),
    ];
    assert_eq!(changes(args, schema), expected.map(|(code, path, offset)| (code, path.into(), offset)));
}

#[test]
fn changes_of_the_text_are_told_with_their_places() {
    let open = r#"{"properties":{"m":{"const":"k"}}}"#;
    for (args, code, path, offset) in [
        (r#"{"a":[{"b":"x"#, Code::TextCompleted, "/a/0/b", 13),
        (r#"{"a":12"#, Code::TextCompleted, "/a", 7),
        (r#"{"a":true"#, Code::TextCompleted, "", 9),
        (r#"{"a":[1 , "#, Code::TrailingComma, "/a", 8),
        (r#"{"a":1,"m": "#, Code::ConstInserted, "/m", 12),
    ] {
        assert_eq!(changes(args, open), [(code, path.into(), offset)], "{args}");
    }
    let closed = r#"{"properties":{"a":{},"d":{"default":1}},"required":["d"]}"#;
    let expected = [(Code::TextCompleted, "", 6), (Code::DefaultInserted, "/d", 6)];
    assert_eq!(changes(r#"{"a":1"#, closed), expected.map(|(code, path, offset)| (code, path.into(), offset)));
}

#[test]
fn another_name_is_a_change_of_its_own() {
    let tools = [ToolDefinition::new("get_weather", "")];
    let call = CompletedCall { tool_call_id: "c", tool_name: "getWeather", args_json: br#"{"a":"x"# };
    let judged = engine().judge(&call, &tools, &Meta::default());
    assert_eq!(judged.tool_name.as_deref(), Some("get_weather"));
    assert_eq!(judged.reason, Reason::SyntaxRepaired);
    assert_eq!(
        judged.changes.iter().map(|change| change.code).collect::<Vec<_>>(),
        [Code::NameCase, Code::TextCompleted]
    );
}
