//! Reading files, several at once, each into a ledger of its own.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use flate2::read::MultiGzDecoder;
use toolprism::json::RawJson;
use toolprism::readers::{Format, Quarantine, Reader, Reason, Sink, Tally};
use toolprism::sources::{self, Source};
use toolprism::{CallLedger, ToolCallEvent, TurnEnd};

use crate::discover::{Input, plain};
use crate::progress::POLL;

/// Read from a file at a time: enough that calls to the system do not count, and little enough to stay in the cache.
const PIECE: usize = 128 << 10;

/// A damaged file lists this many spans; further ones are only counted.
const MOST_SPANS: usize = 1000;

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Checks every record from end to end, rather than only what it is read for.
    pub strict: bool,
    /// Keeps the arguments of every call as they came.
    pub keep_raw_input: bool,
    /// Keeps calls that an earlier file holds as well.
    pub keep_copies: bool,
    /// How many files are read at once.
    pub jobs: usize,
}

/// All that was read. `files[i]` is where the calls of `sources[i]` stood.
#[derive(Debug, Default)]
pub struct Scan {
    /// The files.
    pub files: Vec<FileReport>,
    /// Their calls.
    pub sources: Vec<Source>,
    /// How many calls an earlier file held as well, and were removed.
    pub copies: usize,
}

/// What became of one file.
#[derive(Debug)]
pub struct FileReport {
    /// The path as it was given or found.
    pub path: String,
    /// Whether it was named itself.
    pub named: bool,
    /// Its format, if it has one of those known.
    pub format: Option<Format>,
    /// What became of its bytes.
    pub tally: Tally,
    /// What could not be read, at most a thousand spans of it.
    pub spans: Vec<Quarantine>,
    /// How many more spans there are.
    pub more_spans: u64,
    /// Why it could not be read, or not to its end.
    pub error: Option<String>,
}

impl FileReport {
    /// Whether its format is none of those known. A file that is empty has none, and nothing is wrong with it.
    pub fn is_unknown(&self) -> bool {
        self.format.is_none() && self.tally.quarantined > 0
    }

    /// Whether it was found rather than named, and turned out to be something else: no loss, and nothing to report.
    pub fn is_passed_over(&self) -> bool {
        !self.named && self.is_unknown() && self.error.is_none()
    }

    /// Whether it was read, be it with gaps.
    pub fn is_read(&self) -> bool {
        self.format.is_some() || !self.is_unknown() && self.error.is_none()
    }
}

/// Reads all inputs. The result is in the order of the inputs. `watch` is told now and then how many files and bytes have been
/// read; once it answers `false` the reading ends where it stands.
pub fn scan(inputs: &[Input], options: Options, watch: &mut dyn FnMut(usize, u64) -> bool) -> Scan {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    // The largest first, so that no core is left alone with it in the end.
    order.sort_by_key(|&i| std::cmp::Reverse(inputs.get(i).map_or(0, |input| input.size)));
    let next = AtomicUsize::new(0);
    let shared = Shared::default();
    let mut done: Vec<Option<(FileReport, Source)>> = inputs.iter().map(|_| None).collect();
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, inputs.len().max(1)) {
            let (send, order, next, shared) = (send.clone(), &order, &next, &shared);
            scope.spawn(move || {
                let mut buffer = vec![0; PIECE];
                while let Some(&at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(input) = inputs.get(at).filter(|_| !shared.is_stopped()) else { break };
                    // The receiver outlives the scope.
                    let _ = send.send((at, read(input, options, &mut buffer, shared)));
                }
            });
        }
        drop(send);
        let mut files = 0;
        loop {
            match receive.recv_timeout(POLL) {
                Ok((at, result)) => {
                    files += 1;
                    if let Some(slot) = done.get_mut(at) {
                        *slot = Some(result);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if !watch(files, shared.bytes.load(Ordering::Relaxed)) {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
    });
    let (files, mut sources): (Vec<_>, Vec<_>) = done.into_iter().flatten().unzip();
    let copies = if options.keep_copies { 0 } else { sources::remove_copies(&mut sources) };
    sources::link_parents(&mut sources);
    Scan { files, sources, copies }
}

fn read(input: &Input, options: Options, buffer: &mut [u8], shared: &Shared) -> (FileReport, Source) {
    let ledger = if options.keep_raw_input { CallLedger::keeping_raw_input() } else { CallLedger::default() };
    let mut sink = FileSink { ledger, spans: Vec::new(), more_spans: 0, unknown: false };
    let mut reader = if options.strict { Reader::new().strict() } else { Reader::new() };
    let outcome = if input.is_stdin() {
        pour(io::stdin().lock(), input, &mut reader, &mut sink, buffer, shared)
    } else {
        File::open(&input.path).and_then(|file| pour(file, input, &mut reader, &mut sink, buffer, shared))
    };
    let tally = reader.finish(&mut sink);
    let report = FileReport {
        path: input.path.to_string_lossy().into_owned(),
        named: input.named,
        format: tally.format,
        tally,
        spans: sink.spans,
        more_spans: sink.more_spans,
        error: outcome.err().map(|error| plain(&error)),
    };
    (report, Source { format: tally.format, calls: sink.ledger.into_calls() })
}

/// Reads `source` to its end, or until it has shown to be something else than a log.
fn pour(
    source: impl Read,
    input: &Input,
    reader: &mut Reader,
    sink: &mut FileSink,
    buffer: &mut [u8],
    shared: &Shared,
) -> io::Result<()> {
    let mut source = Counted { source, shared };
    let mut start = [0; 2];
    let filled = fill(&mut source, &mut start)?;
    let start = start.get(..filled).unwrap_or_default();
    let whole = Cursor::new(start).chain(source);
    if start == GZIP {
        pieces(MultiGzDecoder::new(whole), input, reader, sink, buffer)
    } else {
        pieces(whole, input, reader, sink, buffer)
    }
}

/// What every gzip file begins with, and no text does.
const GZIP: &[u8] = &[0x1f, 0x8b];

fn pieces(
    mut source: impl Read,
    input: &Input,
    reader: &mut Reader,
    sink: &mut FileSink,
    buffer: &mut [u8],
) -> io::Result<()> {
    loop {
        let piece = match source.read(buffer) {
            Ok(0) => return Ok(()),
            Ok(len) => buffer.get(..len).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        reader.push(piece, sink);
        if sink.unknown && !input.named && reader.format().is_none() {
            return Ok(());
        }
    }
}

/// Reads until `buffer` is full or the source ends, and says how much there was.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match source.read(rest) {
            Ok(0) => break,
            Ok(len) => filled += len,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// What those who read have in common.
#[derive(Default)]
struct Shared {
    /// How much has been read.
    bytes: AtomicU64,
    /// Whether no more is to be read.
    stop: AtomicBool,
}

impl Shared {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Counts the bytes that are read, for the progress, and ends when it is told to.
struct Counted<'a, R> {
    source: R,
    shared: &'a Shared,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.shared.is_stopped() {
            return Ok(0);
        }
        let len = self.source.read(buffer)?;
        self.shared.bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// A ledger, and a list of what could not be read.
struct FileSink {
    ledger: CallLedger,
    spans: Vec<Quarantine>,
    more_spans: u64,
    /// Whether the reader has given up looking for the format.
    unknown: bool,
}

impl Sink for FileSink {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        self.ledger.apply(event);
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, span: &Quarantine) {
        self.unknown |= span.reason == Reason::UnknownFormat;
        if self.spans.len() < MOST_SPANS {
            self.spans.push(*span);
        } else {
            self.more_spans += 1;
        }
    }
}
