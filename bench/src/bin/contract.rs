//! The tool contract: what dispatch adds to a tool's own work. A program of its own, since its allocator counts.

use std::borrow::Cow;
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolprism::{Kind, WireNamespace};
use toolprism_contract::{
    CallContext, CallOptions, CallRequest, CancelToken, Extensions, ListContext, Progress, Registry, StreamItem, Tool,
    ToolError, ToolMetadata, ToolOutput, ToolStream, schema,
};

const ROUNDS: usize = 30;
const CALLS: usize = 2_000;
const LOOK_UPS: usize = 1_000_000;
const ITEMS: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
struct Args {
    /// The file to read.
    path: String,
    /// How many lines.
    limit: Option<u64>,
}

#[derive(Serialize)]
struct Read {
    text: String,
    lines: u64,
}

impl ToolOutput for Read {
    const TYPE: &'static str = "Read";

    fn to_prompt_format(&self) -> String {
        self.text.clone()
    }
}

struct ReadFile;

impl Tool for ReadFile {
    type Args = Args;
    type Output = Read;

    fn id(&self) -> &str {
        "read_file"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Reads a file.".into()
    }

    async fn run(&self, _: &CallContext, args: Args) -> Result<Read, ToolError> {
        Ok(Read { text: args.path, lines: args.limit.unwrap_or(1) })
    }
}

impl ToolMetadata for ReadFile {
    fn kind(&self) -> Kind {
        Kind::Read
    }

    fn namespace(&self) -> WireNamespace {
        "bench".into()
    }
}

const ARGUMENTS: &str = r#"{"path": "src/lib.rs", "limit": 40}"#;

fn main() {
    let mut registry = Registry::new();
    if let Err(why) = registry.register(Arc::new(ReadFile)) {
        eprintln!("bench: {why}");
        return;
    }
    // Its arguments are those of the other tool, and its progress is all that it does.
    if let Err(why) = registry.register(Arc::new(Build)) {
        eprintln!("bench: {why}");
        return;
    }
    let mut line = Vec::with_capacity(1 << 12);
    let request = CallRequest { id: "call-1", name: "read_file", arguments: ARGUMENTS };
    let mut dispatch = || {
        black_box(finish(registry.dispatch(request, CallOptions::new()).run(|update| {
            black_box(update);
        })));
    };
    let mut written = || {
        let outcome = registry.dispatch(request, CallOptions::new()).run(|update| {
            line.clear();
            let _ = serde_json::to_writer(&mut line, update);
            black_box(&line);
        });
        black_box(finish(outcome));
    };
    let context = CallContext { call_id: "call-1".into(), cancel: CancelToken::never(), extensions: Extensions::new() };
    let mut own = || {
        let args = serde_json::from_str(ARGUMENTS).map_err(ToolError::from);
        let output = args.and_then(|args| finish(ReadFile.run(&context, args)));
        black_box(output.is_ok_and(|output| output.lines == 40));
    };
    println!("one small call: find, check, run, envelope       us   allocations");
    let row = |name: &str, work: &mut dyn FnMut()| {
        let counted = allocation_counter::measure(&mut *work).count_total;
        println!("  {name:42} {:8.3}  {counted:12}", each(CALLS, work) * 1e6);
        counted
    };
    let own = row("the tool's own work", &mut own);
    let over = row("dispatch", &mut dispatch) - own;
    row("  and each update written as JSON", &mut written);
    println!("  over the tool's own work: {over} allocations (at most 10 wanted)");
    let look_up = each(LOOK_UPS, &mut || {
        black_box(schema::of::<Args>());
    });
    println!("cached schema look-up: {:.1} ns (at most 20 wanted)", look_up * 1e9);
    let items = best(&mut || assert_eq!(finish(read_all(stream())), ITEMS));
    println!("{ITEMS} progress items through a stream: {:.2} ms (at most 2 wanted)", items * 1e3);
    let request = CallRequest { name: "build", ..request };
    let items = best(&mut || {
        let mut count = 0;
        black_box(finish(registry.dispatch(request, CallOptions::new()).run(|update| {
            count += usize::from(update.meta.progress.is_some());
        })));
        assert_eq!(count, ITEMS);
    });
    println!("  through a call, each as an update: {:.2} ms", items * 1e3);
}

struct Build;

impl Tool for Build {
    type Args = Args;
    type Output = ();

    fn id(&self) -> &str {
        "build"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "Says much.".into()
    }

    fn execute(self: Arc<Self>, _: CallContext, _: Args) -> ToolStream<()> {
        stream()
    }
}

impl ToolMetadata for Build {
    fn kind(&self) -> Kind {
        Kind::Execute
    }

    fn namespace(&self) -> WireNamespace {
        "bench".into()
    }
}

fn stream() -> ToolStream<()> {
    ToolStream::new(|progress| async move {
        for _ in 0..ITEMS {
            progress.send(Progress::text("a line of output\n")).await?;
        }
        Ok(())
    })
}

async fn read_all(mut stream: ToolStream<()>) -> usize {
    let mut count = 0;
    while let Some(item) = stream.next().await {
        count += usize::from(matches!(item, StreamItem::Progress(_)));
    }
    count
}

/// Polls until it is done; nothing here waits for anything else.
fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut cx) {
            return done;
        }
    }
}

/// Seconds for one of so many, the best of several rounds.
fn each(times: usize, work: &mut dyn FnMut()) -> f64 {
    best(&mut || (0..times).for_each(|_| work())) / times as f64
}

fn best(work: &mut dyn FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}
