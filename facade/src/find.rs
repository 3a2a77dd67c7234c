//! One call, found again in its log: all that the log says of it, and where.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use toolprism::json::RawJson;
use toolprism::readers::{Format, Quarantine, Reader, Sink};
use toolprism::{CallLedger, Phase, Place, ToolCallEvent, TurnEnd};

use crate::calls;
use crate::error::Error;
use crate::members::Members;
use crate::record::{Datum, Record, object_text};

/// Looks for one call in the log that it was read from. A call's record is small because its arguments are let go; here they are
/// kept, of this one call.
///
/// ```
/// let log = br#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"a","content": 1.50}}]}}"#;
/// let mut finder = toolprism_facade::CallFinder::new(br#"{"id":"t1","session":"s","agent":null,"line":1,"offset":0}"#)?;
/// finder.push(log)?;
/// let found = finder.finish();
/// assert!(found.contains(r#""raw_input_text":"{\"file_path\":\"a\",\"content\": 1.50}""#));
/// assert!(found.ends_with(r#""places":[{"line":1,"offset":0,"phase":"started"}]}"#));
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub struct CallFinder {
    /// Until [`finish`](Self::finish).
    reader: Option<Reader>,
    format: Option<Format>,
    file: Option<Box<str>>,
    found: Found,
}

/// What the log says of calls with one id.
struct Found {
    id: Box<str>,
    session: Option<Box<str>>,
    agent: Option<Box<str>>,
    place: Place,
    /// Of the calls with this id alone.
    ledger: CallLedger,
    /// What each event was about, and where it stands.
    events: Vec<(usize, Place, Phase)>,
}

impl Sink for Found {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        let ours = *event.id == *self.id
            && event.session.as_deref() == self.session.as_deref()
            && event.agent.as_deref() == self.agent.as_deref();
        if let Some(at) = ours.then(|| self.ledger.apply(event)).flatten() {
            self.events.push((at, event.place, event.phase));
        }
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, _span: &Quarantine) {}
}

impl CallFinder {
    /// Takes what is known of the call, as a JSON object: `id`, `session` and `agent` (absent or `null` if it has none), `line` and
    /// `offset`, as its record has them. `file` is handed on to the record that is found, and other members are not looked at.
    pub fn new(call: &[u8]) -> Result<Self, Error> {
        let call = Members::read(call)?;
        let needed = |name: &str| call.missing(&format!("\"{name}\" is missing: give the call as its record has it"));
        let number = |name: &str| call.count(name)?.ok_or_else(|| needed(name));
        let own = |text: Cow<'_, str>| Box::from(&*text);
        let found = Found {
            id: call.text("id")?.map(own).ok_or_else(|| needed("id"))?,
            session: call.text("session")?.map(own),
            agent: call.text("agent")?.map(own),
            place: Place { line: number("line")?, offset: number("offset")? },
            ledger: CallLedger::keeping_raw_input(),
            events: Vec::new(),
        };
        Ok(CallFinder { reader: Some(Reader::new()), format: None, file: call.text("file")?.map(own), found })
    }

    /// Takes the next bytes of the log.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(reader) = &mut self.reader else {
            return Err(Error::new("finished", "the search is finished and takes no more bytes: make a new one"));
        };
        reader.push(bytes, &mut self.found);
        Ok(())
    }

    /// Says that no more bytes come, and what was found, as a JSON object: `call`, its record with `raw_input` and the same as the exact
    /// text that stands in the log (`raw_input_text`), or `null` if it is not there; and `places`, the records that tell of it,
    /// each with `line`, `offset` and `phase` (`started`, `updated`, `finished`, `snapshot` or `mirror`).
    ///
    /// This log is all that the record tells of: what a [`Scan`](crate::Scan) has learned from other files (`parent_id`, the end of a call
    /// that another file tells) is not in it.
    pub fn finish(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            self.format = reader.finish(&mut self.found).format;
        }
        let Found { place, ledger, events, .. } = &self.found;
        let call = ledger.calls().iter().enumerate().find(|(_, call)| call.place == *place);
        let mut places: Vec<(Place, Phase)> = Vec::new();
        let ours = events.iter().filter(|(about, ..)| call.is_some_and(|(at, _)| at == *about));
        for (_, place, phase) in ours {
            if places.last() != Some(&(*place, *phase)) {
                places.push((*place, *phase));
            }
        }
        let call = call.map(|(_, call)| {
            let mut record = calls::record(self.file.as_deref(), self.format, call, true);
            record.push(("raw_input_text", call.raw_input.as_deref().into()));
            record
        });
        let place = |(place, phase): (Place, Phase)| -> Record<'_> {
            alloc::vec![("line", place.line.into()), ("offset", place.offset.into()), ("phase", phase.as_str().into())]
        };
        let places = Datum::list(places.into_iter().map(place));
        object_text(&alloc::vec![("call", call.into()), ("places", places)])
    }
}
