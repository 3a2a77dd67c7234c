//! Bytes that drive a stream of events, and what finalizers answer to the calls in it.
#![no_main]

#[path = "../../repair/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::assembling(bytes));
