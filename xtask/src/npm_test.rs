//! The npm package as a stranger uses it: installed from its archive into an empty folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm::{build, copy_all, npm, tools};
use crate::process::{root, run};
use crate::{Result, debian};

const TOOLS: [&str; 5] =
    ["vite@8.4.0", "playwright-core@1.65.1", "publint@0.3.25", "@arethetypeswrong/cli@0.18.5", "typescript@7.0.2"];

const CHROMIUM: &str = "/usr/bin/chromium";

/// Runs the tests in `wasm/test` on the package in this archive, with Node.
pub(crate) fn node(archive: &Path) -> Result {
    let folder = installed(&env::temp_dir().join(format!("toolprism-npm-{}", std::process::id())), archive)?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=dot"]).args(test_files(&folder)?);
    node.current_dir(&folder).env("TOOLPRISM_ROOT", root());
    run(node)?;
    fs::remove_dir_all(&folder).map_err(|error| format!("cannot remove {}: {error}", folder.display()))
}

/// Looks at the archive as package linters do, and checks the types.
pub(crate) fn lints(archive: &Path) -> Result {
    let folder = tools("test", &TOOLS)?;
    let app = installed(&folder.join("app"), archive)?;
    let tool = |script: &str| {
        let mut tool = Command::new("node");
        tool.arg(folder.join("node_modules").join(script));
        tool
    };
    let mut publint = tool("publint/src/cli.js");
    publint.arg(archive).arg("--strict");
    run(publint)?;
    let mut types = tool("@arethetypeswrong/cli/dist/index.js");
    // Modules of WebAssembly have no types.
    types.arg(archive).args(["--profile", "esm-only", "--exclude-entrypoints", "wasm", "ledger.wasm", "finalize.wasm"]);
    types.args(["--format", "ascii", "--no-emoji", "--no-color"]);
    run(types)?;
    let mut tsc = tool("typescript/bin/tsc");
    tsc.args(["-p", "tsconfig.json"]).current_dir(app);
    run(tsc)
}

/// Builds a page that uses the package with Vite, and opens it in a browser.
pub(crate) fn browser(archive: &Path) -> Result {
    if env::var_os("CHROMIUM").is_none() && !Path::new(CHROMIUM).is_file() {
        debian::install(&["chromium"])
            .map_err(|why| format!("no browser: {why}; set CHROMIUM to the path of a Chromium or Chrome"))?;
    }
    let app = installed(&tools("test", &TOOLS)?.join("app"), archive)?;
    let mut node = Command::new("node");
    node.arg("browser.mjs").current_dir(app.join("app"));
    run(node)
}

/// Runs the package's benchmarks with Node.
pub(crate) fn bench() -> Result {
    let folder = installed(&root().join("target/npm/bench"), &build()?)?;
    copy_all(&root().join("wasm/bench"), &folder)?;
    let mut node = Command::new("node");
    node.arg("faces.mjs").current_dir(&folder).env("TOOLPRISM_ROOT", root());
    run(node)
}

/// An empty folder, then the package of the archive and the tests in it.
fn installed(folder: &Path, archive: &Path) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    copy_all(&root().join("wasm/test"), folder)?;
    fs::write(folder.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n")
        .map_err(|error| format!("cannot write in {}: {error}", folder.display()))?;
    let mut install = npm(&["install", "--silent", "--offline"]);
    install.arg(archive).current_dir(folder);
    run(install)?;
    Ok(folder.to_owned())
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    Ok(files)
}
