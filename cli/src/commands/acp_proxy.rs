//! `toolprism acp-proxy`: an agent as before, with an envelope on every tool call.

use std::io::{self, ErrorKind, Write};

use crate::Exit;
use crate::args::{AcpProxyArgs, Global};
use crate::commands::stamp::told;
use crate::discover::plain;
use crate::messages::problem;
use crate::proxy::{self, NotStarted};
use crate::text::{Keep, clean};

/// The codes by which shells say that a program is not there, or cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

pub(crate) fn run(args: &AcpProxyArgs, global: &Global) -> io::Result<Exit> {
    let name = args.agent.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let name = clean(&name, Keep::End);
    let mut text = String::new();
    let code = match proxy::run(&args.agent) {
        Ok(ended) => {
            if global.verbose {
                text = format!("{name}: {}\n", told(ended.done));
            }
            ended.code
        }
        Err(NotStarted(error)) => {
            let (code, why) = match error.kind() {
                ErrorKind::NotFound => (NOT_FOUND, "there is no such program; install it, or give its path".to_owned()),
                _ => (NOT_RUN, plain(&error)),
            };
            problem(&mut text, global, &format!("cannot start the agent {name}: {why}"));
            code
        }
    };
    // Where it cannot be written, the exit code still says it.
    let _ = io::stderr().write_all(text.as_bytes());
    Ok(Exit::Agent(code))
}
