//! `toolprism groups`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Folder, session};
use serde_json::json;

#[test]
fn the_table_has_a_row_a_group_and_the_figures_below() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1")).write("b.jsonl", session("s2")).write("notes.json", "{\"a\":1}\n");
    let table = folder.run(&["groups", ".", "--width", "100"]).fine();
    let row = |label: &str| {
        let line = table.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let read = row("Read ");
    assert!(read.starts_with("Read 4 ") && read.contains("100 % 10.0 s 2.5 s Read"), "{read}");
    let run = row("Run Command");
    assert!(run.starts_with("Run Command 2 ") && run.contains(" 2 0 % 5.0 s 2.5 s Bash"), "{run}");
    for line in [
        "10 calls in 2 sessions · 6 completed · 2 failed · 2 pending",
        "2 files, ",
        "Claude Code",
        "unknown: 2 of 10 calls (20.0 %): Frobnicate ×2",
        "passed over: 1 file of other formats",
    ] {
        assert!(table.contains(line), "{line} is not in\n{table}");
    }
    for width in ["40", "60", "80", "100", "140"] {
        let table = folder.run(&["groups", ".", "--width", width]).fine();
        let most = table.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(most <= width.parse().unwrap(), "{table}");
    }
}

#[test]
fn statuses_have_a_column_only_where_there_are_any() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let table = folder.run(&["groups", "a.jsonl", "--width", "140"]).fine();
    assert!(table.contains("Failed") && !table.contains("Rejected") && !table.contains("Cancelled"));
}

#[test]
fn json_holds_groups_totals_unknown_and_quarantined() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1") + "{\"broken\n" + &session("s2"));
    let run = folder.run(&["groups", "a.jsonl", "--format", "json"]);
    assert_eq!(run.code, 0);
    let offset = session("s1").len();
    assert_eq!(
        run.err,
        format!(
            "a.jsonl:10 (byte {offset}, 9 bytes): not JSON: the text ends inside a value at byte 8 of the record\n"
        )
    );
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let run = json["groups"].as_array().unwrap().iter().find(|group| group["key"] == "label:Run Command").unwrap();
    let figures = ["calls", "failed", "read_only", "timed", "duration_ms", "longest_ms"].map(|key| run[key].clone());
    assert_eq!(figures, [2, 2, 0, 2, 5000, 2500].map(serde_json::Value::from));
    let groups = json["groups"].as_array().unwrap();
    let values: Vec<_> =
        groups.iter().map(|group| (group["value"].as_str().unwrap(), group["calls"].as_u64().unwrap())).collect();
    assert_eq!(values, [("Read", 4), ("Tool", 4), ("Run Command", 2)]);
    assert_eq!(groups[0]["key"], "label:Read");
    assert_eq!(
        (&groups[0]["read_only_share"], &groups[0]["duration_ms"], &groups[0]["longest_ms"]),
        (&json!(1.0), &json!(10_000), &json!(2500))
    );
    assert_eq!(groups[0]["top_paths"], json!([{"path": "/p/a.rs", "calls": 2}, {"path": "/p/b.rs", "calls": 2}]));
    assert_eq!((&groups[1]["completed"], &groups[1]["pending"]), (&json!(2), &json!(2)));
    assert_eq!(groups[2]["names"], json!([{"name": "Bash", "calls": 2}]));
    assert_eq!((&json["totals"]["calls"], &json["totals"]["sessions"]), (&json!(10), &json!(2)));
    assert_eq!(json["totals"]["bytes_quarantined"], 9);
    assert_eq!(
        json["unknown"],
        json!({"count": 2, "rate": 0.2, "names": [{"name": "Frobnicate", "calls": 2, "harness": "claude_code"}]})
    );
    assert_eq!(json["quarantined"][0]["reason"], "not_json");
    assert_eq!((&json["quarantined"][0]["line"], &json["quarantined"][0]["bytes"]), (&json!(10), &json!(9)));
}

#[test]
fn jsonl_and_csv_have_a_record_a_group() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let run = folder.run(&["groups", "a.jsonl", "--format", "jsonl"]);
    assert_eq!(run.lines().len(), 3);
    let names: Vec<String> = run.lines()[0].as_object().unwrap().keys().cloned().collect();
    let csv = folder.run(&["groups", "a.jsonl", "--format", "csv"]).fine();
    let mut header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(csv.lines().count(), 4);
    header.sort_unstable();
    assert_eq!(header, names, "the header names what the records hold");
    assert!(csv.contains("label:Read,label,Read,2,0,0,2,0,0,0,0,2,1.0,2,5000,2500,"), "{csv}");
}

#[test]
fn calls_can_be_grouped_otherwise() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let values = |by: &str| {
        let lines = folder.run(&["groups", "a.jsonl", "--format", "jsonl", "--by", by]).lines();
        lines.iter().map(|line| line["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values("name"), ["Read", "Bash", "mcp__fs__stat", "Frobnicate"]);
    assert_eq!(values("kind"), ["read", "other", "execute"]);
    assert_eq!(values("namespace"), ["claude_code", "mcp"]);
    assert_eq!(values("server"), ["fs"]);
    assert_eq!(values("path"), ["/p/a.rs", "/p/b.rs"]);
    let table = folder.run(&["groups", "a.jsonl", "--by", "path"]).fine();
    assert!(table.contains("3 calls name no path"), "{table}");
}

#[test]
fn runs_do_not_reach_from_one_file_into_the_next() {
    let folder = Folder::new();
    let read = common::call("s1", "c1", "Read", r#"{"file_path":"/p/a"}"#);
    folder.write("a.jsonl", read.clone() + &common::call("s1", "c2", "Read", r#"{"file_path":"/p/b"}"#));
    folder.write("b.jsonl", read.replace("s1", "s2"));
    let lines = folder.run(&["groups", ".", "--runs", "--format", "jsonl"]).lines();
    let runs: Vec<_> = lines
        .iter()
        .map(|line| (line["file"].as_str().unwrap(), line["key"].as_str().unwrap(), line["calls"].as_u64().unwrap()))
        .collect();
    assert_eq!(runs, [("./a.jsonl", "label:Read@c1", 2), ("./b.jsonl", "label:Read@c1", 1)]);
    assert_eq!(lines[0]["last_id"], "c2");
    let json = folder.run(&["groups", ".", "--runs", "--format", "json"]).json();
    assert_eq!(json["runs"].as_array().unwrap().len(), 2);
    let table = folder.run(&["groups", ".", "--runs"]).fine();
    assert!(table.contains("./a.jsonl  Claude Code session"), "{table}");
    let csv = folder.run(&["groups", ".", "--runs", "--format", "csv"]).fine();
    let mut table = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, first) = (table.next().unwrap(), table.next().unwrap());
    let column = |name: &str| first[names.iter().position(|column| *column == name).unwrap()];
    assert_eq!(
        (column("key"), column("calls"), column("read_only_share"), column("last_id")),
        ("label:Read@c1", "2", "1.0", "c2")
    );
    assert_eq!((&lines[0]["paths"], &lines[0]["pending"], &lines[0]["completed"]), (&2.into(), &2.into(), &0.into()));
}

#[test]
fn colour_is_for_those_who_want_it() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(&["groups", "a.jsonl"]);
        let output = command.args(args).envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]), "the output is no terminal");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "what is said outright counts");
}

#[test]
fn filters_keep_what_matches_all_of_them() {
    let folder = Folder::new();
    folder.write("a.jsonl", session("s1"));
    let count = |args: &[&str]| {
        let lines = folder.run(&[&["calls", "a.jsonl", "--format", "jsonl"], args].concat()).lines();
        lines.iter().map(|call| call["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(count(&["--label", "run command"]), ["Bash"]);
    assert_eq!(count(&["--status", "failed", "--label", "Run Command"]), ["Bash"]);
    assert_eq!(count(&["--status", "rejected"]), [""; 0]);
    assert_eq!(count(&["--harness", "Claude Code"]).len(), count(&[]).len());
    assert_eq!(count(&["--harness", "codex"]), [""; 0]);
    let unknown = folder.run(&["calls", "a.jsonl", "--harness", "nobody"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("claude_code"), "{}", unknown.err);
}
