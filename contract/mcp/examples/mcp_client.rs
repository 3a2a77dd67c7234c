//! The tools of any MCP server in a registry:
//! `cargo run -p toolprism-mcp --example mcp_client -- TOOL ARGUMENTS SERVER_COMMAND...` calls one, and prints all updates.

use std::error::Error;
use std::process::Stdio;

use tokio::process::Command;
use toolprism_contract::{CallOptions, CallRequest, Registry};
use toolprism_mcp::{McpClient, McpLimits};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tool, arguments, program, rest @ ..] = &args[..] else {
        return Err("usage: mcp_client TOOL ARGUMENTS SERVER_COMMAND...".into());
    };
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let pipes = child.stdout.take().zip(child.stdin.take()).ok_or("the server has no pipes")?;

    let mut registry = Registry::new();
    let server = McpClient::connect("srv", pipes, McpLimits::default()).await?;
    for refused in server.register(&mut registry).await? {
        eprintln!("{refused}");
    }
    let request = CallRequest { id: "call-1", name: tool, arguments };
    let call = registry.dispatch(request, CallOptions::new());
    let outcome = call.run(|update| println!("{}", update.to_json())).await;
    eprintln!("the model is told: {}", outcome.prompt());
    server.close().await;
    Ok(())
}
