//! Toolprism against its peers, in one run; figures are the best of several rounds, ratios are of those.
//!
//! `cargo xtask bench [MEGABYTES]` (or `bench finalize`, `partial`, `proxy` for that part alone) builds the program and runs this.
//! The logs are made by repeating the files of `../shared/data`, where that lies beside the checkout, else the samples of
//! the repository.

mod call;
mod finalize;
mod logs;
mod partial;
mod peers;
mod program;
mod proxy;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let outcome = match (args.next(), args.next()) {
        (Some(peak), Some(program)) if peak == program::PEAK => program::print_peak(&program, args),
        (Some(agent), _) if agent == proxy::AGENT => proxy::agent(),
        (Some(_), Some(part)) if part == FINALIZE => in_folder(finalize::measure),
        (Some(_), Some(part)) if part == PARTIAL => in_folder(partial::measure),
        (Some(program), Some(part)) if part == PROXY => proxy::measure(Path::new(&program)),
        (Some(program), megabytes) => match megabytes.map_or(Ok(300), |text| text.parse()) {
            Ok(megabytes) => run(Path::new(&program), megabytes),
            Err(_) => return usage("the size of the logs must be a number of megabytes"),
        },
        (None, _) => return usage("usage: toolprism-bench PROGRAM [MEGABYTES]; run it by `cargo xtask bench`"),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage(text: &str) -> ExitCode {
    eprintln!("{text}");
    ExitCode::from(2)
}

/// The names of the parts that need no logs.
const FINALIZE: &str = "finalize";
const PARTIAL: &str = "partial";
const PROXY: &str = "proxy";

fn run(program: &Path, megabytes: usize) -> std::io::Result<()> {
    in_folder(|folder| {
        let logs = logs::make(folder, megabytes)?;
        peers::compare(&logs)?;
        program::measure(program, &logs, folder)?;
        call::measure();
        partial::measure(folder)?;
        proxy::measure(program)?;
        finalize::measure(folder)
    })
}

/// Runs the work with a folder of its own, which is gone afterwards.
fn in_folder(work: impl FnOnce(&Path) -> std::io::Result<()>) -> std::io::Result<()> {
    let folder = std::env::temp_dir().join(format!("toolprism-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = work(&folder);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

/// The best time of a few rounds, in seconds.
fn best(rounds: usize, mut work: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = std::time::Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
