//! `cargo xtask build`: what is released, into `dist/`.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;

use crate::process::{cargo, root, run, target_dir};
use crate::{Result, component, node, npm, python};

/// Builds the program and puts it into `dist/`.
pub(crate) fn build() -> Result {
    let built = release()?;
    let dist = root().join("dist");
    let copy = dist.join(format!("toolprism{EXE_SUFFIX}"));
    fs::create_dir_all(&dist)
        .and_then(|()| fs::copy(&built, &copy))
        .map_err(|error| format!("cannot copy {} to {}: {error}", built.display(), copy.display()))?;
    eprintln!("built {}", copy.display());
    Ok(())
}

/// The program and the packages for other languages.
pub(crate) fn all() -> Result {
    build()?;
    npm::build()?;
    node::build(None)?;
    python::dist()?;
    component::dist()
}

/// Builds the program for release and says where it lies.
pub(crate) fn release() -> Result<PathBuf> {
    run(cargo(["build", "--release", "-p", "toolprism-cli"]))?;
    Ok(target_dir()?.join("release").join(format!("toolprism{EXE_SUFFIX}")))
}
