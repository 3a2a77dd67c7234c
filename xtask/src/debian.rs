//! What rustup cannot give on a machine without its servers, from Debian: the standard library's source, a browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::process::{run, stdout, succeeds};

/// The compiler of Debian's packages, which come with the source of the standard library.
pub(crate) const RUSTC: &str = "/usr/bin/rustc";
const SOURCE_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// Whether rustup has the standard library of `target`, or gets it now.
pub(crate) fn from_rustup(target: &str) -> bool {
    target_installed(target) || (add_target(target) && target_installed(target))
}

fn target_installed(target: &str) -> bool {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", target]);
    stdout(rustc).is_ok_and(|folder| holds_core(Path::new(folder.trim())))
}

/// Whether a folder of libraries holds `core`.
pub(crate) fn holds_core(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

fn add_target(target: &str) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]);
    run(rustup).is_ok()
}

fn has_source() -> bool {
    if !Path::new(RUSTC).is_file() {
        return false;
    }
    let mut rustc = Command::new(RUSTC);
    rustc.args(["--print", "sysroot"]);
    let source = stdout(rustc).map(|sysroot| PathBuf::from(sysroot.trim()).join("lib/rustlib/src/rust/library/core"));
    source.is_ok_and(|source| source.is_dir())
}

/// Sees to it that the source of the standard library is there, to build it for `target`.
pub(crate) fn need_source(target: &str) -> Result {
    if has_source() {
        return Ok(());
    }
    install(&SOURCE_PACKAGES).map_err(|why| {
        format!(
            "no standard library for {target}: {why}. Either of these gets it:\n  \
             rustup target add {target}\n  apt-get install {}   (on Debian, as root)",
            SOURCE_PACKAGES.join(" ")
        )
    })
}

/// Installs Debian's packages; an error if this is no Debian, or the user may not.
pub(crate) fn install(packages: &[&str]) -> Result {
    let mut id = Command::new("id");
    id.arg("-u");
    let root_user = stdout(id).is_ok_and(|user| user.trim() == "0");
    let mut apt = Command::new("apt-get");
    apt.arg("--version");
    if !(root_user && succeeds(apt)) {
        return Err("it takes Debian and its administrator to install packages".into());
    }
    for args in [&["update"][..], &["install", "-y", "--no-install-recommends"]] {
        let mut apt = Command::new("apt-get");
        apt.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        if args.contains(&"install") {
            apt.args(packages);
        }
        run(apt)?;
    }
    Ok(())
}

/// Debian's cargo and compiler, kept from rustup's settings.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", RUSTC);
    for inherited in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTFLAGS"] {
        cargo.env_remove(inherited);
    }
    cargo
}
