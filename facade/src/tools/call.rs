//! A call whose work is done elsewhere.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde_json::value::RawValue;
use toolprism_contract::arguments::{Arguments, Leniency};
use toolprism_contract::{
    CallContext, Dispatch, Extensions, Feed, Outcome, Output, Progress, Status, ToolError, ToolErrorKind, ToolStream,
};

use super::definition::{End, read};
use crate::Error;

/// Where a call's work is laid down for whoever does it.
#[derive(Clone, Default)]
pub(super) struct Desk(Arc<Mutex<Work>>);

#[derive(Default)]
struct Work {
    /// The largest integer that whoever does the work can read.
    max_integer: Option<u64>,
    arguments: Option<Arguments>,
    feed: Option<Feed<Output>>,
}

impl Desk {
    /// A desk, and what a call is told so that its tool finds it.
    pub(super) fn new(max_integer: Option<u64>) -> (Desk, Extensions) {
        let desk = Desk(Arc::new(Mutex::new(Work { max_integer, ..Work::default() })));
        let mut extensions = Extensions::new();
        extensions.insert(desk.clone());
        (desk, extensions)
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work of all tools here: it is laid down on the desk of the call.
pub(super) fn work(context: CallContext, arguments: Arguments) -> ToolStream<Output> {
    let Some(desk) = context.extensions.get::<Desk>() else {
        return ToolStream::terminal(Err(ToolError::new(
            ToolErrorKind::NotImplemented,
            "nobody does this tool's work",
        )));
    };
    let mut work = desk.work();
    if let Some(Err(why)) = work.max_integer.map(|most| arguments.within(most)) {
        return ToolStream::terminal(Err(why.into()));
    }
    let (feed, stream) = ToolStream::fed();
    (work.arguments, work.feed) = (Some(arguments), Some(feed));
    stream
}

/// A call under way, or at its end.
pub struct ToolCall {
    /// Nothing once the end is told.
    dispatch: Option<Dispatch<'static>>,
    desk: Desk,
    /// Whoever does the work has been told what it is.
    is_told: bool,
}

impl ToolCall {
    pub(super) fn new(dispatch: Dispatch<'static>, desk: Desk) -> Self {
        ToolCall { dispatch: Some(dispatch), desk, is_told: false }
    }

    /// Tells of progress: a JSON string, which is more of the output, or an object as the contract has it, such as
    /// `{"kind": "content", "blocks": [...]}`. Anything else is an error of kind `wrong_type`. The answer is that of
    /// [`begin`](super::ToolRegistry::begin).
    pub fn progress(&mut self, item: &[u8]) -> Result<String, Error> {
        let progress = match item.trim_ascii_start().first() {
            Some(b'"') => Progress::Text { text: read(item)? },
            _ => read(item)?,
        };
        match &self.desk.work().feed {
            Some(feed) => feed.progress(progress),
            None => return Err(over()),
        }
        Ok(self.steps())
    }

    /// Ends the call by what came of its work: `{"output": ...}` with `type`, `prompt`, `is_error` and `content` as far as they are
    /// wanted; `{"error": {"kind", "message", "details"}}`; `{"problems": [{"path", "category", "expected", "hint"}]}` for arguments
    /// that it does not take; `{}` if it ended without any of them, which is an error. An output that has no JSON fails the
    /// call.
    pub fn end(&mut self, result: &[u8]) -> Result<String, Error> {
        let end = read::<End<'_>>(result);
        let mut work = self.desk.work();
        let Some(feed) = work.feed.take() else { return Err(over()) };
        let arguments = work.arguments.take();
        drop(work);
        match (end, arguments) {
            (Err(why), _) => feed.end(Err(Output::unwritten(why))),
            (Ok(End { problems: Some(problems), .. }), Some(arguments)) => {
                feed.end(Err(arguments.refused(problems.into_iter().map(Into::into)).into()));
            }
            (Ok(end), _) => match end.result() {
                Some(result) => feed.end(result),
                None => drop(feed),
            },
        }
        Ok(self.steps())
    }

    /// What has happened since this was asked last, as JSON.
    pub(super) fn steps(&mut self) -> String {
        let mut steps = Steps::default();
        let Some(mut dispatch) = self.dispatch.take() else { return text(&steps) };
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            match dispatch.poll_next(&mut cx) {
                // An update is JSON.
                Poll::Ready(Some(update)) => steps.updates.extend(RawValue::from_string(update.to_json())),
                Poll::Ready(None) => {
                    let outcome = dispatch.outcome();
                    steps.outcome = Some(Told::of(&outcome));
                    return text(&steps);
                }
                Poll::Pending => break,
            }
        }
        let work = self.desk.work();
        if !std::mem::replace(&mut self.is_told, true) {
            steps.run = work.arguments.as_ref().zip(dispatch.key()).map(|(arguments, key)| Run {
                tool: key.as_str(),
                arguments: arguments.text(),
                changes: dispatch.changes(),
            });
        }
        let text = text(&steps);
        drop(work);
        self.dispatch = Some(dispatch);
        text
    }
}

impl std::fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolCall").field("dispatch", &self.dispatch).finish_non_exhaustive()
    }
}

fn over() -> Error {
    Error::new("ended", "the call has ended: nothing can be told of it any more")
}

#[derive(Default, Serialize)]
struct Steps<'s> {
    updates: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Told<'s>>,
}

#[derive(Serialize)]
struct Run<'s> {
    tool: &'s str,
    arguments: &'s str,
    changes: &'s [Leniency],
}

#[derive(Serialize)]
struct Told<'s> {
    is_error: bool,
    prompt: &'s str,
    output: Option<&'s Output>,
    error: Option<&'s ToolError>,
    changes: &'s [Leniency],
}

impl<'s> Told<'s> {
    fn of(outcome: &'s Outcome) -> Self {
        let is_error = outcome.status() == Status::Failed;
        let (output, error) = (outcome.result.as_ref().ok(), outcome.result.as_ref().err());
        Told { is_error, prompt: outcome.prompt(), output, error, changes: &outcome.changes }
    }
}

/// All that is in there has a JSON form.
fn text(steps: &Steps<'_>) -> String {
    serde_json::to_string(steps).unwrap_or_default()
}
