//! The npm package as a stranger uses it: installed from its archive into an empty folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm::{build, copy, copy_all, npm, tools};
use crate::process::{root, run};
use crate::{Result, debian};

const TOOLS: [&str; 8] = [
    "vite@8.4.0",
    "webpack@5.113.0",
    "playwright-core@1.65.1",
    "esbuild@0.28.2",
    "workerd@1.20261117.1",
    "publint@0.3.25",
    "@arethetypeswrong/cli@0.18.5",
    "typescript@7.0.2",
];

const RUNTIMES: [&str; 2] = ["deno@2.9.6", "bun@1.4.5"];

/// What tools are defined with, and served with.
const CONTRACT: [&str; 3] = ["zod@4.6.7", "@modelcontextprotocol/sdk@1.32.2", "typescript@7.0.2"];

const NEXT: [&str; 4] = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1", "playwright-core@1.65.1"];

/// What the package's streaming arguments are measured beside.
const PEER: &str = "ai@7.0.173";

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
    types.arg(archive).args([
        "--profile",
        "esm-only",
        "--exclude-entrypoints",
        "wasm",
        "ledger.wasm",
        "finalize.wasm",
        "live.wasm",
        "contract.wasm",
    ]);
    types.args(["--format", "ascii", "--no-emoji", "--no-color"]);
    run(types)?;
    let mut tsc = tool("typescript/bin/tsc");
    tsc.args(["-p", "tsconfig.json"]).current_dir(app);
    run(tsc)
}

/// Runs the tests of tools that are defined with other packages, and the walk in `docs/`.
pub(crate) fn contract(archive: &Path) -> Result {
    let folder = tools("contract", &CONTRACT)?;
    let app = installed(&folder.join("app"), archive)?.join("contract");
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter=dot"]).args(test_files(&app)?);
    tests.current_dir(&app).env("TOOLPRISM_ROOT", root());
    run(tests)?;
    let mut tsc = Command::new("node");
    tsc.arg(folder.join("node_modules/typescript/bin/tsc")).args(["-p", "tsconfig.json"]).current_dir(&app);
    run(tsc)
}

/// Runs the same tests in Deno and Bun.
pub(crate) fn runtimes(archive: &Path) -> Result {
    let tools = tools("runtimes", &RUNTIMES)?;
    let folder = installed(&tools.join("app"), archive)?;
    let runtime = |name: &str, args: &[&str]| {
        let mut runtime = Command::new(tools.join("node_modules/.bin").join(name));
        runtime.args(args).current_dir(&folder).env("TOOLPRISM_ROOT", root());
        runtime
            .env("NO_COLOR", "1")
            .env("DO_NOT_TRACK", "1")
            .env("DENO_NO_UPDATE_CHECK", "1")
            .env("DENO_DIR", tools.join("deno"));
        runtime
    };
    // How much memory the modules use is the same everywhere.
    let files = test_files(&folder)?.into_iter().filter(|file| !file.ends_with("memory.test.mjs"));
    let files: Vec<_> = files.collect();
    let mut deno = runtime("deno", &["test", "--allow-all", "--no-check", "--reporter=dot"]);
    deno.args(&files);
    run(deno)?;
    // Bun runs all files in one process, in which modules that one file has loaded would be there for the next.
    files.iter().try_for_each(|file| {
        let mut bun = runtime("bun", &["test", "--dots", "--timeout", "60000"]);
        bun.arg(file);
        run(bun)
    })
}

/// Bundles programs for Node and for workerd with esbuild, and runs them there.
pub(crate) fn bundled(archive: &Path) -> Result {
    let folder = installed(&tools("test", &TOOLS)?.join("app"), archive)?.join("bundled");
    script("node.mjs", &folder)?;
    script("workerd.mjs", &folder)
}

/// Builds a page that uses the package, with Vite and with webpack, and opens it in a browser.
pub(crate) fn browser(archive: &Path) -> Result {
    need_browser()?;
    let app = installed(&tools("test", &TOOLS)?.join("app"), archive)?;
    script("browser.mjs", &app.join("app"))
}

/// Builds an app with Next.js, starts it, and opens it in a browser.
pub(crate) fn next(archive: &Path) -> Result {
    need_browser()?;
    let folder = tools("next", &NEXT)?;
    let app = folder.join("app");
    for old in [&app, &folder.join("node_modules/toolprism")] {
        let _ = fs::remove_dir_all(old);
    }
    copy_all(&root().join("wasm/test/next"), &app)?;
    copy(&root().join("wasm/test/answers.mjs"), &app)?;
    let mut install = npm(&["install", "--silent", "--offline", "--no-save"]);
    install.arg(archive).current_dir(&folder);
    run(install)?;
    script("check.mjs", &app)
}

/// Sees to it that there is a browser.
pub(crate) fn need_browser() -> Result {
    if env::var_os("CHROMIUM").is_some() || Path::new(CHROMIUM).is_file() {
        return Ok(());
    }
    debian::install(&["chromium"])
        .map_err(|why| format!("no browser: {why}; set CHROMIUM to the path of a Chromium or Chrome"))
}

/// Runs a script with Node in its folder.
fn script(name: &str, folder: &Path) -> Result {
    let mut node = Command::new("node");
    node.arg(name).current_dir(folder);
    run(node)
}

/// Runs the package's benchmarks with Node.
pub(crate) fn bench() -> Result {
    let folder = installed(&root().join("target/npm/bench"), &build()?)?;
    copy_all(&root().join("wasm/bench"), &folder)?;
    let mut peer = npm(&["install", "--silent", "--no-save", PEER]);
    peer.current_dir(&folder);
    if let Err(why) = run(peer) {
        eprintln!("{PEER} is not measured: {why}");
    }
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
