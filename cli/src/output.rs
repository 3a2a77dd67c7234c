//! Writing to stdout: in large pieces, and records in the format asked for.

use std::io::{self, Stdout, Write};

use crate::args::Format;
use toolprism_facade::csv::write_csv_line;
use toolprism_facade::record::{Record, write_object};

/// Written out when it has grown to this many bytes.
const PIECE: usize = 64 << 10;

/// Buffered stdout, which records are appended to.
pub(crate) struct Output {
    buffer: Vec<u8>,
    stdout: Stdout,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output { buffer: Vec::with_capacity(2 * PIECE), stdout: io::stdout() }
    }

    /// Appends text.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.append(|buffer| buffer.extend_from_slice(text.as_bytes()))
    }

    /// Appends what `write` adds to the buffer.
    pub(crate) fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        write(&mut self.buffer);
        if self.buffer.len() >= PIECE { self.write_out() } else { Ok(()) }
    }

    /// Hands on all that was appended.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.stdout.flush()
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.stdout.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Writes records as one of the formats for programs. `Json` gives an array.
pub(crate) fn write_records<'a>(
    out: &mut Output,
    format: Format,
    names: &[&'static str],
    records: impl IntoIterator<Item = Record<'a>>,
) -> io::Result<()> {
    match format {
        Format::Json => {
            out.text("[")?;
            write_items(out, records)?;
            out.text("]\n")
        }
        Format::Csv => {
            out.text(&names.join(","))?;
            out.text("\n")?;
            records.into_iter().try_for_each(|record| {
                debug_assert!(record.iter().map(|(name, _)| name).eq(names), "the columns have these names");
                out.append(|buffer| write_csv_line(&record, buffer))
            })
        }
        Format::Jsonl | Format::Table => records.into_iter().try_for_each(|record| {
            out.append(|buffer| {
                write_object(&record, buffer);
                buffer.push(b'\n');
            })
        }),
    }
}

/// Writes records as the elements of a JSON array, one a line.
pub(crate) fn write_items<'a>(out: &mut Output, records: impl IntoIterator<Item = Record<'a>>) -> io::Result<()> {
    let mut some = false;
    for record in records {
        out.append(|buffer| {
            buffer.extend_from_slice(if some { b",\n" } else { b"\n" });
            write_object(&record, buffer);
        })?;
        some = true;
    }
    if some { out.text("\n") } else { Ok(()) }
}
