//! Calls and their updates.

use std::future::pending;
use std::sync::Arc;

use serde_json::{Value, json};
use toolprism::wire::{Wire, WireReader};
use toolprism::{CallLedger, Flags, Kind};
use toolprism_contract::{
    CallContext, CallOptions, CallRequest, CancelToken, ContentBlock, DynTool, Extensions, Output, PROGRESS_KEY,
    Progress, Registry, Status, Tool, ToolConfig, ToolErrorKind, ToolMetadata, ToolStream, Truncation,
};

use crate::tools::{ReadFile, call, call_with, dynamic, echo, open, registry};

fn statuses(updates: &[Value]) -> Vec<&str> {
    updates.iter().map(|update| update["status"].as_str().unwrap()).collect()
}

fn text(update: &Value) -> &str {
    update["content"][0]["content"]["text"].as_str().unwrap()
}

#[tokio::test]
async fn each_step_is_told_with_the_envelope() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "read_file", "{\"target_file\":\n \"a.txt\", \"offset\": 0}").await;
    let envelope = json!({
        "version": 1, "name": "read_file", "kind": "read", "namespace": "grok_build", "label": "Read", "read_only": true
    });
    let mut with_input = envelope.clone();
    with_input["input"] = json!({"path": "a.txt", "offset": 1});
    assert_eq!(
        updates,
        [
            json!({
                "sessionUpdate": "tool_call", "toolCallId": "c1", "name": "read_file", "title": "read_file",
                "kind": "read", "status": "pending", "rawInput": {"target_file": "a.txt", "offset": 0},
                "_meta": {"x.ai/tool": envelope},
            }),
            json!({
                "sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "Read a.txt", "status": "in_progress",
                "_meta": {"x.ai/tool": with_input},
            }),
            json!({
                "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "in_progress",
                "content": [{"type": "content", "content": {"type": "text", "text": "c1 opens a.txt\n"}}],
                "_meta": {"x.ai/tool": with_input, "toolprism/progress": {"kind": "text", "text": "c1 opens a.txt\n"}},
            }),
            json!({
                "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed",
                "content": [{"type": "content", "content": {"type": "text", "text": "line 0"}}],
                "rawOutput": {"type": "ReadFile", "Content": "line 0"},
                "_meta": {"x.ai/tool": with_input},
            }),
        ]
    );
    assert_eq!((outcome.status(), outcome.prompt()), (Status::Completed, "line 0"));
    assert_eq!(outcome.result.unwrap().json(), r#"{"type":"ReadFile","Content":"line 0"}"#);
}

#[tokio::test]
async fn the_ledger_reads_what_is_told() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    for (file, status) in [("a.txt", "completed"), ("missing", "failed"), ("broken", "failed")] {
        let (updates, _) = call(&registry, "read_file", &json!({"target_file": file}).to_string()).await;
        let mut reader = WireReader::new(Wire::Acp);
        let mut ledger = CallLedger::default();
        for update in &updates {
            let params = json!({"sessionId": "s", "update": update});
            reader.push(&&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}), &mut ledger);
        }
        let calls = ledger.calls();
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].flags, Flags::default());
        let identity = &calls[0].identity;
        assert_eq!(identity.meta.canonical_input().unwrap().path.as_deref(), Some(file));
        assert_eq!((identity.meta.label.as_ref(), calls[0].status.as_str()), ("Read", status));
    }
}

#[tokio::test]
async fn an_output_that_says_it_is_an_error_is_a_failed_call() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "read_file", r#"{"target_file": "missing"}"#).await;
    let last = updates.last().unwrap();
    assert_eq!(last["status"], "failed");
    assert_eq!(last["rawOutput"], json!({"type": "ReadFile", "NotFound": "missing"}));
    assert_eq!(text(last), "there is no file missing");
    assert_eq!(outcome.status(), Status::Failed);
    assert!(outcome.result.unwrap().is_error());
}

#[tokio::test]
async fn an_error_is_told_like_a_result() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "read_file", r#"{"target_file": "broken"}"#).await;
    assert_eq!(statuses(&updates), ["pending", "in_progress", "in_progress", "failed"]);
    let last = updates.last().unwrap();
    assert_eq!(last["rawOutput"], json!({"type": "Error", "kind": "execution", "message": "the disk is broken"}));
    assert_eq!(last["_meta"]["x.ai/tool"]["input"], json!({"path": "broken"}));
    assert_eq!((text(last), outcome.prompt()), ("the disk is broken", "the disk is broken"));
}

#[tokio::test]
async fn refused_arguments_never_reach_the_tool() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let tool = dynamic("count", schema, |_, _| panic!("it is not called"));
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    for arguments in [r#"{"n": "many"}"#, "{}", r#"{"n": 1"#, "[]", "", "no JSON\nat all"] {
        let (updates, outcome) = call(&registry, "count", arguments).await;
        assert_eq!(statuses(&updates), ["pending", "failed"], "{arguments}");
        assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
        assert_eq!(updates[1]["rawOutput"]["kind"], "invalid_arguments");
        assert!(updates.iter().all(|update| update["_meta"]["x.ai/tool"].get("input").is_none()));
        let raw = serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments));
        assert_eq!(updates[0]["rawInput"], raw);
    }
}

#[tokio::test]
async fn an_unknown_tool_is_told_with_the_names_that_there_are() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>, Arc::new(echo("echo", open()))]);
    let (updates, outcome) = call(&registry, "write_file", "{}").await;
    assert_eq!(statuses(&updates), ["pending", "failed"]);
    let envelope = &updates[1]["_meta"]["x.ai/tool"];
    assert_eq!(
        (&envelope["name"], &envelope["kind"], &envelope["label"]),
        (&json!("write_file"), &json!("other"), &json!("Tool"))
    );
    let error = outcome.result.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NotFound);
    assert_eq!(error.message, r#"there is no tool "write_file": call one of read_file, echo"#);
}

#[tokio::test]
async fn a_spelling_of_a_name_is_that_name() {
    let registry = registry([Arc::new(echo("read_file", open())) as Arc<dyn DynTool>]);
    for (name, code) in [("Read_File", "name_case"), ("functions.read_file", "name_prefix"), ("readFile", "name_case")]
    {
        let (updates, outcome) = call(&registry, name, "{}").await;
        assert_eq!(outcome.status(), Status::Completed, "{name}");
        let [change] = outcome.changes.as_slice() else { panic!("{:?}", outcome.changes) };
        assert_eq!((change.code.as_str(), change.path.as_str()), (code, ""));
        assert_eq!((change.found.as_deref(), change.became.as_deref()), (Some(name), Some("read_file")));
        assert_eq!(updates[0]["_meta"]["x.ai/tool"]["name"], "read_file");
    }
    let two = registry2(["read_file", "ReadFile"]);
    let (_, outcome) = call(&two, "readFile", "{}").await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::NotFound, "it could be either");
}

fn registry2(ids: [&str; 2]) -> Registry {
    registry(ids.map(|id| Arc::new(echo(id, open())) as Arc<dyn DynTool>))
}

#[tokio::test]
async fn renamed_tools_and_parameters_come_to_the_tool_under_its_own_names() {
    let mut registry = Registry::new();
    let config = ToolConfig {
        name: Some("view".into()),
        parameters: [("target_file".into(), "path".into()), ("offset".into(), "from".into())].into(),
        ..ToolConfig::default()
    };
    registry.register_as(Arc::new(ReadFile), &config).unwrap();
    let (updates, outcome) = call(&registry, "view", r#"{"path": "a.txt", "from": 7}"#).await;
    assert_eq!(outcome.prompt(), "line 7");
    assert_eq!(updates[0]["rawInput"], json!({"path": "a.txt", "from": 7}), "as the model wrote it");
    let envelope = &updates[3]["_meta"]["x.ai/tool"];
    assert_eq!(envelope["name"], "view");
    assert_eq!(envelope["input"], json!({"path": "a.txt", "offset": 7}));

    let (_, outcome) = call(&registry, "view", r#"{"path": "a.txt", "target_file": "b.txt"}"#).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    assert!(error.message.contains("`target_file`: it is called `path` here"), "{error}");
    let (_, outcome) = call(&registry, "read_file", r#"{"target_file": "a.txt"}"#).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::NotFound, "the model does not know that name");
}

#[tokio::test]
async fn two_tools_of_one_id_are_two_tools() {
    let mut registry = Registry::new();
    for namespace in ["grok_build", "codex"] {
        let tool = dynamic("read_file", open(), move |_, _| ToolStream::terminal(Output::of(&namespace.to_owned())))
            .with_identity(Kind::Read, namespace);
        let config = ToolConfig { name: Some(format!("{namespace}_read")), ..ToolConfig::default() };
        registry.register_as(Arc::new(tool), &config).unwrap();
    }
    for namespace in ["grok_build", "codex"] {
        let (updates, outcome) = call(&registry, &format!("{namespace}_read"), "{}").await;
        assert_eq!(outcome.prompt(), namespace);
        assert_eq!(updates[0]["_meta"]["x.ai/tool"]["namespace"], namespace);
    }
}

#[tokio::test]
async fn progress_of_each_form_is_told() {
    let tool = dynamic("work", open(), |_, _| {
        ToolStream::new(|progress| async move {
            progress.send(Progress::Content { blocks: vec![ContentBlock::text("half")] }).await?;
            progress.send(Progress::Custom { subkind: "bar".into(), payload: json!({"percent": 50}) }).await?;
            Output::of(&json!(null))
        })
    });
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (updates, _) = call(&registry, "work", "{}").await;
    assert_eq!(statuses(&updates), ["pending", "in_progress", "in_progress", "in_progress", "completed"]);
    assert_eq!(text(&updates[2]), "half");
    assert_eq!(updates[3].get("content"), None);
    let custom = json!({"kind": "custom", "subkind": "bar", "payload": {"percent": 50}});
    assert_eq!(updates[3]["_meta"][PROGRESS_KEY], custom);
    assert_eq!(updates[4]["rawOutput"], json!({"type": "Dynamic", "value": null}));
}

#[tokio::test]
async fn a_long_output_is_told_whole_in_linear_size() {
    const LINES: usize = 20_000;
    let tool = dynamic("build", open(), |_, _| {
        ToolStream::new(|progress| async move {
            for line in 0..LINES {
                progress.send(format!("line {line:>20}\n")).await?;
            }
            Output::of(&"done".to_owned())
        })
    });
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (mut pieces, mut content, mut snapshots) = (String::new(), 0, 0);
    let request = CallRequest { id: "c1", name: "build", arguments: "{}" };
    let mut call = registry.dispatch(request, CallOptions::new());
    while let Some(update) = call.next().await {
        if let Some(Progress::Text { text }) = update.meta.progress {
            pieces.push_str(text);
            if let Some(shown) = &update.content {
                snapshots += 1;
                content += serde_json::to_string(shown).unwrap().len();
            }
        }
    }
    let whole: String = (0..LINES).map(|line| format!("line {line:>20}\n")).collect();
    assert!(pieces == whole, "every piece is told once");
    assert!(snapshots > 20 && content < 3 * whole.len(), "{snapshots} snapshots of {content} bytes");
}

#[tokio::test]
async fn the_first_pieces_are_seen_soon() {
    let tool = dynamic("build", open(), |_, _| {
        ToolStream::new(|progress| async move {
            for _ in 0..8 {
                progress.send("1234567\n").await?;
            }
            Output::of(&"done".to_owned())
        })
    });
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (updates, _) = call(&registry, "build", "{}").await;
    let shown: Vec<_> =
        updates[2..10].iter().map(|update| update.get("content").map_or(0, |_| text(update).len())).collect();
    assert_eq!(shown, [8, 16, 0, 32, 0, 0, 0, 64]);
}

#[tokio::test]
async fn the_model_gets_start_and_end_of_a_long_output_and_programs_all_of_it() {
    let lines: Vec<_> = (0..100_000).map(|line| line.to_string()).collect();
    let whole = lines.join("\n");
    let output = whole.clone();
    let tool = dynamic("cat", open(), move |_, _| ToolStream::terminal(Output::of(&output)));
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "cat", "{}").await;
    let prompt = outcome.prompt();
    assert!(prompt.starts_with("0\n1\n") && prompt.ends_with("\n99998\n99999"));
    let head = lines[..200].join("\n").len() + 1;
    let tail = lines[lines.len() - 300..].join("\n").len();
    let cut = format!("199\n[99500 lines, {} bytes left out]\n99700", whole.len() - head - tail);
    assert!(prompt.contains(&cut), "{cut}");
    assert_eq!(text(updates.last().unwrap()), prompt);
    assert_eq!(updates.last().unwrap()["rawOutput"]["text"], json!(whole));

    let options = CallOptions::new().with_truncation(Truncation::Whole);
    let (_, outcome) = call_with(&registry, "cat", "{}", options).await;
    assert_eq!(outcome.prompt(), whole);
}

#[tokio::test]
async fn a_call_can_be_cancelled_and_run_out_of_time() {
    let tool = dynamic("wait", open(), |_, _| ToolStream::from_future(pending()));
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);

    let token = CancelToken::new();
    let request = CallRequest { id: "c1", name: "wait", arguments: "{}" };
    let mut call = registry.dispatch(request, CallOptions::new().with_cancel(token.clone()));
    assert_eq!(call.next().await.unwrap().status, Status::Pending);
    assert_eq!(call.next().await.unwrap().status, Status::InProgress);
    tokio::spawn(async move { token.cancel() });
    let last: Value = serde_json::from_str(&call.next().await.unwrap().to_json()).unwrap();
    assert_eq!((&last["status"], &last["rawOutput"]["kind"]), (&json!("failed"), &json!("cancelled")));
    assert_eq!(last["_meta"]["x.ai/tool"]["name"], "wait");
    assert!(call.next().await.is_none());
    assert_eq!(call.outcome().result.unwrap_err().kind, ToolErrorKind::Cancelled);

    let options = CallOptions::new().with_timeout(tokio::task::yield_now());
    let (updates, outcome) = call_with(&registry, "wait", "{}", options).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::Timeout);
    assert_eq!(updates.last().unwrap()["rawOutput"]["kind"], "timeout");
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_begins_never_reaches_the_tool() {
    let tool = dynamic("work", open(), |_, _| panic!("it is not called"));
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let token = CancelToken::new();
    token.cancel();
    let (updates, outcome) = call_with(&registry, "work", "{}", CallOptions::new().with_cancel(token)).await;
    assert_eq!(statuses(&updates), ["pending", "failed"]);
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::Cancelled);
}

#[tokio::test]
async fn what_was_read_leniently_is_told() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (_, outcome) = call(&registry, "read_file", r#"{"target_file": "5", "offset": "5",}"#).await;
    assert_eq!(outcome.prompt(), "line 5");
    let codes: Vec<_> = outcome.changes.iter().map(|change| change.code.as_str()).collect();
    assert_eq!(codes, ["string_to_number", "trailing_comma"]);
}

#[tokio::test]
async fn arguments_in_an_envelope_of_the_tools_name_are_taken_out_of_it() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let wrapped = |name: &str| json!({"name": name, "arguments": {"target_file": "a"}}).to_string();
    let (_, outcome) = call(&registry, "read_file", &wrapped("read_file")).await;
    assert_eq!((outcome.prompt(), outcome.changes.len()), ("line 1", 1));
    let (_, outcome) = call(&registry, "read_file", &wrapped("delete_file")).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
}

#[tokio::test]
async fn titles_are_one_short_line() {
    let tool = echo("run", open()).with_identity(Kind::Execute, "test");
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let long = "x".repeat(300);
    for (command, title) in [
        ("ls", "Run Command ls"),
        ("ls\nrm", "Run Command ls..."),
        (&long, &format!("Run Command {}...", "x".repeat(200))),
    ] {
        let (updates, _) = call(&registry, "run", &json!({"command": command}).to_string()).await;
        assert_eq!((&updates[0]["title"], &updates[1]["title"]), (&json!("run"), &json!(title)));
    }
    let (updates, _) = call(&registry, "run", "{}").await;
    assert_eq!(updates[1].get("title"), None);
}

#[tokio::test]
async fn of_many_names_some_are_told() {
    let tools = (0..40).map(|n| Arc::new(echo(&format!("tool_{n}"), open())) as Arc<dyn DynTool>);
    let (_, outcome) = call(&registry(tools), "other", "{}").await;
    assert!(outcome.prompt().ends_with("tool_28, tool_29, ..."), "{}", outcome.prompt());
}

#[tokio::test]
async fn a_call_that_is_given_up_says_so() {
    let registry = registry([Arc::new(echo("echo", open())) as Arc<dyn DynTool>]);
    let request = CallRequest { id: "", name: "echo", arguments: "{}" };
    let mut call = registry.dispatch(request, CallOptions::new());
    assert_eq!(call.next().await.unwrap().tool_call_id, "");
    assert_eq!(call.outcome().result.unwrap_err().kind, ToolErrorKind::Cancelled);
}

#[tokio::test]
async fn the_tool_is_told_what_its_host_has_for_it() {
    struct Greeting(&'static str);
    let tool = dynamic("greet", open(), |context: CallContext, _| {
        let greeting = context.extensions.get::<Greeting>().map_or("nobody", |greeting| greeting.0);
        let cancelled = context.cancel.is_cancelled();
        ToolStream::terminal(Output::of(&format!("{} {greeting} {cancelled}", context.call_id)))
    });
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let mut extensions = Extensions::new();
    extensions.insert(Greeting("hello"));
    let (_, outcome) = call_with(&registry, "greet", "{}", CallOptions::new().with_extensions(extensions)).await;
    assert_eq!(outcome.prompt(), "c1 hello false");
    let (_, outcome) = call(&registry, "greet", "{}").await;
    assert_eq!(outcome.prompt(), "c1 nobody false");
}

#[tokio::test]
async fn a_tool_without_work_is_not_implemented() {
    struct Empty;
    impl Tool for Empty {
        type Args = crate::tools::ReadArgs;
        type Output = String;

        fn id(&self) -> &str {
            "empty"
        }

        fn description(&self, _: &toolprism_contract::ListContext) -> std::borrow::Cow<'_, str> {
            "".into()
        }
    }
    impl ToolMetadata for Empty {
        fn kind(&self) -> Kind {
            Kind::Other
        }

        fn namespace(&self) -> toolprism::WireNamespace {
            "test".into()
        }
    }
    let registry = registry([Arc::new(Empty) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "empty", r#"{"target_file": "a"}"#).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NotImplemented);
    assert_eq!(error.message, "the tool empty has neither `run` nor `execute`");
    assert_eq!(statuses(&updates), ["pending", "in_progress", "failed"]);
}

#[tokio::test]
async fn calls_can_be_made_from_many_tasks() {
    let registry = Arc::new(registry([Arc::new(ReadFile) as Arc<dyn DynTool>]));
    let tasks = (0..50_i64).map(|n| {
        let registry = registry.clone();
        tokio::spawn(async move {
            let arguments = json!({"target_file": "a", "offset": n}).to_string();
            call(&registry, "read_file", &arguments).await.1.prompt().to_owned()
        })
    });
    let tasks: Vec<_> = tasks.collect();
    for (n, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.unwrap(), format!("line {n}"));
    }
}
