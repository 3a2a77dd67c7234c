//! A tool by its types, in a registry, called as a model would: `cargo run -p toolprism-contract --example dispatch`.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolprism::{Kind, WireNamespace};
use toolprism_contract::{
    CallContext, CallOptions, CallRequest, ListContext, Registry, Tool, ToolConfig, ToolError, ToolMetadata,
    ToolOutput, ToolStream,
};

/// What the model writes. The comments become descriptions in the schema.
#[derive(Deserialize, JsonSchema)]
struct SearchArgs {
    /// The word to look for.
    pattern: String,
    /// The file to look in.
    path: String,
    /// How many lines at most.
    #[serde(default = "most")]
    limit: u32,
}

fn most() -> u32 {
    10
}

/// What the tool gives.
#[derive(Serialize)]
struct Found {
    lines: Vec<String>,
}

impl ToolOutput for Found {
    const TYPE: &'static str = "Found";

    fn to_prompt_format(&self) -> String {
        if self.lines.is_empty() { "nothing found".into() } else { self.lines.join("\n") }
    }
}

struct Search;

impl ToolMetadata for Search {
    fn kind(&self) -> Kind {
        Kind::Search
    }

    fn namespace(&self) -> WireNamespace {
        "example".into()
    }
}

impl Tool for Search {
    type Args = SearchArgs;
    type Output = Found;

    fn id(&self) -> &str {
        "search"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Finds the lines of a file that hold a word.".into()
    }

    fn execute(self: Arc<Self>, _: CallContext, args: SearchArgs) -> ToolStream<Found> {
        ToolStream::new(|progress| async move {
            let text = tokio::fs::read_to_string(&args.path).await;
            let text = text.map_err(|why| ToolError::execution(format_args!("{}: {why}", args.path)))?;
            let mut lines = Vec::new();
            for (number, line) in (1..).zip(text.lines()) {
                if line.contains(&args.pattern) && lines.len() < args.limit as usize {
                    let line = format!("{number}: {line}");
                    progress.send(format!("{line}\n")).await?;
                    lines.push(line);
                }
            }
            Ok(Found { lines })
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    let config = ToolConfig { name: Some("grep".into()), ..ToolConfig::default() };
    registry.register_as(Arc::new(Search), &config)?;

    println!("What a model is offered:");
    for tool in registry.list(&ListContext::default()).tools {
        println!("{}: {}\n{:#}", tool.name, tool.description, tool.schema);
    }

    // A model that writes numbers as text, and one that forgets what it must not.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let calls = [
        ("call-1", serde_json::json!({"pattern": "name", "path": file, "limit": "2"})),
        ("call-2", serde_json::json!({"pattern": "name", "limit": 2})),
        ("call-3", serde_json::json!({"pattern": "name", "path": "no such file"})),
    ];
    for (id, arguments) in calls {
        println!("\n{arguments}");
        let arguments = arguments.to_string();
        let request = CallRequest { id, name: "grep", arguments: &arguments };
        let options = CallOptions::new().with_timeout(tokio::time::sleep(Duration::from_secs(5)));
        let outcome = registry.dispatch(request, options).run(|update| println!("{}", update.to_json())).await;
        println!("the model is told: {}", outcome.prompt());
    }
    Ok(())
}
