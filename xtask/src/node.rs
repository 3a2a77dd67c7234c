//! The addon for Node: its npm packages, and their tests.
//!
//! `@toolprism/node` holds JavaScript only. Each platform's binary is a package of its own, of which npm installs the one
//! that fits.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::npm::{copy, copy_all, npm};
use crate::process::{cargo, root, run, stdout, target_dir};
use crate::test::rounds;

/// A platform that npm can tell, and Rust's name for it.
struct Platform {
    name: &'static str,
    triple: &'static str,
    os: &'static str,
    cpu: &'static str,
    libc: Option<&'static str>,
}

impl Platform {
    const fn new(name: &'static str, triple: &'static str, os: &'static str, cpu: &'static str) -> Self {
        Platform { name, triple, os, cpu, libc: None }
    }

    const fn linux(name: &'static str, triple: &'static str, cpu: &'static str, libc: &'static str) -> Self {
        Platform { libc: Some(libc), ..Platform::new(name, triple, "linux", cpu) }
    }
}

const PLATFORMS: [Platform; 7] = [
    Platform::linux("linux-x64-gnu", "x86_64-unknown-linux-gnu", "x64", "glibc"),
    Platform::linux("linux-x64-musl", "x86_64-unknown-linux-musl", "x64", "musl"),
    Platform::linux("linux-arm64-gnu", "aarch64-unknown-linux-gnu", "arm64", "glibc"),
    Platform::linux("linux-arm64-musl", "aarch64-unknown-linux-musl", "arm64", "musl"),
    Platform::new("darwin-x64", "x86_64-apple-darwin", "darwin", "x64"),
    Platform::new("darwin-arm64", "aarch64-apple-darwin", "darwin", "arm64"),
    Platform::new("win32-x64-msvc", "x86_64-pc-windows-msvc", "win32", "x64"),
];

/// What the package takes from `node/` as it is, besides `lib/`.
const FILES: [&str; 5] = ["package.json", "index.js", "index.d.ts", "contract.js", "README.md"];

/// The types, which both npm packages share, and what is the same of their JavaScript, which goes to `lib/`.
const TYPES: [&str; 2] = ["api.d.ts", "contract.d.ts"];
const SHARED: [&str; 11] = [
    "contract.js",
    "error.js",
    "finalize.js",
    "finder.js",
    "handle.js",
    "identity.js",
    "ledger.js",
    "partial.js",
    "scan.js",
    "source.js",
    "stamper.js",
];

/// Makes the package and that of a platform's binary, the host's if no triple is given, in `dist/`.
pub(crate) fn build(triple: Option<&str>) -> Result<Vec<PathBuf>> {
    let platform = platform(triple)?;
    let version = version()?;
    check(&version)?;
    let binary = compile(platform, triple)?;
    let dist = root().join("dist");
    make(&dist)?;
    let archives = [pack(&package()?, &dist)?, pack(&binary_package(platform, &binary, &version)?, &dist)?];
    for archive in &archives {
        eprintln!("built {}", archive.display());
    }
    Ok(archives.into())
}

/// The tests of the npm package `toolprism` that hold for this one as well.
const SHARED_TESTS: [&str; 8] = [
    "bad-input.test.mjs",
    "calls.test.mjs",
    "contract.test.mjs",
    "finalize.test.mjs",
    "ledger.test.mjs",
    "logs.test.mjs",
    "partial.test.mjs",
    "scan.test.mjs",
];

/// Makes the packages, installs them in an empty folder and runs their tests there.
pub(crate) fn test(full: bool) -> Result {
    let folder = installed()?;
    copy_all(&root().join("node/test"), &folder.join("test"))?;
    for name in SHARED_TESTS {
        let test = read(&root().join("wasm/test").join(name))?;
        let own = test.replace("from 'toolprism", "from '@toolprism/node");
        write(&folder.join("test").join(format!("shared-{name}")), &own)?;
    }
    let mut node = node(&folder);
    node.args(["--test", "--test-reporter=dot", "--expose-gc", "test/"]);
    run(rounds(node, full))
}

/// Measures the installed package beside plain JavaScript.
pub(crate) fn bench() -> Result {
    let folder = installed()?;
    copy_all(&root().join("node/bench"), &folder)?;
    let mut bench = node(&folder);
    bench.arg("bench.mjs");
    run(bench)
}

/// An empty folder with the packages in it.
fn installed() -> Result<PathBuf> {
    let archives = build(None)?;
    let folder = root().join("target/node-test");
    // What an earlier run has left must not help this one.
    let _ = fs::remove_dir_all(&folder);
    make(&folder)?;
    write(&folder.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
    // Offline: the binaries of other platforms need not be published yet.
    let mut install = npm(&["install", "--silent", "--offline"]);
    install.args(archives).current_dir(&folder);
    run(install)?;
    Ok(folder)
}

fn node(folder: &Path) -> Command {
    let mut node = Command::new("node");
    node.current_dir(folder).env("TOOLPRISM_ROOT", root());
    node
}

fn platform(triple: Option<&str>) -> Result<&'static Platform> {
    let host = match triple {
        Some(triple) => triple.to_owned(),
        None => {
            let about = stdout(rustc())?;
            about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned()
        }
    };
    PLATFORMS.iter().find(|platform| platform.triple == host).ok_or_else(|| {
        let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.triple).collect();
        format!("there is no package for {host}; known are: {}", known.join(", "))
    })
}

fn rustc() -> Command {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV").current_dir(root());
    rustc
}

fn compile(platform: &Platform, triple: Option<&str>) -> Result<PathBuf> {
    let mut build = cargo(["build", "--profile", "addon", "-p", "toolprism-node"]);
    let mut folder = target_dir()?;
    if let Some(triple) = triple {
        build.args(["--target", triple]);
        if platform.libc == Some("musl") {
            // An addon is a library, which links to the libc of the program that loads it.
            let name = format!("CARGO_TARGET_{}_RUSTFLAGS", triple.to_uppercase().replace('-', "_"));
            build.env(name, "-Ctarget-feature=-crt-static");
        }
        folder.push(triple);
    }
    run(build)?;
    let (prefix, suffix) = match platform.os {
        _ if triple.is_none() => (DLL_PREFIX, DLL_SUFFIX),
        "win32" => ("", ".dll"),
        "darwin" => ("lib", ".dylib"),
        _ => ("lib", ".so"),
    };
    Ok(folder.join("addon").join(format!("{prefix}toolprism_node{suffix}")))
}

/// The workspace's version.
fn version() -> Result<String> {
    let manifest = read(&root().join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| "Cargo.toml has no version".into())
}

/// Fails if the package's own version, or that of a package it wants, is not the workspace's.
fn check(version: &str) -> Result {
    let file = root().join("node/package.json");
    let manifest = read(&file)?;
    let mut wanted = vec![format!("\"version\": \"{version}\""), format!("\"toolprism\": \"{version}\"")];
    wanted.extend(PLATFORMS.iter().map(|platform| format!("\"@toolprism/node-{}\": \"{version}\"", platform.name)));
    match wanted.iter().find(|wanted| !manifest.contains(*wanted)) {
        Some(missing) => Err(format!("{} lacks {missing}", file.display())),
        None => Ok(()),
    }
}

/// The folder of the package, as it is published.
fn package() -> Result<PathBuf> {
    let folder = staged("node")?;
    let node = root().join("node");
    for name in FILES {
        copy(&node.join(name), &folder)?;
    }
    let lib = folder.join("lib");
    copy_all(&node.join("lib"), &lib)?;
    for name in SHARED {
        copy(&root().join("wasm/js").join(name), &lib)?;
    }
    for name in TYPES {
        copy(&root().join("wasm/js").join(name), &folder)?;
    }
    Ok(folder)
}

/// The folder of a binary's package.
fn binary_package(platform: &Platform, binary: &Path, version: &str) -> Result<PathBuf> {
    let Platform { name, triple, os, cpu, libc } = platform;
    let folder = staged(&format!("node-{name}"))?;
    fs::copy(binary, folder.join("toolprism.node"))
        .map_err(|error| format!("cannot copy {}: {error}", binary.display()))?;
    let libc = libc.map(|libc| format!("\n  \"libc\": [\"{libc}\"],")).unwrap_or_default();
    let manifest = format!(
        r#"{{
  "name": "@toolprism/node-{name}",
  "version": "{version}",
  "description": "The binary of @toolprism/node for {triple}",
  "license": "MIT OR Apache-2.0",
  "main": "toolprism.node",
  "files": ["toolprism.node", "LICENSE-*"],
  "os": ["{os}"],
  "cpu": ["{cpu}"],{libc}
  "engines": {{ "node": ">=20" }}
}}
"#
    );
    write(&folder.join("package.json"), &manifest)?;
    Ok(folder)
}

/// An empty folder to put a package together in, with the licences.
fn staged(name: &str) -> Result<PathBuf> {
    let folder = root().join("target/npm").join(name);
    let _ = fs::remove_dir_all(&folder);
    make(&folder)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(licence), &folder)?;
    }
    Ok(folder)
}

/// Packs a folder and says where the archive lies.
fn pack(folder: &Path, dist: &Path) -> Result<PathBuf> {
    let mut pack = npm(&["pack", "--silent", "--pack-destination"]);
    pack.arg(dist).current_dir(folder);
    let name = stdout(pack)?;
    Ok(dist.join(name.trim()))
}

fn make(folder: &Path) -> Result {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn write(file: &Path, text: &str) -> Result {
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
