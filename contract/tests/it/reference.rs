//! What the reference contract pins down (Grok Build, revision of August 2026), and what it gets wrong and is right here, as
//! far as no other test has it.
//!
//! | of the reference | tested in |
//! |---|---|
//! | streams: one terminal, progress before it, none without it | `stream/tests.rs`, and below as calls |
//! | arguments: numbers, booleans, lists, to the table's last row | `tests/arguments.rs` |
//! | configuration: path, value and category, rules, keys with dots | `tests/config.rs` |
//! | names, keys, clashes, renames, first tool of a kind | `registry.rs`, `names.rs`, `rename.rs` |
//! | templates: names, conditions, missing kinds | `template.rs`, `registry.rs` |
//! | schemas: members always there, no title, made once | `tests/schemas/types.rs` |
//! | errors: the nineteen names | `error.rs` |
//! | pieces of an output | `delta.rs` |
//! | envelope of each step, the failed ones included | `dispatch.rs` |

use std::sync::Arc;

use serde_json::json;
use toolprism::Kind;
use toolprism_contract::{
    CallOptions, CallRequest, DynTool, Output, Progress, Registry, Status, StreamItem, ToolConfig, ToolErrorKind,
    ToolStream,
};

use crate::tools::{ReadFile, call, dynamic, echo, open, registry};

/// A tool whose stream gives just these items, whatever they are.
fn giving(id: &str, items: fn() -> Vec<StreamItem<Output>>) -> Arc<dyn DynTool> {
    Arc::new(dynamic(id, open(), move |_, _| ToolStream::from_stream(Items(items().into_iter()))))
}

struct Items(std::vec::IntoIter<StreamItem<Output>>);

impl futures_core::Stream for Items {
    type Item = StreamItem<Output>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<StreamItem<Output>>> {
        std::task::Poll::Ready(self.0.next())
    }
}

fn text(text: &str) -> StreamItem<Output> {
    StreamItem::Terminal(Output::of(&text.to_owned()))
}

#[tokio::test]
async fn a_stream_without_a_terminal_is_a_failed_call() {
    let registry = registry([giving("open", || vec![StreamItem::Progress(Progress::text("on the way"))])]);
    let (updates, outcome) = call(&registry, "open", "{}").await;
    let error = outcome.result.unwrap_err();
    assert_eq!((error.kind, error.code()), (ToolErrorKind::Custom, "stream_no_terminal"));
    assert_eq!(updates.len(), 4);
    assert_eq!(updates[3]["rawOutput"]["kind"], "custom");
}

#[tokio::test]
async fn what_comes_after_a_terminal_reaches_nobody() {
    let items = || vec![text("first"), StreamItem::Progress(Progress::text("late")), text("second")];
    let registry = registry([giving("two", items)]);
    let (updates, outcome) = call(&registry, "two", "{}").await;
    assert_eq!((outcome.prompt(), updates.len()), ("first", 3));
}

#[tokio::test]
async fn a_tool_without_types_ends_with_an_update_as_well() {
    let registry = registry([Arc::new(echo("echo", open())) as Arc<dyn DynTool>]);
    let (updates, _) = call(&registry, "echo", r#"{"a": 1}"#).await;
    assert_eq!(updates.last().unwrap()["rawOutput"], json!({"type": "Dynamic", "value": {"a": 1}}));
}

#[tokio::test]
async fn a_tool_at_run_time_keeps_its_namespace_and_flag() {
    let tool = echo("probe", open()).with_identity(Kind::Execute, "lab").with_read_only(true);
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (updates, _) = call(&registry, "probe", "{}").await;
    let envelope = &updates[0]["_meta"]["x.ai/tool"];
    assert_eq!((&envelope["namespace"], &envelope["read_only"]), (&json!("lab"), &json!(true)));
}

#[tokio::test]
async fn nothing_takes_the_place_of_another_at_run_time() {
    let mut registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let other = || Arc::new(echo("read_file", open()).with_identity(Kind::Read, "grok_build"));
    let config = ToolConfig { name: Some("other".into()), ..ToolConfig::default() };
    assert!(registry.register_as(other(), &config).is_err(), "the key is taken, whatever the name");
    let stranger = Arc::new(echo("read_file", open()));
    assert!(registry.register(stranger.clone()).is_err(), "the name is taken, whatever the key");
    registry.register_as(stranger, &config).unwrap();
    let (updates, outcome) = call(&registry, "read_file", r#"{"target_file": "a"}"#).await;
    assert_eq!((outcome.prompt(), &updates[0]["_meta"]["x.ai/tool"]["namespace"]), ("line 1", &json!("grok_build")));
}

#[tokio::test]
async fn a_line_number_does_not_wrap() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "read_file", r#"{"target_file": "a", "offset": 4294967298}"#).await;
    assert_eq!(outcome.prompt(), "line 4294967298");
    let input = &updates.last().unwrap()["_meta"]["x.ai/tool"]["input"];
    assert!(input.get("offset").is_none_or(|offset| offset == 4_294_967_298_u64), "{input}");
}

#[tokio::test]
async fn of_two_objects_none_is_guessed() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let (_, outcome) = call(&registry, "read_file", r#"{"target_file": "a"}{"target_file": "b"}"#).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
}

#[tokio::test]
async fn a_calls_id_is_any_text() {
    let registry = registry([Arc::new(echo("echo", open())) as Arc<dyn DynTool>]);
    for id in ["", "a\"b\n", "üñ", &"x".repeat(10_000)] {
        let request = CallRequest { id, name: "echo", arguments: "{}" };
        let mut call = registry.dispatch(request, CallOptions::new());
        let first: serde_json::Value = serde_json::from_str(&call.next().await.unwrap().to_json()).unwrap();
        assert_eq!(first["toolCallId"], id);
    }
}

#[test]
fn a_broken_template_is_refused_when_it_is_registered() {
    let config = ToolConfig { description: Some("${% if tools.by_kind.read %}".into()), ..ToolConfig::default() };
    Registry::new().register_as(Arc::new(ReadFile), &config).unwrap_err();
}

#[test]
fn a_tool_can_come_in_a_box() {
    let boxed: Box<dyn DynTool> = Box::new(ReadFile);
    let mut registry = Registry::new();
    registry.register(boxed.into()).unwrap();
    assert_eq!(registry.keys().map(ToString::to_string).collect::<Vec<_>>(), ["grok_build:read_file"]);
}

#[tokio::test]
async fn the_status_is_what_the_output_says() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    for (file, is_error, status) in [("a", false, Status::Completed), ("missing", true, Status::Failed)] {
        let (updates, outcome) = call(&registry, "read_file", &json!({"target_file": file}).to_string()).await;
        assert_eq!(outcome.status(), status);
        assert_eq!(outcome.result.unwrap().is_error(), is_error);
        assert_eq!(updates.last().unwrap()["status"], if is_error { "failed" } else { "completed" });
    }
}
