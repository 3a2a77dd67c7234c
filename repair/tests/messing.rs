//! Calls that are messed up on purpose: what is undone must be exactly what was done.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use serde_json::{Map, Value};
use toolprism_repair::{Action, CompletedCall, Engine, Judgement, Meta, StopReason, ToolDefinition};

fn judge(args: &str, stop: StopReason) -> Judgement {
    let tools = [ToolDefinition::new("t", "")];
    let call = CompletedCall { tool_call_id: "c", tool_name: "t", args_json: args.as_bytes() };
    Engine::default().judge(&call, &tools, &Meta { stop, ..Meta::default() })
}

/// Strings with what makes strings hard.
fn text() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let pieces = prop::sample::select(&[
        "a", "b c", "\n", "\t", "\"", "'", "\\", "{", "}", "[", "]", ",", ":", "```", "// x", "/* y */", "#", "é", "😀",
        "\u{2028}", "<|call|>", "None", "5", "C:\\dir", "\\d+", "=", "`", "“", "${x}", "...", "\u{7}",
    ][..]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..4).prop_map(object),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(&["path", "limit", "a_b", "x", "k1", "old_string"][..]).prop_map(String::from)
}

fn object(members: Vec<(String, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Map<_, _>>())
}

fn arguments() -> impl Strategy<Value = Value> {
    prop::collection::vec((key(), value()), 1..5).prop_map(object)
}

/// How to write a value otherwise than JSON has it, where that leaves one reading.
#[derive(Clone, Copy, Debug)]
struct Mess {
    single_quotes: bool,
    bare_keys: bool,
    python: bool,
    trailing_commas: bool,
    comments: bool,
    raw_controls: bool,
    odd_space: bool,
}

fn mess() -> impl Strategy<Value = Mess> {
    any::<[bool; 7]>().prop_map(
        |[single_quotes, bare_keys, python, trailing_commas, comments, raw_controls, odd_space]| Mess {
            single_quotes,
            bare_keys,
            python,
            trailing_commas,
            comments,
            raw_controls,
            odd_space,
        },
    )
}

impl Mess {
    fn write(self, value: &Value) -> String {
        let gap = match (self.comments, self.odd_space) {
            (true, _) => " /* \"a\": [1} */ ",
            (_, true) => "\u{a0}",
            _ => "",
        };
        match value {
            Value::Object(members) => {
                let members = members.iter().map(|(key, value)| {
                    let key = if self.bare_keys { key.clone() } else { self.string(key) };
                    format!("{gap}{key}{gap}:{gap}{}{gap}", self.write(value))
                });
                self.container('{', members.collect(), '}')
            }
            Value::Array(items) => {
                self.container('[', items.iter().map(|item| format!("{gap}{}{gap}", self.write(item))).collect(), ']')
            }
            Value::String(text) => self.string(text),
            Value::Bool(true) if self.python => "True".into(),
            Value::Bool(false) if self.python => "False".into(),
            Value::Null if self.python => "None".into(),
            other => other.to_string(),
        }
    }

    fn container(self, open: char, parts: Vec<String>, close: char) -> String {
        let comma = if self.trailing_commas && !parts.is_empty() { "," } else { "" };
        format!("{open}{}{comma}{close}", parts.join(","))
    }

    fn string(self, text: &str) -> String {
        let mut json = Value::from(text).to_string();
        if self.raw_controls {
            json = json.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\\\");
        }
        if !self.single_quotes {
            return json;
        }
        let inner = json[1..json.len() - 1].replace('\'', "\\'").replace("\\\"", "\"");
        format!("'{inner}'")
    }
}

fn outcome(judged: &Judgement, original: &str) -> Value {
    assert_ne!(judged.action, Action::Reject, "{:?} for {original}", judged.fault);
    serde_json::from_str(judged.args.as_deref().unwrap_or(original)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mess_with_one_reading_is_undone(args in arguments(), mess in mess()) {
        let text = mess.write(&args);
        let judged = judge(&text, StopReason::End);
        prop_assert_eq!(outcome(&judged, &text), args);
    }

    #[test]
    fn what_stands_around_is_left_out(args in arguments(), which in 0..7_usize) {
        let json = args.to_string();
        let text = match which {
            0 => format!("```json\n{json}\n```"),
            1 => format!("Here you are: {json}"),
            2 => format!("{json}<|im_end|>"),
            3 => format!("\u{feff}{json} "),
            4 => format!("{{}}{json}{json}"),
            5 => Value::from(json).to_string(),
            _ => format!("[{json}]"),
        };
        let judged = judge(&text, StopReason::End);
        prop_assert_eq!(outcome(&judged, &text), args);
    }

    #[test]
    fn a_cut_text_is_refused_or_every_value_in_it_is_whole(args in arguments(), cut in any::<prop::sample::Index>()) {
        let text = args.to_string();
        let ends: Vec<_> = text.char_indices().map(|(at, _)| at).skip(1).collect();
        let cut = &text[..*cut.get(&ends)];
        let of_length = judge(cut, StopReason::Length);
        prop_assert_eq!(of_length.action, Action::Reject, "{}", cut);
        let judged = judge(cut, StopReason::End);
        if judged.action != Action::Reject {
            prop_assert!(is_front(&outcome(&judged, cut), &args), "{} of {}", cut, text);
        }
    }
}

/// Whether a value is the other one without some of its last members or elements.
fn is_front(front: &Value, whole: &Value) -> bool {
    match (front, whole) {
        (Value::Object(front), Value::Object(whole)) => {
            front.iter().zip(whole).all(|((key, value), (other, whole))| key == other && is_front(value, whole))
        }
        (Value::Array(front), Value::Array(whole)) => {
            front.len() <= whole.len() && front.iter().zip(whole).all(|(value, whole)| is_front(value, whole))
        }
        _ => front == whole,
    }
}
