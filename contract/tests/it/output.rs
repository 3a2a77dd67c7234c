//! Outputs for the machine, for the model and for people.

use serde::Serialize;
use serde_json::{Value, json};
use toolprism::output::Bounds;
use toolprism_contract::{ContentBlock, MAX_OUTPUT_DEPTH, Output, ToolContent, ToolOutput, Truncation};

fn json_of<T: ToolOutput>(output: &T) -> Value {
    serde_json::from_str(Output::of(output).unwrap().json()).unwrap()
}

#[test]
fn json_is_tagged_with_its_type() {
    #[derive(Serialize)]
    enum Edit {
        Applied { count: u32 },
        NotFound,
    }
    impl ToolOutput for Edit {
        const TYPE: &'static str = "Edit";
    }
    #[derive(Serialize)]
    struct Typed {
        r#type: &'static str,
    }
    impl ToolOutput for Typed {
        const TYPE: &'static str = "Typed";
    }
    #[derive(Serialize)]
    struct Unit {}
    impl ToolOutput for Unit {
        const TYPE: &'static str = "Unit";
    }
    assert_eq!(json_of(&Edit::Applied { count: 1 }), json!({"type": "Edit", "Applied": {"count": 1}}));
    assert_eq!(json_of(&Edit::NotFound), json!({"type": "Edit", "value": "NotFound"}));
    assert_eq!(json_of(&Typed { r#type: "own" }), json!({"type": "Typed", "value": {"type": "own"}}));
    assert_eq!(json_of(&Unit {}), json!({"type": "Unit"}));
    assert_eq!(json_of(&"x".to_owned()), json!({"type": "Text", "text": "x"}));
    assert_eq!(json_of(&json!({"a": 1})), json!({"type": "Dynamic", "value": {"a": 1}}));
    assert_eq!(json_of(&()), json!({"type": "Done", "value": null}));
    assert_eq!(Output::of(&Unit {}).unwrap().prompt(), "{}");
}

#[test]
fn the_model_gets_text_as_it_is_and_numbers_exactly() {
    let prompt = |value: &Value| Output::of(value).unwrap().prompt().to_owned();
    assert_eq!(prompt(&json!("a\nb")), "a\nb");
    assert_eq!(prompt(&json!({"n": u64::MAX})), r#"{"n":18446744073709551615}"#);
    assert_eq!(Output::of(&String::new()).unwrap().prompt(), "");
    assert_eq!(Output::of(&()).unwrap().prompt(), "done");
}

#[test]
fn json_text_of_a_tools_own_stays_on_one_line() {
    #[derive(Serialize)]
    struct Passed(Box<serde_json::value::RawValue>);
    impl ToolOutput for Passed {
        const TYPE: &'static str = "Passed";
    }
    let raw = serde_json::value::RawValue::from_string("{\r\n  \"a\\n\": 1.0\n}".into()).unwrap();
    assert_eq!(Output::of(&Passed(raw)).unwrap().json(), r#"{"type":"Passed",  "a\n": 1.0}"#);
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |value, _| Value::Array(vec![value]));
    assert!(Output::of(&nested(MAX_OUTPUT_DEPTH)).is_ok());
    assert!(Output::of(&nested(MAX_OUTPUT_DEPTH + 1)).is_err());
    let wide = Value::Array(vec![json!([{}]); 1000]);
    assert!(Output::of(&wide).is_ok(), "depth is no count");
}

#[test]
fn content_is_what_acp_has() {
    let items = [
        ToolContent::from(ContentBlock::Image { data: "AA==".into(), mime_type: "image/png".into() }),
        ToolContent::Diff { path: "/a".into(), old_text: None, new_text: "b".into() },
    ];
    assert_eq!(
        serde_json::to_value(items).unwrap(),
        json!([
            {"type": "content", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}},
            {"type": "diff", "path": "/a", "newText": "b"},
        ])
    );
    let read: ContentBlock = serde_json::from_value(json!({"type": "image", "data": "", "mime_type": "x"})).unwrap();
    assert_eq!(read, ContentBlock::Image { data: String::new(), mime_type: "x".into() });
}

#[test]
fn truncation_keeps_both_ends_and_counts_what_is_between() {
    let cut = Truncation::Bounds(Bounds { head_lines: 2, head_bytes: 100, tail_lines: 1, tail_bytes: 100 });
    assert_eq!(cut.apply("1\n2\n3\n4\n5\n"), "1\n2\n[2 lines, 4 bytes left out]\n5\n");
    assert_eq!(cut.apply("1\n2\n3\n"), "1\n2\n3\n");
    assert_eq!(cut.apply(""), "");
    let bytes = Truncation::Bounds(Bounds { head_lines: 9, head_bytes: 4, tail_lines: 9, tail_bytes: 4 });
    assert_eq!(bytes.apply("漢漢漢漢"), "漢\n[0 lines, 6 bytes left out]\n漢");
    let usual = Truncation::default();
    assert_eq!(usual.apply("a\0b"), "[binary, 3 bytes]", "what is no text is not shown, however short it is");
    let text = "x".repeat(40 << 10);
    assert_eq!(usual.apply(&text), text);
    let text = "x".repeat((40 << 10) + 1);
    assert!(usual.apply(&text).contains("[0 lines, 1 bytes left out]"));
}
