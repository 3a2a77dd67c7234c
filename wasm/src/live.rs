//! Live streams: messages in, what they change out.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;
use crate::view::View;

/// The calls of a live stream.
#[wasm_bindgen]
pub struct Live(toolprism_facade::Live);

#[wasm_bindgen]
impl Live {
    /// No calls yet; options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Live, JsValue> {
        toolprism_facade::Live::new(options.as_bytes()).map(Live).map_err(thrown)
    }

    /// Takes the message that `value` stands for.
    pub fn push(&mut self, value: u32) {
        self.0.push_view(&View::of(value));
    }

    /// Says when the next messages arrive, in milliseconds since 1970.
    pub fn at(&mut self, time: f64) {
        self.0.at(time as i64);
    }

    /// The end of the turn.
    #[wasm_bindgen(js_name = endTurn)]
    pub fn end_turn(&mut self, cancelled: bool) {
        self.0.end_turn(cancelled);
    }

    /// How many calls there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The records of the calls that have changed.
    pub fn changes(&mut self) -> String {
        self.0.changes()
    }

    /// The records of the groups that have changed.
    pub fn groups(&mut self, by: &str) -> Result<String, JsValue> {
        self.0.groups(by).map_err(thrown)
    }

    /// The places of a group's calls.
    #[wasm_bindgen(js_name = groupCalls)]
    pub fn group_calls(&mut self, by: &str, at: usize) -> Result<Vec<u32>, JsValue> {
        let places = self.0.group_calls(by, at).map_err(thrown)?;
        Ok(places.iter().filter_map(|at| u32::try_from(*at).ok()).collect())
    }

    /// The records of the runs that have changed, and how many there are.
    pub fn runs(&mut self, by: &str) -> Result<String, JsValue> {
        self.0.runs(by).map_err(thrown)
    }

    /// One line for all calls.
    pub fn line(&self) -> String {
        self.0.line()
    }

    /// One line for the calls at these places.
    #[wasm_bindgen(js_name = lineOf)]
    pub fn line_of(&self, places: &[u32]) -> String {
        self.0.line_of(places.iter().map(|at| *at as usize))
    }
}

/// Cuts bytes into messages.
#[wasm_bindgen]
pub struct Framing(toolprism_facade::Framing);

#[wasm_bindgen]
impl Framing {
    /// By its name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Framing, JsValue> {
        toolprism_facade::Framing::new(name).map(Framing).map_err(thrown)
    }

    /// The messages that these bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        self.0.push(bytes)
    }

    /// The message that the end of the bytes completes.
    pub fn finish(&mut self) -> Vec<String> {
        self.0.finish()
    }
}
