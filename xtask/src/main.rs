//! The whole of the project's automation: `cargo xtask help` lists it.

mod agents;
mod bare;
mod bench;
mod component;
mod debian;
mod demo;
mod dist;
mod mcp;
mod node;
mod npm;
mod npm_test;
mod playground;
mod process;
mod python;
mod schema;
mod steps;
mod test;
mod ui_test;
mod wasm;

use std::env;
use std::process::ExitCode;

const HELP: &str = "\
The project's automation.

Usage: cargo xtask <COMMAND>

Commands:
  test [WHAT]                 Set up what is needed and run every check; goes on after a failure, then fails
                              npm, node, python, component: only the package of that name
                              playground: only the page in web-demo/
                              agents: only genuine agents behind `toolprism acp-proxy`
                              mcp: only the MCP bridge beside the official SDK
                              --full: also more agents, each set of features by itself, the component in Rust, the npm
                              package in Next.js, memory over a million calls, the wheel for older systems, and the
                              crates as they would be published
  demo [--no-serve] [PATH..]  Build the program and show the tool calls in PATH, by group; without PATH in your own
                              agents' logs, or in samples/ if you have none. Then serve the playground on a free port
                              --no-serve: only the program's output, start no server
  bench [WHAT]                Measure speed and memory beside peers, on logs of 300 MB
                              MEGABYTES: on logs of this size
                              finalize: only the judging of calls, which needs no logs
                              proxy: only what `toolprism acp-proxy` adds to a conversation
                              contract: only what a call of a tool costs beside the tool
                              faces: only the packages for other languages; node: only the Node addon
                              playground: how long the page takes for logs of up to 500 MB
  build [WHAT]                Build the program for release, into dist/
                              npm, component: that package instead; --all: everything
                              node [TRIPLE]: the npm packages of the Node addon, for this platform or another
  schema [--check]            Write core/schema/tool_meta.schema.json from the types
                              --check: write nothing, fail if it differs
  help                        Show this text
";

/// What a command gives; an error is a text for the user that says what is wrong and what to do.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match arguments().and_then(|args| run(&args.iter().map(String::as_str).collect::<Vec<_>>())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Vec<String>> {
    let args = env::args_os().skip(1).map(|arg| arg.into_string());
    args.collect::<std::result::Result<_, _>>().map_err(|arg| format!("the argument {arg:?} is not UTF-8"))
}

fn tests(what: &[&str], full: bool) -> Result {
    match what {
        [] => test::run(full),
        ["npm"] => test::npm(full),
        ["playground"] => playground::test(&npm::build()?),
        ["component"] if full => component::test(full).and_then(|()| component::test_rust()),
        ["component"] => component::test(full),
        ["node"] => node::test(full),
        ["python"] if full => python::test(full).and_then(|()| python::test_portable()),
        ["python"] => python::test(full),
        ["agents"] => agents::test(true),
        ["mcp"] => mcp::test(),
        _ => Err(format!("there are no tests of `{}`\n\n{HELP}", what.join(" "))),
    }
}

fn run(args: &[&str]) -> Result {
    match args {
        ["help" | "--help" | "-h", ..] | [_, "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["test", rest @ .., "--full"] => tests(rest, true),
        ["test", rest @ ..] => tests(rest, false),
        ["demo", rest @ ..] => demo::run(rest),
        ["bench"] => bench::measure(None),
        ["bench", "faces"] => npm_test::bench().and_then(|()| node::bench()).and_then(|()| python::bench()),
        ["bench", "node"] => node::bench(),
        ["bench", "playground"] => playground::bench(),
        ["bench", what] => bench::measure(Some(what)),
        ["build"] => dist::build(),
        ["build", "npm"] => npm::build().map(drop),
        ["build", "node"] => node::build(None).map(drop),
        ["build", "node", triple] => node::build(Some(triple)).map(drop),
        ["build", "--all"] => dist::all(),
        ["build", "component"] => component::dist(),
        ["schema"] => schema::write(),
        ["schema", "--check"] => schema::check(),
        [] => Err(format!("no command given\n\n{HELP}")),
        _ => Err(format!("`cargo xtask {}` is no command\n\n{HELP}", args.join(" "))),
    }
}
