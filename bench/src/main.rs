//! Toolprism against its peers, in one run; figures are the best of several rounds, ratios are of those.
//!
//! `cargo xtask bench [MEGABYTES]` builds the program and runs this. The logs are made by repeating the files of
//! `../shared/data`, where that lies beside the checkout, else the samples of the repository.

mod call;
mod logs;
mod peers;
mod program;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(program), megabytes) = (args.next().map(PathBuf::from), args.next()) else {
        eprintln!("usage: toolprism-bench PROGRAM [MEGABYTES]; run it by `cargo xtask bench`");
        return ExitCode::from(2);
    };
    let megabytes = megabytes.map_or(Ok(300), |text| text.parse());
    let Ok(megabytes) = megabytes else {
        eprintln!("the size of the logs must be a number of megabytes");
        return ExitCode::from(2);
    };
    match run(&program, megabytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &std::path::Path, megabytes: usize) -> std::io::Result<()> {
    let folder = std::env::temp_dir().join(format!("toolprism-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = logs::make(&folder, megabytes).and_then(|logs| {
        peers::compare(&logs)?;
        program::measure(program, &logs, &folder)?;
        call::measure();
        Ok(())
    });
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
