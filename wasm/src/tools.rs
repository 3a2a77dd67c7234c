//! Tools whose work JavaScript does.

use toolprism_facade::tools;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;

/// Tools that are given as data.
#[wasm_bindgen]
#[derive(Default)]
pub struct ToolRegistry(tools::ToolRegistry);

#[wasm_bindgen]
impl ToolRegistry {
    /// Without tools.
    #[wasm_bindgen(constructor)]
    pub fn new() -> ToolRegistry {
        ToolRegistry::default()
    }

    /// Takes a tool in, by its definition as JSON text, and gives its key.
    pub fn register(&mut self, definition: &str) -> Result<String, JsValue> {
        self.0.register(definition.as_bytes()).map_err(thrown)
    }

    /// The tools as JSON text, as a profile has them.
    pub fn list(&self, profile: Option<String>) -> Result<String, JsValue> {
        self.0.list(profile.as_deref()).map_err(thrown)
    }

    /// Begins a call, which is JSON text.
    pub fn begin(&self, call: &str) -> Result<ToolCall, JsValue> {
        self.0.begin(call.as_bytes()).map(|(call, steps)| ToolCall { call, steps }).map_err(thrown)
    }
}

/// A call under way.
#[wasm_bindgen]
pub struct ToolCall {
    call: tools::ToolCall,
    steps: String,
}

#[wasm_bindgen]
impl ToolCall {
    /// Its first steps, as JSON text; once.
    pub fn begun(&mut self) -> String {
        std::mem::take(&mut self.steps)
    }

    /// Tells of progress, which is JSON text: the steps that come of it.
    pub fn progress(&mut self, item: &str) -> Result<String, JsValue> {
        self.call.progress(item.as_bytes()).map_err(thrown)
    }

    /// Ends the call by what came of its work, which is JSON text: the last steps.
    pub fn end(&mut self, result: &str) -> Result<String, JsValue> {
        self.call.end(result.as_bytes()).map_err(thrown)
    }
}
