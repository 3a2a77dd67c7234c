//! Random schemas and values: the same answers as the crate `jsonschema` gives.
//!
//! Left out, for the two differ on purpose: `format` (asserted elsewhere, or by other rules), numbers beyond doubles (exact
//! here), whole numbers with a point (no integers there in draft 4), patterns beyond the plainest, circles at one value,
//! `dependencies` since 2019-09 (asserted there, though no keyword any more), and `contains` with `unevaluatedItems` in
//! 2019-09 (counts as evaluated there, though only from 2020-12 on it should).

use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use super::*;

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-3_i64..6).prop_map(Json::from),
        (-3_i32..6).prop_map(|whole| json!(f64::from(whole) + 0.5)),
        prop::sample::select(alloc::vec!["", "a", "ab", "b", "aab", "ä", "abcd"]).prop_map(Json::from),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(alloc::vec!["a", "b", "ab", "c"])
}

fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((name(), inner), 0..4).prop_map(object),
        ]
    })
}

fn object(members: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

fn type_names() -> impl Strategy<Value = Json> {
    let names = alloc::vec!["null", "boolean", "integer", "number", "string", "array", "object"];
    prop_oneof![
        prop::sample::select(names.clone()).prop_map(Json::from),
        prop::sample::subsequence(names, 1..3).prop_map(Json::from),
    ]
}

fn names() -> impl Strategy<Value = Json> {
    prop::sample::subsequence(alloc::vec!["a", "b", "c"], 1..3).prop_map(Json::from)
}

fn pattern() -> impl Strategy<Value = &'static str> {
    prop::sample::select(alloc::vec!["a", "^a", "b$", "^[ab]+$", "^(a|b){2}$"])
}

fn size() -> impl Strategy<Value = Json> {
    (0_u8..4).prop_map(Json::from)
}

fn bound() -> impl Strategy<Value = Json> {
    (-4_i32..8).prop_map(|halves| json!(f64::from(halves) / 2.0))
}

/// One keyword that holds no schema.
fn plain_keyword() -> BoxedStrategy<(&'static str, Json)> {
    prop_oneof![
        type_names().prop_map(|v| ("type", v)),
        prop::collection::vec(scalar(), 1..4).prop_map(|v| {
            let mut distinct: alloc::vec::Vec<Json> = alloc::vec::Vec::new();
            v.into_iter().for_each(|item| {
                if !distinct.iter().any(|d| d.as_f64().is_some() && d.as_f64() == item.as_f64() || *d == item) {
                    distinct.push(item)
                }
            });
            ("enum", Json::from(distinct))
        }),
        value().prop_map(|v| ("const", v)),
        names().prop_map(|v| ("required", v)),
        (
            prop::sample::select(alloc::vec![
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties"
            ]),
            size()
        ),
        (prop::sample::select(alloc::vec!["minimum", "maximum"]), bound()),
        prop::sample::select(alloc::vec![json!(2), json!(0.5), json!(1.5)]).prop_map(|v| ("multipleOf", v)),
        pattern().prop_map(|v| ("pattern", json!(v))),
        any::<bool>().prop_map(|v| ("uniqueItems", json!(v))),
        (prop::sample::select(alloc::vec!["minContains", "maxContains"]), size()),
        (name(), names()).prop_map(|(key, v)| ("dependentRequired", object([(key, v)]))),
    ]
    .boxed()
}

/// One keyword that holds schemas.
fn keyword(schema: BoxedStrategy<Json>) -> BoxedStrategy<(&'static str, Json)> {
    let list = prop::collection::vec(schema.clone(), 1..4).prop_map(Json::from);
    let one = prop::sample::select(alloc::vec![
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]);
    prop_oneof![
        3 => plain_keyword(),
        2 => prop::collection::vec((name(), schema.clone()), 1..4).prop_map(|v| ("properties", object(v))),
        1 => (pattern(), schema.clone()).prop_map(|(key, v)| ("patternProperties", object([(key, v)]))),
        1 => (name(), schema.clone()).prop_map(|(key, v)| ("dependentSchemas", object([(key, v)]))),
        2 => (prop::sample::select(alloc::vec!["anyOf", "oneOf", "allOf", "prefixItems", "items"]), list),
        3 => (one, schema),
        1 => prop::sample::select(alloc::vec!["x", "y"]).prop_map(|v| ("$ref", json!(format!("#/definitions/{v}")))),
    ]
    .boxed()
}

fn schema() -> impl Strategy<Value = Json> {
    let leaf = prop::collection::vec(plain_keyword(), 0..3).prop_map(object);
    leaf.prop_recursive(4, 40, 4, |inner| prop::collection::vec(keyword(inner.boxed()), 1..5).prop_map(object))
}

/// Two definitions of plain keywords, so that no reference leads in a circle.
fn document() -> impl Strategy<Value = Json> {
    let definition = || prop::collection::vec(plain_keyword(), 0..3).prop_map(object);
    (schema(), definition(), definition()).prop_map(|(schema, x, y)| {
        let mut members: Map<String, Json> = schema.as_object().cloned().unwrap_or_default();
        members.insert("definitions".into(), json!({"x": x, "y": y}));
        Json::Object(members)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, max_shrink_iters: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_peer_gives_the_same_answers(
        document in document(),
        values in prop::collection::vec(value(), 6),
        draft in prop::sample::select(ALL.to_vec()),
    ) {
        let mut document = document;
        if let Some(members) = document.as_object_mut() {
            members.insert("$schema".into(), draft.into());
        }
        let text = document.to_string();
        prop_assume!(draft != NINETEEN || !(text.contains("\"contains\"") && text.contains("unevaluatedItems")));
        let ours = compile(&text);
        let theirs = jsonschema::options().should_validate_formats(false).build(&document);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{} {:?} {:?}", text, ours.as_ref().err(), theirs.as_ref().err());
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else { return Ok(()) };
        for value in values {
            let answer = super::answer(&ours, &value.to_string());
            prop_assert_eq!(answer.is_ok(), theirs.is_valid(&value), "{} {}", text, value);
        }
    }
}
