//! Stopping a call from outside, without a runtime.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Tells a call, and whatever works for it, to stop. Clones are the same token.
///
/// A stream that has the token ends with a `cancelled` terminal, and what it runs is dropped, which stops it at its next
/// `.await`. A tool that works in another task or thread asks [`is_cancelled`](Self::is_cancelled), or awaits
/// [`cancelled`](Self::cancelled).
///
/// ```
/// use toolprism_contract::CancelToken;
/// let token = CancelToken::new();
/// let its_clone = token.clone();
/// token.cancel();
/// assert!(its_clone.is_cancelled());
/// ```
#[derive(Clone, Debug)]
pub struct CancelToken(Option<Arc<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    wakers: Vec<(u64, Waker)>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        CancelToken(Some(Arc::default()))
    }

    /// A token that is never cancelled, whatever is done with it.
    pub const fn never() -> Self {
        CancelToken(None)
    }

    /// Cancels, for good.
    pub fn cancel(&self) {
        let Some(shared) = &self.0 else { return };
        shared.cancelled.store(true, Ordering::Release);
        let wakers = std::mem::take(&mut shared.waiting().wakers);
        wakers.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|shared| shared.cancelled.load(Ordering::Acquire))
    }

    /// Is ready when it is cancelled.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled { token: self.clone(), place: None }
    }
}

impl Default for CancelToken {
    fn default() -> Self {
        CancelToken::new()
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What [`CancelToken::cancelled`] gives.
#[derive(Debug)]
pub struct Cancelled {
    token: CancelToken,
    /// Which of the wakers is this one's.
    place: Option<u64>,
}

impl Cancelled {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(shared) = &this.token.0 else { return Poll::Pending };
        let mut waiting = shared.waiting();
        // Under the lock: whoever cancels sets the flag before it takes the wakers.
        if this.token.is_cancelled() {
            return Poll::Ready(());
        }
        let known = waiting.wakers.iter_mut().find(|(place, _)| Some(*place) == this.place);
        match known {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => {
                waiting.last += 1;
                let place = waiting.last;
                waiting.wakers.push((place, cx.waker().clone()));
                this.place = Some(place);
            }
        }
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let (Some(mine), Some(shared)) = (self.place, &self.token.0) {
            shared.waiting().wakers.retain(|(place, _)| *place != mine);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Wakes, poll_once};
    use std::pin::pin;

    fn waiting(token: &CancelToken) -> usize {
        token.0.as_ref().map_or(0, |shared| shared.waiting().wakers.len())
    }

    #[test]
    fn never_is_never() {
        let token = CancelToken::never();
        token.cancel();
        assert!(!token.is_cancelled());
        assert!(poll_once(pin!(token.cancelled()), &Wakes::default()).is_pending());
    }

    #[test]
    fn whoever_waits_is_woken_once_and_forgotten_when_dropped() {
        let token = CancelToken::new();
        let wakes = Wakes::default();
        let mut waits = Box::pin(token.cancelled());
        assert!(poll_once(waits.as_mut(), &wakes).is_pending());
        assert!(poll_once(waits.as_mut(), &wakes).is_pending());
        let other = Box::pin(token.cancelled());
        assert_eq!(waiting(&token), 1);
        drop(other);
        token.cancel();
        assert_eq!(wakes.count(), 1);
        assert!(poll_once(waits.as_mut(), &wakes).is_ready());
        assert!(poll_once(pin!(token.cancelled()), &wakes).is_ready());
    }

    #[test]
    fn a_dropped_wait_leaves_nothing_behind() {
        let token = CancelToken::new();
        let wakes = Wakes::default();
        let mut waits = Box::pin(token.cancelled());
        assert!(poll_once(waits.as_mut(), &wakes).is_pending());
        drop(waits);
        assert_eq!(waiting(&token), 0);
        token.cancel();
        assert_eq!(wakes.count(), 0);
    }
}
