//! The program `toolprism`: reads the logs of coding agents, and shows their tool calls in one language.
//!
//! As a crate it is there for the packages of other languages, which carry the program and find and read logs as it does:
//! [`main`] is the program, [`discover`] and [`scan`] are its two halves of reading.

mod answers;
mod args;
mod commands;
mod discover;
mod homes;
mod lines;
mod messages;
mod output;
mod progress;
mod proxy;
mod scan;
mod style;
mod table;
mod text;
mod totals;
mod units;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};

use clap::{CommandFactory, Parser};

use args::{Cli, Command};

pub use answers::{groups, quarantined, runs, totals};
pub use discover::{Found, Input, Problem, discover};
pub use scan::{FileReport, Options, Scan, scan};

/// How the program ended; the numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Everything asked for was done.
    Fine,
    /// Some lines of `identify`, `finalize` or `partial` could not be read, or the output could not be written.
    Failed,
    /// The command line asks for what does not exist. (Of other wrong usage clap says so, with the same code.)
    Usage,
    /// Nothing could be read.
    NothingRead,
    /// Damage was found, and `--strict` was asked for.
    Damaged,
    /// As the agent behind `acp-proxy` ended.
    Agent(u8),
}

impl Exit {
    const fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NothingRead => 3,
            Exit::Damaged => 4,
            Exit::Agent(code) => code,
        }
    }
}

/// Runs the program with these arguments, the first of which is its name, and gives its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(message) => {
            // Help and versions come this way as well. Where it cannot be written, the exit code still says it.
            let _ = message.print();
            return u8::try_from(message.exit_code()).unwrap_or(Exit::Usage.code());
        }
    };
    let exit = run(&cli).unwrap_or_else(|error| match error.kind() {
        // Whoever read the output has seen enough of it.
        ErrorKind::BrokenPipe => Exit::Fine,
        _ => {
            // There is nothing left to do where even this cannot be written.
            let _ = writeln!(io::stderr(), "toolprism: the output could not be written: {error}");
            Exit::Failed
        }
    });
    exit.code()
}

/// Runs the command; an error is one of the output.
fn run(cli: &Cli) -> io::Result<Exit> {
    let global = &cli.global;
    match &cli.command {
        None => Cli::command().print_help().map(|()| Exit::Fine),
        Some(Command::Groups(args)) => commands::groups::run(args, global),
        Some(Command::Calls(args)) => commands::calls::run(args, global),
        Some(Command::Identify(args)) => commands::identify::run(args, global),
        Some(Command::Finalize(args)) => commands::finalize::run(args, global),
        Some(Command::Partial(args)) => commands::partial::run(args, global),
        Some(Command::Stamp(args)) => commands::stamp::run(args, global),
        Some(Command::Tools(args)) => commands::tools::run(args, global),
        Some(Command::AcpProxy(args)) => commands::acp_proxy::run(args, global),
        Some(Command::Schema) => commands::schema::run(),
    }
}
