//! Genuine recordings, against a second, naive reading of the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolprism::json::RawJson;
use toolprism::readers::Reader;
use toolprism::wire::{Lines, Sse, Wire, WireReader};
use toolprism::{CallLedger, Status};

use super::{Seen, call_written, read};

/// A folder of the collection, if it is there.
fn folder(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A call as the naive reading finds it: name and arguments.
type Naive = BTreeMap<String, (String, String)>;

/// Requests and responses of a recording of HTTP, in order. The recordings are YAML of one fixed layout.
fn exchanges(recording: &str) -> Vec<(Value, String)> {
    let body = |part: &str| -> String {
        let at = part.find("\n    body: ").unwrap() + "\n    body: ".len();
        let is_key = |line: &&str| line.starts_with("    ") && !line.starts_with("     ");
        let rest = &part[at..];
        let len =
            rest.lines().skip(1).find(is_key).map_or(rest.len(), |key| key.as_ptr() as usize - rest.as_ptr() as usize);
        let rest = rest[..len].trim_end_matches('\n');
        match rest.chars().next() {
            Some('"') => serde_json::from_str(&json_escapes(rest)).unwrap(),
            Some('\'') => rest.trim_matches('\'').replace("''", "'"),
            _ => rest.lines().skip(1).map(|line| format!("{}\n", line.strip_prefix("      ").unwrap_or(""))).collect(),
        }
    };
    let parts: Vec<_> = recording.split("\n  request:").skip(1).collect();
    parts
        .into_iter()
        .map(|part| {
            let (request, response) = part.split_once("\n  response:").unwrap();
            (serde_json::from_str(&body(request)).unwrap(), body(response))
        })
        .collect()
}

/// YAML's escapes that JSON does not have, as JSON's.
fn json_escapes(quoted: &str) -> String {
    let mut out = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' {
            match chars.next().unwrap() {
                'e' => out.push_str("u001b"),
                '0' => out.push_str("u0000"),
                'N' => out.push_str("u0085"),
                '_' => out.push_str("u00a0"),
                'L' => out.push_str("u2028"),
                'P' => out.push_str("u2029"),
                'x' => out.push_str("u00"),
                'U' => {
                    out.pop();
                    let code: String = chars.by_ref().take(8).collect();
                    out.push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
                }
                other => out.push(other),
            }
        }
    }
    out
}

/// Every call in the data lines of a stream, by the plainest rules there are: ids where they first stand, pieces by index.
fn naive(stream: &str, found: &mut Naive) {
    let mut ids: BTreeMap<u64, String> = BTreeMap::new();
    let mut unnamed = 0;
    for line in stream.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| data.trim() != "[DONE]") {
        let data: Value = serde_json::from_str(line).unwrap();
        for call in data["choices"][0]["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let index = call["index"].as_u64().unwrap();
            if let Some(id) = call["id"].as_str().filter(|id| !id.is_empty()) {
                ids.insert(index, id.to_string());
                found.insert(id.to_string(), (call["function"]["name"].as_str().unwrap().to_string(), String::new()));
            }
            if let Some(piece) = call["function"]["arguments"].as_str() {
                found.get_mut(&ids[&index]).unwrap().1.push_str(piece);
            }
        }
        let index = data["index"].as_u64().unwrap_or_default();
        let block = &data["content_block"];
        if block["type"] == "tool_use" {
            let id = block["id"].as_str().unwrap();
            ids.insert(index, id.to_string());
            found.insert(id.to_string(), (block["name"].as_str().unwrap().to_string(), String::new()));
        }
        if let Some(piece) = data["delta"]["partial_json"].as_str() {
            found.get_mut(&ids[&index]).unwrap().1.push_str(piece);
        }
        for part in data["candidates"][0]["content"]["parts"].as_array().into_iter().flatten() {
            if let Some(call) = part.get("functionCall") {
                unnamed += 1;
                let name = call["name"].as_str().unwrap().to_string();
                found.insert(format!("unnamed {unnamed}"), (name, call["args"].to_string()));
            }
        }
    }
}

/// The same from the events of a reader.
fn arguments(seen: &Seen) -> Naive {
    let mut found = Naive::new();
    for event in &seen.events {
        let Some(id) = event["id"].as_str() else { continue };
        let call = found.entry(id.to_string()).or_default();
        if let Some(name) = event["name"].as_str() {
            call.0 = name.to_string();
        }
        call.1.push_str(event["delta"].as_str().unwrap_or_default());
        if let Some(input) = event.get("raw_input") {
            call.1 = input.to_string();
        }
    }
    found
}

fn read_stream(reader: &mut WireReader, stream: &[u8], piece: usize, seen: &mut Seen) {
    let mut sse = Sse::new();
    let mut feed = |_: &str, data: &str| {
        // The view does not outlive the piece, so the sink is told of each message at once.
        let view = RawJson::parse(data).unwrap();
        reader.push(&view, seen);
    };
    for piece in stream.chunks(piece) {
        sse.push(piece, &mut feed);
    }
    sse.finish(&mut feed);
}

/// What a recording was made of, by the first word of its name.
fn wire_of(file: &str) -> Wire {
    match file.split('-').next() {
        Some("anthropic") => Wire::AnthropicMessages,
        Some("vertex") => Wire::Gemini,
        _ => Wire::OpenaiChat,
    }
}

#[test]
fn recorded_streams_give_the_calls_that_a_naive_reading_finds() {
    let Some(folder) = folder("wire/crush-vcr") else { return };
    let mut counts = BTreeMap::new();
    for path in files(&folder) {
        let file = path.file_name().unwrap().to_str().unwrap();
        let wire = wire_of(file);
        let recording = std::fs::read_to_string(&path).unwrap();
        let exchanges = exchanges(&recording);
        let mut expected = Naive::new();
        exchanges.iter().for_each(|(_, stream)| naive(stream, &mut expected));
        for piece in [1, 61, usize::MAX] {
            let mut seen = Seen::default();
            let mut reader = WireReader::new(wire);
            exchanges.iter().for_each(|(_, stream)| read_stream(&mut reader, stream.as_bytes(), piece, &mut seen));
            let found = arguments(&seen);
            if wire == Wire::Gemini {
                let values = |calls: &Naive| calls.values().cloned().collect::<Vec<_>>();
                assert_eq!(values(&found), values(&expected), "{file}");
            } else {
                assert_eq!(found, expected, "{file}");
            }
            assert_eq!(seen.ledger.calls().len(), expected.len(), "{file}");
        }
        for (name, arguments) in expected.values() {
            assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object(), "{name}: {arguments}");
        }
        counts.insert(file.to_string(), expected.len());
    }
    println!("{counts:?}");
    assert_eq!(counts.values().collect::<Vec<_>>(), [&2, &3, &2, &2, &1]);
}

/// What a client sends with its next request tells the same calls with their results: streams and requests, pushed as they
/// went over the wire, leave every call completed.
#[test]
fn recorded_requests_hold_the_results() {
    let Some(folder) = folder("wire/crush-vcr") else { return };
    for path in files(&folder) {
        let file = path.file_name().unwrap().to_str().unwrap();
        let wire = wire_of(file);
        let exchanges = exchanges(&std::fs::read_to_string(&path).unwrap());
        let results = |request: &Value| {
            let text = request.to_string();
            ["\"tool_call_id\":", "\"tool_use_id\":", "\"functionResponse\":"]
                .iter()
                .map(|key| text.matches(key).count())
                .sum()
        };
        // The last request of the conversation holds all of it.
        let Some((last, _)) = exchanges.iter().max_by_key(|(request, _)| -> usize { results(request) }) else {
            continue;
        };
        let results: usize = results(last);
        let seen = read(wire, std::slice::from_ref(last));
        let done = seen.ledger.calls().iter().filter(|call| call.status.is_terminal()).count();
        assert!(results > 0 || file.starts_with("vertex"), "{file}");
        assert_eq!((seen.ledger.calls().len(), done), (results, results), "{file}");
    }
}

#[test]
fn recorded_gemini_responses_give_as_many_calls_as_they_name() {
    let Some(folder) = folder("wire/gemini-responses") else { return };
    let mut all = 0;
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader = WireReader::new(Wire::Gemini);
        let mut seen = Seen::default();
        let mut lines = Lines::new();
        let mut feed = |line: &[u8]| reader.push(&RawJson::parse(line).unwrap(), &mut seen);
        lines.push(text.as_bytes(), &mut feed);
        lines.finish(&mut feed);
        let named = text.matches("\"functionCall\"").count();
        assert_eq!(seen.ledger.calls().len(), named, "{}", path.display());
        assert!(seen.ledger.calls().iter().all(|call| call.name() != "other"));
        all += named;
    }
    assert_eq!(all, 45);
}

#[test]
fn the_recorded_ui_stream_and_its_messages_tell_the_same_calls() {
    let Some(folder) = folder("vercel-ai") else { return };
    let chunks = std::fs::read_to_string(folder.join("run-7.0.173-ui-chunks.jsonl")).unwrap();
    let chunks: Vec<Value> = chunks.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let messages = std::fs::read_to_string(folder.join("run-7.0.173-ui-messages.json")).unwrap();
    let messages: Vec<Value> = serde_json::from_str(&messages).unwrap();
    let (streamed, told) = (read(Wire::AiSdk, &chunks), read(Wire::AiSdk, &messages));
    let shown = |seen: &Seen| -> Vec<Value> { seen.ledger.calls().iter().map(call_written).collect() };
    assert_eq!(shown(&streamed), shown(&told));
    let starts = chunks.iter().filter(|chunk| chunk["type"] == "tool-input-start").count();
    let of = |status| told.ledger.calls().iter().filter(|call| call.status == status).count();
    assert_eq!((starts, told.ledger.calls().len()), (6, 6));
    assert_eq!((of(Status::Completed), of(Status::Failed), of(Status::Pending)), (1, 4, 1));
}

/// A call whose arguments came only in pieces, as it would be without them: logs hold no pieces.
fn without_pieces(call: &mut Value) {
    if call["flags"].as_array().is_some_and(|flags| flags.contains(&"incomplete_input".into())) {
        call["flags"] = json!(["input_pending"]);
        call.as_object_mut().unwrap().remove("input");
    }
}

/// What the reader of logs makes of a recording of ACP, the live reader does as well, through any view; and the pieces of
/// Grok Build's arguments are the arguments.
#[test]
fn recorded_acp_is_read_as_its_log_is() {
    let Some(folder) = folder("acp") else { return };
    let mut pieces = 0;
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut log = CallLedger::default();
        let mut reader = Reader::new();
        reader.push(text.as_bytes(), &mut log);
        reader.finish(&mut log);
        let expected: Vec<_> = log.calls().iter().map(call_written).collect();
        assert!(expected.len() >= 6, "{}", path.display());
        let messages: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seen = read(Wire::Acp, &messages);
        let mut found: Vec<_> = seen.ledger.calls().iter().map(call_written).collect();
        found.iter_mut().for_each(without_pieces);
        // Pieces come before the announcements, and so change the order of the calls.
        let by_id = |calls: &mut Vec<Value>| calls.sort_by_key(|call| call["id"].to_string());
        by_id(&mut found);
        let mut sorted = expected;
        by_id(&mut sorted);
        assert_eq!(found, sorted, "{}", path.display());
        let mut written: BTreeMap<&str, String> = BTreeMap::new();
        for event in &seen.events {
            let id = event["id"].as_str().unwrap_or_default();
            if let Some(piece) = event["delta"].as_str() {
                pieces += 1;
                written.entry(id).or_default().push_str(piece);
            } else if let (Some(text), "started") = (written.get(id), event["phase"].as_str().unwrap()) {
                let whole: Value = serde_json::from_str(text).unwrap_or(json!(text));
                assert!(
                    event["raw_input"] == whole || event["raw_input"].is_null() || !whole.is_object(),
                    "{id}: {text}"
                );
            }
        }
    }
    assert_eq!(pieces, 2 * 234);
}
