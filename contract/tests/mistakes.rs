//! What the compiler says about the commonest mistakes: each file in `mistakes/` is compiled, and what is said must hold the
//! words that help. The rest of its messages is the compiler's, and changes with it.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const WORDS: [(&str, &[&str]); 6] = [
    ("args_without_schema", &["JsonSchema` is not implemented for `Args`", "`Tool::Args`"]),
    (
        "args_without_deserialize",
        &["consider adding `#[derive(serde::Deserialize)]` to your `Args` type", "`Tool::Args`"],
    ),
    ("tool_without_metadata", &[NO_TOOL, "ToolMetadata` is not implemented for `Mine`", BOTH]),
    ("metadata_without_tool", &[NO_TOOL, "Tool` is not implemented for `Mine`", BOTH]),
    ("run_not_send", &["future cannot be sent between threads safely", "has type `Rc<String>` which is not `Send`"]),
    (
        "output_of_no_type",
        &["`Found` cannot be a tool's output", "impl ToolOutput for Found { const TYPE: &'static str"],
    ),
];

const NO_TOOL: &str = "`Mine` is no tool that a registry can hold";
const BOTH: &str = "a tool implements both `Tool` (its types, id, description and `run`) and `ToolMetadata`";

#[test]
fn the_compiler_says_what_to_do() {
    let (said, all) = said();
    for (mistake, words) in WORDS {
        let Some(messages) = said.get(mistake) else { panic!("{mistake} compiles, or nothing does:\n{all}") };
        for word in words {
            assert!(messages.contains(word), "{mistake} is not told {word:?}, but:\n{messages}");
        }
    }
}

/// The errors about each of the mistakes, and what else cargo says.
fn said() -> (BTreeMap<String, String>, String) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    fs::create_dir_all(project.join("src/bin")).unwrap();
    let manifest = format!(
        "[workspace]\n[package]\nname = \"mistakes\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n\
         schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         toolprism = {{ path = {:?} }}\ntoolprism-contract = {{ path = {here:?} }}\n",
        here.join("../core"),
    );
    fs::write(project.join("Cargo.toml"), manifest).unwrap();
    fs::copy(here.join("../Cargo.lock"), project.join("Cargo.lock")).unwrap();
    for (mistake, _) in WORDS {
        let file = format!("{mistake}.rs");
        fs::copy(here.join("tests/mistakes").join(&file), project.join("src/bin").join(&file)).unwrap();
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--bins", "--keep-going", "--offline", "--message-format", "json", "--target-dir", "target"]);
    let output = cargo.current_dir(&project).output().unwrap();
    let mut said = BTreeMap::<String, String>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["reason"] == "compiler-message" && line["message"]["level"] == "error" {
            let mistake = line["target"]["name"].as_str().unwrap().to_owned();
            said.entry(mistake).or_default().push_str(line["message"]["rendered"].as_str().unwrap());
        }
    }
    (said, String::from_utf8_lossy(&output.stderr).into_owned())
}
