//! `cargo xtask test`: every check of the project.

use crate::process::{self, cargo, succeeds};
use crate::steps::Steps;
use crate::{Result, bare, component};

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
    steps.step("component", component::test);
    if full {
        steps.step("features", features);
        // The benchmarks stand outside the workspace, so that its checks do not wait for the peers they compare with.
        steps.step("benchmarks", || {
            let manifest = "bench/Cargo.toml";
            process::run(cargo(["clippy", "--manifest-path", manifest, "--all-targets", "--", "-D", "warnings"]))
        });
        steps.step("component in Rust", component::test_rust);
        steps.step("package", package);
    }
    steps.finish()
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
        ("toolprism-facade", &["", "std"]),
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
        "--allow-dirty",
    ]))
}
