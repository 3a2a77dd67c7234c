//! The conformance cases: data that every face of the project must agree on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Map, Value, json};
use toolprism::json::{JsonView, RawJson};
use toolprism::{Call, Identity, identify};

const IDENTITY: &str = include_str!("../../conformance/identity.jsonl");
const MANIFEST: &str = include_str!("../../conformance/manifest.json");

/// Identifies a case's call through any view of its arguments.
fn run<V: JsonView>(call: &Value, raw_input: Option<V>, meta: Option<V>) -> Identity {
    let known =
        ["harness", "version", "namespace", "name", "acp_name", "title", "acp_kind", "mcp", "raw_input", "meta"];
    for member in call.as_object().unwrap().keys() {
        assert!(known.contains(&member.as_str()), "unknown member {member}");
    }
    let text = |member: &str| call.get(member).map(|value| value.as_str().unwrap());
    let mcp = call.get("mcp").map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()));
    identify(&Call {
        harness: text("harness"),
        version: text("version"),
        namespace: text("namespace"),
        name: text("name"),
        acp_name: text("acp_name"),
        title: text("title"),
        acp_kind: text("acp_kind"),
        mcp,
        raw_input,
        meta,
        ..Call::default()
    })
}

/// An identity as the cases write it.
fn written(found: &Identity) -> Value {
    let mut out = Map::new();
    out.insert("kind".into(), found.meta.kind.as_str().into());
    out.insert("label".into(), found.meta.label.as_ref().into());
    out.insert("namespace".into(), found.meta.namespace.as_str().into());
    out.insert("read_only".into(), found.meta.read_only.into());
    out.insert("input".into(), serde_json::to_value(&found.meta.input).unwrap());
    out.insert("why".into(), found.why.as_str().into());
    if let Some(mcp) = &found.mcp {
        out.insert("server".into(), json!(mcp.server));
        out.insert("tool".into(), json!(mcp.tool));
    }
    Value::Object(out)
}

#[test]
fn identity() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for (i, line) in IDENTITY.lines().enumerate() {
        let case: Value = serde_json::from_str(line).unwrap();
        let call = &case["call"];
        let of_value = written(&run(call, call.get("raw_input"), call.get("meta")));
        let raw = RawJson::parse(line).unwrap().get("call").unwrap();
        let of_text = written(&run(call, raw.get("raw_input"), raw.get("meta")));
        for found in [&of_value, &of_text] {
            if *found != case["expect"] {
                wrong.push(format!("line {}: {call}\n  expected {}\n  found    {found}", i + 1, case["expect"]));
            }
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(cases, manifest["identity"].as_u64().unwrap(), "the manifest counts the cases");
}
