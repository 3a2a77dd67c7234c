//! Logs: many files as one list of calls, one call found again, a log with envelopes.

use napi::bindgen_prelude::{Uint8Array, Uint32Array};
use napi_derive::napi;
use toolprism_facade::{self as facade, Numbers};

use crate::{Result, error};

/// Reads many files into one list of calls.
#[napi]
pub struct Scan(facade::Scan);

#[napi]
impl Scan {
    /// A scan without files; the options are JSON text.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: String) -> Result<Self> {
        facade::Scan::new(options.as_bytes()).map(Scan).map_err(error)
    }

    /// Begins a file.
    #[napi(catch_unwind)]
    pub fn begin(&mut self, file: String) -> Result<()> {
        self.0.begin(&file).map_err(error)
    }

    /// Takes the next bytes.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.push(bytes).map_err(error)
    }

    /// Says that the file could not be read to its end.
    #[napi(catch_unwind)]
    pub fn fail(&mut self, message: String) -> Result<()> {
        self.0.fail(&message).map_err(error)
    }

    /// Says that no more files come.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// How many calls there are.
    #[napi(catch_unwind)]
    pub fn size(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The records of the calls from one number to before another, as JSON text.
    #[napi(catch_unwind)]
    pub fn calls(&self, from: u32, to: u32) -> Result<String> {
        self.0.calls(Numbers::Range(from as usize, to as usize)).map_err(error)
    }

    /// The records of the calls with these numbers, as JSON text.
    #[napi(catch_unwind)]
    pub fn calls_of(&self, numbers: &[u32]) -> Result<String> {
        self.0.calls(Numbers::These(numbers)).map_err(error)
    }

    /// The numbers of the calls that fit a query, which is JSON text.
    #[napi(catch_unwind)]
    pub fn select(&self, query: String) -> Result<Uint32Array> {
        self.0.select(query.as_bytes()).map(Uint32Array::from).map_err(error)
    }

    /// The records of the groups, of these calls if any are given; the options and the answer are JSON text.
    #[napi(catch_unwind)]
    pub fn groups(&self, by: String, numbers: Option<Uint32Array>, options: String) -> Result<String> {
        self.0.groups(&by, numbers.as_deref(), options.as_bytes()).map_err(error)
    }

    /// The records of the runs, likewise.
    #[napi(catch_unwind)]
    pub fn runs(&self, by: String, numbers: Option<Uint32Array>, options: String) -> Result<String> {
        self.0.runs(&by, numbers.as_deref(), options.as_bytes()).map_err(error)
    }

    /// Where the runs begin.
    #[napi(catch_unwind)]
    pub fn run_starts(&self, by: String, numbers: Option<Uint32Array>) -> Result<Uint32Array> {
        self.0.run_starts(&by, numbers.as_deref()).map(Uint32Array::from).map_err(error)
    }

    /// The figures of the calls, as JSON text.
    #[napi(catch_unwind)]
    pub fn summary(&self, numbers: Option<Uint32Array>) -> Result<String> {
        self.0.summary(numbers.as_deref()).map_err(error)
    }

    /// What was read, as JSON text.
    #[napi(catch_unwind)]
    pub fn report(&self) -> String {
        self.0.report()
    }

    /// The calls from one number to before another as CSV.
    #[napi(catch_unwind)]
    pub fn csv(&self, from: u32, to: u32, header: bool) -> Result<String> {
        self.0.csv(Numbers::Range(from as usize, to as usize), header).map_err(error)
    }

    /// The calls with these numbers as CSV.
    #[napi(catch_unwind)]
    pub fn csv_of(&self, numbers: &[u32], header: bool) -> Result<String> {
        self.0.csv(Numbers::These(numbers), header).map_err(error)
    }

    /// The groups as CSV.
    #[napi(catch_unwind)]
    pub fn groups_csv(&self, by: String, numbers: Option<Uint32Array>) -> Result<String> {
        self.0.groups_csv(&by, numbers.as_deref()).map_err(error)
    }

    /// Gives the memory back before Node does: the scan is empty then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = facade::Scan::default();
    }
}

/// Looks for one call in the log that it was read from.
#[napi]
pub struct CallFinder(Option<facade::CallFinder>);

#[napi]
impl CallFinder {
    /// Takes what is known of the call, as JSON text.
    #[napi(constructor, catch_unwind)]
    pub fn new(call: String) -> Result<Self> {
        facade::CallFinder::new(call.as_bytes()).map(|finder| CallFinder(Some(finder))).map_err(error)
    }

    /// Takes the next bytes.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |finder| finder.push(bytes)).map_err(error)
    }

    /// What was found, as JSON text.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) -> Option<String> {
        self.0.as_mut().map(facade::CallFinder::finish)
    }

    /// Gives the memory back before Node does: nothing is found then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = None;
    }
}

/// Writes a log anew, with envelopes.
#[napi]
#[derive(Default)]
pub struct Stamper(facade::Stamper);

#[napi]
impl Stamper {
    /// A stamper that knows nothing yet.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Stamper::default()
    }

    /// A stamper that knows what this one has seen.
    #[napi(catch_unwind)]
    pub fn again(&mut self) -> Self {
        Stamper(self.0.again())
    }

    /// Takes the next bytes, and gives what can be written by now.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: &[u8]) -> Result<Uint8Array> {
        self.0.push(bytes).map(Uint8Array::from).map_err(error)
    }

    /// Says that no more bytes come, and gives the rest of what is to be written.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) -> Uint8Array {
        self.0.finish().into()
    }

    /// What was done, as JSON text.
    #[napi(catch_unwind)]
    pub fn report(&self) -> String {
        self.0.report()
    }

    /// Gives the memory back before Node does: nothing is known then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = facade::Stamper::default();
    }
}
