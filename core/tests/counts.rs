//! The readers against a second, naive reading of the same files: parse everything with `serde_json`, and pick the calls out
//! by the rules of each format, without events, merging or filters. Both must find the same calls.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolprism::readers::{Format, Reader, Tally};
use toolprism::{CallLedger, Flag};

/// What a file holds: the calls by id, with their wire names where the rule for them is plain; and the ids of results.
#[derive(Default)]
struct Found {
    calls: BTreeMap<String, BTreeSet<String>>,
    results: BTreeSet<String>,
}

impl Found {
    fn call(&mut self, id: &Value, name: &Value) {
        let names = self.calls.entry(text(id).into()).or_default();
        names.extend(name.as_str().map(String::from));
    }

    fn result(&mut self, id: &Value) {
        self.results.insert(text(id).into());
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The first of these that is a text.
fn first<'a>(values: &[&'a Value], otherwise: &'a Value) -> &'a Value {
    values.iter().copied().find(|value| value.is_string()).unwrap_or(otherwise)
}

/// The records of a file, with their offsets: the whole of it, or its lines.
fn records(bytes: &[u8]) -> Vec<(usize, Value)> {
    if let Ok(whole) = serde_json::from_slice(bytes) {
        return vec![(0, whole)];
    }
    let mut offset = 0;
    let mut out = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Ok(value) = serde_json::from_slice(line) {
            out.push((offset, value));
        }
        offset += line.len();
    }
    out
}

fn naive(format: Format, bytes: &[u8]) -> Found {
    let mut found = Found::default();
    for (offset, record) in &records(bytes) {
        match format.as_str() {
            "claude_session" | "claude_stream" => claude(record, &mut found),
            "grok_updates" => update(record, false, &mut found),
            "acp" => {
                let message = if record["msg"].is_object() { &record["msg"] } else { record };
                update(message, true, &mut found);
            }
            "codex_rollout" => codex_rollout(record, *offset, &mut found),
            "codex_exec" => codex_exec(record, &mut found),
            "opencode_export" => {
                for part in list(&record["messages"]).iter().flat_map(|message| list(&message["parts"])) {
                    opencode(part, &mut found);
                }
            }
            "opencode_storage" => opencode(record, &mut found),
            "opencode_run" => opencode(&record["part"], &mut found),
            "gemini_session" | "gemini_session_lines" => gemini_calls(record, &mut found),
            "gemini_stream" => match text(&record["type"]) {
                "tool_use" => found.call(&record["tool_id"], &record["tool_name"]),
                "tool_result" => found.result(&record["tool_id"]),
                _ => {}
            },
            other => panic!("no naive reading of {other}"),
        }
    }
    found
}

fn claude(record: &Value, found: &mut Found) {
    for content in [&record["message"]["content"], &record["data"]["message"]["message"]["content"]] {
        for block in list(content) {
            match text(&block["type"]) {
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    found.call(first(&[&block["id"]], &record["uuid"]), &block["name"]);
                }
                kind if kind.ends_with("tool_result") => {
                    let id = first(&[&block["tool_use_id"]], &record["sourceToolAssistantUUID"]);
                    if id.is_string() {
                        found.result(id);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A session update. Only an envelope names the tool beyond doubt, so of most calls only the id is known.
fn update(record: &Value, requests: bool, found: &mut Found) {
    let params = &record["params"];
    let update = [&params["update"], &record["update"]].into_iter().find(|update| update.is_object());
    let update = update.unwrap_or(&Value::Null);
    let name = &update["_meta"]["x.ai/tool"]["name"];
    match text(&update["sessionUpdate"]) {
        "tool_call" => found.call(&update["toolCallId"], name),
        "tool_call_update" => found.result(&update["toolCallId"]),
        _ => {}
    }
    if requests && text(&record["method"]) == "session/request_permission" {
        found.call(&params["toolCall"]["toolCallId"], &Value::Null);
    }
}

fn codex_rollout(record: &Value, offset: usize, found: &mut Found) {
    let item = match (text(&record["type"]), &record["payload"]) {
        ("response_item", payload) => payload,
        (_, Value::Null) => record,
        _ => return,
    };
    let kind = text(&item["type"]);
    let made = Value::String(format!("{kind}@{offset}"));
    if kind.ends_with("_call") {
        let own_name = matches!(kind, "function_call" | "custom_tool_call");
        let name = if own_name { &item["name"] } else { &item["type"] };
        found.call(first(&[&item["call_id"], &item["id"]], &made), name);
    } else if kind.ends_with("_output") {
        found.result(first(&[&item["call_id"]], &made));
    }
}

fn codex_exec(record: &Value, found: &mut Found) {
    let (item, event) = (&record["item"], &record["msg"]);
    match text(&item["type"]) {
        "mcp_tool_call" => found.call(&item["id"], &item["tool"]),
        "command_execution" | "file_change" | "web_search" | "todo_list" | "collab_tool_call" => {
            found.call(&item["id"], &item["type"]);
        }
        _ => {}
    }
    match text(&event["type"]) {
        "exec_command_begin" => found.call(&event["call_id"], &"exec_command".into()),
        "patch_apply_begin" => found.call(&event["call_id"], &"apply_patch".into()),
        "mcp_tool_call_begin" => found.call(&event["call_id"], &event["invocation"]["tool"]),
        "web_search_begin" => found.call(&event["call_id"], &"web_search".into()),
        kind if kind.ends_with("_end") => found.result(&event["call_id"]),
        _ => {}
    }
}

fn opencode(part: &Value, found: &mut Found) {
    if text(&part["type"]) == "tool" {
        found.call(&part["callID"], &part["tool"]);
    }
}

/// Every `toolCalls`, wherever it stands.
fn gemini_calls(value: &Value, found: &mut Found) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gemini_calls(item, found)),
        Value::Object(members) => {
            for (key, value) in members {
                if key == "toolCalls" {
                    list(value).iter().for_each(|call| found.call(&call["id"], &call["name"]));
                } else {
                    gemini_calls(value, found);
                }
            }
        }
        _ => {}
    }
}

fn read(bytes: &[u8]) -> (CallLedger, Tally) {
    let mut ledger = CallLedger::default();
    let mut reader = Reader::new();
    reader.push(bytes, &mut ledger);
    let tally = reader.finish(&mut ledger);
    (ledger, tally)
}

/// Compares the two readings of a file, and returns how many calls they agree on; `None` if the format is not known.
fn compare(path: &Path) -> Option<usize> {
    let bytes = std::fs::read(path).unwrap();
    let (ledger, tally) = read(&bytes);
    assert_eq!(tally.bytes, bytes.len() as u64, "{}", path.display());
    assert_eq!(tally.bytes, tally.parsed + tally.quarantined, "{}", path.display());
    let format = tally.format?;
    assert_eq!(tally.quarantined, 0, "{} is undamaged", path.display());
    let found = naive(format, &bytes);

    let mut ids = BTreeSet::new();
    for call in ledger.calls() {
        ids.insert(call.id.clone());
        let names = found.calls.get(&call.id);
        let orphan = names.is_none() && found.results.contains(&call.id);
        assert_eq!(call.flags.has(Flag::Orphan), orphan, "{}: {}", path.display(), call.id);
        if let Some(names) = names.filter(|names| !names.is_empty()) {
            assert!(names.contains(call.name()), "{}: {} is called {}", path.display(), call.id, call.name());
        }
    }
    let expected: BTreeSet<_> = found.calls.keys().chain(&found.results).cloned().collect();
    assert_eq!(ids, expected, "{}", path.display());
    // An id that stands for tools of several names stands for as many calls.
    let named: usize = found.calls.values().map(|names| names.len().max(1)).sum();
    let orphans = found.results.iter().filter(|id| !found.calls.contains_key(*id)).count();
    assert_eq!(ledger.calls().len(), named + orphans, "{}", path.display());
    Some(ledger.calls().len())
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "json" || ext == "jsonl") {
            out.push(path);
        }
    }
}

/// The folder beside the checkout or in it, if it is there.
fn folder(relative: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(relative);
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

fn compare_all(folder: &Path) -> BTreeMap<Option<&'static str>, usize> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let mut calls = BTreeMap::new();
    for path in paths {
        let count = compare(&path);
        let format = count.and_then(|_| read(&std::fs::read(&path).unwrap()).1.format);
        *calls.entry(format.map(|format| format.as_str())).or_default() += count.unwrap_or_default();
    }
    calls
}

#[test]
fn a_naive_reading_of_the_samples_finds_the_same_calls() {
    let Some(samples) = folder("../samples") else { return };
    let calls = compare_all(&samples);
    println!("{calls:?}");
    for format in ["acp", "claude_session", "codex_rollout", "gemini_session_lines", "grok_updates", "opencode_export"]
    {
        assert!(calls.get(&Some(format)).is_some_and(|calls| *calls >= 18), "{format}");
    }
}

#[test]
fn a_naive_reading_of_the_surveyed_logs_finds_the_same_calls() {
    let Some(data) = folder("../../shared/data") else { return };
    let calls = compare_all(&data);
    println!("{calls:?}");
    let read: BTreeSet<_> = calls.keys().flatten().copied().collect();
    let all: BTreeSet<_> = Format::ALL.iter().map(|format| format.as_str()).collect();
    assert_eq!(read, all, "every format is among them");
}

#[test]
fn every_surveyed_file_is_taken_for_what_it_is() {
    let Some(data) = folder("../../shared/data") else { return };
    let mut paths = Vec::new();
    files(&data, &mut paths);
    for path in paths {
        let name = path.strip_prefix(&data).unwrap().to_str().unwrap();
        let found = read(&std::fs::read(&path).unwrap()).1.format.map(|format| format.as_str());
        assert_eq!(found, expected(name), "{name}");
    }
}

/// The format of a surveyed file, by its name; `None` for those that no reader is for.
fn expected(name: &str) -> Option<&'static str> {
    let (folder, file) = name.split_once('/')?;
    let has = |part: &str| file.contains(part);
    Some(match folder {
        "acp" => "acp",
        "claude" if has(".meta.json") => return None,
        "claude" if has("stream-json") => "claude_stream",
        "claude" => "claude_session",
        "codex" if has("exec-json") => "codex_exec",
        "codex" => "codex_rollout",
        "gemini" if has("stream-json") => "gemini_stream",
        "gemini" if has(".jsonl") => "gemini_session_lines",
        "gemini" => "gemini_session",
        "grok" if has("updates") => "grok_updates",
        "opencode" if has("session_diff") => return None,
        "opencode" if has("storage/") => "opencode_storage",
        "opencode" if has("export") => "opencode_export",
        "opencode" => "opencode_run",
        _ => return None,
    })
}
