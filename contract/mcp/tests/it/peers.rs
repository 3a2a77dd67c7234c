//! Tools to serve, and peers that speak bare JSON-RPC, so that nothing in a test is seen through the code that it tests.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, split};
use toolprism::Kind;
use toolprism_contract::{
    CallOptions, CallRequest, ContentBlock, DynamicTool, Outcome, Output, Progress, Registry, ToolError, ToolStream,
};
use toolprism_mcp::rmcp::ServiceExt as _;
use toolprism_mcp::{McpClient, McpLimits, McpServer};

/// A tool of whatever work.
pub(crate) fn tool(
    id: &str,
    schema: Value,
    work: impl Fn(Value) -> ToolStream<Output> + Send + Sync + 'static,
) -> DynamicTool {
    let work = move |_, arguments: toolprism_contract::arguments::Arguments| match arguments.value() {
        Ok(value) => work(value),
        Err(why) => ToolStream::terminal(Err(why.into())),
    };
    DynamicTool::new(id, schema, work).unwrap()
}

/// Reads lines that it makes up: a tool that is `read`, with progress of each form.
pub(crate) fn reader() -> DynamicTool {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
    });
    let work = |arguments: Value| {
        ToolStream::new(|progress| async move {
            let path = arguments["path"].as_str().unwrap_or_default().to_owned();
            progress.send(format!("opens {path}")).await?;
            progress.send(Progress::Content { blocks: vec![ContentBlock::text("half")] }).await?;
            progress.send(Progress::Custom { subkind: "bar".into(), payload: json!({"percent": 90}) }).await?;
            if path == "missing" {
                return Err(ToolError::execution("there is no such file"));
            }
            Output::of(&json!({"path": path, "lines": arguments["limit"].as_i64().unwrap_or(1)}))
        })
    };
    tool("read_file", schema, work).with_identity(Kind::Read, "my_agent").with_description("Reads a file.")
}

pub(crate) fn registry(tools: impl IntoIterator<Item = DynamicTool>) -> Registry {
    let mut registry = Registry::new();
    tools.into_iter().for_each(|tool| registry.register(Arc::new(tool)).unwrap());
    registry
}

/// A client that writes what it wants and sees what comes.
pub(crate) struct Raw {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Raw {
    /// A client of a server, greeted.
    pub(crate) async fn client(server: McpServer) -> Raw {
        let (mine, its) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move { server.serve(its).await.unwrap().waiting().await });
        let mut raw = Raw::over(mine);
        let about = json!({"name": "raw", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        raw.ask(0, "initialize", params).await;
        raw.write(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        raw
    }

    pub(crate) fn over(stream: DuplexStream) -> Raw {
        let (read, write) = split(stream);
        Raw { lines: BufReader::new(read).lines(), write }
    }

    pub(crate) async fn write(&mut self, message: Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn read(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.ok()??;
        Some(serde_json::from_str(&line).unwrap())
    }

    pub(crate) async fn send(&mut self, id: u64, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    /// Sends a request and gives its answer; what comes before it as well.
    pub(crate) async fn ask(&mut self, id: u64, method: &str, params: Value) -> (Vec<Value>, Value) {
        self.send(id, method, params).await;
        let mut before = Vec::new();
        loop {
            let message = self.read().await.expect("an answer");
            if message["id"] == id {
                return (before, message);
            }
            before.push(message);
        }
    }

    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask(7, "tools/call", json!({"name": name, "arguments": arguments})).await.1
    }
}

/// A server that answers each request by a function; nothing means that it is gone.
pub(crate) fn scripted(answer: impl FnMut(&Value) -> Option<Vec<Value>> + Send + 'static) -> DuplexStream {
    let (mine, its) = tokio::io::duplex(1 << 20);
    let mut answer = answer;
    tokio::spawn(async move {
        let mut raw = Raw::over(its);
        while let Some(request) = raw.read().await {
            let answers = match request["method"].as_str() {
                Some("initialize") => vec![welcome(&request)],
                Some("notifications/initialized") => continue,
                _ => match answer(&request) {
                    Some(answers) => answers,
                    None => return,
                },
            };
            for message in answers {
                raw.write(message).await;
            }
        }
    });
    mine
}

/// The answer to `initialize`.
pub(crate) fn welcome(request: &Value) -> Value {
    let about = json!({"name": "scripted", "version": "1"});
    let capabilities = json!({"tools": {"listChanged": true}});
    result(request, json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": about}))
}

pub(crate) fn result(request: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

/// The list of one open tool.
pub(crate) fn one_tool(request: &Value) -> Value {
    result(request, json!({"tools": [{"name": "work", "inputSchema": {"type": "object"}}]}))
}

/// A registry with the tools of a server.
pub(crate) async fn wrapping(stream: DuplexStream, limits: McpLimits) -> (McpClient, Registry) {
    let client = McpClient::connect("srv", stream, limits).await.unwrap();
    let mut registry = Registry::new();
    assert_eq!(client.register(&mut registry).await.unwrap(), []);
    (client, registry)
}

/// A registry with the tools of a server that serves this one.
pub(crate) async fn through(server: McpServer) -> (McpClient, Registry) {
    let (mine, its) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move { server.serve(its).await.unwrap().waiting().await });
    wrapping(mine, McpLimits::default()).await
}

pub(crate) async fn call(registry: &Registry, name: &str, arguments: &str) -> (Vec<Value>, Outcome) {
    let mut updates = Vec::new();
    let request = CallRequest { id: "c1", name, arguments };
    let call = registry.dispatch(request, CallOptions::new());
    let outcome = call.run(|update| updates.push(serde_json::to_value(update).unwrap())).await;
    (updates, outcome)
}
