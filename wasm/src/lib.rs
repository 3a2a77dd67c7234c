//! The WebAssembly modules in the npm package `toolprism`: the facade's functions, as `js/` calls them. Text goes out as JSON,
//! and an error is thrown as the JSON text of its members.

#[cfg(feature = "finalize")]
pub mod finalize;
#[cfg(feature = "ledger")]
pub mod finder;
#[cfg(feature = "identity")]
pub mod identity;
#[cfg(feature = "ledger")]
pub mod ledger;
#[cfg(feature = "live")]
pub mod live;
#[cfg(feature = "live")]
pub mod output;
#[cfg(feature = "ledger")]
pub mod partial;
#[cfg(feature = "ledger")]
pub mod scan;
#[cfg(feature = "ledger")]
pub mod stamper;
#[cfg(feature = "contract")]
pub mod tools;
#[cfg(any(feature = "identity", feature = "live"))]
mod view;

use toolprism_facade::Error;
use wasm_bindgen::JsValue;

/// What is thrown for an error.
fn thrown(error: Error) -> JsValue {
    JsValue::from_str(&error.to_json())
}
