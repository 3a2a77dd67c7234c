//! What several modules' tests need: polling by hand.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_core::Stream;

/// A waker that counts.
#[derive(Clone, Default)]
pub(crate) struct Wakes(Arc<Count>);

#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Wakes {
    pub(crate) fn count(&self) -> usize {
        self.0.0.load(Ordering::SeqCst)
    }

    fn waker(&self) -> Waker {
        Waker::from(self.0.clone())
    }
}

pub(crate) fn poll_once<F: Future>(future: Pin<&mut F>, wakes: &Wakes) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(&wakes.waker()))
}

pub(crate) fn poll_item<S: Stream + Unpin>(stream: &mut S, wakes: &Wakes) -> Poll<Option<S::Item>> {
    Pin::new(stream).poll_next(&mut Context::from_waker(&wakes.waker()))
}
