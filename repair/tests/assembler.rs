//! The conformance cases of the assembler.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::str::FromStr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolprism_repair::{
    Action, Assembler, AssemblerOptions, CompletedCall, Engine, FinalizeError, Finalizer, Meta, OnUnrepairable,
    Options, Outcome, Part, Pushed, Reason, StopReason, StreamEvent, ToolDefinition, materialize_sorted,
};

const CASES: &str = include_str!("../../conformance/assembler.jsonl");
const MANIFEST: &str = include_str!("../../conformance/manifest.json");

/// An event as the cases write it. Members that are empty are absent.
#[derive(Clone, Debug, PartialEq)]
struct Event(Value);

impl Event {
    fn read(value: &Value) -> Event {
        let mut value = value.clone();
        value.as_object_mut().unwrap().retain(|_, member| *member != json!("") && *member != json!(0));
        Event(value)
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |member| member.as_str().unwrap())
    }
}

impl StreamEvent for Event {
    fn part(&self) -> Part<'_> {
        let id = self.text("id");
        match self.text("kind") {
            "started" => Part::Started { id, name: self.text("name") },
            "delta" => Part::Args { id, delta: self.text("delta").as_bytes() },
            "finished" => Part::Finished { id, stop: StopReason::Unknown },
            _ => Part::Other,
        }
    }

    fn rewritten(call: &CompletedCall<'_>, originals: &[Self]) -> [Self; 3] {
        let index = originals[0].0.get("index").cloned().unwrap_or_else(|| json!(0));
        let args = std::str::from_utf8(call.args_json).unwrap();
        [("started", ""), ("delta", args), ("finished", "")].map(|(kind, delta)| {
            let (id, name) = (call.tool_call_id, call.tool_name);
            Event::read(&json!({"kind": kind, "id": id, "name": name, "delta": delta, "index": index}))
        })
    }
}

type Log = Arc<Mutex<Vec<String>>>;

/// A finalizer of a case, which notes what it is asked.
struct Scripted {
    script: Value,
    engine: Engine,
    log: Log,
}

impl Finalizer for Scripted {
    fn id(&self) -> &str {
        self.script["id"].as_str().unwrap()
    }

    fn order(&self) -> i32 {
        self.script.get("order").map_or(0, |order| order.as_i64().unwrap().try_into().unwrap())
    }

    fn finalize(
        &self,
        call: &CompletedCall<'_>,
        tool: Option<&ToolDefinition>,
        catalog: &[ToolDefinition],
        meta: &Meta<'_>,
    ) -> Result<Outcome, FinalizeError> {
        let args = String::from_utf8_lossy(call.args_json);
        let tool_name = tool.map_or("", |tool| &tool.name);
        self.log.lock().unwrap().push(format!("{}|{}|{args}|tool={tool_name}", self.id(), call.tool_name));
        let text = |name: &str| self.script.get(name).map(|member| member.as_str().unwrap());
        let answer = |action| Outcome {
            action,
            tool_name: text("tool_name").unwrap_or_default().into(),
            args_json: text("args").map(Into::into),
            reason: text("reason").map(|reason| Reason::from_str(reason).unwrap()),
            changes: Vec::new(),
        };
        match self.script["action"].as_str().unwrap() {
            "engine" => self.engine.finalize(call, tool, catalog, meta),
            "pass" => Ok(answer(Action::Pass)),
            "rewrite" => Ok(answer(Action::Rewrite)),
            "reject" => Ok(answer(Action::Reject)),
            "none" | "error" => Err(FinalizeError("no answer".into())),
            "panic" => panic!("as the case wants it"),
            unknown => panic!("unknown action {unknown}"),
        }
    }
}

fn finalizer(script: &Value, log: &Log) -> Option<Arc<dyn Finalizer>> {
    if script["action"] == "nil" {
        return None;
    }
    let on_unrepairable = match script.get("on_unrepairable").map(|word| word.as_str().unwrap()) {
        None => OnUnrepairable::PassThrough,
        Some("error") => OnUnrepairable::Reject,
        Some(unknown) => panic!("unknown on_unrepairable {unknown}"),
    };
    let engine = Engine::new(Options { on_unrepairable, ..Options::reference() });
    Some(Arc::new(Scripted { script: script.clone(), engine, log: Arc::clone(log) }))
}

fn tool(value: &Value) -> ToolDefinition {
    let parameters = value.get("parameters").map(ToString::to_string).unwrap_or_default();
    ToolDefinition::new(value["name"].as_str().unwrap(), parameters)
}

/// Runs a case, and writes what happened as the cases do.
fn run(case: &Value) -> Value {
    let log = Log::default();
    let scripts = case["finalizers"].as_array().unwrap();
    let chain = materialize_sorted(scripts.iter().map(|script| finalizer(script, &log)));
    let tools: Vec<_> = case["tools"].as_array().unwrap().iter().map(tool).collect();
    let max_args_bytes = case.get("max_args_bytes").map_or(0, |bytes| bytes.as_u64().unwrap().try_into().unwrap());
    let options = AssemblerOptions { max_args_bytes, ..AssemblerOptions::reference() };
    let mut assembler = Assembler::<Event>::new(chain, tools, options);

    let (mut steps, mut emitted, mut rejected) = (Vec::new(), Vec::new(), None);
    for event in case["events"].as_array().unwrap() {
        if event["kind"] == "clear" {
            assembler.reset();
            steps.push(json!({"held": false}));
            continue;
        }
        let mut step = json!({"held": true});
        match assembler.push(Event::read(event), &Meta::default()) {
            Ok(Pushed::Through(event)) => {
                step["held"] = json!(false);
                emitted.push(event.0);
            }
            Ok(Pushed::Held) => {}
            Ok(Pushed::Released(events)) => {
                let events: Vec<Value> = events.into_iter().map(|event| event.0).collect();
                step["drain"] = events.clone().into();
                emitted.extend(events);
            }
            Ok(Pushed::Dropped) => panic!("nothing is dropped here"),
            Err(error) => {
                step["error"] = error.to_string().into();
                rejected = Some(error.to_string());
            }
        }
        let calls: Vec<String> = log.lock().unwrap().drain(..).collect();
        if !calls.is_empty() {
            step["calls"] = calls.into();
        }
        steps.push(step);
        if rejected.is_some() {
            break;
        }
    }
    let mut found = json!({"enabled": assembler.enabled(), "steps": steps, "emitted": emitted});
    if let Some(text) = rejected {
        found["rejected"] = text.into();
    }
    found
}

#[test]
fn cases() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        count += 1;
        // Without the standard library a panic ends the test.
        if cfg!(not(feature = "std")) && line.contains("\"panic\"") {
            continue;
        }
        let found = run(&case);
        if found != case["expected"] {
            wrong.push(format!("{} {}\n  expected {}\n  found    {found}", case["id"], case["note"], case["expected"]));
        }
    }
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(count, manifest["assembler"].as_u64().unwrap(), "the manifest counts the cases");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
