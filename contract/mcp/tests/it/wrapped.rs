//! What a registry makes of a server's tools.

use std::sync::Arc;

use serde_json::{Value, json};
use toolprism::CallLedger;
use toolprism::wire::{Wire, WireReader};
use toolprism_contract::{
    CallOptions, CallRequest, ContentBlock, Output, Registry, Status, ToolErrorKind, ToolOutput, ToolStream,
};
use toolprism_mcp::{McpClient, McpError, McpLimits, McpServer};

use crate::peers::{call, one_tool, reader, registry, result, scripted, through, tool, wrapping};

#[tokio::test]
async fn a_servers_tool_is_a_tool_of_the_registry() {
    let (client, registry) = through(McpServer::new(registry([reader()]), "test", "1")).await;
    let listing = registry.list(&Default::default());
    let [listed] = &listing.tools[..] else { panic!("{listing:?}") };
    assert_eq!((listed.name, listed.description.as_ref()), ("mcp__srv__read_file", "Reads a file."));
    assert_eq!(listed.schema["required"], json!(["path"]));
    assert!(!listed.read_only, "a stranger's word");

    let (updates, outcome) = call(&registry, "mcp__srv__read_file", r#"{"path": "a.txt", "limit": "3"}"#).await;
    assert_eq!(outcome.prompt(), r#"{"lines":3,"path":"a.txt"}"#);
    assert_eq!(outcome.changes[0].code.as_str(), "string_to_number");
    let envelope = json!({
        "version": 1, "name": "mcp__srv__read_file", "kind": "other", "namespace": "mcp", "label": "Tool", "read_only": false
    });
    for update in &updates {
        let mut found = update["_meta"]["x.ai/tool"].clone();
        found.as_object_mut().unwrap().remove("input");
        assert_eq!(found, envelope);
    }
    let last = updates.last().unwrap();
    assert_eq!(
        last["rawOutput"],
        json!({
            "type": "MCP", "content": [{"type": "text", "text": r#"{"lines":3,"path":"a.txt"}"#}],
            "structuredContent": {"type": "Dynamic", "value": {"path": "a.txt", "lines": 3}},
        })
    );
    let mut reader = WireReader::new(Wire::Acp);
    let mut ledger = CallLedger::default();
    for update in &updates {
        let params = json!({"sessionId": "s", "update": update});
        reader.push(&&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}), &mut ledger);
    }
    let mcp = ledger.calls()[0].identity.mcp.clone().unwrap();
    assert_eq!((mcp.server.as_str(), mcp.tool.as_str()), ("srv", "read_file"));
    drop(client);
}

#[tokio::test]
async fn its_progress_comes_in_order_and_before_the_result() {
    let (_client, registry) = through(McpServer::new(registry([reader()]), "test", "1")).await;
    for _ in 0..50 {
        let (updates, _) = call(&registry, "mcp__srv__read_file", r#"{"path": "a"}"#).await;
        let told: Vec<_> = updates[2..updates.len() - 1]
            .iter()
            .map(|update| match &update["content"][0]["content"]["text"] {
                Value::Null => update["_meta"]["toolprism/progress"]["payload"]["progress"].to_string(),
                text => text.as_str().unwrap().to_owned(),
            })
            .collect();
        assert_eq!(told, ["opens a", "half", "3.0"]);
    }
}

#[tokio::test]
async fn its_errors_are_errors_here() {
    let (_client, registry) = through(McpServer::new(registry([reader()]), "test", "1")).await;
    let (updates, outcome) = call(&registry, "mcp__srv__read_file", r#"{"path": "missing"}"#).await;
    assert_eq!((outcome.status(), outcome.prompt()), (Status::Failed, "there is no such file"));
    assert_eq!(updates.last().unwrap()["rawOutput"]["isError"], true);
    let (updates, outcome) = call(&registry, "mcp__srv__read_file", r#"{"limit": 1}"#).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
    assert_eq!(updates.len(), 2, "it never got to the server");
}

#[tokio::test]
async fn a_name_is_told_apart_again_or_refused() {
    for bad in ["", "a__b", "a_", "a b", "ü", &"x".repeat(65)] {
        let error = McpClient::connect(bad, scripted(|_| None), McpLimits::default()).await.unwrap_err();
        assert!(matches!(error, McpError::BadServerName(_)), "{bad}: {error}");
    }
    let stream = scripted(|request| {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        let names = ["a.b", "a_b", "a/b/c", "tür", "x y", "", &"x".repeat(60)];
        Some(vec![result(request, json!({"tools": names.map(tool)}))])
    });
    let client = McpClient::connect("srv", stream, McpLimits::default()).await.unwrap();
    let mut registry = Registry::new();
    let refused = client.register(&mut registry).await.unwrap();
    let names: Vec<_> = registry.keys().map(ToString::to_string).collect();
    assert_eq!(names, ["mcp:mcp__srv__a_b", "mcp:mcp__srv__a_b_c", "mcp:mcp__srv__"]);
    let tools: Vec<_> = refused.iter().map(|refused| (refused.tool.as_str(), refused.why.as_str())).collect();
    assert_eq!(tools.len(), 4, "{tools:?}");
    assert_eq!(tools[3], ("mcp:mcp__srv__a_b", "a tool of that name is registered already; remove it first"));
}

#[tokio::test]
async fn what_changes_at_the_server_changes_here() {
    let server = McpServer::new(registry([reader()]), "test", "1");
    let (mut client, mut registry) = through(server.clone()).await;
    registry.register(Arc::new(tool("own", json!({}), |_| ToolStream::terminal(Output::of(&()))))).unwrap();
    server
        .update(|registry| {
            registry.remove("my_agent:read_file");
            registry.register(Arc::new(tool("new", json!({}), |_| ToolStream::terminal(Output::of(&())))))
        })
        .unwrap();
    assert!(client.changed().await);
    assert_eq!(client.register(&mut registry).await.unwrap(), []);
    let keys: Vec<_> = registry.keys().map(ToString::to_string).collect();
    assert_eq!(keys, ["dynamic:own", "mcp:mcp__srv__new"]);
    client.close().await;
    let (_, outcome) = call(&registry, "mcp__srv__new", "{}").await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::ServiceUnavailable);
}

#[tokio::test]
async fn all_pages_of_a_list_are_read() {
    let stream = scripted(|request| {
        let page = request["params"]["cursor"].as_str().map_or(0, |cursor| cursor.parse::<u32>().unwrap());
        let tools = json!([{"name": format!("t{page}"), "inputSchema": {"type": "object"}}]);
        let next = if page < 2 { json!((page + 1).to_string()) } else { Value::Null };
        Some(vec![result(request, json!({"tools": tools, "nextCursor": next}))])
    });
    let (_client, registry) = wrapping(stream, McpLimits::default()).await;
    let keys: Vec<_> = registry.keys().map(ToString::to_string).collect();
    assert_eq!(keys, ["mcp:mcp__srv__t0", "mcp:mcp__srv__t1", "mcp:mcp__srv__t2"]);
}

#[tokio::test]
async fn pictures_and_resources_come_through() {
    struct Picture;
    impl serde::Serialize for Picture {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str("drawn")
        }
    }
    impl ToolOutput for Picture {
        const TYPE: &'static str = "Picture";
        fn content(&self) -> Vec<toolprism_contract::ToolContent> {
            let image = ContentBlock::Image { data: "AAAA".into(), mime_type: "image/png".into() };
            vec![ContentBlock::text("for people").into(), image.into()]
        }
    }
    let draw = tool("draw", json!({}), |_| ToolStream::terminal(Output::of(&Picture)));
    let (_client, registry) = through(McpServer::new(registry([draw]), "test", "1")).await;
    let (updates, outcome) = call(&registry, "mcp__srv__draw", "{}").await;
    assert_eq!(outcome.prompt(), "\"drawn\"\n[image of type image/png, 4 bytes in base64]");
    let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    assert_eq!(updates.last().unwrap()["content"][1], json!({"type": "content", "content": image}));
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled_at_the_server() {
    let (say, mut says) = tokio::sync::mpsc::unbounded_channel();
    let stream = scripted(move |request| match request["method"].as_str() {
        Some("tools/list") => Some(vec![one_tool(request)]),
        Some("tools/call") => Some(vec![json!({
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": request["params"]["_meta"]["progressToken"], "progress": 1, "message": "begun"},
        })]),
        _ => {
            say.send(request.clone()).unwrap();
            Some(Vec::new())
        }
    });
    let (_client, registry) = wrapping(stream, McpLimits::default()).await;
    let request = CallRequest { id: "c", name: "mcp__srv__work", arguments: "{}" };
    let mut running = registry.dispatch(request, CallOptions::new());
    for _ in 0..3 {
        assert!(running.next().await.is_some());
    }
    drop(running);
    let told = says.recv().await.unwrap();
    assert_eq!(told["method"], "notifications/cancelled");
    assert!(told["params"]["requestId"].is_number());
}

#[tokio::test]
async fn its_word_on_reading_is_taken_if_the_host_says_so() {
    let stream = scripted(|request| {
        let tool =
            |name: &str, hints: Value| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": hints});
        let tools = [tool("reads", json!({"readOnlyHint": true})), tool("writes", json!({}))];
        Some(vec![result(request, json!({"tools": tools}))])
    });
    let limits = McpLimits { trust_annotations: true, ..McpLimits::default() };
    let (_client, registry) = wrapping(stream, limits).await;
    let read_only: Vec<_> = registry.list(&Default::default()).tools.iter().map(|tool| tool.read_only).collect();
    assert_eq!(read_only, [true, false]);
}

#[tokio::test]
async fn a_thousand_calls_at_once_each_have_their_own_answer() {
    let echo = tool("echo", json!({}), |value| {
        ToolStream::new(|progress| async move {
            progress.send("on the way").await?;
            tokio::task::yield_now().await;
            Output::of(&value)
        })
    });
    let (_client, registry) = through(McpServer::new(registry([echo]), "test", "1")).await;
    let calls: Vec<_> = (0..1_000)
        .map(|number| {
            let registry = registry.clone();
            tokio::spawn(async move { call(&registry, "mcp__srv__echo", &json!({ "n": number }).to_string()).await.1 })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().prompt(), json!({ "n": number }).to_string());
    }
}
