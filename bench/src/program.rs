//! The program as a whole: speed, memory, two files on two cores, long lines.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

use crate::logs::Log;

/// Runs the program with its output thrown away; seconds.
fn time(program: &Path, args: &[&str], files: &[&Path]) -> io::Result<f64> {
    let start = Instant::now();
    let status = Command::new(program).args(args).args(files).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("{} {args:?} {files:?} ended with {status}", program.display())));
    }
    Ok(start.elapsed().as_secs_f64())
}

fn best_of_three(program: &Path, args: &[&str], files: &[&Path]) -> io::Result<f64> {
    (0..3).try_fold(f64::INFINITY, |best, _| Ok(best.min(time(program, args, files)?)))
}

/// The first argument by which this program runs another one, and prints the peak of its memory.
pub const PEAK: &str = "--peak-of";

/// Runs a program, and prints the most memory it has had, in MiB.
pub fn print_peak(program: &str, args: impl Iterator<Item = String>) -> io::Result<()> {
    let status = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(io::Error::from)?;
    println!("{}", usage.max_rss() / 1024);
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program} ended with {status}"))) }
}

/// The most memory that the program has on a file. What a process had before it became the program counts too, so it is
/// started from a process that is small.
fn peak(program: &Path, args: &[&str], file: &Path) -> io::Result<String> {
    let output = Command::new(std::env::current_exe()?).arg(PEAK).arg(program).args(args).arg(file).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(format!("{} MiB", String::from_utf8_lossy(&output.stdout).trim()))
}

/// Prints what the program does on each log.
pub fn measure(program: &Path, logs: &[Log], folder: &Path) -> io::Result<()> {
    const CALLS: &[&str] = &["calls", "--format", "jsonl", "--jobs", "1"];
    const GROUPS: &[&str] = &["groups", "--format", "json", "--jobs", "1"];
    println!("the program, files in the page cache, output thrown away (best of three)");
    for log in logs {
        let speed = |seconds: f64| log.bytes as f64 / 1e6 / seconds;
        let calls = speed(best_of_three(program, CALLS, &[&log.path])?);
        let groups = speed(best_of_three(program, GROUPS, &[&log.path])?);
        let peak = peak(program, CALLS, &log.path)?;
        println!("  {:<12} calls {calls:>6.0} MB/s, groups {groups:>6.0} MB/s, one core, peak {peak}", log.name);
    }
    if let Some(log) = logs.first() {
        let copy = folder.join("copy.jsonl");
        fs::copy(&log.path, &copy)?;
        let files = [log.path.as_path(), copy.as_path()];
        let one = best_of_three(program, GROUPS, &files)?;
        let two = best_of_three(program, &["groups", "--format", "json", "--jobs", "2"], &files)?;
        println!("  two files: {:.2} s on one core, {:.2} s on two ({:.2}x)", one, two, one / two);
    }
    let long = folder.join("long.jsonl");
    long_line(&long, 63 << 20)?;
    let seconds = best_of_three(program, CALLS, &[&long])?;
    println!("  a line of 63 MiB: {seconds:.2} s, peak {}\n", peak(program, CALLS, &long)?);
    Ok(())
}

/// A Claude Code session of which one call writes a file of this size.
fn long_line(path: &Path, size: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write!(
        file,
        r#"{{"type":"assistant","sessionId":"s","uuid":"u","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":"Write","input":{{"file_path":"big.txt","content":""#
    )?;
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..size >> 20 {
        file.write_all(&chunk)?;
    }
    file.write_all(b"\"}}]}}\n")?;
    file.flush()
}
