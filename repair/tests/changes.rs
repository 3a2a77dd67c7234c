//! What a judgement says of its changes and faults: code, path and byte offset.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use toolprism_repair::{
    Action, Allowed, Code, CompletedCall, Engine, Judgement, Meta, Options, Severity, ToolDefinition,
};

const SCHEMA: &str = r#"{"type": "object", "properties": {"path": {"type": "string"}, "max_lines": {"type": "integer"},
    "tags": {"type": "array", "items": {"type": "string"}}, "mode": {"enum": ["fast", "slow"]},
    "opts": {"type": "object", "properties": {"deep": {"type": "boolean"}}}}, "additionalProperties": false}"#;

fn judge_by(options: Options, args: &str) -> Judgement {
    let tools = [ToolDefinition::new("read", SCHEMA)];
    let call = CompletedCall { tool_call_id: "c", tool_name: "read", args_json: args.as_bytes() };
    Engine::new(options).judge(&call, &tools, &Meta::default())
}

fn judge(args: &str) -> Judgement {
    judge_by(Options::guarded(), args)
}

#[test]
fn each_change_has_its_place() {
    for (args, changes) in [
        (r#"{"path":"a",}"#, &[("trailing_comma", "", 12)][..]),
        (r#"{"tags":["a","b",]}"#, &[("trailing_comma", "/tags", 17)]),
        (r#"{"tags":["a",'b']}"#, &[("single_quotes", "/tags/1", 13)]),
        ("{\"opts\":{\"deep\": // x\n True}}", &[("comment", "/opts", 17), ("python_literal", "/opts/deep", 23)]),
        (r#"{"path":"a" "max_lines":5}"#, &[("missing_comma", "", 12)]),
        (r#"{"maxLines":"5"}"#, &[("key_renamed", "/max_lines", 1), ("string_to_number", "/max_lines", 12)]),
        (r#"  {"tags":"a"}"#, &[("wrap_single", "/tags", 10)]),
        (r#"{"opts":"{\"deep\":true}"}"#, &[("string_to_object", "/opts", 8)]),
        (r#"{"mode":" FAST"}"#, &[("enum_case", "/mode", 8)]),
        ("```json\n{\"path\":'a'}\n```", &[("code_fence", "", 0), ("single_quotes", "/path", 16)]),
        (
            r#"{'path':'a', maxLines: "7"}"#,
            &[
                ("single_quotes", "/path", 1),
                ("single_quotes", "/path", 8),
                ("unquoted_key", "/maxLines", 13),
                ("key_renamed", "/max_lines", 13),
                ("string_to_number", "/max_lines", 23),
            ],
        ),
        (r#"{"path":"a","path":"a"}"#, &[("duplicate_key", "/path", 12)]),
        (r#"{"path":"a","max_lines":null}"#, &[("null_optional_dropped", "/max_lines", 12)]),
        (r#"{"path":"a"}}"#, &[("extra_closer", "", 12)]),
        (r#"{"opts":{"deep":true}"#, &[("closed_brackets", "", 21)]),
        (r#"{"input":{"path":"a"}}"#, &[("envelope", "", 0)]),
        (r#"[{"path":["a"]}]"#, &[("single_item_array", "", 0), ("unwrap_single", "/path", 9)]),
    ] {
        let judged = judge(args);
        let found: Vec<_> = judged.changes.iter().map(|c| (c.code.as_str(), c.path.as_str(), c.offset)).collect();
        assert_eq!(found, changes, "{args} {:?}", judged.fault);
    }
}

#[test]
fn each_fault_has_its_place() {
    for (args, fault) in [
        (r#"{"path":"a","max_lines":5.5}"#, ("type_mismatch", "/max_lines", 24)),
        (r#"{'path':'a','mode':"fas"}"#, ("enum_mismatch", "/mode", 19)),
        (r#"{"opts":{"deep":"ye"}}"#, ("type_mismatch", "/opts/deep", 16)),
        (r#"{"path":"a","other":1}"#, ("unexpected_key", "/other", 12)),
        (r#"{"tags":["a",,"b"]}"#, ("ambiguous_hole", "/tags/1", 13)),
        (r#"{"tags":["a","b"#, ("truncated_string", "/tags/1", 15)),
        (r#"{"path":"a","path":"b"}"#, ("duplicate_key_conflict", "/path", 12)),
        (r#"{"opts":{"deep":true,"path":"a"}"#, ("misplaced_member", "", 21)),
    ] {
        let judged = judge(args);
        let fault_found = judged.fault.expect(args);
        assert_eq!((fault_found.code.as_str(), fault_found.path.as_str(), fault_found.offset), fault, "{args}");
        assert_eq!((judged.args, judged.changes.len()), (None, 0), "{args}");
        assert!(!format!("{fault_found} {fault_found:?}").contains("\"a\""));
    }
}

#[test]
fn a_change_that_is_switched_off_is_refused_and_named() {
    for (code, args) in [
        (Code::TrailingComma, r#"{"path":"a",}"#),
        (Code::ClosedBrackets, r#"{"path":"a""#),
        (Code::StringToNumber, r#"{"max_lines":"5"}"#),
        (Code::KeyRenamed, r#"{"maxLines":5}"#),
        (Code::CodeFence, "```\n{\"path\":\"a\"}\n```"),
    ] {
        let options = Options { allowed: Allowed::ALL.without(code), ..Options::guarded() };
        let judged = judge_by(options, args);
        assert_eq!(judged.action, Action::Reject, "{args}");
        assert_eq!(judged.fault.unwrap().code, toolprism_repair::FaultCode::ChangeDisabled(code), "{args}");
        assert_eq!(judge(args).action, Action::Rewrite, "{args}");
    }
}

#[test]
fn scalars_and_shapes_have_switches_of_their_own() {
    let without = |severity| Options { allowed: Allowed::ALL.without_all(severity), ..Options::guarded() };
    let (scalar, shape) = (r#"{"max_lines":"5"}"#, r#"{"tags":"a"}"#);
    assert_eq!(judge_by(without(Severity::Scalar), scalar).reason.as_str(), "scalar_coercion_disabled");
    assert_eq!(judge_by(without(Severity::Scalar), shape).action, Action::Rewrite);
    assert_eq!(judge_by(without(Severity::Shape), shape).reason.as_str(), "unrepairable");
    assert_eq!(judge_by(without(Severity::Shape), scalar).action, Action::Rewrite);
}

#[test]
fn a_schema_that_cannot_be_used_is_refused_with_its_place() {
    let tool = ToolDefinition::new("t", r#"{"properties":{"a":{"$ref":"http://x/y"}}}"#);
    let call = CompletedCall { tool_call_id: "c", tool_name: "t", args_json: b"{}" };
    let engine = Engine::default();
    let judged = engine.judge(&call, std::slice::from_ref(&tool), &Meta::default());
    let schema = *judged.fault.unwrap().schema.unwrap();
    assert_eq!((judged.reason.as_str(), schema.path.as_str()), ("schema_invalid", "/properties/a/$ref"));
    assert_eq!(engine.check_schema(&tool), Err(schema));
    assert_eq!(engine.check_schema(&ToolDefinition::new("t", SCHEMA)), Ok(()));
    assert_eq!(engine.check_schema(&ToolDefinition::new("t", "")), Ok(()));
}

#[test]
fn a_result_that_grew_beyond_the_limit_is_refused() {
    let args = format!("{{\"path\":\"{}\"}}", "\u{1}".repeat(100));
    let by = |max_args_bytes| judge_by(Options { max_args_bytes, ..Options::guarded() }, &args);
    assert_eq!(by(args.len() - 1).reason.as_str(), "args_too_large");
    assert_eq!(by(args.len() + 499).reason.as_str(), "args_too_large");
    assert_eq!(by(args.len() + 500).action, Action::Rewrite);
}

/// Were the time to grow with the square of the text, this would take hours.
#[test]
fn long_hostile_text_comes_to_an_answer() {
    let open = "{\"a\":[";
    let long = |piece: &str| piece.repeat(4_000_000 / piece.len());
    for args in [
        long("["),
        long("{\"a\":"),
        open.to_owned() + &long("True,"),
        open.to_owned() + &long("1,"),
        open.to_owned() + &long("\"// "),
        open.to_owned() + &long("\"/* "),
        open.to_owned() + &long("\"x\" "),
        open.to_owned() + &long("'"),
        open.to_owned() + &long("/*x*/"),
        open.to_owned() + &long("a/"),
        long("{x}"),
        long("<|a|>"),
        long("`"),
        long("word: "),
        long("\\"),
        long("\"{\\\""),
        "{\"a\":\"".to_owned() + &long("\"b\" "),
        "{\"a\":\"".to_owned() + &long("C:\\d "),
        "{\"a\":1}".to_owned() + &long("{}"),
        "{\"a\":1}".to_owned() + &long("}"),
    ] {
        let judged = judge_by(Options { max_args_bytes: 8 << 20, ..Options::guarded() }, &args);
        assert_eq!(judged.action, Action::Reject, "{}...", args.get(..20).unwrap());
    }
}
