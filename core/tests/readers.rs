//! What the readers of Codex, OpenCode and Gemini CLI make of small logs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use toolprism::readers::{Format, Reader};
use toolprism::{CallLedger, Flag, Status, ToolCall};

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

mod codex {
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
        let call = r#""type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}"#;
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
            (
                r#""{\"output\":\"a\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}""#,
                (Completed, Some(0), None),
            ),
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
                    Some(
                        r#"exec_command failed for `ls`: CreateProcess { message: "Rejected(\"rejected by user\")" }"#,
                    ),
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
        let started = r#""type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}"#;
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
}

mod opencode {
    use super::*;
    use Status::{Cancelled, Completed, Failed, InProgress, Pending, Rejected};

    fn part(id: &str, tool: &str, state: &str) -> String {
        format!(
            r#"{{"id":"prt_{id}","sessionID":"ses_1","type":"tool","callID":"{id}","tool":"{tool}","state":{state}}}"#
        )
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
        let part =
            String::from(r#"{"type":"tool","tool":"read","state":{"status":"completed","input":{"filePath":"f"}}}"#);
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
}

mod gemini {
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

mod acp {
    use super::*;

    fn log(lines: &[&str]) -> Vec<ToolCall> {
        let lines: Vec<String> = lines.iter().map(|line| format!("{{\"jsonrpc\":\"2.0\",{line}}}\n")).collect();
        read(Format::Acp, &lines.concat())
    }

    fn update(call: &str) -> String {
        format!(r#""method":"session/update","params":{{"sessionId":"s","update":{{{call}}}}}"#)
    }

    #[test]
    fn a_prompt_that_fails_ends_its_turn_too() {
        let prompt = r#""id":5,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}"#;
        let start = update(r#""sessionUpdate":"tool_call","toolCallId":"c","title":"x""#);
        let end = |answer: &str| log(&[prompt, &start, answer])[0].status;
        assert_eq!(end(r#""id":5,"error":{"code":-32603,"message":"no"}"#), Status::Unresolved);
        assert_eq!(end(r#""id":5,"result":{"stopReason":"cancelled"}"#), Status::Cancelled);
        assert_eq!(end(r#""id":6,"error":{"code":-32603,"message":"of another request"}"#), Status::Pending);
        assert_eq!(end(r#""id":5,"error":null"#), Status::Pending);
    }

    #[test]
    fn an_answer_to_the_agent_does_not_end_the_turn() {
        let prompt = r#""id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}"#;
        let start = update(r#""sessionUpdate":"tool_call","toolCallId":"c","title":"x""#);
        let file = r#""id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}"#;
        let failed = r#""id":1,"error":{"code":-32603,"message":"ENOENT"}"#;
        let ended = r#""id":1,"result":{"stopReason":"cancelled"}"#;
        assert_eq!(log(&[prompt, &start, file, failed])[0].status, Status::Pending);
        assert_eq!(log(&[prompt, &start, file, failed, ended])[0].status, Status::Cancelled);
        // A record that says who sent it leaves no doubt.
        let sent = |lines: &[(&str, &str)]| {
            let line =
                |(dir, line): &(&str, &str)| format!("{{\"dir\":\"{dir}\",\"msg\":{{\"jsonrpc\":\"2.0\",{line}}}}}\n");
            read(Format::Acp, &lines.iter().map(line).collect::<String>())[0].status
        };
        let (agent, client) = ("agent_to_client", "client_to_agent");
        assert_eq!(sent(&[(client, prompt), (agent, &start), (agent, file), (client, failed)]), Status::Pending);
        assert_eq!(sent(&[(client, prompt), (agent, &start), (agent, file), (agent, failed)]), Status::Unresolved);
    }

    /// Both sides count their requests on their own, so the agent's may have the id of the client's.
    #[test]
    fn a_permission_with_the_id_of_the_prompt_does_not_take_its_place() {
        let prompt = r#""id":0,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}"#;
        let ask = |call: &str| {
            format!(
                r#""id":0,"method":"session/request_permission","params":{{"sessionId":"s","toolCall":{{"toolCallId":"{call}","title":"x"}},"options":[{{"optionId":"no","kind":"reject_once"}}]}}"#
            )
        };
        let chosen =
            |option: &str| format!(r#""id":0,"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}"#);
        let end = r#""id":0,"result":{"stopReason":"end_turn"}"#;
        let calls = log(&[prompt, &ask("a"), &chosen("no"), &ask("b"), &chosen("yes"), end]);
        assert_eq!(call(&calls, "a").status, Status::Rejected);
        assert_eq!(call(&calls, "b").status, Status::Unresolved);
    }
}

#[test]
fn a_line_of_claude_code_is_known_without_the_role_of_its_message() {
    let line = r#"{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}"#;
    assert_eq!(read(Format::ClaudeSession, line)[0].label(), "Run Command");
}

#[test]
fn complaints_of_claude_code_come_without_their_tags() {
    let result = |text: &str| {
        let line = format!(
            r#"{{"type":"user","sessionId":"s","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"{text}"}}]}}}}"#
        );
        read(Format::ClaudeSession, &line)[0].error.clone().unwrap()
    };
    assert_eq!(&*result("<tool_use_error>Error: No such tool</tool_use_error>"), "Error: No such tool");
    assert_eq!(&*result("<tool_use_error>cut"), "cut");
    assert_eq!(&*result("<html>"), "<html>");
}
