//! Commands that answer each line of JSON with a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use toolprism::json::{JsonView, RawJson};

use crate::Exit;
use crate::args::Global;
use crate::data::{Record, write_object};
use crate::discover::plain;
use crate::messages::problem;
use crate::output::Output;
use crate::text::{Keep, clean};

/// A longer line is not read.
const LONGEST: u64 = 64 << 20;

/// Why a line could not be read.
pub(crate) struct Fault {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// Byte offset in the line.
    pub(crate) offset: usize,
}

impl Fault {
    /// A member of the line is not what it must be.
    pub(crate) fn wrong_type(line: &[u8], member: RawJson<'_>, message: String) -> Fault {
        let offset = member.text().as_ptr().addr().saturating_sub(line.as_ptr().addr());
        Fault { kind: "wrong_type", message, offset }
    }

    fn record(&self, line: u64, column: usize) -> Record<'_> {
        let error: Record<'_> = vec![
            ("kind", self.kind.into()),
            ("message", self.message.as_str().into()),
            ("line", line.into()),
            ("column", column.into()),
        ];
        vec![("error", error.into())]
    }
}

/// Writes for each line what `answer` makes of it; nothing where that is nothing. For a line that cannot be read there is an
/// error in its place, which is said on stderr too, after `who`.
pub(crate) fn answer_lines(
    file: &Path,
    who: &str,
    global: &Global,
    mut answer: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, Fault>,
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
        let answered = if whole {
            answer(&line)
        } else {
            Err(Fault { kind: "too_long", message: "the line is longer than 64 MiB".into(), offset: 0 })
        };
        if !whole {
            pass_line(&mut source)?;
        }
        match answered {
            Ok(None) => {}
            Ok(Some(found)) => out.append(|buffer| {
                buffer.extend_from_slice(&found);
                buffer.push(b'\n');
            })?,
            Err(fault) => {
                exit = Exit::Failed;
                let column = column(&line, fault.offset);
                // Where stderr cannot be written, the line of the output and the exit code still say it.
                let _ = writeln!(io::stderr(), "{who}: line {number}, column {column}: {}", fault.message);
                out.append(|buffer| {
                    write_object(&fault.record(number, column), buffer);
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

/// The object of a line; `None` of a blank one.
pub(crate) fn object(line: &[u8]) -> Result<Option<RawJson<'_>>, Fault> {
    let start = if line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let text = line.get(start..).unwrap_or_default();
    let start = start + text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(None);
    }
    let json = RawJson::parse(text).map_err(|error| Fault {
        kind: "not_json",
        message: error.fault.to_string(),
        offset: start + error.offset,
    })?;
    if !json.is_object() {
        return Err(Fault { kind: "not_an_object", message: "the line is JSON, but no object".into(), offset: start });
    }
    Ok(Some(json))
}

fn unreadable(file: &Path, global: &Global, error: &io::Error) -> Exit {
    let mut text = String::new();
    problem(&mut text, global, &format!("{}: {}", clean(&file.to_string_lossy(), Keep::End), plain(error)));
    let _ = io::stderr().write_all(text.as_bytes());
    Exit::NothingRead
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
