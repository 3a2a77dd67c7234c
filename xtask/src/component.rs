//! The WebAssembly component: built, checked, and called from its hosts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::process::{cargo, root, run, target_dir};
use crate::test::rounds;
use crate::wasm::Toolchain;

/// Where the hosts lie that call the component.
const HOSTS: &str = "wasm/component/hosts";

/// Builds the component, validates it and says where it lies.
pub(crate) fn build() -> Result<PathBuf> {
    let module = Toolchain::find()?.build("toolprism-component", "", "wasm")?;
    let smaller = optimised(&module)?;
    let component = module.with_file_name("toolprism.component.wasm");
    let mut encode = cargo(["run", "--quiet", "-p", "toolprism-component-encode", "--"]);
    encode.arg(&smaller).arg(&component);
    run(encode)?;
    Ok(component)
}

/// The module made smaller and faster, which takes a while and is done once for each.
fn optimised(module: &Path) -> Result<PathBuf> {
    let (done, unfinished) = (module.with_extension("opt.wasm"), module.with_extension("opt.part"));
    let time = |file: &Path| fs::metadata(file).and_then(|about| about.modified()).ok();
    if time(&done) > time(module) {
        return Ok(done);
    }
    // What the module may use is written in it. With --all-features binaryen writes what Node 20 does not read.
    let mut optimise = Command::new(node_tools()?.join("node_modules/.bin/wasm-opt"));
    optimise.arg("-O3").arg(module).arg("-o").arg(&unfinished);
    run(optimise)?;
    fs::rename(&unfinished, &done).map_err(|error| format!("cannot write {}: {error}", done.display()))?;
    Ok(done)
}

/// Builds the component into `dist/`.
pub(crate) fn dist() -> Result {
    let (built, dist) = (build()?, root().join("dist"));
    fs::create_dir_all(&dist).map_err(|error| format!("cannot make {}: {error}", dist.display()))?;
    let to = dist.join("toolprism.component.wasm");
    copy(&built, &to)?;
    eprintln!("built {}", to.display());
    Ok(())
}

/// Builds the component and runs the cases that every face runs, in Node and in Python; in Node its memory is watched too.
pub(crate) fn test(full: bool) -> Result {
    let component = build()?;
    let hosts = root().join(HOSTS);
    let tools = node_tools()?;
    const TESTS: [&str; 3] = ["cases.test.js", "memory.test.js", "readme.test.js"];
    for file in ["transpile.js"].into_iter().chain(TESTS) {
        copy(&hosts.join("node").join(file), &tools.join(file))?;
    }
    let mut transpile = Command::new("node");
    transpile.arg("transpile.js").arg(&component).current_dir(&tools);
    run(transpile)?;
    let mut node = Command::new("node");
    node.args(["--expose-gc", "--test", "--test-reporter=dot"]).args(TESTS).current_dir(&tools);
    node.env("TOOLPRISM_ROOT", root());
    run(rounds(node, full))?;
    let mut python = Command::new(python()?);
    python.arg(hosts.join("python/cases.py")).arg(&component);
    run(python)
}

/// Builds the component and runs the same cases in a host in Rust, which takes minutes to compile.
pub(crate) fn test_rust() -> Result {
    let component = build()?;
    let manifest = format!("{HOSTS}/rust/Cargo.toml");
    run(cargo(["fmt", "--check", "--manifest-path", &manifest]))?;
    let mut host = cargo(["run", "--release", "--quiet", "--manifest-path", &manifest, "--"]);
    host.arg(&component).env("CARGO_TARGET_DIR", target_dir()?.join("component/rust"));
    run(host)
}

/// The folder with the packages of the host in Node: the translator, and the optimiser.
fn node_tools() -> Result<PathBuf> {
    let (pinned, folder) = (root().join(HOSTS).join("node"), target_dir()?.join("component/node"));
    install(&pinned.join("package-lock.json"), &folder.join("installed.json"), || {
        fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        for file in ["package.json", "package-lock.json"] {
            copy(&pinned.join(file), &folder.join(file))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(&folder);
        run(npm)
    })?;
    Ok(folder)
}

/// Python with the packages of the host in Python.
fn python() -> Result<PathBuf> {
    let pinned = root().join(HOSTS).join("python/requirements.txt");
    let folder = target_dir()?.join("component/python");
    let python = folder.join("bin/python");
    install(&pinned, &folder.join("installed.txt"), || {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&folder);
        run(venv)?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&pinned);
        run(pip)
    })?;
    Ok(python)
}

/// Installs what `pinned` lists unless it is there already, which its copy says.
fn install(pinned: &Path, installed: &Path, work: impl FnOnce() -> Result) -> Result {
    let read = |file| fs::read(file).ok();
    if read(pinned).is_some_and(|wanted| read(installed) == Some(wanted)) {
        return Ok(());
    }
    work()?;
    copy(pinned, installed)
}

fn copy(from: &Path, to: &Path) -> Result {
    let failed = |error| format!("cannot copy {} to {}: {error}", from.display(), to.display());
    fs::copy(from, to).map(|_| ()).map_err(failed)
}
