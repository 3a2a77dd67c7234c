//! Arguments for typed code: the table of what is taken and refused, everywhere, with what is told of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolprism_contract::arguments::{self, Arguments, ArgumentsError, Options};
use toolprism_contract::schema::{self, Schema};
use toolprism_contract::{Category, ToolError, ToolErrorKind};
use toolprism_repair::{Allowed, Code, StopReason};

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Required<T> {
    v: T,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Defaulted<T: Default> {
    #[serde(default)]
    v: T,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct DefaultTrue {
    #[serde(default = "yes")]
    v: bool,
}

fn read<T: DeserializeOwned + JsonSchema + 'static>(text: &str) -> Result<(T, Vec<&'static str>), ArgumentsError> {
    let read = arguments::read(text, schema::of::<T>(), &Options::default())?;
    let codes = read.changes.iter().map(|change| change.code.as_str()).collect();
    Ok((read.into()?, codes))
}

/// The value under `v`, and the codes of the changes.
fn take<T>(value: &str, taken: T, codes: &[&str])
where
    T: DeserializeOwned + JsonSchema + PartialEq + Debug + 'static,
{
    let text = format!(r#"{{"v":{value}}}"#);
    let (read, found) = read::<Required<T>>(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.v, taken, "{text}");
    assert_eq!(found, codes, "{text}");
}

fn refuse<T: DeserializeOwned + JsonSchema + Debug + 'static>(value: &str, category: Category, expected: &str) {
    let text = format!(r#"{{"v":{value}}}"#);
    let error = read::<Required<T>>(&text).expect_err(&text);
    let [problem] = &error.problems[..] else { panic!("{text}: {error}") };
    assert_eq!((&*problem.path, &*problem.field, problem.category), ("/v", "v", category), "{text}");
    assert_eq!(problem.expected.as_deref(), Some(expected), "{text}");
    assert_eq!(problem.found.as_deref(), Some(value), "{text}");
    assert!(!problem.hint.is_empty());
}

const U32: &str = "a whole number from 0 to 4294967295";
const U64: &str = "a whole number from 0 to 18446744073709551615";
const I64: &str = "a whole number from -9223372036854775808 to 9223372036854775807";

#[test]
fn numbers() {
    for (value, number, codes) in [
        ("42", 42, &[][..]),
        ("42.0", 42, &["whole_number"]),
        ("1e3", 1000, &["whole_number"]),
        ("-0.0", 0, &["whole_number"]),
        (r#""42""#, 42, &["string_to_number"]),
        (r#""42.0""#, 42, &["string_to_number"]),
        (r#""1e3""#, 1000, &["string_to_number"]),
        (r#""-0""#, 0, &["string_to_number"]),
    ] {
        take::<u32>(value, number, codes);
        take::<u64>(value, u64::from(number), codes);
        take::<usize>(value, number as usize, codes);
        take::<i64>(value, i64::from(number), codes);
        take::<Option<u32>>(value, Some(number), codes);
        take::<Option<u64>>(value, Some(u64::from(number)), codes);
        take::<Option<i64>>(value, Some(i64::from(number)), codes);
        take::<Vec<u8>>(
            &format!("[{}]", value.replace("1e3", "1e1")),
            vec![number.min(10) as u8 + if number == 42 { 32 } else { 0 }],
            codes,
        );
    }
    for (value, number) in [("-5", -5), ("-5.0", -5), (r#""-5""#, -5)] {
        let codes: &[&str] = match value {
            "-5" => &[],
            "-5.0" => &["whole_number"],
            _ => &["string_to_number"],
        };
        take::<i64>(value, number, codes);
    }
    for value in [r#"" 42 ""#, r#""""#, r#""abc""#, "3.7", r#""3.7""#, r#""inf""#, r#""NaN""#, "true", "[]", "{}"] {
        refuse::<u32>(value, Category::Type, U32);
        refuse::<u64>(value, Category::Type, U64);
        refuse::<usize>(value, Category::Type, U64);
        refuse::<i64>(value, Category::Type, I64);
        refuse::<isize>(value, Category::Type, I64);
        refuse::<Option<u32>>(value, Category::Type, &format!("{U32} or null"));
    }
    refuse::<usize>("null", Category::Type, U64);
    refuse::<u32>("-5", Category::Invalid, U32);
    refuse::<u32>("-5.0", Category::Invalid, U32);
    refuse::<u32>(r#""-5""#, Category::Type, U32);
    refuse::<u32>("18446744073709551615", Category::Invalid, U32);
    refuse::<u32>("4294967296", Category::Invalid, U32);
    refuse::<i64>("18446744073709551615", Category::Invalid, I64);
    refuse::<u8>("256", Category::Invalid, "a whole number from 0 to 255");
    refuse::<i8>("-129", Category::Invalid, "a whole number from -128 to 127");
    refuse::<f32>("1e39", Category::Invalid, "a number from -3.4028234663852886e+38 to 3.4028234663852886e+38");
}

#[test]
fn numbers_are_exact() {
    take::<u64>(r#""9007199254740993""#, 9_007_199_254_740_993, &["string_to_number"]);
    take::<u64>("9007199254740993.0", 9_007_199_254_740_993, &["whole_number"]);
    take::<i64>(r#""-9007199254740993""#, -9_007_199_254_740_993, &["string_to_number"]);
    take::<u64>("18446744073709551615", u64::MAX, &[]);
    take::<u64>(r#""18446744073709551615""#, u64::MAX, &["string_to_number"]);
    take::<u64>("1.8446744073709551615e19", u64::MAX, &["whole_number"]);
    take::<i64>("-9223372036854775808", i64::MIN, &[]);
    take::<i64>(r#""-9223372036854775808""#, i64::MIN, &["string_to_number"]);
    take::<u128>("340282366920938463463374607431768211455", u128::MAX, &[]);
    take::<i128>(r#""-170141183460469231731687303715884105728""#, i128::MIN, &["string_to_number"]);
    take::<f64>("42.0", 42.0, &[]);
    take::<f64>(r#""0.1""#, 0.1, &["string_to_number"]);
    refuse::<u128>("-1", Category::Invalid, "a whole number of at least 0");
}

#[test]
fn booleans() {
    for (value, truth, code) in [
        ("true", true, None),
        ("1", true, Some("number_to_bool")),
        (r#""true""#, true, Some("string_to_bool")),
        (r#"" TrUe\n""#, true, Some("word_to_bool")),
        (r#""yes""#, true, Some("word_to_bool")),
        (r#""YES ""#, true, Some("word_to_bool")),
        (r#""1""#, true, Some("word_to_bool")),
        ("false", false, None),
        ("0", false, Some("number_to_bool")),
        (r#""false""#, false, Some("string_to_bool")),
        (r#""no""#, false, Some("word_to_bool")),
        (r#""0""#, false, Some("word_to_bool")),
    ] {
        let codes: Vec<_> = code.into_iter().collect();
        take::<bool>(value, truth, &codes);
        take::<Option<bool>>(value, Some(truth), &codes);
        take::<Vec<Required<bool>>>(&format!(r#"[{{"v":{value}}}]"#), vec![Required { v: truth }], &codes);
    }
    take::<bool>("null", false, &["null_to_false"]);
    for value in ["2", "-1", "1.0", "1.5", r#""""#, r#""on""#, r#""y""#, "[]", "{}"] {
        refuse::<bool>(value, Category::Type, "true or false");
        refuse::<Option<bool>>(value, Category::Type, "true or false or null");
    }
}

#[test]
fn null_is_the_default_where_there_is_one() {
    let both = |text| (read::<DefaultTrue>(text).unwrap().0.v, read::<Defaulted<bool>>(text).unwrap().0.v);
    assert_eq!(both("{}"), (true, false));
    assert_eq!(both(r#"{"v":null}"#), (true, false));
    assert_eq!(both(r#"{"v":"no"}"#), (false, false));
    assert_eq!(read::<DefaultTrue>(r#"{"v":null}"#).unwrap().1, ["null_optional_dropped"]);
    assert_eq!(read::<Defaulted<u32>>(r#"{"v":null}"#).unwrap().0.v, 0);
    assert_eq!(read::<Defaulted<String>>(r#"{"v":null}"#).unwrap().0.v, "");
    assert_eq!(read::<Defaulted<Vec<String>>>(r#"{"v":null}"#).unwrap().0.v, Vec::<String>::new());
    assert_eq!(read::<Defaulted<BTreeMap<String, u8>>>(r#"{"v":null}"#).unwrap().0.v, BTreeMap::new());
    for text in ["{}", r#"{"v":null}"#] {
        assert_eq!(read::<Required<Option<bool>>>(text).unwrap(), (Required { v: None }, vec![]), "{text}");
        assert_eq!(read::<Required<Option<u64>>>(text).unwrap(), (Required { v: None }, vec![]), "{text}");
    }
}

#[test]
fn lists_of_texts() {
    let list = |items: &[&str]| items.iter().map(|item| item.to_string()).collect::<Vec<_>>();
    take(r#"["a","b"]"#, list(&["a", "b"]), &[]);
    take(r#"["a",5,1.50]"#, list(&["a", "5", "1.50"]), &["number_to_string", "number_to_string"]);
    take(r#""a b""#, list(&["a b"]), &["wrap_single"]);
    take("5", list(&["5"]), &["wrap_single", "number_to_string"]);
    take("null", list(&[]), &["null_to_empty_list"]);
    take(r#""[\"a\",\"b\"]""#, list(&["a", "b"]), &["string_to_array"]);
    take("null", None::<Vec<String>>, &[]);
    for value in ["true", r#"{"a":1}"#, r#""a, b""#] {
        refuse::<Vec<String>>(value, Category::Type, "a list, each element a text");
    }
    for (value, path, found) in [
        (r#"[["a"]]"#, "/v/0", r#"["a"]"#),
        (r#"["a",true]"#, "/v/1", "true"),
        (r#"["a",null]"#, "/v/1", "null"),
        (r#"["a",{}]"#, "/v/1", "{}"),
    ] {
        let error = read::<Required<Vec<String>>>(&format!(r#"{{"v":{value}}}"#)).unwrap_err();
        let [problem] = &error.problems[..] else { panic!("{error}") };
        assert_eq!(
            (&*problem.path, problem.expected.as_deref(), problem.found.as_deref()),
            (path, Some("a text"), Some(found))
        );
        assert_eq!(problem.field, path.replace("/v/", "v[") + "]");
    }
}

#[test]
fn texts_stay_as_they_are() {
    for text in ["yes", "42", "null", "None", " 1 ", "true", "[]", "{\"a\":1}", "a,b", ""] {
        take(&json!(text).to_string(), text.to_string(), &[]);
        take(&json!([text]).to_string(), vec![text.to_string()], &[]);
        take(&json!(text).to_string(), Some(text.to_string()), &[]);
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Edit {
    Insert {
        line: u32,
        text: String,
    },
    Delete {
        lines: Vec<u32>,
        #[serde(default)]
        force: bool,
    },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Target {
    Line(u32),
    Range { from: u32, to: u32 },
    Name(String),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Mode {
    Fast,
    Slow { wait_ms: u64 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Paging {
    limit: Option<u32>,
    #[serde(default)]
    all: bool,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Tree {
    n: u32,
    #[serde(default)]
    kids: Vec<Tree>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Everything {
    edits: Vec<Edit>,
    target: Target,
    mode: Mode,
    env: BTreeMap<String, u32>,
    tree: Tree,
    pair: (u8, bool),
    #[serde(flatten)]
    paging: Paging,
}

const EVERYTHING: &str = r#"{"edits":[{"op":"insert","line":"3","text":"5"},{"op":"delete","lines":["1",2.0],"force":"yes"}],
    "target":{"from":"1","to":"2"},"mode":{"Slow":{"wait_ms":"100"}},"env":{"a.b":"1","c/d":2.0},
    "tree":{"n":"1","kids":[{"n":2,"kids":[{"n":"3"}]}]},"pair":["7",1],"limit":"9","all":1}"#;

#[test]
fn leniency_reaches_everywhere() {
    let (everything, codes) = read::<Everything>(EVERYTHING).unwrap();
    assert_eq!(
        everything,
        Everything {
            edits: vec![Edit::Insert { line: 3, text: "5".into() }, Edit::Delete { lines: vec![1, 2], force: true }],
            target: Target::Range { from: 1, to: 2 },
            mode: Mode::Slow { wait_ms: 100 },
            env: [("a.b".to_string(), 1), ("c/d".to_string(), 2)].into(),
            tree: Tree { n: 1, kids: vec![Tree { n: 2, kids: vec![Tree { n: 3, kids: vec![] }] }] },
            pair: (7, true),
            paging: Paging { limit: Some(9), all: true },
        }
    );
    assert_eq!(codes.len(), 15);
}

#[test]
fn each_leniency_is_told_with_its_place() {
    let read = arguments::read(EVERYTHING, schema::of::<Everything>(), &Options::default()).unwrap();
    let told: Vec<_> = read
        .changes
        .iter()
        .map(|change| {
            format!(
                "{} {} {:?} {:?}",
                change.code,
                change.path,
                change.found.as_deref().unwrap(),
                change.became.as_deref().unwrap()
            )
        })
        .collect();
    assert_eq!(told[0], r#"string_to_number /edits/0/line "\"3\"" "3""#);
    assert_eq!(told[2], r#"whole_number /edits/1/lines/1 "2.0" "2""#);
    assert_eq!(told[3], r#"word_to_bool /edits/1/force "\"yes\"" "true""#);
    assert!(told.contains(&r#"whole_number /env/c~1d "2.0" "2""#.to_string()), "{told:?}");
    let text = "{\n  'filePath': \"a\", \"limit\": null,}";
    let schema = Schema::from_value(
        json!({"type": "object", "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["file_path"]}),
    )
    .unwrap();
    let read = arguments::read(text, &schema, &Options::default()).unwrap();
    assert_eq!(
        serde_json::to_value(&read.changes).unwrap(),
        json!([
            {"code": "single_quotes", "path": "/filePath"},
            {"code": "key_renamed", "path": "/file_path", "found": "'filePath'", "became": "\"file_path\""},
            {"code": "null_optional_dropped", "path": "/limit", "found": "null"},
            {"code": "trailing_comma", "path": ""},
        ])
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let text = r#"{"edits":[{"op":"insert","line":"x"},{"op":"move"},7],"target":null,"mode":"Medium","env":{"a.b":-1},
        "tree":{"n":1,"kids":[{"kids":[]}]},"pair":[256,"on"],"limit":4294967296}"#;
    let error = read::<Everything>(text).unwrap_err();
    let told: Vec<_> = error.problems.iter().map(|p| (&*p.path, &*p.field, p.category.as_str())).collect();
    assert_eq!(
        told,
        [
            ("/edits/0/line", "edits[0].line", "params_type"),
            ("/edits/0/text", "edits[0].text", "params_missing_field"),
            ("/edits/1/op", "edits[1].op", "params_unknown_variant"),
            ("/edits/2", "edits[2]", "params_type"),
            ("/target", "target", "params_type"),
            ("/mode", "mode", "params_unknown_variant"),
            ("/env/a.b", "env[\"a.b\"]", "params_invalid"),
            ("/tree/kids/0/n", "tree.kids[0].n", "params_missing_field"),
            ("/pair/0", "pair[0]", "params_invalid"),
            ("/pair/1", "pair[1]", "params_type"),
            ("/limit", "limit", "params_invalid"),
        ]
    );
    let of = |field: &str| error.problems.iter().find(|problem| problem.field == field).unwrap();
    assert_eq!(of("edits[1].op").expected.as_deref(), Some(r#"one of "insert", "delete""#));
    assert_eq!(of("mode").expected.as_deref(), Some(r#""Fast" or an object with `Slow`"#));
    assert_eq!(
        of("tree.kids[0].n").to_string(),
        format!("`tree.kids[0].n`: expected {U32}; it is required and missing: add `n`")
    );
    assert!(error.to_string().starts_with("invalid arguments: 11 problems\n- `edits[0].line`: expected "));
    let error = ToolError::from(error);
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    let details = error.details.unwrap();
    assert_eq!(
        details["problems"][0],
        json!({"path": "/edits/0/line", "field": "edits[0].line", "category": "params_type",
        "expected": U32, "found": "\"x\"", "hint": "write the number alone, without quotes, spaces or units"})
    );
    assert_eq!(details.get("more"), None);
}

#[test]
fn unknown_members_are_refused_where_the_type_refuses_them() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Closed {
        path: String,
        max_lines: Option<u32>,
    }
    let error = read::<Closed>(r#"{"path":"a","lines":1,"a.b":2}"#).unwrap_err();
    let told: Vec<_> = error.problems.iter().map(|p| (&*p.field, p.category, &*p.hint)).collect();
    assert_eq!(
        told,
        [
            (
                "lines",
                Category::UnknownField,
                "there is no such member: leave `lines` out, or use one of `max_lines`, `path`"
            ),
            (
                "[\"a.b\"]",
                Category::UnknownField,
                "there is no such member: leave `a.b` out, or use one of `max_lines`, `path`"
            ),
        ]
    );
    assert!(read::<Closed>(r#"{"path":"a","maxLines":1}"#).unwrap().0.max_lines == Some(1));
    // An alias that the schema does not tell stays possible where unknown members are.
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Aliased {
        #[serde(default, alias = "task_id")]
        task_ids: String,
    }
    assert_eq!(read::<Aliased>(r#"{"task_id":"7"}"#).unwrap().0.task_ids, "7");
}

#[test]
fn rules_beyond_types_are_told_as_such() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Ruled {
        #[schemars(range(min = 1, max = 5))]
        n: u32,
        #[schemars(length(min = 2), regex(pattern = "^[a-z]+$"))]
        s: String,
        #[schemars(length(max = 1))]
        list: Vec<u8>,
    }
    let error = read::<Ruled>(r#"{"n":"6","s":"A","list":[1,2]}"#).unwrap_err();
    let told: Vec<_> = error.problems.iter().map(|p| (&*p.field, p.category, p.expected.as_deref().unwrap())).collect();
    assert_eq!(
        told,
        [
            ("n", Category::Type, "a whole number from 1 to 5"),
            ("s", Category::Constraint, "a text of at least 2 characters that matches ^[a-z]+$"),
            ("list", Category::Constraint, "a list of at most 1 element, each element a whole number from 0 to 255"),
        ]
    );
}

#[test]
fn text_that_is_no_object_is_told_with_its_place() {
    for (text, hint) in [
        ("", "a required parameter is missing"),
        (r#"{"v":"a"#, "end inside a string"),
        (r#"[1,2]"#, "must be a JSON object"),
        (r#"{"v":1}{"v":2}"#, "several objects"),
        (r#"{"v":1,"v":2}"#, "two different values"),
    ] {
        let error = read::<Required<u32>>(text).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(hint) || (text.is_empty() && told.contains("`v`")), "{text}: {told}");
    }
    let fenced = "```json\n{\"v\": \"7\"}\n```";
    assert_eq!(read::<Required<u32>>(fenced).unwrap(), (Required { v: 7 }, vec!["code_fence", "string_to_number"]));
    let options = Options { stop: StopReason::Length, ..Options::default() };
    assert!(arguments::read(r#"{"v":"1""#, schema::of::<Required<u32>>(), &options).is_err());
    assert!(read::<Required<u32>>(r#"{"v":"1""#).is_ok());
}

#[test]
fn leniency_can_be_switched_off() {
    let strict = Options { allowed: Allowed::NONE, ..Options::default() };
    let schema = schema::of::<Required<u32>>();
    assert!(arguments::read(r#"{"v":1}"#, schema, &strict).unwrap().changes.is_empty());
    for text in [r#"{"v":"1"}"#, r#"{"v":1,}"#, r#"{"v":1,"v":1}"#] {
        let error = arguments::read(text, schema, &strict).unwrap_err();
        assert_eq!(error.problems.len(), 1, "{text}: {error}");
    }
    let but = Options { allowed: Allowed::ALL.without(Code::StringToNumber), ..Options::default() };
    let error = arguments::read(r#"{"v":"1"}"#, schema, &but).unwrap_err();
    assert_eq!(error.problems[0].expected.as_deref(), Some(U32));
}

#[test]
fn values_are_exact_or_refused() {
    let schema = Schema::from_value(json!({"type": "object", "properties": {"n": {"type": "integer"}}})).unwrap();
    let read = |text: &str| -> Arguments { arguments::read(text, &schema, &Options::default()).unwrap() };
    let big = read(r#"{"n":"36893488147419103232"}"#);
    assert_eq!(big.text(), r#"{"n":36893488147419103232}"#);
    let error = big.value().unwrap_err();
    assert_eq!((&*error.problems[0].path, error.problems[0].found.as_deref()), ("/n", Some("36893488147419103232")));
    assert_eq!(big.into::<Required<Option<u8>>>().unwrap().v, None);
    let nested = read(r#"{"a":{"x/y":["\"-9",[0.5,1e30,-9223372036854775809]]}}"#);
    assert_eq!(nested.value().unwrap_err().problems[0].path, "/a/x~1y/1/2");
    let fits = read(r#"{"a":[18446744073709551615,-9223372036854775808,1.5,"99999999999999999999"]}"#).value().unwrap();
    assert_eq!(fits["a"], json!([u64::MAX, i64::MIN, 1.5, "99999999999999999999"]));
}

#[test]
fn what_only_the_type_knows_is_told_with_its_place() {
    /// A schema that promises more than the type takes.
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Inner {
        port: u16,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        servers: BTreeMap<String, Vec<Inner>>,
    }
    let schema = Schema::from_value(json!({"type": "object"})).unwrap();
    let into = |text: &str| {
        let read = arguments::read(text, &schema, &Options::default()).unwrap();
        read.into::<Outer>().unwrap_err().problems.remove(0)
    };
    let problem = into(r#"{"servers":{"a.b/c":[{"port":1},{"port":"x"}]}}"#);
    assert_eq!((&*problem.path, &*problem.field), ("/servers/a.b~1c/1/port", "servers[\"a.b/c\"][1].port"));
    assert_eq!(
        (problem.category, problem.expected.as_deref(), problem.found.as_deref()),
        (Category::Type, Some("u16"), Some("\"x\""))
    );
    let problem = into(r#"{"servers":{"a":[{}]}}"#);
    assert_eq!((&*problem.path, problem.category), ("/servers/a/0/port", Category::MissingField));
    let problem = into(r#"{"servers":{"a":[{"port":70000}]}}"#);
    assert_eq!(
        (&*problem.path, problem.category, problem.found.as_deref()),
        ("/servers/a/0/port", Category::Invalid, Some("70000"))
    );
}

#[test]
fn what_is_found_is_told_short() {
    let long = "x".repeat(10_000);
    let error = read::<Required<u32>>(&json!({"v": long}).to_string()).unwrap_err();
    let found = error.problems[0].found.clone().unwrap();
    assert!(found.len() < 100 && found.ends_with("... (10002 bytes)"), "{found}");
    let error = read::<Required<u32>>(&json!({"v": vec![1; 500]}).to_string()).unwrap_err();
    assert_eq!(error.problems[0].found.as_deref(), Some("a list of 1001 bytes"));
    let error = read::<Required<u32>>(&json!({"v": "é".repeat(100)}).to_string()).unwrap_err();
    assert!(error.problems[0].found.as_deref().unwrap().starts_with("\"é"));
}

#[test]
fn very_long_and_very_wrong_arguments_are_refused_and_told_short() {
    let ten_megabytes = format!(r#"{{"v":"{}"}}"#, "a".repeat(10 << 20));
    let error = read::<Required<String>>(&ten_megabytes).unwrap_err();
    assert!(error.to_string().len() < 300 && error.to_string().contains("longer than allowed"));
    let many = json!({"v": vec![true; 100_000]}).to_string();
    let error = read::<Required<Vec<u8>>>(&many).unwrap_err();
    assert!(
        error.more
            && error.problems.len() == 64
            && error.to_string().starts_with("invalid arguments: more than 64 problems")
    );
    let many = json!({"v": vec!["1"; 60_000]}).to_string();
    assert_eq!(read::<Required<Vec<u8>>>(&many).unwrap().1.len(), 60_000);
    let too_many = json!({"v": vec!["1"; 70_000]}).to_string();
    assert!(read::<Required<Vec<u8>>>(&too_many).unwrap_err().to_string().contains("misspelt"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u8..20).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9 .-]{0,6}".prop_map(Value::from),
        prop::sample::select(vec!["yes", "no", "1", "42", "42.0", "insert", "delete", "Fast"]).prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "edits", "target", "mode", "env", "tree", "pair", "limit", "all", "n", "kids", "op", "line", "text", "from",
        "to",
    ]);
    leaf.prop_recursive(4, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..7)
                .prop_map(|members| members.into_iter().map(|(key, value)| (key.to_string(), value)).collect()),
        ]
    })
}

fn whole() -> impl Strategy<Value = Value> {
    (any_value(), any_value(), any_value(), any_value()).prop_map(|(a, b, c, d)| {
        let mut text: Value = serde_json::from_str(EVERYTHING).unwrap();
        text["edits"][0]["line"] = a;
        text["target"] = b;
        text["env"]["x"] = c;
        text["all"] = d;
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_is_typed_or_told(value in prop_oneof![any_value(), whole()]) {
        let text = value.to_string();
        match arguments::read(&text, schema::of::<Everything>(), &Options::default()) {
            Ok(read) => {
                let again = arguments::read(read.text(), schema::of::<Everything>(), &Options::default()).unwrap();
                prop_assert_eq!(again.text(), read.text());
                prop_assert!(again.changes.is_empty());
                prop_assert!(read.clone().into::<Everything>().is_ok(), "{}", read.text());
            }
            Err(error) => {
                prop_assert!(!error.problems.is_empty());
                // What serde takes as it is, is not refused.
                prop_assert!(serde_json::from_str::<Everything>(&text).is_err(), "{}: {}", text, error);
            }
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>(), value in whole(), cut in any::<prop::sample::Index>()) {
        let _ = arguments::read(&text, schema::of::<Everything>(), &Options::default());
        let whole = value.to_string();
        let end = (0..=cut.index(whole.len())).rev().find(|end| whole.is_char_boundary(*end)).unwrap();
        if let Err(error) = arguments::read(&whole[..end], schema::of::<Everything>(), &Options::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
