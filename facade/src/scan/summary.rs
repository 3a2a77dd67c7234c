//! What the calls of a scan come to as a whole.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use hashbrown::HashSet;
use toolprism::{Summary, ToolCall};

use super::Scan;
use crate::error::Error;
use crate::groups::{Figures, figures};
use crate::record::{Datum, Record, object_text};
use crate::tally::tally;
use crate::time::rfc3339;

/// So many unknown tools are listed.
const MOST_UNKNOWN: usize = 100;

impl Scan {
    /// The figures of all calls, or of these, as a JSON object: `calls`, how many `sessions` and `files` they are of, the first
    /// `started_at` and the last `ended_at`, how many are of `unknown` tools, the most frequent of these (`unknown_tools`), the
    /// `harnesses`, and the figures of a group.
    pub fn summary(&self, numbers: Option<&[u32]>) -> Result<String, Error> {
        let list = self.list();
        let found = list.some_or_all(numbers)?;
        let calls: Vec<&ToolCall> = found.iter().map(|one| one.call).collect();
        let all = || calls.iter().copied();
        let files: HashSet<u32> = found.iter().map(|one| one.part).collect();
        let sessions: HashSet<_> =
            all().filter_map(|call| Some((call.harness.as_deref(), call.session.as_deref()?))).collect();
        let unknown = || all().filter(|call| !call.identity.why.is_known());
        let mut tools = tally(unknown().map(|call| (call.name(), call.harness.as_deref())));
        tools.truncate(MOST_UNKNOWN);
        let harnesses = tally(all().map(|call| call.harness.as_deref()));
        let mut record: Record<'_> = vec![
            ("calls", calls.len().into()),
            ("sessions", sessions.len().into()),
            ("files", files.len().into()),
            ("started_at", all().filter_map(|call| call.started_at).min().map(rfc3339).into()),
            ("ended_at", all().filter_map(|call| call.ended_at).max().map(rfc3339).into()),
            ("unknown", unknown().count().into()),
            ("unknown_tools", Datum::list(tools.into_iter().map(tool))),
            ("harnesses", Datum::list(harnesses.into_iter().map(harness))),
        ];
        record.extend(figures(&Summary::without_paths(all()), &calls, Figures::All));
        Ok(object_text(&record))
    }
}

fn tool<'a>(((name, harness), calls): ((&'a str, Option<&'a str>), usize)) -> Record<'a> {
    vec![("name", name.into()), ("harness", harness.into()), ("calls", calls.into())]
}

fn harness((harness, calls): (Option<&str>, usize)) -> Record<'_> {
    vec![("harness", harness.into()), ("calls", calls.into())]
}
