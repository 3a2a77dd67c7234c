//! Any bytes as a log: reading and stamping.
#![no_main]

#[path = "../../core/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    invariants::reading(bytes);
    invariants::stamping(bytes);
});
