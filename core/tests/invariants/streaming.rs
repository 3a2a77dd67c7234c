//! What must hold for arguments that stream, whatever their text and however it is cut.

use serde_json::Value;
use toolprism::json::{Cursor, JsonFault, JsonType, JsonView, RawJson, to_value};
use toolprism::partial::{Event, MAX_DEPTH, Mode, Options, PartialInput, State, View};
use toolprism::{Call, CallLedger, CanonicalInput, Change, Field, Flag, Phase, Place, ToolCallEvent, identify};

/// All that can be asked of an input.
type Told = (Option<String>, State, usize, bool);

fn told(input: &PartialInput) -> Told {
    (input.to_text(), input.state(), input.read_bytes(), input.growing().is_some())
}

/// What is visible does not depend on how the text is cut, only grows, and is the value of a text that is JSON. `cuts` are the
/// lengths of pieces, used again and again.
pub fn streaming(bytes: &[u8], cuts: &[u8]) {
    for mode in [Mode::Strict, Mode::Lenient, Mode::Text] {
        for most_bytes in [Options::default().most_bytes, 150] {
            let options = Options { mode, most_bytes, ..Options::default() };
            let whole = at_each_byte(bytes, options);
            in_pieces(bytes, cuts, options, &whole);
            if mode == Mode::Strict && most_bytes > 150 {
                strictly(bytes);
            }
        }
    }
}

/// What is told after each byte; what was visible before is a part of it.
fn at_each_byte(bytes: &[u8], options: Options) -> Vec<Told> {
    let mut input = PartialInput::with(options);
    let mut all = vec![told(&input)];
    let mut before: Option<Shape> = None;
    let mut texts = Vec::new();
    for byte in bytes {
        push_replayed(&mut input, &[*byte], &mut texts);
        let now = input.view().map(Shape::of);
        if let Some(before) = &before {
            assert!(now.as_ref().is_some_and(|now| before.grows_into(now)), "{before:?}\n{now:?}");
        }
        before = now;
        all.push(told(&input));
    }
    all
}

fn in_pieces(bytes: &[u8], cuts: &[u8], options: Options, expected: &[Told]) {
    let mut input = PartialInput::with(options);
    let mut lengths = cuts.iter().map(|cut| usize::from(*cut).max(1)).chain([1]).cycle();
    let (mut end, mut texts) = (0, Vec::new());
    while end < bytes.len() {
        let next = (end + lengths.next().unwrap()).min(bytes.len());
        push_replayed(&mut input, &bytes[end..next], &mut texts);
        end = next;
        assert_eq!(told(&input), expected[end], "{end} bytes");
    }
    let state = input.finish();
    let shown = input.to_text();
    assert_ne!(state, State::Open);
    assert_eq!(input.push(b"{\"late\":1}"), state);
    assert_eq!((input.late(), input.finish(), input.to_text()), (10, state, shown));
}

/// Pushes, and checks that the events tell the strings that are there.
fn push_replayed(input: &mut PartialInput, bytes: &[u8], open: &mut Vec<String>) {
    input.push_with(bytes, |event| match event {
        Event::Opened(path, kind) => {
            assert_eq!(path.value().json_type(), kind);
            if path.depth() == 0 {
                open.clear();
            }
            assert_eq!(path.depth(), path.parts().count());
            open.push(String::new());
        }
        Event::Appended(path, text) => {
            let so_far = open.last_mut().unwrap();
            so_far.push_str(text);
            assert!(!text.is_empty() && path.value().is_open());
            assert_eq!(path.value().str(), Some(so_far.as_str()));
        }
        Event::Value(path) => assert!(!path.value().is_open()),
        Event::Closed(path) => {
            let text = open.pop().unwrap();
            assert!(!path.value().is_open());
            assert_eq!(path.value().str().unwrap_or_default(), text);
        }
    });
}

/// Strict reading takes what is JSON, with its value, and nothing else.
fn strictly(bytes: &[u8]) {
    let mut input = PartialInput::new();
    input.push(bytes);
    let state = input.finish();
    let mut cursor = Cursor::new(bytes);
    let value = cursor.strict_value();
    let legal = value.is_ok() && bytes[cursor.offset()..].iter().all(|byte| b" \n\r\t".contains(byte));
    match state {
        State::Complete => {
            assert!(legal);
            let view = input.view().unwrap();
            assert_eq!(to_value(&view), to_value(&value.unwrap()));
            if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
                assert_eq!(to_value(&view), value);
            }
            let text = input.to_text().unwrap();
            assert_eq!(to_value(&RawJson::parse(&text).unwrap()), to_value(&view));
        }
        State::Broken(error) if error.fault == JsonFault::TooDeep => {
            assert!(bytes.iter().filter(|byte| b"[{".contains(byte)).count() > MAX_DEPTH);
        }
        State::Broken(error) => {
            assert!(!legal, "{error}");
            assert_eq!(input.read_bytes(), error.offset);
            assert!(error.offset < bytes.len());
        }
        State::Incomplete => assert!(!legal),
        State::Open => panic!("open behind its end"),
    }
}

/// A visible value, as it was at one moment.
#[derive(Debug, PartialEq)]
struct Shape {
    kind: JsonType,
    open: bool,
    text: String,
    inside: Vec<(Option<String>, Shape)>,
}

impl Shape {
    fn of(view: View<'_>) -> Shape {
        let kind = view.json_type();
        let inside = match kind {
            JsonType::Array => view.items().map(|item| (None, Shape::of(item))).collect(),
            JsonType::Object => view.members().map(|(key, value)| (Some(key.into_owned()), Shape::of(value))).collect(),
            _ => Vec::new(),
        };
        let text = match kind {
            JsonType::Array | JsonType::Object => String::new(),
            JsonType::String => view.str().unwrap().to_owned(),
            _ => view.to_text(),
        };
        Shape { kind, open: view.is_open(), text, inside }
    }

    /// Whether `after` is this or more of it: only what is open changes, and of what it holds only the last.
    fn grows_into(&self, after: &Shape) -> bool {
        let placeholder = self.kind == JsonType::Object && self.inside.is_empty();
        if self.kind != after.kind || !self.open && !placeholder {
            return self == after;
        }
        let kept = self.inside.iter().zip(&after.inside).enumerate();
        after.text.starts_with(&self.text)
            && after.inside.len() >= self.inside.len()
            && kept.into_iter().all(|(i, (old, new))| {
                old.0 == new.0 && if i + 1 == self.inside.len() { old.1.grows_into(&new.1) } else { old.1 == new.1 }
            })
    }
}

/// Arguments that stream into a ledger take no projected field back, and end as if they had come as a whole.
pub fn projected_stream(harness: Option<&str>, name: Option<&str>, json: &str, cuts: &[u8]) {
    let mut event = ToolCallEvent::<RawJson<'_>>::new("c", Phase::Started, Place::default());
    (event.harness, event.name) = (harness.map(Into::into), name.map(Into::into));
    let mut ledger = CallLedger::default();
    ledger.apply(&event);
    event.phase = Phase::Updated;
    let mut lengths = cuts.iter().map(|cut| usize::from(*cut).max(1)).chain([1]).cycle();
    let (mut end, mut shown) = (0, CanonicalInput::default());
    while end < json.len() {
        let next = (end + lengths.next().unwrap()..).find(|i| json.is_char_boundary((*i).min(json.len()))).unwrap();
        event.delta = Some(json[end..next.min(json.len())].into());
        end = next.min(json.len());
        ledger.apply(&event);
        let call = &ledger.calls()[0];
        let found = &call.identity;
        let input = found.meta.canonical_input().cloned().unwrap_or_default();
        if end < json.trim_end().len() {
            assert_none_lost(&shown, &input);
            assert!(found.growing.iter().all(|field| input.text(field).is_some()));
            assert!(call.flags.has(Flag::Streaming), "{:?}", call.flags);
        } else {
            assert!(found.growing.is_empty() && !call.flags.has(Flag::Streaming));
        }
        shown = input;
    }
    let raw = RawJson::parse(json).unwrap();
    let whole = identify(&Call { harness, name, raw_input: Some(raw), ..Call::default() });
    let mut expected = whole;
    if raw.is_blank() {
        expected = identify::<RawJson<'_>>(&Call { harness, name, ..Call::default() });
    }
    assert_eq!(*ledger.calls()[0].identity, expected);
    event.delta = None;
    event.raw_input = Change::Set(RawJson::parse(r#"{"other":1}"#).unwrap());
    ledger.apply(&event);
    let replaced = identify(&Call { harness, name, raw_input: event.raw_input.set().copied(), ..Call::default() });
    assert_eq!(*ledger.calls()[0].identity, replaced);
}

fn assert_none_lost(shown: &CanonicalInput, now: &CanonicalInput) {
    for field in Field::ALL {
        if let Some(old) = shown.text(field) {
            assert!(now.text(field).is_some_and(|new| new.starts_with(old)), "{field:?}: {old:?}, then {now:?}");
        }
    }
    assert!(shown.offset.is_none() || shown.offset == now.offset, "{shown:?}\n{now:?}");
    assert!(shown.limit.is_none() || shown.limit == now.limit, "{shown:?}\n{now:?}");
}
