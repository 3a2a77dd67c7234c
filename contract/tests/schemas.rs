//! Schemas of types, from elsewhere, and for providers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code)]

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolprism_contract::arguments::{self, Options};
use toolprism_contract::schema::{self, Adapted, Provider, Schema, Unsupported};
use toolprism_contract::{ToolError, ToolErrorKind};

/// Reads a file.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Read {
    /// The file.
    path: String,
    /// The first line.
    #[serde(default)]
    offset: Option<u32>,
    #[serde(default = "hundred")]
    limit: u32,
    #[schemars(length(min = 1), regex(pattern = "^[a-z]+$"), extend("format" = "hostname"))]
    host: Option<String>,
    mode: Option<Mode>,
    filter: Option<Filter>,
    edits: Vec<Edit>,
    #[serde(flatten)]
    paging: Paging,
}

fn hundred() -> u32 {
    100
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Slow,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Filter {
    #[schemars(extend("exclusiveMinimum" = 0))]
    weight: i64,
    #[schemars(length(max = 3))]
    tags: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Edit {
    Insert { line: u32, text: String },
    Delete { line: u32, force: Option<bool> },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Paging {
    page: Option<u8>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Tree {
    /// What it says.
    label: String,
    left: Option<Box<Tree>>,
    kids: Vec<Tree>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Forest {
    trees: Vec<Tree>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Empty {}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Holder {
    inner: Empty,
    map: BTreeMap<String, u8>,
    any: Value,
    pair: (u8, String),
}

#[test]
fn the_schema_of_a_type_is_inlined_and_complete() {
    let json = schema::of::<Read>().json();
    assert_eq!(json["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!((json.get("title"), json.get("description"), json.get("$defs")), (None, None, None));
    assert_eq!(json["properties"]["path"], json!({"type": "string", "description": "The file."}));
    assert_eq!(json["properties"]["filter"]["properties"]["weight"]["exclusiveMinimum"], 0);
    assert_eq!(json["properties"]["page"]["format"], "uint8");
    assert_eq!(json["required"], json!(["path", "edits"]));
    let empty = json!({"type": "object", "properties": {}, "required": []});
    assert_eq!(schema::of::<Holder>().json()["properties"]["inner"], empty);
    let mut root = schema::of::<Empty>().json().clone();
    root.as_object_mut().unwrap().remove("$schema");
    assert_eq!(root, empty);
}

#[test]
fn types_inside_themselves_have_references() {
    let json = schema::of::<Forest>().json();
    assert!(json["$defs"]["Tree"].is_object());
    assert_eq!(json["properties"]["trees"]["items"]["properties"]["kids"]["items"]["$ref"], "#/$defs/Tree");
    let tree = schema::of::<Tree>();
    assert_eq!(tree.fault(), None);
    let read = arguments::read(r#"{"label":"a","kids":[{"label":1,"kids":null}]}"#, tree, &Options::default()).unwrap();
    assert_eq!(read.into::<Tree>().unwrap().kids[0].label, "1");
}

#[test]
fn a_type_has_one_schema_for_all_threads() {
    #[derive(JsonSchema)]
    struct Shared {
        a: u8,
    }
    let here = schema::of::<Shared>();
    let there = std::thread::spawn(|| schema::of::<Shared>() as *const Schema as usize).join().unwrap();
    assert_eq!(here as *const Schema as usize, there);
    assert!(!std::ptr::eq(here, schema::of_draft07::<Shared>()));
    assert!(!std::ptr::eq(here, schema::of::<Empty>()));
}

#[test]
fn draft_07_is_there_too() {
    let json = schema::of_draft07::<Forest>().json();
    assert_eq!(json["$schema"], "http://json-schema.org/draft-07/schema#");
    assert!(json["definitions"]["Tree"].is_object());
    let schema = schema::of_draft07::<Holder>();
    assert_eq!(schema.json()["properties"]["pair"]["items"][0]["maximum"], 255);
    let read =
        arguments::read(r#"{"inner":{},"map":{"a":"1"},"any":null,"pair":["7",8]}"#, schema, &Options::default());
    let holder: Holder = read.unwrap().into().unwrap();
    assert_eq!((holder.pair, holder.map["a"]), ((7, "8".to_string()), 1));
}

#[test]
fn bad_schemas_are_errors_with_a_place() {
    for (json, path) in [
        (json!({"type": "strin"}), "/type"),
        (json!({"properties": {"a": {"$ref": "https://elsewhere.example/x"}}}), "/properties/a/$ref"),
        (json!({"properties": {"a": {"pattern": "("}}}), "/properties/a/pattern"),
        (json!({"$ref": "#/$defs/none"}), "/$ref"),
        (json!([1]), ""),
    ] {
        let error = Schema::from_value(json.clone()).unwrap_err();
        assert_eq!(error.fault().path, path, "{json}");
        assert_eq!(ToolError::from(error).kind, ToolErrorKind::Execution);
    }
    let mut deep = json!({"type": "string"});
    for _ in 0..100 {
        deep = json!({"items": deep});
    }
    assert!(Schema::from_value(deep).unwrap_err().to_string().contains("inside each other"));
    let wide: serde_json::Map<String, Value> = (0..2_000).map(|n| (n.to_string(), json!(true))).collect();
    assert!(Schema::from_value(json!({"properties": wide})).is_err());

    #[derive(JsonSchema)]
    struct Bad {
        #[schemars(regex(pattern = "("))]
        a: String,
    }
    let schema = schema::of::<Bad>();
    assert_eq!(schema.fault().unwrap().fault().path, "/properties/a/pattern");
    let error = arguments::read(r#"{"a":"x"}"#, schema, &Options::default()).unwrap_err();
    assert_eq!(ToolError::from(error).kind, ToolErrorKind::Execution);
    assert!(schema::of::<Empty>().fault().is_none());
}

#[test]
fn a_schema_from_elsewhere_stays_as_it_is() {
    let json = json!({"type": "object", "title": "T", "properties": {"n": {"type": "integer", "format": "uint8"}}});
    let schema = Schema::from_value(json.clone()).unwrap();
    assert_eq!(schema.json(), &json);
    // What its formats allow holds all the same.
    assert!(arguments::read(r#"{"n":256}"#, &schema, &Options::default()).is_err());
    let data = json!({"enum": [{"type": "integer", "format": "uint8"}]});
    let schema = Schema::from_value(json!({"properties": {"a": data}})).unwrap();
    assert!(arguments::read(r#"{"a":{"type":"integer","format":"uint8"}}"#, &schema, &Options::default()).is_ok());
}

fn adapted(schema: &Schema, provider: Provider) -> Adapted {
    schema.adapted(provider).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn openai_strict() {
    let Adapted { schema, notes } = adapted(schema::of::<Read>(), Provider::OpenAiStrict);
    assert_eq!(openai_refuses(&schema), Vec::<String>::new());
    let property = |name: &str| &schema["properties"][name];
    assert_eq!(schema["required"].as_array().unwrap().len(), schema["properties"].as_object().unwrap().len());
    assert_eq!(property("path"), &json!({"type": "string", "description": "The file."}));
    assert_eq!(property("offset")["type"], json!(["integer", "null"]));
    assert_eq!(
        (&property("offset")["maximum"], &property("offset")["description"]),
        (&json!(u32::MAX), &json!("The first line."))
    );
    assert_eq!(
        property("limit"),
        &json!({"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX, "description": "(default: 100)"})
    );
    assert_eq!(property("host")["description"], "(at least 1 character)");
    assert_eq!((&property("host")["pattern"], &property("host")["format"]), (&json!("^[a-z]+$"), &json!("hostname")));
    assert_eq!(property("mode"), &json!({"type": ["string", "null"], "enum": ["fast", "slow", null]}));
    assert_eq!(property("filter")["required"], json!(["tags", "weight"]));
    assert_eq!(
        property("edits")["items"]["anyOf"][1]["properties"]["op"],
        json!({"type": "string", "enum": ["delete"]})
    );
    assert_eq!(property("edits")["items"]["anyOf"][1]["required"], json!(["force", "line", "op"]));
    assert!(notes.iter().any(|note| note.path == "/properties/limit" && note.message.contains("default")));

    // Recursion is fine, maps and any values are not.
    let forest = adapted(schema::of::<Forest>(), Provider::OpenAiStrict).schema;
    assert_eq!(openai_refuses(&forest), Vec::<String>::new());
    assert_eq!(forest["$defs"]["Tree"]["properties"]["kids"]["items"], json!({"$ref": "#/$defs/Tree"}));
    let error = schema::of::<Holder>().adapted(Provider::OpenAiStrict).unwrap_err();
    let places: Vec<_> = error.places.iter().map(|place| &*place.path).collect();
    assert_eq!(places, ["/properties/any", "/properties/map"]);
    assert!(error.to_string().contains("without `strict`"));
}

#[test]
fn what_openai_sends_back_is_read() {
    let schema = schema::of::<Read>();
    let text = r#"{"path":"a","offset":null,"limit":null,"host":null,"mode":null,"filter":null,"page":null,
        "edits":[{"op":"delete","line":1,"force":null}]}"#;
    let read = arguments::read(text, schema, &Options::default()).unwrap();
    // Only what must not be null by the type is left out.
    assert_eq!(read.changes.len(), 1);
    assert_eq!((read.changes[0].code.as_str(), &*read.changes[0].path), ("null_optional_dropped", "/limit"));
    let read: Read = read.into().unwrap();
    assert_eq!((read.limit, read.offset, read.mode, read.paging.page), (100, None, None, None));
    assert_eq!(read.edits, [Edit::Delete { line: 1, force: None }]);
}

#[test]
fn gemini() {
    let Adapted { schema, .. } = adapted(schema::of::<Read>(), Provider::Gemini);
    assert_eq!(gemini_refuses(&schema), Vec::<String>::new());
    let property = |name: &str| &schema["properties"][name];
    assert_eq!(schema["required"], json!(["path", "edits"]));
    assert_eq!(property("mode"), &json!({"anyOf": [{"type": "string", "enum": ["fast", "slow"]}, {"type": "null"}]}));
    assert_eq!(property("filter")["properties"]["weight"]["minimum"], 1);
    assert_eq!(property("host")["description"], "(format: hostname) (at least 1 character) (pattern: ^[a-z]+$)");
    let forest = adapted(schema::of::<Forest>(), Provider::Gemini);
    assert_eq!(gemini_refuses(&forest.schema), Vec::<String>::new());
    assert_eq!(forest.schema["required"], json!([]));
    assert!(forest.notes.iter().any(|note| note.path == "/properties/trees" && note.message.contains("optional")));
    assert_eq!(gemini_refuses(&adapted(schema::of::<Holder>(), Provider::Gemini).schema), Vec::<String>::new());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
enum Action {
    /// Go there.
    Open {
        url: String,
        tab: Option<u8>,
    },
    Click {
        x: u32,
        y: u32,
    },
    Close,
}

#[test]
fn members_beside_a_union_are_in_each_branch() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Step {
        name: String,
        #[serde(flatten)]
        edit: Edit,
    }
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Steps {
        steps: Vec<Step>,
    }
    for provider in [Provider::OpenAiStrict, Provider::Gemini] {
        let Adapted { schema, .. } = adapted(schema::of::<Steps>(), provider);
        let step = &schema["properties"]["steps"]["items"];
        assert_eq!((step.get("properties"), step["anyOf"].as_array().unwrap().len()), (None, 2));
        for branch in step["anyOf"].as_array().unwrap() {
            assert!(branch["properties"]["name"].is_object() && branch["properties"]["op"].is_object(), "{branch}");
            assert!(branch["required"].as_array().unwrap().contains(&json!("name")));
        }
        if provider == Provider::OpenAiStrict {
            assert_eq!(openai_refuses(&schema), Vec::<String>::new());
            let takes = Schema::from_value(schema).unwrap();
            let text = r#"{"steps":[{"name":"a","op":"delete","line":1,"force":null}]}"#;
            assert!(arguments::read(text, &takes, &Options::default()).unwrap().changes.is_empty());
        }
    }
}

#[test]
fn a_union_at_the_root_is_one_object() {
    let schema = schema::of::<Action>();
    for provider in [Provider::Anthropic, Provider::OpenAiStrict, Provider::Gemini] {
        let Adapted { schema, notes } = adapted(schema, provider);
        assert_eq!(schema["type"], "object");
        assert!(schema.get("oneOf").is_none() && schema.get("anyOf").is_none(), "{schema}");
        assert_eq!(schema["properties"]["action"]["enum"], json!(["open", "click", "close"]));
        assert!(schema["description"].as_str().unwrap().contains("action=\"click\", x, y"), "{schema}");
        assert!(notes.iter().any(|note| note.path == "/oneOf"));
        if provider != Provider::OpenAiStrict {
            assert_eq!(schema["required"], json!(["action"]));
        }
    }
    let text = r#"{"action":"click","x":1,"y":"2","url":null,"tab":null}"#;
    let read = arguments::read(text, schema, &Options::default()).unwrap();
    assert_eq!(read.into::<Action>().unwrap(), Action::Click { x: 1, y: 2 });
    let mcp = adapted(schema, Provider::Mcp);
    assert_eq!((&mcp.schema["type"], mcp.schema["oneOf"].as_array().unwrap().len()), (&json!("object"), 3));
    assert!(mcp.notes.is_empty());
}

#[test]
fn no_arguments_are_an_empty_object() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Unit;
    for schema in [schema::of::<()>(), schema::of::<Unit>()] {
        assert_eq!((&schema.json()["type"], &schema.json()["properties"]), (&json!("object"), &json!({})));
        for text in ["{}", "", "null"] {
            let read = arguments::read(text, schema, &Options::default()).unwrap();
            assert_eq!(read.text(), "{}");
            read.clone().into::<()>().unwrap();
            assert_eq!(read.into::<Unit>().unwrap(), Unit);
        }
        assert!(Provider::ALL.iter().all(|provider| schema.adapted(*provider).is_ok()));
    }
    // It stands for nothing else.
    let open = Schema::from_value(json!({"type": "object"})).unwrap();
    let read = |text| arguments::read(text, &open, &Options::default()).unwrap();
    assert_eq!(read("{}").into::<Empty>().unwrap(), Empty {});
    assert_eq!(read("{}").into::<Paging>().unwrap(), Paging { page: None });
    assert!(read("{}").into::<Tree>().is_err() && read(r#"{"a":1}"#).into::<()>().is_err());
}

#[test]
fn anthropic_and_mcp_take_nearly_all() {
    let holder = schema::of::<Holder>();
    for provider in [Provider::Anthropic, Provider::Mcp] {
        let Adapted { schema, notes } = adapted(holder, provider);
        assert_eq!(schema["properties"], holder.json()["properties"]);
        assert!(notes.is_empty());
        assert_eq!(schema.get("$schema").is_some(), provider == Provider::Mcp);
    }
    let old = adapted(schema::of_draft07::<Holder>(), Provider::Anthropic).schema;
    assert_eq!(old["properties"]["pair"]["prefixItems"][1]["type"], "string");
    let forest = adapted(schema::of_draft07::<Forest>(), Provider::Anthropic).schema;
    assert_eq!(forest["$defs"]["Tree"]["properties"]["kids"]["items"]["$ref"], "#/$defs/Tree");
    let named =
        |name: &str| Schema::from_value(json!({"type": "object", "properties": {name: {"type": "string"}}})).unwrap();
    assert!(named("a.b-c_1").adapted(Provider::Anthropic).is_ok());
    for name in ["", "a b", "größe", &"x".repeat(65)] {
        assert!(named(name).adapted(Provider::Anthropic).is_err(), "{name}");
        assert!(named(name).adapted(Provider::Mcp).is_ok());
    }
    // At the root they want one set of parameters; the rule that one of two is required is told.
    let rule = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let Adapted { schema, .. } = adapted(&Schema::from_value(rule).unwrap(), Provider::Anthropic);
    assert_eq!(
        schema,
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": [], "description": "(give one of: a; b)"})
    );
}

#[test]
fn arguments_are_objects() {
    for json in [
        json!({"type": "string"}),
        json!(true),
        json!({"type": "null"}),
        json!({"anyOf": [{"type": "object"}, {"type": "string"}]}),
    ] {
        let schema = Schema::from_value(json).unwrap();
        for provider in Provider::ALL {
            assert!(schema.adapted(*provider).is_err(), "{schema:?} {provider}");
        }
    }
}

#[test]
fn what_providers_limit_is_refused_before_they_do() {
    let of = |json: Value| Schema::from_value(json).unwrap();
    let values: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let error = of(json!({"type": "object", "properties": {"a": {"enum": values}}}))
        .adapted(Provider::OpenAiStrict)
        .unwrap_err();
    assert!(error.to_string().contains("1001 listed values"), "{error}");
    let mut deep = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for level in 2..=11 {
        assert_eq!(of(deep.clone()).adapted(Provider::OpenAiStrict).is_ok(), level <= 11);
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    assert!(of(deep).adapted(Provider::OpenAiStrict).is_err());
    // Written out it would be endless.
    let mut definitions = serde_json::Map::new();
    for n in 0..20 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(format!("d{n}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
    }
    definitions.insert("d20".into(), json!({"type": "string"}));
    let schema = of(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}));
    let error: Unsupported = schema.adapted(Provider::Gemini).unwrap_err();
    assert!(error.to_string().contains("20000 schemas"), "{error}");
    assert!(schema.adapted(Provider::Anthropic).is_ok());
}

#[test]
fn combinations_are_merged_where_they_can_be() {
    let of = |json: Value| Schema::from_value(json).unwrap();
    let all = of(json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"properties": {"b": {"allOf": [{"type": "integer"}, {"minimum": 1}]}}}]}));
    let Adapted { schema, .. } = adapted(&all, Provider::Gemini);
    assert_eq!(
        schema,
        json!({"type": "object", "required": ["a"],
        "properties": {"a": {"type": "string"}, "b": {"type": "integer", "minimum": 1}}})
    );
    let clash =
        of(json!({"type": "object", "properties": {"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}}}));
    let error = clash.adapted(Provider::OpenAiStrict).unwrap_err();
    assert_eq!(&*error.places[0].path, "/properties/a");
    let tuple = of(
        json!({"type": "object", "properties": {"p": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false}}}),
    );
    let Adapted { schema, .. } = adapted(&tuple, Provider::OpenAiStrict);
    assert_eq!(schema["properties"]["p"]["items"], json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}));
}

/// By the rules of OpenAI's guide, written down anew: what it would answer with an error.
fn openai_refuses(schema: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if schema["type"] != "object" || schema.get("anyOf").is_some() {
        wrong.push("the root is no plain object".to_string());
    }
    fn walk(schema: &Value, wrong: &mut Vec<String>) {
        const KEYWORDS: [&str; 20] = [
            "$ref",
            "$defs",
            "type",
            "title",
            "description",
            "enum",
            "anyOf",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "pattern",
            "format",
        ];
        const FORMATS: [&str; 9] =
            ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
        let Some(members) = schema.as_object() else { return wrong.push(format!("no object: {schema}")) };
        if let Some(odd) = members.keys().find(|key| !KEYWORDS.contains(&&***key)) {
            wrong.push(format!("keyword {odd}"));
        }
        if members.contains_key("$ref") && members.len() > 1 {
            wrong.push("members beside $ref".into());
        }
        if !["$ref", "type", "anyOf"].iter().any(|key| members.contains_key(*key)) {
            wrong.push(format!("no type: {schema}"));
        }
        if members.get("format").is_some_and(|format| !FORMATS.contains(&format.as_str().unwrap_or(""))) {
            wrong.push(format!("format {schema}"));
        }
        let is = |name: &str| {
            members
                .get("type")
                .is_some_and(|of| of == name || of.as_array().is_some_and(|all| all.contains(&name.into())))
        };
        if is("object") {
            let Some(properties) = members.get("properties").and_then(Value::as_object) else {
                return wrong.push(format!("no properties: {schema}"));
            };
            let mut required: Vec<&str> =
                members["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            required.sort_unstable();
            if properties.keys().map(String::as_str).collect::<Vec<_>>() != required {
                wrong.push(format!("not all required: {schema}"));
            }
            if members.get("additionalProperties") != Some(&json!(false)) {
                wrong.push("additionalProperties".into());
            }
            properties.values().for_each(|property| walk(property, wrong));
        }
        if is("array") {
            match members.get("items") {
                Some(items) => walk(items, wrong),
                None => wrong.push("no items".into()),
            }
        }
        members.get("anyOf").and_then(Value::as_array).into_iter().flatten().for_each(|branch| walk(branch, wrong));
        members.get("$defs").and_then(Value::as_object).into_iter().flatten().for_each(|(_, inner)| walk(inner, wrong));
    }
    walk(schema, &mut wrong);
    wrong
}

/// By the Gemini API's reference, written down anew.
fn gemini_refuses(schema: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if schema["type"] != "object" {
        wrong.push("the root is no object".to_string());
    }
    fn walk(schema: &Value, optional: bool, wrong: &mut Vec<String>) {
        const KEYWORDS: [&str; 17] = [
            "$ref",
            "$defs",
            "type",
            "format",
            "title",
            "description",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "additionalProperties",
            "required",
        ];
        let Some(members) = schema.as_object() else { return wrong.push(format!("no object: {schema}")) };
        if let Some(odd) = members.keys().find(|key| !KEYWORDS.contains(&&***key)) {
            wrong.push(format!("keyword {odd}"));
        }
        if members.contains_key("$ref") && (members.len() > 1 || !optional) {
            wrong.push(format!("$ref: {schema}"));
        }
        for value in members.get("enum").and_then(Value::as_array).into_iter().flatten() {
            if !value.is_string() && !value.is_number() {
                wrong.push(format!("listed: {value}"));
            }
        }
        let required: Vec<&Value> = members.get("required").and_then(Value::as_array).into_iter().flatten().collect();
        for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let needed = required.iter().any(|other| *other == name);
            walk(property, optional || !needed, wrong);
            if needed && property.to_string().contains("$ref") {
                wrong.push(format!("$ref in {name}, which is required"));
            }
        }
        if members.get("type").is_some_and(|of| of == "array")
            && !members.contains_key("items")
            && !members.contains_key("prefixItems")
        {
            wrong.push("no items".into());
        }
        let lists = ["anyOf", "prefixItems"].iter().filter_map(|key| members.get(*key)?.as_array()).flatten();
        let ones = ["items", "additionalProperties"]
            .iter()
            .filter_map(|key| members.get(*key))
            .filter(|one| !one.is_boolean());
        lists.chain(ones).for_each(|inner| walk(inner, optional, wrong));
        members
            .get("$defs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .for_each(|(_, inner)| walk(inner, true, wrong));
    }
    walk(schema, false, &mut wrong);
    wrong
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["integer", "number", "boolean", "string", "null"]).prop_map(|of| json!({"type": of})),
        Just(json!({"enum": ["a", "b"]})),
        Just(json!({"enum": [1, null, "x"]})),
        Just(json!({"const": true})),
        Just(json!({"const": null})),
        Just(json!(true)),
        Just(
            json!({"type": "string", "minLength": 2, "pattern": "a", "format": "uri", "default": "aa", "description": "D"})
        ),
        Just(json!({"type": "integer", "format": "uint32", "exclusiveMinimum": 3, "multipleOf": 2})),
        Just(json!({"type": ["string", "null"], "examples": ["x"]})),
        Just(json!({"$ref": "#/$defs/leaf"})),
        Just(json!({"$ref": "#/$defs/tree", "description": "a tree"})),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let some = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "uniqueItems": true})),
            some.clone().prop_map(|all| json!({"type": "array", "prefixItems": all, "minItems": 1})),
            some.clone().prop_map(|all| json!({"anyOf": all})),
            some.clone().prop_map(|all| json!({"oneOf": all, "description": "one"})),
            some.prop_map(|all| json!({"allOf": all})),
            inner.clone().prop_map(|one| json!({"type": "object", "additionalProperties": one})),
            (prop::collection::btree_map("[abc]", inner, 0..4), any::<bool>(), any::<bool>()).prop_map(
                |(all, required, closed)| {
                    let names: Vec<_> = all.keys().filter(|_| required).cloned().collect();
                    let mut object = json!({"type": "object", "properties": all, "required": names});
                    if closed {
                        object["additionalProperties"] = json!(false);
                    }
                    object
                }
            ),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_adapted_is_taken(members in prop::collection::btree_map("[abc]", any_schema(), 0..4), required in any::<bool>()) {
        let names: Vec<_> = members.keys().filter(|_| required).cloned().collect();
        let json = json!({"type": "object", "properties": members, "required": names, "$defs": {
            "leaf": {"type": "string"},
            "tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "required": ["kids"]},
        }});
        let schema = Schema::from_value(json.clone()).unwrap();
        if let Ok(adapted) = schema.adapted(Provider::OpenAiStrict) {
            prop_assert_eq!(openai_refuses(&adapted.schema), Vec::<String>::new(), "{} from {}", adapted.schema, json);
        }
        if let Ok(adapted) = schema.adapted(Provider::Gemini) {
            prop_assert_eq!(gemini_refuses(&adapted.schema), Vec::<String>::new(), "{} from {}", adapted.schema, json);
        }
        for provider in [Provider::Anthropic, Provider::Mcp] {
            prop_assert!(schema.adapted(provider).is_ok());
        }
        // What they make is a schema that others can read.
        for provider in Provider::ALL {
            if let Ok(adapted) = schema.adapted(*provider) {
                prop_assert!(Schema::from_value(adapted.schema.clone()).is_ok(), "{}", adapted.schema);
            }
        }
    }

    #[test]
    fn adapting_only_makes_wider(members in prop::collection::btree_map("[abc]", any_schema(), 1..4), document in any_document()) {
        let json = json!({"type": "object", "properties": members, "additionalProperties": false, "$defs": {
            "leaf": {"type": "string"},
            "tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "required": ["kids"]},
        }});
        let schema = Schema::from_value(json.clone()).unwrap();
        let strict = Options { allowed: toolprism_repair::Allowed::NONE, ..Options::default() };
        let text = document.to_string();
        if arguments::read(&text, &schema, &strict).is_err() {
            return Ok(());
        }
        for provider in [Provider::Anthropic, Provider::Mcp] {
            let adapted = Schema::from_value(schema.adapted(provider).unwrap().schema).unwrap();
            prop_assert!(arguments::read(&text, &adapted, &strict).is_ok(), "{} for {}", text, adapted.text());
        }
    }
}

/// JSON that looks much like a schema, and is one or not.
fn any_json() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
        "required",
        "enum",
        "const",
        "not",
        "if",
        "then",
        "minimum",
        "pattern",
        "format",
        "default",
        "additionalProperties",
        "prefixItems",
        "dependencies",
        "definitions",
        "a",
        "",
        "unevaluatedProperties",
        "description",
        "patternProperties",
        "exclusiveMinimum",
        "$schema",
        "~/",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0u8..9).prop_map(Value::from),
        prop::sample::select(vec![
            "object",
            "string",
            "integer",
            "#",
            "#/$defs/a",
            "#/properties/a",
            "uint8",
            "a",
            "("
        ])
        .prop_map(Value::from),
        Just(json!(["object", "null"])),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..6)
                .prop_map(|all| all.into_iter().map(|(key, value)| (key.to_string(), value)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_schema_panics(json in any_json(), inner in any_json(), document in any_document()) {
        for json in [json.clone(), json!({"type": "object", "properties": {"a": json, "b": inner}, "$defs": {"a": inner}})] {
            let Ok(schema) = Schema::from_value(json) else { continue };
            for provider in Provider::ALL {
                match schema.adapted(*provider) {
                    Ok(adapted) => prop_assert_eq!(&adapted.schema["type"], "object"),
                    Err(error) => prop_assert!(!error.places.is_empty() && !error.to_string().is_empty()),
                }
            }
            if let Err(error) = arguments::read(&document.to_string(), &schema, &Options::default()) {
                prop_assert!(!error.problems.is_empty() && !error.to_string().is_empty());
            }
        }
    }
}

fn any_document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0u8..9).prop_map(Value::from),
        "[ab]{0,3}".prop_map(Value::from)
    ];
    let inner = leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|all| all.into_iter().collect()),
        ]
    });
    prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|all| all.into_iter().collect())
}

#[test]
fn a_map_of_maps_is_told_by_its_place() {
    #[derive(JsonSchema)]
    struct Maps {
        #[schemars(with = "HashMap<String, HashMap<String, u8>>")]
        env: (),
    }
    let error = schema::of::<Maps>().adapted(Provider::OpenAiStrict).unwrap_err();
    assert_eq!((error.places.len(), &*error.places[0].path), (1, "/properties/env"));
}
