//! `PartialInput` by itself: what the conformance cases cannot say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use toolprism::json::{JsonError, JsonFault, JsonType, JsonView, Number, to_value};
use toolprism::partial::{Event, Keep, MAX_DEPTH, Mode, Options, Part, PartialInput, State};
use toolprism::{Call, Field, identify};

/// Counts what this thread allocates.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        BYTES.with(|bytes| bytes.set(bytes.get() + layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocated(work: impl FnOnce()) -> (usize, usize) {
    let before = (COUNT.get(), BYTES.get());
    work();
    (COUNT.get() - before.0, BYTES.get() - before.1)
}

fn lenient(text: &str) -> PartialInput {
    let mut input = PartialInput::lenient();
    input.push(text);
    input
}

fn strict(text: &str) -> PartialInput {
    let mut input = PartialInput::new();
    input.push(text);
    input
}

fn broken(offset: usize, fault: JsonFault) -> State {
    State::Broken(JsonError { offset, fault })
}

#[test]
fn memory_grows_now_and_then_and_not_with_each_delta() {
    let mut input = PartialInput::new();
    input.push(r#"{"content":""#);
    let (count, _) = allocated(|| {
        for _ in 0..20_000 {
            input.push(r#"ab\n\u00e9"#);
        }
    });
    assert!(count <= 24, "{count} allocations");
    let (count, _) = allocated(|| {
        for _ in 0..1000 {
            assert!(!input.is_complete());
            let view = input.view().unwrap();
            assert!(view.get("content").unwrap().str().unwrap().len() > 50_000);
            assert_eq!(input.growing().unwrap().depth(), 1);
        }
    });
    assert_eq!(count, 0, "asking costs no memory");
}

#[test]
fn a_huge_string_needs_little_memory_where_only_its_ends_are_kept() {
    let keep = Some(Keep { head: 10_000, tail: 1_000 });
    let mut input = PartialInput::with(Options { keep, ..Options::default() });
    input.push(r#"{"path":"a.rs","content":""#);
    let piece = "0123456789".repeat(100);
    let (_, bytes) = allocated(|| {
        for _ in 0..20_000 {
            input.push(&piece);
        }
    });
    assert!(bytes < 100_000, "{bytes} bytes for 20 MB");
    let content = input.view().unwrap().get("content").unwrap();
    assert_eq!((content.str().unwrap().len(), content.omitted()), (10_000, 20_000_000 - 10_000));
    input.push("the end\"}");
    let content = input.view().unwrap().get("content").unwrap();
    let omitted = 20_000_007 - 11_000;
    assert_eq!(content.omitted(), omitted);
    let shown = content.str().unwrap();
    assert!(shown.starts_with(&piece) && shown.ends_with("789the end"));
    assert_eq!(shown.find('…'), Some(10_000));
    let mark = format!("…[{omitted} bytes omitted]…");
    assert_eq!(shown.len(), 11_000 + mark.len());
    assert!(shown.contains(&mark));
    assert_eq!(input.view().unwrap().get("path").unwrap().str(), Some("a.rs"));
    assert_eq!(input.view().unwrap().get("path").unwrap().omitted(), 0);
}

#[test]
fn a_string_is_cut_only_where_something_is_left_out() {
    let at = |head, tail, text: &str, piece: usize| {
        let mut input = PartialInput::with(Options { keep: Some(Keep { head, tail }), ..Options::default() });
        let quoted = format!("[\"{text}\"]");
        let mut told = String::new();
        for piece in quoted.as_bytes().chunks(piece) {
            input.push_with(piece, |event| {
                if let Event::Appended(_, text) = event {
                    told += text;
                }
            });
        }
        assert_eq!(told, text, "events tell all of it");
        let item = input.view().unwrap().items().next().unwrap();
        (item.str().unwrap().to_owned(), item.omitted())
    };
    for piece in [1, 3, 1000, 1_000_000] {
        let fits = "é".repeat(3000);
        assert_eq!(at(5000, 1000, &fits, piece), (fits.clone(), 0));
        // Between characters: the front is 4,999 bytes, of which no character is half.
        let (shown, omitted) = at(4999, 1000, &format!("{fits}x"), piece);
        let (front, rest) = shown.split_once("…[").unwrap();
        let (_, end) = rest.split_once("]…").unwrap();
        assert_eq!((front.len(), end.len(), omitted), (4998, 999, 4), "pieces of {piece}");
        assert!(end.ends_with('x') && front.starts_with('é'));
        assert_eq!(at(100, 0, &"y".repeat(4096), piece), ("y".repeat(4096), 0), "no string is cut earlier");
        assert_eq!(at(0, 0, &"y".repeat(4097), piece).1, 1);
        assert_eq!(at(4096, 10, &"z".repeat(4106), piece), ("z".repeat(4106), 0));
        assert_eq!(at(4096, 10, &"z".repeat(4107), piece).1, 1);
    }
    let mut mixed = PartialInput::with(Options { keep: Some(Keep { head: 0, tail: 10 }), ..Options::default() });
    for piece in ["[\"", &"a".repeat(4100), &"b".repeat(20), &"c".repeat(5000), "d", "\"]"] {
        mixed.push(piece);
    }
    let item = mixed.view().unwrap().items().next().unwrap();
    assert_eq!(item.omitted(), 4100 + 20 + 5000 + 1 - 4096 - 10);
    assert!(item.str().unwrap().ends_with("]…cccccccccd"));
    let two = format!("[\"{}\",\"{}\",\"s\"]", "a".repeat(5000), "b".repeat(6000));
    let mut input = PartialInput::with(Options { keep: Some(Keep { head: 0, tail: 4 }), ..Options::default() });
    input.push(two);
    let omitted: Vec<_> = input.view().unwrap().items().map(|item| item.omitted()).collect();
    assert_eq!(omitted, [900, 1900, 0]);
}

#[test]
fn what_is_kept_has_a_limit() {
    let limited = |text: &str| {
        let mut input = PartialInput::with(Options { most_bytes: 100, ..Options::default() });
        (input.push(text), input.to_text().unwrap_or_default())
    };
    assert_eq!(limited(&format!("\"{}\"", "x".repeat(80))).0, State::Complete);
    let (state, text) = limited(&format!("\"{}\"", "x".repeat(81)));
    assert_eq!((state, text.len()), (broken(81, JsonFault::TooLarge), 82));
    assert_eq!(limited("[1,2,3]").0, State::Complete);
    assert_eq!(limited("[1,2,3,4]"), (broken(8, JsonFault::TooLarge), "[1,2,3]".into()));
    assert_eq!(limited("[{},{},{},{},{}]").0, broken(13, JsonFault::TooLarge));
    let (state, text) = limited(&format!("{{\"{}\":1}}", "k".repeat(90)));
    assert_eq!((state, text.as_str()), (broken(82, JsonFault::TooLarge), "{}"));
    assert_eq!(limited(&format!("[{}]", "1".repeat(90))), (broken(81, JsonFault::TooLarge), "[]".into()));
}

#[test]
fn depth_has_a_limit_and_costs_no_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let value = if open == "[" { "" } else { "1" };
        let deep = |n: usize| format!("{}{value}{}", open.repeat(n), close.repeat(n));
        assert_eq!(strict(&deep(MAX_DEPTH)).state(), State::Complete);
        let fault = broken(MAX_DEPTH * open.len(), JsonFault::TooDeep);
        assert_eq!(strict(&deep(MAX_DEPTH + 1)).state(), fault);
        let input = lenient(&format!("{{\"x\":{}", deep(1_000_000)));
        assert!(matches!(input.state(), State::Broken(JsonError { fault: JsonFault::TooDeep, .. })));
        assert_eq!(input.growing().map(|path| path.depth()), None);
    }
}

#[test]
fn strict_json_has_its_values() {
    let text = r#"{"n":[-0, 9007199254740993, 18446744073709551615, 1e3, 0.1, 123456789012345678901234567890],
        "s":"\ud83d\ude80", "t":true, "f":false, "z":null}"#;
    let input = strict(text);
    let view = input.view().unwrap();
    assert_eq!(to_value(&view), serde_json::from_str::<serde_json::Value>(text).unwrap());
    let numbers: Vec<_> = view.get("n").unwrap().items().map(|n| n.as_number().unwrap()).collect();
    assert_eq!(numbers[1..3], [Number::Int(9_007_199_254_740_993), Number::UInt(u64::MAX)]);
    assert!(
        view.to_text().starts_with(
            r#"{"n":[-0,9007199254740993,18446744073709551615,1e3,0.1,123456789012345678901234567890],"s":"#
        )
    );
    let flags = ["t", "f", "z"].map(|key| view.get(key).unwrap());
    assert_eq!(flags.map(|flag| flag.as_bool()), [Some(true), Some(false), None]);
    assert_eq!(flags.map(|flag| flag.json_type()), [JsonType::Bool, JsonType::Bool, JsonType::Null]);
    assert_eq!((view.as_str(), view.as_number(), view.items().count()), (None, None, 0));
    assert!(view.get("n").unwrap().get("0").is_none() && view.get("x").is_none());
}

#[test]
fn of_a_name_that_comes_twice_the_last_counts() {
    let input = strict(r#"{"a":{"x":1},"b":2,"a":"late","#);
    let view = input.view().unwrap();
    assert_eq!(view.get("a").unwrap().str(), Some("late"));
    let mut found = [None, None, None];
    view.pick(&["b", "a", "c"], &mut found);
    assert_eq!(
        found.map(|value| value.map(|value| value.to_text())),
        [Some("2".into()), Some("\"late\"".into()), None]
    );
    assert_eq!(view.members().map(|(key, _)| key.into_owned()).collect::<Vec<_>>(), ["a", "b", "a"]);
    assert_eq!(input.to_text().unwrap(), r#"{"a":{"x":1},"b":2,"a":"late"}"#);
}

#[test]
fn only_what_may_grow_is_open() {
    let input = strict(r#"{"a":[1,"x"],"b":[{"c":"y"#);
    let view = input.view().unwrap();
    let (a, b) = (view.get("a").unwrap(), view.get("b").unwrap());
    let item = b.items().next().unwrap();
    assert_eq!([view, b, item, item.get("c").unwrap()].map(|view| view.is_open()), [true; 4]);
    assert!(!a.is_open() && a.items().all(|item| !item.is_open()));
    assert_eq!(b.to_text(), r#"[{"c":"y"}]"#);
    assert_eq!(a.to_text(), r#"[1,"x"]"#);
}

#[test]
fn paths_are_pointers() {
    let mut input = strict(r#"{"a/b~c":[0,{"":[],"é":""#);
    let path = input.growing().unwrap();
    assert_eq!(path.to_string(), "/a~1b~0c/1/é");
    assert_eq!(path.parts().collect::<Vec<_>>(), [Part::Key("a/b~c"), Part::Index(1), Part::Key("é")]);
    assert_eq!((path.depth(), path.value().str()), (3, Some("")));
    let mut seen = Vec::new();
    input
        .push_with("x\"},[]],\"z\":nul", |event| seen.push(format!("{event:?}").split('(').next().unwrap().to_owned()));
    assert_eq!(seen, ["Appended", "Closed", "Closed", "Opened", "Closed", "Closed"]);
    let mut paths = Vec::new();
    input.push_with("l,\"n\":5}", |event| match event {
        Event::Opened(path, _) | Event::Appended(path, _) | Event::Value(path) | Event::Closed(path) => {
            paths.push((path.to_string(), path.value().to_text()));
        }
    });
    assert_eq!(paths[..2], [("/z".into(), "null".into()), ("/n".into(), "5".into())]);
    assert_eq!((paths.len(), paths[2].0.as_str()), (3, ""));
    assert_eq!(input.growing().map(|path| path.depth()), None);
}

#[test]
fn the_end_of_the_stream_settles_what_can_be() {
    let finished = |text: &str| {
        let mut input = strict(text);
        let mut events = 0;
        let state = input.finish_with(|_| events += 1);
        (state, input.to_text(), events)
    };
    assert_eq!(finished("12"), (State::Complete, Some("12".into()), 1));
    assert_eq!(finished("-"), (State::Incomplete, None, 0));
    assert_eq!(finished("1."), (State::Incomplete, None, 0));
    assert_eq!(finished("[12"), (State::Incomplete, Some("[]".into()), 0));
    assert_eq!(finished("[\"a\\"), (State::Incomplete, Some("[\"a\"]".into()), 0));
    assert_eq!(finished(""), (State::Incomplete, None, 0));
    assert_eq!(finished("{}"), (State::Complete, Some("{}".into()), 0));
    assert_eq!(finished("{}x").0, broken(2, JsonFault::TrailingText));
    assert_eq!(lenient("no object").finish(), State::Incomplete);
}

#[test]
fn what_comes_after_the_end_or_a_fault_changes_nothing() {
    let mut input = strict(r#"{"a":1"#);
    assert_eq!(input.finish(), State::Incomplete);
    assert_eq!((input.push("}"), input.late()), (State::Incomplete, 1));
    assert_eq!((input.push("more"), input.late(), input.read_bytes()), (State::Incomplete, 5, 6));
    let mut input = strict(r#"{"a":1 "b"#);
    assert_eq!(input.push(":2}"), broken(7, JsonFault::ExpectedCommaOrEnd));
    assert_eq!((input.to_text().as_deref(), input.read_bytes()), (Some(r#"{"a":1}"#), 7));
    assert_eq!((input.finish(), input.is_complete()), (broken(7, JsonFault::ExpectedCommaOrEnd), false));
}

#[test]
fn bare_text_is_one_string() {
    let mut input = PartialInput::with(Options { mode: Mode::Text, ..Options::default() });
    assert!(input.view().is_none());
    input.push(b"*** \"Begin\\n\n\xf0\x9f");
    let view = input.view().unwrap();
    assert_eq!((view.str(), view.is_open(), input.is_complete()), (Some("*** \"Begin\\n\n"), true, false));
    assert_eq!(input.growing().unwrap().to_string(), "");
    input.push(b"\x9a\x80{\xff\xf0");
    assert_eq!(input.finish(), State::Complete);
    assert_eq!(input.view().unwrap().str(), Some("*** \"Begin\\n\n🚀{\u{fffd}\u{fffd}"));
    assert!(!input.view().unwrap().is_open());
    let mut nothing = PartialInput::with(Options { mode: Mode::Text, ..Options::default() });
    assert_eq!((nothing.finish(), nothing.to_text()), (State::Incomplete, None));
}

#[test]
fn broken_utf8_is_replaced_or_refused_where_it_begins() {
    let bytes: &[u8] = b"{\"a\":\"x\xe0\x80y\xf0\x9f\"}";
    for piece in 1..=bytes.len() {
        let (mut strict, mut lenient) = (PartialInput::new(), PartialInput::lenient());
        for piece in bytes.chunks(piece) {
            strict.push(piece);
            lenient.push(piece);
        }
        assert_eq!(strict.state(), broken(7, JsonFault::BadString));
        assert_eq!(lenient.to_text().unwrap(), String::from_utf8_lossy(bytes));
    }
    assert_eq!(PartialInput::new().push(b"[\xff]"), broken(1, JsonFault::ExpectedValue));
    assert_eq!(PartialInput::new().push(b"{\"\xff\":1}"), broken(2, JsonFault::BadString));
}

#[test]
fn a_view_is_identified_like_any_other() {
    let mut input = PartialInput::lenient();
    let found = |input: &PartialInput| {
        let call = Call { harness: Some("grok_build"), name: Some("grep"), raw_input: input.view(), ..Call::default() };
        let found = identify(&call);
        (serde_json::to_value(&found.meta.input).unwrap(), found.growing.iter().collect::<Vec<_>>())
    };
    assert_eq!(found(&input), (serde_json::Value::Null, vec![]));
    input.push(r#"{"variant":"Gr"#);
    assert_eq!(found(&input), (serde_json::Value::Null, vec![]), "half a tag is none");
    input.push(r#"ep","pattern":"fn "#);
    assert_eq!(found(&input), (serde_json::json!({"pattern": "fn "}), vec![Field::Pattern]));
    input.push(r#"x","path":"src"}"#);
    assert_eq!(found(&input), (serde_json::json!({"pattern": "fn x", "path": "src"}), vec![]));
}
