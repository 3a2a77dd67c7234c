//! `cargo xtask schema`: the envelope's JSON Schema, from the types into the core crate.

use std::fs;
use std::path::PathBuf;

use crate::Result;
use crate::process::{cargo, root, stdout};

/// Writes the schema.
pub(crate) fn write() -> Result {
    let file = file();
    fs::write(&file, generate()?).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    eprintln!("wrote {}", file.display());
    Ok(())
}

/// Fails if the schema in the folder is not the one the types give.
pub(crate) fn check() -> Result {
    let file = file();
    let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    if text == generate()? {
        return Ok(());
    }
    Err(format!("{} is out of date; run `cargo xtask schema` and look at the difference", file.display()))
}

fn file() -> PathBuf {
    root().join("core/schema/tool_meta.schema.json")
}

/// An example of the core prints it, so that this program builds without the core.
fn generate() -> Result<String> {
    stdout(cargo(["run", "--quiet", "-p", "toolprism", "--features", "schema", "--example", "schema"]))
}
