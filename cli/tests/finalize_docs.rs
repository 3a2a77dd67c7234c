//! The examples of docs/finalize.md, run as a reader would run them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

const DOCS: &str = include_str!("../../docs/finalize.md");

#[test]
fn the_examples_print_what_the_document_says() {
    let program = Path::new(env!("CARGO_BIN_EXE_toolprism")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut lines = DOCS.lines();
    let mut examples = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ ") else { continue };
        let expected = lines.next().unwrap().trim();
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{command}");
        examples += 1;
    }
    assert!(examples >= 10, "{examples} examples found");
}
