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

use rules::{gemini_refuses, openai_refuses};

mod providers;
mod random;
mod rules;
mod types;

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

fn adapted(schema: &Schema, provider: Provider) -> Adapted {
    schema.adapted(provider).unwrap_or_else(|error| panic!("{error}"))
}
