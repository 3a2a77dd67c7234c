//! A log with envelopes.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Writes a log anew.
#[wasm_bindgen]
#[derive(Default)]
pub struct Stamper(toolprism_facade::Stamper);

#[wasm_bindgen]
impl Stamper {
    /// A stamper that knows nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Stamper::default()
    }

    /// A stamper that knows what this one has seen.
    pub fn again(&mut self) -> Self {
        Stamper(self.0.again())
    }

    /// Takes the next bytes, and gives what can be written by now.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.0.push(bytes).map_err(thrown)
    }

    /// No more bytes come: the rest of what is to be written.
    pub fn finish(&mut self) -> Vec<u8> {
        self.0.finish()
    }

    /// What was done.
    pub fn report(&self) -> String {
        self.0.report()
    }
}
