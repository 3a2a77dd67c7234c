//! Arguments that stream.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Shows what is there of arguments while they stream.
#[wasm_bindgen]
pub struct PartialInput(toolprism_facade::PartialInput);

#[wasm_bindgen]
impl PartialInput {
    /// Nothing yet; options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<PartialInput, JsValue> {
        toolprism_facade::PartialInput::new(options.as_bytes()).map(PartialInput).map_err(thrown)
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// No more bytes come.
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// What is visible.
    pub fn visible(&self) -> String {
        self.0.visible()
    }

    /// Whether the end has come.
    #[wasm_bindgen(js_name = isComplete)]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// How far the arguments are.
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// Identifies the call, given as JSON text, by these arguments.
    pub fn identify(&self, call: &str) -> Result<String, JsValue> {
        self.0.identify(call.as_bytes()).map_err(thrown)
    }
}
