//! `cargo xtask bench`: Toolprism against its peers, in one run.

use crate::process::{cargo, run};
use crate::{Result, dist};

/// Builds the program and the benchmarks, and runs them on logs of `megabytes` (or as many as they think fit).
pub(crate) fn measure(megabytes: Option<&str>) -> Result {
    let program = dist::release()?;
    let mut bench = cargo(["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--"]);
    bench.arg(program).args(megabytes);
    run(bench)
}
