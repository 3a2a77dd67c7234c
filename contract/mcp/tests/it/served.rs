//! What a client sees of a registry.

use std::future::pending;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolprism_contract::{CallOptions, Extensions, Output, Registry, ToolConfig, ToolOutput, ToolStream};
use toolprism_mcp::McpServer;

use crate::peers::{Raw, reader, registry, tool};

fn server(registry: Registry) -> McpServer {
    McpServer::new(registry, "test", "1.0.0").with_instructions("Be kind.")
}

#[tokio::test]
async fn tools_are_listed_as_models_call_them() {
    let mut registry = registry([tool("odd", json!({}), |_| ToolStream::from_future(pending()))]);
    let config = ToolConfig {
        name: Some("view".into()),
        parameters: [("path".into(), "file".into())].into(),
        ..ToolConfig::default()
    };
    registry.register_as(Arc::new(reader()), &config).unwrap();
    let mut client = Raw::client(server(registry)).await;
    let (_, answer) = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(
        answer["result"]["tools"],
        json!([
            {"name": "odd", "description": "", "annotations": {"readOnlyHint": false},
             "inputSchema": {"type": "object"}},
            {"name": "view", "description": "Reads a file.", "annotations": {"readOnlyHint": true},
             "inputSchema": {"type": "object", "required": ["file"],
                             "properties": {"file": {"type": "string"}, "limit": {"type": "integer"}}}},
        ])
    );
    let about =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let (_, answer) = client.ask(2, "initialize", about).await;
    assert_eq!(answer["result"]["capabilities"], json!({"tools": {"listChanged": true}}));
    assert_eq!(answer["result"]["serverInfo"], json!({"name": "test", "version": "1.0.0"}));
    assert_eq!(answer["result"]["instructions"], "Be kind.");
}

#[tokio::test]
async fn a_call_gives_text_for_the_model_json_for_programs_and_the_envelope() {
    let mut client = Raw::client(server(registry([reader()]))).await;
    let answer = client.call("read_file", json!({"path": "a.txt", "limit": 3})).await;
    let envelope = json!({
        "version": 1, "name": "read_file", "kind": "read", "namespace": "my_agent", "label": "Read", "read_only": true,
        "input": {"path": "a.txt", "limit": 3},
    });
    assert_eq!(
        answer["result"],
        json!({
            "content": [{"type": "text", "text": r#"{"lines":3,"path":"a.txt"}"#}],
            "structuredContent": {"type": "Dynamic", "value": {"path": "a.txt", "lines": 3}},
            "isError": false,
            "_meta": {"x.ai/tool": envelope},
        })
    );
}

#[tokio::test]
async fn arguments_are_read_leniently_and_refused_with_words() {
    let mut client = Raw::client(server(registry([reader()]))).await;
    for (arguments, lines) in [
        (json!({"path": "a", "limit": "3"}), 3),
        (json!({"path": "a", "limit": 3.0}), 3),
        (json!({"path": "a", "limit": null}), 1),
        (json!(r#"{"path": "a", "limit": 3,}"#), 3),
    ] {
        let answer = client.call("read_file", arguments.clone()).await;
        assert_eq!(answer["result"]["structuredContent"]["value"]["lines"], lines, "{arguments}: {answer}");
        assert_eq!(answer["result"]["isError"], false);
    }
    for arguments in [json!({"limit": 3.5}), json!({"path": 5, "limit": "x"}), json!([]), json!("no JSON"), Value::Null]
    {
        let result = client.call("read_file", arguments.clone()).await["result"].take();
        assert_eq!(result["isError"], true, "{arguments}: {result}");
        assert_eq!(result["structuredContent"]["kind"], "invalid_arguments");
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with("invalid arguments: "));
        assert_eq!(result["_meta"]["x.ai/tool"]["name"], "read_file");
    }
    let result = client.call("read_file", json!({"limit": 3.5})).await["result"].take();
    let told = "invalid arguments: 2 problems
- `limit`: expected a whole number, found 3.5; write a whole number, without a fraction
- `path`: expected a text; it is required and missing: add `path`";
    assert_eq!(result["content"][0]["text"], told);
}

#[tokio::test]
async fn numbers_of_64_bits_are_exact() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "format": "uint64"}}});
    let echo = tool("echo", schema, |value| ToolStream::terminal(Output::of(&value)));
    let mut client = Raw::client(server(registry([echo]))).await;
    let result = client.call("echo", json!({"n": u64::MAX})).await["result"].take();
    assert_eq!(result["structuredContent"]["value"]["n"], u64::MAX);
    let result = client.call("echo", json!({"n": "9007199254740993"})).await["result"].take();
    assert_eq!(result["structuredContent"]["value"]["n"], 9_007_199_254_740_993_u64);
    let result = client.call("echo", json!({"n": "18446744073709551616"})).await["result"].take();
    assert_eq!((&result["isError"], &result["structuredContent"]["kind"]), (&json!(true), &json!("invalid_arguments")));
    let wide = tool("wide", json!({}), |_| ToolStream::from_future(async { Output::of(&Wide) }));
    let mut client = Raw::client(server(registry([wide]))).await;
    let result = client.call("wide", json!({})).await["result"].take();
    assert_eq!(result["content"][0]["text"], "18446744073709551616");
    assert_eq!(result.get("structuredContent"), None, "it would be rounded");
}

struct Wide;

impl serde::Serialize for Wide {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(1 << 64)
    }
}

impl ToolOutput for Wide {
    const TYPE: &'static str = "Wide";
}

#[tokio::test]
async fn an_error_of_a_tool_is_told_to_the_model() {
    let bad = tool("bad", json!({}), |_| panic!("it broke"));
    let mut client = Raw::client(server(registry([reader(), bad]))).await;
    let result = client.call("read_file", json!({"path": "missing"})).await["result"].take();
    assert_eq!(result["content"], json!([{"type": "text", "text": "there is no such file"}]));
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["kind"], "execution");
    assert_eq!(result["_meta"]["x.ai/tool"]["input"], json!({"path": "missing"}));
    let result = client.call("bad", json!({})).await["result"].take();
    assert_eq!(result["content"][0]["text"], "the tool panicked: it broke");
    assert_eq!(client.call("read_file", json!({"path": "a"})).await["result"]["isError"], false, "others are unharmed");
}

#[tokio::test]
async fn a_name_that_no_tool_has_is_an_error_of_the_protocol() {
    let mut client = Raw::client(server(registry([reader()]))).await;
    let answer = client.call("write_file", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["message"], r#"there is no tool "write_file": call one of read_file"#);
    let answer = client.call("Read_File", json!({"path": "a"})).await;
    assert_eq!(answer["result"]["_meta"]["x.ai/tool"]["name"], "read_file", "a spelling of a name is that name");
    let (_, answer) = client.ask(9, "no/such", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601);
}

#[tokio::test]
async fn progress_is_told_in_order_to_those_who_want_it() {
    let mut client = Raw::client(server(registry([reader()]))).await;
    let params = json!({"name": "read_file", "arguments": {"path": "a"}, "_meta": {"progressToken": "p1"}});
    let (told, answer) = client.ask(3, "tools/call", params).await;
    assert_eq!(answer["result"]["isError"], false);
    let steps: Vec<_> = told
        .iter()
        .map(|note| {
            assert_eq!(
                (&note["method"], &note["params"]["progressToken"]),
                (&json!("notifications/progress"), &json!("p1"))
            );
            assert_eq!(note["params"]["_meta"]["x.ai/tool"]["input"]["path"], "a");
            (
                &note["params"]["progress"],
                &note["params"]["message"],
                &note["params"]["_meta"]["toolprism/progress"]["kind"],
            )
        })
        .collect();
    assert_eq!(
        steps,
        [
            (&json!(1.0), &json!("opens a"), &json!("text")),
            (&json!(2.0), &json!("half"), &json!("content")),
            (&json!(3.0), &Value::Null, &json!("custom")),
        ]
    );
    let (told, _) = client.ask(4, "tools/call", json!({"name": "read_file", "arguments": {"path": "a"}})).await;
    assert_eq!(told, Vec::<Value>::new());
}

/// A tool that never ends, and says when it begins and when it is dropped.
fn endless(said: mpsc::UnboundedSender<&'static str>) -> toolprism_contract::DynamicTool {
    struct Dropped(mpsc::UnboundedSender<&'static str>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let _ = self.0.send("dropped");
        }
    }
    tool("wait", json!({}), move |_| {
        let said = said.clone();
        ToolStream::from_future(async move {
            let dropped = Dropped(said.clone());
            let _ = said.send("begun");
            pending::<()>().await;
            drop(dropped);
            Output::of(&())
        })
    })
}

#[tokio::test]
async fn a_call_that_the_client_cancels_is_stopped() {
    let (said, mut says) = mpsc::unbounded_channel();
    let mut client = Raw::client(server(registry([endless(said), reader()]))).await;
    client.send(5, "tools/call", json!({"name": "wait", "arguments": {}})).await;
    assert_eq!(says.recv().await, Some("begun"));
    client.write(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})).await;
    assert_eq!(says.recv().await, Some("dropped"));
    let (before, _) = client.ask(6, "tools/call", json!({"name": "read_file", "arguments": {"path": "a"}})).await;
    assert_eq!(before, Vec::<Value>::new(), "a call that is cancelled has no answer");
}

#[tokio::test]
async fn the_end_of_the_connection_stops_its_calls() {
    let (said, mut says) = mpsc::unbounded_channel();
    let mut client = Raw::client(server(registry([endless(said)]))).await;
    client.send(5, "tools/call", json!({"name": "wait", "arguments": {}})).await;
    assert_eq!(says.recv().await, Some("begun"));
    drop(client);
    assert_eq!(says.recv().await, Some("dropped"));
}

#[tokio::test(start_paused = true)]
async fn a_host_can_limit_the_time_and_hand_things_to_tools() {
    let (said, mut says) = mpsc::unbounded_channel();
    let server = server(registry([endless(said)])).with_options(|| {
        let mut extensions = Extensions::new();
        extensions.insert(5_u8);
        let limit = tokio::time::sleep(std::time::Duration::from_secs(5));
        CallOptions::new().with_timeout(limit).with_extensions(extensions)
    });
    let mut client = Raw::client(server).await;
    let result = client.call("wait", json!({})).await["result"].take();
    assert_eq!(result["structuredContent"]["kind"], "timeout");
    assert_eq!((says.recv().await, says.recv().await), (Some("begun"), Some("dropped")));
}

#[tokio::test]
async fn clients_are_told_when_the_tools_change() {
    let server = server(Registry::new());
    let mut clients = [Raw::client(server.clone()).await, Raw::client(server.clone()).await];
    // On one thread, what came first is done first: with the answer a client is known to be ready.
    for client in &mut clients {
        client.ask(1, "ping", json!({})).await;
    }
    server.update(|registry| registry.register(Arc::new(reader()))).unwrap();
    for mut client in clients {
        assert_eq!(client.read().await.unwrap()["method"], "notifications/tools/list_changed");
        let (_, answer) = client.ask(2, "tools/list", json!({})).await;
        assert_eq!(answer["result"]["tools"][0]["name"], "read_file");
    }
    server.update(|registry| registry.remove("my_agent:read_file"));
}
