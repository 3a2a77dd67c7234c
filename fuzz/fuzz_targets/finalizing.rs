//! Any bytes as the arguments of a call, of a tool that the first byte selects.
#![no_main]

#[path = "../../repair/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::finalizing(bytes));
