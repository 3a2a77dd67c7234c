//! Cutting bytes into messages.

use toolprism::wire::{Lines, Sse};

fn events(pieces: &[&[u8]], limit: usize) -> (Vec<(String, String)>, u64) {
    let mut sse = Sse::with_limit(limit);
    let mut seen = Vec::new();
    for piece in pieces {
        sse.push(piece, |event, data| seen.push((event.to_string(), data.to_string())));
    }
    let dropped = sse.dropped();
    sse.finish(|event, data| seen.push((event.to_string(), data.to_string())));
    (seen, dropped)
}

const STREAM: &[u8] = b"\xef\xbb\xbfevent: a\r\ndata: {\"x\":\r\ndata: \"\xc3\xa9\"}\r\n\r\n: comment\n\ndata:{}\n\nid: 7\nretry: 5\ndata\n\nevent: b\n\n\
    data: {\"cr\":1}\r\rdata: [DONE]\n\nevent: c\ndata:  two spaces\n\ndata: last";

fn expected() -> Vec<(String, String)> {
    [("a", "{\"x\":\n\"é\"}"), ("", "{}"), ("", "{\"cr\":1}"), ("c", " two spaces"), ("", "last")]
        .map(|(event, data)| (event.to_string(), data.to_string()))
        .to_vec()
}

#[test]
fn events_are_the_same_wherever_the_stream_is_cut() {
    assert_eq!(events(&[STREAM], 1000).0, expected());
    for at in 0..=STREAM.len() {
        let (front, back) = STREAM.split_at(at);
        assert_eq!(events(&[front, back], 1000).0, expected(), "cut at {at}");
        assert_eq!(events(&[front, b"", back], 1000).0, expected(), "cut at {at}, with an empty piece");
    }
    let bytes: Vec<&[u8]> = STREAM.chunks(1).collect();
    assert_eq!(events(&bytes, 1000).0, expected());
}

#[test]
fn what_is_too_long_is_left_out_and_counted() {
    let long = b"data: 0123456789\n\ndata: ok\n\ndata: 012345\ndata: 567890\n\ndata: ok\n\n";
    let (seen, dropped) = events(&[long], 12);
    assert_eq!(seen, [("", "ok"), ("", "ok")].map(|(e, d)| (e.to_string(), d.to_string())));
    assert_eq!(dropped, 2);
    let mut lines = Lines::with_limit(4);
    let mut seen = Vec::new();
    for piece in [&b"12"[..], b"345\n", b"1234\r\n", b"\n", b"12"] {
        lines.push(piece, |line| seen.push(line.to_vec()));
    }
    assert_eq!(lines.dropped(), 2, "the end of a line counts");
    lines.finish(|line| seen.push(line.to_vec()));
    assert_eq!(seen, [b"12"]);
}

#[test]
fn broken_characters_are_replaced_in_events_and_kept_in_lines() {
    assert_eq!(events(&[b"data: \"\xff\"\n\n"], 100).0, [(String::new(), "\"\u{fffd}\"".to_string())]);
    let mut seen = Vec::new();
    Lines::new().push(b"\"\xff\"\n", |line| seen.push(line.to_vec()));
    assert_eq!(seen, [b"\"\xff\""]);
}

#[test]
fn lines_end_with_lf_alone() {
    let mut seen = Vec::new();
    let mut lines = Lines::new();
    lines.push("{\"a\":\"\u{2028}\r\u{85}\"}\n \r\n{}\r\n".as_bytes(), |line| seen.push(line.to_vec()));
    lines.finish(|line| seen.push(line.to_vec()));
    assert_eq!(seen, ["{\"a\":\"\u{2028}\r\u{85}\"}".as_bytes(), b"{}"]);
}
