//! The checked-in JSON Schema of the envelope: what it says, and that it is the one the types give.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use toolprism::{CanonicalToolMeta, Kind, Namespace, meta};

fn checked_in() -> Value {
    serde_json::from_str(meta::SCHEMA).expect("core/schema/tool_meta.schema.json is JSON")
}

/// The schema of a property, followed through the one `$ref` it may stand behind.
fn property<'a>(schema: &'a Value, name: &str) -> &'a Value {
    let property = &schema["properties"][name];
    let target = property["$ref"].as_str().or_else(|| property["allOf"][0]["$ref"].as_str());
    match target {
        Some(path) => schema.pointer(path.strip_prefix('#').unwrap()).expect("the definition exists"),
        None => property,
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_checked_in_schema_is_the_one_the_types_give() {
    assert_eq!(
        checked_in(),
        toolprism::tool_meta_json_schema(),
        "core/schema/tool_meta.schema.json is out of date; run `cargo xtask schema` and look at the difference: \
         the contract is public"
    );
}

#[test]
fn it_is_an_object_of_draft_07_with_exactly_the_seven_fields() {
    let schema = checked_in();
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    assert_eq!(schema["type"], "object");
    let mut names: Vec<_> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["input", "kind", "label", "name", "namespace", "read_only", "version"]);
}

#[test]
fn all_fields_but_the_input_are_required() {
    assert_eq!(checked_in()["required"], json!(["version", "name", "kind", "namespace", "label", "read_only"]));
}

#[test]
fn fields_have_the_types_of_the_contract() {
    let schema = checked_in();
    let type_of = |name| property(&schema, name)["type"].clone();
    for name in ["name", "kind", "namespace", "label"] {
        assert_eq!(type_of(name), "string", "{name}");
    }
    assert_eq!(type_of("read_only"), "boolean");
    assert_eq!((type_of("version"), &schema["properties"]["version"]["format"]), (json!("integer"), &json!("uint32")));
    assert_eq!(schema["properties"]["version"]["minimum"], 0);
}

#[test]
fn the_input_may_be_anything() {
    let schema = checked_in();
    let input = &schema["properties"]["input"];
    let unrestricted = match input {
        Value::Object(keywords) => keywords.keys().all(|keyword| keyword == "description"),
        other => *other == json!(true),
    };
    assert!(unrestricted, "{input} restricts the input");
}

#[test]
fn unknown_members_are_allowed() {
    let schema = checked_in();
    for keyword in ["additionalProperties", "patternProperties", "propertyNames", "maxProperties"] {
        assert!(schema.get(keyword).is_none(), "{keyword} would refuse members of later revisions");
    }
}

#[test]
fn kinds_are_open_and_the_known_ones_are_told() {
    let schema = checked_in();
    assert_eq!(property(&schema, "kind"), &schema["definitions"]["ToolKind"]);
    let kind = schema["definitions"]["ToolKind"].as_object().unwrap();
    let mut keywords: Vec<_> = kind.keys().map(String::as_str).collect();
    keywords.sort_unstable();
    assert_eq!(keywords, ["description", "type"], "an `enum` or a pattern would close the set");
    let told = kind["description"].as_str().unwrap();
    for known in Kind::ALL {
        assert!(told.contains(&format!("`{}`", known.as_str())), "{} is missing", known.as_str());
    }
}

#[test]
fn namespaces_are_the_six() {
    let schema = checked_in();
    assert_eq!(property(&schema, "namespace"), &schema["definitions"]["ToolNamespace"]);
    assert_eq!(
        schema["definitions"]["ToolNamespace"]["enum"],
        json!(["grok_build", "grok_build_concise", "grok_build_hashline", "codex", "opencode", "mcp"])
    );
}

#[test]
fn what_is_written_has_the_fields_the_schema_names() {
    let schema = checked_in();
    let written = serde_json::to_value(CanonicalToolMeta::new("bash", Kind::Execute, Namespace::OpenCode)).unwrap();
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    let written = written.as_object().unwrap();
    assert_eq!(written.len(), required.len(), "an absent input is left out, not written as null");
    assert!(required.iter().all(|name| written.contains_key(*name)), "{written:?}");
}
