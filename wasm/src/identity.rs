//! Envelopes and single calls; what is only looked at is read in place from the host's objects.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown;
use crate::view::View;

/// Identifies the call that `value` stands for.
#[wasm_bindgen]
pub fn identify(value: u32) -> Result<String, JsValue> {
    toolprism_facade::identify_view(&View::of(value)).map_err(thrown)
}

/// The envelope in the `_meta` that `value` stands for; nothing where there is no valid one.
#[wasm_bindgen(js_name = parseMeta)]
pub fn parse_meta(value: u32, strict: bool) -> Result<Option<String>, JsValue> {
    toolprism_facade::parse_meta_view(&View::of(value), strict).map_err(thrown)
}

/// A `_meta` value, given and returned as JSON text, with this envelope in it.
#[wasm_bindgen(js_name = stampMeta)]
pub fn stamp_meta(meta: &str, envelope: &str) -> Result<String, JsValue> {
    toolprism_facade::stamp_meta(meta.as_bytes(), envelope.as_bytes()).map_err(thrown)
}
