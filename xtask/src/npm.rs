//! The npm package `toolprism`: built into `dist/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::process::{cargo, root, run, stdout};
use crate::wasm::Toolchain;

const WASM_OPT: &str = "binaryen@132.0.0";

/// The modules of the package, by the features that make them, and the profiles they are built with.
const MODULES: [(&str, &str); 5] =
    [("identity", "wasm-fast"), ("ledger", "wasm-fast"), ("finalize", "wasm"), ("live", "wasm"), ("contract", "wasm")];

/// Builds the package, and says where its archive lies.
pub(crate) fn build() -> Result<PathBuf> {
    let (wasm, package) = (root().join("wasm"), root().join("target/npm/toolprism"));
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(&package).map_err(|error| format!("cannot make {}: {error}", package.display()))?;
    let toolchain = Toolchain::find()?;
    for (feature, profile) in MODULES {
        let built = toolchain.build("toolprism-wasm", feature, profile)?;
        let glue = format!("{feature}_glue");
        let mut pack = cargo(["run", "--quiet", "-p", "toolprism-pack", "--"]);
        pack.arg(built).arg(&package).arg(&glue);
        run(pack)?;
        let module = package.join(format!("{feature}.wasm"));
        optimise(&package.join(format!("{glue}_bg.wasm")), &module)?;
        let mut text = Command::new("node");
        text.arg(wasm.join("pack/text.mjs")).arg(module).arg(package.join(format!("{feature}_text.js")));
        run(text)?;
    }
    copy_all(&wasm.join("js"), &package)?;
    for file in ["package.json", "README.md"] {
        copy(&wasm.join(file), &package)?;
    }
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(file), &package)?;
    }
    let dist = root().join("dist");
    fs::create_dir_all(&dist).map_err(|error| format!("cannot make {}: {error}", dist.display()))?;
    let mut npm = npm(&["pack", "--silent", "--pack-destination"]);
    npm.arg(&dist).current_dir(&package);
    let archive = dist.join(stdout(npm)?.trim());
    eprintln!("built {}", archive.display());
    Ok(archive)
}

/// `npm` with these arguments, without its questions to the world.
pub(crate) fn npm(args: &[&str]) -> Command {
    let mut npm = Command::new("npm");
    npm.args(args).env("NPM_CONFIG_AUDIT", "false").env("NPM_CONFIG_FUND", "false");
    npm.env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
    npm
}

/// A folder with these packages (`name@version`) installed, made where it is not there yet.
pub(crate) fn tools(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = root().join("target/npm-tools").join(name);
    let wanted = packages.join("\n");
    let list = folder.join("installed.txt");
    if fs::read_to_string(&list).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    let failed = |error: std::io::Error| format!("cannot write in {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(folder.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n").map_err(failed)?;
    let mut install = npm(&["install", "--silent", "--save-exact"]);
    install.args(packages).current_dir(&folder);
    run(install)?;
    fs::write(list, wanted).map_err(failed)?;
    Ok(folder)
}

/// Moves a module, optimised where the optimiser can be had: without it, the module is only larger.
fn optimise(module: &Path, to: &Path) -> Result {
    let optimised = tools("build", &[WASM_OPT]).and_then(|folder| {
        let mut optimiser = Command::new("node");
        // Not `--all-features`: with it comes what engines do not read. What the module uses, it says itself.
        optimiser.arg(folder.join("node_modules/binaryen/bin/wasm-opt")).arg("-O3").arg(module).arg("-o").arg(to);
        run(optimiser)
    });
    let done = match optimised {
        Ok(()) => fs::remove_file(module),
        Err(why) => {
            eprintln!("{} is not optimised: {why}", to.display());
            fs::rename(module, to)
        }
    };
    done.map_err(|error| format!("cannot put {} into its place: {error}", to.display()))
}

/// Copies a file into a folder.
pub(crate) fn copy(file: &Path, folder: &Path) -> Result {
    let to = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, to).map_err(|error| format!("cannot copy {}: {error}", file.display()))?;
    Ok(())
}

/// Copies the files of a folder, and those in its folders, into another.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result {
    let failed = |error: std::io::Error| format!("cannot copy {}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            copy_all(&path, &to.join(path.file_name().unwrap_or_default()))?;
        } else {
            copy(&path, to)?;
        }
    }
    Ok(())
}
