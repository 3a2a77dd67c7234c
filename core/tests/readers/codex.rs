//! Codex rollouts.

use super::*;
use Status::{Cancelled, Completed, Failed, Rejected, Unresolved};

const META: &str =
    r#"{"timestamp":"2026-11-30T10:00:00Z","type":"session_meta","payload":{"id":"ses","cli_version":"0.171.0"}}"#;

fn rollout(items: &[&str]) -> Vec<ToolCall> {
    let mut log = String::from(META);
    for (i, item) in items.iter().enumerate() {
        log += &format!("\n{{\"timestamp\":\"2026-11-30T10:00:{:02}.5Z\",\"ordinal\":{i},{item}}}", i + 1);
    }
    read(Format::CodexRollout, &log)
}

/// The end of a `shell` call with this `output` (JSON).
fn ended(output: &str) -> ToolCall {
    let call =
        r#""type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}"#;
    let output = format!(
        r#""type":"response_item","payload":{{"type":"function_call_output","call_id":"c","output":{output}}}"#
    );
    let mut calls = rollout(&[call, &output]);
    assert_eq!(calls.len(), 1);
    calls.remove(0)
}

#[test]
fn calls_carry_names_arguments_session_version_and_times() {
    let calls = rollout(&[
        r#""type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}"#,
        r#""type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n","call_id":"c2"}"#,
        r#""type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Process exited with code 0\nOutput:\n"}"#,
        r#""type":"response_item","payload":{"type":"local_shell_call","call_id":"c3","action":{"command":["ls"]}}"#,
    ]);
    let first = call(&calls, "c1");
    assert_eq!((first.name(), first.session.as_deref()), ("exec_command", Some("ses")));
    assert_eq!((first.harness.as_deref(), first.version.as_deref()), (Some("codex"), Some("0.171.0")));
    assert_eq!(first.raw_input.as_deref(), Some(r#""{\"cmd\":\"ls\"}""#), "arguments stay the text they are");
    assert_eq!(first.duration(), Some(2000));
    assert_eq!(end(first), (Completed, Some(0), None));
    assert_eq!(call(&calls, "c2").raw_input.as_deref(), Some(r#""*** Begin Patch\n""#));
    let local = call(&calls, "c3");
    assert_eq!(local.name(), "local_shell_call");
    assert!(local.raw_input.as_deref().unwrap().contains(r#""action":{"command":["ls"]}"#), "the whole item");
}

#[test]
fn the_end_of_a_call_is_read_from_its_text() {
    let cases = [
        (r#""{\"output\":\"a\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}""#, (Completed, Some(0), None)),
        (r#""{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}""#, (Failed, Some(2), Some("no"))),
        (r#""{\"metadata\":{\"exit_code\":124},\"output\":\"\"}""#, (Failed, Some(124), None)),
        (r#""Exit code: 1\nWall time: 0 seconds\nOutput:\nbad\n""#, (Failed, Some(1), Some("bad\n"))),
        (
            r#""Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nExit code: 9""#,
            (Completed, Some(0), None),
        ),
        (
            r#""Wall time: 0.0 seconds\nOutput:\nExit code: 3\nWall time: 0 seconds\nOutput:\nx""#,
            (Failed, Some(3), Some("x")),
        ),
        (r#""Chunk ID: 1\nProcess running with session ID 7\nOutput:\n""#, (Completed, None, None)),
        (r#""unsupported call: foo""#, (Failed, None, Some("unsupported call: foo"))),
        (
            r#""failed to parse function arguments: EOF""#,
            (Failed, None, Some("failed to parse function arguments: EOF")),
        ),
        (r#""apply_patch verification failed: x""#, (Failed, None, Some("apply_patch verification failed: x"))),
        (
            r#""write_stdin failed: Unknown process id 1""#,
            (Failed, None, Some("write_stdin failed: Unknown process id 1")),
        ),
        (r#""exec command rejected by user""#, (Rejected, None, Some("exec command rejected by user"))),
        (
            r#""exec_command failed for `ls`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }""#,
            (
                Rejected,
                None,
                Some(r#"exec_command failed for `ls`: CreateProcess { message: "Rejected(\"rejected by user\")" }"#),
            ),
        ),
        (r#""aborted by user after 1.5s""#, (Cancelled, None, Some("aborted by user after 1.5s"))),
        (r#""Wall time: 3 seconds\naborted by user""#, (Cancelled, None, Some("aborted by user"))),
        (r#""Plan updated""#, (Completed, None, None)),
        (r#""It said: unsupported call: foo""#, (Completed, None, None)),
        (
            r#"[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"unsupported call: "}]"#,
            (Completed, None, None),
        ),
        (
            r#"[{"type":"input_text","text":"Script failed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"ReferenceError"}]"#,
            (Failed, None, Some("ReferenceError")),
        ),
        (r#"[{"type":"input_image","image_url":"data:"}]"#, (Completed, None, None)),
        (r#"{"content":"boom","success":false}"#, (Failed, None, Some("boom"))),
        (r#"{"content":"fine","success":true}"#, (Completed, None, None)),
        ("null", (Completed, None, None)),
        ("5", (Completed, None, None)),
        (r#""""#, (Completed, None, None)),
    ];
    for (output, expected) in cases {
        assert_eq!(end(&ended(output)), expected, "{output}");
    }
}

#[test]
fn a_long_output_is_not_searched_for_failures() {
    let call = ended(&format!("\"Chunk ID: 1\\nProcess exited with code 1\\nOutput:\\n{}\"", "é\\n".repeat(5000)));
    assert_eq!((call.status, call.exit_code), (Failed, Some(1)));
    let error = call.error.unwrap();
    assert!(error.starts_with("é\né\n") && !error.contains('\u{fffd}') && error.len() < 600);
}

#[test]
fn a_namespace_says_whose_an_mcp_tool_is() {
    let calls = rollout(&[
        r#""type":"response_item","payload":{"type":"function_call","name":"read_file","namespace":"mcp__fs","arguments":"{}","call_id":"c1"}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"echo","namespace":"mcp__my_srv__","arguments":"{}","call_id":"c2"}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"spawn_agent","namespace":"collaboration","arguments":"{}","call_id":"c3"}"#,
        // Only the second account has the tool's real name.
        r#""type":"event_msg","payload":{"type":"item_completed","item":{"type":"McpToolCall","id":"c1","server":"fs","tool":"read-file","status":"completed"}}"#,
    ]);
    assert_eq!((mcp(call(&calls, "c1")), call(&calls, "c1").name()), (Some(("fs", "read-file")), "read_file"));
    assert_eq!(mcp(call(&calls, "c2")), Some(("my_srv", "echo")));
    assert_eq!((mcp(call(&calls, "c3")), call(&calls, "c3").name()), (None, "spawn_agent"));
}

#[test]
fn mirrors_add_the_outcome_and_are_no_calls() {
    let calls = rollout(&[
        r#""type":"event_msg","payload":{"type":"exec_command_end","call_id":"nobody","exit_code":0}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"c1"}"#,
        r#""type":"event_msg","payload":{"type":"exec_command_begin","call_id":"c1","command":["ls"]}"#,
        r#""type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","exit_code":2,"stderr":"","aggregated_output":"oh","status":"failed"}"#,
        r#""type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"x","call_id":"c2"}"#,
        r#""type":"event_msg","payload":{"type":"patch_apply_end","call_id":"c2","success":false,"stdout":"","stderr":"no hunk"}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"fs__echo","arguments":"{}","call_id":"c3"}"#,
        r#""type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"c3","invocation":{"server":"fs","tool":"echo","arguments":{}},"result":{"Err":"gone"}}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"fs__cat","arguments":"{}","call_id":"c4"}"#,
        r#""type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"c4","invocation":{"server":"fs","tool":"cat"},"result":{"Ok":{"isError":true,"content":[{"type":"text","text":"boom"}]}}}"#,
        r#""type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"exec-1","status":"declined"}}"#,
        r#""type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","id":"c1","status":"failed"}}"#,
    ]);
    assert_eq!(calls.len(), 4);
    assert_eq!(end(call(&calls, "c1")), (Failed, Some(2), Some("oh")));
    assert_eq!(call(&calls, "c1").name(), "exec_command");
    assert_eq!(end(call(&calls, "c2")), (Failed, None, Some("no hunk")));
    assert_eq!(end(call(&calls, "c3")), (Failed, None, Some("gone")));
    assert_eq!(mcp(call(&calls, "c3")), Some(("fs", "echo")));
    assert_eq!(end(call(&calls, "c4")), (Failed, None, Some("boom")));
}

#[test]
fn calls_without_ids_are_calls_each() {
    let search = r#""type":"response_item","payload":{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}"#;
    let calls = rollout(&[
        search,
        search,
        r#""type":"response_item","payload":{"type":"web_search_call","id":"ws_1","status":"failed","action":null}"#,
        r#""type":"response_item","payload":{"type":"function_call","id":"fc_1","name":"shell","arguments":"{}"}"#,
        r#""type":"response_item","payload":{"type":"function_call_output","output":"lost"}"#,
        r#""type":"response_item","payload":{"type":"tool_search_output","call_id":null,"tools":[]}"#,
    ]);
    let ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 5);
    assert!(ids[0].starts_with("web_search_call@") && ids[1].starts_with("web_search_call@") && ids[0] != ids[1]);
    assert_eq!((ids[2], ids[3]), ("ws_1", "fc_1"));
    let statuses: Vec<_> = calls.iter().map(|call| call.status).collect();
    assert_eq!(statuses, [Completed, Completed, Failed, Status::Pending, Completed]);
    assert!(calls[4].flags.has(Flag::Orphan));
    assert!(calls[0].raw_input.as_deref().unwrap().contains("\"query\":\"q\""));
}

#[test]
fn order_and_repetition_do_not_matter() {
    let started = r#""type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}"#;
    let output = r#""type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"Exit code: 0\nOutput:\n"}"#;
    for items in [vec![output, started], vec![started, output, started, output], vec![started, output, output]] {
        let calls = rollout(&items);
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].name(), calls[0].status), ("shell", Completed));
        assert!(!calls[0].flags.has(Flag::Orphan) && calls[0].raw_input.is_some());
    }
}

#[test]
fn a_turn_that_ends_ends_its_calls() {
    let started =
        r#""type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}"#;
    let late = r#""type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"aborted by user after 1s"}"#;
    let aborted = r#""type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}"#;
    let complete = r#""type":"event_msg","payload":{"type":"task_complete"}"#;
    assert_eq!(rollout(&[started, aborted])[0].status, Cancelled);
    assert_eq!(rollout(&[started, complete])[0].status, Unresolved);
    assert_eq!(end(&rollout(&[started, complete, late])[0]), (Cancelled, None, Some("aborted by user after 1s")));
}

#[test]
fn a_started_subagent_is_named_and_a_fork_keeps_its_own_session() {
    let calls = rollout(&[
        r#""type":"session_meta","payload":{"id":"the parent's","cli_version":"0.1.0"}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"spawn_agent","arguments":"{}","call_id":"c1"}"#,
        r#""type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"agent_id\":\"child\",\"nickname\":null}"}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"wait","arguments":"{}","call_id":"c2"}"#,
        r#""type":"event_msg","payload":{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"c2","tool":"wait","receiver_thread_ids":["child"],"status":"completed"}}"#,
        r#""type":"response_item","payload":{"type":"function_call","name":"spawn_agent","arguments":"{}","call_id":"c3"}"#,
        r#""type":"event_msg","payload":{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"c3","tool":"spawn_agent","receiver_thread_ids":["other"],"status":"completed"}}"#,
    ]);
    let started: Vec<_> = calls.iter().map(|call| call.started.as_deref()).collect();
    assert_eq!(started, [Some("child"), None, Some("other")]);
    assert!(calls.iter().all(|call| call.session.as_deref() == Some("ses")));
    assert_eq!(calls[0].version.as_deref(), Some("0.171.0"));
}

#[test]
fn compacted_history_is_not_read_again() {
    let calls = rollout(&[
        r#""type":"compacted","payload":{"replacement_history":[{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}]}"#,
        r#""type":"turn_context","payload":{"type":"function_call","call_id":"c"}"#,
    ]);
    assert!(calls.is_empty());
}

#[test]
fn bare_lines_of_old_versions_are_read() {
    let calls = read(
        Format::CodexRollout,
        r#"{"id":"ses","timestamp":"2025-08-30T10:11:26.534Z","instructions":null,"git":{}}
{"record_type":"state"}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"function_call \"call_id\""}]}
{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":1}}"}"#,
    );
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].name(), calls[0].session.as_deref(), calls[0].started_at), ("shell", Some("ses"), None));
    assert_eq!(end(&calls[0]), (Failed, Some(1), None));
}

#[test]
fn exec_items_are_snapshots() {
    let calls = read(
        Format::CodexExec,
        r#"{"type":"thread.started","thread_id":"th"}
{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"hi"}}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"ls","aggregated_output":"no\n","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"rm","status":"declined"}}
{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}
{"type":"item.started","item":{"id":"item_4","type":"mcp_tool_call","server":"fs","tool":"echo","arguments":{"text":"hi"},"result":null,"error":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_4","type":"mcp_tool_call","server":"fs","tool":"echo","arguments":{"text":"hi"},"result":null,"error":{"message":"gone"},"status":"failed"}}
{"type":"item.completed","item":{"id":"item_5","type":"web_search","query":"q"}}
{"type":"item.started","item":{"id":"item_6","type":"collab_tool_call","tool":"spawn_agent","receiver_thread_ids":[],"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_6","type":"collab_tool_call","tool":"spawn_agent","receiver_thread_ids":["child"],"status":"completed"}}
{"type":"item.started","item":{"id":"item_7","type":"todo_list","items":[]}}
{"type":"turn.completed","usage":{}}"#,
    );
    let found: Vec<_> = calls.iter().map(|call| (call.id.as_str(), call.name(), call.status)).collect();
    assert_eq!(
        found,
        [
            ("item_1", "command_execution", Failed),
            ("item_2", "command_execution", Rejected),
            ("item_3", "file_change", Completed),
            ("item_4", "echo", Failed),
            ("item_5", "web_search", Completed),
            ("item_6", "collab_tool_call", Completed),
            ("item_7", "todo_list", Unresolved),
        ]
    );
    assert_eq!(end(&calls[0]), (Failed, Some(1), Some("no\n")));
    assert_eq!((mcp(&calls[3]), calls[3].error.as_deref()), (Some(("fs", "echo")), Some("gone")));
    assert_eq!(calls[3].raw_input.as_deref(), Some(r#"{"text":"hi"}"#));
    assert_eq!(calls[5].started.as_deref(), Some("child"));
    assert!(calls.iter().all(|call| call.session.as_deref() == Some("th") && !call.flags.has(Flag::Orphan)));
}

#[test]
fn old_exec_events_are_read() {
    let calls = read(
        Format::CodexExec,
        r#"{"model":"gpt-5","workdir":"/w"}
{"id":"0","msg":{"type":"session_configured","session_id":"ses"}}
{"id":"0","msg":{"type":"exec_command_begin","call_id":"c1","command":["ls"],"cwd":"/w"}}
{"id":"0","msg":{"type":"exec_command_output_delta","call_id":"c1","chunk":[116]}}
{"id":"0","msg":{"type":"exec_command_end","call_id":"c1","stdout":"","stderr":"no","exit_code":2}}
{"id":"0","msg":{"type":"patch_apply_begin","call_id":"c2","changes":{"/w/a":{"add":{"content":"x"}}}}}
{"id":"0","msg":{"type":"patch_apply_end","call_id":"c2","success":true}}
{"id":"0","msg":{"type":"mcp_tool_call_begin","call_id":"c3","invocation":{"server":"fs","tool":"echo","arguments":{"text":"hi"}}}}
{"id":"0","msg":{"type":"mcp_tool_call_end","call_id":"c3","invocation":{"server":"fs","tool":"echo"},"result":{"Ok":{"content":[]}}}}
{"id":"0","msg":{"type":"web_search_begin","call_id":"c4"}}
{"id":"0","msg":{"type":"web_search_end","call_id":"c4","query":"q"}}
{"id":"0","msg":{"type":"exec_command_begin","call_id":"c5","command":["sleep"]}}
{"id":"0","msg":{"type":"turn_aborted","reason":"interrupted"}}"#,
    );
    let found: Vec<_> = calls.iter().map(|call| (call.name(), call.status)).collect();
    let names = ["exec_command", "apply_patch", "echo", "web_search", "exec_command"];
    let statuses = [Failed, Completed, Completed, Completed, Cancelled];
    assert_eq!(found, names.into_iter().zip(statuses).collect::<Vec<_>>());
    assert_eq!(end(&calls[0]), (Failed, Some(2), Some("no")));
    assert!(calls[0].raw_input.as_deref().unwrap().contains("\"cwd\":\"/w\""));
    assert_eq!(calls[2].raw_input.as_deref(), Some(r#"{"text":"hi"}"#));
    assert!(calls[3].raw_input.as_deref().unwrap().contains("\"query\":\"q\""));
    assert_eq!(calls[0].session.as_deref(), Some("ses"));
}
