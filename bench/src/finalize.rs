//! Finalizing one call: Toolprism's judgement, which validates against a schema and refuses what is unfinished, beside
//! parsers and repair libraries, which do neither.

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use toolprism_repair::{CompletedCall, Engine, Judgement, Meta, Options, ToolDefinition};

/// How long each case is measured for, at least.
const SECONDS: f64 = 0.2;

struct Case {
    name: &'static str,
    args: String,
}

/// What one contender did: the text it made of each case, or nothing where it refused, and the microseconds that took.
struct Row {
    name: String,
    cells: Vec<Option<(f64, bool)>>,
}

/// Prints microseconds a call, and Toolprism's ratio to each.
pub fn measure(folder: &Path) -> io::Result<()> {
    let cases = cases();
    let mut rows = vec![ours("toolprism guarded", Options::guarded(), &cases)];
    rows.push(ours("toolprism reference", Options::reference(), &cases));
    rows.extend(rust_peers(&cases));
    rows.extend(script_peers(&cases, folder)?);
    print(&cases, &rows);
    Ok(())
}

fn tool() -> ToolDefinition {
    let text = json!({"type": "string"});
    let edit = json!({"type": "object", "properties": {"find": text, "replace": text, "all": {"type": "boolean"}},
        "required": ["find", "replace"], "additionalProperties": false});
    let schema = json!({"type": "object", "properties": {"path": text, "content": text, "explain": text,
        "edits": {"type": "array", "items": edit}, "overwrite": {"type": "boolean"}},
        "required": ["path", "content"], "additionalProperties": false});
    ToolDefinition::new("write_file", schema.to_string())
}

/// A call that writes and edits: code with escapes, some text that is not ASCII, many small objects; about this long.
fn call(bytes: usize) -> Value {
    let code = "fn grüß(name: &str) -> String {\n    format!(\"Hallo, {name}!\\n\")\n}\n\n";
    let edits: Vec<_> = (0..bytes / 220)
        .map(|i| json!({"find": format!("let x{i} = \"a\";"), "replace": format!("let x{i} = \"b\";\t// № {i}"), "all": i % 2 == 0}))
        .collect();
    json!({"path": "src/lib.rs", "edits": edits, "overwrite": true, "content": code.repeat(bytes / 190 + 1)})
}

fn cases() -> Vec<Case> {
    let mut cases = vec![Case { name: "valid 200 B", args: call(150).to_string() }];
    for (size, [valid, cut, messy]) in
        [(2 << 10, ["valid 2 KB", "cut 2 KB", "messy 2 KB"]), (60 << 10, ["valid 60 KB", "cut 60 KB", "messy 60 KB"])]
    {
        let text = call(size).to_string();
        let mut end = text.len() * 97 / 100;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        cases.push(Case { name: cut, args: text[..end].to_owned() });
        cases.push(Case { name: messy, args: mess(&text) });
        cases.push(Case { name: valid, args: text });
    }
    cases.sort_by_key(|case| {
        case.name.split(' ').next().map(|kind| ["valid", "cut", "messy"].iter().position(|k| *k == kind))
    });
    cases
}

/// In a fence, with bare line ends in strings, commas before brackets, and Python's literals.
fn mess(text: &str) -> String {
    let text = text.replace("\\n", "\n").replace('}', ",}").replace("true", "True").replace("{name,}", "{name}");
    format!("```json\n{text}\n```")
}

/// Microseconds for one run, the best of several stretches.
fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    while start.elapsed().as_secs_f64() < SECONDS {
        let stretch = Instant::now();
        let mut runs = 0_u32;
        while stretch.elapsed().as_secs_f64() < SECONDS / 20.0 {
            work();
            runs += 1;
        }
        best = best.min(stretch.elapsed().as_secs_f64() * 1e6 / f64::from(runs));
    }
    best
}

fn ours(name: &str, options: Options, cases: &[Case]) -> Row {
    let engine = Engine::new(Options { max_args_bytes: 1 << 20, ..options });
    let tools = [tool()];
    let judge = |case: &Case| -> Judgement {
        let call = CompletedCall { tool_call_id: "c", tool_name: "write_file", args_json: case.args.as_bytes() };
        engine.judge(black_box(&call), &tools, &Meta::default())
    };
    let cell = |case: &Case| {
        let accepted = judge(case).action != toolprism_repair::Action::Reject;
        Some((time(|| drop(black_box(judge(case)))), accepted))
    };
    Row { name: name.into(), cells: cases.iter().map(cell).collect() }
}

fn rust_peers(cases: &[Case]) -> Vec<Row> {
    let row = |name: &str, run: &dyn Fn(&str) -> bool| Row {
        name: name.into(),
        cells: cases
            .iter()
            .map(|case| {
                Some((
                    time(|| {
                        black_box(run(black_box(&case.args)));
                    }),
                    run(&case.args),
                ))
            })
            .collect(),
    };
    let schema: Value = serde_json::from_slice(&tool().parameters).unwrap_or_default();
    let validator = jsonschema::validator_for(&schema).ok();
    vec![
        row("serde_json + jsonschema", &|text| {
            let value = serde_json::from_str::<Value>(text);
            value.is_ok_and(|value| validator.as_ref().is_some_and(|validator| validator.is_valid(&value)))
        }),
        row("serde_json", &|text| serde_json::from_str::<Value>(text).is_ok()),
        row("jiter", &|text| jiter::JsonValue::parse(text.as_bytes(), false).is_ok()),
        row("jiter partial", &|text| {
            let partial = jiter::PartialMode::TrailingStrings;
            jiter::JsonValue::parse_with_config(text.as_bytes(), false, partial).is_ok()
        }),
        row("llm_json", &|text| llm_json::repair_json(text, &llm_json::RepairOptions::default()).is_ok()),
        row("jsonrepair (crate)", &|text| jsonrepair::repair_json(text, &jsonrepair::Options::default()).is_ok()),
    ]
}

/// The libraries in Python and JavaScript, which run by themselves on the same texts.
fn script_peers(cases: &[Case], folder: &Path) -> io::Result<Vec<Row>> {
    let texts: Vec<_> = cases.iter().map(|case| &case.args).collect();
    let input = folder.join("finalize-cases.json");
    fs::write(&input, serde_json::to_vec(&texts)?)?;
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers");
    let mut rows = Vec::new();
    for (name, program, script) in [
        ("json_repair (PyPI)", installed.join("venv/bin/python"), "json_repair_peer.py"),
        ("jsonrepair (npm)", "node".into(), "jsonrepair_peer.mjs"),
    ] {
        let output = Command::new(&program).arg(peers.join(script)).arg(&input).arg(&installed).output();
        let cells = output.ok().filter(|output| output.status.success());
        let cells = cells.and_then(|output| serde_json::from_slice::<Vec<(f64, bool)>>(&output.stdout).ok());
        match cells {
            Some(cells) => rows.push(Row { name: name.into(), cells: cells.into_iter().map(Some).collect() }),
            None => println!("{name}: not measured, since it could not be installed or run"),
        }
    }
    Ok(rows)
}

fn print(cases: &[Case], rows: &[Row]) {
    println!("finalizing one call, microseconds (and how many times the guarded profile's); -- where it is refused");
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    print!("{:width$}", "");
    for case in cases {
        print!("  {:>18}", case.name);
    }
    println!();
    for row in rows {
        print!("{:width$}", row.name);
        for (cell, base) in row.cells.iter().zip(&rows[0].cells) {
            let text = match (cell, base) {
                (Some((micros, accepted)), Some((base, _))) => {
                    format!("{micros:.2} ({:.1}x){}", micros / base, if *accepted { "" } else { " --" })
                }
                _ => "-".into(),
            };
            print!("  {text:>18}");
        }
        println!();
    }
    println!();
}
