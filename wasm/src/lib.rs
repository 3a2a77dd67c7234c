//! The WebAssembly modules in the npm package `toolprism`: the facade's functions, as `js/` calls them. Text goes out as JSON,
//! and an error is thrown as the JSON text of its members.

#[cfg(feature = "calls")]
pub mod calls;
#[cfg(feature = "finalize")]
pub mod finalize;
#[cfg(feature = "calls")]
pub mod ledger;
#[cfg(feature = "calls")]
mod view;

use toolprism_facade::Error;
use wasm_bindgen::JsValue;

/// What is thrown for an error.
fn thrown(error: Error) -> JsValue {
    JsValue::from_str(&error.to_json())
}
