//! The examples of docs/finalize.md and docs/partial.md, run as a reader would run them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

#[test]
fn the_examples_print_what_the_document_says() {
    run(include_str!("../../docs/finalize.md"), "    $ ", 10);
    run(include_str!("../../docs/partial.md"), "$ ", 3);
}

/// Runs the lines that start with `prompt`, at least so many.
fn run(document: &str, prompt: &str, least: usize) {
    let program = Path::new(env!("CARGO_BIN_EXE_toolprism")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut lines = document.lines();
    let mut examples = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix(prompt) else { continue };
        let expected = lines.next().unwrap().trim();
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{command}");
        examples += 1;
    }
    assert!(examples >= least, "{examples} examples found");
}
