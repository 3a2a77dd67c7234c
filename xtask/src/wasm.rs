//! Code for wasm32: finds what this machine can build it with.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::bare::{DEBIAN_PACKAGES, DEBIAN_RUSTC, holds_core, target_installed};
use crate::process::{cargo, run, stdout, target_dir};

/// The target of everything made for browsers and hosts of components.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The manifest of the empty crate that the standard library is built for.
const EMPTY: &str = "[package]\nname = \"empty\"\nedition = \"2021\"\n[workspace]\n\
                     [profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n";

/// A compiler that has the standard library for [`TARGET`].
pub(crate) struct Toolchain {
    settings: Vec<(&'static str, OsString)>,
}

impl Toolchain {
    /// The target as installed, or Debian's compiler with the standard library that is built once from its source.
    pub(crate) fn find() -> Result<Self> {
        if target_installed(TARGET) {
            return Ok(Toolchain { settings: Vec::new() });
        }
        let version = debian_version().ok_or_else(missing)?;
        let sysroot = target_dir()?.join("wasm-sysroot").join(version);
        let library = sysroot.join("lib/rustlib").join(TARGET).join("lib");
        if !holds_core(&library) {
            build_std(&sysroot.join("build"), &library)?;
        }
        let flags = format!("--sysroot {}", sysroot.display());
        Ok(Toolchain {
            settings: vec![
                ("RUSTC", DEBIAN_RUSTC.into()),
                ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker()?.into()),
                ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.into()),
            ],
        })
    }

    /// Builds a package for release and says where its module lies. Its target folder is one of its own: another compiler in
    /// the shared one would throw its content away.
    pub(crate) fn build(&self, package: &str) -> Result<PathBuf> {
        let target = target_dir()?.join("wasm");
        let mut build = cargo(["build", "--release", "--target", TARGET, "-p", package]);
        build.env("CARGO_TARGET_DIR", &target).envs(self.settings.iter().map(|(key, value)| (key, value)));
        run(build)?;
        Ok(target.join(TARGET).join("release").join(package.replace('-', "_")).with_extension("wasm"))
    }
}

fn missing() -> String {
    format!(
        "no standard library for {TARGET}. Either of these gets it:\n  rustup target add {TARGET}\n  \
         apt-get install {}   (on Debian, as root)",
        DEBIAN_PACKAGES.join(" ")
    )
}

/// The version of Debian's compiler, if the source of its standard library is there.
fn debian_version() -> Option<String> {
    let ask = |args: &[&str]| {
        let mut rustc = Command::new(DEBIAN_RUSTC);
        rustc.args(args);
        Path::new(DEBIAN_RUSTC).is_file().then(|| stdout(rustc).ok()).flatten()
    };
    let sysroot = ask(&["--print", "sysroot"])?;
    let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std");
    let about = ask(&["-vV"])?;
    let version = about.lines().find_map(|line| line.strip_prefix("release: "))?;
    source.is_dir().then(|| version.to_owned())
}

/// rustup's own linker, which knows wasm, or one of the system's.
fn linker() -> Result<PathBuf> {
    let ask = |args: &[&str]| {
        let mut rustc = Command::new("rustc");
        rustc.args(args);
        stdout(rustc)
    };
    let (sysroot, about) = (ask(&["--print", "sysroot"])?, ask(&["-vV"])?);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let own = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    let path = env::var_os("PATH").unwrap_or_default();
    let system = ["wasm-ld", "wasm-ld-22", "wasm-ld-21", "wasm-ld-20", "wasm-ld-19"];
    let system = system.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    [own]
        .into_iter()
        .chain(system)
        .find(|linker| linker.is_file())
        .ok_or_else(|| "no linker for wasm: rustup's toolchains have one, and so has Debian's package lld".to_owned())
}

/// Builds the standard library in the folder `build`, and puts it into the folder `library`.
fn build_std(build: &Path, library: &Path) -> Result {
    eprintln!("building the standard library for {TARGET}, once");
    let failed = |error| format!("cannot build the standard library in {}: {error}", build.display());
    fs::create_dir_all(build.join("src")).map_err(failed)?;
    fs::write(build.join("Cargo.toml"), EMPTY).map_err(failed)?;
    fs::write(build.join("src/lib.rs"), "").map_err(failed)?;
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.args(["build", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort"]).current_dir(build);
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", DEBIAN_RUSTC).env("CARGO_TARGET_DIR", build.join("target"));
    // Without its bitcode it takes no part in link-time optimisation.
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Cembed-bitcode=yes");
    for inherited in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTFLAGS"] {
        cargo.env_remove(inherited);
    }
    run(cargo)?;
    take_over(&build.join("target").join(TARGET).join("release/deps"), library).map_err(failed)?;
    fs::remove_dir_all(build).map_err(failed)
}

/// Copies the libraries; `core` comes last, for its presence says that all are there.
fn take_over(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(from)? {
        names.extend(entry?.file_name().into_string());
    }
    names.retain(|name| name.ends_with(".rlib") && !name.starts_with("libempty"));
    names.sort_by_key(|name| name.starts_with("libcore-"));
    names.iter().try_for_each(|name| fs::copy(from.join(name), to.join(name)).map(|_| ()))
}
