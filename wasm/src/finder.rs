//! One call, found again in its log.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Looks for one call in the log that it was read from.
#[wasm_bindgen]
pub struct CallFinder(toolprism_facade::CallFinder);

#[wasm_bindgen]
impl CallFinder {
    /// Takes what is known of the call, as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(call: &str) -> Result<CallFinder, JsValue> {
        toolprism_facade::CallFinder::new(call.as_bytes()).map(CallFinder).map_err(thrown)
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.push(bytes).map_err(thrown)
    }

    /// No more bytes come: what was found.
    pub fn finish(&mut self) -> String {
        self.0.finish()
    }
}
