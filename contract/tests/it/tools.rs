//! Tools that the tests call, and what they ask of a call.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolprism::{Kind, WireNamespace};
use toolprism_contract::{
    CallContext, CallOptions, CallRequest, DynTool, DynamicTool, ListContext, Outcome, Output, Registry, Tool,
    ToolError, ToolMetadata, ToolOutput, ToolStream,
};

/// A tool whose whole being is data, where a test needs to say only some of it.
pub(crate) fn dynamic(
    id: &str,
    schema: Value,
    work: impl Fn(CallContext, Value) -> ToolStream<Output> + Send + Sync + 'static,
) -> DynamicTool {
    DynamicTool::new(id, schema, move |context, arguments| match arguments.value() {
        Ok(value) => work(context, value),
        Err(why) => ToolStream::terminal(Err(why.into())),
    })
    .unwrap()
}

/// A tool that gives back its arguments.
pub(crate) fn echo(id: &str, schema: Value) -> DynamicTool {
    dynamic(id, schema, |_, value| ToolStream::terminal(Output::of(&value)))
}

pub(crate) fn open() -> Value {
    json!({"type": "object"})
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ReadArgs {
    /// The file to read. To look for files, call ${{ tools.by_kind.search }}.
    pub(crate) target_file: String,
    /// The first line.
    pub(crate) offset: Option<i64>,
    pub(crate) limit: Option<u64>,
}

#[derive(Serialize)]
pub(crate) enum ReadOutput {
    Content(String),
    NotFound(String),
}

impl ToolOutput for ReadOutput {
    const TYPE: &'static str = "ReadFile";

    fn is_error(&self) -> bool {
        matches!(self, ReadOutput::NotFound(_))
    }

    fn to_prompt_format(&self) -> String {
        match self {
            ReadOutput::Content(text) => text.clone(),
            ReadOutput::NotFound(path) => format!("there is no file {path}"),
        }
    }
}

/// Reads files that it makes up; progress on the way, and an error for files that are `missing`.
pub(crate) struct ReadFile;

impl Tool for ReadFile {
    type Args = ReadArgs;
    type Output = ReadOutput;

    fn id(&self) -> &str {
        "read_file"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Reads a file.".into()
    }

    fn execute(self: Arc<Self>, context: CallContext, args: ReadArgs) -> ToolStream<ReadOutput> {
        ToolStream::new(|progress| async move {
            progress.send(format!("{} opens {}\n", context.call_id, args.target_file)).await?;
            match args.target_file.as_str() {
                "missing" => Ok(ReadOutput::NotFound(args.target_file)),
                "broken" => Err(ToolError::execution("the disk is broken")),
                _ if args.limit == Some(0) => Ok(ReadOutput::Content(String::new())),
                _ => Ok(ReadOutput::Content(format!("line {}", args.offset.unwrap_or(1)))),
            }
        })
    }
}

impl ToolMetadata for ReadFile {
    fn kind(&self) -> Kind {
        Kind::Read
    }

    fn namespace(&self) -> WireNamespace {
        "grok_build".into()
    }

    fn description_template(&self) -> Option<&str> {
        Some(
            "Reads ${{ params.target_file }}.${% if tools.by_kind.search %} Find it by ${{ tools.by_kind.search }}.${% endif %}",
        )
    }
}

pub(crate) fn registry(tools: impl IntoIterator<Item = Arc<dyn DynTool>>) -> Registry {
    Registry::of(tools.into_iter().map(|tool| (tool, Default::default()))).unwrap()
}

/// Makes a call, and gives all updates and what came of it.
pub(crate) async fn call(registry: &Registry, name: &str, arguments: &str) -> (Vec<Value>, Outcome) {
    call_with(registry, name, arguments, CallOptions::new()).await
}

pub(crate) async fn call_with(
    registry: &Registry,
    name: &str,
    arguments: &str,
    options: CallOptions,
) -> (Vec<Value>, Outcome) {
    let mut updates = Vec::new();
    let call = registry.dispatch(CallRequest { id: "c1", name, arguments }, options);
    let outcome = call
        .run(|update| {
            let text = update.to_json();
            assert!(!text.contains('\n'), "an update is one line: {text}");
            updates.push(serde_json::from_str(&text).unwrap());
        })
        .await;
    check(&updates);
    (updates, outcome)
}

/// What holds for the updates of every call.
fn check(updates: &[Value]) {
    let ended = |update: &Value| matches!(update["status"].as_str(), Some("completed" | "failed"));
    assert_eq!(updates[0]["sessionUpdate"], "tool_call");
    assert!(updates[1..].iter().all(|update| update["sessionUpdate"] == "tool_call_update"));
    assert_eq!(updates.iter().filter(|update| ended(update)).count(), 1);
    assert!(ended(updates.last().unwrap()));
    let first = &updates[0]["_meta"]["x.ai/tool"];
    for update in updates {
        assert_eq!(update["toolCallId"], "c1");
        let envelope = toolprism::meta::parse(&&update["_meta"]).unwrap();
        assert_eq!(
            (&envelope.name, envelope.namespace.as_str()),
            (&first["name"].as_str().unwrap().to_owned(), first["namespace"].as_str().unwrap())
        );
    }
}
