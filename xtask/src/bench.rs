//! `cargo xtask bench`: Toolprism against its peers, in one run.

use std::path::Path;
use std::process::Command;

use crate::process::{cargo, root, run};
use crate::{Result, dist};

/// The peers that are no Rust crates, in the versions that the docs speak of.
const PYTHON_PEER: &str = "json_repair==0.64.6";
const NODE_PEERS: [(&str, &str); 2] = [("jsonrepair", "3.15.0"), ("jsonriver", "1.1.1")];

/// Builds the program and the benchmarks, and runs them: all on logs of so many megabytes, or one part by its name.
pub(crate) fn measure(what: Option<&str>) -> Result {
    if what == Some("contract") {
        return contract();
    }
    let program = dist::release()?;
    install_peers(&root().join("target/peers"));
    let mut bench = cargo(["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--"]);
    bench.arg(program).args(what);
    run(bench)?;
    // All of it, and not another part.
    if what.is_none_or(|what| what.parse::<u64>().is_ok()) { contract() } else { Ok(()) }
}

/// What a call of a tool costs beside the tool.
fn contract() -> Result {
    let bin = ["--bin", "toolprism-bench-contract"];
    run(cargo(["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml"].into_iter().chain(bin)))
}

/// Installs what can be installed; the benchmark says of each peer that is missing that it was not measured.
fn install_peers(folder: &Path) {
    let python = folder.join("venv/bin/python");
    if !python.is_file() {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder.join("venv"));
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_PEER]);
        warn(PYTHON_PEER, run(venv).and_then(|()| run(pip)));
    }
    for (name, version) in NODE_PEERS {
        if !folder.join("node_modules").join(name).is_dir() {
            let mut npm = Command::new("npm");
            let peer = format!("{name}@{version}");
            npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder).arg(&peer);
            warn(&peer, run(npm));
        }
    }
}

fn warn(peer: &str, installed: Result) {
    if let Err(why) = installed {
        eprintln!("bench: {peer} is left out: {why}");
    }
}
