//! Random schemas: what is adapted is taken by the provider's rules, and accepts what the schema accepts.

use super::*;

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
