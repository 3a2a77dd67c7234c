//! What is said on stderr about files, and the exit code that follows from them.

use std::fmt::Write as _;
use std::io::{self, Write};

use toolprism::readers::{Format, Quarantine};

use crate::Exit;
use crate::args::Global;
use crate::discover::Found;
use crate::homes::HOMES;
use crate::scan::{FileReport, Scan};
use crate::style::{Painter, Role};
use crate::text::{Keep, clean};
use crate::units::counted;
use toolprism_facade::record::Record;
use toolprism_facade::span_record;

/// Of one file no more than this many damaged parts are named.
const MOST: usize = 10;

/// Says what could not be found or read, and how the program is to end.
pub(crate) fn report(found: &Found, scan: &Scan, strict: bool, given: bool, global: &Global) -> Exit {
    let mut text = String::new();
    for error in &found.errors {
        problem(&mut text, global, &clean(&error.to_string(), Keep::Start));
    }
    for file in &scan.files {
        describe(&mut text, file, global);
    }
    let exit = judge(found, scan, strict);
    if exit == Exit::NothingRead && found.inputs.is_empty() && found.errors.is_empty() {
        problem(&mut text, global, &nothing_found(given));
    } else if exit == Exit::NothingRead && scan.files.iter().all(FileReport::is_passed_over) && !scan.files.is_empty() {
        let files = counted(scan.files.len(), "file", "files");
        problem(&mut text, global, &format!("nothing could be read: {files}, none of a known format ({})", formats()));
    }
    // Where stderr cannot be written, the exit code still says it.
    let _ = io::stderr().write_all(text.as_bytes());
    exit
}

fn judge(found: &Found, scan: &Scan, strict: bool) -> Exit {
    let damaged = |file: &FileReport| !file.is_passed_over() && (file.tally.damaged > 0 || file.error.is_some());
    if !scan.files.iter().any(FileReport::is_read) {
        Exit::NothingRead
    } else if strict && (!found.errors.is_empty() || scan.files.iter().any(damaged)) {
        Exit::Damaged
    } else {
        Exit::Fine
    }
}

fn describe(text: &mut String, file: &FileReport, global: &Global) {
    let path = clean(&file.path, Keep::End);
    if let Some(error) = &file.error {
        let how = if file.tally.bytes > 0 { "could not be read to its end" } else { "could not be read" };
        problem(text, global, &format!("{path}: {how}: {error}"));
    }
    if file.is_unknown() && file.error.is_none() {
        if file.named {
            problem(text, global, &format!("{path}: no record of a known format ({})", formats()));
        } else if global.verbose {
            note(text, &format!("{path}: passed over, of another format"));
        }
    }
    if file.is_unknown() || global.quiet {
        return;
    }
    let painter = Painter::stderr(global);
    let told = |span: &&Quarantine| span.reason.is_damage() || global.verbose;
    for span in file.spans.iter().filter(told).take(MOST) {
        let (place, size) = (span.place, counted(span.len, "byte", "bytes"));
        painter.put(text, Role::Warning, &format!("{path}:{}", place.line));
        painter.put(text, Role::Faint, &format!(" (byte {}, {size})", place.offset));
        let _ = writeln!(text, ": {}", span.reason);
    }
    let more = (file.spans.iter().filter(told).count() as u64 + file.more_spans).saturating_sub(MOST as u64);
    if more > 0 {
        note(text, &format!("{path}: and {} more", crate::units::count(more)));
    }
}

/// The damaged and incomplete parts of all files, as records.
pub(crate) fn quarantined(scan: &Scan) -> impl Iterator<Item = Record<'_>> {
    let files = scan.files.iter().filter(|file| !file.is_passed_over());
    files.flat_map(|file| file.spans.iter().map(move |span| span_record(Some(&file.path), span)))
}

fn formats() -> String {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.display()).collect();
    format!("known are: {}", names.join(", "))
}

fn nothing_found(given: bool) -> String {
    if given {
        return "no file to read: folders are searched for *.jsonl, *.json and *.ndjson; name other files themselves"
            .into();
    }
    let mut text = String::from("no logs of agents found; these places were looked at:");
    for home in HOMES {
        for folder in home.folders() {
            let _ = write!(text, "\n  {:<12} {}", home.agent, clean(&folder.to_string_lossy(), Keep::End));
        }
    }
    text + "\nName a file or a folder: toolprism groups PATH"
}

/// An error: also said where `--quiet` was asked for.
pub(crate) fn problem(text: &mut String, global: &Global, message: &str) {
    Painter::stderr(global).put(text, Role::Bad, "toolprism:");
    let _ = writeln!(text, " {message}");
}

fn note(text: &mut String, message: &str) {
    let _ = writeln!(text, "{message}");
}
