//! Stamping a conversation that is under way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolprism::readers::Reader;
use toolprism::stamping::{LiveStamper, Stamped, unstamp};
use toolprism::{CallLedger, Evidence, Flag, ToolCall};

/// What the agent says, stamped; that the stamps can be taken out again is checked on the way.
fn agent(stamper: &mut LiveStamper, line: &str) -> String {
    let mut out = Vec::new();
    stamper.agent(line.as_bytes(), &mut out);
    let mut back = Vec::new();
    unstamp(&out, &mut back);
    assert_eq!(String::from_utf8(back).unwrap(), line);
    String::from_utf8(out).unwrap()
}

/// The call of a message, after stamping.
fn told(stamper: &mut LiveStamper, line: &str) -> Value {
    let message: Value = serde_json::from_str(&agent(stamper, line)).unwrap();
    let params = &message["params"];
    if params["update"].is_object() { params["update"].clone() } else { params["toolCall"].clone() }
}

fn envelope(call: &Value) -> &Value {
    &call["_meta"]["x.ai/tool"]
}

/// A stamper that has met this agent.
fn met(name: &str) -> LiveStamper {
    let mut stamper = LiveStamper::new();
    stamper.client(br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#);
    let answer = json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1, "agentInfo": {"name": name}}});
    assert_eq!(agent(&mut stamper, &answer.to_string()), answer.to_string());
    stamper
}

fn message(update: Value) -> String {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}).to_string()
}

fn started(id: &str, more: Value) -> String {
    about("tool_call", id, more)
}

fn updated(id: &str, more: Value) -> String {
    about("tool_call_update", id, more)
}

fn about(tag: &str, id: &str, more: Value) -> String {
    let mut update = json!({"sessionUpdate": tag, "toolCallId": id});
    update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message(update)
}

fn read(log: &str) -> Vec<ToolCall> {
    let mut ledger = CallLedger::default();
    let mut reader = Reader::new();
    reader.push(log.as_bytes(), &mut ledger);
    assert_eq!(reader.finish(&mut ledger).quarantined, 0);
    ledger.into_calls()
}

/// Recordings of genuine agents, as `(file, [(whether the agent sent it, message)])`.
fn recordings() -> Vec<(String, Vec<(bool, String)>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("samples/acp")).unwrap().map(|entry| entry.unwrap().path()).collect();
    match fs::read_dir(root.join("../shared/data/acp")) {
        Ok(entries) => {
            let entries = entries.map(|entry| entry.unwrap().path());
            files.extend(entries.filter(|path| path.to_string_lossy().contains("bidi")));
        }
        Err(_) => eprintln!("only the samples: ../shared/data is absent"),
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let sent = |line: &str| {
            let record: Value = serde_json::from_str(line).unwrap();
            (record["dir"] == "agent_to_client", record["msg"].to_string() + "\n")
        };
        (path.display().to_string(), text.lines().map(sent).collect())
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_call_of_a_genuine_agent_is_stamped_as_its_whole_log_tells_it() {
    let recordings = recordings();
    assert!(recordings.len() >= 2);
    for (file, messages) in recordings {
        let mut stamper = LiveStamper::new();
        let (mut before, mut after, mut stamped) = (String::new(), String::new(), 0);
        for (from_agent, line) in &messages {
            before += line;
            if !from_agent {
                stamper.client(line.as_bytes());
                after += line;
                continue;
            }
            let out = agent(&mut stamper, line);
            after += &out;
            let message: Value = serde_json::from_str(&out).unwrap();
            let params = &message["params"];
            let tag = params["update"]["sessionUpdate"].as_str();
            let call = match tag {
                Some("tool_call" | "tool_call_update") => &params["update"],
                _ if message["method"] == "session/request_permission" => &params["toolCall"],
                _ => {
                    assert_eq!(&out, line, "{file}");
                    continue;
                }
            };
            assert_eq!(envelope(call)["version"], 1, "{file}: {call}");
            stamped += 1;
        }
        assert!(stamped > 20, "{file}: {stamped}");
        let (before, after) = (read(&before), read(&after));
        assert_eq!(before.len(), after.len(), "{file}");
        for (plain, stamped) in before.iter().zip(&after) {
            assert!(!stamped.flags.has(Flag::EnvelopeConflict), "{file}: {stamped:?}");
            assert_eq!(stamped.identity.why, Evidence::Envelope, "{file}: {stamped:?}");
            let tell = |call: &ToolCall| {
                let meta = &call.identity.meta;
                (meta.kind.clone(), meta.label.clone(), meta.read_only, meta.input.clone(), call.status)
            };
            assert_eq!(tell(plain), tell(stamped), "{file}: {}", plain.id);
            if plain.identity.why.is_known() {
                let tell = |call: &ToolCall| (call.name().to_owned(), call.identity.meta.namespace.clone());
                assert_eq!(tell(plain), tell(stamped), "{file}: {}", plain.id);
            }
        }
    }
}

#[test]
fn an_input_is_told_from_the_message_on_that_brings_it() {
    let mut stamper = met("OpenCode");
    let first = told(&mut stamper, &started("c", json!({"title": "bash", "kind": "execute", "rawInput": {}})));
    assert_eq!(
        *envelope(&first),
        json!({"version": 1, "name": "bash", "kind": "execute", "namespace": "opencode", "label": "Run Command", "read_only": false})
    );
    let running = json!({"title": "Lists files", "rawInput": {"command": "ls"}, "status": "in_progress"});
    let second = told(&mut stamper, &updated("c", running));
    assert_eq!((&second["name"], &second["title"]), (&json!("bash"), &json!("Lists files")));
    assert_eq!(envelope(&second)["input"], json!({"command": "ls"}));
    let last = told(&mut stamper, &updated("c", json!({"status": "completed"})));
    assert_eq!((&envelope(&last)["name"], &envelope(&last)["input"]), (&json!("bash"), &json!({"command": "ls"})));
    assert_eq!(stamper.done(), Stamped { stamped: 3, kept: 0, untouched: 0 });
}

#[test]
fn a_permission_asked_for_first_is_stamped_too() {
    let mut stamper = met("gemini-cli");
    let asked = json!({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {"sessionId": "s",
        "options": [], "toolCall": {"toolCallId": "run_shell_command__run_shell_command_1796034391902_0", "title": "ls", "kind": "execute"}}});
    let call = told(&mut stamper, &asked.to_string());
    assert_eq!((&call["name"], &envelope(&call)["label"]), (&json!("run_shell_command"), &json!("Run Command")));
}

#[test]
fn a_guess_keeps_its_name_until_the_tool_is_known_and_that_is_final() {
    let mut stamper = LiveStamper::new();
    let lines = [
        started("c", json!({"title": "Working", "kind": "other"})),
        updated("c", json!({"title": "Listing", "kind": "execute"})),
        updated("c", json!({"_meta": {"claudeCode": {"toolName": "Bash"}}, "rawInput": {"command": "ls"}})),
        updated("c", json!({"status": "completed", "_meta": {"claudeCode": {"toolName": "Read"}}})),
    ];
    let calls: Vec<Value> = lines.iter().map(|line| told(&mut stamper, line)).collect();
    let say = |key: &str| calls.iter().map(|call| envelope(call)[key].clone()).collect::<Vec<_>>();
    assert_eq!(say("name"), ["Working", "Working", "Bash", "Bash"]);
    assert_eq!(say("namespace"), ["unknown", "unknown", "claude_code", "claude_code"]);
    assert_eq!(say("label"), ["Tool", "Run Command", "Run Command", "Run Command"]);
    assert_eq!(envelope(&calls[2])["input"], json!({"command": "ls"}));
    let names: Vec<Option<&Value>> = calls.iter().map(|call| call.get("name")).collect();
    assert_eq!(names, [None, None, Some(&json!("Bash")), Some(&json!("Bash"))]);
}

/// A reader that goes by the rules drops envelopes of another tool, and with them what they tell.
#[test]
fn what_was_stamped_by_guess_and_then_put_right_is_read_without_a_conflict() {
    let mut stamper = met("qwen-code");
    let asked = json!({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {"sessionId": "s",
        "options": [], "toolCall": {"toolCallId": "c", "title": "{\"text\":\"hi\"}", "kind": "other", "rawInput": {"text": "hi"}}}});
    let lines = [
        asked.to_string(),
        updated("c", json!({"title": "Working", "kind": "think"})),
        updated("c", json!({"status": "completed", "_meta": {"toolName": "mcp__things__echo"}})),
    ];
    let log: String = lines.iter().map(|line| agent(&mut stamper, line) + "\n").collect();
    let calls = read(&log);
    assert!(!calls[0].flags.has(Flag::EnvelopeConflict));
    assert_eq!((calls[0].name(), calls[0].identity.meta.namespace.as_str()), ("mcp__things__echo", "mcp"));
    assert_eq!((calls[0].label(), calls[0].status.as_str()), ("Tool", "completed"));
}

#[test]
fn an_agents_own_envelope_is_kept_and_holds_from_then_on() {
    let own = json!({"version": 1, "name": "read_file", "kind": "read", "namespace": "grok_build_concise", "label": "Read", "read_only": true});
    let mut stamper = LiveStamper::new();
    told(&mut stamper, &started("c", json!({"title": "Reading"})));
    let second = told(&mut stamper, &updated("c", json!({"_meta": {"x.ai/tool": own, "b": 1}})));
    assert_eq!((envelope(&second), &second["_meta"]["b"], &second["name"]), (&own, &json!(1), &json!("read_file")));
    let last = told(&mut stamper, &updated("c", json!({"status": "completed"})));
    assert_eq!(*envelope(&last), own);
    assert_eq!(stamper.done(), Stamped { stamped: 2, kept: 1, untouched: 0 });
    // Also where another toolset seemed likely, which has a tool of that name.
    let mut stamper = met("grok");
    assert_eq!(envelope(&told(&mut stamper, &started("c", json!({"title": "read_file"}))))["namespace"], "grok_build");
    told(&mut stamper, &updated("c", json!({"_meta": {"x.ai/tool": own}})));
    assert_eq!(*envelope(&told(&mut stamper, &updated("c", json!({})))), own);
    // One that makes another tool of a known call is kept as well, but nothing follows from it.
    let mut stamper = met("gemini-cli");
    let id = "read_file__read_file_1796034391902_0";
    told(&mut stamper, &started(id, json!({"title": "a"})));
    let foreign =
        json!({"version": 1, "name": "evil", "kind": "read", "namespace": "mcp", "label": "Read", "read_only": true});
    assert_eq!(*envelope(&told(&mut stamper, &updated(id, json!({"_meta": {"x.ai/tool": foreign}})))), foreign);
    assert_eq!(envelope(&told(&mut stamper, &updated(id, json!({}))))["name"], "read_file");
}

#[test]
fn a_call_that_the_agent_names_keeps_that_name() {
    let mut stamper = met("OpenCode");
    let first = told(&mut stamper, &started("c", json!({"title": "read", "name": "read_it", "rawInput": {}})));
    assert_eq!(first["name"], "read_it");
    let second = told(&mut stamper, &updated("c", json!({"status": "completed"})));
    assert_eq!((second.get("name"), &envelope(&second)["label"]), (None, &json!("Read")));
    // `null` says nothing, and cannot be replaced without changing a byte.
    let null = told(&mut stamper, &started("d", json!({"title": "read", "name": null})));
    assert_eq!(null.get("name"), Some(&Value::Null));
    assert_eq!(told(&mut stamper, &updated("d", json!({})))["name"], "read");
}

#[test]
fn an_unknown_tool_is_stamped_as_such_and_not_named() {
    let mut stamper = met("some-agent");
    let call = told(&mut stamper, &started("c", json!({"title": "Frobnicate it"})));
    assert_eq!(
        *envelope(&call),
        json!({"version": 1, "name": "Frobnicate it", "kind": "other", "namespace": "unknown", "label": "Tool", "read_only": false})
    );
    assert_eq!(call.get("name"), None);
}

#[test]
fn a_meta_that_is_no_object_is_left_alone() {
    let mut stamper = met("OpenCode");
    for meta in [json!(null), json!("text"), json!([])] {
        let call = told(&mut stamper, &started("c", json!({"title": "read", "_meta": meta})));
        assert_eq!((&call["_meta"], &call["name"]), (&meta, &json!("read")));
    }
    assert_eq!(stamper.done(), Stamped { stamped: 0, kept: 0, untouched: 3 });
    // What was not told does not bind.
    let mut stamper = LiveStamper::new();
    told(&mut stamper, &started("d", json!({"title": "Working", "_meta": null})));
    assert_eq!(envelope(&told(&mut stamper, &updated("d", json!({"title": "Frobnicates"}))))["name"], "Frobnicates");
}

#[test]
fn stamping_twice_changes_nothing() {
    let lines = [
        started("c", json!({"title": "Working"})),
        updated("c", json!({"title": "x", "kind": "execute", "_meta": null})),
        updated("c", json!({"_meta": {"claudeCode": {"toolName": "Bash"}}})),
        updated("c", json!({})),
    ];
    let (mut first, mut second) = (LiveStamper::new(), LiveStamper::new());
    for line in lines {
        let once = agent(&mut first, &line);
        let mut twice = Vec::new();
        second.agent(once.as_bytes(), &mut twice);
        assert_eq!(String::from_utf8(twice).unwrap(), once);
    }
}

#[test]
fn other_lines_pass_as_they_are() {
    let mut stamper = met("OpenCode");
    for line in [
        "",
        "\n",
        "\r\n",
        "Loading tool_call ...\n",
        "\u{feff}\n",
        "{\"sessionUpdate\":\"tool_call\"",
        "[{\"method\":\"session/update\",\"params\":{\"update\":{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"c\"}}}]\n",
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"tool_call"}}}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call"}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"tool_call","update":{"toolCallId":"c"}}}"#,
    ] {
        assert_eq!(agent(&mut stamper, line), line);
    }
    assert_eq!(stamper.done(), Stamped::default());
}

#[test]
fn line_ends_marks_and_glued_messages_stay() {
    let one = started("c", json!({"title": "read"}));
    for line in
        [format!("{one}\r\n"), format!("\u{feff}{one}\n"), format!(" {one}{one} torn {{"), one.replace(':', " : ")]
    {
        let mut stamper = met("OpenCode");
        assert_ne!(agent(&mut stamper, &line), line);
        assert_eq!(stamper.done().stamped, line.matches("tool_call\"").count() as u64);
    }
}
