//! `toolprism-pack MODULE FOLDER NAME`: from what the compiler made of `toolprism-wasm`, `NAME.js` and `NAME_bg.wasm` in FOLDER.
//!
//! A program of its own, so that `xtask` needs no dependencies.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [module, folder, name] = args.as_slice() else {
        eprintln!("usage: toolprism-pack MODULE FOLDER NAME");
        return ExitCode::FAILURE;
    };
    // Where the module lies is for the package's own entries to say: they differ from host to host.
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(false).out_name(name).omit_default_module_path(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("toolprism-pack: {module}: {why:#}");
            ExitCode::FAILURE
        }
    }
}
