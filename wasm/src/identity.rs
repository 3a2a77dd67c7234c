//! Envelopes and single calls, read in place from the host's objects.

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

/// The `_meta` that `value` stands for, with this envelope in it.
#[wasm_bindgen(js_name = stampMeta)]
pub fn stamp_meta(value: u32, envelope: u32) -> Result<String, JsValue> {
    toolprism_facade::stamp_meta_view(&View::of(value), &View::of(envelope)).map_err(thrown)
}
