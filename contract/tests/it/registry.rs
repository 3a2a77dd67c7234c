//! What a registry takes, and what it offers.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};
use toolprism::catalog::{How, Rule};
use toolprism::{Field, Kind};
use toolprism_contract::{
    DynTool, ListContext, NoArgs, Registry, RegistryFault, Tool, ToolConfig, ToolErrorKind, ToolMetadata, schema,
};

use crate::tools::{ReadFile, echo, open, registry};

fn config(value: Value) -> ToolConfig {
    serde_json::from_value(value).unwrap()
}

fn grep() -> Arc<dyn DynTool> {
    Arc::new(echo("grep", open()).with_identity(Kind::Search, "grok_build").with_description("${{ kept }}"))
}

#[test]
fn clashes_are_refused_and_change_nothing() {
    let mut registry = Registry::new();
    registry.register(grep()).unwrap();
    let error = registry.register(grep()).unwrap_err();
    assert_eq!(*error.fault, RegistryFault::KeyTaken);
    let same_name = || Arc::new(echo("grep", open()).with_identity(Kind::Other, "codex"));
    let error = registry.register(same_name()).unwrap_err();
    assert_eq!(*error.fault, RegistryFault::NameTaken { name: "grep".into(), by: "grok_build:grep".into() });
    assert_eq!(
        error.to_string(),
        r#"the tool "codex:grep" is not registered: models know "grok_build:grep" as "grep"; give one of the two another name"#
    );
    assert_eq!(registry.len(), 1);
    registry.register_as(same_name(), &config(json!({"name": "grep_files"}))).unwrap();
    assert_eq!(registry.key_of("grep_files").unwrap().as_str(), "codex:grep");
    assert_eq!(registry.key_of("grep").unwrap().as_str(), "grok_build:grep");
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let tools = [("a", json!({})), ("a", json!({})), ("b c", json!({})), ("d", json!({"parameters": {"x": "y"}}))];
    let tools = tools.map(|(id, wishes)| (Arc::new(echo(id, open())) as Arc<dyn DynTool>, config(wishes)));
    let errors = Registry::of(tools).unwrap_err();
    let tools: Vec<_> = errors.iter().map(|error| error.tool.as_str()).collect();
    assert_eq!(tools, ["dynamic:a", "b c", "dynamic:d"]);
}

#[test]
fn tools_are_found_by_key_and_go_one_by_one_or_by_namespace() {
    let mut registry = registry([grep(), Arc::new(ReadFile), Arc::new(echo("echo", open()))]);
    assert_eq!(registry.get("GrokBuild:read_file").unwrap().tool_id(), "read_file");
    assert!(registry.get("codex:read_file").is_none() && registry.get("read_file").is_none());
    assert!(registry.remove("grep").is_none());
    let removed = registry.remove("grok_build:grep").unwrap();
    assert_eq!((registry.len(), registry.key_of("grep")), (2, None));
    registry.register(removed).unwrap();
    assert_eq!(registry.remove_namespace("GrokBuild"), 2);
    assert_eq!(registry.list(&ListContext::default()).tools.len(), 1);
    assert_eq!(registry.key_of("read_file"), None);
}

#[test]
fn descriptions_name_the_tools_and_parameters_that_the_model_sees() {
    let mut registry = Registry::new();
    let wishes = json!({"name": "view", "parameters": {"target_file": "path"}});
    registry.register_as(Arc::new(ReadFile), &config(wishes)).unwrap();
    let described = |registry: &Registry| {
        let listing = registry.list(&ListContext::default());
        let tool = &listing.tools[0];
        let parameter = tool.schema["properties"]["path"]["description"].as_str().unwrap().to_owned();
        (tool.description.clone().into_owned(), parameter)
    };
    assert_eq!(described(&registry), ("Reads path.".into(), "The file to read. To look for files, call .".into()));
    registry.register_as(grep(), &config(json!({"name": "find"}))).unwrap();
    assert_eq!(
        described(&registry),
        ("Reads path. Find it by find.".into(), "The file to read. To look for files, call find.".into())
    );
    let listing = registry.list(&ListContext::default());
    assert_eq!(listing.tools[1].description, "${{ kept }}", "what a stranger wrote is no template");
    let tool = &listing.tools[0];
    assert_eq!((tool.name, tool.key.as_str(), tool.read_only), ("view", "grok_build:read_file", true));
    assert_eq!(tool.schema["required"], json!(["path"]));
}

#[test]
fn the_first_tool_of_a_kind_is_named() {
    let mut registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>, grep()]);
    let second = Arc::new(echo("grep_files", open()).with_identity(Kind::Search, "codex"));
    registry.register(second).unwrap();
    let text = |registry: &Registry| registry.list(&ListContext::default()).tools[0].description.clone().into_owned();
    assert_eq!(text(&registry), "Reads target_file. Find it by grep.");
    registry.remove("grok_build:grep");
    assert_eq!(text(&registry), "Reads target_file. Find it by grep_files.");
}

#[test]
fn a_host_may_describe_a_tool_otherwise() {
    let mut registry = Registry::new();
    registry.register_as(grep(), &config(json!({"description": "Like ${{ tools.by_id.grok_build:grep }}."}))).unwrap();
    assert_eq!(registry.list(&ListContext::default()).tools[0].description, "Like grep.");
    let read = || Arc::new(ReadFile);
    for (wishes, words) in [
        (json!({"description": "${{ tools.by_kind.raed }}"}), "no kind \"raed\""),
        (json!({"description": "${{ params.path }}"}), "names its parameter \"path\""),
        (json!({"parameters": {"path": "file"}}), "has none of that name"),
        (json!({"parameters": {"target_file": "limit"}}), "another parameter is called \"limit\""),
        (json!({"parameters": {"target_file": "a b"}}), "its new name is none"),
    ] {
        let error = registry.register_as(read(), &config(wishes)).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(registry.len(), 1);
    assert!(serde_json::from_value::<ToolConfig>(json!({"nam": "x"})).is_err(), "a wish that is misspelt is no wish");
}

struct Hidden;

impl Tool for Hidden {
    type Args = crate::tools::ReadArgs;
    type Output = String;

    fn id(&self) -> &str {
        "hidden"
    }

    fn description(&self, context: &ListContext) -> Cow<'_, str> {
        format!("for {}", context.extensions.get::<u32>().copied().unwrap_or_default()).into()
    }

    fn should_list(&self, context: &ListContext) -> bool {
        context.extensions.get::<u32>().is_some()
    }
}

impl ToolMetadata for Hidden {
    fn kind(&self) -> Kind {
        Kind::Search
    }

    fn namespace(&self) -> toolprism::WireNamespace {
        "test".into()
    }

    fn is_read_only(&self) -> bool {
        false
    }

    fn input_rules(&self) -> Option<&'static [Rule]> {
        const RULES: &[Rule] = &[Rule { field: Field::Pattern, from: &["target_file"], how: How::Text }];
        Some(RULES)
    }
}

#[tokio::test]
async fn a_turn_lists_what_wants_to_be_listed_and_names_nothing_else() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>, Arc::new(Hidden)]);
    let listing = registry.list(&ListContext::default());
    assert_eq!(listing.tools.len(), 1);
    assert_eq!(listing.tools[0].description, "Reads target_file.");
    let mut context = ListContext::default();
    context.extensions.insert(7_u32);
    let listing = registry.list(&context);
    assert_eq!(listing.tools[0].description, "Reads target_file. Find it by hidden.");
    assert_eq!((listing.tools[1].description.as_ref(), listing.tools[1].read_only), ("for 7", false));
    let (updates, outcome) = crate::tools::call(&registry, "hidden", r#"{"target_file": "a"}"#).await;
    assert_eq!(updates[1]["_meta"]["x.ai/tool"]["input"], json!({"pattern": "a"}), "by the tool's own rules");
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::NotImplemented, "a call of it is a call of it");
}

#[test]
fn schemas_are_made_once_and_shared() {
    let registry = registry([Arc::new(ReadFile) as Arc<dyn DynTool>]);
    let made = schema::of::<crate::tools::ReadArgs>();
    assert!(std::ptr::eq(registry.get("grok_build:read_file").unwrap().schema(), made));
    let plain = registry_of_echo();
    let (one, two) = (plain.list(&ListContext::default()), plain.list(&ListContext::default()));
    let (Cow::Borrowed(one), Cow::Borrowed(two)) = (&one.tools[0].schema, &two.tools[0].schema) else {
        panic!("a schema with nothing to fill is not copied")
    };
    assert!(std::ptr::eq(*one, *two));
}

fn registry_of_echo() -> Registry {
    registry([Arc::new(echo("echo", json!({"type": "object", "description": "${{ kept }}"}))) as Arc<dyn DynTool>])
}

#[test]
fn a_schema_that_cannot_be_used_is_refused() {
    let bad = json!({"type": "object", "properties": {"a": {"type": "strin"}}});
    let error = toolprism_contract::DynamicTool::new("bad", bad, |_, _| panic!("never called")).unwrap_err();
    assert_eq!(error.fault().path, "/properties/a/type");

    let error = Registry::new().register(Arc::new(Wrong)).unwrap_err();
    let RegistryFault::Schema(why) = &*error.fault else { panic!("{error}") };
    assert_eq!(why.fault().path, "/type");
}

/// A tool whose arguments describe themselves wrongly.
struct Wrong;

#[derive(serde::Deserialize)]
struct WrongArgs {}

impl schemars::JsonSchema for WrongArgs {
    fn schema_name() -> Cow<'static, str> {
        "WrongArgs".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "strin"})
    }
}

impl Tool for Wrong {
    type Args = WrongArgs;
    type Output = String;

    fn id(&self) -> &str {
        "wrong"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "".into()
    }
}

impl ToolMetadata for Wrong {
    fn kind(&self) -> Kind {
        Kind::Other
    }

    fn namespace(&self) -> toolprism::WireNamespace {
        "test".into()
    }
}

#[test]
fn arguments_are_objects() {
    for schema in [json!({"type": "string"}), json!({"type": ["null", "array"]})] {
        let error = Registry::new().register(Arc::new(echo("odd", schema))).unwrap_err();
        assert_eq!(*error.fault, RegistryFault::NoObject);
    }
    for schema in [json!({}), json!({"type": ["null", "object"]}), schema::of::<NoArgs>().json().clone()] {
        Registry::new().register(Arc::new(echo("good", schema))).unwrap();
    }
}

#[test]
fn the_catalogs_tools_are_projected_as_the_catalog_does() {
    // The reference's `hashline_edit` has a path, and projects none.
    for (namespace, id, arguments, input) in [
        ("grok_build", "grep", json!({"pattern": "x", "path": "src"}), json!({"pattern": "x", "path": "src"})),
        (
            "grok_build",
            "run_terminal_cmd",
            json!({"command": "ls", "description": "d", "cwd": "/"}),
            json!({"command": "ls", "description": "d"}),
        ),
        ("my_agent", "run_terminal_cmd", json!({"command": "ls", "cwd": "/"}), json!({"command": "ls", "cwd": "/"})),
    ] {
        let kind = if id == "grep" { Kind::Search } else { Kind::Execute };
        let registry = registry([Arc::new(echo(id, open()).with_identity(kind, namespace)) as Arc<dyn DynTool>]);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (updates, _) = runtime.block_on(crate::tools::call(&registry, id, &arguments.to_string()));
        assert_eq!(updates[1]["_meta"]["x.ai/tool"]["input"], input, "{namespace}:{id}");
    }
}
