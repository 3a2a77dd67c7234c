//! Previews of what tools put out.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;
use crate::view::View;

/// Start and end of an output.
#[wasm_bindgen]
pub struct OutputPreview(toolprism_facade::OutputPreview);

#[wasm_bindgen]
impl OutputPreview {
    /// Empty; bounds as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(bounds: &str) -> Result<OutputPreview, JsValue> {
        toolprism_facade::OutputPreview::new(bounds.as_bytes()).map(OutputPreview).map_err(thrown)
    }

    /// Takes more of the output.
    pub fn append(&mut self, text: &str) {
        self.0.append(text);
    }

    /// Takes the whole output, and says how many bytes of it are new.
    pub fn replace(&mut self, whole: &str) -> usize {
        self.0.replace(whole).len()
    }

    /// Takes more of the output that `value` stands for.
    #[wasm_bindgen(js_name = appendValue)]
    pub fn append_value(&mut self, value: u32) {
        self.0.append_view(&View::of(value));
    }

    /// Takes the whole output that `value` stands for.
    #[wasm_bindgen(js_name = replaceValue)]
    pub fn replace_value(&mut self, value: u32) {
        self.0.replace_view(&View::of(value));
    }

    /// What is shown, and how much there is.
    pub fn state(&self) -> String {
        self.0.state()
    }
}
