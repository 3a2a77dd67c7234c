//! What a scan comes to: the figures below a table, and beside groups in JSON.

use std::collections::HashSet;

use toolprism::catalog;
use toolprism::{Status, ToolCall};

use toolprism_facade::record::{Datum, Record};
use toolprism_facade::tally::tally;

use crate::scan::{FileReport, Scan};
use crate::style::{self, Role};
use crate::table::Canvas;
use crate::text::{self, Keep, clean};
use crate::units::{self, count, counted};

/// The name of a harness to show.
pub(crate) fn display(harness: &str) -> &str {
    catalog::harness(harness).map_or(harness, |known| known.display)
}

/// A tool that nothing says what it is: its name, and the harness that calls it.
type Unknown<'a> = (&'a str, Option<&'a str>);

/// The figures of a scan.
pub(crate) struct Totals<'a> {
    calls: usize,
    by_status: [usize; Status::ALL.len()],
    sessions: usize,
    harnesses: Vec<(Option<&'a str>, usize)>,
    unknown: Vec<(Unknown<'a>, usize)>,
    /// As `unknown`, whatever the harness.
    unknown_names: Vec<(&'a str, usize)>,
    files: usize,
    passed_over: usize,
    unreadable: usize,
    bytes: u64,
    quarantined: u64,
    places: u64,
    copies: usize,
}

impl<'a> Totals<'a> {
    pub(crate) fn of(scan: &'a Scan) -> Totals<'a> {
        let calls = || scan.sources.iter().flat_map(|source| &source.calls);
        let mut by_status = [0; Status::ALL.len()];
        let mut sessions = HashSet::new();
        for call in calls() {
            if let Some(n) = by_status.get_mut(call.status as usize) {
                *n += 1;
            }
            sessions.extend(call.session.as_deref().map(|session| (call.harness.as_deref(), session)));
        }
        let unknown = |call: &&ToolCall| !call.identity.why.is_known();
        let counts = |file: &&FileReport| !file.is_passed_over();
        let files = || scan.files.iter().filter(counts);
        Totals {
            calls: calls().count(),
            by_status,
            sessions: sessions.len(),
            harnesses: tally(calls().map(|call| call.harness.as_deref())),
            unknown: tally(calls().filter(unknown).map(|call| (call.name(), call.harness.as_deref()))),
            unknown_names: tally(calls().filter(unknown).map(ToolCall::name)),
            files: files().filter(|file| file.is_read()).count(),
            passed_over: scan.files.len() - files().count(),
            unreadable: files().filter(|file| !file.is_read()).count(),
            bytes: files().map(|file| file.tally.bytes).sum(),
            quarantined: files().map(|file| file.tally.quarantined).sum(),
            places: files().map(|file| file.spans.len() as u64 + file.more_spans).sum(),
            copies: scan.copies,
        }
    }

    fn unknown_calls(&self) -> usize {
        self.unknown.iter().map(|(_, n)| n).sum()
    }

    /// The figures as a record.
    pub(crate) fn record(&self) -> Record<'_> {
        let mut record: Record<'_> = vec![("calls", self.calls.into()), ("sessions", self.sessions.into())];
        let statuses = Status::ALL.iter().zip(self.by_status);
        record.extend(statuses.map(|(status, n)| (status.as_str(), Datum::from(n))));
        let harness = |(harness, n): &(Option<&'a str>, usize)| -> Record<'_> {
            vec![("harness", (*harness).into()), ("calls", (*n).into())]
        };
        record.extend([
            ("harnesses", Datum::list(self.harnesses.iter().map(harness))),
            ("files", self.files.into()),
            ("files_passed_over", self.passed_over.into()),
            ("files_unreadable", self.unreadable.into()),
            ("bytes", self.bytes.into()),
            ("bytes_quarantined", self.quarantined.into()),
            ("spans_quarantined", self.places.into()),
            ("copies_removed", self.copies.into()),
        ]);
        record
    }

    /// The unknown tools as a record.
    pub(crate) fn unknown_record(&self) -> Record<'_> {
        let rate = if self.calls == 0 { 0.0 } else { self.unknown_calls() as f64 / self.calls as f64 };
        let name = |((name, harness), n): &(Unknown<'a>, usize)| -> Record<'_> {
            vec![("name", (*name).into()), ("calls", (*n).into()), ("harness", (*harness).into())]
        };
        vec![
            ("count", self.unknown_calls().into()),
            ("rate", rate.into()),
            ("names", Datum::list(self.unknown.iter().map(name))),
        ]
    }

    /// The lines below a table.
    pub(crate) fn footer(&self, canvas: Canvas) -> String {
        self.lines(canvas, |_| String::new())
    }

    /// As [`footer`](Self::footer); says which mark stands for which status.
    pub(crate) fn footer_with_marks(&self, canvas: Canvas) -> String {
        self.lines(canvas, |status| format!("{} ", style::mark(status).0))
    }

    fn lines(&self, canvas: Canvas, mark: impl Fn(Status) -> String) -> String {
        let noted = |noted: bool| if noted { Role::Warning } else { Role::Faint };
        let mut out = String::from("\n");
        write_parts(&mut out, canvas, Role::Plain, &self.calls_parts(mark));
        write_parts(&mut out, canvas, Role::Faint, &self.files_parts());
        write_parts(&mut out, canvas, noted(!self.unknown.is_empty()), &[self.unknown_line(canvas.width)]);
        write_parts(&mut out, canvas, noted(self.quarantined > 0 || self.unreadable > 0), &self.other_parts());
        out
    }

    fn calls_parts(&self, mark: impl Fn(Status) -> String) -> Vec<String> {
        let mut first = counted(self.calls, "call", "calls");
        if self.sessions > 0 {
            first.push_str(&format!(" in {}", counted(self.sessions, "session", "sessions")));
        }
        let statuses = Status::ALL.iter().zip(self.by_status).filter(|(_, n)| *n > 0);
        let part =
            |(status, n): (&Status, _)| format!("{}{} {}", mark(*status), count(n), status.as_str().replace('_', " "));
        let mut parts: Vec<_> = statuses.map(part).collect();
        // Ended ones first: they are what most are.
        parts.rotate_left(self.by_status.iter().take(2).filter(|n| **n > 0).count());
        parts.insert(0, first);
        parts
    }

    fn files_parts(&self) -> Vec<String> {
        let harness = |(harness, n): &(Option<&str>, usize)| {
            let name = clean(harness.map_or("unnamed harness", display), Keep::Start);
            let name = text::cut(&name, 30, Keep::Start);
            if self.harnesses.len() == 1 { name.into_owned() } else { format!("{name} {}", count(*n)) }
        };
        let mut parts = vec![format!("{}, {}", counted(self.files, "file", "files"), units::bytes(self.bytes))];
        parts.extend(self.harnesses.iter().map(harness));
        parts
    }

    fn other_parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        if self.quarantined > 0 {
            let places = counted(self.places, "place", "places");
            parts.push(format!("quarantined: {} in {places}", units::bytes(self.quarantined)));
        }
        if self.unreadable > 0 {
            parts.push(format!("not read: {}", counted(self.unreadable, "file", "files")));
        }
        if self.copies > 0 {
            parts.push(format!("removed copies: {}", count(self.copies)));
        }
        if self.passed_over > 0 {
            parts.push(format!("passed over: {} of other formats", counted(self.passed_over, "file", "files")));
        }
        parts
    }

    fn unknown_line(&self, width: usize) -> String {
        let unknown = self.unknown_calls();
        let share = units::share(unknown, self.calls);
        let mut line = format!("unknown: {} of {} ({share})", count(unknown), counted(self.calls, "call", "calls"));
        for (i, (name, n)) in self.unknown_names.iter().enumerate() {
            let name = clean(name, Keep::Start);
            let next =
                format!("{}{} ×{}", if i == 0 { ": " } else { ", " }, text::cut(&name, 32, Keep::Start), count(*n));
            if i > 0 && text::width(&line) + text::width(&next) + 4 > width {
                line.push_str(", …");
                break;
            }
            line.push_str(&next);
        }
        line
    }
}

/// Writes parts on as few lines as hold them.
fn write_parts(out: &mut String, canvas: Canvas, role: Role, parts: &[String]) {
    const BETWEEN: &str = " · ";
    let room = canvas.width.saturating_sub(2);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if text::width(line) + text::width(BETWEEN) + text::width(part) <= room => {
                line.push_str(BETWEEN);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    for line in &lines {
        out.push_str("  ");
        canvas.painter.put(out, role, &text::cut(line, room, Keep::Start));
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_by_number_then_by_appearance() {
        assert_eq!(tally(["b", "a", "c", "a", "b"]), [("b", 2), ("a", 2), ("c", 1)]);
    }
}
