//! Arguments for one schema: the further rules, what stays refused, and everything that is wrong at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use toolprism_repair::{Allowed, Code, FaultCode, Misfit, Reading, Schema, SchemaLimits, Severity};

fn schema(text: &str) -> Schema {
    Schema::new(text.as_bytes(), &SchemaLimits::default()).expect(text)
}

/// A schema with the member `v`, which is required or not.
fn member(of: &str, required: bool) -> Schema {
    let required = if required { r#""v""# } else { "" };
    schema(&format!(r#"{{"type":"object","properties":{{"v":{of}}},"required":[{required}]}}"#))
}

const ANY: &str = "refused";

/// What becomes of a value under `v`, and the codes of the changes; `refused` if it is refused.
fn aligned(schema: &Schema, value: &str) -> (String, Vec<&'static str>) {
    let text = format!(r#"{{"v":{value}}}"#);
    match schema.align(&text, &Reading::default()) {
        Ok(aligned) => {
            let codes = aligned.changes.iter().map(|change| change.code.as_str()).collect();
            let inner = aligned.text.strip_prefix("{\"v\":").and_then(|rest| rest.strip_suffix('}'));
            (inner.unwrap_or(&aligned.text).to_string(), codes)
        }
        Err(Misfit::Invalid { violations, faults, .. }) => {
            assert!(!violations.list.is_empty() || !faults.is_empty(), "{text}");
            (ANY.to_string(), Vec::new())
        }
        Err(misfit) => panic!("{text}: {misfit:?}"),
    }
}

fn check(of: &str, required: bool, cases: &[(&str, &str, &[&str])]) {
    let schema = member(of, required);
    for (value, became, codes) in cases {
        assert_eq!(aligned(&schema, value), (became.to_string(), codes.to_vec()), "{value} for {of}");
    }
}

#[test]
fn whole_numbers() {
    check(
        r#"{"type":"integer"}"#,
        true,
        &[
            ("42", "42", &[]),
            ("42.0", "42", &["whole_number"]),
            ("1e3", "1000", &["whole_number"]),
            ("-0.0", "0", &["whole_number"]),
            ("-0", "0", &["whole_number"]),
            (r#""42""#, "42", &["string_to_number"]),
            (r#""42.0""#, "42", &["string_to_number"]),
            (r#""1e3""#, "1000", &["string_to_number"]),
            (r#""-0""#, "0", &["string_to_number"]),
            (r#""9007199254740993""#, "9007199254740993", &["string_to_number"]),
            ("9007199254740993.0", "9007199254740993", &["whole_number"]),
            ("18446744073709551615", "18446744073709551615", &[]),
            ("340282366920938463463374607431768211456", "340282366920938463463374607431768211456", &[]),
            (r#"" 42 ""#, ANY, &[]),
            (r#""""#, ANY, &[]),
            (r#""abc""#, ANY, &[]),
            ("3.7", ANY, &[]),
            (r#""3.7""#, ANY, &[]),
            (r#""inf""#, ANY, &[]),
            (r#""NaN""#, ANY, &[]),
            ("true", ANY, &[]),
            ("[]", ANY, &[]),
            ("{}", ANY, &[]),
            ("null", ANY, &[]),
        ],
    );
    // A number stays as it is written where it need not be whole, and so does one that is in a union with such.
    for of in
        [r#"{"type":"number"}"#, r#"{"anyOf":[{"type":"integer"},{"type":"number"}]}"#, "{}", r#"{"type":"string"}"#]
    {
        let (became, codes) = aligned(&member(of, true), "42.0");
        assert_eq!(
            (&*became, codes.is_empty()),
            if of.contains("string") { ("\"42.0\"", false) } else { ("42.0", true) }
        );
    }
    check(r#"{"type":["integer","string"]}"#, true, &[("42.0", "42", &["whole_number"]), ("\"42\"", "\"42\"", &[])]);
    check(r#"{"enum":[42]}"#, true, &[("42", "42", &[])]);
}

#[test]
fn booleans() {
    check(
        r#"{"type":"boolean"}"#,
        true,
        &[
            ("true", "true", &[]),
            ("1", "true", &["number_to_bool"]),
            ("0", "false", &["number_to_bool"]),
            (r#""true""#, "true", &["string_to_bool"]),
            (r#"" tRuE ""#, "true", &["word_to_bool"]),
            (r#""yes""#, "true", &["word_to_bool"]),
            (r#""1""#, "true", &["word_to_bool"]),
            (r#""No""#, "false", &["word_to_bool"]),
            (r#""0""#, "false", &["word_to_bool"]),
            (r#""FALSE""#, "false", &["string_to_bool"]),
            ("null", "false", &["null_to_false"]),
            ("2", ANY, &[]),
            ("-1", ANY, &[]),
            ("1.0", ANY, &[]),
            ("1.5", ANY, &[]),
            (r#""""#, ANY, &[]),
            (r#""on""#, ANY, &[]),
            (r#""y""#, ANY, &[]),
            ("[]", ANY, &[]),
            ("{}", ANY, &[]),
        ],
    );
    // Where it may also be a number or a text, it is that.
    check(r#"{"type":["boolean","integer"]}"#, true, &[("1", "1", &[]), (r#""1""#, "1", &["string_to_number"])]);
    check(
        r#"{"type":["boolean","string"]}"#,
        true,
        &[(r#""yes""#, r#""yes""#, &[]), ("1", r#""1""#, &["number_to_string"])],
    );
    check(r#"{"type":["boolean","null"]}"#, true, &[("null", "null", &[]), (r#""no""#, "false", &["word_to_bool"])]);
    check(r#"{"const":true}"#, true, &[("null", ANY, &[]), ("0", ANY, &[])]);
}

#[test]
fn lists_of_texts() {
    check(
        r#"{"type":"array","items":{"type":"string"}}"#,
        true,
        &[
            (r#"["a","b"]"#, r#"["a","b"]"#, &[]),
            (r#"["a",5,1.50]"#, r#"["a","5","1.50"]"#, &["number_to_string", "number_to_string"]),
            (r#""a""#, r#"["a"]"#, &["wrap_single"]),
            ("5", r#"["5"]"#, &["wrap_single", "number_to_string"]),
            ("null", "[]", &["null_to_empty_list"]),
            ("true", ANY, &[]),
            (r#"{"a":1}"#, ANY, &[]),
            (r#"[["a"]]"#, ANY, &[]),
            (r#"["a",true]"#, ANY, &[]),
            (r#"["a",null]"#, ANY, &[]),
            (r#"["a",{}]"#, ANY, &[]),
            // May be one element or several.
            (r#""a,b""#, ANY, &[]),
        ],
    );
    check(r#"{"type":"array","minItems":1}"#, true, &[("null", ANY, &[])]);
    check(
        r#"{"type":"array","items":{"type":"array","items":{"type":"string"}}}"#,
        true,
        &[(r#"[["a"]]"#, r#"[["a"]]"#, &[])],
    );
}

#[test]
fn null_for_what_need_not_be_there() {
    for of in ["boolean", "integer", "string", "object"] {
        let schema = member(&format!(r#"{{"type":"{of}"}}"#), false);
        assert_eq!(aligned(&schema, "null"), ("{}".to_string(), vec!["null_optional_dropped"]), "{of}");
        let schema = member(&format!(r#"{{"type":["{of}","null"]}}"#), false);
        assert_eq!(aligned(&schema, "null"), ("null".to_string(), vec![]), "{of}");
    }
    // Providers that want every member send null for those of other branches, too.
    let closed = r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}"#;
    check(closed, true, &[(r#"{"b":null,"a":1}"#, r#"{"a":1}"#, &["null_optional_dropped"]), (r#"{"b":0}"#, ANY, &[])]);
    check(r#"{"type":"string"}"#, false, &[(r#""null""#, r#""null""#, &[])]);
    check(r#"{"type":"string"}"#, true, &[("null", ANY, &[])]);
}

#[test]
fn texts_stay_as_they_are() {
    let schema = schema(
        r#"{"properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}},"n":{"type":"integer"}}}"#,
    );
    let text = r#"{"a":" yes\u0020","b":["1"," null ","[]"],"n":"5"}"#;
    let aligned = schema.align(text, &Reading::default()).unwrap();
    assert_eq!(aligned.text, r#"{"a":" yes\u0020","b":["1"," null ","[]"],"n":5}"#);
    assert_eq!(aligned.changes.len(), 1);
}

#[test]
fn inside_of_everything() {
    for (of, value, became) in [
        (
            r##"{"type":"object","properties":{"on":{"$ref":"#/$defs/b"}},"$defs":{"b":{"type":"boolean"}}}"##,
            r#"{"on":"yes"}"#,
            r#"{"on":true}"#,
        ),
        (
            r#"{"allOf":[{"properties":{"on":{"type":"boolean"}}},{"properties":{"n":{"type":"integer"}}}]}"#,
            r#"{"on":1,"n":"7"}"#,
            r#"{"on":true,"n":7}"#,
        ),
        (
            r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},{"type":"null"}]}"#,
            r#"{"n":"7"}"#,
            r#"{"n":7}"#,
        ),
        (
            r#"{"oneOf":[{"type":"object","properties":{"t":{"const":"a"},"n":{"type":"integer"}},"required":["t","n"]},
                {"type":"object","properties":{"t":{"const":"b"},"n":{"type":"boolean"}},"required":["t","n"]}]}"#,
            r#"{"t":"b","n":"1"}"#,
            r#"{"t":"b","n":true}"#,
        ),
        (
            r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
            r#"{"a.b":"1","c":2.0}"#,
            r#"{"a.b":1,"c":2}"#,
        ),
        (
            r#"{"type":"array","items":{"type":"object","properties":{"on":{"type":"boolean"}}}}"#,
            r#"[{"on":0},{"on":null}]"#,
            r#"[{"on":false},{}]"#,
        ),
    ] {
        let of = of.replace("$ref\":\"#/", "$ref\":\"#/properties/v/");
        assert_eq!(aligned(&member(&of, true), value).0, became, "{of}");
    }
}

#[test]
fn a_valid_document_in_a_union_stays_valid() {
    // Both branches take it, and would write it in two ways.
    let of = r#"{"anyOf":[{"properties":{"n":{"type":"integer"}}},{"properties":{"n":{"type":"number"}}}]}"#;
    check(of, true, &[(r#"{"n":2.0}"#, r#"{"n":2.0}"#, &[])]);
    // And is no fault of a branch around it.
    let of = format!(
        r#"{{"anyOf":[{{"type":"object","properties":{{"u":{of},"m":{{"type":"integer"}}}},"required":["m"]}},
            {{"type":"object","required":["z"]}}]}}"#
    );
    check(&of, true, &[(r#"{"u":{"n":2.0},"m":"5"}"#, r#"{"u":{"n":2.0},"m":5}"#, &["string_to_number"])]);
}

#[test]
fn two_values_for_one_name_are_refused_in_a_union_too() {
    let of = r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},
        {"type":"object","properties":{"m":{"type":"integer"}},"required":["m"]}]}"#;
    check(of, true, &[(r#"{"n":1,"n":1}"#, r#"{"n":1}"#, &["duplicate_key"]), (r#"{"n":1,"n":2}"#, ANY, &[])]);
}

#[test]
fn what_is_switched_off_is_not_done() {
    let text = r#"{"v":"5"}"#;
    let schema = member(r#"{"type":"integer"}"#, true);
    let reading = |allowed| Reading { allowed, ..Reading::default() };
    let refused = schema.align(text, &reading(Allowed::ALL.without(Code::StringToNumber)));
    let Err(Misfit::Invalid { text: read, violations, faults }) = refused else { panic!("{refused:?}") };
    assert_eq!((&*read, violations.list.len()), (text, 1));
    assert_eq!(faults[0].code, FaultCode::TypeMismatch);
    for code in Code::ALL.iter().filter(|code| code.severity() != Severity::Inserted) {
        assert!(schema.align(text, &reading(Allowed::NONE.with(*code))).is_ok() == (*code == Code::StringToNumber));
    }
    let fenced = "```json\n{\"v\":5}\n```";
    let Err(Misfit::Unreadable(fault)) = schema.align(fenced, &reading(Allowed::NONE)) else { panic!() };
    assert_eq!(fault.code, FaultCode::ChangeDisabled(Code::CodeFence));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let schema = schema(
        r#"{"type":"object","properties":{"n":{"type":"integer","maximum":9},"on":{"type":"boolean"},"ok":{"type":"integer"},
            "mode":{"enum":["fast","slow"]},"list":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string"}},
            "required":["p"],"additionalProperties":false}}},"required":["n","gone"],"additionalProperties":false}"#,
    );
    let text = r#"{"n":10,"on":"maybe","ok":"5","mode":"fas","list":[{"p":"a"},{"q":1}],"x":1}"#;
    let Err(Misfit::Invalid { text, violations, .. }) = schema.align(text, &Reading::default()) else { panic!() };
    let found: Vec<_> =
        violations.list.iter().map(|v| (&*v.path, v.keyword, &*v.schema, text.get(v.place.clone()).unwrap())).collect();
    assert_eq!(
        found,
        [
            ("/n", "maximum", "/properties/n", "10"),
            ("/on", "type", "/properties/on", "\"maybe\""),
            ("/mode", "enum", "/properties/mode", "\"fas\""),
            ("/list/1/q", "additionalProperties", "/properties/list/items", "\"q\""),
            ("/list/1/p", "required", "/properties/list/items", "{\"q\":1}"),
            ("/x", "additionalProperties", "", "\"x\""),
            ("/gone", "required", "", &*text),
        ]
    );
    // What could be taken was.
    assert!(text.contains(r#""ok":5"#));
}

#[test]
fn what_no_schema_sees_is_refused_all_the_same() {
    let schema = schema(r#"{"properties":{"a":{},"my_key":{},"mykey":{}},"additionalProperties":false}"#);
    let Err(Misfit::Invalid { faults, .. }) = schema.align(r#"{"a":1,"a":2}"#, &Reading::default()) else { panic!() };
    assert_eq!((faults[0].code, &*faults[0].path), (FaultCode::DuplicateKeyConflict, "/a"));
    let Err(Misfit::Invalid { faults, .. }) = schema.align(r#"{"MYKEY":1}"#, &Reading::default()) else { panic!() };
    assert_eq!((faults[0].code, &*faults[0].path), (FaultCode::AmbiguousKey, "/MYKEY"));
    assert_eq!(schema.align(r#"{"a":1,"a":1}"#, &Reading::default()).unwrap().text, r#"{"a":1}"#);
    for text in ["", "nonsense", "[1,2]", "{\"a\":", "{\"a\":1}{\"a\":2}"] {
        assert!(
            matches!(schema.align(text, &Reading::default()), Err(Misfit::Unreadable(_))) || text.is_empty(),
            "{text}"
        );
    }
}

#[test]
fn limits_hold() {
    let schema = member(r#"{"type":"array","items":{"type":"integer"}}"#, true);
    let reading = Reading { max_args_bytes: 10, ..Reading::default() };
    assert!(schema.align(r#"{"v":[1]}"#, &reading).is_ok());
    let Err(Misfit::Unreadable(fault)) = schema.align(r#"{"v":[1,2]}"#, &reading) else { panic!() };
    assert_eq!(fault.code, FaultCode::ArgsTooLarge);
    // Digits that are written out count as well.
    let Err(Misfit::Unreadable(fault)) = schema.align(r#"{"v":[1e9]}"#, &Reading { max_args_bytes: 11, ..reading })
    else {
        panic!()
    };
    assert_eq!(fault.code, FaultCode::ArgsTooLarge);
    let many = format!(r#"{{"v":[{}]}}"#, vec!["true"; 1000].join(","));
    let Err(Misfit::Invalid { violations, .. }) = schema.align(&many, &Reading::default()) else { panic!() };
    assert!(violations.more && violations.list.len() == toolprism_repair::Violations::MAX);
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_string()),
        any::<bool>().prop_map(|b| b.to_string()),
        (-3i64..1000).prop_map(|n| n.to_string()),
        (0u8..30).prop_map(|n| format!("{n}.0")),
        (0u8..9).prop_map(|n| format!("{n}e2")),
        "[a-z0-9 .]{0,4}".prop_map(|s| format!("{s:?}")),
        Just("\"yes\"".to_string()),
        Just("\"42\"".to_string()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["integer", "number", "boolean", "string", "null", "object", "array"])
            .prop_map(|of| format!(r#"{{"type":"{of}"}}"#)),
        Just(r#"{"enum":["a","b",1]}"#.to_string()),
        Just("true".to_string()),
        Just(r#"{"type":"integer","minimum":0,"maximum":255}"#.to_string()),
        Just(r#"{"type":["boolean","null"]}"#.to_string()),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| format!(r#"{{"type":"array","items":{items}}}"#)),
            (prop::collection::btree_map("[abc]", inner.clone(), 0..3), any::<bool>(), any::<bool>()).prop_map(
                |(members, required, closed)| {
                    let names: Vec<_> = members.keys().filter(|_| required).map(|key| format!("{key:?}")).collect();
                    let members: Vec<_> = members.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
                    let closed = if closed { r#","additionalProperties":false"# } else { "" };
                    format!(
                        r#"{{"type":"object","properties":{{{}}},"required":[{}]{closed}}}"#,
                        members.join(","),
                        names.join(",")
                    )
                }
            ),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| format!(r#"{{"anyOf":[{}]}}"#, all.join(","))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| format!(r#"{{"oneOf":[{}]}}"#, all.join(","))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| format!(r#"{{"allOf":[{}]}}"#, all.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_aligned_is_valid_and_stays(of in any_schema(), value in any_json()) {
        let schema = member(&of, true);
        let text = format!(r#"{{"v":{value}}}"#);
        let before = schema.check(&text).unwrap();
        match schema.align(&text, &Reading::default()) {
            Ok(aligned) => {
                prop_assert_eq!(schema.check(&aligned.text).unwrap().list.len(), 0, "{} by {}", aligned.text, of);
                let again = schema.align(&aligned.text, &Reading::default()).unwrap();
                prop_assert_eq!(&again.text, &aligned.text);
                prop_assert!(again.changes.is_empty());
                if before.list.is_empty() {
                    prop_assert!(aligned.changes.iter().all(|change| change.code == Code::WholeNumber), "{} by {}", text, of);
                }
                if aligned.changes.is_empty() {
                    prop_assert_eq!(&*aligned.text, &*text);
                }
            }
            Err(Misfit::Invalid { violations, .. }) => {
                prop_assert!(!before.list.is_empty(), "{} is valid by {}", text, of);
                prop_assert!(!violations.list.is_empty());
            }
            Err(Misfit::Unreadable(fault)) => prop_assert!(false, "{} by {}: {:?}", text, of, fault),
        }
    }

    #[test]
    fn no_text_panics(of in any_schema(), text in "[ -~\u{e9}\n]{0,40}", json in any_json(), cut in 0usize..60) {
        let schema = member(&of, true);
        let _ = schema.align(&text, &Reading::default());
        let whole = format!(r#"{{"v":{json}}}"#);
        let cut = whole.get(..cut).unwrap_or(&whole);
        if let Ok(aligned) = schema.align(cut, &Reading::default()) {
            prop_assert_eq!(schema.check(&aligned.text).unwrap().list.len(), 0);
        }
    }
}
