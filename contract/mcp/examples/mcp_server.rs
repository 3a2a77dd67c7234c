//! Tools by their types, served over MCP on standard input and output:
//! `cargo run -p toolprism-mcp --example mcp_server`, as the command of a server in any MCP client.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolprism::{Kind, WireNamespace};
use toolprism_contract::{
    CallContext, ListContext, NoArgs, Registry, Tool, ToolError, ToolMetadata, ToolOutput, ToolStream,
};
use toolprism_mcp::{McpServer, rmcp::ServiceExt};

/// What to count, and where.
#[derive(Deserialize, JsonSchema)]
struct CountArgs {
    /// The file to look in.
    path: String,
    /// The words to count.
    words: Vec<String>,
    /// Stop after so many lines.
    #[serde(default = "all")]
    lines: u64,
}

fn all() -> u64 {
    u64::MAX
}

#[derive(Serialize)]
struct Counted {
    counts: Vec<usize>,
}

impl ToolOutput for Counted {
    const TYPE: &'static str = "Counted";
}

struct Count;

impl Tool for Count {
    type Args = CountArgs;
    type Output = Counted;

    fn id(&self) -> &str {
        "count"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Counts how often words stand in a file.".into()
    }

    fn execute(self: Arc<Self>, _: CallContext, args: CountArgs) -> ToolStream<Counted> {
        ToolStream::new(|progress| async move {
            let text = std::fs::read_to_string(&args.path);
            let text = text.map_err(|why| ToolError::execution(format_args!("{}: {why}", args.path)))?;
            let lines = usize::try_from(args.lines).unwrap_or(usize::MAX);
            let mut counts = Vec::new();
            for word in &args.words {
                progress.send(format!("counting {word}")).await?;
                counts.push(text.lines().take(lines).map(|line| line.matches(word.as_str()).count()).sum());
            }
            Ok(Counted { counts })
        })
    }
}

impl ToolMetadata for Count {
    fn kind(&self) -> Kind {
        Kind::Search
    }

    fn namespace(&self) -> WireNamespace {
        "example".into()
    }
}

/// Ticks until it is cancelled.
struct Tick;

impl Tool for Tick {
    type Args = NoArgs;
    type Output = String;

    fn id(&self) -> &str {
        "tick"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Ticks until it is stopped.".into()
    }

    fn execute(self: Arc<Self>, _: CallContext, NoArgs {}: NoArgs) -> ToolStream<String> {
        ToolStream::new(|progress| async move {
            let _stopped = Stopped;
            loop {
                progress.send("tick").await?;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
    }
}

impl ToolMetadata for Tick {
    fn kind(&self) -> Kind {
        Kind::Execute
    }

    fn namespace(&self) -> WireNamespace {
        "example".into()
    }
}

/// Says so on standard error when it is dropped.
struct Stopped;

impl Drop for Stopped {
    fn drop(&mut self) {
        eprintln!("tick is stopped");
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry.register(Arc::new(Count))?;
    registry.register(Arc::new(Tick))?;
    let server = McpServer::new(registry, "example", "1.0.0");
    server.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
    Ok(())
}
