//! `cargo xtask demo`: the program at work on real logs, then the playground.

use std::process::Command;

use crate::process::{root, shown};
use crate::{Result, dist, playground};

/// What the program exits with when it was given no paths and found no agent's logs on the machine.
const FOUND_NONE: i32 = 3;

/// Builds the program and runs `toolprism groups` on the paths among `args`, on the user's own logs, or on the samples; then
/// serves the playground, unless `--no-serve` is among them.
pub(crate) fn run(args: &[&str]) -> Result {
    let Asked { paths, serve } = asked(args)?;
    let program = dist::release()?;
    let samples = root().join("samples");
    let used = groups(&paths, &samples.to_string_lossy(), &mut |paths| {
        let mut command = Command::new(&program);
        command.arg("groups").args(paths);
        let status = command.status().map_err(|error| format!("cannot start `{}`: {error}", shown(&command)))?;
        status.code().ok_or_else(|| format!("`{}` was stopped ({status})", shown(&command)))
    })?;
    eprintln!("demo: {used}");
    if serve { playground::serve() } else { Ok(()) }
}

/// What the arguments say.
#[derive(Debug, PartialEq)]
struct Asked<'a> {
    paths: Vec<&'a str>,
    serve: bool,
}

fn asked<'a>(args: &[&'a str]) -> Result<Asked<'a>> {
    let (before, after) = match args.iter().position(|arg| *arg == "--") {
        Some(end) => (&args[..end], &args[end + 1..]),
        None => (args, &[][..]),
    };
    let (mut paths, mut serve) = (Vec::new(), true);
    for arg in before {
        match *arg {
            "--no-serve" => serve = false,
            option if option.starts_with('-') => {
                return Err(format!("demo has no option `{option}`; a path that starts with `-` goes after `--`"));
            }
            path => paths.push(path),
        }
    }
    paths.extend(after);
    Ok(Asked { paths, serve })
}

/// Runs the program (paths in, exit code out) as often as needed, and says what it showed in the end.
fn groups(paths: &[&str], samples: &str, program: &mut dyn FnMut(&[&str]) -> Result<i32>) -> Result<String> {
    let failed = |code| Err(format!("`toolprism groups` failed with exit code {code}; its message is above"));
    match program(paths)? {
        0 if paths.is_empty() => Ok("these are the logs of the agents on this machine".into()),
        0 => Ok(format!("these are the logs in {}", paths.join(" "))),
        FOUND_NONE if paths.is_empty() => match program(&[samples])? {
            0 => Ok(format!("no agent's logs on this machine, so these are the samples in {samples}")),
            code => failed(code),
        },
        code => failed(code),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::{Asked, asked, groups};

    /// What `groups` says, and the paths of each run, when the runs exit with `codes`.
    fn demo(paths: &[&str], codes: &[i32]) -> (Result<String, String>, Vec<Vec<String>>) {
        let mut runs = Vec::new();
        let said = groups(paths, "samples", &mut |paths| {
            runs.push(paths.iter().map(|path| (*path).to_owned()).collect());
            Ok(codes[runs.len() - 1])
        });
        (said, runs)
    }

    #[test]
    fn own_logs_come_first() {
        let (said, runs) = demo(&[], &[0]);
        assert!(said.unwrap().contains("agents on this machine"));
        assert_eq!(runs, [Vec::<String>::new()]);
    }

    #[test]
    fn samples_stand_in_for_logs_that_are_not_there() {
        let (said, runs) = demo(&[], &[3, 0]);
        assert!(said.unwrap().ends_with("samples in samples"));
        assert_eq!(runs, [vec![], vec!["samples".to_owned()]]);
    }

    #[test]
    fn paths_of_the_user_are_never_replaced_by_samples() {
        let (said, runs) = demo(&["nothing-here"], &[3]);
        assert!(said.unwrap_err().contains("exit code 3"));
        assert_eq!(runs, [["nothing-here"]]);
    }

    #[test]
    fn a_failure_is_no_reason_to_show_samples() {
        let (said, runs) = demo(&[], &[1]);
        assert!(said.unwrap_err().contains("exit code 1"));
        assert_eq!(runs.len(), 1);
        assert!(demo(&[], &[3, 3]).0.is_err());
    }

    #[test]
    fn options_and_paths_are_told_apart() {
        assert_eq!(asked(&["a", "--no-serve", "b"]), Ok(Asked { paths: vec!["a", "b"], serve: false }));
        assert_eq!(asked(&["--", "--no-serve"]), Ok(Asked { paths: vec!["--no-serve"], serve: true }));
        assert!(asked(&["--sreve"]).unwrap_err().contains("--sreve"));
    }
}
