//! Previews of outputs.

use proptest::prelude::*;
use serde_json::json;
use toolprism::json::RawJson;
use toolprism::output::{Bounds, OutputPreview};

fn small() -> OutputPreview {
    OutputPreview::with_bounds(Bounds { head_lines: 2, head_bytes: 12, tail_lines: 2, tail_bytes: 12 })
}

fn shown(preview: &OutputPreview) -> (&str, &str, u64, u64, u64, u64) {
    let (bytes, lines) = (preview.bytes(), preview.lines());
    (preview.head(), preview.tail(), bytes, lines, preview.omitted_bytes(), preview.omitted_lines())
}

#[test]
fn head_and_tail_are_bounded_by_lines_and_by_bytes() {
    let mut preview = small();
    assert_eq!(shown(&preview), ("", "", 0, 0, 0, 0));
    preview.append("a\nb\nc\nd\ne\n");
    assert_eq!(shown(&preview), ("a\nb\n", "d\ne\n", 10, 5, 2, 1));
    preview.append("f");
    assert_eq!(shown(&preview), ("a\nb\n", "e\nf", 11, 6, 4, 2));
    let mut preview = small();
    preview.append(&"x".repeat(30));
    assert_eq!(shown(&preview), ("xxxxxxxxxxxx", "xxxxxxxxxxxx", 30, 1, 6, 0));
    let mut preview = small();
    preview.append("short");
    assert_eq!(shown(&preview), ("short", "", 5, 1, 0, 0));
    assert_eq!(preview.to_string(), "short");
    let none = Bounds { head_lines: 0, head_bytes: 0, tail_lines: 0, tail_bytes: 0 };
    let mut preview = OutputPreview::with_bounds(none);
    preview.append("a\nb");
    assert_eq!(shown(&preview), ("", "", 3, 2, 3, 1));
    assert_eq!(preview.to_string(), "[1 lines, 3 bytes left out]\n");
}

#[test]
fn cuts_never_split_a_character() {
    let mut preview = small();
    preview.append(&"é".repeat(3));
    preview.append(&"日本語".repeat(9));
    assert_eq!(preview.head(), "ééé日本");
    assert_eq!(preview.tail(), "語日本語");
    assert_eq!(preview.bytes(), 6 + 81);
}

#[test]
fn a_whole_that_goes_on_yields_what_is_new_and_another_one_all_of_it() {
    let mut preview = small();
    let whole: String = (0..50).map(|i| format!("line {i}\n")).collect();
    let mut seen = 0;
    for end in [0, 3, 3, 100, 101, 250, whole.len(), whole.len()] {
        assert_eq!(preview.replace(&whole[..end]), &whole[seen..end]);
        seen = end;
    }
    assert_eq!(shown(&preview), ("line 0\nline ", " 48\nline 49\n", 390, 50, 366, 47));
    assert_eq!(preview.replace("line 0\nX"), "line 0\nX", "shorter");
    assert_eq!(preview.replace("lime 0\nXY"), "lime 0\nXY", "another start");
    assert_eq!(preview.replace("lime 0\nZY and more"), "lime 0\nZY and more", "another end");
    assert_eq!(shown(&preview), ("lime 0\nZY an", "d more", 18, 2, 0, 0));
    let mut preview = small();
    preview.replace("1\n2\nmiddle\n3\n4\n");
    assert_eq!(preview.replace("1\n2\nmiddle\n3\n5\n6\n"), "1\n2\nmiddle\n3\n5\n6\n", "the tail has changed");
    assert_eq!((preview.tail(), preview.lines()), ("5\n6\n", 6));
    let mut preview = small();
    preview.append("aé");
    assert_eq!(preview.replace("aéb"), "b");
    assert_eq!(preview.replace("axyz"), "axyz", "the old end would cut a character");
}

#[test]
fn binary_output_is_counted_and_not_shown() {
    let mut preview = small();
    preview.append("text\n");
    preview.append("a\0b\n");
    assert!(preview.is_binary());
    assert_eq!(shown(&preview), ("", "", 9, 2, 9, 2));
    assert_eq!(preview.to_string(), "[binary, 9 bytes]");
    assert_eq!(preview.replace("text\n"), "text\n");
    assert!(!preview.is_binary());
    let mut preview = small();
    preview.append(&"\u{fffd}x".repeat(20));
    assert!(preview.is_binary());
    let mut preview = small();
    preview.append(&["one bad byte: \u{fffd} in ", &"x".repeat(200)].concat());
    assert!(!preview.is_binary());
}

#[test]
fn outputs_are_taken_as_agents_send_them() {
    let content = json!([
        {"type": "content", "content": {"type": "text", "text": "one"}},
        {"type": "content", "content": {"type": "image", "data": "AAAA", "mimeType": "image/png"}},
        {"type": "diff", "path": "a", "oldText": "x", "newText": "y"},
        {"type": "content", "content": {"type": "text", "text": "two\n"}},
        {"type": "text", "text": "three"},
    ]);
    let mut preview = OutputPreview::new();
    assert!(preview.replace_with(&&content));
    assert_eq!((preview.head(), preview.other_blocks()), ("one\ntwo\nthree", 2));
    let text = content.to_string();
    let mut of_text = OutputPreview::new();
    of_text.replace_with(&RawJson::parse(&text).unwrap());
    assert_eq!(of_text.head(), preview.head());
    for (output, expected) in [
        (json!("plain"), "plain"),
        (json!({"output": "o", "metadata": {"exit": 0}}), "o"),
        (json!({"formatted_output": "f", "stdout": "s"}), "f"),
        (json!({"content": [{"type": "text", "text": "t"}], "isError": false}), "t"),
        (json!({"error": "tool_execution_failed", "message": "m"}), "m"),
    ] {
        let mut preview = OutputPreview::new();
        assert!(preview.replace_with(&&output), "{output}");
        assert_eq!(preview.head(), expected);
    }
    let mut preview = OutputPreview::new();
    for output in [json!(null), json!(5), json!([]), json!({"x": "y"}), json!([[[[[[[["deep"]]]]]]]])] {
        assert!(!preview.replace_with(&&output), "{output}");
    }
    assert_eq!((preview.bytes(), preview.other_blocks()), (0, 0));
    assert!(preview.append_with(&&json!({"type": "content", "content": {"type": "text", "text": "a"}})));
    assert!(preview.append_with(&&json!("b")));
    assert!(!preview.append_with(&&json!({"type": "terminal", "terminalId": "t"})));
    assert_eq!((preview.head(), preview.other_blocks()), ("ab", 1));
}

fn piece() -> impl Strategy<Value = String> {
    "[a-cé日\n]{0,12}"
}

proptest! {
    /// Whatever the pieces, the preview is that of the whole.
    #[test]
    fn pieces_and_wholes_show_the_same(pieces in prop::collection::vec(piece(), 0..12)) {
        let whole = pieces.concat();
        let (mut appended, mut replaced, mut at_once) = (small(), small(), small());
        let mut so_far = String::new();
        for piece in &pieces {
            appended.append(piece);
            so_far.push_str(piece);
            prop_assert_eq!(replaced.replace(&so_far), piece);
        }
        at_once.append(&whole);
        prop_assert_eq!(shown(&appended), shown(&at_once));
        prop_assert_eq!(shown(&replaced), shown(&at_once));
        let (head, tail, bytes, lines, omitted, omitted_lines) = shown(&at_once);
        prop_assert!(whole.starts_with(head) && whole.ends_with(tail));
        prop_assert!(head.len() <= 12 && tail.len() <= 12);
        prop_assert_eq!(bytes, whole.len() as u64);
        prop_assert_eq!(lines, whole.lines().count() as u64);
        prop_assert_eq!(omitted, bytes - (head.len() + tail.len()) as u64);
        let middle = &whole[head.len()..whole.len() - tail.len()];
        prop_assert_eq!(omitted_lines, middle.matches('\n').count() as u64);
    }

    /// Whatever comes after whatever, the preview is that of what came last.
    #[test]
    fn the_latest_whole_counts(wholes in prop::collection::vec(piece(), 1..6)) {
        let mut preview = small();
        for whole in &wholes {
            let new = preview.replace(whole);
            prop_assert!(whole.ends_with(new));
            let mut fresh = small();
            fresh.append(whole);
            // A text whose hidden middle alone differs passes for the same; these are too short to have one.
            prop_assert_eq!(shown(&preview), shown(&fresh));
        }
    }
}
