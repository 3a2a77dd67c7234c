//! The stream that a call is: any number of progress items, and one terminal.

mod feed;
mod sender;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::cancel::{CancelToken, Cancelled};
use crate::delta::{self, MAX_DELTA_BYTES};
use crate::{Progress, ToolError, ToolErrorKind, guard};

pub use feed::Feed;
use sender::Buffer;
pub use sender::{ProgressSender, StreamClosed};

/// As many progress items wait for their reader unless set otherwise.
pub const PROGRESS_BUFFER: usize = 32;

/// An item of a [`ToolStream`].
#[derive(Clone, Debug, PartialEq)]
pub enum StreamItem<T> {
    /// A step on the way.
    Progress(Progress),
    /// The end.
    Terminal(Result<T, ToolError>),
}

/// What a tool gives: any number of [`Progress`] items, then one terminal, then nothing.
///
/// The type sees to it, whatever it is made of: what comes after a terminal is never polled for; an end without one becomes
/// a terminal with the error `stream_no_terminal`; a panic becomes one of kind `execution`; a text longer than the limit
/// ([`MAX_DELTA_BYTES`] unless set) comes in pieces. Nothing of the tool is left when the terminal is there.
///
/// It needs no runtime: it works when it is polled, and no faster than it is polled.
///
/// ```
/// use toolprism_contract::{Progress, StreamItem, ToolStream};
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut stream = ToolStream::new(|progress| async move {
///     for file in ["a.txt", "b.txt"] {
///         progress.send(file).await?; // waits while nobody reads
///     }
///     Ok(2)
/// });
/// assert_eq!(stream.next().await, Some(StreamItem::Progress(Progress::text("a.txt"))));
/// assert_eq!(stream.next().await, Some(StreamItem::Progress(Progress::text("b.txt"))));
/// assert_eq!(stream.next().await, Some(StreamItem::Terminal(Ok(2))));
/// assert_eq!(stream.next().await, None);
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ToolStream<T> {
    /// What it is made of; nothing once the terminal is out.
    source: Option<Source<T>>,
    /// The rest of a long text, from this byte on.
    rest: Option<(String, usize)>,
    max_delta_bytes: usize,
    cancel: Option<Cancelled>,
    timer: Option<BoxFuture<()>>,
}

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

enum Source<T> {
    Ended(Option<Result<T, ToolError>>),
    Future(BoxFuture<Result<T, ToolError>>),
    Sending(BoxFuture<Result<T, ToolError>>, Arc<Buffer>),
    /// The future is done, and its last items wait for their reader.
    Sent(Option<Result<T, ToolError>>, Arc<Buffer>),
    Stream(Pin<Box<dyn Stream<Item = StreamItem<T>> + Send>>),
}

/// Nothing in it is pinned where it lies.
impl<T> Unpin for ToolStream<T> {}

impl<T> ToolStream<T> {
    /// A stream of work that is handed a sender for its progress; at most [`PROGRESS_BUFFER`] items wait for their reader.
    pub fn new<F>(work: impl FnOnce(ProgressSender) -> F) -> Self
    where
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        ToolStream::buffered(PROGRESS_BUFFER, work)
    }

    /// As [`new`](Self::new), with another bound on the items that wait; at least one may.
    pub fn buffered<F>(items: usize, work: impl FnOnce(ProgressSender) -> F) -> Self
    where
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        let buffer = Arc::new(Buffer::new(items));
        let work = work(ProgressSender::new(buffer.clone()));
        ToolStream::of(Source::Sending(Box::pin(work), buffer))
    }

    /// A stream without progress.
    pub fn from_future(work: impl Future<Output = Result<T, ToolError>> + Send + 'static) -> Self {
        ToolStream::of(Source::Future(Box::pin(work)))
    }

    /// What a stream of another make gives, up to its first terminal.
    pub fn from_stream(stream: impl Stream<Item = StreamItem<T>> + Send + 'static) -> Self {
        ToolStream::of(Source::Stream(Box::pin(stream)))
    }

    /// A stream that is at its end.
    pub fn terminal(result: Result<T, ToolError>) -> Self {
        ToolStream::of(Source::Ended(Some(result)))
    }

    fn of(source: Source<T>) -> Self {
        ToolStream { source: Some(source), rest: None, max_delta_bytes: MAX_DELTA_BYTES, cancel: None, timer: None }
    }

    /// Ends with the error `cancelled` when the token is cancelled.
    pub fn with_cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.cancelled());
        self
    }

    /// Ends with the error `timeout` when the timer is ready, such as `tokio::time::sleep(limit)`. A result that is there
    /// by then still counts.
    pub fn with_timeout(self, timer: impl Future<Output = ()> + Send + 'static) -> Self {
        self.with_timer(Some(Box::pin(timer)))
    }

    pub(crate) fn with_timer(mut self, timer: Option<BoxFuture<()>>) -> Self {
        self.timer = timer;
        self
    }

    /// Texts come in pieces of at most so many bytes; fewer than four are taken for four.
    pub fn with_max_delta_bytes(mut self, bytes: usize) -> Self {
        self.max_delta_bytes = bytes.max(delta::MAX_CHARACTER);
        self
    }

    /// The same with another result.
    pub fn map<U>(self, change: impl FnOnce(T) -> Result<U, ToolError> + Send + Unpin + 'static) -> ToolStream<U>
    where
        T: Send + 'static,
    {
        ToolStream::from_stream(Mapped { inner: self, change: Some(change) })
    }

    /// The next item; `None` after the terminal.
    pub async fn next(&mut self) -> Option<StreamItem<T>> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    /// Runs to the end, and gives the result alone.
    pub async fn result(mut self) -> Result<T, ToolError> {
        loop {
            match self.next().await {
                Some(StreamItem::Progress(_)) => {}
                Some(StreamItem::Terminal(result)) => return result,
                None => return Err(no_terminal()),
            }
        }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<StreamItem<T>>> {
        if self.source.is_none() {
            return Poll::Ready(None);
        }
        if self.cancel.as_ref().is_some_and(Cancelled::is_cancelled) {
            return self.end(Err(ToolError::new(ToolErrorKind::Cancelled, "the call was cancelled")));
        }
        let late = self.timer.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready());
        if let Some(piece) = self.piece().filter(|_| !late) {
            return Poll::Ready(Some(StreamItem::Progress(piece)));
        }
        let item = self.poll_source(cx);
        if late && !matches!(item, Poll::Ready(StreamItem::Terminal(_))) {
            return self.end(Err(ToolError::new(ToolErrorKind::Timeout, "the call took longer than it may")));
        }
        match item {
            Poll::Ready(StreamItem::Terminal(result)) => self.end(result),
            Poll::Ready(StreamItem::Progress(Progress::Text { text })) if text.len() > self.max_delta_bytes => {
                self.rest = Some((text, 0));
                Poll::Ready(self.piece().map(StreamItem::Progress))
            }
            Poll::Ready(progress) => Poll::Ready(Some(progress)),
            Poll::Pending => {
                let cancelled = self.cancel.as_mut().is_some_and(|cancel| Pin::new(cancel).poll(cx).is_ready());
                if cancelled { self.poll(cx) } else { Poll::Pending }
            }
        }
    }

    /// The next item of what it is made of; also when that has none left, or panics.
    fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<StreamItem<T>> {
        let Some(source) = &mut self.source else { return Poll::Ready(StreamItem::Terminal(Err(no_terminal()))) };
        match guard::run(|| source.poll(cx)) {
            Ok(polled) => polled,
            Err(panic) => Poll::Ready(StreamItem::Terminal(Err(panic))),
        }
    }

    /// More of a long text.
    fn piece(&mut self) -> Option<Progress> {
        let (text, at) = self.rest.as_mut()?;
        let (piece, rest) = delta::split(text.get(*at..)?, self.max_delta_bytes);
        let piece = Progress::text(piece);
        if rest.is_empty() {
            self.rest = None;
        } else {
            *at = text.len() - rest.len();
        }
        Some(piece)
    }

    /// Lets go of everything, and gives the terminal.
    fn end(&mut self, result: Result<T, ToolError>) -> Poll<Option<StreamItem<T>>> {
        self.let_go();
        (self.rest, self.cancel, self.timer) = (None, None, None);
        Poll::Ready(Some(StreamItem::Terminal(result)))
    }

    /// What a tool does when it is dropped is the tool's own code, too; the result that is out already stands.
    fn let_go(&mut self) {
        let source = self.source.take();
        if let Some(Source::Sending(_, buffer) | Source::Sent(_, buffer)) = &source {
            buffer.close();
        }
        let _ = guard::run(|| drop(source));
    }
}

impl<T> Source<T> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<StreamItem<T>> {
        match self {
            Source::Ended(result) => Poll::Ready(StreamItem::Terminal(take(result))),
            Source::Future(work) => work.as_mut().poll(cx).map(StreamItem::Terminal),
            Source::Sending(work, buffer) => {
                if let Some(item) = buffer.take() {
                    return Poll::Ready(StreamItem::Progress(item));
                }
                match work.as_mut().poll(cx) {
                    Poll::Pending => buffer.take_or_wait(cx.waker()).map(StreamItem::Progress),
                    Poll::Ready(result) => {
                        buffer.close();
                        *self = Source::Sent(Some(result), buffer.clone());
                        self.poll(cx)
                    }
                }
            }
            Source::Sent(result, buffer) => Poll::Ready(match buffer.take() {
                Some(item) => StreamItem::Progress(item),
                None => StreamItem::Terminal(take(result)),
            }),
            Source::Stream(stream) => {
                let item = ready!(stream.as_mut().poll_next(cx));
                Poll::Ready(item.unwrap_or_else(|| StreamItem::Terminal(Err(no_terminal()))))
            }
        }
    }
}

fn take<T>(result: &mut Option<Result<T, ToolError>>) -> Result<T, ToolError> {
    result.take().unwrap_or_else(|| Err(no_terminal()))
}

fn no_terminal() -> ToolError {
    ToolError::custom("stream_no_terminal", "the tool's stream ended without a result")
}

impl<T> Stream for ToolStream<T> {
    type Item = StreamItem<T>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<StreamItem<T>>> {
        self.get_mut().poll(cx)
    }
}

impl<T> Drop for ToolStream<T> {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl<T> fmt::Debug for ToolStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolStream").field("ended", &self.source.is_none()).finish_non_exhaustive()
    }
}

struct Mapped<T, F> {
    inner: ToolStream<T>,
    change: Option<F>,
}

impl<T, U, F: FnOnce(T) -> Result<U, ToolError> + Unpin> Stream for Mapped<T, F> {
    type Item = StreamItem<U>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<StreamItem<U>>> {
        Poll::Ready(match ready!(self.inner.poll(cx)) {
            Some(StreamItem::Progress(progress)) => Some(StreamItem::Progress(progress)),
            Some(StreamItem::Terminal(result)) => {
                let change = self.change.take();
                let changed = |value| change.map_or_else(|| Err(no_terminal()), |change| change(value));
                Some(StreamItem::Terminal(result.and_then(changed)))
            }
            None => None,
        })
    }
}
