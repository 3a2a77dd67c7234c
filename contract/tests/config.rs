//! Configuration: both stages, every category, everything at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolprism_contract::config::{self, Broken, Config, ConfigError};
use toolprism_contract::{ToolError, ToolErrorKind};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Hashline {
    scheme: Scheme,
    hash_length: u8,
    #[serde(default)]
    servers: BTreeMap<String, Server>,
    #[serde(default, rename = "a.b")]
    dotted: Option<u32>,
    #[serde(alias = "retries", default)]
    attempts: u8,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Scheme {
    Chunk,
    ContentOnly,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Server {
    #[schemars(range(min = 1024))]
    port: u16,
    #[serde(default)]
    tags: Vec<String>,
}

impl Config for Hashline {
    fn validate(&self, broken: &mut Broken<'_>) {
        if !(1..=4).contains(&self.hash_length) {
            broken.rule("/hash_length", "a length from 1 to 4", "use 2, which is the usual one");
        }
        if self.scheme == Scheme::Chunk && self.servers.is_empty() {
            broken.rule("/servers", "at least one server for chunks", "add one");
        }
    }
}

fn refused(text: &str) -> ConfigError {
    config::read::<Hashline>(text).expect_err(text)
}

fn told(error: &ConfigError) -> Vec<(&str, &str, &str)> {
    error.problems.iter().map(|p| (&*p.path, p.category.as_str(), p.found.as_deref().unwrap_or("-"))).collect()
}

#[test]
fn good_configuration_is_read() {
    let text = r#"{"scheme":"chunk","hash_length":2,"servers":{"x.y":{"port":8080,"tags":["a"]}},"a.b":5,"retries":3}"#;
    let read = config::read::<Hashline>(text).unwrap();
    assert_eq!((read.dotted, read.attempts, read.servers["x.y"].port), (Some(5), 3, 8080));
    assert!(config::read_value::<Hashline>(&serde_json::from_str(text).unwrap()).is_ok());
}

#[test]
fn each_category_has_its_path_and_value() {
    for (text, path, category, found) in [
        (r#"{"scheme":"content_only","hash_length":2,"colour":"red"}"#, "/colour", "params_unknown_field", "-"),
        (r#"{"scheme":"content_only"}"#, "/hash_length", "params_missing_field", "-"),
        (r#"{"scheme":"lines","hash_length":2}"#, "/scheme", "params_unknown_variant", "\"lines\""),
        (r#"{"scheme":"content_only","hash_length":"2"}"#, "/hash_length", "params_type", "\"2\""),
        (r#"{"scheme":"content_only","hash_length":null}"#, "/hash_length", "params_type", "null"),
        (r#"{"scheme":"content_only","hash_length":2.0}"#, "/hash_length", "params_type", "2.0"),
        (r#"{"scheme":"content_only","hash_length":256}"#, "/hash_length", "params_invalid", "256"),
        (r#"{"scheme":"content_only","hash_length":5}"#, "/hash_length", "params_constraint", "5"),
        (r#"{"scheme":"content_only","hash_length":2,"a.b":-1}"#, "/a.b", "params_invalid", "-1"),
        (r#"{"scheme":"chunk","hash_length":2}"#, "/servers", "params_constraint", "-"),
        (
            r#"{"scheme":"chunk","hash_length":2,"servers":{"x.y":{"port":80}}}"#,
            "/servers/x.y/port",
            "params_constraint",
            "80",
        ),
        (
            r#"{"scheme":"chunk","hash_length":2,"servers":{"x.y":{"port":8080,"z":[]}}}"#,
            "/servers/x.y/z",
            "params_unknown_field",
            "[]",
        ),
        (
            r#"{"scheme":"chunk","hash_length":2,"servers":{"x.y":{"port":8080,"tags":["a",1]}}}"#,
            "/servers/x.y/tags/1",
            "params_type",
            "1",
        ),
    ] {
        assert_eq!(told(&refused(text)), [(path, category, found)], "{text}");
    }
    let error = refused(r#"{"scheme":"chunk","hash_length":2,"servers":{"x.y":{"port":80}}}"#);
    assert_eq!(error.problems[0].field, "servers[\"x.y\"].port");
    assert_eq!(error.problems[0].expected.as_deref(), Some("a whole number from 1024 to 65535"));
}

#[test]
fn everything_is_told_at_once() {
    let error = refused(
        r#"{"scheme":"lines","hash_length":"x","servers":{"x.y":{"port":80,"tags":5},"z":{}},"a.b":"1","new":1,"more":2}"#,
    );
    assert_eq!(
        told(&error),
        [
            ("/scheme", "params_unknown_variant", "\"lines\""),
            ("/hash_length", "params_type", "\"x\""),
            ("/servers/x.y/port", "params_constraint", "80"),
            ("/servers/x.y/tags", "params_type", "5"),
            ("/servers/z/port", "params_missing_field", "-"),
            ("/a.b", "params_type", "\"1\""),
            ("/new", "params_unknown_field", "-"),
            ("/more", "params_unknown_field", "-"),
        ]
    );
    // Both stages together, where the structure makes a value.
    let error = refused(r#"{"scheme":"chunk","hash_length":9,"servers":{"x":{"port":80,"no":1}}}"#);
    assert_eq!(
        told(&error),
        [
            ("/servers/x/port", "params_constraint", "80"),
            ("/servers/x/no", "params_unknown_field", "1"),
            ("/hash_length", "params_constraint", "9"),
        ]
    );
    let error = ToolError::from(error.under("params"));
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    assert!(error.message.starts_with("invalid configuration: 3 problems\n- `params.servers.x.port`: "));
    assert_eq!(error.details.unwrap()["problems"][2]["category"], "params_constraint");
}

#[test]
fn nothing_is_forgiven() {
    for text in [
        "",
        "[]",
        "{",
        "null",
        r#"{"scheme":"Chunk","hash_length":2}"#,
        r#"{"Scheme":"content_only","hash_length":2}"#,
        "{\"scheme\":\"content_only\",\"hash_length\":2,}",
        r#"{"scheme":"content_only","hash_length":2,"hash_length":3}"#,
    ] {
        assert!(!refused(text).problems.is_empty(), "{text}");
    }
}

#[test]
fn what_serde_alone_knows_is_told_too() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Even {
        #[serde(deserialize_with = "even")]
        n: u32,
        m: u32,
    }
    fn even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let n = u32::deserialize(deserializer)?;
        if n % 2 == 0 { Ok(n) } else { Err(serde::de::Error::custom("only even numbers work")) }
    }
    impl Config for Even {}
    let error = config::read::<Even>(r#"{"n":3,"m":"x"}"#).unwrap_err();
    let told: Vec<_> = error.problems.iter().map(|p| (&*p.path, p.category.as_str(), &*p.hint)).collect();
    assert_eq!(told[0].0, "/m");
    assert_eq!(told[1], ("/n", "params_invalid", "only even numbers work"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_refusal_says_why_and_nothing_panics(key in "[a-z.]{1,5}", value in prop_oneof![Just(Value::Null), any::<u8>().prop_map(Value::from), ".{0,5}".prop_map(Value::from)], text in any::<String>()) {
        let mut document = json!({"scheme": "content_only", "hash_length": 2});
        document[&key] = value.clone();
        match config::read_value::<Hashline>(&document) {
            Ok(_) => prop_assert!(key == "a.b" || value.is_null() || document.as_object().unwrap().len() == 2),
            Err(error) => prop_assert!(!error.problems.is_empty() && !error.to_string().is_empty()),
        }
        let _ = config::read::<Hashline>(&text);
    }
}
