//! Live streams for screens: messages in; out comes what has changed since one last asked, so that what stays as it was need
//! not be drawn anew.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use toolprism::json::JsonView;
use toolprism::wire::{Wire, WireReader, WireSink};
use toolprism::{CallLedger, GroupBy, Groups, Runs, Status, Summary, ToolCall, ToolCallEvent, TurnEnd, summary_line};

use crate::calls;
use crate::error::{Error, json};
use crate::ledger::group_by;
use crate::members::Members;
use crate::record::{Datum, Record, array_text, object_text};

/// The calls of a live stream, and the groups and runs they make.
///
/// ```
/// let mut live = toolprism_facade::Live::new(br#"{"wire":"ai_sdk"}"#)?;
/// live.push(br#"{"type":"tool-input-start","toolCallId":"c1","toolName":"Read"}"#)?;
/// assert!(live.changes().starts_with(r#"[{"at":0,"id":"c1","name":"Read""#));
/// assert_eq!(live.changes(), "[]");
/// live.push(br#"{"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"file_path\": \"src/ma"}"#)?;
/// assert!(live.changes().contains(r#""subject":"src/ma","growing":["path"]}"#));
/// live.push(br#"{"type":"tool-output-available","toolCallId":"c1","output":"..."}"#)?;
/// assert!(live.changes().contains(r#""status":"completed""#));
/// assert_eq!(live.line(), "Read 1 file");
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub struct Live {
    reader: WireReader,
    kept: Kept,
}

/// What the events come to.
#[derive(Default)]
struct Kept {
    ledger: CallLedger,
    raw_input: bool,
    changed: Marks,
    /// Calls that have not ended: the end of a turn may change them.
    open: BTreeSet<usize>,
    /// By what they were asked for, made then and kept up to date.
    groups: BTreeMap<GroupBy, (Groups, Marks)>,
    runs: BTreeMap<GroupBy, (Runs, Marks)>,
}

/// Numbers that were marked, each once, in the order in which that happened.
#[derive(Default)]
struct Marks {
    order: Vec<usize>,
    is_marked: Vec<bool>,
}

impl Marks {
    /// The first so many.
    fn first(count: usize) -> Self {
        Marks { order: (0..count).collect(), is_marked: vec![true; count] }
    }

    fn set(&mut self, at: usize) {
        if at >= self.is_marked.len() {
            self.is_marked.resize(at + 1, false);
        }
        if let Some(mark) = self.is_marked.get_mut(at).filter(|mark| !**mark) {
            *mark = true;
            self.order.push(at);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        for at in &self.order {
            if let Some(mark) = self.is_marked.get_mut(*at) {
                *mark = false;
            }
        }
        core::mem::take(&mut self.order)
    }
}

impl<V: JsonView> WireSink<V> for Kept {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        let before = self.ledger.calls().len();
        let Some(at) = self.ledger.apply(event) else { return };
        if at == before { self.add(at) } else { self.update(at) }
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.end_turn(end);
    }
}

impl Kept {
    fn end_turn(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
        let ended = |at: &usize| self.ledger.calls().get(*at).is_some_and(|call| call.status.is_terminal());
        let ended: Vec<usize> = self.open.iter().copied().filter(ended).collect();
        for at in ended {
            self.update(at);
        }
    }

    fn add(&mut self, at: usize) {
        let Some(call) = self.ledger.calls().get(at) else { return };
        self.changed.set(at);
        if !call.status.is_terminal() {
            self.open.insert(at);
        }
        for (groups, marks) in self.groups.values_mut() {
            let at = groups.add(call);
            groups.holder(at).into_iter().for_each(|group| marks.set(group));
        }
        for (runs, marks) in self.runs.values_mut() {
            marks.set(runs.add(call));
        }
    }

    fn update(&mut self, at: usize) {
        let Some(call) = self.ledger.calls().get(at) else { return };
        self.changed.set(at);
        for (groups, marks) in self.groups.values_mut() {
            let before = groups.holder(at);
            groups.update(at, call);
            before.into_iter().chain(groups.holder(at)).for_each(|group| marks.set(group));
        }
        for (runs, marks) in self.runs.values_mut() {
            runs.update(at, self.ledger.calls()).for_each(|run| marks.set(run));
        }
        if call.status.is_terminal() {
            self.open.remove(&at);
        }
    }

    fn groups(&mut self, by: GroupBy) -> &mut (Groups, Marks) {
        self.groups.entry(by).or_insert_with(|| {
            let groups = self.ledger.groups(by);
            let marks = Marks::first(groups.groups().len());
            (groups, marks)
        })
    }

    fn runs(&mut self, by: GroupBy) -> &mut (Runs, Marks) {
        self.runs.entry(by).or_insert_with(|| {
            let runs = self.ledger.runs(by);
            let marks = Marks::first(runs.runs().len());
            (runs, marks)
        })
    }
}

impl Live {
    /// No calls yet. Options, as a JSON object: `wire` (the name of a [`Wire`]; required), `harness` and its `version`, where
    /// the stream does not tell them, `session`, and `raw_input`, which keeps the arguments as they came.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        let options = Members::read(options)?;
        let text = |name: &str| Ok(options.text(name)?.map(Cow::into_owned));
        let name = text("wire")?.ok_or_else(|| Error::new("missing_member", "the options must have a \"wire\""))?;
        let wire = Wire::from_name(&name).ok_or_else(|| {
            let known: Vec<_> = Wire::ALL.iter().map(|wire| wire.as_str()).collect();
            Error::new("unknown_value", format!("there is no wire {name:?}; known are: {}", known.join(", ")))
        })?;
        let raw_input = options.flag("raw_input")?;
        let mut reader = WireReader::new(wire);
        if let Some(harness) = text("harness")? {
            reader = reader.with_harness(harness, text("version")?);
        }
        if let Some(session) = text("session")? {
            reader = reader.with_session(session);
        }
        let ledger = if raw_input { CallLedger::keeping_raw_input() } else { CallLedger::default() };
        let kept = Kept { ledger, raw_input, ..Kept::default() };
        Ok(Live { reader, kept })
    }

    /// Takes one message that is JSON text.
    pub fn push(&mut self, message: &[u8]) -> Result<(), Error> {
        let message = json(message)?;
        self.reader.push(&message, &mut self.kept);
        Ok(())
    }

    /// Takes one message that is an object of the host's own, of which only the members needed are looked at.
    pub fn push_view<V: JsonView>(&mut self, message: &V) {
        self.reader.push(message, &mut self.kept);
    }

    /// Says when the next messages arrive, in milliseconds since 1970.
    pub fn at(&mut self, time: i64) {
        self.reader.at(time);
    }

    /// The end of the turn, where the host knows of it and the stream does not say so.
    pub fn end_turn(&mut self, cancelled: bool) {
        self.kept.end_turn(&self.reader.end_turn(cancelled));
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.kept.ledger.calls().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records of the calls that have changed since this was last asked, as a JSON array, each with its place (`at`).
    pub fn changes(&mut self) -> String {
        let changed = self.kept.changed.take();
        let calls = self.kept.ledger.calls();
        array_text(changed.into_iter().filter_map(|at| Some(call_record(at, calls.get(at)?, self.kept.raw_input))))
    }

    /// The records of the groups that have changed since this was last asked for the same `by`, as a JSON array, each with its
    /// place (`at`) and that of its first call (`first`). A group that lost its calls has none left.
    pub fn groups(&mut self, by: &str) -> Result<String, Error> {
        let by = group_by(by)?;
        let (groups, marks) = self.kept.groups(by);
        let changed = marks.take();
        Ok(array_text(changed.into_iter().filter_map(|at| {
            let group = groups.groups().get(at)?;
            let key = [("at", at.into()), ("key", group.key(by).into())];
            let mut record = holder(key, by, Some(&group.value), group.count(), &group.summary);
            record.push(("first", group.calls.first().copied().into()));
            Some(record)
        })))
    }

    /// The calls of the group at this place, as places of calls.
    pub fn group_calls(&mut self, by: &str, at: usize) -> Result<&[usize], Error> {
        let (groups, _) = self.kept.groups(group_by(by)?);
        Ok(groups.groups().get(at).map(|group| group.calls.as_slice()).unwrap_or_default())
    }

    /// How many runs there are, and the records of those that have changed since this was last asked for the same `by`:
    /// `{"count": N, "changed": [...]}`, each with its place (`at`) and that of its first call (`first`).
    pub fn runs(&mut self, by: &str) -> Result<String, Error> {
        let by = group_by(by)?;
        let (runs, marks) = self.kept.runs(by);
        let changed = marks.take();
        let changed = array_text(changed.into_iter().filter_map(|at| {
            let run = runs.runs().get(at)?;
            let mut record = holder(
                // Ids may come again in a later turn; places do not.
                [("at", at.into()), ("key", run_key(by, run.value.as_deref(), run.first).into())],
                by,
                run.value.as_deref(),
                run.len,
                &run.summary,
            );
            record.push(("first", run.first.into()));
            Some(record)
        }));
        Ok(object_text(&vec![("count", runs.runs().len().into()), ("changed", Datum::Json(changed.into()))]))
    }

    /// One line for all calls.
    pub fn line(&self) -> String {
        summary_line(self.kept.ledger.calls())
    }

    /// One line for the calls at these places.
    pub fn line_of(&self, places: impl IntoIterator<Item = usize>) -> String {
        summary_line(places.into_iter().filter_map(|at| self.kept.ledger.calls().get(at)))
    }
}

/// The record of a call, with what a screen shows of it: the name of an icon, the verb in the tense that fits and its key for
/// translations, what the call is about, and the fields of its input that still grow. What is not known is left out.
fn call_record(at: usize, call: &ToolCall, raw_input: bool) -> Record<'_> {
    let kind = call.identity.meta.kind.kind();
    let verb = kind.wording(call.tense());
    let mut record: Record<'_> = vec![("at", at.into())];
    record.extend(
        calls::record(None, None, call, raw_input).into_iter().filter(|(_, value)| !matches!(value, Datum::Null)),
    );
    record.extend([("icon", kind.icon().into()), ("verb", verb.text.into()), ("verb_key", verb.key().into())]);
    record.extend(call.subject().map(|subject| ("subject", subject.into())));
    let growing = call.identity.growing;
    if !growing.is_empty() {
        record.push(("growing", Datum::list(growing.iter().map(|field| field.as_str()))));
    }
    record
}

fn run_key(by: GroupBy, value: Option<&str>, first: usize) -> String {
    format!("{}:{}@{first}", by.as_str(), value.unwrap_or("-"))
}

/// What groups and runs have in common.
fn holder<'a>(
    place: [(&'static str, Datum<'a>); 2],
    by: GroupBy,
    value: Option<&'a str>,
    count: usize,
    summary: &Summary,
) -> Record<'a> {
    let mut record = Record::from(place);
    record.extend([("by", by.as_str().into()), ("value", value.into()), ("count", count.into())]);
    record.extend(Status::ALL.map(|status| (status.as_str(), Datum::from(summary.with_status(status)))));
    record.extend([("read_only", summary.read_only.into()), ("duration_ms", summary.duration.into())]);
    record
}
