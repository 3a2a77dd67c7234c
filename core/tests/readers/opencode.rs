//! OpenCode exports and storage.

use super::*;
use Status::{Cancelled, Completed, Failed, InProgress, Pending, Rejected};

fn part(id: &str, tool: &str, state: &str) -> String {
    format!(r#"{{"id":"prt_{id}","sessionID":"ses_1","type":"tool","callID":"{id}","tool":"{tool}","state":{state}}}"#)
}

fn export(parts: &[String]) -> Vec<ToolCall> {
    let parts = parts.join(",");
    read(
        Format::OpencodeExport,
        &format!(
            "{{\n\"info\":{{\"id\":\"ses_1\",\"version\":\"1.18.33\"}},\n\"messages\":[{{\"info\":{{\"role\":\"user\"}},\"parts\":[{{\"type\":\"text\",\"text\":\"\"}}]}},{{\"parts\":[{parts}]}}]}}\n"
        ),
    )
}

#[test]
fn a_part_is_a_call_with_its_times_and_its_end() {
    let calls = export(&[
        part(
            "a",
            "bash",
            r#"{"status":"completed","input":{"command":"x"},"title":"Run x","metadata":{"exit":3},"time":{"start":1000,"end":1250}}"#,
        ),
        part(
            "b",
            "edit",
            r#"{"status":"error","input":{"filePath":"f"},"error":"oldString not found","time":{"start":1,"end":2}}"#,
        ),
        part(
            "c",
            "bash",
            r#"{"status":"error","input":{},"error":"Error: The user rejected permission to use this specific tool call."}"#,
        ),
        part("d", "bash", r#"{"status":"error","input":{"command":"y"},"error":"Tool execution aborted"}"#),
        part("e", "read", r#"{"status":"running","input":{"filePath":"f"},"time":{"start":5}}"#),
        part("f", "read", r#"{"status":"pending","input":{},"raw":""}"#),
        part("g", "invalid", r#"{"status":"completed","input":{"tool":"x","error":"no tool x"},"output":"..."}"#),
        part("h", "task", r#"{"status":"completed","input":{"description":"d"},"metadata":{"sessionId":"ses_2"}}"#),
    ]);
    let ends: Vec<_> = calls.iter().map(end).collect();
    assert_eq!(
        ends,
        [
            (Completed, Some(3), None),
            (Failed, None, Some("oldString not found")),
            (Rejected, None, Some("Error: The user rejected permission to use this specific tool call.")),
            (Cancelled, None, Some("Tool execution aborted")),
            (InProgress, None, None),
            (Pending, None, None),
            (Failed, None, Some("no tool x")),
            (Completed, None, None),
        ]
    );
    let first = &calls[0];
    assert_eq!((first.id.as_str(), first.name(), first.title.as_deref()), ("a", "bash", Some("Run x")));
    assert_eq!((first.started_at, first.ended_at, first.duration()), (Some(1000), Some(1250), Some(250)));
    assert_eq!((first.session.as_deref(), first.version.as_deref()), (Some("ses_1"), Some("1.18.33")));
    assert_eq!(first.raw_input.as_deref(), Some(r#"{"command":"x"}"#));
    assert_eq!((calls[4].started_at, calls[4].ended_at), (Some(5), None));
    assert_eq!(calls[7].started.as_deref(), Some("ses_2"));
    assert!(calls.iter().all(|call| !call.flags.has(Flag::Orphan) && !call.flags.has(Flag::LateEvent)));
}

#[test]
fn a_call_is_found_where_it_stands_in_the_document() {
    let log = format!(
        "{{ \"info\": {{ \"id\": \"ses_1\" }}, \"messages\": [ {{ \"parts\": [ {} ] }} ] }}",
        part("a", "read", "{}")
    );
    let calls = read(Format::OpencodeExport, &log);
    assert_eq!(calls[0].place.offset as usize, log.find("{\"id\":\"prt_a\"").unwrap());
}

#[test]
fn messages_may_come_before_the_session() {
    let part = r#"{"type":"tool","callID":"a","tool":"read","state":{"status":"completed","input":{}}}"#;
    let log = format!(r#"{{"messages":[{{"parts":[{part}]}}],"info":{{"id":"ses_1","version":"1.2.3"}}}}"#);
    let calls = read(Format::OpencodeExport, &log);
    assert_eq!((calls[0].session.as_deref(), calls[0].version.as_deref()), (Some("ses_1"), Some("1.2.3")));
    assert_eq!(calls[0].place.offset as usize, log.find(part).unwrap());
}

#[test]
fn parts_without_ids_are_calls_each() {
    let part = String::from(r#"{"type":"tool","tool":"read","state":{"status":"completed","input":{"filePath":"f"}}}"#);
    let calls = export(&[part.clone(), part]);
    assert_eq!(calls.len(), 2);
    assert_ne!(calls[0].id, calls[1].id);
}

#[test]
fn storage_files_are_recognised_and_only_parts_hold_calls() {
    let tool = r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"tool","callID":"a","tool":"read","state":{"status":"completed","input":{"filePath":"f"}}}"#;
    let calls = read(Format::OpencodeStorage, tool);
    assert_eq!((calls[0].id.as_str(), calls[0].name(), calls[0].session.as_deref()), ("a", "read", Some("ses_1")));
    assert_eq!(calls[0].place.line, 0, "a document is no sequence of lines");
    for file in [
        r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"\"tool\""}"#,
        r#"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1},"tools":{"task":false}}"#,
        r#"{"id":"ses_1","version":"1.0.185","projectID":"p","directory":"/w","title":"t","time":{"created":1}}"#,
        r#"{"id":"p","worktree":"/w","vcs":"git","time":{"created":1}}"#,
    ] {
        assert!(read(Format::OpencodeStorage, file).is_empty(), "{file}");
    }
}

#[test]
fn the_stream_holds_parts_in_lines() {
    let calls = read(
        Format::OpencodeRun,
        r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"id":"prt_0","type":"step-start"}}
{"type":"tool_use","timestamp":2,"sessionID":"ses_1","part":{"id":"prt_1","type":"tool","tool":"grep","callID":"a","state":{"status":"completed","input":{"pattern":"x"},"time":{"start":1,"end":2}}}}
{"type":"text","timestamp":3,"sessionID":"ses_1","part":{"id":"prt_2","type":"text","text":"\"tool\""}}
{"type":"error","timestamp":3,"sessionID":"ses_1","error":{"name":"x"}}"#,
    );
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].name(), calls[0].session.as_deref()), ("grep", Some("ses_1")));
}

#[test]
fn a_part_told_again_is_the_same_call() {
    let running = part("a", "bash", r#"{"status":"running","input":{"command":"x"},"time":{"start":1}}"#);
    let done = part("a", "bash", r#"{"status":"completed","input":{"command":"x"},"time":{"start":1,"end":9}}"#);
    for parts in [vec![running.clone(), done.clone()], vec![done.clone(), running]] {
        let calls = export(&parts);
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].status, calls[0].duration()), (Completed, Some(8)));
    }
}
