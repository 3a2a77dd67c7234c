//! Everything in a document that breaks its schema, keyword by keyword.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use toolprism_repair::{FaultCode, Schema, SchemaLimits};

/// Path, keyword and schema of each violation.
fn check(schema: &str, document: &str) -> Vec<(String, &'static str, String)> {
    let schema = Schema::new(schema.as_bytes(), &SchemaLimits::default()).expect(schema);
    let found = schema.check(document).expect(document);
    found.list.into_iter().map(|v| (v.path, v.keyword, v.schema)).collect()
}

fn one(schema: &str, document: &str) -> (String, &'static str, String) {
    let found = check(schema, document);
    assert_eq!(found.len(), 1, "{schema} {document} {found:?}");
    found.into_iter().next().unwrap()
}

fn is(found: (String, &'static str, String), path: &str, keyword: &str, schema: &str) {
    assert_eq!((&*found.0, found.1, &*found.2), (path, keyword, schema));
}

#[test]
fn each_keyword_is_told_by_its_name() {
    for (schema, good, bad, keyword) in [
        (r#"{"type":"integer"}"#, "1", "\"1\"", "type"),
        (r#"{"enum":[1,"a"]}"#, "\"a\"", "\"b\"", "enum"),
        (r#"{"const":{"a":1}}"#, r#"{"a":1.0}"#, r#"{"a":2}"#, "const"),
        (r#"{"minimum":1}"#, "1", "0.5", "minimum"),
        (r#"{"maximum":1}"#, "1", "1.5", "maximum"),
        (r#"{"exclusiveMinimum":1}"#, "2", "1", "exclusiveMinimum"),
        (r#"{"exclusiveMaximum":1}"#, "0", "1", "exclusiveMaximum"),
        (r#"{"multipleOf":0.1}"#, "0.3", "0.35", "multipleOf"),
        (r#"{"minLength":2}"#, "\"ab\"", "\"\u{e9}\"", "minLength"),
        (r#"{"maxLength":2}"#, "\"ab\"", "\"abc\"", "maxLength"),
        (r#"{"pattern":"^a"}"#, "\"ab\"", "\"ba\"", "pattern"),
        (
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","format":"date"}"#,
            "\"2026-01-31\"",
            "\"31.1.\"",
            "format",
        ),
        (r#"{"minItems":1}"#, "[1]", "[]", "minItems"),
        (r#"{"maxItems":1}"#, "[1]", "[1,2]", "maxItems"),
        (r#"{"uniqueItems":true}"#, "[1,2]", "[1,1.0]", "uniqueItems"),
        (r#"{"contains":{"type":"null"}}"#, "[1,null]", "[1]", "contains"),
        (r#"{"minProperties":1}"#, r#"{"a":1}"#, "{}", "minProperties"),
        (r#"{"maxProperties":1}"#, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "maxProperties"),
        (r#"{"not":{"type":"null"}}"#, "1", "null", "not"),
        ("true", "1", "", ""),
        ("false", "", "1", "false"),
    ] {
        if !good.is_empty() {
            assert_eq!(check(schema, good), [], "{schema} {good}");
        }
        if !bad.is_empty() {
            is(one(schema, bad), "", keyword, "");
        }
    }
}

#[test]
fn members_and_elements_have_their_places() {
    let schema = r##"{"properties":{"a/b":{"type":"integer"},"r":{"$ref":"#/$defs/d"}},"patternProperties":{"^x":{"type":"null"}},
        "propertyNames":{"maxLength":3},"dependentRequired":{"r":["s"]},"dependentSchemas":{"t":{"required":["u"]}},
        "$defs":{"d":{"prefixItems":[{"type":"string"}],"items":{"type":"boolean"}}}}"##;
    is(one(schema, r#"{"a/b":"1"}"#), "/a~1b", "type", "/properties/a~1b");
    is(one(schema, r#"{"x1":1}"#), "/x1", "type", "/patternProperties/^x");
    is(one(schema, r#"{"long":1}"#), "/long", "propertyNames", "");
    is(one(schema, r#"{"r":["a",1],"s":0}"#), "/r/1", "type", "/$defs/d/items");
    is(one(schema, r#"{"r":[1],"s":0}"#), "/r/0", "type", "/$defs/d/prefixItems/0");
    is(one(schema, r#"{"r":[]}"#), "/s", "dependentRequired", "");
    is(one(schema, r#"{"t":1}"#), "/u", "required", "/dependentSchemas/t");
    let closed =
        r#"{"allOf":[{"properties":{"a":{"type":"integer"}}}],"properties":{"b":{}},"unevaluatedProperties":false}"#;
    assert_eq!(check(closed, r#"{"a":1,"b":2}"#), []);
    is(one(closed, r#"{"a":1,"c":2}"#), "/c", "unevaluatedProperties", "");
    is(one(closed, r#"{"a":"1","c":2}"#), "/a", "type", "/allOf/0/properties/a");
    is(one(r#"{"prefixItems":[{}],"unevaluatedItems":false}"#, "[1,2]"), "/1", "unevaluatedItems", "");
    let condition = r#"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}"#;
    is(one(condition, r#"{"a":1}"#), "/b", "required", "/then");
    is(one(condition, "{}"), "/c", "required", "/else");
}

#[test]
fn a_union_is_told_by_the_branch_that_was_meant() {
    let optional =
        r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},{"type":"null"}]}"#;
    assert_eq!(check(optional, "null"), []);
    is(one(optional, r#"{"n":"x"}"#), "/n", "type", "/anyOf/0/properties/n");
    is(one(optional, "{}"), "/n", "required", "/anyOf/0");
    is(one(optional, "5"), "", "anyOf", "");

    let tagged = r#"{"oneOf":[
        {"type":"object","properties":{"t":{"const":"a"},"n":{"type":"integer"}},"required":["t","n"]},
        {"type":"object","properties":{"t":{"const":"b"},"on":{"type":"boolean"}},"required":["t","on"]}]}"#;
    is(one(tagged, r#"{"t":"a","n":true}"#), "/n", "type", "/oneOf/0/properties/n");
    is(one(tagged, r#"{"t":"b"}"#), "/on", "required", "/oneOf/1");
    is(one(tagged, r#"{"t":"c","on":true}"#), "/t", "tag", "");
    is(one(tagged, "[]"), "", "oneOf", "");

    let external = r#"{"oneOf":[{"type":"string","enum":["x","y"]},
        {"type":"object","properties":{"z":{"type":"integer"}},"required":["z"],"additionalProperties":false}]}"#;
    is(one(external, "\"w\""), "", "oneOf", "");
    is(one(external, r#"{"z":"1"}"#), "/z", "type", "/oneOf/1/properties/z");

    // Nothing tells the branches apart: the nearest is told, or the union.
    let untagged = r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]},
        {"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}]}"#;
    is(one(untagged, r#"{"a":1,"b":"x"}"#), "", "anyOf", "");
    is(one(untagged, r#"{"c":"x"}"#), "/c", "type", "/anyOf/1/properties/c");
    is(one(r#"{"oneOf":[{"type":"integer"},{"minimum":3}]}"#, "5"), "", "oneOf", "");
}

#[test]
fn references_may_form_circles() {
    let tree = r##"{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},
        "next":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]}},"required":["v"]}}}"##;
    assert_eq!(check(tree, r#"{"v":1,"next":{"v":2,"next":null}}"#), []);
    is(one(tree, r#"{"v":1,"next":{"v":2,"next":{"v":"3"}}}"#), "/next/next/v", "type", "/$defs/t/properties/v");
    is(one(r##"{"$ref":"#"}"##, "1"), "", "$ref", "");
}

#[test]
fn work_is_bounded() {
    // Each level is asked about twice: 2^60 answers.
    let twice = r##"{"$defs":{"t":{"properties":{"a":{"oneOf":[{"allOf":[{"$ref":"#/$defs/t"},{"type":"object"}]},{"allOf":[{"$ref":"#/$defs/t"},
        {"minProperties":1}]}]}}}},"$ref":"#/$defs/t"}"##;
    let deep = format!("{}1{}", r#"{"a":"#.repeat(60), "}".repeat(60));
    let schema = Schema::new(twice.as_bytes(), &SchemaLimits::default()).unwrap();
    let found = schema.check(&deep).unwrap();
    assert!(found.list.iter().all(|v| v.keyword.is_empty()) && !found.list.is_empty(), "{found:?}");
    assert_eq!(schema.check("{").unwrap_err().code, FaultCode::NotJson);
    assert_eq!(schema.check(&"[".repeat(300)).unwrap_err().code, FaultCode::NotJson);
    let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
    assert_eq!(schema.check(&deep).unwrap_err().code, FaultCode::TooDeep);
}
