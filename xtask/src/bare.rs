//! The proof that crates are `no_std`: each is built for a target that has no `std`. The core's has no atomic
//! read-modify-write either; what shares data between threads needs that, so its target has it.
//!
//! A build for the host proves nothing, since there `std` is at hand and features of the workspace add up.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::process::{cargo, root, run, stdout, succeeds, target_dir};

/// A crate, and the target that it is built for.
struct Bare {
    package: &'static str,
    target: &'static str,
}

const CRATES: [Bare; 3] = [
    Bare { package: "toolprism", target: "thumbv6m-none-eabi" },
    Bare { package: "toolprism-repair", target: "thumbv7m-none-eabi" },
    Bare { package: "toolprism-facade", target: "thumbv7m-none-eabi" },
];

/// The compiler of Debian's packages, which come with the source of the standard library.
pub(crate) const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
pub(crate) const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// Builds each crate for its bare target with the first of these that can be had: the target as installed, as installed now
/// by rustup, or its `core` and `alloc` built from Debian's source.
pub(crate) fn prove() -> Result {
    CRATES.iter().try_for_each(Bare::prove)
}

impl Bare {
    fn prove(&self) -> Result {
        let target = self.target;
        if target_installed(target) || (add_target(target) && target_installed(target)) {
            return run(cargo(self.build()));
        }
        eprintln!("no core library for {target} from rustup; trying Debian's source of it");
        if !debian_source() {
            install_debian_source(target)?;
        }
        run(debian_cargo(self.build())?)
    }

    fn build(&self) -> [&'static str; 6] {
        ["build", "-p", self.package, "--no-default-features", "--target", self.target]
    }
}

pub(crate) fn target_installed(target: &str) -> bool {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", target]);
    stdout(rustc).is_ok_and(|folder| holds_core(Path::new(folder.trim())))
}

pub(crate) fn holds_core(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

fn add_target(target: &str) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]);
    run(rustup).is_ok()
}

fn debian_source() -> bool {
    if !Path::new(DEBIAN_RUSTC).is_file() {
        return false;
    }
    let mut rustc = Command::new(DEBIAN_RUSTC);
    rustc.args(["--print", "sysroot"]);
    let source = stdout(rustc).map(|sysroot| PathBuf::from(sysroot.trim()).join("lib/rustlib/src/rust/library/core"));
    source.is_ok_and(|source| source.is_dir())
}

fn install_debian_source(target: &str) -> Result {
    let mut id = Command::new("id");
    id.arg("-u");
    let root_user = stdout(id).is_ok_and(|user| user.trim() == "0");
    let mut apt = Command::new("apt-get");
    apt.arg("--version");
    if !(root_user && succeeds(apt)) {
        return Err(format!(
            "no core library for {target}, which the proof of no_std builds for. Either of these gets it:\n  \
             rustup target add {target}\n  apt-get install {}   (on Debian, as root)",
            DEBIAN_PACKAGES.join(" ")
        ));
    }
    for args in [&["update"][..], &["install", "-y", "--no-install-recommends"]] {
        let mut apt = Command::new("apt-get");
        apt.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        if args.contains(&"install") {
            apt.args(DEBIAN_PACKAGES);
        }
        run(apt)?;
    }
    Ok(())
}

/// Debian's cargo and compiler, kept from rustup's settings, with a target folder of their own: another compiler in the
/// shared one would throw its content away.
fn debian_cargo(build: [&str; 6]) -> Result<Command> {
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.args(build).arg("-Zbuild-std=core,alloc").current_dir(root());
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", DEBIAN_RUSTC).env("CARGO_TARGET_DIR", target_dir()?.join("nostd"));
    for inherited in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTFLAGS"] {
        cargo.env_remove(inherited);
    }
    Ok(cargo)
}
