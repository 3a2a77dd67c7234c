//! The judge of identity and projection: what the genuine Grok Build program stamped on its own calls.
//!
//! Its logs are read with the envelopes taken out; what is worked out must equal what was stamped. The samples in the
//! repository are always read; further logs if they lie beside the checkout.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use toolprism::CallLedger;
use toolprism::readers::Reader;

/// Tools that the reference stamps without input, and that carry some here: what the eight fields can hold of them.
const EXTENDED: &[&str] = &["read", "glob", "grep", "edit", "hashline_edit", "spawn_subagent"];

fn logs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(root.join("samples/grok_build")).unwrap() {
        files.push(entry.unwrap().path().join("updates.jsonl"));
    }
    let data = root.join("../shared/data");
    if !data.exists() {
        println!("skipped: no further logs beside the checkout; the samples are read");
        return files;
    }
    for folder in ["grok", "acp"] {
        for entry in fs::read_dir(data.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with("updates.jsonl") || name.starts_with("run-grok") {
                files.push(path);
            }
        }
    }
    files
}

/// Takes the envelopes out of a message, and merges them by session and call, the last member of each kind winning.
fn strip(message: &mut Value, stamped: &mut BTreeMap<(String, String), Map<String, Value>>) {
    let inner = if message.get("msg").is_some() { &mut message["msg"] } else { message };
    let Some(params) = inner.get_mut("params") else { return };
    let session = params["sessionId"].as_str().unwrap_or_default().to_string();
    for member in ["update", "toolCall"] {
        let Some(update) = params.get_mut(member) else { continue };
        let id = update["toolCallId"].as_str().unwrap_or_default().to_string();
        let Some(Value::Object(meta)) = update.get_mut("_meta") else { continue };
        if let Some(Value::Object(envelope)) = meta.remove("x.ai/tool") {
            stamped.entry((session.clone(), id)).or_default().extend(envelope);
        }
        if meta.is_empty() {
            update.as_object_mut().unwrap().remove("_meta");
        }
    }
}

#[test]
fn what_is_worked_out_equals_what_grok_build_stamped() {
    let mut compared = 0;
    for path in logs() {
        let mut stamped = BTreeMap::new();
        let mut ledger = CallLedger::default();
        let mut reader = Reader::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let mut message: Value = serde_json::from_str(line).unwrap();
            strip(&mut message, &mut stamped);
            let line = format!("{message}\n");
            assert!(!line.contains("\"x.ai/tool\":{"), "{line}");
            reader.push(line.as_bytes(), &mut ledger);
        }
        reader.finish(&mut ledger);
        assert!(!stamped.is_empty(), "{} holds no envelope", path.display());
        for ((session, id), envelope) in stamped {
            let call = ledger.get(Some(&session), None, &id).unwrap_or_else(|| panic!("{id} of {}", path.display()));
            let found = serde_json::to_value(&call.identity.meta).unwrap();
            let what = format!("{} {id}: {}", path.display(), Value::Object(envelope.clone()));
            for field in ["name", "kind", "label", "read_only"] {
                assert_eq!(found[field], envelope[field], "{field} of {what}");
            }
            match envelope.get("input") {
                Some(input) => assert_eq!(&found["input"], input, "input of {what}"),
                None if EXTENDED.contains(&call.name()) => {}
                None => assert_eq!(found.get("input"), None, "input of {what}"),
            }
            compared += 1;
        }
    }
    println!("{compared} calls compared");
    assert!(compared >= 50, "only {compared} calls compared");
}
