use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolprism_repair::{
    Action, Assembler, AssemblerOptions, CompletedCall, FinalizeError, Finalizer, Meta, OnUnjudged, Outcome, Part,
    Pushed, StopReason, StreamEvent, ToolDefinition,
};

/// An event with its place in the stream; a rewritten one has none.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    place: Option<usize>,
    id: usize,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Text,
    Started,
    Args(&'static str),
    Finished,
}

const IDS: [&str; 5] = ["a", "b", " a ", "", "c"];

impl StreamEvent for Event {
    fn part(&self) -> Part<'_> {
        let id = IDS[self.id];
        match self.what {
            What::Text => Part::Other,
            What::Started => Part::Started { id, name: "run" },
            What::Args(delta) => Part::Args { id, delta: delta.as_bytes() },
            What::Finished => Part::Finished { id, stop: StopReason::Unknown },
        }
    }

    fn rewritten(call: &CompletedCall<'_>, originals: &[Self]) -> [Self; 3] {
        assert_eq!((call.tool_name, call.args_json), ("other", &b"[1]"[..]));
        assert_eq!(call.tool_call_id, IDS[originals[0].id].trim());
        [What::Started, What::Args("[1]"), What::Finished].map(|what| Event { place: None, id: originals[0].id, what })
    }
}

/// Gives one answer after the other, round and round.
struct Answering {
    answers: Vec<u8>,
    next: AtomicUsize,
}

impl Finalizer for Answering {
    fn id(&self) -> &str {
        "answering"
    }

    fn finalize(
        &self,
        _: &CompletedCall<'_>,
        _: Option<&ToolDefinition>,
        _: &[ToolDefinition],
        _: &Meta<'_>,
    ) -> Result<Outcome, FinalizeError> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        let rewrite = |name: &str, args: Option<&str>| Outcome {
            action: Action::Rewrite,
            tool_name: name.into(),
            args_json: args.map(Into::into),
            ..Outcome::pass(None)
        };
        match self.answers.get(next % self.answers.len().max(1)).map_or(0, |answer| answer % 8) {
            0..=2 => Ok(Outcome::pass(None)),
            3 => Ok(rewrite(" other ", Some("[1]"))),
            4 => Ok(rewrite("other", Some("[1"))),
            5 => Ok(rewrite(" ", None)),
            6 => Ok(Outcome::reject(None)),
            _ => Err(FinalizeError("no answer".into())),
        }
    }
}

/// Bytes drive a stream of events, and what the finalizers answer; the first one says how many of them are answers.
pub fn assembling(bytes: &[u8]) {
    let Some((answers, events)) = bytes.split_first() else { return };
    let (answers, events) = events.split_at(usize::from(answers % 8).min(events.len()));
    for on_unjudged in [OnUnjudged::Reject, OnUnjudged::PassThrough] {
        stream(answers, events, on_unjudged);
    }
    stream(&[], events, OnUnjudged::PassThrough);
}

fn event(place: usize, byte: u8) -> Event {
    let byte = usize::from(byte);
    let what = match byte / IDS.len() % 8 {
        0 => What::Text,
        1 | 2 => What::Started,
        3 => What::Args("{\"x\": 12"),
        4 => What::Args("}"),
        5 => What::Args(""),
        _ => What::Finished,
    };
    Event { place: Some(place), id: byte % IDS.len(), what }
}

fn stream(answers: &[u8], events: &[u8], on_unjudged: OnUnjudged) {
    let finalizers: Vec<Arc<dyn Finalizer>> = (0..2)
        .map(|i| {
            let answers = answers.iter().skip(i).step_by(2).copied().collect();
            Arc::new(Answering { answers, next: AtomicUsize::new(0) }) as Arc<dyn Finalizer>
        })
        .collect();
    let options = AssemblerOptions { max_args_bytes: 16, max_open_calls: 2, on_unjudged };
    let mut assembler = Assembler::new(finalizers, vec![ToolDefinition::new("run", "")], options);

    let pushed: Vec<Event> = events.iter().enumerate().map(|(place, byte)| event(place, *byte)).collect();
    let mut sent = Vec::new();
    let mut rejected = HashMap::new();
    for event in &pushed {
        match assembler.push(event.clone(), &Meta::default()) {
            Ok(out) => {
                let through = matches!(out, Pushed::Through(_));
                let from = sent.len();
                sent.extend(out);
                let text = event.what == What::Text;
                assert!(!text || through, "text flows at once");
                assert!(!through || sent[from..] == [event.clone()], "what is not held is unchanged");
                let one_call = |event: &Event| IDS[event.id].trim();
                assert!(sent[from..].windows(2).all(|pair| one_call(&pair[0]) == one_call(&pair[1])));
            }
            Err(error) => {
                assert!(event.what != What::Text);
                rejected.insert(error.tool_call_id, sent.len());
            }
        }
    }
    let unfinished = assembler.finish();
    assert_eq!(assembler.finish(), [], "the end is told once");

    // Nothing comes out twice or changed, and what is of one call is in order.
    let mut last = HashMap::new();
    let held = unfinished.iter().flat_map(|call| &call.events);
    for event in sent.iter().chain(held).filter(|event| event.place.is_some()) {
        assert_eq!(pushed.get(event.place.unwrap()), Some(event));
        let stream = if event.what == What::Text { "text" } else { IDS[event.id].trim() };
        assert!(last.insert(stream, event.place) < Some(event.place), "{event:?} is out of order");
    }
    let of = |events: &[Event]| events.iter().filter(|event| event.what == What::Text).count();
    assert_eq!(of(&sent), of(&pushed), "no text is lost");

    // Without a rewrite or a rejection the originals come out, all of them.
    if answers.is_empty() && on_unjudged == OnUnjudged::PassThrough {
        let kept: usize = unfinished.iter().map(|call| call.events.len()).sum();
        assert_eq!(sent.len() + kept, pushed.len());
        assert!(rejected.is_empty());
    }
    // Once a call was rejected, nothing of its id comes out. A blank id names no call.
    let named = |event: &&Event| event.what != What::Text && !IDS[event.id].trim().is_empty();
    for (id, from) in &rejected {
        assert!(sent[*from..].iter().filter(named).all(|event| IDS[event.id].trim() != id), "{id} went on");
    }
    // Where nothing gets past the finalizers, what has no id does not either.
    let unnamed = |event: &Event| event.what != What::Text && IDS[event.id].trim().is_empty();
    assert!(on_unjudged == OnUnjudged::PassThrough || !sent.iter().any(unnamed));
}
