//! The `reference` profile beyond its conformance cases: where changes are told to be, and work that must not grow. Where it
//! did, these tests would not end.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::AtomicBool;

use toolprism_repair::{Action, Code, CompletedCall, Engine, Judgement, Meta, Options, Reason, ToolDefinition};

/// Judges arguments for a tool `t` with this schema.
fn judge(engine: &Engine, args: &str, schema: &str) -> Judgement {
    let tools = [ToolDefinition::new("t", schema)];
    let call = CompletedCall { tool_call_id: "c", tool_name: "t", args_json: args.as_bytes() };
    engine.judge(&call, &tools, &Meta::default())
}

fn engine() -> Engine {
    Engine::new(Options::reference())
}

#[test]
fn a_flood_of_brackets_is_refused_at_once() {
    for open in ["[", "{\"a\":", "[{\"a\":["] {
        let args = open.repeat(10_000_000 / open.len());
        for (max_args_bytes, reason) in [(8 << 20, Reason::ArgsTooLarge), (16 << 20, Reason::Unrepairable)] {
            let engine = Engine::new(Options { max_args_bytes, ..Options::reference() });
            let judged = judge(&engine, &args, r#"{"type":"object"}"#);
            assert_eq!((judged.action, judged.reason), (Action::Reject, reason));
        }
    }
}

#[test]
fn huge_exponents_cost_no_more_than_their_digits() {
    let args = format!("[{}]", vec!["1e999999"; 1_000].join(","));
    let judged = judge(&engine(), &args, r#"{"type":"array","items":{"type":"integer"}}"#);
    assert_eq!(judged.action, Action::Pass);
}

#[test]
fn definitions_that_double_are_looked_at_once() {
    let levels: Vec<String> = (0..31)
        .map(|i| {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", i + 1);
            format!(r#""d{i}":{{"type":"object","properties":{{"a":{next},"b":{next}}}}}"#)
        })
        .collect();
    let schema =
        format!(r#"{{"$defs":{{{},"d31":{{"type":"integer"}}}},"$ref":"{}"}}"#, levels.join(","), "#/$defs/d0");
    let judged = judge(&engine(), r#"{"a":{"b":{}}}"#, &schema);
    assert_eq!(judged.action, Action::Pass, "{judged:?}");
}

#[test]
fn references_in_a_circle_end_the_repair() {
    let circle = r##"{"type":"object","required":["x"],"properties":{"x":{"default":1},"a":{"$ref":"#/$defs/a"}},
        "$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##;
    for args in [r#"{"a":1}"#, "{}", r#"{"a":"#] {
        let judged = judge(&engine(), args, circle);
        assert_eq!((judged.action, judged.reason), (Action::Reject, Reason::Unrepairable), "{args}");
    }
}

#[test]
fn a_call_that_nobody_waits_for_is_not_judged() {
    let cancel = AtomicBool::new(true);
    let meta = Meta { cancel: Some(&cancel), ..Meta::default() };
    let call = CompletedCall { tool_call_id: "c", tool_name: "nobody", args_json: &[b'['; 70_000] };
    assert_eq!(engine().judge(&call, &[], &meta).reason, Reason::Canceled);
}

#[test]
fn longer_limits_are_kept_to() {
    let engine = Engine::new(Options { max_args_bytes: 9, ..Options::reference() });
    for (args, reason) in [
        (r#"{"a":"xyz"#, Reason::Unrepairable),
        (r#"{"a":"x"#, Reason::SyntaxRepaired),
        (r#"{"a":"xyz"}"#, Reason::ArgsTooLarge),
    ] {
        assert_eq!(judge(&engine, args, "").reason, reason, "{args}");
    }
}

/// The changes of a judgement, each as code, path and offset.
fn changes(args: &str, schema: &str) -> Vec<(Code, String, usize)> {
    let judged = judge(&engine(), args, schema);
    judged.changes.into_iter().map(|change| (change.code, change.path, change.offset)).collect()
}

#[test]
fn changes_are_told_with_their_places() {
    let schema = r#"{"type":"object","additionalProperties":false,"required":["file_path","m"],"properties":{
        "file_path":{"type":"string"},"m":{"const":1},"d":{"default":2},"e":{"enum":[3]},
        "xs":{"type":"array","items":{"properties":{"a/b":{"type":"integer"}},"required":["a/b"]}}}}"#;
    let args = r#"{"filePath":"x","junk":1,"xs":[{"A/B":1}]}"#;
    let expected = [
        (Code::KeyRenamed, "/file_path", 1),
        (Code::PropertyRemoved, "/junk", 16),
        (Code::KeyRenamed, "/xs/0/a~1b", 32),
        (Code::ConstInserted, "/m", 41),
        (Code::DefaultInserted, "/d", 41),
        (Code::EnumInserted, "/e", 41),
    ];
    assert_eq!(changes(args, schema), expected.map(|(code, path, offset)| (code, path.into(), offset)));
}

#[test]
fn changes_of_the_text_are_told_with_their_places() {
    let open = r#"{"properties":{"m":{"const":"k"}}}"#;
    for (args, code, path, offset) in [
        (r#"{"a":[{"b":"x"#, Code::TextCompleted, "/a/0/b", 13),
        (r#"{"a":12"#, Code::TextCompleted, "/a", 7),
        (r#"{"a":true"#, Code::TextCompleted, "", 9),
        (r#"{"a":[1 , "#, Code::TrailingComma, "/a", 8),
        (r#"{"a":1,"m": "#, Code::ConstInserted, "/m", 12),
    ] {
        assert_eq!(changes(args, open), [(code, path.into(), offset)], "{args}");
    }
    let closed = r#"{"properties":{"a":{},"d":{"default":1}},"required":["d"]}"#;
    let expected = [(Code::TextCompleted, "", 6), (Code::DefaultInserted, "/d", 6)];
    assert_eq!(changes(r#"{"a":1"#, closed), expected.map(|(code, path, offset)| (code, path.into(), offset)));
}

#[test]
fn another_name_is_a_change_of_its_own() {
    let tools = [ToolDefinition::new("get_weather", "")];
    let call = CompletedCall { tool_call_id: "c", tool_name: "getWeather", args_json: br#"{"a":"x"# };
    let judged = engine().judge(&call, &tools, &Meta::default());
    assert_eq!(judged.tool_name.as_deref(), Some("get_weather"));
    assert_eq!(judged.reason, Reason::SyntaxRepaired);
    assert_eq!(
        judged.changes.iter().map(|change| change.code).collect::<Vec<_>>(),
        [Code::NameCase, Code::TextCompleted]
    );
}

#[test]
fn what_a_schema_inserts_many_times_is_bounded() {
    let schema = format!(
        r#"{{"type":"array","items":{{"required":["k"],"properties":{{"k":{{"default":"{}"}}}}}}}}"#,
        "x".repeat(200_000)
    );
    let args = format!("[{}{{}}]", "{},".repeat(4_000));
    let judged = judge(&engine(), &args, &schema);
    assert_eq!((judged.action, judged.reason), (Action::Reject, Reason::ArgsTooLarge));
}

#[test]
fn many_objects_with_many_absent_properties_are_soon_walked() {
    let properties: Vec<String> = (0..1_000).map(|i| format!(r#""p{i}":{{"type":"string"}}"#)).collect();
    let schema = format!(
        r#"{{"type":"array","items":{{"additionalProperties":false,"properties":{{{}}}}}}}"#,
        properties.join(",")
    );
    let args = format!("[{}{{\"junk\":1}}]", "{\"P_1\":\"\"},".repeat(2_000));
    let engine = Engine::new(Options { max_args_bytes: 1 << 20, ..Options::reference() });
    let judged = judge(&engine, &args, &schema);
    assert_eq!((judged.action, judged.changes.len()), (Action::Rewrite, 2_001));
}
