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

/// The largest memory that any child has had so far, in MiB.
fn peak() -> io::Result<i64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(io::Error::from)?;
    Ok(usage.max_rss() / 1024)
}

/// Prints what the program does on each log.
pub fn measure(program: &Path, logs: &[Log], folder: &Path) -> io::Result<()> {
    println!("the program, files in the page cache, output thrown away (best of three)");
    for log in logs {
        let speed = |seconds: f64| log.bytes as f64 / 1e6 / seconds;
        let calls = best_of_three(program, &["calls", "--format", "jsonl", "--jobs", "1"], &[&log.path])?;
        let groups = best_of_three(program, &["groups", "--format", "json", "--jobs", "1"], &[&log.path])?;
        println!("  {:<12} calls {:>6.0} MB/s, groups {:>6.0} MB/s, one core", log.name, speed(calls), speed(groups));
    }
    println!("  peak memory so far: {} MiB", peak()?);
    if let Some(log) = logs.first() {
        let copy = folder.join("copy.jsonl");
        fs::copy(&log.path, &copy)?;
        let files = [log.path.as_path(), copy.as_path()];
        let one = best_of_three(program, &["groups", "--format", "json", "--jobs", "1"], &files)?;
        let two = best_of_three(program, &["groups", "--format", "json", "--jobs", "2"], &files)?;
        println!("  two files: {:.2} s on one core, {:.2} s on two ({:.2}x)", one, two, one / two);
    }
    let long = folder.join("long.jsonl");
    long_line(&long, 63 << 20)?;
    let before = peak()?;
    let seconds = best_of_three(program, &["calls", "--format", "jsonl"], &[&long])?;
    println!("  a line of 63 MiB: {seconds:.2} s, peak memory {} MiB (before: {before} MiB)\n", peak()?);
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
