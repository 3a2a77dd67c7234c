//! `cargo xtask test`: every check of the project.

use std::process::Command;

use crate::process::{self, cargo, succeeds};
use crate::steps::Steps;
use crate::{Result, agents, bare, component, mcp, node, npm, npm_test, playground, python, ui_test};

/// Runs all steps; `full` adds the slow ones.
pub(crate) fn run(full: bool) -> Result {
    let mut steps = Steps::default();
    steps.step("format", || process::run(cargo(["fmt", "--all", "--check"])));
    steps.step("lints", || {
        process::run(cargo(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
    });
    steps.step("tests", tests);
    steps.step("doc tests", || process::run(cargo(["test", "--doc", "--workspace", "--all-features"])));
    steps.step("docs", || {
        let mut doc = cargo(["doc", "--workspace", "--no-deps", "--all-features"]);
        doc.env("RUSTDOCFLAGS", "-Dwarnings");
        process::run(doc)
    });
    steps.step("no_std", bare::prove);
    npm_steps(&mut steps, full);
    steps.step("node", || node::test(full));
    steps.step("python", || python::test(full));
    steps.step("component", || component::test(full));
    steps.step("agents", || agents::test(full));
    steps.step("MCP", mcp::test);
    if full {
        steps.step("features", features);
        // The benchmarks stand outside the workspace, so that its checks do not wait for the peers they compare with.
        steps.step("benchmarks", || {
            let manifest = "bench/Cargo.toml";
            process::run(cargo(["clippy", "--manifest-path", manifest, "--all-targets", "--", "-D", "warnings"]))
        });
        steps.step("component in Rust", component::test_rust);
        steps.step("wheel for older systems", python::test_portable);
        steps.step("package", package);
    }
    steps.finish()
}

/// Tells a test of memory how many calls to make, if not as many as it makes by itself.
pub(crate) fn rounds(mut command: Command, full: bool) -> Command {
    if full {
        command.env("TOOLPRISM_ROUNDS", "1000000");
    }
    command
}

/// Runs the steps of the npm package alone.
pub(crate) fn npm(full: bool) -> Result {
    let mut steps = Steps::default();
    npm_steps(&mut steps, full);
    steps.finish()
}

fn npm_steps(steps: &mut Steps, full: bool) {
    let mut built = Err("it was not built".to_owned());
    steps.step("npm package", || {
        built = npm::build();
        built.as_ref().map(|_| ()).map_err(Clone::clone)
    });
    let archive = || built.as_deref().map_err(Clone::clone);
    steps.step("npm package in Node", || npm_test::node(archive()?));
    steps.step("npm package's lints and types", || npm_test::lints(archive()?));
    steps.step("npm package's tools", || npm_test::contract(archive()?));
    steps.step("npm package in Deno and Bun", || npm_test::runtimes(archive()?));
    steps.step("npm package in a browser", || npm_test::browser(archive()?));
    steps.step("npm package in bundles", || npm_test::bundled(archive()?));
    steps.step("npm package in user interfaces", || ui_test::test(archive()?));
    steps.step("playground", || playground::test(archive()?));
    if full {
        steps.step("npm package in Next.js", || npm_test::next(archive()?));
    }
}

fn tests() -> Result {
    if succeeds(cargo(["nextest", "--version"])) {
        process::run(cargo(["nextest", "run", "--workspace", "--all-features"]))
    } else {
        process::run(cargo(["test", "--workspace", "--all-features", "--lib", "--bins", "--tests"]))
    }
}

/// Each crate with each set of features by itself: in a build of the whole workspace features add up.
fn features() -> Result {
    for (package, sets) in [
        ("toolprism", &["", "std", "schema"][..]),
        ("toolprism-repair", &["", "std"]),
        ("toolprism-facade", &["", "std", "contract"]),
        ("toolprism-contract", &[""]),
        ("toolprism-mcp", &[""]),
    ] {
        for features in sets {
            let mut clippy = cargo(["clippy", "-p", package, "--all-targets", "--no-default-features"]);
            clippy.args(["--features", features, "--", "-D", "warnings"]);
            process::run(clippy)?;
        }
    }
    Ok(())
}

/// Builds the crates from the archives that would be published, so that a file outside of one is missed.
fn package() -> Result {
    process::run(cargo([
        "package",
        "-p",
        "toolprism",
        "-p",
        "toolprism-repair",
        "-p",
        "toolprism-facade",
        "-p",
        "toolprism-contract",
        "-p",
        "toolprism-mcp",
        "--allow-dirty",
    ]))
}
