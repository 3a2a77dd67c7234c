//! Many files as one list of calls.

use toolprism_facade::Numbers;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Reads many files into one list of calls.
#[wasm_bindgen]
pub struct Scan(toolprism_facade::Scan);

#[wasm_bindgen]
impl Scan {
    /// A scan without files; options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Scan, JsValue> {
        toolprism_facade::Scan::new(options.as_bytes()).map(Scan).map_err(thrown)
    }

    /// Begins a file.
    pub fn begin(&mut self, file: &str) -> Result<(), JsValue> {
        self.0.begin(file).map_err(thrown)
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.push(bytes).map_err(thrown)
    }

    /// The file could not be read to its end.
    pub fn fail(&mut self, message: &str) -> Result<(), JsValue> {
        self.0.fail(message).map_err(thrown)
    }

    /// No more files come.
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// How many calls there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The records of the calls from one number to before another.
    pub fn calls(&self, from: usize, to: usize) -> Result<String, JsValue> {
        self.0.calls(Numbers::Range(from, to)).map_err(thrown)
    }

    /// The records of the calls with these numbers.
    #[wasm_bindgen(js_name = callsOf)]
    pub fn calls_of(&self, numbers: &[u32]) -> Result<String, JsValue> {
        self.0.calls(Numbers::These(numbers)).map_err(thrown)
    }

    /// The numbers of the calls that fit a query, which is JSON text.
    pub fn select(&self, query: &str) -> Result<Vec<u32>, JsValue> {
        self.0.select(query.as_bytes()).map_err(thrown)
    }

    /// The records of the groups, of these calls if any are given; options as JSON text.
    pub fn groups(&self, by: &str, numbers: Option<Vec<u32>>, options: &str) -> Result<String, JsValue> {
        self.0.groups(by, numbers.as_deref(), options.as_bytes()).map_err(thrown)
    }

    /// The records of the runs.
    pub fn runs(&self, by: &str, numbers: Option<Vec<u32>>, options: &str) -> Result<String, JsValue> {
        self.0.runs(by, numbers.as_deref(), options.as_bytes()).map_err(thrown)
    }

    /// Where the runs begin.
    #[wasm_bindgen(js_name = runStarts)]
    pub fn run_starts(&self, by: &str, numbers: Option<Vec<u32>>) -> Result<Vec<u32>, JsValue> {
        self.0.run_starts(by, numbers.as_deref()).map_err(thrown)
    }

    /// The figures of the calls.
    pub fn summary(&self, numbers: Option<Vec<u32>>) -> Result<String, JsValue> {
        self.0.summary(numbers.as_deref()).map_err(thrown)
    }

    /// What was read, and what could not be.
    pub fn report(&self) -> String {
        self.0.report()
    }

    /// The calls from one number to before another as CSV.
    pub fn csv(&self, from: usize, to: usize, header: bool) -> Result<String, JsValue> {
        self.0.csv(Numbers::Range(from, to), header).map_err(thrown)
    }

    /// The calls with these numbers as CSV.
    #[wasm_bindgen(js_name = csvOf)]
    pub fn csv_of(&self, numbers: &[u32], header: bool) -> Result<String, JsValue> {
        self.0.csv(Numbers::These(numbers), header).map_err(thrown)
    }

    /// The groups as CSV.
    #[wasm_bindgen(js_name = groupsCsv)]
    pub fn groups_csv(&self, by: &str, numbers: Option<Vec<u32>>) -> Result<String, JsValue> {
        self.0.groups_csv(by, numbers.as_deref()).map_err(thrown)
    }
}
