//! ACP messages.

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

/// A log holds the arguments as a whole; pieces of them make no call of their own.
#[test]
fn pieces_of_arguments_are_no_calls() {
    let piece = r#""method":"_x.ai/session_notification","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_delta_chunk","tool_call_id":"p","tool_index":0,"name":"read_file","arguments_delta":"{"}}"#;
    let calls = log(&[piece, &update(r#""sessionUpdate":"tool_call","toolCallId":"c","title":"x""#)]);
    assert_eq!(calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[test]
fn in_version_2_updates_create_calls_and_the_state_ends_the_turn() {
    let version = r#""id":0,"result":{"protocolVersion":2,"info":{"name":"opencode","version":"2.0.0"}}"#;
    let start =
        update(r#""sessionUpdate":"tool_call_update","toolCallId":"c","name":"bash","rawInput":{"command":"ls"}"#);
    let idle = update(r#""sessionUpdate":"state_update","state":"idle","stopReason":"end_turn""#);
    let busy = update(r#""sessionUpdate":"state_update","state":"running","stopReason":null"#);
    let ended = |state: &str| {
        let calls = log(&[version, &start, state]);
        assert_eq!((calls[0].label(), calls[0].version.as_deref()), ("Run Command", Some("2.0.0")));
        calls[0].status
    };
    assert_eq!((ended(&idle), ended(&busy)), (Status::Unresolved, Status::Pending));
    let ask = r#""id":4,"method":"session/request_permission","params":{"sessionId":"s","title":"?","subject":{"type":"tool_call","toolCall":{"toolCallId":"d","title":"x"}},"options":[{"optionId":"no","kind":"reject_once"}]}"#;
    let no = r#""id":4,"result":{"outcome":{"outcome":"selected","optionId":"no"}}"#;
    assert_eq!(call(&log(&[version, ask, no]), "d").status, Status::Rejected);
}
