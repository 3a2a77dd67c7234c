//! Tools and calls that do harm: they fail by themselves, and the registry and other calls stay as they are.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use toolprism::{Kind, WireNamespace};
use toolprism_contract::{
    CallContext, CallOptions, DynTool, ListContext, Output, Registry, Status, Tool, ToolConfig, ToolError,
    ToolErrorKind, ToolMetadata, ToolOutput, ToolStream, arguments, schema,
};

use crate::tools::{call, call_with, dynamic, echo, open, registry};

/// A tool that panics where it is told to.
struct Bad {
    place: &'static str,
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[allow(dead_code)]
struct Strange(String);

impl TryFrom<String> for Strange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "panic" => panic!("in the arguments"),
            "refuse" => Err("it is strange".into()),
            _ => Ok(Strange(text)),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct StrangeArgs {
    strange: Strange,
}

struct StrangeOutput(&'static str);

impl Serialize for StrangeOutput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            "output panics" => panic!("in the output"),
            "output fails" => Err(serde::ser::Error::custom("it is secret")),
            "output has odd keys" => BTreeMap::from([(vec![1], 2)]).serialize(serializer),
            _ => serializer.serialize_str("good"),
        }
    }
}

impl ToolOutput for StrangeOutput {
    const TYPE: &'static str = "Strange";
}

impl Tool for Bad {
    type Args = StrangeArgs;
    type Output = StrangeOutput;

    fn id(&self) -> &str {
        assert!(self.place != "id", "in the id");
        "bad"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        assert!(self.place != "description", "in the description");
        "".into()
    }

    fn execute(self: Arc<Self>, context: CallContext, args: StrangeArgs) -> ToolStream<StrangeOutput> {
        assert!(self.place != "execute", "in execute");
        ToolStream::from_future(async move { self.run(&context, args).await })
    }

    async fn run(&self, _: &CallContext, _: StrangeArgs) -> Result<StrangeOutput, ToolError> {
        assert!(self.place != "run", "in run");
        Ok(StrangeOutput(self.place))
    }
}

impl ToolMetadata for Bad {
    fn kind(&self) -> Kind {
        Kind::Other
    }

    fn namespace(&self) -> WireNamespace {
        "test".into()
    }
}

#[tokio::test]
async fn panics_and_outputs_without_json_end_their_own_call() {
    for (place, argument, message) in [
        ("execute", "x", "the tool panicked: in execute"),
        ("run", "x", "the tool panicked: in run"),
        ("", "panic", "the tool panicked: in the arguments"),
        ("output panics", "x", "the tool panicked: in the output"),
        ("output fails", "x", "the tool's output cannot be written as JSON: it is secret"),
        ("output has odd keys", "x", "the tool's output cannot be written as JSON: key must be a string"),
    ] {
        let registry = registry([Arc::new(Bad { place }) as Arc<dyn DynTool>, Arc::new(echo("echo", open()))]);
        let (updates, outcome) = call(&registry, "bad", &json!({"strange": argument}).to_string()).await;
        let error = outcome.result.unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (ToolErrorKind::Execution, message));
        assert_eq!(updates.last().unwrap()["status"], "failed");
        let (_, outcome) = call(&registry, "echo", r#"{"a":1}"#).await;
        assert_eq!(outcome.prompt(), r#"{"a":1}"#);
    }
}

#[tokio::test]
async fn arguments_that_the_type_refuses_are_invalid() {
    let registry = registry([Arc::new(Bad { place: "" }) as Arc<dyn DynTool>]);
    let (_, outcome) = call(&registry, "bad", r#"{"strange": "refuse"}"#).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    assert!(error.message.contains("it is strange"), "{error}");
    let mut renamed = Registry::new();
    let config = ToolConfig { parameters: [("strange".into(), "odd".into())].into(), ..ToolConfig::default() };
    renamed.register_as(Arc::new(Bad { place: "" }), &config).unwrap();
    let (_, outcome) = call(&renamed, "bad", r#"{"odd": "refuse"}"#).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.details.unwrap()["problems"][0]["path"], "/odd", "by the name that the model knows");
    let (_, outcome) = call(&registry, "bad", r#"{"strange": "x"}"#).await;
    assert_eq!(outcome.result.unwrap().json(), r#"{"type":"Strange","value":"good"}"#);
}

#[test]
fn a_tool_that_panics_when_it_is_asked_what_it_is_is_refused_or_left_out() {
    let mut registry = Registry::new();
    let error = registry.register(Arc::new(Bad { place: "id" })).unwrap_err();
    assert!(error.to_string().contains("in the id"), "{error}");
    assert!(registry.is_empty());

    registry.register(Arc::new(Bad { place: "description" })).unwrap();
    registry.register(Arc::new(echo("echo", open()))).unwrap();
    let listing = registry.list(&ListContext::default());
    assert_eq!(listing.tools.iter().map(|tool| tool.name).collect::<Vec<_>>(), ["echo"]);
    let [(key, error)] = listing.faults.as_slice() else { panic!("{:?}", listing.faults) };
    assert_eq!((key.as_str(), error.message.as_str()), ("test:bad", "the tool panicked: in the description"));
}

/// A tool of another make that panics in all it does once it is registered.
struct Flaky {
    panics: AtomicBool,
    schema: schema::Schema,
}

impl Flaky {
    fn look(&self) {
        assert!(!self.panics.load(Ordering::SeqCst), "flaky");
    }
}

impl ToolMetadata for Flaky {
    fn kind(&self) -> Kind {
        self.look();
        Kind::Other
    }

    fn namespace(&self) -> WireNamespace {
        self.look();
        "test".into()
    }

    fn description_template(&self) -> Option<&str> {
        self.look();
        Some("${{ params.a }}")
    }
}

impl DynTool for Flaky {
    fn tool_id(&self) -> &str {
        self.look();
        "flaky"
    }

    fn describe(&self, _: &ListContext) -> Cow<'_, str> {
        "".into()
    }

    fn is_listed(&self, _: &ListContext) -> bool {
        true
    }

    fn schema(&self) -> &schema::Schema {
        self.look();
        &self.schema
    }

    fn call(self: Arc<Self>, _: CallContext, _: arguments::Arguments) -> ToolStream<Output> {
        ToolStream::terminal(Output::of(&"good".to_owned()))
    }
}

#[tokio::test]
async fn a_tool_that_begins_to_panic_later_harms_nobody_else() {
    let schema = schema::Schema::from_value(json!({"type": "object", "properties": {"a": {}}})).unwrap();
    let flaky = Arc::new(Flaky { panics: AtomicBool::new(false), schema });
    let registry = registry([flaky.clone() as Arc<dyn DynTool>, Arc::new(echo("echo", open()))]);
    assert_eq!(registry.list(&ListContext::default()).tools[0].description, "a");
    assert_eq!(call(&registry, "flaky", "{}").await.1.prompt(), "good");
    flaky.panics.store(true, Ordering::SeqCst);
    let listing = registry.list(&ListContext::default());
    assert_eq!(listing.tools.iter().map(|tool| tool.name).collect::<Vec<_>>(), ["echo"]);
    assert_eq!(listing.faults.len(), 1);
    let (updates, outcome) = call(&registry, "flaky", "{}").await;
    assert_eq!(outcome.result.unwrap_err().message, "the tool panicked: flaky");
    assert_eq!(updates.len(), 2);
    assert_eq!(call(&registry, "echo", "{}").await.1.prompt(), "{}");
}

#[tokio::test]
async fn ten_megabytes_of_arguments_are_read_or_refused() {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let size = dynamic("size", schema, |_, value| {
        ToolStream::terminal(Output::of(&json!(value["text"].as_str().map(str::len))))
    });
    let registry = registry([Arc::new(size) as Arc<dyn DynTool>]);
    let text = "x".repeat(10_000_000);
    let reading = arguments::Options { max_bytes: 16 << 20, ..Default::default() };
    let options = CallOptions::new().with_arguments(reading);
    let (updates, outcome) = call_with(&registry, "size", &json!({ "text": text }).to_string(), options).await;
    assert_eq!(outcome.prompt(), "10000000");
    assert_eq!(updates[0]["rawInput"]["text"].as_str().map(str::len), Some(10_000_000));

    let (updates, outcome) = call(&registry, "size", &json!({ "text": text }).to_string()).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    assert!(error.message.len() < 1000);
    assert_eq!(updates.len(), 2);

    let deep = "[".repeat(5_000_000) + &"]".repeat(5_000_000);
    for arguments in [deep.clone(), format!("{{\"text\":{deep}}}"), "{".repeat(10_000_000), "\"".repeat(9_999_999)] {
        let (_, outcome) = call(&registry, "size", &arguments).await;
        assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
    }
}

#[tokio::test]
async fn names_outside_the_alphabet_are_refused_when_registered_and_harmless_when_called() {
    let mut registry = Registry::new();
    for id in ["", "a b", "a:b", "tür", "a\n", &"x".repeat(65)] {
        registry.register(Arc::new(echo(id, open()))).unwrap_err();
        let config = ToolConfig { name: Some(id.into()), ..ToolConfig::default() };
        registry.register_as(Arc::new(echo("good", open())), &config).unwrap_err();
    }
    assert!(registry.is_empty());
    registry.register(Arc::new(echo("good", open()))).unwrap();
    for name in ["", "a\n\"b", "тул", "\u{0}", &"漢".repeat(1_000_000)] {
        let (updates, outcome) = call(&registry, name, "{}").await;
        let error = outcome.result.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::NotFound);
        assert!(error.message.len() < 1000 && updates[0].to_string().len() < 2000, "{name:.20}");
    }
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[tokio::test]
async fn types_that_hold_themselves_are_described_and_checked_to_a_depth() {
    struct Grow;
    impl Tool for Grow {
        type Args = Tree;
        type Output = String;

        fn id(&self) -> &str {
            "grow"
        }

        fn description(&self, _: &ListContext) -> Cow<'_, str> {
            "".into()
        }

        async fn run(&self, _: &CallContext, args: Tree) -> Result<String, ToolError> {
            Ok(args.children.len().to_string())
        }
    }
    impl ToolMetadata for Grow {
        fn kind(&self) -> Kind {
            Kind::Other
        }

        fn namespace(&self) -> WireNamespace {
            "test".into()
        }
    }
    assert!(schema::of::<Tree>().text().len() < 10_000);
    let registry = registry([Arc::new(Grow) as Arc<dyn DynTool>]);
    let leaf = r#"{"name": "a", "children": []}"#;
    let (_, outcome) = call(&registry, "grow", &format!(r#"{{"name": "r", "children": [{leaf}, {leaf}]}}"#)).await;
    assert_eq!(outcome.prompt(), "2");
    let (_, outcome) = call(&registry, "grow", r#"{"name": "r", "children": [{"name": 1, "children": [{}]}]}"#).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);
    let deep = r#"{"name": "a", "children": ["#.repeat(100_000) + &"]}".repeat(100_000);
    let (_, outcome) = call(&registry, "grow", &deep).await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::InvalidArguments);

    let mut registry = Registry::new();
    let config = ToolConfig { parameters: [("name".into(), "title".into())].into(), ..ToolConfig::default() };
    let error = registry.register_as(Arc::new(Grow), &config).unwrap_err();
    assert!(error.to_string().contains("refers to"), "{error}");
}

#[tokio::test]
async fn an_output_that_is_nested_without_end_is_an_error_and_no_crash() {
    let mut value = Value::Null;
    for _ in 0..2_000 {
        value = Value::Array(vec![value]);
    }
    let tool = dynamic("nest", open(), move |_, _| ToolStream::terminal(Output::of(&value)));
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let (updates, outcome) = call(&registry, "nest", "{}").await;
    let error = outcome.result.unwrap_err();
    assert_eq!((error.kind, error.code()), (ToolErrorKind::Execution, "execution"));
    assert_eq!(error.details, Some(json!({"reason": "output_encoding"})));
    assert!(error.message.contains("120 levels"), "{error}");
    assert_eq!(updates.last().unwrap()["status"], "failed");
}

#[tokio::test]
async fn a_namespace_that_is_none_is_refused() {
    for namespace in ["", "a b", "a:b"] {
        let tool = echo("good", open()).with_identity(Kind::Other, namespace);
        Registry::new().register(Arc::new(tool)).unwrap_err();
    }
}

#[tokio::test]
async fn a_tool_that_is_removed_ends_no_call() {
    let tool = dynamic("slow", open(), |_, _| {
        ToolStream::from_future(async {
            tokio::task::yield_now().await;
            Output::of(&"done".to_owned())
        })
    });
    let mut registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let request = toolprism_contract::CallRequest { id: "c1", name: "slow", arguments: "{}" };
    let mut running = registry.dispatch(request, Default::default());
    assert_eq!(running.next().await.unwrap().status, Status::Pending);
    assert!(registry.remove("dynamic:slow").is_some());
    assert_eq!(running.run(|_| ()).await.status(), Status::Completed);
    let (_, outcome) = call(&registry, "slow", "{}").await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::NotFound);
}
