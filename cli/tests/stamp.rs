//! `toolprism stamp`: envelopes in, and the original back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn stamp(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolprism"))
        .arg("stamp")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    output
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut found = Vec::new();
    for folder in ["acp", "grok_build"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let path = if path.is_dir() { path.join("updates.jsonl") } else { path };
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found
}

#[test]
fn every_tool_call_of_the_samples_gets_an_envelope_and_loses_it_again() {
    for (name, original) in samples() {
        let output = stamp(&["-"], &original);
        assert_eq!(output.status.code(), Some(0), "{name}");
        let mut messages = 0;
        for line in String::from_utf8(output.stdout.clone()).unwrap().lines() {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            let message = message.get("msg").unwrap_or(&message);
            let params = &message["params"];
            let call = if params["update"].is_object() { &params["update"] } else { &params["toolCall"] };
            let tag = call["sessionUpdate"].as_str().unwrap_or("tool_call");
            if call["toolCallId"].is_string() && tag.starts_with("tool_call") && tag != "tool_call_delta_chunk" {
                let envelope = &call["_meta"]["x.ai/tool"];
                assert_eq!(envelope["version"], 1, "{name}: {call}");
                assert!(envelope["label"].is_string() && envelope["read_only"].is_boolean());
                messages += 1;
            }
        }
        assert!(messages > 20, "{name}: {messages}");
        let back = stamp(&["--remove", "-"], &output.stdout);
        assert!(back.stdout == original, "{name}: the original did not come back");
    }
}

#[test]
fn a_log_without_a_place_for_envelopes_passes_as_it_is() {
    let log = br#"{"type":"user","sessionId":"s","message":{"role":"user","content":"hello"}}"#;
    let output = stamp(&[], log);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(output.stdout, log);
    assert!(String::from_utf8(output.stderr).unwrap().contains("Claude Code session"));
    let noise = b"\xff\xfe not a log\n\n";
    let output = stamp(&[], noise);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), noise.as_slice()));
}

#[test]
fn a_stamped_file_tells_the_same_of_its_calls() {
    let calls = |path: &Path| -> Vec<Vec<String>> {
        let output = Command::new(env!("CARGO_BIN_EXE_toolprism")).arg("calls").arg(path).output().unwrap();
        let call = |line: &str| {
            let call: serde_json::Value = serde_json::from_str(line).unwrap();
            let keys = ["id", "name", "label", "kind", "namespace", "read_only", "status", "input", "server", "tool"];
            keys.map(|key| call[key].to_string()).to_vec()
        };
        String::from_utf8(output.stdout).unwrap().lines().map(call).collect()
    };
    let folder = std::env::temp_dir().join(format!("toolprism-stamped-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, _) in samples() {
        let stamped = folder.join("stamped.jsonl");
        fs::write(&stamped, stamp(&[&name], b"").stdout).unwrap();
        let original = calls(Path::new(&name));
        assert!(original.len() > 10, "{name}");
        assert_eq!(calls(&stamped), original, "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = stamp(&["no-such-file.jsonl"], b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no-such-file.jsonl"));
}

#[test]
fn a_line_too_long_to_look_at_passes_whole_and_in_its_place() {
    let call = br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t"}}}"#;
    let long = [b"{\"a\":\"".as_slice(), &vec![b'x'; 65 << 20], b"\"}\n"].concat();
    // Before the format is known, and after.
    let original = [b"{}\n", long.as_slice(), call, b"\n", &long, call].concat();
    let output = stamp(&[], &original);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "-: stamped 2 messages\n");
    assert!(output.stdout.len() > original.len() && output.stdout.starts_with(&[b"{}\n", long.as_slice()].concat()));
    assert!(stamp(&["--remove"], &output.stdout).stdout == original);
}
