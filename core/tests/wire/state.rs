//! What a reader remembers, and what it makes of anything at all.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolprism::json::{JsonType, JsonView, Number};
use toolprism::output::OutputPreview;
use toolprism::wire::{Wire, WireReader, WireSink};
use toolprism::{CallLedger, Flag, Status, ToolCallEvent, TurnEnd};

use super::{Seen, invariants, read};
use proptest::prelude::*;

#[test]
fn two_streams_in_one_ledger_are_kept_apart_by_their_sessions() {
    let mut ledger = CallLedger::default();
    let mut one = WireReader::new(Wire::OpenaiChat).with_session("one");
    let mut two = WireReader::new(Wire::OpenaiChat).with_session("two").with_harness("claude", Some("2.0".into()));
    let call = json!({"role": "assistant", "tool_calls": [{"id": "call_0", "function": {"name": "Bash", "arguments": "{\"command\":\"ls\"}"}}]});
    let result = json!({"role": "tool", "tool_call_id": "call_0", "content": ""});
    one.push(&&call, &mut ledger);
    two.at(5).push(&&call, &mut ledger);
    one.push(&&result, &mut ledger);
    ledger.end(&two.end_turn(true));
    let [first, second] = ledger.calls() else { panic!("{:?}", ledger.calls()) };
    assert_eq!((first.session.as_deref(), first.status), (Some("one"), Status::Completed));
    assert_eq!((second.session.as_deref(), second.status), (Some("two"), Status::Cancelled));
    assert_eq!((second.harness.as_deref(), second.version.as_deref()), (Some("claude_code"), Some("2.0")));
    assert_eq!((first.started_at, second.started_at, second.ended_at), (None, Some(5), Some(5)));
}

#[test]
fn the_end_that_a_host_tells_forgets_the_calls_of_the_stream() {
    let piece = |id: Option<&str>, name: Option<&str>, arguments: &str| json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": id, "function": {"name": name, "arguments": arguments}}]}}]});
    let mut seen = Seen::default();
    let mut reader = WireReader::new(Wire::OpenaiChat);
    reader.push(&&piece(Some("a"), Some("f"), "{"), &mut seen);
    seen.ledger.end(&reader.end_turn(false));
    assert_eq!(seen.ledger.calls()[0].status, Status::Unresolved);
    reader.push(&&piece(Some("b"), Some("f"), "{"), &mut seen);
    reader.push(&&piece(None, None, "}"), &mut seen);
    let ids: Vec<_> = seen.events.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "b"]);
}

/// A wire, with a message that opens a call, and never ends it.
type Opening = (Wire, fn(usize) -> Value);

fn openings() -> Vec<Opening> {
    vec![
        (
            Wire::OpenaiChat,
            |i| json!({"choices": [{"delta": {"tool_calls": [{"index": i, "id": format!("c{i}"), "function": {"name": "f"}}]}}]}),
        ),
        (
            Wire::OpenaiResponses,
            |i| json!({"type": "response.output_item.added", "output_index": i, "item": {"type": "function_call", "call_id": format!("c{i}"), "name": "f", "arguments": ""}}),
        ),
        (
            Wire::AnthropicMessages,
            |i| json!({"type": "content_block_start", "index": i, "content_block": {"type": "tool_use", "id": format!("c{i}"), "name": "f", "input": {}}}),
        ),
        (Wire::Gemini, |i| json!({"functionCall": {"id": format!("c{i}"), "name": "f"}})),
        (
            Wire::AiSdk,
            |i| json!({"type": "tool-approval-request", "toolCallId": format!("c{i}"), "approvalId": format!("a{i}")}),
        ),
        (Wire::AgUi, |i| json!({"type": "TOOL_CALL_CHUNK", "toolCallId": format!("c{i}"), "toolCallName": "f"})),
        (
            Wire::Mcp,
            |i| json!({"id": i, "method": "tools/call", "params": {"name": "f", "_meta": {"progressToken": i}}}),
        ),
        (
            Wire::Acp,
            |i| json!({"sessionId": "s", "update": {"sessionUpdate": "tool_call_delta_chunk", "tool_call_id": format!("c{i}"), "tool_index": i, "arguments_delta": ""}}),
        ),
    ]
}

/// Calls that never end are forgotten at a limit, and reading goes on as before; what is still remembered is the latest.
#[test]
fn calls_that_never_end_are_forgotten_at_a_limit() {
    for (wire, open) in openings() {
        let messages: Vec<_> = (0..9000).map(open).collect();
        let mut seen = read(wire, &messages);
        assert_eq!(seen.ledger.calls().len(), 9000, "{wire}");
        seen.events.clear();
        let last = seen.ledger.calls().last().unwrap().id.clone();
        assert!(last == "c8999" || last == "8999", "{wire}: {last}");
    }
}

/// A piece for the first call of very many is no piece of it any more, and not lost; a piece for the latest is its own.
#[test]
fn the_latest_calls_are_remembered() {
    let piece = |i: usize| json!({"type": "content_block_delta", "index": i, "delta": {"type": "input_json_delta", "partial_json": "{}"}});
    let open = openings()[2].1;
    let mut messages: Vec<_> = (0..1000).map(open).collect();
    messages.extend([piece(0), piece(999)]);
    let seen = read(Wire::AnthropicMessages, &messages);
    let ids: Vec<_> = seen.events[1000..].iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["tool_use@1001.0", "c999"]);
    assert!(seen.ledger.calls()[1000].flags.has(Flag::Orphan));
}

/// The members of a message may stand in any order.
#[test]
fn the_method_may_stand_behind_the_parameters() {
    let messages = [
        r#"{"params":{"sessionId":"s","update":{"toolCallId":"c","title":"x","sessionUpdate":"tool_call"}},"method":"session/update","jsonrpc":"2.0"}"#,
        r#"{"params":{"update":{"tool_index":0,"tool_call_id":"d","arguments_delta":"{","sessionUpdate":"tool_call_delta_chunk"},"sessionId":"s"},"method":"_x.ai/session_notification"}"#,
    ];
    let mut seen = Seen::default();
    let mut reader = WireReader::new(Wire::Acp);
    for message in messages {
        reader.push_text(message, &mut seen).unwrap();
    }
    let ids: Vec<_> = seen.ledger.calls().iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["c", "d"]);
}

/// An object that holds itself in every member, as a host's may.
#[derive(Clone)]
enum Endless {
    Object,
    Text(&'static str),
}

const MEMBERS: &[(&str, Endless)] = &[
    ("method", Endless::Text("session/update")),
    ("sessionId", Endless::Text("s")),
    ("sessionUpdate", Endless::Text("tool_call")),
    ("toolCallId", Endless::Text("c")),
    ("status", Endless::Text("failed")),
    ("params", Endless::Object),
    ("update", Endless::Object),
    ("content", Endless::Object),
    ("rawOutput", Endless::Object),
    ("metadata", Endless::Object),
    ("_meta", Endless::Object),
    ("output", Endless::Object),
];

impl JsonView for Endless {
    fn json_type(&self) -> JsonType {
        match self {
            Endless::Object => JsonType::Object,
            Endless::Text(_) => JsonType::String,
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        matches!(self, Endless::Object)
            .then(|| MEMBERS.iter().find(|member| member.0 == key).map(|member| member.1.clone()))?
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        match self {
            Endless::Object => None,
            Endless::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    fn as_number(&self) -> Option<Number> {
        None
    }

    fn as_bool(&self) -> Option<bool> {
        None
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        std::iter::empty()
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let members = if matches!(self, Endless::Object) { MEMBERS } else { &[] };
        members.iter().map(|(name, value)| (Cow::Borrowed(*name), value.clone()))
    }
}

struct Count(usize);

impl<V> WireSink<V> for Count {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        assert_eq!((&*event.id, event.status), ("c", Some(Status::Failed)));
        self.0 += 1;
    }

    fn end(&mut self, _: &TurnEnd<'_>) {}
}

#[test]
fn nesting_without_an_end_is_read_to_a_bound() {
    let mut count = Count(0);
    WireReader::new(Wire::Acp).push(&Endless::Object, &mut count);
    assert_eq!(count.0, 1);
    for wire in Wire::ALL {
        WireReader::new(*wire).push(&Endless::Object, &mut Count(0));
    }
    assert!(!OutputPreview::new().replace_with(&Endless::Object));
}

/// Values with the members that the wires look for.
fn any_message() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "tool_call",
        "tool_call_update",
        "tool_call_delta_chunk",
        "session/update",
        "tools/call",
        "session/request_permission",
        "function_call",
        "function_call_output",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.completed",
        "content_block_start",
        "content_block_delta",
        "input_json_delta",
        "tool_use",
        "tool_result",
        "message_delta",
        "tool-input-start",
        "tool-input-delta",
        "tool-output-available",
        "tool-x",
        "output-available",
        "TOOL_CALL_START",
        "TOOL_CALL_CHUNK",
        "TOOL_CALL_RESULT",
        "RUN_FINISHED",
        "assistant",
        "tool",
        "stop",
        "tool_calls",
        "STOP",
        "completed",
        "failed",
        "$.a[0]",
        "$.a",
        "c1",
        "f",
        "{\"a\":",
        "",
        "stream_event",
        "tasks/result",
        "initialize",
    ]);
    let leaf = prop_oneof![
        4 => word.prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-2i64..5).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    let member = prop::sample::select(vec![
        "type",
        "id",
        "name",
        "index",
        "choices",
        "delta",
        "tool_calls",
        "function",
        "arguments",
        "finish_reason",
        "message",
        "messages",
        "role",
        "tool_call_id",
        "content",
        "item",
        "item_id",
        "output_index",
        "call_id",
        "response",
        "output",
        "content_block",
        "input",
        "tool_use_id",
        "partial_json",
        "stop_reason",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "functionResponse",
        "partialArgs",
        "jsonPath",
        "stringValue",
        "numberValue",
        "willContinue",
        "toolCallId",
        "toolName",
        "state",
        "inputTextDelta",
        "approvalId",
        "toolCallName",
        "threadId",
        "toolCalls",
        "jsonrpc",
        "method",
        "params",
        "result",
        "error",
        "sessionId",
        "update",
        "sessionUpdate",
        "toolCall",
        "tool_index",
        "arguments_delta",
        "rawInput",
        "rawOutput",
        "metadata",
        "status",
        "event",
        "session_id",
        "contents",
        "outcome",
        "options",
        "optionId",
        "kind",
        "task",
        "taskId",
        "_meta",
        "progressToken",
        "requestId",
        "msg",
        "dir",
        "t",
        "protocolVersion",
        "agentInfo",
        "stopReason",
        "toolInvocation",
    ]);
    leaf.prop_recursive(6, 48, 6, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => prop::collection::btree_map(member.clone().prop_map(str::to_string), inner, 0..7)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// A message of a case, somewhere in it another value, or one of its members gone.
fn bent_case() -> impl Strategy<Value = Vec<Value>> {
    let messages: Vec<Vec<Value>> = super::cases().map(|case| case["messages"].as_array().unwrap().clone()).collect();
    (
        prop::sample::select(messages),
        any::<prop::sample::Index>(),
        prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        any_message(),
    )
        .prop_map(|(mut messages, at, path, other)| {
            let at = at.index(messages.len());
            bend(&mut messages[at], &path, other);
            messages
        })
}

fn bend(value: &mut Value, path: &[prop::sample::Index], other: Value) {
    let Some((step, rest)) = path.split_first() else {
        *value = other;
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = step.index(items.len());
            bend(&mut items[at], rest, other);
        }
        Value::Object(members) if !members.is_empty() => {
            let key = members.keys().nth(step.index(members.len())).unwrap().clone();
            if rest.is_empty() && other.is_null() {
                members.remove(&key);
            } else {
                bend(&mut members[&key], rest, other);
            }
        }
        other_value => *other_value = other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn anything_can_be_pushed(messages in prop::collection::vec(any_message(), 0..6)) {
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        invariants::wires(lines.join("\n").as_bytes());
    }

    #[test]
    fn bent_messages_can_be_pushed(messages in bent_case()) {
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        invariants::wires(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_bytes_can_be_cut_into_messages(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        invariants::wires(&bytes);
    }
}
