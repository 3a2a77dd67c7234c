//! Judging completed calls.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Judges completed calls; schemas are compiled once and kept.
#[wasm_bindgen]
pub struct Finalizer(toolprism_facade::Finalizer);

#[wasm_bindgen]
impl Finalizer {
    /// Options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Finalizer, JsValue> {
        toolprism_facade::Finalizer::new(options.as_bytes()).map(Finalizer).map_err(thrown)
    }

    /// Judges one call, given as JSON text.
    pub fn finalize(&mut self, question: &str) -> Result<String, JsValue> {
        self.0.finalize(question.as_bytes()).map_err(thrown)
    }
}
