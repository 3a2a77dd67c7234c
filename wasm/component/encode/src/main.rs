//! Makes a component from a core module that carries its world, checks it and writes it: `encode CORE COMPONENT`.

use std::error::Error;
use std::process::ExitCode;
use std::{env, fs};

use wasmparser::{Parser, Payload, Validator};
use wit_component::ComponentEncoder;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [core, component] = args.as_slice() else {
        eprintln!("usage: encode CORE.wasm COMPONENT.wasm");
        return ExitCode::FAILURE;
    };
    match encode(core, component) {
        Ok(bytes) => {
            eprintln!("{component}: {bytes} bytes");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("no component from {core}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the component and says how long it is.
fn encode(core: &str, component: &str) -> Result<usize, Box<dyn Error>> {
    let bytes = ComponentEncoder::default().module(&fs::read(core)?)?.validate(true).encode()?;
    Validator::new().validate_all(&bytes)?;
    if let Some(import) = first_import(&bytes)? {
        return Err(format!("it imports `{import}`, but it must run where nothing is to be had").into());
    }
    fs::write(component, &bytes)?;
    Ok(bytes.len())
}

/// The name of the component's first import. What the modules inside it import from one another does not count.
fn first_import(component: &[u8]) -> Result<Option<String>, Box<dyn Error>> {
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(imports) if depth == 0 => {
                if let Some(import) = imports.into_iter().next() {
                    return Ok(Some(import?.name.name.to_owned()));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::first_import;

    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    #[test]
    fn an_import_is_found() -> Result<(), Box<dyn std::error::Error>> {
        // The type of an instance without members, and the import of one by the name `a`.
        let importing = [EMPTY, b"\x07\x03\x01\x42\x00", b"\x0a\x06\x01\x00\x01a\x05\x00"].concat();
        wasmparser::Validator::new().validate_all(&importing)?;
        assert_eq!(first_import(&importing)?.as_deref(), Some("a"));
        // The same inside a component is none of the outer one's.
        let outer = [EMPTY, &[4, u8::try_from(importing.len())?], &importing].concat();
        assert_eq!(first_import(&outer)?, None);
        assert_eq!(first_import(EMPTY)?, None);
        Ok(())
    }
}
