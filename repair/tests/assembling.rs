//! The assembler, beyond the cases that every implementation shares.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use toolprism_repair::{
    Action, Assembler, AssemblerOptions, CompletedCall, Diagnostic, Digest, FinalizeError, Finalizer, Meta, OnUnjudged,
    Outcome, Part, Pushed, Reason, RejectError, StopReason, StreamEvent, ToolDefinition, Unjudged, materialize_sorted,
};

#[derive(Clone, Debug, PartialEq)]
enum Event {
    Text(u32),
    Started(String, &'static str),
    Args(String, String),
    Finished(String, StopReason),
}

impl StreamEvent for Event {
    fn part(&self) -> Part<'_> {
        match self {
            Event::Text(_) => Part::Other,
            Event::Started(id, name) => Part::Started { id, name },
            Event::Args(id, delta) => Part::Args { id, delta: delta.as_bytes() },
            Event::Finished(id, stop) => Part::Finished { id, stop: *stop },
        }
    }

    fn rewritten(call: &CompletedCall<'_>, _: &[Self]) -> [Self; 3] {
        let args = String::from_utf8_lossy(call.args_json).into_owned();
        [started(call.tool_call_id), Event::Args(call.tool_call_id.into(), args), finished(call.tool_call_id)]
    }
}

fn started(id: &str) -> Event {
    Event::Started(id.into(), "run")
}

fn args(id: &str, delta: &str) -> Event {
    Event::Args(id.into(), delta.into())
}

fn finished(id: &str) -> Event {
    Event::Finished(id.into(), StopReason::Unknown)
}

/// A finalizer that is a function.
struct Asked<F>(i32, F);

impl<F: Fn(&CompletedCall<'_>, &Meta<'_>) -> Result<Outcome, FinalizeError> + Send + Sync> Finalizer for Asked<F> {
    fn id(&self) -> &str {
        "asked"
    }

    fn order(&self) -> i32 {
        self.0
    }

    fn finalize(
        &self,
        call: &CompletedCall<'_>,
        _: Option<&ToolDefinition>,
        _: &[ToolDefinition],
        meta: &Meta<'_>,
    ) -> Result<Outcome, FinalizeError> {
        (self.1)(call, meta)
    }
}

fn assembler<F>(options: AssemblerOptions, answer: F) -> Assembler<Event>
where
    F: Fn(&CompletedCall<'_>, &Meta<'_>) -> Result<Outcome, FinalizeError> + Send + Sync + 'static,
{
    let chain: Vec<Arc<dyn Finalizer>> = vec![Arc::new(Asked(0, answer))];
    Assembler::new(chain, vec![ToolDefinition::new("run", r#"{"type": "object"}"#)], options)
}

fn passing(options: AssemblerOptions) -> Assembler<Event> {
    assembler(options, |_, _| Ok(Outcome::pass(Some(Reason::ValidPassThrough))))
}

fn push_all(
    assembler: &mut Assembler<Event>,
    events: impl IntoIterator<Item = Event>,
) -> Result<Vec<Event>, RejectError> {
    let mut sent = Vec::new();
    for event in events {
        sent.extend(assembler.push(event, &Meta::default())?);
    }
    Ok(sent)
}

fn whole(id: &str, delta: &str) -> [Event; 3] {
    [started(id), args(id, delta), finished(id)]
}

fn refused(reason: Option<Reason>, id: &str) -> RejectError {
    RejectError { reason, tool_call_id: id.into() }
}

#[test]
fn attempts_know_nothing_of_each_other() {
    let mut it = passing(AssemblerOptions::default());
    assert_eq!(push_all(&mut it, whole("a", "1")).unwrap(), whole("a", "1"));
    assert_eq!(push_all(&mut it, [started("b"), args("b", "{\"old\":")]).unwrap(), []);
    it.reset();
    assert_eq!(push_all(&mut it, whole("a", "2")).unwrap(), whole("a", "2"), "the id is free again");
    assert_eq!(
        push_all(&mut it, whole("b", "3")).unwrap(),
        whole("b", "3"),
        "nothing is left of the call that was held"
    );
    assert_eq!(it.finish(), []);
    // A rejected id is forgotten too.
    assert!(push_all(&mut it, [args("c", "x")]).is_err());
    assert_eq!(it.push(args("c", "x"), &Meta::default()), Ok(Pushed::Dropped));
    it.reset();
    assert_eq!(push_all(&mut it, whole("c", "4")).unwrap(), whole("c", "4"));
}

#[test]
fn what_never_ends_is_given_back_in_order() {
    let mut it = passing(AssemblerOptions::default());
    push_all(&mut it, [started("z"), started(" a "), args("z", "{"), started("m"), finished("m")]).unwrap();
    let left = it.finish();
    let ids: Vec<_> = left.iter().map(|call| call.tool_call_id.as_str()).collect();
    assert_eq!(ids, ["z", "a"]);
    assert_eq!(left[0].events, [started("z"), args("z", "{")]);
    assert_eq!(left[1].events, [started(" a ")]);
    assert_eq!(it.finish(), []);
}

#[test]
fn a_long_piece_is_rejected_or_let_through_at_once() {
    let long = "x".repeat(10_000_000);
    let events = [started("a"), args("a", &long), args("a", "more"), finished("a")];
    for max_args_bytes in [0, 1, 8_388_608, usize::MAX] {
        let options = AssemblerOptions { max_args_bytes, ..AssemblerOptions::default() };
        let error = push_all(&mut passing(options), events.clone()).unwrap_err();
        assert_eq!(error, refused(Some(Reason::ArgsTooLarge), "a"));

        let options = AssemblerOptions { max_args_bytes, ..AssemblerOptions::reference() };
        assert!(push_all(&mut passing(options), events.clone()).unwrap() == events);
    }
    let fits = "x".repeat(8_388_608);
    let options = AssemblerOptions { max_args_bytes: usize::MAX, ..AssemblerOptions::default() };
    assert_eq!(push_all(&mut passing(options), whole("a", &fits)).unwrap().len(), 3);
}

#[test]
fn nothing_of_a_rejected_call_comes_out_later() {
    let options = AssemblerOptions { max_args_bytes: 4, ..AssemblerOptions::default() };
    let mut it = passing(options);
    assert!(push_all(&mut it, [started("a"), args("a", "12345")]).is_err());
    for event in [args("a", "6"), finished("a"), started("a"), args("a", "1"), finished("a")] {
        assert_eq!(it.push(event, &Meta::default()), Ok(Pushed::Dropped));
    }
    assert_eq!(push_all(&mut it, whole("b", "1")).unwrap(), whole("b", "1"), "another call goes on");
    assert_eq!(it.finish(), []);
}

#[test]
fn by_default_no_call_gets_past_the_finalizers() {
    let streams: [(&str, &[Event]); 7] = [
        ("a", &[args("a", "1")]),
        ("a", &[finished("a")]),
        ("a", &[started("a"), started("a")]),
        ("a", &[started("a"), finished("a"), args("a", "1")]),
        ("a", &[started("a"), finished("a"), started("a")]),
        ("", &[started(" ")]),
        ("", &[args("", "1")]),
    ];
    for (id, events) in streams {
        let error = push_all(&mut passing(AssemblerOptions::default()), events.to_vec()).unwrap_err();
        assert_eq!(error, refused(None, id));
        let sent = push_all(&mut passing(AssemblerOptions::reference()), events.to_vec()).unwrap();
        assert_eq!(sent, events);
    }
    let twice = [started("a"), finished("a"), finished("a")];
    assert_eq!(push_all(&mut passing(AssemblerOptions::default()), twice.clone()).unwrap(), twice);
}

#[test]
fn many_calls_may_be_open_but_not_any_number() {
    const MANY: usize = 20_000;
    let options = AssemblerOptions { max_open_calls: MANY, ..AssemblerOptions::default() };
    let mut it = passing(options);
    let ids: Vec<String> = (0..MANY).map(|i| format!("call-{i}")).collect();
    assert_eq!(push_all(&mut it, ids.iter().map(|id| started(id))).unwrap(), []);
    assert_eq!(push_all(&mut it, ids.iter().map(|id| args(id, "1"))).unwrap(), []);
    assert_eq!(it.push(started("one more"), &Meta::default()), Err(refused(None, "one more")));
    assert_eq!(push_all(&mut it, ids.iter().rev().map(|id| finished(id))).unwrap().len(), 3 * MANY);
    assert_eq!(push_all(&mut it, whole("now there is room", "1")).unwrap().len(), 3);
    let all = ids.iter().map(|id| started(id));
    assert!(push_all(&mut passing(AssemblerOptions::default()), all).is_err(), "the default is lower");
}

#[test]
fn empty_pieces_are_not_held_without_end() {
    let options = AssemblerOptions { max_args_bytes: 10, ..AssemblerOptions::default() };
    let pieces = std::iter::repeat_n(args("a", ""), 5_000);
    let error = push_all(&mut passing(options), std::iter::once(started("a")).chain(pieces)).unwrap_err();
    assert_eq!(error, refused(Some(Reason::ArgsTooLarge), "a"));
}

#[test]
fn a_canceled_request_is_forgotten() {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let mut it = assembler(AssemblerOptions::reference(), move |_, _| {
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        Ok(Outcome::pass(None))
    });
    let cancel = AtomicBool::new(true);
    let meta = Meta { cancel: Some(&cancel), ..Meta::default() };
    assert_eq!(it.push(started("a"), &meta), Ok(Pushed::Held));
    assert_eq!(it.push(started("b"), &meta), Ok(Pushed::Held));
    assert_eq!(it.push(finished("a"), &meta), Err(refused(Some(Reason::Canceled), "a")));
    assert_eq!(it.finish(), []);
    assert!(!asked.load(std::sync::atomic::Ordering::Relaxed));
}

#[cfg(feature = "std")]
#[test]
fn a_panic_is_a_failure() {
    for (options, held) in [(AssemblerOptions::default(), true), (AssemblerOptions::reference(), false)] {
        let mut it = assembler(options, |call, _| match call.args_json {
            b"1" => panic!("as the test wants it"),
            _ => Ok(Outcome::pass(None)),
        });
        let found = push_all(&mut it, whole("a", "1"));
        assert_eq!(found, if held { Err(refused(None, "a")) } else { Ok(whole("a", "1").to_vec()) });
        assert_eq!(push_all(&mut it, whole("b", "2")).unwrap(), whole("b", "2"), "the next call is judged as ever");
    }
}

#[test]
fn a_failure_is_rejected_by_default() {
    let answers: [fn() -> Result<Outcome, FinalizeError>; 3] = [
        || Err(FinalizeError("broken".into())),
        || Ok(Outcome::rewrite("run", "{", Reason::SyntaxRepaired)),
        || Ok(Outcome { args_json: None, ..Outcome::rewrite("run", "", Reason::SyntaxRepaired) }),
    ];
    for answer in answers {
        let mut it = assembler(AssemblerOptions::default(), move |_, _| answer());
        assert_eq!(push_all(&mut it, whole("a", "1")), Err(refused(None, "a")));
        let mut it = assembler(AssemblerOptions::reference(), move |_, _| answer());
        assert_eq!(push_all(&mut it, whole("a", "1")).unwrap(), whole("a", "1"));
    }
}

#[test]
fn the_order_is_by_comparing_not_by_subtracting() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let chain = [i32::MAX, 0, i32::MIN, 1, -1].map(|order| {
        let seen = Arc::clone(&seen);
        let finalizer: Arc<dyn Finalizer> = Arc::new(Asked(order, move |_: &CompletedCall<'_>, _: &Meta<'_>| {
            seen.lock().unwrap().push(order);
            Ok(Outcome::pass(None))
        }));
        Some(finalizer)
    });
    let tools = vec![ToolDefinition::new("run", "")];
    let mut it = Assembler::new(materialize_sorted(chain), tools, AssemblerOptions::default());
    push_all(&mut it, whole("a", "1")).unwrap();
    assert_eq!(*seen.lock().unwrap(), [i32::MIN, -1, 0, 1, i32::MAX]);
}

#[test]
fn the_stop_reason_of_the_event_goes_before_that_of_the_stream() {
    let stops = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&stops);
    let mut it = assembler(AssemblerOptions::default(), move |_, meta| {
        seen.lock().unwrap().push((meta.stop, meta.attempt_seq));
        Ok(Outcome::pass(None))
    });
    let meta = Meta { stop: StopReason::Length, attempt_seq: 7, ..Meta::default() };
    for (id, stop) in [("a", StopReason::Unknown), ("b", StopReason::End)] {
        assert_eq!(it.push(started(id), &meta), Ok(Pushed::Held));
        assert!(it.push(Event::Finished(id.into(), stop), &meta).is_ok());
    }
    assert_eq!(*stops.lock().unwrap(), [(StopReason::Length, 7), (StopReason::End, 7)]);
}

/// Text that must be seen nowhere but in the call itself.
const SECRET: &str = "sk-secret-0123";

#[test]
fn each_call_leaves_a_record_without_its_text() {
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&records);
    let options = AssemblerOptions { max_args_bytes: 60, ..AssemblerOptions::default() };
    let mut it = assembler(options, |call, _| match call.tool_call_id {
        "pass" => Ok(Outcome::pass(Some(Reason::ValidPassThrough))),
        "rewrite" => Ok(Outcome::rewrite("run", call.args_json, Reason::SyntaxRepaired)),
        "reject" => Ok(Outcome::reject(Some(Reason::Unrepairable))),
        _ => Err(FinalizeError(String::from_utf8_lossy(call.args_json).into_owned())),
    })
    .observed_by(Arc::new(move |record: &Diagnostic| kept.lock().unwrap().push(*record)));

    let delta = format!("{{\"key\": \"{SECRET}\"}}");
    let mut said = String::new();
    for id in ["pass", "rewrite", "reject", "fail", "long", "open"] {
        let long = delta.repeat(5);
        let events = match id {
            "long" => whole(id, &long).to_vec(),
            "open" => whole(id, &delta)[..2].to_vec(),
            _ => whole(id, &delta).to_vec(),
        };
        for event in events {
            if let Err(error) = it.push(event, &Meta::default()) {
                said += &format!("{error} {error:?}\n");
            }
            said += &format!("{it:?}\n");
        }
    }
    assert_eq!(it.finish().len(), 1);

    let records = records.lock().unwrap();
    let found: Vec<_> = records.iter().map(|r| (r.action, r.reason, r.unjudged, r.args_bytes)).collect();
    let bytes = delta.len();
    assert_eq!(
        found,
        [
            (Action::Pass, Some(Reason::ValidPassThrough), None, bytes),
            (Action::Rewrite, Some(Reason::SyntaxRepaired), None, bytes),
            (Action::Reject, Some(Reason::Unrepairable), None, bytes),
            (Action::Reject, None, Some(Unjudged::Failed), bytes),
            (Action::Reject, Some(Reason::ArgsTooLarge), Some(Unjudged::TooLong), 5 * bytes),
            (Action::Reject, None, Some(Unjudged::Unfinished), bytes),
        ]
    );
    for record in &*records {
        assert_eq!(record.tool_name, Digest::of(b"run"));
        assert_eq!(record.schema, Some(Digest::of(br#"{"type": "object"}"#)));
        said += &format!("{record} {record:?}\n");
    }
    assert!(said.contains("toolcall: rejected (unrepairable)") && said.contains("not judged: too_long"), "{said}");
    assert!(!said.contains(SECRET) && !said.contains("key"), "{said}");
}

#[test]
fn a_record_counts_what_the_policy_lets_through() {
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&records);
    let mut it = passing(AssemblerOptions { on_unjudged: OnUnjudged::PassThrough, ..AssemblerOptions::default() })
        .observed_by(Arc::new(move |record: &Diagnostic| kept.lock().unwrap().push((record.action, record.unjudged))));
    let events = [args("a", "1"), args("a", "2"), finished("a"), Event::Text(1)];
    assert_eq!(push_all(&mut it, events.clone()).unwrap(), events);
    assert_eq!(*records.lock().unwrap(), [(Action::Pass, Some(Unjudged::OutOfOrder))], "once for the call");
}
