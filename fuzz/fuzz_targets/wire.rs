//! Any bytes as a live stream of every wire.
#![no_main]

#[path = "../../core/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::wires(bytes));
