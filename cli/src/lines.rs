//! Commands that answer each line of JSON with a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use toolprism_facade::Error;

use crate::Exit;
use crate::args::Global;
use crate::discover::plain;
use crate::messages::problem;
use crate::output::Output;
use crate::text::{Keep, clean};
use toolprism_facade::record::{Record, write_object};

/// A longer line is not read.
const LONGEST: u64 = 64 << 20;

/// The record of a line that could not be read.
fn error_record(error: &Error, line: u64, column: usize) -> Record<'_> {
    let members: Record<'_> = vec![
        ("kind", error.kind.into()),
        ("message", error.message.as_str().into()),
        ("line", line.into()),
        ("column", column.into()),
    ];
    vec![("error", members.into())]
}

/// Writes for each line what `answer` makes of it; nothing where that is nothing. For a line that cannot be read there is an
/// error in its place, which is said on stderr too, after `who`.
pub(crate) fn answer_lines(
    file: &Path,
    who: &str,
    global: &Global,
    mut answer: impl FnMut(&[u8]) -> Result<String, Error>,
) -> io::Result<Exit> {
    let source: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        match File::open(file) {
            Ok(file) => Box::new(file),
            Err(error) => return Ok(unreadable(file, global, &error)),
        }
    };
    let mut source = BufReader::with_capacity(256 << 10, source);
    let mut out = Output::new();
    let mut exit = Exit::Fine;
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        match source.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => number += 1,
            Err(error) => {
                out.flush()?;
                return Ok(unreadable(file, global, &error));
            }
        }
        let whole = line.last() == Some(&b'\n') || (line.len() as u64) < LONGEST;
        let answered = if !whole {
            Err(Error { kind: "too_long", message: "the line is longer than 64 MiB".into(), ..Error::default() })
        } else if is_blank(&line) {
            Ok(None)
        } else {
            answer(&line).map(Some)
        };
        if !whole {
            pass_line(&mut source)?;
        }
        match answered {
            Ok(None) => {}
            Ok(Some(found)) => out.append(|buffer| {
                buffer.extend_from_slice(found.as_bytes());
                buffer.push(b'\n');
            })?,
            Err(error) => {
                exit = Exit::Failed;
                let offset = error.offset.and_then(|offset| usize::try_from(offset).ok()).unwrap_or_default();
                let column = column(&line, offset);
                // Where stderr cannot be written, the line of the output and the exit code still say it.
                let _ = writeln!(io::stderr(), "{who}: line {number}, column {column}: {}", error.message);
                out.append(|buffer| {
                    write_object(&error_record(&error, number, column), buffer);
                    buffer.push(b'\n');
                })?;
            }
        }
        // Whoever feeds us line by line gets each answer before the next question.
        if source.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(exit)
}

fn unreadable(file: &Path, global: &Global, error: &io::Error) -> Exit {
    let mut text = String::new();
    problem(&mut text, global, &format!("{}: {}", clean(&file.to_string_lossy(), Keep::End), plain(error)));
    let _ = io::stderr().write_all(text.as_bytes());
    Exit::NothingRead
}

/// Whether there is nothing on the line, but perhaps a byte order mark.
fn is_blank(line: &[u8]) -> bool {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii().is_empty()
}

/// Passes over the rest of a line.
fn pass_line(source: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = source.fill_buf()?;
        let (taken, done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        source.consume(taken);
        if done {
            return Ok(());
        }
    }
}

/// The column of a byte, in characters, counted from 1.
fn column(line: &[u8], offset: usize) -> usize {
    String::from_utf8_lossy(line.get(..offset).unwrap_or(line)).chars().count() + 1
}
