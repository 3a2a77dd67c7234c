//! The Python package: building its wheel, and testing it as a stranger would use it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::process::{root, run};
use crate::test::rounds;

/// What a wheel may weigh: users download it whole.
const MOST_BYTES: u64 = 3_000_000;

/// Links for a glibc of one's choice, whatever the system's is.
const ZIG: &str = "ziglang==0.17.1";

/// Systems with glibc 2.17 or later, which are those of the last ten years.
const MANYLINUX: &str = "manylinux2014";

/// Builds the wheel for this system and those like it, to test it and measure it, and says where it lies.
fn wheel() -> Result<PathBuf> {
    built(&root().join("target/python/wheel"), &[])
}

/// Builds the wheel into `dist/`: for all Linux systems that are not too old, where zig can be had, which is slower.
pub(crate) fn dist() -> Result<PathBuf> {
    let dist = root().join("dist");
    match zig() {
        Ok(()) => built(&dist, &["--zig", "--compatibility", MANYLINUX]),
        Err(why) => {
            eprintln!("the wheel will be for systems no older than this one: {why}");
            built(&dist, &[])
        }
    }
}

/// Installs zig, unless it is there.
fn zig() -> Result {
    if !cfg!(target_os = "linux") {
        return Err("only on Linux does zig link for older systems".into());
    }
    let python = program(&tools()?, "python");
    let mut pip = command(&python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG]);
    pip.env("PIP_DEFAULT_TIMEOUT", "60");
    run(pip)
}

/// Builds the wheel into a folder with these arguments of maturin's, and says where it lies.
fn built(folder: &Path, args: &[&str]) -> Result<PathBuf> {
    let tools = tools()?;
    for old in wheels(folder) {
        fs::remove_file(&old).map_err(|error| format!("cannot remove {}: {error}", old.display()))?;
    }
    let mut build = command(&program(&tools, "maturin"), ["build", "--quiet", "--locked", "--out"]);
    build.arg(folder).arg("--interpreter").arg(program(&tools, "python")).args(args);
    // There maturin finds the Python that has zig.
    let mut path: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    path.insert(0, programs(&tools));
    build.env("PATH", env::join_paths(path).map_err(|error| format!("cannot set PATH: {error}"))?);
    run(build)?;
    let built = wheels(folder).pop().ok_or_else(|| format!("maturin has put no wheel into {}", folder.display()))?;
    let size = fs::metadata(&built).map_or(0, |metadata| metadata.len());
    eprintln!("built {} ({} kB)", built.display(), size / 1000);
    if size > MOST_BYTES { Err(format!("{} has {size} bytes", built.display())) } else { Ok(built) }
}

/// Builds the wheel for older systems, where zig can be had, and installs and tries it.
pub(crate) fn test_portable() -> Result {
    zig()?;
    let wheel = dist()?;
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    if !name.contains(MANYLINUX) {
        return Err(format!("{name} is not for {MANYLINUX}"));
    }
    let clean = root().join("target/python/portable");
    environment(&clean)?;
    install_and_try(&clean, &wheel)
}

/// Installs the wheel into a clean environment, and runs the tests and the type checkers there.
pub(crate) fn test(full: bool) -> Result {
    let (wheel, tools) = (wheel()?, tools()?);
    let clean = root().join("target/python/clean");
    environment(&clean)?;
    let python = program(&clean, "python");
    install_and_try(&clean, &wheel)?;
    lend(&tools, &clean)?;
    run(rounds(command(&python, ["-m", "pytest"]), full))?;
    run(command(&python, ["-m", "mypy", "--strict", "tests", "bench.py"]))?;
    run(command(&python, ["-m", "mypy.stubtest", "toolprism._native"]))?;
    let mut pyright = command(&program(&tools, "pyright"), ["--pythonpath"]);
    pyright.arg(&python).args(["--warnings"]);
    run(pyright)
}

/// Installs the wheel: with nothing beside it, it works.
fn install_and_try(clean: &Path, wheel: &Path) -> Result {
    let python = program(clean, "python");
    let mut install = command(&python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--no-index", "--no-deps"]).arg(wheel);
    run(install)?;
    run(command(&python, ["-c", "import toolprism; assert len(toolprism.scan('../samples')) > 50"]))?;
    run(command(&program(clean, "toolprism"), ["--version"]))
}

/// Measures the installed package beside a parser and the work that it takes over.
pub(crate) fn bench() -> Result {
    let (wheel, tools) = (wheel()?, tools()?);
    let mut install =
        command(&program(&tools, "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--no-index", "--no-deps", "--force-reinstall"]).arg(wheel);
    run(install)?;
    run(command(&program(&tools, "python"), ["bench.py"]))
}

/// The environment with all that building and testing takes.
fn tools() -> Result<PathBuf> {
    let venv = root().join("target/python/venv");
    let (wanted, installed) = (root().join("python/requirements.txt"), venv.join("requirements.txt"));
    if fs::read(&wanted).ok() != fs::read(&installed).ok() {
        environment(&venv)?;
        let mut pip =
            command(&program(&venv, "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip.arg("--requirement").arg(&wanted);
        run(pip).map_err(|error| format!("{error}: the tests need Python 3.11 or later, and its package index"))?;
        fs::copy(&wanted, &installed).map_err(|error| format!("cannot write {}: {error}", installed.display()))?;
    }
    Ok(venv)
}

/// A new environment with nothing but pip.
fn environment(folder: &Path) -> Result {
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut venv = Command::new(python);
    venv.args(["-m", "venv", "--clear"]).arg(folder);
    let remedy = "install Python 3.11 or later, with pip and venv (on Debian: apt-get install python3 python3-venv)";
    run(venv).map_err(|error| format!("{error}: {remedy}"))
}

/// Makes the packages of one environment visible in another, behind its own.
fn lend(from: &Path, to: &Path) -> Result {
    let paths = |venv: &Path, what: &str| -> Result<PathBuf> {
        let script = format!("import sysconfig; print(sysconfig.get_path({what:?}), end='')");
        crate::process::stdout(command(&program(venv, "python"), ["-c", &script])).map(PathBuf::from)
    };
    let link = paths(to, "purelib")?.join("tools.pth");
    let text = paths(from, "purelib")?.to_string_lossy().into_owned();
    fs::write(&link, text).map_err(|error| format!("cannot write {}: {error}", link.display()))
}

/// A program of an environment.
fn program(venv: &Path, name: &str) -> PathBuf {
    programs(venv).join(name)
}

/// The folder of an environment's programs.
fn programs(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

fn command<A: AsRef<OsStr>>(program: &Path, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root().join("python"));
    command
}

fn wheels(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension() == Some(OsStr::new("whl"))).collect()
}
