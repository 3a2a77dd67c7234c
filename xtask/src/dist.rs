//! `cargo xtask build`: what is released.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{cargo, root, run, target_dir};
use crate::{Result, component};

/// Builds the program and puts it into `dist/`; with `all` the component as well.
pub(crate) fn build(all: bool) -> Result {
    put(&release()?, &format!("toolprism{EXE_SUFFIX}"))?;
    if all {
        put(&component::build()?, "toolprism.component.wasm")?;
    }
    Ok(())
}

fn put(built: &Path, name: &str) -> Result {
    let dist = root().join("dist");
    let copy = dist.join(name);
    fs::create_dir_all(&dist)
        .and_then(|()| fs::copy(built, &copy))
        .map_err(|error| format!("cannot copy {} to {}: {error}", built.display(), copy.display()))?;
    eprintln!("built {}", copy.display());
    Ok(())
}

/// Builds the program for release and says where it lies.
pub(crate) fn release() -> Result<PathBuf> {
    run(cargo(["build", "--release", "-p", "toolprism-cli"]))?;
    Ok(target_dir()?.join("release").join(format!("toolprism{EXE_SUFFIX}")))
}
