//! Building for `wasm32-unknown-unknown`: with rustup's standard library where it can be had, else with Debian's, which is
//! built once into a folder of its own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, root, run, stdout};
use crate::{Result, debian};

const TARGET: &str = "wasm32-unknown-unknown";
const FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Every engine in use has it since 2023; logs are read faster with it.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// What a build for the target needs in its environment; nothing where rustup has the target.
pub(crate) struct Toolchain {
    settings: Vec<(&'static str, OsString)>,
}

impl Toolchain {
    /// The first one that can be had.
    pub(crate) fn find() -> Result<Self> {
        if debian::from_rustup(TARGET) {
            return Ok(Toolchain { settings: vec![(FLAGS, SIMD.into())] });
        }
        debian::need_source(TARGET)?;
        let mut version = Command::new(debian::RUSTC);
        version.arg("--version");
        let version = stdout(version)?;
        let version = version.split_whitespace().nth(1).unwrap_or("unknown");
        let sysroot = root().join("target/wasm-sysroot").join(version);
        let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
        if !debian::holds_core(&libraries) {
            build_std(&sysroot.join("build"), &libraries)?;
        }
        let flags = format!("{SIMD} --sysroot {}", sysroot.display());
        let settings = vec![
            ("RUSTC", debian::RUSTC.into()),
            ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker()?.into()),
            (FLAGS, flags.into()),
        ];
        Ok(Toolchain { settings })
    }

    /// Builds the library of a package, and says where the module lies.
    pub(crate) fn build(&self, package: &str, features: &str, profile: &str) -> Result<PathBuf> {
        let target = root().join("target/wasm");
        let mut build = cargo(["build", "--profile", profile, "-p", package, "--target", TARGET]);
        build.args(["--no-default-features", "--features", features]);
        // Another compiler in the shared folder would throw its content away.
        build.env("CARGO_TARGET_DIR", &target).envs(self.settings.iter().map(|(name, value)| (name, value)));
        run(build)?;
        Ok(target.join(TARGET).join(profile).join(format!("{}.wasm", package.replace('-', "_"))))
    }
}

/// The linker that comes with rustup's toolchain, or one of LLVM's.
fn linker() -> Result<PathBuf> {
    let ask = |args: &[&str]| {
        let mut rustc = Command::new("rustc");
        rustc.args(args);
        stdout(rustc)
    };
    let sysroot = ask(&["--print", "sysroot"])?;
    let about = ask(&["-vV"])?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let own = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    let others = ["wasm-ld", "wasm-ld-22", "wasm-ld-19"].map(|name| Path::new("/usr/bin").join(name));
    [own].into_iter().chain(others).find(|path| path.is_file()).ok_or_else(|| {
        "no linker for WebAssembly: install a toolchain with rustup, or on Debian `apt-get install lld-22`".into()
    })
}

/// Builds the standard library in `folder`, and copies it to `libraries`.
fn build_std(folder: &Path, libraries: &Path) -> Result {
    eprintln!("building the standard library for {TARGET}, once");
    let failed = |error: std::io::Error| format!("cannot build the standard library in {}: {error}", folder.display());
    let manifest = "[package]\nname = \"empty\"\nedition = \"2021\"\n[workspace]\n\
                    [profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n";
    fs::create_dir_all(folder.join("src")).map_err(failed)?;
    fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::write(folder.join("src/lib.rs"), "").map_err(failed)?;
    let mut build = debian::cargo();
    build.args(["build", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort"]).current_dir(folder);
    // Without bitcode there is no link-time optimisation over it.
    build.env(FLAGS, "-Cembed-bitcode=yes");
    build.env("CARGO_TARGET_DIR", folder.join("target"));
    run(build)?;
    let built = folder.join("target").join(TARGET).join("release/deps");
    let mut found: Vec<PathBuf> = fs::read_dir(built).map_err(failed)?.flatten().map(|entry| entry.path()).collect();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    found.retain(|path| name(path).ends_with(".rlib") && !name(path).starts_with("libempty-"));
    // `core` comes last: its presence says that the folder is complete.
    found.sort_by_key(|path| name(path).starts_with("libcore-"));
    fs::create_dir_all(libraries).map_err(failed)?;
    for path in found {
        fs::copy(&path, libraries.join(name(&path))).map_err(failed)?;
    }
    fs::remove_dir_all(folder).map_err(failed)
}
