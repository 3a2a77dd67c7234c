//! Many files as one list of calls.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolprism_facade::{Numbers, Scan};

/// A call of a Claude Code session that began at this minute past ten.
fn started(session: &str, id: &str, minute: u32, name: &str, input: Value) -> String {
    line(
        "assistant",
        session,
        id,
        minute,
        0,
        &json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": input}]}),
    )
}

/// Its result, so many seconds later.
fn ended(session: &str, id: &str, minute: u32, seconds: u32, error: Option<&str>) -> String {
    let result = json!({"type": "tool_result", "tool_use_id": id, "content": error.unwrap_or("fine"), "is_error": error.is_some()});
    line("user", session, &format!("{id}-end"), minute, seconds, &json!({"role": "user", "content": [result]}))
}

fn line(kind: &str, session: &str, uuid: &str, minute: u32, second: u32, message: &Value) -> String {
    let time = format!("2026-09-14T10:{minute:02}:{second:02}.000Z");
    let line = json!({"type": kind, "sessionId": session, "uuid": uuid, "timestamp": time, "version": "2.1.96", "message": message});
    format!("{line}\n")
}

/// Two sessions. What the second file begins with is copied from the first.
fn logs() -> [(&'static str, String); 2] {
    let copied = [
        started("s1", "a3", 20, "Bash", json!({"command": "cargo TEST", "description": "Run them"})),
        ended("s1", "a3", 20, 4, None),
    ];
    let first = [
        started("s1", "a1", 0, "Read", json!({"file_path": "src/a.rs"})),
        ended("s1", "a1", 0, 2, None),
        started("s1", "a2", 10, "Read", json!({"file_path": "src/b.rs"})),
        ended("s1", "a2", 10, 1, Some("Gone fishing")),
        copied.concat(),
    ];
    let second = [
        copied.concat(),
        started("s2", "b1", 30, "Bash", json!({"command": "ls"})),
        ended("s2", "b1", 30, 1, None),
        started("s2", "b2", 40, "mcp__docs__search", json!({"query": "x"})),
        started("s2", "b3", 50, "Mystery", json!({"a": 1})),
        String::from("{\"broken\n"),
    ];
    [("first.jsonl", first.concat()), ("second.jsonl", second.concat())]
}

fn unfinished() -> Scan {
    let mut scan = Scan::new(b"{}").unwrap();
    for (name, log) in logs() {
        scan.begin(name).unwrap();
        // Cut anywhere.
        log.as_bytes().chunks(7).for_each(|piece| scan.push(piece).unwrap());
    }
    scan
}

fn scanned() -> Scan {
    let mut scan = unfinished();
    scan.finish();
    scan
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// These members of each record.
fn members(text: &str, names: &[&str]) -> Vec<Vec<Value>> {
    let member = |record: &Value| names.iter().map(|name| record[name].clone()).collect();
    value(text).as_array().unwrap().iter().map(member).collect()
}

/// The ids of the calls with these numbers, joined.
fn ids(scan: &Scan, numbers: Numbers<'_>) -> String {
    let ids = members(&scan.calls(numbers).unwrap(), &["id"]);
    ids.iter().map(|id| id[0].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn calls_of_all_files_are_one_list() {
    let scan = scanned();
    assert_eq!((scan.len(), scan.is_empty()), (6, false));
    assert_eq!(ids(&scan, Numbers::Range(0, usize::MAX)), "a1 a2 a3 b1 b2 b3");
    assert_eq!(ids(&scan, Numbers::Range(2, 4)), "a3 b1");
    assert_eq!(ids(&scan, Numbers::Range(5, 9)), "b3");
    assert_eq!(ids(&scan, Numbers::Range(4, 2)), "");
    assert_eq!(ids(&scan, Numbers::Range(9, 12)), "");
    assert_eq!(ids(&scan, Numbers::These(&[4, 0, 4])), "b2 a1 b2");
    assert_eq!(ids(&scan, Numbers::These(&[])), "");
    let subjects = members(&scan.calls(Numbers::Range(0, 4)).unwrap(), &["subject"]);
    assert_eq!(subjects, [[json!("src/a.rs")], [json!("src/b.rs")], [json!("cargo TEST")], [json!("ls")]]);
    let found = members(&scan.calls(Numbers::Range(2, 4)).unwrap(), &["file", "format", "line", "session"]);
    assert_eq!(found[0], [json!("first.jsonl"), json!("claude_session"), json!(5), json!("s1")]);
    assert_eq!(found[1], [json!("second.jsonl"), json!("claude_session"), json!(3), json!("s2")]);
    for wrong in [6, u32::MAX] {
        let error = scan.calls(Numbers::These(&[0, wrong])).unwrap_err();
        assert_eq!(error.kind, "out_of_range");
        assert!(error.message.contains(&format!("{wrong}: there are 6")), "{error}");
    }
}

#[test]
fn before_the_end_there_is_what_was_read_by_then() {
    let mut scan = unfinished();
    assert_eq!(ids(&scan, Numbers::Range(0, 9)), "a1 a2 a3 a3 b1 b2 b3");
    assert_eq!(scan.select(br#"{"file": "second.jsonl", "name": "Bash"}"#).unwrap(), [3, 4]);
    assert_eq!(scan.summary(None).unwrap().split(',').next(), Some("{\"calls\":7"));
    let report = value(&scan.report());
    assert_eq!((&report["files"][0]["bytes"].is_u64(), &report["files"][1]["bytes"]), (&true, &Value::Null));
    assert_eq!((&report["files"][1]["calls"], &report["copies"]), (&json!(4), &json!(0)));
    scan.finish();
    assert_eq!(scan.len(), 6);
    scan.finish();
    assert_eq!((scan.len(), &value(&scan.report())["copies"]), (6, &json!(1)));
    let nothing = Scan::new(b"{}").unwrap();
    assert!(nothing.is_empty());
    assert_eq!(nothing.calls(Numbers::Range(0, 9)).unwrap(), "[]");
    assert_eq!(nothing.runs("label", None, b"{}").unwrap(), "[]");
    assert_eq!(nothing.run_starts("label", None).unwrap(), [0; 0]);
    assert_eq!(nothing.groups("all", None, br#"{"bins":3}"#).unwrap(), "[]");
    assert_eq!(value(&nothing.summary(None).unwrap())["read_only_share"], 0.0);
}

#[test]
fn the_report_accounts_for_every_file() {
    let mut scan = unfinished();
    scan.begin("empty").unwrap();
    scan.begin("gone").unwrap();
    scan.push(b"no log\n").unwrap();
    scan.fail("it was taken away").unwrap();
    scan.finish();
    let report = value(&scan.report());
    let log = logs().map(|(_, log)| log.len() as u64);
    let file = |at: usize| report["files"][at].clone();
    assert_eq!(report["files"].as_array().unwrap().len(), 4);
    assert_eq!(
        file(0),
        json!({"file": "first.jsonl", "calls": 3, "format": "claude_session", "bytes": log[0], "quarantined_bytes": 0, "quarantined": [],
               "more_quarantined": 0, "error": null})
    );
    assert_eq!((&file(1)["calls"], &file(1)["quarantined_bytes"]), (&json!(3), &json!(9)));
    assert_eq!(
        file(1)["quarantined"],
        json!([{"line": 7, "offset": log[1] - 9, "bytes": 9, "reason": "not_json",
                "message": "not JSON: the text ends inside a value at byte 8 of the record"}])
    );
    assert_eq!((&file(2)["bytes"], &file(2)["format"], &file(2)["error"]), (&json!(0), &Value::Null, &Value::Null));
    assert_eq!(
        (&file(3)["error"], &file(3)["quarantined"][0]["reason"]),
        (&json!("it was taken away"), &json!("unknown_format"))
    );
}

#[test]
fn a_badly_damaged_file_lists_some_of_it_and_counts_the_rest() {
    let mut scan = Scan::new(b"{}").unwrap();
    scan.begin("f").unwrap();
    scan.push(logs()[0].1.as_bytes()).unwrap();
    scan.push("{\"tool_use\n".repeat(1_005).as_bytes()).unwrap();
    scan.finish();
    let file = value(&scan.report())["files"][0].clone();
    assert_eq!((file["quarantined"].as_array().unwrap().len(), &file["more_quarantined"]), (1_000, &json!(5)));
    assert_eq!((&file["quarantined_bytes"], &file["calls"]), (&json!(1_005 * 11), &json!(3)));
}

#[test]
fn a_query_selects_what_fits_it_all() {
    let scan = scanned();
    let select = |query: Value| scan.select(query.to_string().as_bytes()).unwrap();
    assert_eq!(select(json!({})), [0, 1, 2, 3, 4, 5]);
    assert_eq!(select(json!({"label": "Read"})), [0, 1]);
    assert_eq!(select(json!({"label": "read"})), [0; 0]);
    assert_eq!(select(json!({"label": ["Read", "Run Command"], "session": "s1", "path": ["src/b.rs", null]})), [1, 2]);
    assert_eq!(select(json!({"name": ["Mystery", "nothing"]})), [5]);
    assert_eq!(select(json!({"name": []})), [0; 0]);
    assert_eq!(select(json!({"kind": "execute"})), [2, 3]);
    assert_eq!(select(json!({"namespace": "mcp"})), [4]);
    assert_eq!(select(json!({"harness": "claude_code"})).len(), 6);
    assert_eq!(select(json!({"harness": null})), [0; 0]);
    assert_eq!(select(json!({"server": "docs"})), [4]);
    assert_eq!(select(json!({"server": null})), [0, 1, 2, 3, 5]);
    assert_eq!(select(json!({"agent": null})).len(), 6);
    assert_eq!(select(json!({"file": "second.jsonl"})), [3, 4, 5]);
    assert_eq!(select(json!({"why": ["mcp_name", "nothing"]})), [4, 5]);
    assert_eq!(select(json!({"status": "failed"})), [1]);
    assert_eq!(select(json!({"status": ["failed", "pending"]})), [1, 4, 5]);
    assert_eq!(select(json!({"status": null, "text": null})).len(), 6);
    assert_eq!(select(json!({"read_only": true})), [0, 1]);
    assert_eq!(select(json!({"known": false})), [5]);
    assert_eq!(select(json!({"flag": "swept"})), [0; 0]);
    assert_eq!(select(json!({"since": "2026-09-14T10:20:00Z"})), [2, 3, 4, 5]);
    assert_eq!(select(json!({"until": "2026-09-14T12:20:00+02:00"})), [0, 1]);
    assert_eq!(select(json!({"since": "2026-09-14", "until": "2026-09-15"})).len(), 6);
    assert_eq!(select(json!({"until": "2026-09-14"})), [0; 0]);
}

#[test]
fn calls_without_a_time_are_in_no_span_of_time() {
    let mut scan = Scan::new(b"{}").unwrap();
    scan.begin("acp").unwrap();
    scan.push(br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c"}}}"#)
        .unwrap();
    scan.finish();
    assert_eq!(scan.select(b"{}").unwrap(), [0]);
    assert_eq!(scan.select(br#"{"flag": ["orphan", "swept"]}"#).unwrap(), [0]);
    for query in [r#"{"since":"0001-01-01"}"#, r#"{"until":"9999-01-01"}"#] {
        assert_eq!(scan.select(query.as_bytes()).unwrap(), [0; 0]);
    }
}

#[test]
fn words_are_looked_for_in_all_that_a_call_says() {
    let mut scan = scanned();
    let select = |scan: &Scan, text: &str| scan.select(json!({"text": text}).to_string().as_bytes()).unwrap();
    for (text, numbers) in [
        ("", &[0, 1, 2, 3, 4, 5][..]),
        (" \t", &[0, 1, 2, 3, 4, 5]),
        ("MYSTERY", &[5]),
        ("run command", &[2, 3]),
        ("a.RS", &[0]),
        ("cargo test", &[2]),
        ("test Cargo them", &[2]),
        ("cargo ls", &[]),
        ("gone FISHING", &[1]),
        ("b2", &[4]),
        ("S2", &[3, 4, 5]),
        ("second.JSON ls", &[3]),
        ("first second", &[]),
        // Words do not reach from one text into the next.
        ("Readread", &[]),
    ] {
        assert_eq!(select(&scan, text), numbers, "{text}");
    }
    // Titles, patterns, directories, and letters that ASCII does not have: of these the case counts.
    scan = Scan::new(b"{}").unwrap();
    scan.begin("ÄRGER").unwrap();
    let update = json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Suche nach Öl", "kind": "search",
                        "rawInput": {"pattern": "Tür", "path": "Haus"}});
    let message = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}});
    scan.push(message.to_string().as_bytes()).unwrap();
    scan.finish();
    for (text, found) in
        [("öl", false), ("Öl NACH", true), ("ÄRGER", true), ("ärger", false), ("tür", true), ("\u{0}", false)]
    {
        assert_eq!(!select(&scan, text).is_empty(), found, "{text}");
    }
}

#[test]
fn an_input_that_a_foreign_envelope_has_is_looked_through_too() {
    let mut scan = Scan::new(b"{}").unwrap();
    scan.begin("f").unwrap();
    let envelope = json!({"version": 1, "name": "n", "kind": "read", "namespace": "mine", "label": "Read", "read_only": true,
                          "input": {"needle": "HAY", "path": 5}});
    let update = json!({"sessionUpdate": "tool_call", "toolCallId": "c", "_meta": {"x.ai/tool": envelope}});
    let message = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}});
    scan.push(message.to_string().as_bytes()).unwrap();
    scan.finish();
    assert_eq!(scan.select(br#"{"text": "hay needle"}"#).unwrap(), [0]);
}

#[test]
fn what_is_no_query_is_refused() {
    let scan = scanned();
    for (query, kind, told) in [
        ("", "not_json", ""),
        ("[]", "not_an_object", ""),
        (r#"{"lable": "Read"}"#, "unknown_value", "lable"),
        (r#"{"lable": null}"#, "unknown_value", "lable"),
        (r#"{"label": 5}"#, "wrong_type", "label"),
        (r#"{"label": ["a", 5]}"#, "wrong_type", "label"),
        (r#"{"status": "done"}"#, "unknown_value", "completed"),
        (r#"{"status": [null]}"#, "wrong_type", "status"),
        (r#"{"flag": ["late"]}"#, "unknown_value", "late_event"),
        (r#"{"known": "yes"}"#, "wrong_type", "known"),
        (r#"{"read_only": 1}"#, "wrong_type", "read_only"),
        (r#"{"since": "yesterday"}"#, "wrong_type", "since"),
        (r#"{"until": 5}"#, "wrong_type", "until"),
        (r#"{"text": ["a"]}"#, "wrong_type", "text"),
    ] {
        let error = scan.select(query.as_bytes()).unwrap_err();
        assert_eq!(error.kind, kind, "{query}");
        assert!(error.message.contains(told), "{query}: {error}");
    }
}

#[test]
fn groups_are_the_largest_first() {
    let scan = scanned();
    let groups = |by: &str, numbers: Option<&[u32]>| {
        let text = scan.groups(by, numbers, b"{}").unwrap();
        let of = |group: Vec<Value>| format!("{}={}", group[0].as_str().unwrap(), group[1]);
        members(&text, &["key", "calls"]).into_iter().map(of).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(groups("label", None), "label:Read=2 label:Run Command=2 label:Tool=2");
    assert_eq!(groups("label", Some(&[5, 3, 2])), "label:Run Command=2 label:Tool=1");
    assert_eq!(groups("label", Some(&[])), "");
    assert_eq!(groups("session", None), "session:s1=3 session:s2=3");
    assert_eq!(groups("file", Some(&[4, 0, 5])), "file:second.jsonl=2 file:first.jsonl=1");
    assert_eq!(groups("status", None), "status:completed=3 status:pending=2 status:failed=1");
    assert_eq!(groups("all", None), "all:all=6");
    assert_eq!(groups("path", None), "path:src/a.rs=1 path:src/b.rs=1");
    assert_eq!(groups("server", None), "server:docs=1");
    let read = &value(&scan.groups("label", None, b"{}").unwrap())[0];
    assert_eq!(
        *read,
        json!({"key": "label:Read", "by": "label", "value": "Read", "calls": 2,
               "pending": 0, "in_progress": 0, "completed": 1, "failed": 1, "rejected": 0, "cancelled": 0, "unresolved": 0,
               "read_only": 2, "read_only_share": 1.0, "timed": 2, "duration_ms": 3000, "longest_ms": 2000,
               "names": [{"name": "Read", "calls": 2}], "labels": [{"label": "Read", "calls": 2}],
               "paths": 2, "top_paths": [{"path": "src/a.rs", "calls": 1}, {"path": "src/b.rs", "calls": 1}]})
    );
    let brief = scan.groups("label", None, br#"{"brief": true, "from": 1, "to": 2}"#).unwrap();
    assert!(brief.ends_with(r#""timed":2,"duration_ms":5000,"longest_ms":4000}]"#), "{brief}");
    assert_eq!(members(&brief, &["value"]), [[json!("Run Command")]]);
}

#[test]
fn activity_spreads_calls_over_the_time_of_all() {
    let scan = scanned();
    let activity = |by: &str, numbers: Option<&[u32]>, bins: u32| {
        let text = scan.groups(by, numbers, format!("{{\"bins\":{bins}}}").as_bytes()).unwrap();
        members(&text, &["activity"]).into_iter().map(|group| group[0].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(activity("all", None, 6), ["[1,1,1,1,1,1]"]);
    assert_eq!(activity("all", None, 1), ["[6]"]);
    assert_eq!(activity("label", None, 5), ["[1,1,0,0,0]", "[0,0,1,1,0]", "[0,0,0,0,2]"]);
    // Of the calls asked about alone.
    assert_eq!(activity("all", Some(&[1, 2, 3]), 2), ["[1,2]"]);
    // One moment: the places are divided.
    assert_eq!(activity("all", Some(&[3, 3, 3, 3]), 2), ["[2,2]"]);
    assert_eq!(activity("all", Some(&[3]), 3), ["[1,0,0]"]);
    for bins in [0, 1001] {
        let options = format!("{{\"bins\":{bins}}}");
        assert_eq!(scan.groups("all", None, options.as_bytes()).unwrap_err().kind, "out_of_range");
    }
}

#[test]
fn a_call_without_a_time_counts_with_the_one_before_it() {
    let mut scan = Scan::new(b"{}").unwrap();
    scan.begin("f").unwrap();
    let untimed =
        |id: &str| started("s", id, 0, "Bash", json!({})).replace(r#""timestamp":"2026-09-14T10:00:00.000Z","#, "");
    let timed = |id: &str, minute| started("s", id, minute, "Bash", json!({}));
    let log = [untimed("1"), timed("2", 10), timed("3", 20), untimed("4"), untimed("5"), timed("6", 15)];
    scan.push(log.concat().as_bytes()).unwrap();
    let activity = &value(&scan.groups("all", None, br#"{"bins":2}"#).unwrap())[0]["activity"];
    // The first has the first time there is; 15 begins the second half.
    assert_eq!(*activity, json!([2, 4]));
}

#[test]
fn runs_end_with_their_session_and_file() {
    let scan = scanned();
    let runs = |numbers: Option<&[u32]>| {
        members(&scan.runs("label", numbers, b"{}").unwrap(), &["value", "first", "last", "session", "file"])
    };
    // a3 and b1 share a label, and nothing else.
    assert_eq!(
        json!(runs(None)),
        json!([
            ["Read", 0, 1, "s1", "first.jsonl"],
            ["Run Command", 2, 2, "s1", "first.jsonl"],
            ["Run Command", 3, 3, "s2", "second.jsonl"],
            ["Tool", 4, 5, "s2", "second.jsonl"]
        ])
    );
    assert_eq!(scan.run_starts("label", None).unwrap(), [0, 2, 3, 4]);
    // Places in the list asked about.
    assert_eq!(
        json!(runs(Some(&[1, 3, 5]))),
        json!([
            ["Read", 0, 0, "s1", "first.jsonl"],
            ["Run Command", 1, 1, "s2", "second.jsonl"],
            ["Tool", 2, 2, "s2", "second.jsonl"]
        ])
    );
    assert_eq!(scan.run_starts("label", Some(&[0, 1, 0, 4])).unwrap(), [0, 3]);
    // Calls without a value are runs of their own.
    assert_eq!(scan.run_starts("path", Some(&[0, 0, 2, 2])).unwrap(), [0, 2, 3]);
    let text = scan.runs("label", None, br#"{"from": 3, "brief": true}"#).unwrap();
    assert_eq!(
        value(&text),
        json!([{"key": "label:Tool@b2", "by": "label", "value": "Tool", "calls": 2, "session": "s2", "file": "second.jsonl", "line": 5,
                "first_id": "b2", "last_id": "b3", "started_at": "2026-09-14T10:40:00.000Z", "ended_at": null,
                "pending": 2, "in_progress": 0, "completed": 0, "failed": 0, "rejected": 0, "cancelled": 0, "unresolved": 0,
                "read_only": 0, "read_only_share": 0.0, "timed": 0, "duration_ms": 0, "longest_ms": 0, "first": 4, "last": 5}])
    );
    assert_eq!(members(&scan.runs("label", None, br#"{"to": 1}"#).unwrap(), &["paths"]), [[json!(2)]]);
}

#[test]
fn sessions_within_a_file_end_runs_too() {
    let mut scan = Scan::new(b"{}").unwrap();
    scan.begin("f").unwrap();
    let log = [("s1", "1"), ("s1", "2"), ("s2", "3")].map(|(session, id)| started(session, id, 0, "Bash", json!({})));
    scan.push(log.concat().as_bytes()).unwrap();
    scan.begin("g").unwrap();
    scan.push(started("s2", "4", 0, "Bash", json!({})).as_bytes()).unwrap();
    scan.finish();
    assert_eq!(scan.run_starts("label", None).unwrap(), [0, 2, 3]);
}

#[test]
fn the_summary_tells_of_all_calls_or_some() {
    let scan = scanned();
    let all = value(&scan.summary(None).unwrap());
    assert_eq!(
        all,
        json!({"calls": 6, "sessions": 2, "files": 2, "started_at": "2026-09-14T10:00:00.000Z", "ended_at": "2026-09-14T10:30:01.000Z",
               "unknown": 1, "unknown_tools": [{"name": "Mystery", "harness": "claude_code", "calls": 1}],
               "harnesses": [{"harness": "claude_code", "calls": 6}],
               "pending": 2, "in_progress": 0, "completed": 3, "failed": 1, "rejected": 0, "cancelled": 0, "unresolved": 0,
               "read_only": 2, "read_only_share": 2.0 / 6.0, "timed": 4, "duration_ms": 8000, "longest_ms": 4000,
               "names": [{"name": "Read", "calls": 2}, {"name": "Bash", "calls": 2}, {"name": "mcp__docs__search", "calls": 1},
                         {"name": "Mystery", "calls": 1}],
               "labels": [{"label": "Read", "calls": 2}, {"label": "Run Command", "calls": 2}, {"label": "Tool", "calls": 2}],
               "paths": 2, "top_paths": [{"path": "src/a.rs", "calls": 1}, {"path": "src/b.rs", "calls": 1}]})
    );
    let some = value(&scan.summary(Some(&[2, 1])).unwrap());
    assert_eq!(
        (&some["calls"], &some["sessions"], &some["files"], &some["unknown"]),
        (&json!(2), &json!(1), &json!(1), &json!(0))
    );
    assert_eq!(scan.summary(Some(&[9])).unwrap_err().kind, "out_of_range");
    let mut many = Scan::new(b"{}").unwrap();
    many.begin("f").unwrap();
    for i in 0..150 {
        let log = started("s", &i.to_string(), 0, &format!("Mystery{}", i % 120), json!({"a": 1}));
        many.push(log.as_bytes()).unwrap();
    }
    let many = value(&many.summary(None).unwrap());
    assert_eq!((&many["unknown"], many["unknown_tools"].as_array().unwrap().len()), (&json!(150), 100));
    assert_eq!(many["unknown_tools"][29], json!({"name": "Mystery29", "harness": "claude_code", "calls": 2}));
}

#[test]
fn csv_has_the_columns_of_the_records() {
    let scan = scanned();
    let csv = scan.csv(Numbers::These(&[4, 1]), true).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("id,name,label,kind,") && lines[0].ends_with(",known,flags"));
    assert!(lines[1].starts_with(
        "b2,mcp__docs__search,Tool,other,mcp,false,pending,,claude_code,claude_session,s2,,second.jsonl,5,"
    ));
    assert!(lines[2].starts_with(r#"a2,Read,Read,read,claude_code,true,failed,"{""path"":""src/b.rs""}","#));
    assert_eq!(scan.csv(Numbers::Range(4, 5), false).unwrap(), format!("{}\n", lines[1]));
    assert_eq!(scan.csv(Numbers::Range(9, 9), true).unwrap(), format!("{}\n", lines[0]));
    let groups = scan.groups_csv("status", Some(&[1, 1, 0])).unwrap();
    let lines: Vec<_> = groups.lines().collect();
    assert!(lines[0].starts_with("key,by,value,calls,pending,"));
    assert!(lines[1].starts_with("status:failed,status,failed,2,0,0,0,2,"));
    assert_eq!(lines.len(), 3);
}

#[test]
fn options_are_those_of_a_ledger() {
    let mut raw = Scan::new(br#"{"raw_input": true}"#).unwrap();
    raw.begin("f").unwrap();
    raw.push(logs()[0].1.as_bytes()).unwrap();
    assert_eq!(value(&raw.calls(Numbers::Range(0, 1)).unwrap())[0]["raw_input"], json!({"file_path": "src/a.rs"}));
    let csv = raw.csv(Numbers::Range(0, 1), true).unwrap();
    assert!(
        csv.contains(",flags,raw_input\n") && csv.ends_with(",\"{\"\"file_path\"\":\"\"src/a.rs\"\"}\"\n"),
        "{csv}"
    );
    // A line that could be no call is read from end to end as well.
    let spoiled = "{\"type\":\"summary\",\"a\":nonsense}\n";
    for (options, quarantined) in [("{}", 0), (r#"{"strict":true}"#, spoiled.len())] {
        let mut scan = Scan::new(options.as_bytes()).unwrap();
        scan.begin("f").unwrap();
        scan.push(logs()[0].1.as_bytes()).unwrap();
        scan.push(spoiled.as_bytes()).unwrap();
        scan.finish();
        assert_eq!(value(&scan.report())["files"][0]["quarantined_bytes"], quarantined);
    }
    assert_eq!(Scan::new(br#"{"strict": 1}"#).err().unwrap().kind, "wrong_type");
    assert_eq!(Scan::new(b"[]").err().unwrap().kind, "not_an_object");
}

#[test]
fn what_is_asked_or_told_out_of_order_is_refused() {
    let mut scan = Scan::new(b"{}").unwrap();
    assert_eq!(scan.push(b"").unwrap_err().kind, "not_begun");
    assert_eq!(scan.fail("x").unwrap_err().kind, "not_begun");
    scan.begin("f").unwrap();
    scan.finish();
    assert_eq!(scan.push(b"").unwrap_err().kind, "finished");
    assert_eq!(scan.fail("x").unwrap_err().kind, "finished");
    assert_eq!(scan.begin("g").unwrap_err().kind, "finished");
    let scan = scanned();
    let error = scan.groups("colour", None, b"{}").unwrap_err();
    assert_eq!(error.kind, "unknown_value");
    assert!(
        error
            .message
            .ends_with("known are: label, name, kind, namespace, harness, server, path, session, file, status, all"),
        "{error}"
    );
    assert_eq!(scan.groups_csv("colour", None).unwrap_err().kind, "unknown_value");
    for by in ["session", "file", "status", "all", ""] {
        assert_eq!(scan.runs(by, None, b"{}").unwrap_err().kind, "unknown_value");
        assert_eq!(scan.run_starts(by, None).unwrap_err().kind, "unknown_value");
    }
    for options in [r#"{"from": -1}"#, r#"{"to": "x"}"#, r#"{"brief": 1}"#, r#"{"bins": 1.5}"#] {
        assert_eq!(scan.groups("label", None, options.as_bytes()).unwrap_err().kind, "wrong_type", "{options}");
        assert_eq!(scan.runs("label", None, options.as_bytes()).unwrap_err().kind, "wrong_type", "{options}");
    }
    assert_eq!(scan.groups("label", Some(&[6]), b"{}").unwrap_err().kind, "out_of_range");
    assert_eq!(scan.runs("label", Some(&[6]), b"{}").unwrap_err().kind, "out_of_range");
    assert_eq!(scan.run_starts("label", Some(&[6])).unwrap_err().kind, "out_of_range");
    assert_eq!(scan.groups_csv("label", Some(&[6])).unwrap_err().kind, "out_of_range");
}

#[test]
fn subagents_are_linked_to_the_calls_that_started_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/claude_code");
    let session = "37d4f977-7cbe-4fa2-8c99-c4fcc6cbe510";
    let agents = ["agent-a8703d53aa11ec079", "agent-a9c3d53b59fa1d97d"];
    let mut files: Vec<PathBuf> = vec![folder.join(format!("{session}.jsonl"))];
    files.extend(agents.map(|agent| folder.join(session).join("subagents").join(format!("{agent}.jsonl"))));
    let mut scan = Scan::new(b"{}").unwrap();
    for file in &files {
        scan.begin(&file.file_name().unwrap().to_string_lossy()).unwrap();
        scan.push(&fs::read(file).unwrap()).unwrap();
    }
    scan.finish();
    let own = scan.select(br#"{"agent": null}"#).unwrap();
    assert!(own.len() > 10 && own.len() < scan.len());
    let parents = |agent: &str| {
        let numbers = scan.select(json!({"agent": agent}).to_string().as_bytes()).unwrap();
        members(&scan.calls(Numbers::These(&numbers)).unwrap(), &["parent_id", "file"])
    };
    for agent in agents {
        let parents = parents(agent.trim_start_matches("agent-"));
        assert!(!parents.is_empty());
        for parent in parents {
            assert_eq!(parent[1], format!("{agent}.jsonl"));
            let id = parent[0].as_str().unwrap();
            let starter = scan.select(json!({"text": id, "agent": null}).to_string().as_bytes()).unwrap();
            assert_eq!(starter.len(), 1, "{id}");
            let kinds = members(&scan.calls(Numbers::These(&starter)).unwrap(), &["id", "kind"]);
            assert_eq!(kinds, [[json!(id), json!("task")]]);
        }
    }
}
