//! The cases that every face of the project runs: here they are what the facade itself answers.
//!
//! `TOOLPRISM_WRITE_CASES=1 cargo test -p toolprism-facade --test faces` writes the answers anew after a change that is meant;
//! look at the difference line by line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use toolprism_facade::{Error, Finalizer, Ledger, identify, parse_meta, read_session, stamp_meta};

fn answer(case: &Value) -> Result<Option<String>, Error> {
    let text = |member: &str| case[member].as_str().unwrap_or_default();
    let input = text("input").as_bytes();
    let ledger = || -> Result<Ledger, Error> {
        let mut ledger = Ledger::new(b"{}")?;
        ledger.push(input)?;
        ledger.finish();
        Ok(ledger)
    };
    match text("op") {
        "identify" => identify(input).map(Some),
        "parse_meta" => parse_meta(input, false),
        "parse_meta_strict" => parse_meta(input, true),
        "stamp_meta" => stamp_meta(input, text("second").as_bytes()).map(Some),
        "read_session" => read_session(input, b"{}").map(Some),
        "groups" => ledger()?.groups(text("second")).map(Some),
        "runs" => ledger()?.runs(text("second")).map(Some),
        "finalize" => Finalizer::new(b"{}")?.finalize(input).map(Some),
        op => panic!("unknown op {op}"),
    }
}

/// The case with what the facade answers.
fn answered(case: &Value) -> Value {
    let mut written = Map::new();
    for member in ["op", "input", "second"] {
        if let Some(value) = case.get(member) {
            written.insert(member.into(), value.clone());
        }
    }
    match answer(case) {
        Ok(text) => written.insert("answer".into(), text.map_or(Value::Null, Value::from)),
        Err(error) => written.insert("error".into(), error.kind.into()),
    };
    Value::Object(written)
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let text = fs::read_to_string(folder.join("faces.jsonl")).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<Value> = cases.iter().map(answered).collect();
    if std::env::var_os("TOOLPRISM_WRITE_CASES").is_some() {
        let lines: String = found.iter().map(|case| format!("{case}\n")).collect();
        fs::write(folder.join("faces.jsonl"), lines).unwrap();
    } else {
        for (case, found) in cases.iter().zip(&found) {
            assert_eq!(case, found);
        }
    }
    let manifest: Value = serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(cases.len() as u64, manifest["faces"].as_u64().unwrap(), "the manifest counts the cases");
}
