//! The ledger of a log or a live stream.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Merges the events of a log into calls.
#[wasm_bindgen]
pub struct Ledger(toolprism_facade::Ledger);

#[wasm_bindgen]
impl Ledger {
    /// A ledger without calls; options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Ledger, JsValue> {
        toolprism_facade::Ledger::new(options.as_bytes()).map(Ledger).map_err(thrown)
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.push(bytes).map_err(thrown)
    }

    /// No more bytes come.
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// How many calls there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The records of the calls.
    pub fn calls(&self) -> String {
        self.0.calls()
    }

    /// The records of the groups.
    pub fn groups(&self, by: &str) -> Result<String, JsValue> {
        self.0.groups(by).map_err(thrown)
    }

    /// The records of the runs.
    pub fn runs(&self, by: &str) -> Result<String, JsValue> {
        self.0.runs(by).map_err(thrown)
    }

    /// What was read, and what could not be.
    pub fn report(&self) -> String {
        self.0.report()
    }
}
