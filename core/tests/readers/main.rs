//! What the readers make of small logs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use toolprism::readers::{Format, Reader};
use toolprism::{CallLedger, Flag, Status, ToolCall};

mod acp;
mod claude;
mod codex;
mod gemini;
mod grok;
mod opencode;

/// Reads a log that must be of `format` and undamaged; keeps the raw inputs.
fn read(format: Format, log: &str) -> Vec<ToolCall> {
    let mut ledger = CallLedger::keeping_raw_input();
    let mut reader = Reader::new();
    reader.push(log.as_bytes(), &mut ledger);
    let tally = reader.finish(&mut ledger);
    assert_eq!((tally.format, tally.quarantined), (Some(format), 0));
    ledger.into_calls()
}

fn call<'c>(calls: &'c [ToolCall], id: &str) -> &'c ToolCall {
    let mut found = calls.iter().filter(|call| call.id == id);
    let call = found.next().unwrap_or_else(|| panic!("no call {id}"));
    assert!(found.next().is_none(), "one call {id}");
    call
}

/// Status, exit code and error of a call.
fn end(call: &ToolCall) -> (Status, Option<i64>, Option<&str>) {
    (call.status, call.exit_code, call.error.as_deref())
}

fn mcp(call: &ToolCall) -> Option<(&str, &str)> {
    call.identity.mcp.as_ref().map(|mcp| (mcp.server.as_str(), mcp.tool.as_str()))
}

/// Records that look alike, and belong to harnesses without a reader, or to no log at all.
#[test]
fn records_of_others_are_not_claimed() {
    for record in [
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T10:11:31Z","cwd":"/w"}"#,
        r#"{"type":"message","id":"1","parentId":null,"timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}]}}"#,
        r#"{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"bash"},"id":"1","timestamp":"t","parentId":null}"#,
        r#"{"uuid":"u","sessionId":"s","timestamp":"t","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"read_file","args":{}}}]}}"#,
        r#"{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"}"#,
        r#"{"type":"tool_use","id":"c","name":"Bash","input":{}}"#,
        r#"{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{},"session_id":"s"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
        r#"{"schema_version":"ATIF-v1.4","session_id":"s","steps":[]}"#,
        r#"{"id":"m","timestamp":"t","type":"user","content":"hi"}"#,
        r#"{"type":"tool_result","tool_use_id":"c","content":"x"}"#,
        r#"{"id":"1","msg":"text"}"#,
        r#"{"messages":[],"info":{}}"#,
        r#"{"type":"init","session_id":"s"}"#,
        "[]",
        "{}",
    ] {
        let mut ledger = CallLedger::default();
        let mut reader = Reader::new();
        reader.push(record.as_bytes(), &mut ledger);
        assert_eq!(reader.finish(&mut ledger).format, None, "{record}");
    }
}
