//! What must hold for any input whatever. The property tests and the fuzz targets both call these.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assembling;
mod finalizing;

pub use assembling::assembling;
pub use finalizing::finalizing;
