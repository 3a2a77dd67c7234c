//! `toolprism finalize`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use serde_json::{Value, json};

/// A tool with one property that it requires.
fn read_file() -> Value {
    json!({"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}},
        "required": ["path"], "additionalProperties": false}})
}

fn call(name: &str, args: &str) -> Value {
    json!({"tool_name": name, "args": args, "tools": [read_file()]})
}

/// The answers to these lines, all of which can be read.
fn answers(options: &[&str], lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let run = Folder::new().run_with(&[&["finalize"], options].concat(), lines.join("\n"));
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let answers = run.lines();
    assert_eq!(answers.len(), lines.len());
    answers
}

fn answer(options: &[&str], line: Value) -> Value {
    answers(options, &[line]).remove(0)
}

const REFERENCE: &[&str] = &["--profile", "reference"];

#[test]
fn a_valid_call_passes_by_either_profile() {
    for profile in ["guarded", "reference"] {
        let line = call("read_file", r#"{"path":"a"}"#).to_string();
        let run = Folder::new().run_with(&["finalize", "--profile", profile, "-"], line);
        assert_eq!(
            run.fine(),
            r#"{"outcome":"pass","tool_name":"read_file","args":null,"reason":"valid_pass_through","changes":[]}"#
                .to_owned()
                + "\n"
        );
    }
}

#[test]
fn the_short_form_stands_for_a_call_of_one_tool() {
    let schema = read_file()["parameters"].clone();
    let found = answers(
        &[],
        &[
            json!({"input": "{}"}),
            json!({"input": "{\"path\":\"a\"}", "schema": schema, "tool": "read_file", "kind": "valid", "id": "ignored"}),
            json!({"input": "read_file", "kind": "tool_name", "tools": ["bash", "read_file"], "stop": null}),
        ],
    );
    let names: Vec<_> = found.iter().map(|answer| answer["tool_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "read_file", "read_file"]);
    assert!(found.iter().all(|answer| answer["outcome"] == "pass"), "{found:?}");
}

#[test]
fn a_mended_call_comes_with_its_changes() {
    let found = answer(&[], call("read_file", r#"{"path":"a",}"#));
    assert_eq!((&found["outcome"], &found["tool_name"]), (&json!("rewrite"), &json!("read_file")));
    assert_eq!((&found["args"], &found["reason"]), (&json!(r#"{"path":"a"}"#), &json!("syntax_repaired")));
    let change = &found["changes"][0];
    assert_eq!((&change["code"], &change["severity"]), (&json!("trailing_comma"), &json!("lossless")));
    assert!(change["path"].is_string() && change["offset"].is_u64(), "{change}");
    assert_eq!(found.get("fault"), None);
}

#[test]
fn another_spelling_of_the_name_leaves_the_arguments() {
    for profile in ["guarded", "reference"] {
        let found = answer(&["--profile", profile], call("Read-File", " {\"path\" : \"a\"}"));
        assert_eq!((&found["outcome"], &found["tool_name"]), (&json!("rewrite"), &json!("read_file")));
        assert_eq!(found["args"], " {\"path\" : \"a\"}");
        assert_eq!(found["reason"], "tool_name_normalized");
    }
}

#[test]
fn what_cannot_be_mended_is_refused_in_the_words_of_the_profile() {
    let cut = call("read_file", r#"{"path":"#);
    let guarded = answer(&[], cut.clone());
    assert_eq!((&guarded["outcome"], &guarded["args"]), (&json!("reject"), &Value::Null));
    assert!(guarded["fault"]["code"].is_string() && guarded["fault"]["offset"].is_u64(), "{guarded}");
    let reference = answer(REFERENCE, cut);
    assert_eq!(
        reference,
        json!({"outcome": "unrepairable", "tool_name": "read_file", "args": null, "reason": "unrepairable", "changes": []})
    );
}

#[test]
fn only_the_reference_completes_what_was_cut_off() {
    let cut = call("read_file", r#"{"path":"a"#);
    assert_eq!(answer(&[], cut.clone())["outcome"], "reject");
    let reference = answer(REFERENCE, cut);
    assert_eq!((&reference["outcome"], &reference["args"]), (&json!("rewrite"), &json!(r#"{"path":"a"}"#)));
}

#[test]
fn a_change_can_be_switched_off() {
    let comma = call("read_file", r#"{"path":"a",}"#);
    assert_eq!(answer(&["--without", "bom"], comma.clone())["outcome"], "rewrite");
    assert_eq!(answer(&["--without", "bom", "--without", "trailing_comma"], comma)["outcome"], "reject");
}

#[test]
fn arguments_that_are_no_text_are_base64() {
    // {"path":"<a byte that is no UTF-8>"}
    let mut line = call("read_file", "");
    line.as_object_mut().unwrap().remove("args");
    line["args_b64"] = json!("eyJwYXRoIjoi/yJ9");
    let found = answer(REFERENCE, line);
    assert_eq!((&found["outcome"], &found["reason"]), (&json!("unrepairable"), &json!("unrepairable")));
}

#[test]
fn the_schema_is_taken_as_it_is_spelt() {
    let tool = |parameters: &str| {
        format!(r#"{{"tool_name":"t","args":"{{\"m\":","tools":[{{"name":"t","parameters":{parameters}}}]}}"#)
    };
    let lines = [
        tool(r#"{ "properties" : {"m": {"default": 1.50}} }"#),
        tool(r#"{"type":"object","type":"object"}"#),
        r#"{"tool_name":"t","args":"{}","tools":[{"name":"t","parameters_text":"{\"a\":"}]}"#.to_owned(),
        r#"{"tool_name":"t","args":"{\"m\":","tools":[{"name":"t","parameters_b64":"eyJwcm9wZXJ0aWVzIjp7Im0iOnsiY29uc3QiOjF9fX0="}]}"#
            .to_owned(),
    ];
    let found = Folder::new().run_with(&["finalize", "--profile", "reference"], lines.join("\n")).lines();
    let told: Vec<_> = found.iter().map(|answer| (&answer["reason"], &answer["args"])).collect();
    assert_eq!(told[0], (&json!("default_inserted"), &json!(r#"{"m":1.50}"#)));
    assert_eq!(told[1], (&json!("schema_invalid"), &Value::Null));
    assert_eq!(told[2], (&json!("schema_invalid"), &Value::Null));
    assert_eq!(told[3], (&json!("const_inserted"), &json!(r#"{"m":1}"#)));
}

#[test]
fn limits_are_those_of_the_line_before_those_of_the_command() {
    let mut line = call("read_file", r#"{"path":"a"}"#);
    assert_eq!(answer(&["--profile", "reference", "--max-args-bytes", "5"], line.clone())["reason"], "args_too_large");
    line["max_args_bytes"] = json!(12);
    assert_eq!(answer(&["--profile", "reference", "--max-args-bytes", "5"], line.clone())["outcome"], "pass");
    line["schema_limits"] = json!({"max_schema_bytes": 8});
    assert_eq!(answer(REFERENCE, line)["reason"], "schema_invalid");
}

#[test]
fn the_reference_is_told_what_the_caller_knows() {
    let twice = json!([{"name": "run", "parameters": {"properties": {"a": {"type": "integer"}}}},
        {"name": "run", "parameters": {"properties": {"a": {"type": "string"}}}}]);
    let mut line = json!({"tool_name": "run", "args": "{\"a\":1}", "tools": twice});
    assert_eq!(answer(REFERENCE, line.clone())["outcome"], "pass");
    line["no_exact_tool"] = json!(true);
    assert_eq!(answer(REFERENCE, line.clone())["reason"], "scalar_coercion_disabled");
    line["canceled"] = json!(true);
    assert_eq!(answer(REFERENCE, line)["reason"], "canceled");
}

#[test]
fn a_stop_for_length_is_heeded() {
    let cut = |stop: Value| json!({"input": "{\"list\":[\"a\"", "stop": stop});
    assert_eq!(answer(&[], cut(Value::Null))["outcome"], "rewrite");
    assert_eq!(answer(&[], cut(json!("length")))["outcome"], "reject");
}

#[test]
fn a_bad_line_keeps_its_place_and_says_what_to_do() {
    let folder = Folder::new();
    let good = r#"{"input":"{}"}"#;
    let bad = [
        (r#"{"input" "{}"}"#, "not_json", 10, "expected ':'"),
        ("[1]", "not_an_object", 1, "no object"),
        (r#"{"args":"{}","tools":[]}"#, "missing_member", 1, "\"tool_name\" is missing: give"),
        (r#"{"tool_name":"t","tools":[]}"#, "missing_member", 1, "\"args\" is missing: give"),
        (r#"{"tool_name":"t","args":"{}"}"#, "missing_member", 1, "\"tools\" is missing: give"),
        (r#"{"tool_name":"t","args":{},"tools":[]}"#, "wrong_type", 25, "\"args\" must be a string"),
        (r#"{"tool_name":"t","args":"","args_b64":"","tools":[]}"#, "wrong_type", 39, "give one"),
        (r#"{"tool_name":"t","args_b64":"Zg","tools":[]}"#, "wrong_type", 29, "base64, with padding"),
        (r#"{"tool_name":"t","args":"","tools":{}}"#, "wrong_type", 36, "must be a list"),
        (r#"{"tool_name":"t","args":"","tools":[1]}"#, "wrong_type", 37, "a tool must be its name"),
        (
            r#"{"tool_name":"t","args":"","tools":[{"name":"t","parameters":{},"parameters_text":""}]}"#,
            "wrong_type",
            37,
            "give one",
        ),
        (r#"{"input":"","max_args_bytes":-1}"#, "wrong_type", 30, "0 or more"),
        (r#"{"input":"","max_args_bytes":1.5}"#, "wrong_type", 30, "0 or more"),
        (r#"{"input":"","schema_limits":{"max_dept":1}}"#, "wrong_type", 41, "known are: max_schema_bytes"),
        (r#"{"input":"","canceled":1}"#, "wrong_type", 24, "true or false"),
        (r#"{"input":"","tool_name":"t"}"#, "wrong_type", 25, "use \"tool\" alone"),
        (r#"{"input":"","schema":{},"tools":["t"]}"#, "wrong_type", 22, "it is \"parameters\""),
        (r#"{"input":5}"#, "wrong_type", 10, "\"input\" must be a string"),
    ];
    let mut text = String::new();
    for (line, ..) in bad {
        text += &format!("{good}\n\n{line}\n");
    }
    let run = folder.write("in.jsonl", text).run(&["finalize", "in.jsonl"]);
    assert_eq!(run.code, 1);
    let (found, said) = (run.lines(), run.err.lines().collect::<Vec<_>>());
    assert_eq!((found.len(), said.len()), (2 * bad.len(), bad.len()));
    for (i, (line, kind, column, message)) in bad.iter().enumerate() {
        assert_eq!(found[2 * i]["outcome"], "pass");
        let error = &found[2 * i + 1]["error"];
        assert_eq!((&error["kind"], &error["column"]), (&json!(kind), &json!(column)), "{line}: {error}");
        assert_eq!(error["line"], json!(3 * i + 3));
        assert!(error["message"].as_str().unwrap().contains(message), "{line}: {error}");
        let place = format!("finalize: in.jsonl: line {}, column {column}: ", 3 * i + 3);
        assert_eq!(said[i], place + error["message"].as_str().unwrap());
    }
}

#[test]
fn wrong_usage_says_what_is_right() {
    let folder = Folder::new();
    let run = folder.run(&["finalize", "--without", "nonsense"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("known are: bom, "), "{}", run.err);
    let run = folder.run(&["finalize", "--profile", "reference", "--without", "bom"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("--profile guarded"), "{}", run.err);
    let run = folder.run(&["finalize", "missing.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.contains("missing.jsonl"), "{}", run.err);
}
