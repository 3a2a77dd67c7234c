//! Any bytes as JSON, as an envelope, and as the arguments of a tool that the first byte selects.
#![no_main]

#[path = "../../core/tests/invariants/mod.rs"]
mod invariants;

use toolprism::catalog::HARNESSES;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    invariants::json(bytes);
    invariants::envelope(bytes);
    let Some((select, json)) = bytes.split_at_checked(2) else { return };
    let harness = HARNESSES[usize::from(select[0]) % HARNESSES.len()];
    let names: Vec<_> = harness.entries().flat_map(|entry| entry.tool.names).collect();
    let name = names[usize::from(select[1]) % names.len()].wire;
    invariants::projection(Some(harness.id), Some(name), json);
});
