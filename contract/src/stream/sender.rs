//! The bounded buffer between a tool and who reads its progress.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use crate::{Progress, ToolError, ToolErrorKind};

/// Sends progress to whoever reads the [`ToolStream`](super::ToolStream). May be cloned and sent to other tasks and threads.
#[derive(Clone)]
pub struct ProgressSender(Arc<Buffer>);

/// Nobody reads any more: the call has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamClosed;

impl fmt::Display for StreamClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads the progress of this call any more: it has ended")
    }
}

impl std::error::Error for StreamClosed {}

/// So that a tool can use `?` when it sends.
impl From<StreamClosed> for ToolError {
    fn from(closed: StreamClosed) -> Self {
        ToolError::new(ToolErrorKind::Cancelled, closed.to_string())
    }
}

impl ProgressSender {
    pub(super) fn new(buffer: Arc<Buffer>) -> Self {
        ProgressSender(buffer)
    }

    /// Sends one item, and waits while the buffer is full. Nothing is dropped for want of a reader.
    pub async fn send(&self, progress: impl Into<Progress>) -> Result<(), StreamClosed> {
        let mut item = Some(progress.into());
        poll_fn(|cx| {
            let mut state = self.0.state();
            if state.closed {
                return Poll::Ready(Err(StreamClosed));
            }
            if state.items.len() >= state.most {
                if !state.senders.iter().any(|waker| waker.will_wake(cx.waker())) {
                    state.senders.push(cx.waker().clone());
                }
                return Poll::Pending;
            }
            state.items.extend(item.take());
            let reader = state.reader.take();
            drop(state);
            if let Some(reader) = reader {
                reader.wake();
            }
            Poll::Ready(Ok(()))
        })
        .await
    }
}

impl fmt::Debug for ProgressSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressSender").finish_non_exhaustive()
    }
}

pub(super) struct Buffer(Mutex<State>);

struct State {
    items: VecDeque<Progress>,
    most: usize,
    reader: Option<Waker>,
    /// Those who wait for room; a task that sends more than once at a time waits once.
    senders: Vec<Waker>,
    closed: bool,
}

impl Buffer {
    pub(super) fn new(most: usize) -> Self {
        let (items, senders) = (VecDeque::new(), Vec::new());
        Buffer(Mutex::new(State { items, most: most.max(1), reader: None, senders, closed: false }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The oldest item. When the last one is taken there is room again, and whoever waits for it is woken.
    pub(super) fn take(&self) -> Option<Progress> {
        let mut state = self.state();
        let item = state.items.pop_front();
        if state.items.is_empty() {
            wake(state);
        }
        item
    }

    /// The oldest item, or else the reader is woken when one comes.
    pub(super) fn take_or_wait(&self, reader: &Waker) -> Poll<Progress> {
        let mut state = self.state();
        if let Some(item) = state.items.pop_front() {
            if state.items.is_empty() {
                wake(state);
            }
            return Poll::Ready(item);
        }
        match &mut state.reader {
            Some(waker) => waker.clone_from(reader),
            none => *none = Some(reader.clone()),
        }
        Poll::Pending
    }

    /// Refuses what is still sent.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        wake(state);
    }
}

fn wake(mut state: MutexGuard<'_, State>) {
    let senders = std::mem::take(&mut state.senders);
    drop(state);
    senders.into_iter().for_each(Waker::wake);
}
