//! Arguments that stream: Toolprism's live view beside parsers that read all of the text again for each delta.

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use toolprism::json::{JsonView, RawJson};
use toolprism::{Call, CallLedger, PartialInput, Phase, Place, ToolCallEvent, identify};

use crate::best;

const ROUNDS: usize = 15;

struct Stream {
    name: &'static str,
    text: String,
}

/// One contender, and the milliseconds it took for each stream.
type Row = (&'static str, Vec<Option<f64>>);

/// Prints milliseconds a stream, and how many times Toolprism's bare push.
pub fn measure(folder: &Path) -> io::Result<()> {
    let streams = streams();
    let each =
        |run: &dyn Fn(&str)| streams.iter().map(|stream| Some(1e3 * best(ROUNDS, || run(&stream.text)))).collect();
    let mut rows: Vec<Row> = vec![
        ("toolprism push", each(&push)),
        ("  and look at the view", each(&push_and_look)),
        ("  and identify it", each(&push_and_identify)),
        ("  into a ledger", each(&into_ledger)),
        ("jiter partial", streams.iter().map(|stream| Some(1e3 * best(2, || jiter(&stream.text)))).collect()),
    ];
    match jsonriver(&streams, folder)? {
        Some(cells) => rows.push(("jsonriver (npm)", cells.into_iter().map(Some).collect())),
        None => println!("jsonriver (npm): not measured, since it could not be installed or run"),
    }
    println!("arguments in deltas of 4 bytes, ms a stream (and how many times the bare push)");
    print!("{:24}", "");
    for stream in &streams {
        print!("  {:>22}", format!("{} ({:.0} kB)", stream.name, stream.text.len() as f64 / 1e3));
    }
    println!();
    for (name, cells) in &rows {
        print!("{name:24}");
        for (cell, base) in cells.iter().zip(&rows[0].1) {
            let text = match (cell, base) {
                (Some(millis), Some(base)) => format!("{millis:.3} ({:.1}x)", millis / base),
                _ => "-".into(),
            };
            print!("  {text:>22}");
        }
        println!();
    }
    println!();
    long();
    Ok(())
}

/// Three kinds of arguments of 20 KB: one long string, one with many escapes, and many small edits.
fn streams() -> [Stream; 3] {
    let code = "fn main() {\n    println!(\"a\\\\b\");\n}\n";
    let edits: Vec<_> = (0..300)
        .map(|i| json!({"find": format!("let x{i} = 1;"), "replace": format!("let y{i} = 2;"), "all": i % 2 == 0}))
        .collect();
    [
        ("plain", json!({"path": "src/a.rs", "content": "some text ".repeat(2000)})),
        ("escapes", json!({"path": "src/a.rs", "content": code.repeat(390)})),
        ("edits", json!({"path": "src/a.rs", "edits": edits})),
    ]
    .map(|(name, arguments)| Stream { name, text: arguments.to_string() })
}

fn deltas(text: &str) -> impl Iterator<Item = &[u8]> {
    text.as_bytes().chunks(4)
}

fn push(text: &str) {
    let mut input = PartialInput::new();
    for delta in deltas(text) {
        input.push(black_box(delta));
    }
    assert!(input.is_complete());
}

fn push_and_look(text: &str) {
    let mut input = PartialInput::new();
    for delta in deltas(text) {
        input.push(black_box(delta));
        let path = input.view().and_then(|view| view.get("path"));
        black_box((path.and_then(|path| path.str().map(str::len)), input.growing().map(|path| path.depth())));
    }
}

fn push_and_identify(text: &str) {
    let mut input = PartialInput::new();
    for delta in deltas(text) {
        input.push(black_box(delta));
        let call =
            Call { harness: Some("claude_code"), name: Some("Write"), raw_input: input.view(), ..Call::default() };
        black_box(identify(&call));
    }
}

fn into_ledger(text: &str) {
    let mut ledger = CallLedger::default();
    let mut event = event(Phase::Started);
    (event.harness, event.name) = (Some("claude_code".into()), Some("Write".into()));
    ledger.apply(&event);
    let mut rest = text;
    while !rest.is_empty() {
        let end = (4..).find(|end| rest.is_char_boundary((*end).min(rest.len()))).unwrap_or_default().min(rest.len());
        ledger.apply(&delta(&rest[..end]));
        rest = &rest[end..];
    }
    black_box(ledger);
}

fn event<'a>(phase: Phase) -> ToolCallEvent<'a, RawJson<'a>> {
    ToolCallEvent::new("toolu_01", phase, Place::default())
}

fn delta(text: &str) -> ToolCallEvent<'_, RawJson<'_>> {
    ToolCallEvent { delta: Some(text.into()), ..event(Phase::Updated) }
}

fn jiter(text: &str) {
    for end in (4..text.len() + 4).step_by(4) {
        let front = &text.as_bytes()[..end.min(text.len())];
        let partial = jiter::PartialMode::TrailingStrings;
        let _ = black_box(jiter::JsonValue::parse_with_config(black_box(front), false, partial));
    }
}

fn jsonriver(streams: &[Stream], folder: &Path) -> io::Result<Option<Vec<f64>>> {
    let texts: Vec<_> = streams.iter().map(|stream| &stream.text).collect();
    let input = folder.join("partial-streams.json");
    fs::write(&input, serde_json::to_vec(&texts)?)?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("node")
        .arg(here.join("peers/jsonriver_peer.mjs"))
        .arg(&input)
        .arg(here.join("../target/peers"))
        .output();
    let output = output.ok().filter(|output| output.status.success());
    Ok(output.and_then(|output| serde_json::from_slice(&output.stdout).ok()))
}

/// Prints what a delta of one byte costs in streams of 1 KB and 1 MB.
fn long() {
    println!("arguments in deltas of one byte, ns a delta");
    let content = |size: usize| format!("{{\"path\":\"a.rs\",\"content\":\"{}\"}}", "x".repeat(size));
    let command = |size: usize| format!("{{\"description\":\"d\",\"command\":\"{}\"}}", "x".repeat(size));
    let members = |size: usize| {
        let members: Vec<_> = (0..size / 16).map(|i| format!("\"path\":\"{:05}\"", i % 99_999)).collect();
        format!("{{{}}}", members.join(","))
    };
    let push_bytes = |text: &str| {
        let mut input = PartialInput::new();
        text.as_bytes().chunks(1).for_each(|byte| {
            input.push(black_box(byte));
        });
    };
    let apply_bytes = |text: &str| {
        let mut ledger = CallLedger::default();
        let mut start = event(Phase::Started);
        (start.harness, start.name) = (Some("claude_code".into()), Some("Bash".into()));
        ledger.apply(&start);
        (0..text.len()).for_each(|i| {
            ledger.apply(&delta(&text[i..i + 1]));
        });
        black_box(ledger);
    };
    let looks_bytes = |text: &str| {
        let mut input = PartialInput::new();
        text.as_bytes().chunks(1).for_each(|byte| {
            input.push(black_box(byte));
            black_box(input.growing().and_then(|path| path.value().str()));
        });
    };
    type Make<'a> = &'a dyn Fn(usize) -> String;
    type Run<'a> = &'a dyn Fn(&str);
    let rows: [(&str, Make<'_>, Run<'_>); 6] = [
        ("push, one long string", &content, &push_bytes),
        ("push and look at it", &content, &looks_bytes),
        ("ledger, a content", &content, &apply_bytes),
        ("ledger, a command that shows", &command, &apply_bytes),
        ("push, one name again and again", &members, &push_bytes),
        ("ledger, one name again and again", &members, &apply_bytes),
    ];
    for (name, text, run) in rows {
        let [small, large] = [1 << 10, 1 << 20].map(|size| {
            let text = text(size);
            (best(if size > 1 << 10 { 3 } else { 50 }, || run(&text)), text.len())
        });
        let nanos = |(seconds, bytes): (f64, usize)| seconds * 1e9 / bytes as f64;
        println!(
            "  {name:34} 1 KB: {:6.1}   1 MB: {:6.1} ({:.1} ms in all)",
            nanos(small),
            nanos(large),
            large.0 * 1e3
        );
    }
    println!();
}
