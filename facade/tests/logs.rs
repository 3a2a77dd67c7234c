//! One call found again in its log, and a log with envelopes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolprism::stamping::unstamp;
use toolprism_facade::{CallFinder, Stamper, read_session};

/// The logs among the samples.
fn samples() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")];
    let mut logs = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".jsonl") || path.ends_with("export.json") {
                logs.push(path);
            }
        }
    }
    logs.sort();
    assert!(logs.len() >= 10);
    logs
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn found(call: &Value, log: &[u8], piece: usize) -> Value {
    let mut finder = CallFinder::new(call.to_string().as_bytes()).unwrap();
    log.chunks(piece).for_each(|piece| finder.push(piece).unwrap());
    value(&finder.finish())
}

#[test]
fn every_call_of_the_samples_is_found_as_it_was_read() {
    for path in samples() {
        let log = fs::read(&path).unwrap();
        let read = value(&read_session(&log, br#"{"raw_input": true}"#).unwrap());
        for call in read["calls"].as_array().unwrap() {
            let found = found(call, &log, 5000);
            let mut again = found["call"].clone();
            let text = again.as_object_mut().unwrap().remove("raw_input_text").unwrap();
            assert_eq!(again, *call, "{}", path.display());
            let raw = text.as_str().map_or(Value::Null, value);
            assert_eq!(raw, call["raw_input"]);
            let places = found["places"].as_array().unwrap();
            assert_eq!((&places[0]["line"], &places[0]["offset"]), (&call["line"], &call["offset"]));
            for place in places {
                let from = usize::try_from(place["offset"].as_u64().unwrap()).unwrap();
                let line = log[from..].split(|byte| *byte == b'\n').next().unwrap();
                let line_number = log[..from].iter().filter(|byte| **byte == b'\n').count() + 1;
                // A document has no lines.
                let document = path.ends_with("export.json");
                assert_eq!(place["line"], if document { 0 } else { line_number });
                let whole = if document { &log[from..] } else { line };
                // A record that tells which subagent was started need not name the call.
                let named = String::from_utf8_lossy(whole).contains(call["id"].as_str().unwrap());
                assert!(named || place["phase"] == "mirror", "{place}");
            }
        }
    }
}

fn acp(update: Value) -> String {
    format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
    )
}

/// A call whose id comes again for another one.
fn log() -> (String, [usize; 5]) {
    let start = |path: &str| {
        let call = acp(json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Read", "kind": "read"}));
        // The exact text counts: a number that no double holds, and space.
        call.replace(
            "}}}\n",
            &format!(r#","rawInput": {{"path": "{path}", "n": 12345678901234567890.10}}}}}}}}{}"#, "\n"),
        )
    };
    let end = acp(json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed"}));
    let other = acp(json!({"sessionUpdate": "tool_call", "toolCallId": "d", "title": "Read"}));
    let lines = [start("a"), end.clone(), other, start("b"), end];
    let mut at = 0;
    let offsets = [0, 1, 2, 3, 4].map(|i: usize| {
        let start = at;
        at += lines[i].len();
        start
    });
    (lines.concat(), offsets)
}

#[test]
fn an_id_that_was_used_twice_is_told_apart_by_its_place() {
    let (log, at) = log();
    let ask = |id: &str, line: usize, offset: usize| {
        found(
            &json!({"id": id, "session": "s", "agent": null, "line": line, "offset": offset, "file": "f"}),
            log.as_bytes(),
            9,
        )
    };
    let first = ask("c", 1, 0);
    assert_eq!(first["call"]["raw_input_text"], r#"{"path": "a", "n": 12345678901234567890.10}"#);
    assert_eq!(first["call"]["file"], "f");
    let place = |line: usize, offset: usize, phase: &str| json!({"line": line, "offset": offset, "phase": phase});
    assert_eq!(first["places"], json!([place(1, 0, "started"), place(2, at[1], "finished")]));
    let second = ask("c", 4, at[3]);
    assert_eq!(second["call"]["raw_input"]["path"], "b");
    assert_eq!(second["places"], json!([place(4, at[3], "started"), place(5, at[4], "finished")]));
    let other = ask("d", 3, at[2]);
    assert_eq!((&other["call"]["raw_input"], &other["call"]["raw_input_text"]), (&Value::Null, &Value::Null));
    assert_eq!(other["places"], json!([place(3, at[2], "started")]));
}

#[test]
fn the_end_of_a_turn_ends_the_call_that_is_found() {
    let prompt =
        json!({"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}});
    let call = acp(json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Read"}));
    let end = json!({"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "cancelled"}});
    let log = format!("{prompt}\n{call}{end}\n");
    let read = value(&read_session(log.as_bytes(), b"{}").unwrap());
    assert_eq!(read["calls"][0]["status"], "cancelled");
    assert_eq!(found(&read["calls"][0], log.as_bytes(), 50)["call"]["status"], "cancelled");
}

#[test]
fn a_record_that_says_a_thing_twice_is_one_place() {
    let result = json!({"type": "tool_result", "tool_use_id": "t", "content": "fine"});
    let line = |kind: &str, content: Value| {
        format!(
            "{}\n",
            json!({"type": kind, "sessionId": "s", "uuid": kind, "message": {"role": kind, "content": content}})
        )
    };
    let start = line("assistant", json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]));
    let log = [start.clone(), line("user", json!([result, result]))].concat();
    let call = json!({"id": "t", "session": "s", "line": 1, "offset": 0});
    assert_eq!(
        found(&call, log.as_bytes(), 50)["places"],
        json!([{"line": 1, "offset": 0, "phase": "started"}, {"line": 2, "offset": start.len(), "phase": "finished"}])
    );
}

#[test]
fn what_is_not_there_is_not_found() {
    let (log, at) = log();
    for call in [
        json!({"id": "x", "session": "s", "line": 1, "offset": 0}),
        json!({"id": "c", "session": "t", "line": 1, "offset": 0}),
        json!({"id": "c", "line": 1, "offset": 0}),
        json!({"id": "c", "session": "s", "agent": "a", "line": 1, "offset": 0}),
        json!({"id": "c", "session": "s", "line": 2, "offset": at[1]}),
        json!({"id": "c", "session": "s", "line": 1, "offset": 1}),
    ] {
        assert_eq!(found(&call, log.as_bytes(), 1000), json!({"call": null, "places": []}), "{call}");
    }
    let call = json!({"id": "c", "session": "s", "line": 1, "offset": 0});
    assert_eq!(found(&call, b"no log", 3), json!({"call": null, "places": []}));
}

#[test]
fn what_is_no_call_is_refused() {
    for (call, kind) in [
        ("", "not_json"),
        ("[]", "not_an_object"),
        ("{}", "missing_member"),
        (r#"{"id": "c"}"#, "missing_member"),
        (r#"{"id": "c", "line": 1}"#, "missing_member"),
        (r#"{"id": null, "line": 1, "offset": 0}"#, "missing_member"),
        (r#"{"id": 5, "line": 1, "offset": 0}"#, "wrong_type"),
        (r#"{"id": "c", "line": -1, "offset": 0}"#, "wrong_type"),
        (r#"{"id": "c", "line": 1, "offset": "0"}"#, "wrong_type"),
        (r#"{"id": "c", "line": 1, "offset": 0, "session": 5}"#, "wrong_type"),
    ] {
        assert_eq!(CallFinder::new(call.as_bytes()).err().unwrap().kind, kind, "{call}");
    }
    let mut finder = CallFinder::new(br#"{"id": "c", "session": "s", "line": 1, "offset": 0}"#).unwrap();
    finder.push(log().0.as_bytes()).unwrap();
    let found = finder.finish();
    assert_eq!(finder.push(b"").unwrap_err().kind, "finished");
    assert_eq!(finder.finish(), found);
}

/// The log, stamped in pieces of this size, and what was done.
fn stamped(mut stamper: Stamper, log: &[u8], piece: usize) -> (String, Value) {
    let mut out: Vec<u8> = log.chunks(piece).flat_map(|piece| stamper.push(piece).unwrap()).collect();
    out.extend(stamper.finish());
    assert_eq!(stamper.finish(), b"");
    assert_eq!(stamper.push(b"").unwrap_err().kind, "finished");
    (String::from_utf8(out).unwrap(), value(&stamper.report()))
}

#[test]
fn a_log_is_stamped_wherever_it_is_cut() {
    let (log, _) = log();
    let (whole, done) = stamped(Stamper::default(), log.as_bytes(), log.len());
    assert_eq!(done, json!({"format": "acp", "stamped": 5, "kept": 0, "untouched": 0}));
    assert_eq!(whole.matches("\"x.ai/tool\":\t{\"version\":1").count(), 5);
    for piece in [1, 7, 100] {
        assert_eq!(stamped(Stamper::default(), log.as_bytes(), piece).0, whole);
    }
    let mut back = Vec::new();
    whole.split_inclusive('\n').for_each(|line| assert!(unstamp(line.as_bytes(), &mut back)));
    assert_eq!(String::from_utf8(back).unwrap(), log);
    // The last line has no end.
    let cut = log.trim_end();
    assert_eq!(stamped(Stamper::default(), cut.as_bytes(), 50).0, whole.trim_end());
    assert_eq!(
        stamped(Stamper::default(), b"", 1),
        (String::new(), json!({"format": null, "stamped": 0, "kept": 0, "untouched": 0}))
    );
}

#[test]
fn a_second_stamper_knows_what_the_first_has_seen() {
    let updates = [
        acp(json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Working"})),
        acp(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "ls", "kind": "execute", "rawInput": {"command": "ls"}}),
        ),
    ];
    let log = updates.concat();
    let labels = |text: &str| text.matches("\"label\":\"Run Command\"").count();
    // The last line may have no end, and whether the first was told of the end makes no difference.
    for finish in [false, true] {
        let mut first = Stamper::default();
        let seen = first.push(log.trim_end().as_bytes()).unwrap();
        assert_eq!(labels(&String::from_utf8(seen).unwrap()), 0);
        if finish {
            assert_eq!(labels(&String::from_utf8(first.finish()).unwrap()), 1);
        }
        let second = first.again();
        let (text, done) = stamped(second, log.as_bytes(), 30);
        assert_eq!((labels(&text), &done["stamped"]), (2, &json!(2)));
        // It has given away what it knew.
        let (text, _) = stamped(first.again(), log.as_bytes(), 30);
        assert_eq!(labels(&text), 1);
    }
}

#[test]
fn a_log_that_has_no_place_for_envelopes_comes_out_as_it_is() {
    for path in samples() {
        let log = fs::read(&path).unwrap();
        let (text, done) = stamped(Stamper::default(), &log, 1 << 20);
        let format = value(&read_session(&log, b"{}").unwrap())["report"]["format"].clone();
        if ["acp", "grok_updates"].contains(&format.as_str().unwrap()) {
            assert_eq!(done["format"], format);
            assert!(done["stamped"].as_u64().unwrap() + done["kept"].as_u64().unwrap() > 5);
        } else {
            assert_eq!((text.as_bytes(), &done["stamped"]), (&*log, &json!(0)), "{}", path.display());
        }
    }
}
