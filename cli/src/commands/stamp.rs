//! `toolprism stamp`: a log with an envelope on every tool call, or the original back.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use toolprism::readers::Format;
use toolprism::stamping::{Lines, Stamped, Stamper, unstamp};

use crate::Exit;
use crate::args::{Global, StampArgs};
use crate::discover::plain;
use crate::messages::problem;
use crate::output::Output;
use crate::text::{Keep, clean};
use crate::units::counted;

/// Read at a time.
const PIECE: usize = 256 << 10;

pub(crate) fn run(args: &StampArgs, global: &Global) -> io::Result<Exit> {
    let mut source: Box<dyn Read> = if args.file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        match File::open(&args.file) {
            Ok(file) => Box::new(file),
            Err(error) => return Ok(fail(args, global, &plain(&error))),
        }
    };
    let mut out = Output::new();
    if args.remove {
        return remove(args, &mut source, &mut out, global);
    }
    let stamper = if args.file.is_file() { learn(&args.file) } else { Stamper::new() };
    stamp(args, stamper, &mut source, &mut out, global)
}

/// Goes through a file that can be read twice. What cannot be read is told of the second time.
fn learn(file: &Path) -> Stamper {
    let mut first = Stamper::new();
    if let Ok(mut file) = File::open(file) {
        let mut seen = Vec::new();
        let _ = pieces(&mut file, |piece| {
            first.push(piece, &mut seen);
            seen.clear();
            Ok(())
        });
    }
    Stamper::knowing(first)
}

fn stamp(
    args: &StampArgs,
    mut stamper: Stamper,
    source: &mut impl Read,
    out: &mut Output,
    global: &Global,
) -> io::Result<Exit> {
    let outcome = pieces(source, |piece| out.append(|buffer| stamper.push(piece, buffer)))?;
    let mut done = Stamped::default();
    out.append(|buffer| done = stamper.finish(buffer))?;
    out.flush()?;
    if let Err(error) = outcome {
        return Ok(fail(args, global, &plain(&error)));
    }
    match stamper.format() {
        Some(Format::Acp | Format::GrokUpdates) => {
            say(args, global, &told(done));
            Ok(Exit::Fine)
        }
        Some(format) => {
            let format = format.display();
            Ok(fail(
                args,
                global,
                &format!(
                    "only ACP and Grok Build logs have a place for envelopes; this is a {format}, passed on as it is"
                ),
            ))
        }
        None => Ok(fail(args, global, "no ACP or Grok Build log; passed on as it is")),
    }
}

fn remove(args: &StampArgs, source: &mut impl Read, out: &mut Output, global: &Global) -> io::Result<Exit> {
    let (mut lines, mut removed) = (Lines::default(), 0_usize);
    let mut restore = |line: &[u8], whole: bool, out: &mut Vec<u8>| {
        if whole { removed += usize::from(unstamp(line, out)) } else { out.extend_from_slice(line) }
    };
    let outcome =
        pieces(source, |piece| out.append(|buffer| lines.push(piece, |line, whole| restore(line, whole, buffer))))?;
    out.append(|buffer| lines.finish(|line, whole| restore(line, whole, buffer)))?;
    out.flush()?;
    if let Err(error) = outcome {
        return Ok(fail(args, global, &plain(&error)));
    }
    say(args, global, &format!("removed {}", counted(removed, "stamp", "stamps")));
    Ok(Exit::Fine)
}

/// What was done, in words.
pub(crate) fn told(done: Stamped) -> String {
    let mut text = format!("stamped {}", counted(done.stamped, "message", "messages"));
    if done.kept > 0 {
        text += &format!(", {} had an envelope", crate::units::count(done.kept));
    }
    if done.untouched > 0 {
        text += &format!(", {} left alone (`_meta` is no object)", crate::units::count(done.untouched));
    }
    text
}

/// Hands on what is read, piece by piece. The outer error is one of `hand_on`, the inner one of the source.
fn pieces(source: &mut impl Read, mut hand_on: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<io::Result<()>> {
    let mut buffer = vec![0; PIECE];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(Ok(())),
            Ok(len) => hand_on(buffer.get(..len).unwrap_or_default())?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn say(args: &StampArgs, global: &Global, message: &str) {
    if !global.quiet {
        // A note that cannot be written costs nothing.
        let _ = writeln!(io::stderr(), "{}: {message}", clean(&args.file.to_string_lossy(), Keep::End));
    }
}

fn fail(args: &StampArgs, global: &Global, message: &str) -> Exit {
    let mut text = String::new();
    problem(&mut text, global, &format!("{}: {message}", clean(&args.file.to_string_lossy(), Keep::End)));
    let _ = io::stderr().write_all(text.as_bytes());
    Exit::NothingRead
}
