//! Reading a log in one thread: Toolprism's reader and ledger against JSON parsers that only parse.

use std::fs;
use std::hint::black_box;
use std::io;

use serde::Deserialize;
use serde_json::value::RawValue;
use sonic_rs::{JsonValueTrait, LazyValue};
use toolprism::CallLedger;
use toolprism::readers::Reader;

use crate::best;
use crate::logs::Log;

const ROUNDS: usize = 3;
/// How much is handed to the reader at once.
const PIECE: usize = 256 << 10;

/// The borrowed form that a careful reader would write: the parts that lead to tool calls, and nothing of the rest.
#[derive(Deserialize)]
struct Borrowed<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Prints MB/s of each, and Toolprism's ratio to each.
pub fn compare(logs: &[Log]) -> io::Result<()> {
    println!("reading from memory, one thread, MB/s (and how many times faster Toolprism is)");
    println!(
        "{:<12} {:>9} {:>18} {:>24} {:>18}",
        "log", "toolprism", "serde_json Value", "serde_json RawValue", "sonic-rs lazy"
    );
    for log in logs {
        let text = fs::read(&log.path)?;
        let lines = || text.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let speed = |seconds: f64| text.len() as f64 / 1e6 / seconds;
        let ours = speed(best(ROUNDS, || {
            let (mut ledger, mut reader) = (CallLedger::default(), Reader::new());
            for piece in text.chunks(PIECE) {
                reader.push(piece, &mut ledger);
            }
            reader.finish(&mut ledger);
            black_box(ledger.calls().len());
        }));
        let value = speed(best(ROUNDS, || {
            for line in lines() {
                black_box(serde_json::from_slice::<serde_json::Value>(line).ok());
            }
        }));
        let borrowed = speed(best(ROUNDS, || {
            for line in lines() {
                let parsed = serde_json::from_slice::<Borrowed<'_>>(line).ok();
                black_box(
                    parsed.map(|p| (p.kind.is_some(), p.message.is_some(), p.payload.is_some(), p.params.is_some())),
                );
            }
        }));
        let lazy = speed(best(ROUNDS, || {
            for line in lines() {
                let parsed = sonic_rs::from_slice::<LazyValue<'_>>(line).ok();
                black_box(parsed.map(|p| p.get("message").is_some()));
            }
        }));
        let ratio = |peer: f64| format!("{peer:.0} ({:.1}x)", ours / peer);
        println!("{:<12} {ours:>9.0} {:>18} {:>24} {:>18}", log.name, ratio(value), ratio(borrowed), ratio(lazy));
    }
    println!();
    Ok(())
}
