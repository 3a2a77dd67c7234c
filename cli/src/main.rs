//! The program `toolprism`; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(toolprism_cli::main(std::env::args_os()))
}
