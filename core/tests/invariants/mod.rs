//! What must hold for any input whatever. The property tests and the fuzz targets both call these.
#![allow(dead_code, unused_imports, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod streaming;

pub use streaming::{projected_stream, streaming};

use serde::de::IgnoredAny;
use serde_json::Value;
use toolprism::json::{Cursor, JsonFault, JsonView, RawJson, to_value};
use toolprism::readers::{Limits, Quarantine, Reader, Sink, Tally};
use toolprism::stamping::{LiveStamper, Stamper, unstamp};
use toolprism::wire::{Lines, Sse, Wire, WireReader, WireSink};
use toolprism::{Call, CallLedger, ToolCallEvent, TurnEnd, identify, meta};

/// A ledger that adds up what is put aside.
#[derive(Default)]
struct Counting {
    ledger: CallLedger,
    spans: Vec<Quarantine>,
}

impl Sink for Counting {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, span: &Quarantine) {
        self.spans.push(*span);
    }
}

fn read(bytes: &[u8], limits: Limits, piece: usize, strict: bool) -> (Counting, Tally) {
    let mut found = Counting::default();
    let reader = Reader::with_limits(limits);
    let mut reader = if strict { reader.strict() } else { reader };
    for piece in bytes.chunks(piece) {
        reader.push(piece, &mut found);
    }
    let tally = reader.finish(&mut found);
    (found, tally)
}

/// Every byte is parsed or put aside, the spans lie in order inside the source, and the pieces that the bytes come in make
/// no difference.
pub fn reading(bytes: &[u8]) {
    for limits in [Limits::default(), Limits { record: 300 }] {
        reading_within(limits, bytes);
    }
}

fn reading_within(limits: Limits, bytes: &[u8]) {
    let shown = |found: &Counting| -> Vec<String> {
        found.ledger.calls().iter().map(|c| format!("{} {:?} {:?} {:?}", c.id, c.status, c.place, c.identity)).collect()
    };
    let mut first = None;
    for (piece, strict) in [(usize::MAX, false), (7, false), (usize::MAX, true)] {
        let (found, tally) = read(bytes, limits, piece, strict);
        assert_eq!(tally.bytes, bytes.len() as u64);
        assert_eq!(tally.parsed + tally.quarantined, tally.bytes);
        let mut end = 0;
        for span in &found.spans {
            assert!(span.place.offset >= end, "{span:?} overlaps the one before");
            end = span.place.offset + span.len;
        }
        assert!(end <= tally.bytes);
        assert_eq!(found.spans.iter().map(|s| s.len).sum::<u64>(), tally.quarantined);
        if !strict {
            let result = (shown(&found), found.spans, tally);
            assert_eq!(first.get_or_insert_with(|| result.clone()), &result);
        }
    }
}

/// What is JSON to `serde_json` is JSON to the text view, with the same value; nothing else is, save text that is not
/// Unicode or holds control characters, which is read all the same unless it is read strictly.
pub fn json(bytes: &[u8]) {
    let mut cursor = Cursor::new(bytes);
    let strict = cursor.strict_value();
    let whole = strict.is_ok() && bytes[cursor.offset()..].iter().all(|byte| b" \n\r\t".contains(byte));
    let legal = core::str::from_utf8(bytes).is_ok() && serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    let deep = strict.is_err_and(|error| error.fault == JsonFault::TooDeep);
    assert!(deep || whole == legal, "strict: {whole}, serde_json: {legal}");
    match (RawJson::parse(bytes), serde_json::from_slice::<Value>(bytes)) {
        (Ok(view), Ok(value)) => assert_eq!(to_value(&view), value),
        (Err(error), Ok(value)) => panic!("{value} is JSON, but {error}"),
        (Ok(view), Err(_)) => {
            to_value(&view);
        }
        (Err(error), Err(_)) => {
            assert!(error.offset <= bytes.len());
            assert!(error.fault != JsonFault::TrailingText || error.offset < bytes.len());
        }
    }
}

/// An envelope that is read, strictly or loosely, is written back as it was.
pub fn envelope(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let Ok(view) = RawJson::parse(bytes) else { panic!("JSON to serde_json only: {value}") };
    let read = meta::parse_envelope(&&value);
    assert_eq!(read, meta::parse_envelope(&view), "the views differ");
    let strict = meta::parse_envelope_strict(&&value);
    let Ok(read) = read else {
        assert!(strict.is_err());
        return;
    };
    assert!(strict.is_err() || strict.as_ref() == Ok(&read));
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(meta::parse_envelope(&&written).as_ref(), Ok(&read));
    for (key, was) in value.as_object().unwrap() {
        if key != "namespace" && !(key == "input" && was.is_null()) {
            assert_eq!(&written[key], was, "{key}");
        }
    }
    let siblings = serde_json::json!({"sibling": [1, null]});
    let stamped = meta::stamp(Some(siblings), &read).unwrap();
    assert_eq!(stamped["sibling"], serde_json::json!([1, null]));
    assert_eq!(meta::parse(&&stamped), Ok(read));
}

/// A call is the same through every view of its arguments, and no canonical field is empty of meaning.
pub fn projection(harness: Option<&str>, name: Option<&str>, bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let Ok(view) = RawJson::parse(bytes) else { panic!("JSON to serde_json only: {value}") };
    let of_value = identify(&Call { harness, name, raw_input: Some(&value), ..Call::default() });
    let of_text = identify(&Call { harness, name, raw_input: Some(view), ..Call::default() });
    assert_eq!(of_value, of_text);
    let written = serde_json::to_value(&of_value.meta).unwrap();
    if let Some(input) = written.get("input") {
        let input = input.as_object().unwrap();
        assert!(!input.is_empty());
        for (field, value) in input {
            assert!(!value.is_null(), "{field} is null");
        }
        assert!(input.get("offset").is_none_or(|offset| offset.as_u64().unwrap() >= 1));
    }
    assert_eq!(of_value.meta.kind.kind().label(), of_value.meta.label);
}

/// Stamping and taking the stamps out gives the same bytes, and stamping twice is stamping once.
pub fn stamping(bytes: &[u8]) {
    for stamped in [stamped, stamped_live] {
        let once = stamped(bytes);
        assert_eq!(stamped(&once), once);
        let mut back = Vec::new();
        for line in once.split_inclusive(|b| *b == b'\n') {
            unstamp(line, &mut back);
        }
        let own_stamp = bytes.windows(2).any(|pair| pair == b":\t");
        assert!(own_stamp || back == bytes);
    }
}

fn stamped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut stamper = Stamper::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        stamper.line(line, &mut out);
    }
    stamper.finish(&mut out);
    out
}

/// What a live stream says, as text.
#[derive(Default)]
struct Told {
    events: Vec<String>,
    ledger: CallLedger,
    nameless: bool,
}

impl<V: JsonView> WireSink<V> for Told {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        self.nameless |= event.id.is_empty();
        let raw_input = event.raw_input.set().map(to_value);
        self.events.push(format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?} {raw_input:?}",
            event.id, event.session, event.phase, event.name, event.delta, event.status, event.error
        ));
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.events.push(format!("{end:?}"));
        self.ledger.end(end);
    }
}

/// Bytes as a live stream of every wire: lines and server-sent events are the same wherever the bytes are cut, and messages
/// say the same through every view.
pub fn wires(bytes: &[u8]) {
    let lines = |piece: usize| {
        let (mut cutter, mut found) = (Lines::with_limit(10_000), Vec::new());
        bytes.chunks(piece).for_each(|piece| cutter.push(piece, |line| found.push(line.to_vec())));
        cutter.finish(|line| found.push(line.to_vec()));
        found
    };
    let events = |piece: usize| {
        let (mut cutter, mut found) = (Sse::with_limit(10_000), Vec::new());
        let mut keep = |event: &str, data: &str| found.push((event.to_string(), data.to_string()));
        bytes.chunks(piece).for_each(|piece| cutter.push(piece, &mut keep));
        cutter.finish(&mut keep);
        found
    };
    let messages = lines(usize::MAX);
    assert_eq!(messages, lines(3));
    assert_eq!(events(usize::MAX), events(3));
    for wire in Wire::ALL {
        let (mut of_text, mut of_value) = (Told::default(), Told::default());
        let (mut by_text, mut by_value) = (WireReader::new(*wire), WireReader::new(*wire));
        for message in &messages {
            let Ok(value) = serde_json::from_slice::<Value>(message) else { continue };
            by_text.push_text(&value.to_string(), &mut of_text).unwrap();
            by_value.push(&&value, &mut of_value);
        }
        assert_eq!(of_text.events, of_value.events, "{wire}");
        assert_eq!(of_text.ledger.calls().len(), of_value.ledger.calls().len());
        // ACP's calls always have an id, be it an empty one; for other wires one is made.
        assert!(*wire == Wire::Acp || !of_text.nameless, "{wire}: an event without an id");
    }
}

fn stamped_live(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut stamper = LiveStamper::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        stamper.client(line);
        stamper.agent(line, &mut out);
    }
    out
}
