//! Any bytes as arguments that stream, in pieces whose lengths the first bytes say; and, where they are JSON, into a ledger.
#![no_main]

#[path = "../../core/tests/invariants/mod.rs"]
mod invariants;

use toolprism::catalog::HARNESSES;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((cuts, text)) = bytes.split_at_checked(4) else { return };
    let [select, name, cuts @ ..] = cuts else { return };
    invariants::streaming(text, cuts);
    let Ok(json) = core::str::from_utf8(text) else { return };
    if serde_json::from_str::<serde_json::Value>(json).is_ok_and(|value| value.is_object()) {
        let harness = HARNESSES[usize::from(*select) % HARNESSES.len()];
        let names: Vec<_> = harness.entries().flat_map(|entry| entry.tool.names).collect();
        let name = names[usize::from(*name) % names.len()].wire;
        invariants::projected_stream(Some(harness.id), Some(name), json, cuts);
    }
});
