//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// The workspace's root folder.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The folder that holds `debug/` and `release/`, wherever the user's settings put it: this program lies in it.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let this = env::current_exe().map_err(|error| format!("cannot find my own path: {error}"))?;
    let target = this.ancestors().nth(2).ok_or_else(|| format!("{} lies in no target folder", this.display()))?;
    Ok(target.to_owned())
}

/// Cargo, in the workspace's root, as the toolchain that built this program.
pub(crate) fn cargo<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs `command` with this program's input and output.
pub(crate) fn run(mut command: Command) -> Result {
    let status = command.status().map_err(|error| unstartable(&command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(&command))) }
}

/// What `command` prints to its standard output; its standard error goes to the user.
pub(crate) fn stdout(mut command: Command) -> Result<String> {
    let output = command.stderr(std::process::Stdio::inherit()).output();
    let output = output.map_err(|error| unstartable(&command, &error))?;
    if !output.status.success() {
        return Err(format!("`{}` failed ({})", shown(&command), output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("`{}` printed no UTF-8: {error}", shown(&command)))
}

/// Whether `command` can be started and succeeds; it prints nothing.
pub(crate) fn succeeds(mut command: Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The command as one would type it, with what it sets in the environment.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    // Cargo's own path, deep in a toolchain, says nothing.
    let own_cargo = env::var_os("CARGO").is_some_and(|cargo| cargo == program);
    let program = if own_cargo { "cargo".into() } else { program.to_string_lossy() };
    let settings = command.get_envs().filter_map(|(key, value)| Some((key, value?)));
    let settings = settings.map(|(key, value)| format!("{}={}", key.to_string_lossy(), value.to_string_lossy()));
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    settings.chain([program.into_owned()]).chain(args).collect::<Vec<_>>().join(" ")
}

fn unstartable(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", shown(command))
}
