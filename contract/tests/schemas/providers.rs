//! The forms that model providers take.

use super::*;

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
