//! `toolprism schema`: the JSON Schema of the envelope.

use std::io;

use toolprism::meta::SCHEMA;

use crate::Exit;
use crate::output::Output;

pub(crate) fn run() -> io::Result<Exit> {
    let mut out = Output::new();
    out.text(SCHEMA.trim_end())?;
    out.text("\n")?;
    out.flush()?;
    Ok(Exit::Fine)
}
