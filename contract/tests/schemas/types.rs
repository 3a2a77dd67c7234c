//! The schema of a type, and schemas from elsewhere.

use super::*;

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
