//! A stream whose items come from outside.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;

use super::{StreamItem, ToolStream};
use crate::{Progress, ToolError};

/// Where the items of a stream go in: for work that is done where there are no futures, as in another language.
///
/// Who feeds is the one who reads on: items wait for their reader, without a bound. A feed that is dropped without an end ends its
/// stream with the error `stream_no_terminal`.
///
/// ```
/// use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use toolprism_contract::{Progress, StreamItem, ToolStream};
/// let (feed, stream) = ToolStream::fed();
/// let mut stream = std::pin::pin!(stream);
/// let mut cx = Context::from_waker(Waker::noop());
/// assert_eq!(stream.as_mut().poll_next(&mut cx), Poll::Pending);
/// feed.progress("half");
/// feed.end(Ok(2));
/// assert_eq!(stream.as_mut().poll_next(&mut cx), Poll::Ready(Some(StreamItem::Progress(Progress::text("half")))));
/// assert_eq!(stream.as_mut().poll_next(&mut cx), Poll::Ready(Some(StreamItem::Terminal(Ok(2)))));
/// ```
pub struct Feed<T>(Arc<Mutex<Fed<T>>>);

struct Fed<T> {
    items: VecDeque<StreamItem<T>>,
    reader: Option<Waker>,
    closed: bool,
}

struct Reader<T>(Arc<Mutex<Fed<T>>>);

impl<T: Send + 'static> ToolStream<T> {
    /// A stream, and where its items go in.
    pub fn fed() -> (Feed<T>, Self) {
        let fed = Arc::new(Mutex::new(Fed { items: VecDeque::new(), reader: None, closed: false }));
        (Feed(fed.clone()), ToolStream::from_stream(Reader(fed)))
    }
}

impl<T> Feed<T> {
    /// A step on the way.
    pub fn progress(&self, progress: impl Into<Progress>) {
        self.put(Some(StreamItem::Progress(progress.into())));
    }

    /// The end.
    pub fn end(self, result: Result<T, ToolError>) {
        self.put(Some(StreamItem::Terminal(result)));
    }

    fn put(&self, item: Option<StreamItem<T>>) {
        let mut fed = locked(&self.0);
        fed.closed |= item.is_none();
        fed.items.extend(item);
        let reader = fed.reader.take();
        drop(fed);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        self.put(None);
    }
}

impl<T> Stream for Reader<T> {
    type Item = StreamItem<T>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<StreamItem<T>>> {
        let mut fed = locked(&self.0);
        match fed.items.pop_front() {
            Some(item) => Poll::Ready(Some(item)),
            None if fed.closed => Poll::Ready(None),
            None => {
                fed.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

fn locked<T>(fed: &Mutex<Fed<T>>) -> MutexGuard<'_, Fed<T>> {
    fed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> fmt::Debug for Feed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}
