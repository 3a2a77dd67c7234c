//! Gemini CLI sessions and streams.

use super::*;
use Status::{Cancelled, Completed, Failed, InProgress, Pending, Rejected};

const CALLS: &str = r#"[
{"id":"read_file__read_file_1796033491000_0","name":"read_file","args":{"file_path":"a"},"status":"success","timestamp":"2026-11-30T10:11:31.250Z","result":[{"functionResponse":{"response":{"output":"x"}}}],"displayName":"ReadFile"},
{"id":"glob-1796033491000-ab12","name":"glob","args":{"pattern":"*"},"status":"error","timestamp":"2026-11-30T10:11:31.250Z","result":[{"functionResponse":{"response":{"error":"no such folder"}}}]},
{"id":"c3","name":"run_shell_command","args":{"command":"x"},"status":"success","result":[{"functionResponse":{"response":{"output":"Output: Exit Code: 7\nExit Code: 3\nSignal: 0"}}}]},
{"id":"c4","name":"run_shell_command","args":{"command":"y"},"status":"success","result":[{"functionResponse":{"response":{"output":"Exit Code: (none)"}}}]},
{"id":"c5","name":"write_file","args":{"file_path":"b"},"status":"cancelled","result":[{"functionResponse":{"response":{"error":"[Operation Cancelled] Reason: User did not allow tool call"}}}]},
{"id":"c6","name":"write_file","args":{"file_path":"c"},"status":"cancelled","result":null,"resultDisplay":"stopped"},
{"id":"c7","name":"write_file","args":{"file_path":"c"},"status":"error","result":[{"functionResponse":{"response":{"error":"Tool execution denied by policy."}}}]},
{"id":"c8","name":"echo","args":{"text":"hi"},"status":"success","displayName":"echo (fs MCP Server)"},
{"id":"c9","name":"invoke_agent","args":{"prompt":"p"},"status":"success","agentId":"child"},
{"id":"c10","name":"read_file","args":{"file_path":"a"},"status":"executing","result":null},
{"id":"c11","name":"read_file","args":{"file_path":"a"},"status":"awaiting_approval"},
{"name":"read_file","args":{"file_path":"a"},"status":"success"},
{"name":"read_file","args":{"file_path":"a"},"status":"success"}]"#;

fn check(calls: &[ToolCall]) {
    assert_eq!(calls.len(), 13);
    let ends: Vec<_> = calls.iter().map(end).collect();
    let refused = "[Operation Cancelled] Reason: User did not allow tool call";
    assert_eq!(
        ends,
        [
            (Completed, None, None),
            (Failed, None, Some("no such folder")),
            (Completed, Some(3), None),
            (Completed, None, None),
            (Rejected, None, Some(refused)),
            (Cancelled, None, Some("stopped")),
            (Rejected, None, Some("Tool execution denied by policy.")),
            (Completed, None, None),
            (Completed, None, None),
            (InProgress, None, None),
            (Pending, None, None),
            (Completed, None, None),
            (Completed, None, None),
        ]
    );
    assert_eq!(calls[0].duration(), Some(250), "the id says when the call was made, the record when it ended");
    assert_eq!(calls[1].duration(), Some(250));
    assert_eq!(calls[0].raw_input.as_deref(), Some(r#"{"file_path":"a"}"#));
    assert_eq!((mcp(&calls[7]), calls[7].name()), (Some(("fs", "echo")), "echo"));
    assert_eq!(mcp(&calls[0]), None);
    assert_eq!(calls[8].started.as_deref(), Some("child"));
    assert_ne!(calls[11].id, calls[12].id, "calls without ids are calls each");
    assert!(calls.iter().all(|call| call.session.as_deref() == Some("s")));
    assert!(calls.iter().all(|call| call.harness.as_deref() == Some("gemini_cli")));
}

#[test]
fn a_session_document_holds_calls_in_messages() {
    let log = format!(
        r#"{{"sessionId":"s","projectHash":"h","messages":[{{"type":"user","content":"toolCalls"}},{{"type":"gemini","toolCalls":{CALLS}}}]}}"#
    );
    let calls = read(Format::GeminiSession, &log);
    check(&calls);
    assert_eq!(calls[0].place.offset as usize, log.find("{\"id\":\"read_file__").unwrap());
    // The session's id may also come last.
    let log = format!(r#"{{"messages":[{{"toolCalls":{CALLS}}}],"projectHash":"h","sessionId":"s"}}"#);
    let calls = read(Format::GeminiSession, &log);
    check(&calls);
    assert_eq!(calls[0].place.offset as usize, log.find("{\"id\":\"read_file__").unwrap());
}

#[test]
fn session_lines_hold_calls_in_messages_and_changes() {
    let header = r#"{"sessionId":"s","projectHash":"h","kind":"main"}"#;
    let calls = CALLS.replace('\n', "");
    let message = format!(r#"{{"id":"m","timestamp":"2026-11-30T10:11:31Z","type":"gemini","toolCalls":{calls}}}"#);
    check(&read(Format::GeminiSessionLines, &format!("{header}\n{message}\n")));
    let set = format!(r#"{{"$set":{{"messages":[{{"id":"m","type":"gemini","toolCalls":{calls}}}]}}}}"#);
    check(&read(Format::GeminiSessionLines, &format!("{header}\n{set}\n")));
}

#[test]
fn a_message_written_again_holds_the_same_calls_and_a_rewind_takes_none_back() {
    let calls = read(
        Format::GeminiSessionLines,
        r#"{"sessionId":"s","projectHash":"h"}
{"id":"m","type":"gemini","toolCalls":[{"id":"c1","name":"glob","args":{"pattern":"*"},"status":"executing"}]}
{"$set":{"lastUpdated":"2026-11-30T10:11:31.252Z"}}
{"id":"m","type":"gemini","toolCalls":[{"id":"c1","name":"glob","args":{"pattern":"*"},"status":"success"},{"id":"c2","name":"glob","args":{},"status":"error"}]}
{"$rewindTo":"m"}
{"id":"u","type":"user","content":[{"functionResponse":{"id":"c1","name":"glob","response":{"output":"toolCalls"}}}]}"#,
    );
    let found: Vec<_> = calls.iter().map(|call| (call.id.as_str(), call.status)).collect();
    assert_eq!(found, [("c1", Completed), ("c2", Failed)]);
}

#[test]
fn only_the_whole_pattern_marks_an_mcp_tool() {
    for (display, expected) in [
        ("read-file (my srv MCP Server)", Some(("my srv", "read-file"))),
        ("echo (fs MCP Server) ", None),
        ("fs MCP Server", None),
        (" (fs MCP Server)", None),
        ("echo ( MCP Server)", None),
        ("echo", None),
    ] {
        let log = format!(
            r#"{{"sessionId":"s","projectHash":"h","messages":[{{"toolCalls":[{{"id":"c","name":"echo","displayName":"{display}"}}]}}]}}"#
        );
        assert_eq!(mcp(&read(Format::GeminiSession, &log)[0]), expected, "{display}");
    }
}

#[test]
fn the_stream_tells_start_and_end() {
    let calls = read(
        Format::GeminiStream,
        r#"{"type":"init","timestamp":"2026-11-30T10:11:31.000Z","session_id":"s","model":"m"}
{"type":"message","timestamp":"2026-11-30T10:11:31.100Z","role":"assistant","content":"tool_use","delta":true}
{"type":"tool_use","timestamp":"2026-11-30T10:11:31.200Z","tool_name":"glob","tool_id":"c1","parameters":{"pattern":"*"}}
{"type":"tool_use","timestamp":"2026-11-30T10:11:31.200Z","tool_name":"read_file","tool_id":"c2","parameters":{"file_path":"a"}}
{"type":"tool_use","timestamp":"2026-11-30T10:11:31.200Z","tool_name":"read_file","tool_id":"c3","parameters":{"file_path":"b"}}
{"type":"tool_result","timestamp":"2026-11-30T10:11:31.300Z","tool_id":"c2","status":"error","output":"x","error":{"type":"file_not_found","message":"File not found: a"}}
{"type":"tool_result","timestamp":"2026-11-30T10:11:31.250Z","tool_id":"c1","status":"success"}
{"type":"result","timestamp":"2026-11-30T10:11:32.000Z","status":"success","stats":{}}"#,
    );
    let found: Vec<_> = calls.iter().map(|call| (call.name(), end(call), call.duration())).collect();
    assert_eq!(
        found,
        [
            ("glob", (Completed, None, None), Some(50)),
            ("read_file", (Failed, None, Some("File not found: a")), Some(100)),
            ("read_file", (Status::Unresolved, None, None), Some(800)),
        ]
    );
    assert!(calls.iter().all(|call| call.session.as_deref() == Some("s")));
}

#[test]
fn words_that_are_no_json_before_a_stream_cost_only_themselves() {
    let log = "Loaded cached credentials.\n{\"type\":\"tool_use\",\"tool_name\":\"glob\",\"tool_id\":\"c1\"}\n";
    let mut ledger = CallLedger::default();
    let mut reader = Reader::new();
    reader.push(log.as_bytes(), &mut ledger);
    let tally = reader.finish(&mut ledger);
    assert_eq!((tally.format, tally.quarantined, tally.damaged), (Some(Format::GeminiStream), 27, 1));
    assert_eq!(ledger.calls().len(), 1);
}
