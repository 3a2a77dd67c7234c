//! Many files as one list of calls: what a view of logs asks, by page, by selection, by group and run.

mod list;
mod query;
mod shape;
mod summary;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use toolprism::readers::Tally;
use toolprism::sources::{self, Source};

use crate::calls::{self, NAMES, RAW_INPUT};
use crate::csv::csv_text;
use crate::error::Error;
use crate::ledger::{Ledger, ReadOptions, Spans, report_record};
use crate::record::{Record, array_text};
use list::{List, Part};
use query::Query;

/// Reads many files, one after the other, into one list of calls. A call's number is its place in that list: as the files
/// were begun, then as in the file. What one file copied from another is removed at the end, so numbers may change then.
///
/// ```
/// let mut scan = toolprism_facade::Scan::new(b"{}")?;
/// scan.begin("a.jsonl")?;
/// scan.push(br#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":["#)?;
/// scan.push(br#"{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#)?;
/// scan.finish();
/// assert_eq!(scan.select(br#"{"label": "Run Command", "text": "LS"}"#)?, [0]);
/// assert!(scan.groups("file", None, b"{}")?.contains(r#""value":"a.jsonl","calls":1"#));
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
#[derive(Default)]
pub struct Scan {
    options: ReadOptions,
    /// The files that were read, and the calls of each.
    files: Vec<File>,
    sources: Vec<Source>,
    reading: Option<Reading>,
    copies: usize,
    finished: bool,
}

/// The file that is being read.
struct Reading {
    name: Box<str>,
    ledger: Ledger,
    error: Option<Box<str>>,
}

/// A file that was read.
struct File {
    name: Box<str>,
    tally: Option<Tally>,
    spans: Spans,
    error: Option<Box<str>>,
}

/// Which calls are asked about.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'n> {
    /// From one number to before another; what is beyond the end is left out.
    Range(usize, usize),
    /// These, in this order.
    These(&'n [u32]),
}

impl Scan {
    /// A scan without files. Options as of [`Ledger::new`].
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        Ok(Scan { options: ReadOptions::read(options)?, ..Scan::default() })
    }

    /// Begins a file; the one before it is finished. The name is what its calls have as `file`, and need not be a path.
    pub fn begin(&mut self, file: &str) -> Result<(), Error> {
        if self.finished {
            return Err(Error::new("finished", "the scan is finished and takes no more files: make a new one"));
        }
        self.end_file();
        self.reading = Some(Reading { name: file.into(), ledger: Ledger::with(self.options), error: None });
        Ok(())
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.reading()?.ledger.push(bytes)
    }

    /// Says why the file could not be read to its end.
    pub fn fail(&mut self, message: &str) -> Result<(), Error> {
        self.reading()?.error = Some(message.into());
        Ok(())
    }

    fn reading(&mut self) -> Result<&mut Reading, Error> {
        let finished = self.finished;
        self.reading.as_mut().ok_or_else(|| {
            if finished {
                Error::new("finished", "the scan is finished and takes no more: make a new one")
            } else {
                Error::new("not_begun", "bytes belong to a file: begin one first")
            }
        })
    }

    /// Says that no more files come: what one file copied from another is removed, and subagents are linked to the calls that
    /// started them. A second time nothing happens.
    pub fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.end_file();
        self.finished = true;
        self.copies = sources::remove_copies(&mut self.sources);
        sources::link_parents(&mut self.sources);
    }

    fn end_file(&mut self) {
        let Some(Reading { name, ledger, error }) = self.reading.take() else { return };
        let (mut source, tally, spans) = ledger.into_parts();
        source.calls.shrink_to_fit();
        self.sources.push(source);
        self.files.push(File { name, tally, spans, error });
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        let read: usize = self.sources.iter().map(|source| source.calls.len()).sum();
        read + self.reading.as_ref().map_or(0, |reading| reading.ledger.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records of these calls, as a JSON array; behind their members, `subject` says what the call is about.
    pub fn calls(&self, numbers: Numbers<'_>) -> Result<String, Error> {
        let list = self.list();
        let found = list.some(numbers)?;
        Ok(array_text(found.iter().map(|one| {
            let mut record = self.record(&list, *one);
            record.push(("subject", one.call.subject().into()));
            record
        })))
    }

    /// These calls as CSV, with the columns of `toolprism calls`, and a line with their names if it is asked for.
    pub fn csv(&self, numbers: Numbers<'_>, header: bool) -> Result<String, Error> {
        let list = self.list();
        let found = list.some(numbers)?;
        let mut names = NAMES.to_vec();
        names.extend(self.options.raw_input.then_some(RAW_INPUT));
        Ok(csv_text(header.then_some(names.as_slice()), found.iter().map(|one| self.record(&list, *one))))
    }

    fn record<'a>(&self, list: &List<'a>, one: list::One<'a>) -> Record<'a> {
        let part = list.part(one);
        calls::record(part.map(|part| part.file), part.and_then(|part| part.format), one.call, self.options.raw_input)
    }

    /// The numbers of the calls that fit a query, in order. The query is a JSON object, and all of its members must fit.
    ///
    /// `label`, `name`, `kind`, `namespace`, `harness`, `server`, `path`, `session`, `file`, `agent` and `why` are a text, `null`
    /// (the call has none), or a list of these, of which one must fit; so are `status` and `flag`, but for `null`. `read_only`
    /// and `known` are `true` or `false`. `since` and `until` are times (RFC 3339) or days: calls that began at or after the
    /// one, and before the other. `text` is words: each of them is somewhere in the call's name, label, title, canonical
    /// input, error, id, session or file, in capitals or not (ASCII letters).
    pub fn select(&self, query: &[u8]) -> Result<Vec<u32>, Error> {
        Ok(Query::read(query)?.select(&self.list()))
    }

    /// What became of the files, as a JSON object: `files`, each with its name (`file`), `calls`, what [`Ledger::report`] tells, and
    /// `error` (why it could not be read to its end, or `null`); and `copies`, how many calls were removed.
    pub fn report(&self) -> String {
        let files = self.files.iter().zip(&self.sources).map(|(file, source)| {
            let report = report_record(source.format, file.tally.as_ref(), &file.spans);
            file_record(&file.name, source.calls.len(), report, file.error.as_deref())
        });
        let reading = self.reading.iter().map(|Reading { name, ledger, error }| {
            file_record(name, ledger.len(), ledger.report_record(), error.as_deref())
        });
        format!("{{\"files\":{},\"copies\":{}}}", array_text(files.chain(reading)), self.copies)
    }

    /// All calls, with their files.
    fn list(&self) -> List<'_> {
        let read = self.files.iter().zip(&self.sources);
        let read = read.map(|(file, source)| Part { file: &file.name, format: source.format, calls: &source.calls });
        let reading = self.reading.iter().map(|Reading { name, ledger, .. }| Part {
            file: name,
            format: ledger.format(),
            calls: ledger.tool_calls(),
        });
        read.chain(reading).collect()
    }
}

fn file_record<'a>(name: &'a str, calls: usize, report: Record<'a>, error: Option<&'a str>) -> Record<'a> {
    let mut record: Record<'a> = alloc::vec![("file", name.into()), ("calls", calls.into())];
    record.extend(report);
    record.push(("error", error.into()));
    record
}
