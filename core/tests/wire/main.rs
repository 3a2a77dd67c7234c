//! Live streams: the cases of `conformance/wire.jsonl`, genuine recordings, and hostile input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod framing;
#[path = "../invariants/mod.rs"]
mod invariants;
mod output;
mod recordings;
mod state;

use serde_json::{Map, Value, json};
use toolprism::json::{JsonView, to_value};
use toolprism::wire::{Wire, WireReader, WireSink};
use toolprism::{CallLedger, Change, Flag, MergeRules, ToolCall, ToolCallEvent, TurnEnd};

const CASES: &str = include_str!("../../../conformance/wire.jsonl");
const MANIFEST: &str = include_str!("../../../conformance/manifest.json");

/// Writes down what a reader says, and merges it.
#[derive(Default)]
struct Seen {
    events: Vec<Value>,
    ledger: CallLedger,
}

impl<V: JsonView> WireSink<V> for Seen {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        self.events.push(written(event));
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        let mut out = Map::new();
        out.insert("phase".into(), "turn_end".into());
        if let Some(session) = &end.session {
            out.insert("session".into(), json!(session));
        }
        if end.cancelled {
            out.insert("cancelled".into(), true.into());
        }
        if let Some(time) = end.time {
            out.insert("time".into(), time.into());
        }
        self.events.push(out.into());
        self.ledger.end(end);
    }
}

/// An event as the cases write it: what it does not say is absent.
fn written<V: JsonView>(event: &ToolCallEvent<'_, V>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.into(), value);
        }
    };
    put("id", Some(json!(event.id)));
    put("phase", Some(format!("{:?}", event.phase).to_lowercase().into()));
    put("message", Some(event.place.line.into()));
    put("rules", (event.rules == MergeRules::V2).then(|| "v2".into()));
    let texts = [
        ("session", &event.session),
        ("agent", &event.agent),
        ("parent", &event.parent),
        ("started", &event.started),
        ("harness", &event.harness),
        ("version", &event.version),
        ("namespace", &event.namespace),
        ("name", &event.name),
        ("delta", &event.delta),
        ("error", &event.error),
    ];
    for (key, text) in texts {
        put(key, text.as_ref().map(|text| json!(text)));
    }
    for (key, change) in [("acp_name", &event.acp_name), ("title", &event.title), ("acp_kind", &event.acp_kind)] {
        put(key, changed(change, |text| json!(text)));
    }
    put("raw_input", changed(&event.raw_input, to_value));
    put("mcp", event.mcp.as_ref().map(|(server, tool)| json!([server, tool])));
    put("meta", event.meta.as_ref().map(to_value));
    put("status", event.status.map(|status| status.as_str().into()));
    put("exit_code", event.exit_code.map(Into::into));
    put("time", event.time.map(Into::into));
    out.into()
}

fn changed<T>(change: &Change<T>, write: impl Fn(&T) -> Value) -> Option<Value> {
    match change {
        Change::Keep => None,
        Change::Clear => Some(Value::Null),
        Change::Set(value) => Some(write(value)),
    }
}

/// A call of the ledger as the cases write it.
fn call_written(call: &ToolCall) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.into(), value);
        }
    };
    put("id", Some(json!(call.id)));
    put("session", call.session.as_ref().map(|text| json!(text)));
    put("name", Some(json!(call.name())));
    put("label", Some(json!(call.label())));
    put("status", Some(call.status.as_str().into()));
    put("input", call.identity.meta.input.as_ref().map(|input| serde_json::to_value(input).unwrap()));
    put("error", call.error.as_ref().map(|text| json!(text)));
    let flags: Vec<_> = call.flags.iter().map(Flag::as_str).collect();
    put("flags", (!flags.is_empty()).then(|| json!(flags)));
    out.into()
}

fn reader(wire: Wire, case: &Value) -> WireReader {
    let mut reader = WireReader::new(wire);
    if let Some(session) = case["session"].as_str() {
        reader = reader.with_session(session);
    }
    if let Some(harness) = case["harness"].as_str() {
        reader = reader.with_harness(harness, case["version"].as_str().map(str::to_string));
    }
    if let Some(time) = case["time"].as_i64() {
        reader.at(time);
    }
    reader
}

/// What the messages say, through parsed values.
fn read(wire: Wire, messages: &[Value]) -> Seen {
    read_case(wire, &json!({}), messages)
}

fn read_case(wire: Wire, case: &Value, messages: &[Value]) -> Seen {
    let mut seen = Seen::default();
    let mut reader = reader(wire, case);
    for message in messages {
        reader.push(&message, &mut seen);
    }
    seen
}

/// The same through text.
fn read_text(wire: Wire, case: &Value, messages: &[Value]) -> Seen {
    let mut seen = Seen::default();
    let mut reader = reader(wire, case);
    for message in messages {
        reader.push_text(&message.to_string(), &mut seen).unwrap();
    }
    seen
}

fn cases() -> impl Iterator<Item = Value> {
    CASES.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn every_case_gives_the_events_and_calls_that_it_says() {
    let (mut count, mut wrong) = (0, Vec::new());
    let mut ids = std::collections::BTreeSet::new();
    for case in cases() {
        count += 1;
        let id = case["id"].as_str().unwrap().to_string();
        assert!(ids.insert(id.clone()), "{id} stands twice");
        let wire = Wire::from_name(case["wire"].as_str().unwrap()).unwrap();
        let messages = case["messages"].as_array().unwrap();
        for (view, seen) in [("value", read_case(wire, &case, messages)), ("text", read_text(wire, &case, messages))] {
            let events = Value::from(seen.events);
            let calls: Vec<_> = seen.ledger.calls().iter().map(call_written).collect();
            if events != case["events"] {
                wrong.push(format!("{id} ({view}): events\n  expected {}\n  found    {events}", case["events"]));
            }
            if case.get("calls").is_some_and(|expected| *expected != json!(calls)) {
                wrong.push(format!("{id} ({view}): calls\n  expected {}\n  found    {}", case["calls"], json!(calls)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(count, manifest["wire"].as_u64().unwrap(), "the manifest counts the cases");
}

#[test]
fn every_wire_has_cases_and_a_name() {
    for wire in Wire::ALL {
        assert_eq!(Wire::from_name(wire.as_str()), Some(*wire));
        assert!(!wire.display().is_empty());
        let of_wire = cases().filter(|case| case["wire"] == wire.as_str()).count();
        assert!(of_wire >= 7, "{wire} has {of_wire} cases");
    }
    assert_eq!(Wire::from_name("OpenAI"), None);
}

/// The messages of a case one by one, or all in one list: the same but for the number of the message.
#[test]
fn a_list_of_messages_is_read_as_its_messages() {
    let numbered = |events: Vec<Value>| -> Vec<Value> {
        events
            .into_iter()
            .map(|mut event| {
                event["message"] = 0.into();
                if event["id"].as_str().is_some_and(|id| id.contains('@')) {
                    event["id"] = "made".into();
                }
                event
            })
            .collect()
    };
    for case in cases() {
        let wire = Wire::from_name(case["wire"].as_str().unwrap()).unwrap();
        let messages = case["messages"].as_array().unwrap();
        if messages.iter().any(Value::is_array) {
            continue;
        }
        let one = read_case(wire, &case, &[messages.clone().into()]);
        let each = read_case(wire, &case, messages);
        assert_eq!(numbered(one.events), numbered(each.events), "{}", case["id"]);
    }
}

#[test]
fn text_that_is_no_json_is_an_error_and_says_nothing() {
    let mut seen = Seen::default();
    let mut reader = WireReader::new(Wire::OpenaiChat);
    let error = reader.push_text("{\"choices\":", &mut seen).unwrap_err();
    assert_eq!(error.offset, 11);
    assert!(seen.events.is_empty());
}
