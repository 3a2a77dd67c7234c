use super::*;
use crate::testing::{Wakes, poll_item};
use std::collections::VecDeque;
use std::future::{pending, ready};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn texts<T>(items: &[StreamItem<T>]) -> Vec<&str> {
    items
        .iter()
        .filter_map(|item| match item {
            StreamItem::Progress(Progress::Text { text }) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

async fn all<T>(mut stream: ToolStream<T>) -> Vec<StreamItem<T>> {
    let mut items = Vec::new();
    while let Some(item) = stream.next().await {
        items.push(item);
    }
    assert!(stream.next().await.is_none(), "an end is an end");
    items
}

/// The one terminal, which comes last.
async fn terminal<T: Clone>(stream: ToolStream<T>) -> Result<T, ToolError> {
    let items = all(stream).await;
    let terminals = items.iter().filter(|item| matches!(item, StreamItem::Terminal(_))).count();
    assert_eq!(terminals, 1);
    match items.last() {
        Some(StreamItem::Terminal(result)) => result.clone(),
        _ => panic!("the terminal does not come last"),
    }
}

/// A stream of these items that counts how often it is polled.
struct Items<T>(VecDeque<StreamItem<T>>, Arc<AtomicUsize>);

impl<T> Unpin for Items<T> {}

impl<T> Stream for Items<T> {
    type Item = StreamItem<T>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<StreamItem<T>>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(self.0.pop_front())
    }
}

fn items<T: Send + 'static>(items: impl IntoIterator<Item = StreamItem<T>>) -> (ToolStream<T>, Arc<AtomicUsize>) {
    let polls = Arc::new(AtomicUsize::new(0));
    (ToolStream::from_stream(Items(items.into_iter().collect(), polls.clone())), polls)
}

/// Says when it is dropped.
struct Witness(Arc<AtomicBool>);

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn witness() -> (Witness, Arc<AtomicBool>) {
    let gone = Arc::new(AtomicBool::new(false));
    (Witness(gone.clone()), gone)
}

#[tokio::test]
async fn nothing_passes_after_the_first_terminal() {
    let (stream, polls) = items([
        StreamItem::Progress("a".into()),
        StreamItem::Terminal(Ok(1)),
        StreamItem::Terminal(Ok(2)),
        StreamItem::Progress("b".into()),
    ]);
    let got = all(stream).await;
    assert_eq!(got, [StreamItem::Progress("a".into()), StreamItem::Terminal(Ok(1))]);
    assert_eq!(polls.load(Ordering::SeqCst), 2, "what comes after it is not even asked for");
}

#[tokio::test]
async fn an_end_without_a_terminal_becomes_one() {
    let (stream, _) = items::<()>([StreamItem::Progress("a".into())]);
    let got = all(stream).await;
    assert_eq!(texts(&got), ["a"]);
    let StreamItem::Terminal(Err(error)) = &got[1] else { panic!("{got:?}") };
    assert_eq!((error.kind, error.code()), (ToolErrorKind::Custom, "stream_no_terminal"));
}

#[tokio::test]
async fn a_result_is_what_the_terminal_says_whatever_comes_before() {
    let (stream, _) =
        items([StreamItem::Progress("a".into()), StreamItem::Terminal(Ok(1)), StreamItem::Terminal(Ok(2))]);
    assert_eq!(stream.result().await, Ok(1));
    let (stream, _) = items::<()>([StreamItem::Progress("a".into())]);
    assert_eq!(stream.result().await.unwrap_err().code(), "stream_no_terminal");
}

#[tokio::test]
async fn a_stream_of_no_progress_has_a_terminal() {
    assert_eq!(all(ToolStream::terminal(Ok(1))).await, [StreamItem::Terminal(Ok(1))]);
    assert_eq!(all(ToolStream::from_future(ready(Ok(2)))).await, [StreamItem::Terminal(Ok(2))]);
    assert_eq!(all(ToolStream::new(|_| ready(Ok(3)))).await, [StreamItem::Terminal(Ok(3))]);
    let failed = ToolError::execution("no");
    assert_eq!(ToolStream::<()>::terminal(Err(failed.clone())).result().await, Err(failed));
}

#[tokio::test]
async fn panics_are_terminals() {
    let futures: [ToolStream<()>; 3] = [
        ToolStream::from_future(async { panic!("boom {}", 1) }),
        ToolStream::new(|progress| async move {
            let _ = progress.send("a").await;
            panic!("boom {}", 1)
        }),
        ToolStream::from_stream(poll_fn_stream(|| panic!("boom {}", 1))),
    ];
    for stream in futures {
        let error = terminal(stream).await.unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (ToolErrorKind::Execution, "the tool panicked: boom 1"));
    }
    let error = terminal(ToolStream::terminal(Ok(1)).map(|_| -> Result<(), _> { panic!("static") })).await.unwrap_err();
    assert_eq!(error.message, "the tool panicked: static");
}

/// A stream made of a function.
fn poll_fn_stream<T: Send + 'static>(
    work: impl FnMut() -> Poll<Option<StreamItem<T>>> + Send + Unpin + 'static,
) -> impl Stream<Item = StreamItem<T>> + Send {
    struct Polled<F>(F);
    impl<T, F: FnMut() -> Poll<Option<StreamItem<T>>> + Unpin> Stream for Polled<F> {
        type Item = StreamItem<T>;
        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<StreamItem<T>>> {
            (self.0)()
        }
    }
    Polled(work)
}

#[tokio::test]
async fn what_panics_when_it_is_dropped_hurts_nobody() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let bomb = Bomb;
    let armed = ToolStream::from_stream(poll_fn_stream(move || {
        let _ = &bomb;
        Poll::Ready(Some(StreamItem::Terminal(Ok(7))))
    }));
    assert_eq!(terminal(armed).await, Ok(7), "the result was out");
    let bomb = Bomb;
    drop(ToolStream::<()>::from_future(async move {
        let _bomb = bomb;
        pending().await
    }));
}

#[tokio::test]
async fn long_texts_come_in_bounded_pieces_and_whole() {
    let text = "漢é🦀a".repeat(20_000);
    let sent = text.clone();
    let stream = ToolStream::new(|progress| async move {
        progress.send(sent).await?;
        progress.send("end").await?;
        Ok(())
    });
    let got = all(stream).await;
    let pieces = texts(&got);
    assert!(pieces.iter().all(|piece| !piece.is_empty() && piece.len() <= MAX_DELTA_BYTES));
    assert!(pieces.len() <= text.len() / (MAX_DELTA_BYTES - 3) + 2, "no more pieces than it takes");
    assert_eq!(pieces.concat(), text + "end");
    let tiny = ToolStream::new(|progress| async move { Ok(progress.send("é漢🦀").await?) }).with_max_delta_bytes(0);
    assert_eq!(texts(&all(tiny).await), ["é", "漢", "🦀"]);
}

#[test]
fn a_tool_is_no_further_ahead_than_its_buffer() {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    let mut stream = ToolStream::buffered(4, |progress| async move {
        for _ in 0..100 {
            progress.send("x").await?;
            count.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    });
    let wakes = Wakes::default();
    assert_eq!(sent.load(Ordering::SeqCst), 0, "nothing is done before it is asked for");
    let mut read = 0;
    while let Poll::Ready(Some(item)) = poll_item(&mut stream, &wakes) {
        assert!(sent.load(Ordering::SeqCst) <= read + 4);
        read += usize::from(matches!(item, StreamItem::Progress(_)));
    }
    assert_eq!(read, 100);
}

#[test]
fn progress_from_elsewhere_wakes_the_reader_and_waits_for_it() {
    let (hand_out, handed) = std::sync::mpsc::channel();
    let mut stream = ToolStream::<()>::buffered(1, |progress| {
        let _ = hand_out.send(progress);
        pending()
    });
    let progress: ProgressSender = handed.recv().unwrap();
    let (reader, sender) = (Wakes::default(), Wakes::default());
    assert!(poll_item(&mut stream, &reader).is_pending());

    let mut first = Box::pin(progress.send("1"));
    assert!(crate::testing::poll_once(first.as_mut(), &sender).is_ready());
    assert_eq!(reader.count(), 1);
    let mut second = Box::pin(progress.send("2"));
    assert!(crate::testing::poll_once(second.as_mut(), &sender).is_pending());
    assert!(crate::testing::poll_once(second.as_mut(), &sender).is_pending());
    assert_eq!(sender.count(), 0);
    assert_eq!(poll_item(&mut stream, &reader), Poll::Ready(Some(StreamItem::Progress("1".into()))));
    assert_eq!(sender.count(), 1);
    assert_eq!(crate::testing::poll_once(second.as_mut(), &sender), Poll::Ready(Ok(())));
    assert_eq!(poll_item(&mut stream, &reader), Poll::Ready(Some(StreamItem::Progress("2".into()))));

    let mut third = Box::pin(progress.send("3"));
    assert!(crate::testing::poll_once(third.as_mut(), &sender).is_ready());
    let mut fourth = Box::pin(progress.send("4"));
    assert!(crate::testing::poll_once(fourth.as_mut(), &sender).is_pending());
    drop(stream);
    assert_eq!(sender.count(), 2, "whoever waits is told that nobody reads");
    assert_eq!(crate::testing::poll_once(fourth.as_mut(), &sender), Poll::Ready(Err(StreamClosed)));
    assert_eq!(ToolError::from(StreamClosed).kind, ToolErrorKind::Cancelled);
}

#[tokio::test]
async fn items_that_wait_when_the_work_is_done_come_before_the_terminal() {
    let stream = ToolStream::new(|progress| async move {
        for text in ["1", "2", "3"] {
            progress.send(text).await?;
        }
        tokio::spawn(async move { progress.send("late").await });
        Ok(4)
    });
    let got = all(stream).await;
    assert_eq!(texts(&got), ["1", "2", "3"]);
    assert_eq!(got.last(), Some(&StreamItem::Terminal(Ok(4))));
}

#[tokio::test]
async fn a_cancelled_stream_ends_at_once_and_lets_go() {
    let token = CancelToken::new();
    let (inside, gone) = witness();
    let mut stream = ToolStream::<()>::from_future(async move {
        let _inside = inside;
        pending().await
    })
    .with_cancel(&token);
    let wakes = Wakes::default();
    assert!(poll_item(&mut stream, &wakes).is_pending());
    token.cancel();
    assert_eq!(wakes.count(), 1);
    let Some(StreamItem::Terminal(Err(error))) = stream.next().await else { panic!("no terminal") };
    assert_eq!(error.kind, ToolErrorKind::Cancelled);
    assert!(gone.load(Ordering::SeqCst));
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_stream_that_never_ends_can_be_cancelled() {
    let token = CancelToken::new();
    let endless = poll_fn_stream::<()>(|| Poll::Ready(Some(StreamItem::Progress("more".into()))));
    let mut stream = ToolStream::from_stream(endless).with_cancel(&token);
    for _ in 0..1000 {
        assert_eq!(stream.next().await, Some(StreamItem::Progress("more".into())));
    }
    token.cancel();
    assert_eq!(terminal(stream).await.unwrap_err().kind, ToolErrorKind::Cancelled);
}

#[test]
fn a_tool_may_cancel_itself_while_it_is_polled() {
    let token = CancelToken::new();
    let own = token.clone();
    let work = async move {
        own.cancel();
        pending().await
    };
    let mut stream = ToolStream::<()>::from_future(work).with_cancel(&token);
    let polled = poll_item(&mut stream, &Wakes::default());
    let Poll::Ready(Some(StreamItem::Terminal(Err(error)))) = polled else {
        panic!("nobody would wake it: {polled:?}")
    };
    assert_eq!(error.kind, ToolErrorKind::Cancelled);
}

#[tokio::test]
async fn cancelling_changes_no_end() {
    let token = CancelToken::new();
    let mut stream = ToolStream::terminal(Ok(1)).with_cancel(&token);
    assert_eq!(stream.next().await, Some(StreamItem::Terminal(Ok(1))));
    token.cancel();
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn time_runs_out_for_those_who_wait_and_those_who_never_end() {
    let waiting = ToolStream::<()>::from_future(pending()).with_timeout(tokio::task::yield_now());
    let endless = poll_fn_stream::<()>(|| Poll::Ready(Some(StreamItem::Progress("more".into()))));
    let endless = ToolStream::from_stream(endless).with_timeout(tokio::task::yield_now());
    let long = ToolStream::<()>::new(|progress| async move {
        progress.send("x".repeat(1 << 20)).await?;
        pending().await
    });
    for stream in [waiting, endless, long.with_timeout(tokio::task::yield_now())] {
        assert_eq!(terminal(stream).await.unwrap_err().kind, ToolErrorKind::Timeout);
    }
    let done = ToolStream::terminal(Ok(1)).with_timeout(ready(()));
    assert_eq!(terminal(done).await, Ok(1), "a result that is there counts");
    let in_time = ToolStream::from_future(ready(Ok(2))).with_timeout(pending());
    assert_eq!(terminal(in_time).await, Ok(2));
}

#[tokio::test]
async fn a_mapped_stream_keeps_its_progress_and_its_errors() {
    let stream = ToolStream::new(|progress| async move { progress.send("a").await.map(|()| 1).map_err(Into::into) });
    let got = all(stream.map(|n| Ok(n + 1))).await;
    assert_eq!(got, [StreamItem::Progress("a".into()), StreamItem::Terminal(Ok(2))]);
    let failed = ToolError::execution("no");
    let stream = ToolStream::<i32>::terminal(Err(failed.clone())).map(|n| Ok(n + 1));
    assert_eq!(stream.result().await, Err(failed));
}
