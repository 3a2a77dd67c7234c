//! Sources that are cut anywhere, damaged, or arrive in pieces of any size.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod documents;

use std::path::Path;

use toolprism::readers::{Format, Limits, Quarantine, Reader, Reason, Sink, Tally};
use toolprism::{CallLedger, Place, ToolCallEvent, TurnEnd, json::RawJson};

/// How much of a file is cut at every byte.
const CUT: usize = 6 << 10;

#[derive(Default)]
struct Seen {
    ledger: CallLedger,
    quarantines: Vec<Quarantine>,
}

impl Sink for Seen {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, span: &Quarantine) {
        self.quarantines.push(*span);
    }
}

impl Seen {
    fn ids(&self) -> Vec<&str> {
        self.ledger.calls().iter().map(|call| call.id.as_str()).collect()
    }
}

fn read(bytes: &[u8], piece: usize) -> (Seen, Tally) {
    read_with(Limits::default(), bytes, piece)
}

fn read_with(limits: Limits, bytes: &[u8], piece: usize) -> (Seen, Tally) {
    let mut seen = Seen::default();
    let mut reader = Reader::with_limits(limits);
    for piece in bytes.chunks(piece.max(1)) {
        reader.push(piece, &mut seen);
    }
    let tally = reader.finish(&mut seen);
    assert_eq!(tally.bytes, bytes.len() as u64);
    assert_eq!(tally.parsed + tally.quarantined, tally.bytes);
    assert_eq!(seen.quarantines.iter().map(|span| span.len).sum::<u64>(), tally.quarantined);
    (seen, tally)
}

/// Logs of all formats: from the samples, and small ones of those that are not among them.
fn logs() -> Vec<(&'static str, Vec<u8>)> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let sample = |path: &str| std::fs::read(samples.join(path)).unwrap();
    vec![
        ("claude_session", sample("claude_code/37d4f977-7cbe-4fa2-8c99-c4fcc6cbe510.jsonl")),
        ("codex_rollout", sample("codex/rollout-2026-11-30T10-11-27-01a22bf0-227b-7db1-8ab7-6359c3cf5885.jsonl")),
        ("gemini_session_lines", sample("gemini_cli/session-2026-11-30T10-11-44f01c56.jsonl")),
        ("grok_updates", sample("grok_build/01a22c41-bdbe-7b12-969c-e12eed37bbbd/updates.jsonl")),
        ("opencode_export", sample("opencode/export.json")),
        ("acp", sample("acp/opencode.jsonl")),
        ("claude_stream", CLAUDE_STREAM.into()),
        ("codex_exec", CODEX_EXEC.into()),
        ("opencode_run", OPENCODE_RUN.into()),
        ("opencode_storage", OPENCODE_PART.into()),
        ("gemini_session", GEMINI_SESSION.into()),
        ("gemini_stream", GEMINI_STREAM.into()),
    ]
}

const CLAUDE_STREAM: &str = r#"{"type":"system","subtype":"init","session_id":"s","tools":["Bash"]}
{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a\u00e9 ✓"}]}}
{"type":"result","session_id":"s","result":"done"}
"#;

const CODEX_EXEC: &str = r#"{"type":"thread.started","thread_id":"s"}
{"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"ls","status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"a\n","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"item_1","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}
{"type":"turn.completed","usage":{}}
"#;

const OPENCODE_RUN: &str = r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"id":"prt_0","type":"step-start"}}
{"type":"tool_use","timestamp":2,"sessionID":"ses_1","part":{"id":"prt_1","type":"tool","tool":"read","callID":"c1","state":{"status":"completed","input":{"filePath":"a"},"time":{"start":1,"end":2}}}}
"#;

const OPENCODE_PART: &str = r#"{
  "id": "prt_1",
  "sessionID": "ses_1",
  "messageID": "msg_1",
  "type": "tool",
  "callID": "c1",
  "tool": "read",
  "state": { "status": "completed", "input": { "filePath": "a" }, "time": { "start": 1, "end": 2 } }
}"#;

const GEMINI_SESSION: &str = r#"{
  "sessionId": "s",
  "projectHash": "h",
  "messages": [
    { "id": "m1", "type": "user", "content": "go" },
    { "id": "m2", "type": "gemini", "toolCalls": [
      { "id": "read_file-1796034520068-dc33", "name": "read_file", "args": { "file_path": "a" }, "status": "success" },
      { "id": "glob-1796034520137-50b4", "name": "glob", "args": { "pattern": "*" }, "status": "success" }
    ] }
  ]
}
"#;

const GEMINI_STREAM: &str = r#"{"type":"init","timestamp":"2026-11-30T10:11:31.244Z","session_id":"s","model":"m"}
{"type":"tool_use","timestamp":"2026-11-30T10:11:31.371Z","tool_name":"glob","tool_id":"g1","parameters":{"pattern":"*"}}
{"type":"tool_result","timestamp":"2026-11-30T10:11:31.470Z","tool_id":"g1","status":"success"}
{"type":"result","timestamp":"2026-11-30T10:11:32.632Z","status":"success"}
"#;

#[test]
fn the_logs_are_of_all_formats() {
    let names: Vec<_> = logs().into_iter().map(|(name, _)| name).collect();
    for format in Format::ALL {
        assert!(names.contains(&format.as_str()), "{format}");
    }
    for (name, bytes) in logs() {
        let (seen, tally) = read(&bytes, bytes.len());
        assert_eq!(tally.format.map(|format| format.as_str()), Some(name));
        assert!(!seen.ids().is_empty(), "{name} has calls");
    }
}

#[test]
fn a_log_cut_anywhere_yields_the_calls_before_the_cut() {
    let documents: Vec<_> = Format::ALL.iter().filter(|format| format.is_document()).map(|f| f.as_str()).collect();
    for (name, bytes) in logs() {
        let bytes = &bytes[..bytes.len().min(CUT)];
        let (all, _) = read(bytes, bytes.len());
        for end in 0..bytes.len() {
            let cut = &bytes[..end];
            let (seen, tally) = read(cut, cut.len());
            assert!(all.ids().starts_with(&seen.ids()), "{name} cut at {end}");
            let unfinished = cut.rsplit(|byte| *byte == b'\n').next().unwrap().len() as u64;
            match (tally.format, seen.quarantines.as_slice()) {
                (_, []) => {}
                // A session cut before its messages looks like the header of the other form.
                (Some(_), [span]) if documents.contains(&name) => {
                    let reaches = span.place.offset + span.len;
                    assert_eq!((reaches, span.reason), (end as u64, Reason::Torn), "{name} cut at {end}");
                }
                (Some(_), [span]) => {
                    assert_eq!((span.len, span.reason), (unfinished, Reason::Torn), "{name} cut at {end}");
                }
                (None, [span]) => assert_eq!(span.reason, Reason::UnknownFormat, "{name} cut at {end}"),
                (_, spans) => panic!("{name} cut at {end}: {spans:?}"),
            }
        }
    }
}

#[test]
fn pieces_of_any_size_give_the_same_calls() {
    for (name, bytes) in logs() {
        let (whole, tally) = read(&bytes, bytes.len());
        for piece in [1, 7, 4096] {
            let (seen, same) = read(&bytes, piece);
            assert_eq!(same, tally, "{name} in pieces of {piece}");
            assert_eq!(
                format!("{:?}", seen.ledger.calls()),
                format!("{:?}", whole.ledger.calls()),
                "{name} in pieces of {piece}"
            );
        }
    }
}

#[test]
fn a_format_that_is_given_is_not_looked_for() {
    for (name, bytes) in logs() {
        let format = Format::ALL.iter().copied().find(|format| format.as_str() == name).unwrap();
        for piece in [1, bytes.len()] {
            let mut ledger = CallLedger::default();
            let mut reader = Reader::new().with_format(format);
            for piece in bytes.chunks(piece) {
                reader.push(piece, &mut ledger);
            }
            let tally = reader.finish(&mut ledger);
            assert_eq!((tally.format, tally.quarantined), (Some(format), 0), "{name}");
            assert_eq!(ledger.calls().len(), read(&bytes, 4096).0.ids().len(), "{name}");
        }
    }
    let reader = Reader::new().with_format(Format::OpencodeExport);
    assert_eq!(reader.finish(&mut CallLedger::default()).bytes, 0);
}

#[test]
fn a_document_that_was_cut_still_gives_its_calls() {
    let cut = GEMINI_SESSION.find("glob-").unwrap();
    let (seen, tally) = read(&GEMINI_SESSION.as_bytes()[..cut], 16);
    assert_eq!(tally.format, Some(Format::GeminiSession));
    assert_eq!(seen.ids(), ["read_file-1796034520068-dc33"]);
    assert_eq!(seen.quarantines[0].reason, Reason::Torn);
    assert_eq!(tally.damaged, 0);
}

/// An export of more than a megabyte; its calls `c0`, `c1`...
fn long_export() -> String {
    let padding = "x".repeat(2000);
    let messages: Vec<_> = (0..1000)
        .map(|i| {
            format!(
                r#"  {{"info": {{"role": "assistant"}}, "parts": [{{"type": "tool", "callID": "c{i}", "tool": "bash",
   "state": {{"status": "completed", "input": {{"command": "ls"}}, "output": "{padding}"}}}}]}}"#
            )
        })
        .collect();
    format!(
        "{{\n \"info\": {{\"id\": \"ses_1\", \"version\": \"1.2.3\"}},\n \"messages\": [\n{}\n ]\n}}\n",
        messages.join(",\n")
    )
}

#[test]
fn a_long_document_is_read_message_by_message() {
    let text = long_export();
    for document in [text.clone(), text.replace('\n', "")] {
        let (seen, tally) = read(document.as_bytes(), 10_000);
        assert_eq!((tally.format, tally.quarantined), (Some(Format::OpencodeExport), 0));
        assert_eq!(seen.ids().len(), 1000);
        let last = seen.ledger.calls().last().unwrap();
        assert_eq!(
            (last.id.as_str(), last.session.as_deref(), last.version.as_deref()),
            ("c999", Some("ses_1"), Some("1.2.3"))
        );
        assert!(document[last.place.offset as usize..].starts_with(r#"{"type": "tool", "callID": "c999""#));
        assert_eq!(
            format!("{:?}", seen.ledger.calls()),
            format!("{:?}", read(document.as_bytes(), 1 << 20).0.ledger.calls())
        );
    }
}

#[test]
fn a_long_document_is_read_up_to_where_it_is_cut_and_around_damage() {
    let text = long_export();
    let cut = text.find("\"c700\"").unwrap();
    let (seen, tally) = read(&text.as_bytes()[..cut], 10_000);
    assert_eq!((seen.ids().len(), seen.ids().last()), (700, Some(&"c699")));
    assert_eq!((seen.quarantines[0].reason, seen.quarantines.len(), tally.damaged), (Reason::Torn, 1, 0));
    let damaged = text.replace(r#""callID": "c500""#, r#""callID" "c500""#);
    let (seen, tally) = read(damaged.as_bytes(), 10_000);
    assert_eq!((seen.ids().len(), tally.damaged), (999, 1));
    assert!(!seen.ids().contains(&"c500"));
    let span = seen.quarantines[0];
    assert!(damaged[span.place.offset as usize..][..span.len as usize].contains("c500"));
}

#[test]
fn a_line_over_the_limit_costs_only_itself() {
    let long = format!("{{\"type\":\"item.completed\",\"x\":\"{}\"}}\n", "x".repeat(3000));
    let mut lines: Vec<_> = CODEX_EXEC.split_inclusive('\n').collect();
    lines.insert(1, &long);
    let text = lines.concat();
    for piece in [1, 100, 4096, text.len()] {
        let (seen, tally) = read_with(Limits { record: 2000 }, text.as_bytes(), piece);
        assert_eq!(seen.ids(), ["item_0", "item_1"], "pieces of {piece}");
        let place = Place { line: 2, offset: lines[0].len() as u64 };
        assert_eq!(seen.quarantines, [Quarantine { place, len: long.len() as u64, reason: Reason::TooLong }]);
        assert_eq!((tally.lines, tally.damaged), (6, 1));
    }
}

#[test]
fn a_message_over_the_limit_costs_only_itself() {
    let export = long_export();
    let all = read(export.as_bytes(), 1000).0.ids().len();
    for call in ["c0", "c700"] {
        let long = r#"\"{[x\\"#.repeat(2000);
        let id = format!(r#""callID": "{call}""#);
        let text = export.replace(&id, &format!(r#"{id}, "x": "{long}""#));
        for piece in [1, 100, 1000, text.len()] {
            let (seen, tally) = read_with(Limits { record: 5000 }, text.as_bytes(), piece);
            assert_eq!(seen.ids().len(), all - 1, "pieces of {piece}");
            assert!(!seen.ids().contains(&call));
            let [span] = seen.quarantines[..] else { panic!("{:?}", seen.quarantines) };
            let message = &text[span.place.offset as usize..][..span.len as usize];
            assert!(message.starts_with('{') && message.ends_with('}') && message.contains(call), "{message}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(message).unwrap()["parts"][0]["callID"], call);
            assert_eq!((span.reason, tally.damaged), (Reason::TooLong, 1));
        }
    }
    // One that never ends is told of as well.
    let cut = export.find("c700").unwrap();
    let text = format!("{}{}", &export[..cut], "x".repeat(9000));
    let (seen, tally) = read_with(Limits { record: 5000 }, text.as_bytes(), 100);
    assert_eq!((seen.ids().len(), seen.quarantines.len(), tally.damaged), (700, 1, 1));
    assert_eq!(seen.quarantines[0].place.offset + seen.quarantines[0].len, text.len() as u64);
}

#[test]
fn a_damaged_line_costs_only_itself() {
    for (name, bytes) in logs() {
        let text = String::from_utf8(bytes).unwrap();
        if text.starts_with("{\n") {
            continue;
        }
        let mut lines: Vec<_> = text.lines().collect();
        let damaged = "{\"type\":\"tool_use tool_call _call toolCalls item. callID \"tool\"";
        lines.insert(1, damaged);
        let (seen, tally) = read(lines.join("\n").as_bytes(), 64);
        assert_eq!(seen.ids(), read(text.as_bytes(), 64).0.ids(), "{name}");
        assert_eq!((tally.damaged, tally.quarantined), (1, damaged.len() as u64 + 1), "{name}");
    }
}

#[test]
fn a_torn_first_line_does_not_hide_the_rest() {
    for (name, bytes) in logs() {
        if bytes.starts_with(b"{\n") {
            continue;
        }
        let log = [b"{\"type\":\"torn\",\"text\":\"\n".as_slice(), &bytes].concat();
        for piece in [1, 100, log.len()] {
            let (seen, tally) = read(&log, piece);
            assert_eq!(seen.ids(), read(&bytes, piece).0.ids(), "{name}");
            assert_eq!(tally.format.map(|format| format.as_str()), Some(name));
        }
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    for (name, bytes) in logs() {
        let marked = [b"\xef\xbb\xbf".as_slice(), &bytes].concat();
        let (seen, tally) = read(&marked, 4096);
        assert_eq!(seen.ids(), read(&bytes, 4096).0.ids(), "{name}");
        assert_eq!(tally.quarantined, 0, "{name}");
    }
}

/// Values of every type where the readers expect others.
#[test]
fn any_value_may_stand_anywhere() {
    let odd = ["null", "true", "-1.5", "\"\\ud800\"", "[]", "[[{}],1,null]", "{}", "{\"a\":{\"b\":[]}}"];
    let mut calls = 0;
    for (name, bytes) in logs() {
        let text = String::from_utf8(bytes[..bytes.len().min(16 << 10)].to_vec()).unwrap_or_default();
        let format = Format::ALL.iter().copied().find(|format| format.as_str() == name).unwrap();
        for (i, _) in text.match_indices("\":").step_by(7) {
            let value = text[i + 2..].trim_start();
            let start = text.len() - value.len();
            let Some(end) = value_end(value) else { continue };
            let odd = odd[i % odd.len()];
            let changed = format!("{}{odd}{}", &text[..start], &text[start + end..]);
            let mut ledger = CallLedger::default();
            let mut reader = Reader::new().with_format(format);
            reader.push(changed.as_bytes(), &mut ledger);
            let tally = reader.finish(&mut ledger);
            assert_eq!(tally.parsed + tally.quarantined, tally.bytes);
            calls += ledger.calls().len();
        }
    }
    assert!(calls > 0);
}

/// How long the value at the front of `text` is.
fn value_end(text: &str) -> Option<usize> {
    let mut cursor = toolprism::json::Cursor::new(text.as_bytes());
    cursor.value().ok()?;
    Some(cursor.offset())
}
