//! Many calls at once, and calls that are stopped or dropped wherever they stand.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};

use serde_json::{Value, json};
use toolprism_contract::{
    CallOptions, CallRequest, CancelToken, DynTool, Output, Registry, Status, ToolConfig, ToolErrorKind, ToolStream,
};

use crate::tools::{ReadFile, call, dynamic, open, registry};

/// How many calls of a tool are under way, and how many ever were.
#[derive(Clone, Default)]
struct Running(Arc<AtomicUsize>, Arc<AtomicUsize>);

struct One(Running);

impl Running {
    fn begin(&self) -> One {
        self.0.fetch_add(1, Ordering::SeqCst);
        self.1.fetch_add(1, Ordering::SeqCst);
        One(self.clone())
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for One {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Tells of progress three times, with a pause each, and then ends, panics or waits for ever as it is told.
fn worker(running: &Running) -> Arc<dyn DynTool> {
    let running = running.clone();
    Arc::new(dynamic("work", open(), move |_, arguments: Value| {
        let one = running.begin();
        ToolStream::new(|progress| async move {
            let _one = one;
            for step in 0..3 {
                progress.send(format!("{step}")).await?;
                tokio::task::yield_now().await;
            }
            match arguments["then"].as_str() {
                Some("panic") => panic!("as it was told"),
                Some("wait") => pending().await,
                _ => Output::of(&arguments),
            }
        })
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_at_once_disturb_each_other_in_nothing() {
    let running = Running::default();
    let registry = registry([worker(&running)]);
    let begun = running.1.clone();
    let token = CancelToken::new();
    let calls: Vec<_> = (0..1_000)
        .map(|number| {
            let (registry, token) = (registry.clone(), token.clone());
            tokio::spawn(async move {
                let then = ["end", "panic", "wait", "refuse"][number % 4];
                let arguments = json!({"number": number, "then": then}).to_string();
                let arguments = if then == "refuse" { "{" } else { &arguments };
                let id = number.to_string();
                let request = CallRequest { id: &id, name: "work", arguments };
                // Those that end by themselves cannot be cancelled.
                let options = CallOptions::new();
                let options = if then == "wait" { options.with_cancel(token) } else { options };
                let mut steps = 0;
                let outcome = registry.dispatch(request, options).run(|update| {
                    assert_eq!(update.tool_call_id, id);
                    steps += 1;
                });
                (outcome.await, steps)
            })
        })
        .collect();
    let cancel = async {
        // All that wait have been begun, and those that do not are over.
        while begun.load(Ordering::SeqCst) != 750 || running.count() != 250 {
            tokio::task::yield_now().await;
        }
        token.cancel();
    };
    let ended = async {
        for (number, task) in calls.into_iter().enumerate() {
            let (outcome, steps) = task.await.unwrap();
            match number % 4 {
                0 => assert_eq!((outcome.prompt(), steps), (&*json!({"number": number, "then": "end"}).to_string(), 6)),
                1 => assert_eq!((outcome.prompt(), steps), ("the tool panicked: as it was told", 6)),
                2 => assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::Cancelled),
                _ => assert_eq!((outcome.result.unwrap_err().kind, steps), (ToolErrorKind::InvalidArguments, 2)),
            }
        }
    };
    tokio::join!(cancel, ended);
    assert_eq!(running.count(), 0, "nothing is left");
}

#[tokio::test]
async fn a_call_can_be_cancelled_at_every_step() {
    for steps in 0..8 {
        let running = Running::default();
        let registry = registry([worker(&running)]);
        let token = CancelToken::new();
        let request = CallRequest { id: "c", name: "work", arguments: r#"{"then": "wait"}"# };
        let mut call = registry.dispatch(request, CallOptions::new().with_cancel(token.clone()));
        for _ in 0..steps.min(5) {
            assert_ne!(call.next().await.unwrap().status, Status::Failed);
        }
        if steps >= 5 {
            assert!(call.poll_next(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        token.cancel();
        let mut rest = Vec::new();
        while let Some(update) = call.next().await {
            rest.push(update.status);
        }
        // Before it is announced the announcement is told still, so that its client knows what has failed.
        let told: &[Status] = if steps == 0 { &[Status::Pending, Status::Failed] } else { &[Status::Failed] };
        assert_eq!(rest, told, "after {steps} steps");
        assert!(call.next().await.is_none());
        assert_eq!(call.outcome().result.unwrap_err().kind, ToolErrorKind::Cancelled);
        assert_eq!(running.count(), 0);
    }
}

#[tokio::test]
async fn a_call_can_be_dropped_at_every_step() {
    let running = Running::default();
    let registry = registry([worker(&running)]);
    for steps in 0..7 {
        let request = CallRequest { id: "c", name: "work", arguments: r#"{"then": "wait"}"# };
        let mut call = registry.dispatch(request, CallOptions::new());
        for _ in 0..steps.min(5) {
            assert!(call.next().await.is_some());
        }
        if steps >= 5 {
            assert!(call.poll_next(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert_eq!(running.count(), usize::from(steps >= 2));
        drop(call);
        assert_eq!(running.count(), 0, "after {steps} steps");
    }
    let (_, outcome) = crate::tools::call(&registry, "work", "{}").await;
    assert_eq!(outcome.status(), Status::Completed);
}

#[tokio::test]
async fn a_stream_that_never_ends_is_ended_by_its_timer_and_bounds_its_text() {
    let tool = dynamic("flood", open(), |_, _| {
        ToolStream::new(|progress| async move {
            loop {
                progress.send("x".repeat(1 << 20)).await?;
            }
        })
    });
    let registry = registry([Arc::new(tool) as Arc<dyn DynTool>]);
    let timer = async {
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
    };
    let request = CallRequest { id: "c", name: "flood", arguments: "{}" };
    let options = CallOptions::new().with_timeout(timer);
    let mut largest = 0;
    let call = registry.dispatch(request, options).run(|update| largest = largest.max(update.to_json().len()));
    let outcome = call.await;
    assert_eq!(outcome.result.unwrap_err().kind, ToolErrorKind::Timeout);
    assert!(largest < 1 << 20, "{largest}");
}

#[tokio::test]
async fn renames_that_make_no_sense_are_refused_and_change_nothing() {
    let mut registry = Registry::new();
    for (parameters, words) in [
        (json!({"": "a"}), "has none of that name"),
        (json!({"/": "a"}), "has none of that name"),
        (json!({"/target_file/x": "a"}), "has none of that name"),
        (json!({"target_file": ""}), "its new name is none"),
        (json!({"target_file": "offset"}), "is called \"offset\""),
        (json!({"target_file": "same", "offset": "same"}), "is called \"same\""),
        (json!({"target_file": "a", "/target_file": "b"}), "it is given another name as well"),
        (json!({"/".repeat(1_000): "a"}), "has none of that name"),
    ] {
        let config: ToolConfig = serde_json::from_value(json!({ "parameters": parameters })).unwrap();
        match registry.register_as(Arc::new(ReadFile), &config) {
            Err(error) => assert!(error.to_string().contains(words), "{parameters}: {error}"),
            Ok(()) => panic!("{parameters} is taken"),
        }
        assert!(registry.is_empty());
    }
    let same =
        ToolConfig { parameters: [("target_file".into(), "target_file".into())].into(), ..ToolConfig::default() };
    registry.register_as(Arc::new(ReadFile), &same).unwrap();
    assert_eq!(call(&registry, "read_file", r#"{"target_file": "a"}"#).await.1.prompt(), "line 1");
}
