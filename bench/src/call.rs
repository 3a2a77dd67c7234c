//! One call: what identity and projection cost, and that the size of the payload does not matter.

use std::hint::black_box;

use serde_json::{Value, json};
use toolprism::{Call, identify};

use crate::best;

const TIMES: usize = 100_000;

/// Prints nanoseconds a call, on arguments held as a parsed value.
pub fn measure() {
    println!("identify one call held as a parsed value");
    let mut first = None;
    for (name, size) in [("1 KB", 1 << 10), ("1 MB", 1 << 20)] {
        let raw: Value = json!({"file_path": "src/main.rs", "content": "x".repeat(size)});
        let seconds = best(5, || {
            for _ in 0..TIMES {
                let call = Call {
                    harness: Some("claude_code"),
                    name: Some("Write"),
                    raw_input: Some(&raw),
                    ..Call::default()
                };
                black_box(identify(black_box(&call)));
            }
        });
        let nanos = seconds * 1e9 / TIMES as f64;
        let base = *first.get_or_insert(nanos);
        println!("  payload of {name}: {nanos:.0} ns ({:.2}x)", nanos / base);
    }
}
