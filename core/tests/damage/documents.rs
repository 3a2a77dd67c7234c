//! A long document is read a message at a time, whatever pieces it comes in; what is wrong in it costs what it must.

use toolprism::readers::{Format, Limits, Quarantine, Reader, Reason, Tally};

use super::Seen;

const HEAD: &str = r#"{"sessionId":"S","projectHash":"h","messages":["#;
const LIMIT: Limits = Limits { record: 2500 };

fn message(id: usize, size: usize) -> String {
    let call = format!(r#"{{"id":"c{id}","name":"read_file","args":{{}},"status":"success"}}"#);
    format!(r#"{{"id":"m{id}","toolCalls":[{call}],"content":"{}"}}"#, "x".repeat(size))
}

/// Messages of 1,000 bytes, with commas between them.
fn messages(n: usize) -> String {
    (0..n).map(|i| message(i, 1000)).collect::<Vec<_>>().join(",")
}

fn read_in(text: &str, piece: usize, strict: bool) -> (usize, Vec<(Reason, String)>, Tally) {
    let mut seen = Seen::default();
    let reader = Reader::with_limits(LIMIT);
    let mut reader = if strict { reader.strict() } else { reader };
    for piece in text.as_bytes().chunks(piece) {
        reader.push(piece, &mut seen);
    }
    let tally = reader.finish(&mut seen);
    assert_eq!((tally.bytes, tally.parsed + tally.quarantined), (text.len() as u64, text.len() as u64));
    let span = |span: &Quarantine| {
        let (from, to) = (span.place.offset as usize, (span.place.offset + span.len) as usize);
        assert_eq!(span.place.line, 1 + text[..from].matches('\n').count() as u64);
        (span.reason, text[from..to].to_owned())
    };
    assert!(seen.ledger.calls().iter().all(|call| call.session.as_deref() == Some("S")));
    (seen.ledger.calls().len(), seen.quarantines.iter().map(span).collect(), tally)
}

/// How many calls there are, and what is put aside; the same in all pieces, and in strict reading.
fn read(text: &str) -> (usize, Vec<(Reason, String)>) {
    let first = read_in(text, usize::MAX, false);
    assert_eq!(first.2.format, Some(Format::GeminiSession));
    for piece in [1, 100, 700, 2000] {
        assert_eq!(read_in(text, piece, false), first, "pieces of {piece}");
    }
    let strict = read_in(text, 300, true);
    assert_eq!((strict.0, strict.1.len()), (first.0, first.1.len()), "strict");
    (first.0, first.1)
}

/// As [`read`], where one span is put aside for not being JSON.
fn read_damaged(text: &str) -> (usize, String) {
    let (calls, spans) = read(text);
    let [(Reason::NotJson(_), span)] = spans.as_slice() else { panic!("{spans:?}") };
    (calls, span.clone())
}

#[test]
fn an_undamaged_document_is_read_whole() {
    assert_eq!(read(&format!("{HEAD}{}]}}", messages(20))), (20, vec![]));
    assert_eq!(read(&format!("{HEAD} {} \n], \"x\": [{{}}] }}\n", messages(20))), (20, vec![]));
    // What a message holds counts, not what stands before it.
    let spaces = " ".repeat(2000);
    assert_eq!(
        read(&format!("{HEAD}{},{spaces}{},{}]}}", messages(20), message(20, 1500), message(21, 9))),
        (22, vec![])
    );
    assert_eq!(read(&format!("{HEAD}{}]}}\n", messages(20))), (20, vec![]));
}

#[test]
fn a_bracket_too_many_does_not_hide_the_messages_after_it() {
    let (before, after) = (messages(5), message(5, 9));
    assert_eq!(read_damaged(&format!("{HEAD}{before}}},{after}]}}")), (6, "},".into()));
    // Here the list ends, for all that can be told: the rest is put aside.
    let rest = format!("],{after}]}}");
    assert_eq!(read_damaged(&format!("{HEAD}{before}{rest}")), (5, rest));
}

#[test]
fn a_message_with_a_wrong_bracket_costs_only_itself() {
    let broken = message(5, 1000).replace("\"}]", "\"]]");
    assert_eq!(read_damaged(&format!("{HEAD}{},{broken},{}]}}", messages(5), message(6, 9))), (6, broken));
    let ended = message(5, 1000);
    let ended = format!("{}]", &ended[..ended.len() - 1]);
    assert_eq!(read_damaged(&format!("{HEAD}{},{ended},{}]}}", messages(5), message(6, 9))), (6, ended));
}

#[test]
fn what_is_no_json_between_and_after_messages_is_told() {
    let (before, after) = (messages(5), message(5, 9));
    assert_eq!(read_damaged(&format!("{HEAD}{before} {after}]}}")), (6, " ".into()));
    assert_eq!(read_damaged(&format!("{HEAD}{before},garbage,{after}]}}")), (6, "garbage".into()));
    for tail in ["],\"x\":nonsense}", "]]", "],}"] {
        assert_eq!(read_damaged(&format!("{HEAD}{before}{tail}")), (5, tail.into()));
    }
    assert_eq!(read_damaged(&format!("{HEAD}{before}],\"x\":1}} trailing")), (5, "trailing".into()));
    let second = format!("{HEAD}{after}]}}");
    assert_eq!(read_damaged(&format!("{HEAD}{before}]}}\n{second}")), (5, second));
}

#[test]
fn elements_that_are_no_messages_are_passed_over() {
    let long = "y".repeat(2000);
    assert_eq!(read(&format!("{HEAD}\"{long}\",5,[{{}}],null,{}]}}", messages(5))), (5, vec![]));
}

#[test]
fn what_is_too_long_costs_only_itself() {
    let (start, end) = (messages(5), message(6, 9));
    let long = message(5, 5000);
    assert_eq!(read(&format!("{HEAD}{start},{long},{end}]}}")), (6, vec![(Reason::TooLong, long.clone())]));
    let string = format!("\"{}\"", r#"\"{[\\"#.repeat(2000));
    assert_eq!(read(&format!("{HEAD}{string},{end}]}}")), (1, vec![(Reason::TooLong, string.clone())]));
    let tail = format!("],\"after\":{string}}}");
    assert_eq!(read(&format!("{HEAD}{start}{tail}")), (5, vec![(Reason::TooLong, tail)]));
    // Without its last bracket it ends with the list.
    let open = format!("{},{end}]", &long[..long.len() - 1]);
    let spans = vec![(Reason::TooLong, open.clone()), (Reason::Torn, "}".into())];
    assert_eq!(read(&format!("{HEAD}{start},{open}}}")), (5, spans));
    assert_eq!(read(&format!("{HEAD}{start},\n{}", &long[..4000])), (5, vec![(Reason::TooLong, long[..4000].into())]));
}

#[test]
fn a_cut_document_keeps_its_messages_and_makes_none_up() {
    let start = messages(5);
    let cut = r#"{"id":"m5","toolCalls":[{"id":"c5","name":"read_file","args":{}"#;
    let (calls, spans) = read(&format!("{HEAD}{start},{cut}"));
    assert_eq!((calls, spans), (5, vec![(Reason::Torn, cut.into())]));
    for rest in ["", ",", ", \n"] {
        assert_eq!(read(&format!("{HEAD}{start}{rest}")), (5, vec![]));
    }
    let phantom =
        format!(r#"],"backup":{{"toolCalls":[{{"id":"p","name":"read_file","args":{{}}}}],"n":"{}"#, "{".repeat(50));
    assert_eq!(read(&format!("{HEAD}{start}{phantom}")), (5, vec![(Reason::Torn, phantom)]));
}

#[test]
fn a_damaged_front_is_told_once() {
    let front = HEAD.replace("\"h\"", r#""h\q""#);
    let text = format!("{front}{}]}}", messages(5));
    let reader = |strict| {
        let mut seen = Seen::default();
        let reader = Reader::with_limits(LIMIT);
        let mut reader = if strict { reader.strict() } else { reader };
        reader.push(text.as_bytes(), &mut seen);
        reader.finish(&mut seen);
        (
            seen.ledger.calls().len(),
            seen.quarantines.iter().map(|span| (span.place.offset, span.len)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(reader(false), (5, vec![]));
    assert_eq!(reader(true), (5, vec![(0, front.len() as u64)]));
}

#[test]
fn lines_are_counted() {
    for (text, lines) in [("]}", 1), ("]}\n", 1), ("\n]}", 2), ("\n]\n}\n", 3), ("\n]\n}\n\n", 4)] {
        assert_eq!(read_in(&format!("{HEAD}{}{text}", messages(5)), 100, false).2.lines, lines, "{text:?}");
    }
}
