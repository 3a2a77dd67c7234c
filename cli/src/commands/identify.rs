//! `toolprism identify`: what single calls are, a line each.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism::{Call, Identity, identify};

use crate::Exit;
use crate::args::{Global, IdentifyArgs};
use crate::data::{Record, write_object};
use crate::discover::plain;
use crate::messages::problem;
use crate::output::Output;
use crate::text::{Keep, clean};

/// A longer line is not read.
const LONGEST: u64 = 64 << 20;

pub(crate) fn run(args: &IdentifyArgs, global: &Global) -> io::Result<Exit> {
    let source: Box<dyn Read> = if args.file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        match File::open(&args.file) {
            Ok(file) => Box::new(file),
            Err(error) => return Ok(unreadable(args, global, &error)),
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
                return Ok(unreadable(args, global, &error));
            }
        }
        let whole = line.last() == Some(&b'\n') || (line.len() as u64) < LONGEST;
        let answer =
            if whole { answer(&line) } else { Answer::fault("too_long", 0, "the line is longer than 64 MiB".into()) };
        if !whole {
            pass_line(&mut source)?;
        }
        match answer {
            Answer::Blank => {}
            Answer::Found(found) => out.append(|buffer| write_found(&found, buffer))?,
            Answer::Fault(fault) => {
                exit = Exit::Failed;
                let column = column(&line, fault.offset);
                // Where stderr cannot be written, the line of the output and the exit code still say it.
                let _ = writeln!(io::stderr(), "identify: line {number}, column {column}: {}", fault.message);
                out.append(|buffer| write_line(&fault.record(number, column), buffer))?;
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

fn unreadable(args: &IdentifyArgs, global: &Global, error: &io::Error) -> Exit {
    let mut text = String::new();
    problem(&mut text, global, &format!("{}: {}", clean(&args.file.to_string_lossy(), Keep::End), plain(error)));
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

fn write_line(record: &Record<'_>, buffer: &mut Vec<u8>) {
    write_object(record, buffer);
    buffer.push(b'\n');
}

enum Answer {
    Blank,
    Found(Box<Identity>),
    Fault(Fault),
}

/// Why a line could not be read.
struct Fault {
    kind: &'static str,
    message: String,
    /// Byte offset in the line.
    offset: usize,
}

impl Answer {
    fn fault(kind: &'static str, offset: usize, message: String) -> Answer {
        Answer::Fault(Fault { kind, message, offset })
    }
}

impl Fault {
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

/// The members of a line that are texts, in the order in which they are taken apart below.
const TEXTS: [&str; 7] = ["harness", "namespace", "version", "name", "title", "acp_kind", "acp_name"];

fn answer(line: &[u8]) -> Answer {
    let start = if line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let text = line.get(start..).unwrap_or_default();
    let start = start + text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let text = text.trim_ascii();
    if text.is_empty() {
        return Answer::Blank;
    }
    let json = match RawJson::parse(text) {
        Ok(json) => json,
        Err(error) => return Answer::fault("not_json", start + error.offset, error.fault.to_string()),
    };
    if !json.is_object() {
        return Answer::fault("not_an_object", start, "the line is JSON, but no object".into());
    }
    let mut members = [None; TEXTS.len()];
    json.pick(&TEXTS, &mut members);
    let mut texts: [Option<Cow<'_, str>>; TEXTS.len()] = Default::default();
    for ((name, member), text) in TEXTS.iter().zip(members).zip(&mut texts) {
        let Some(member) = member.filter(|member| !member.is_null()) else { continue };
        *text = member.str();
        if member.json_type() != JsonType::String {
            let offset = member.text().as_ptr().addr().saturating_sub(line.as_ptr().addr());
            return Answer::fault("wrong_type", offset, format!("\"{name}\" must be a string"));
        }
    }
    let [harness, namespace, version, name, title, acp_kind, acp_name] = &texts;
    let present = |name| json.get(name).filter(|member: &RawJson<'_>| !member.is_null());
    Answer::Found(Box::new(identify(&Call {
        harness: harness.as_deref(),
        namespace: namespace.as_deref(),
        version: version.as_deref(),
        name: name.as_deref(),
        title: title.as_deref(),
        acp_kind: acp_kind.as_deref(),
        acp_name: acp_name.as_deref(),
        raw_input: present("raw_input"),
        meta: present("meta"),
        ..Call::default()
    })))
}

/// The members that this program puts behind the envelope's own.
const OURS: [&str; 3] = ["why", "server", "tool"];

/// The envelope, its unknown members included, then what led to it. The envelope's own members of our names give way.
fn write_found(found: &Identity, buffer: &mut Vec<u8>) {
    let mut meta = found.meta.clone();
    for name in OURS {
        meta.extra.remove(name);
    }
    let envelope = serde_json::to_string(&meta).unwrap_or_default();
    let mut ours: Record<'_> = vec![("why", found.why.as_str().into())];
    if let Some(mcp) = &found.mcp {
        ours.extend([("server", mcp.server.as_str().into()), ("tool", mcp.tool.as_str().into())]);
    }
    buffer.extend_from_slice(envelope.strip_suffix('}').unwrap_or(&envelope).as_bytes());
    buffer.push(b',');
    let start = buffer.len();
    write_object(&ours, buffer);
    // The two objects become one.
    buffer.remove(start);
    buffer.push(b'\n');
}

/// The column of a byte, in characters, counted from 1.
fn column(line: &[u8], offset: usize) -> usize {
    String::from_utf8_lossy(line.get(..offset).unwrap_or(line)).chars().count() + 1
}
