//! Stamping a log: an envelope on every tool call of an ACP or Grok Build log, and the original back again.
//!
//! Lines are edited in place: a member is inserted, and no other byte changes. What was inserted is told from a genuine
//! envelope by the tab that stands before its value and nowhere within (`"x.ai/tool":<tab>{"version":`), where no writer of
//! JSON lines puts one, and by being the first member of its `_meta`. A call that has an envelope already keeps it, and a `_meta` that
//! is no object is left alone.
//!
//! [`Stamper`] does so with a log, and [`LiveStamper`] with a conversation that is under way; that one also inserts ACP's
//! `name`, with the same tab before its value.

mod lines;
mod live;
mod site;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::call::ToolCall;
use crate::event::{Phase, Place, ToolCallEvent, TurnEnd};
use crate::json::{Cursor, RawJson};
use crate::ledger::CallLedger;
use crate::meta::CanonicalToolMeta;
use crate::readers::{Format, Quarantine, Records, Sink, detect};

pub use lines::Lines;
pub use live::LiveStamper;
use site::{Meta, Site};

/// Lines, and bytes of lines, held back while the format is not known.
const MOST_HELD: usize = 256;
const MOST_HELD_BYTES: usize = 8 << 20;

/// What a [`Stamper`] or a [`LiveStamper`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamped {
    /// Messages that got an envelope.
    pub stamped: u64,
    /// Messages about a tool call that had an `x.ai/tool` already.
    pub kept: u64,
    /// Messages about a tool call whose `_meta` is no object, and so was not touched.
    pub untouched: u64,
}

impl Stamped {
    fn count(&mut self, meta: &Meta) {
        match meta {
            Meta::Absent | Meta::Object { envelope: None, .. } => self.stamped += 1,
            Meta::Object { envelope: Some(_), .. } => self.kept += 1,
            Meta::Other => self.untouched += 1,
        }
    }
}

/// Stamps a log, which may come line by line or in pieces of any size.
///
/// ```
/// use toolprism::{stamping::{Stamper, unstamp}};
/// let line = br#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"read_file","rawInput":{"target_file":"a"}}}}
/// "#;
/// let mut stamper = Stamper::new();
/// let mut out = Vec::new();
/// stamper.line(line, &mut out);
/// assert_eq!(stamper.finish(&mut out).stamped, 1);
/// assert!(String::from_utf8_lossy(&out).contains(r#""label":"Read""#));
/// let mut back = Vec::new();
/// unstamp(&out, &mut back);
/// assert_eq!(back, line);
/// ```
#[derive(Default)]
pub struct Stamper {
    format: Option<Format>,
    records: Option<Box<dyn Records>>,
    lines: Lines,
    held: Vec<Vec<u8>>,
    held_bytes: usize,
    calls: Touched,
    /// The calls as they are known at the end of the log, in the same order.
    known: Vec<ToolCall>,
    tally: Stamped,
}

impl Stamper {
    /// A stamper that finds out the format by itself.
    pub fn new() -> Self {
        Stamper::default()
    }

    /// A stamper for a log that another one has been through already: a message is stamped with what the whole log tells of
    /// its call, rather than with what is known by then. Only an input is not stamped before it has come.
    ///
    /// ```
    /// use toolprism::stamping::Stamper;
    /// let update = |tag: &str, title: &str, more: &str| {
    ///     format!(r#"{{"method":"session/update","params":{{"sessionId":"s","update":{{"sessionUpdate":"{tag}","toolCallId":"c","title":"{title}"{more}}}}}}}"#)
    /// };
    /// let log = [update("tool_call", "Working", ""), update("tool_call_update", "ls", r#","kind":"execute","rawInput":{"command":"ls"}"#)];
    /// let mut first = Stamper::new();
    /// for line in &log {
    ///     first.line(line.as_bytes(), &mut Vec::new());
    /// }
    /// let mut stamper = Stamper::knowing(first);
    /// let mut out = Vec::new();
    /// stamper.line(log[0].as_bytes(), &mut out);
    /// assert!(String::from_utf8_lossy(&out).contains(r#""label":"Run Command""#));
    /// ```
    pub fn knowing(mut through: Stamper) -> Self {
        // There may be a last line without an end, and lines are held back as long as the format is not known.
        through.finish(&mut Vec::new());
        Stamper { known: through.calls.ledger.into_calls(), ..Stamper::default() }
    }

    /// The format, once it is known. Only [`Format::Acp`] and [`Format::GrokUpdates`] can be stamped; lines of other formats
    /// come out as they went in.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Takes the next bytes, and appends what is to be written by now. A line of more than 64 MiB is handed on as it is.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut lines = core::mem::take(&mut self.lines);
        lines.push(bytes, |line, whole| if whole { self.line(line, out) } else { self.pass(line, out) });
        self.lines = lines;
    }

    /// Takes one line, with its newline if it has one, and appends what is to be written to `out`. The first lines may be
    /// held back until the format is known.
    pub fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        if self.format.is_none() {
            self.format = detect(line.trim_ascii()).ok().flatten();
            let Some(format) = self.format else {
                self.held.push(line.to_vec());
                self.held_bytes += line.len();
                if self.held.len() > MOST_HELD || self.held_bytes > MOST_HELD_BYTES {
                    self.release(out);
                }
                return;
            };
            if matches!(format, Format::Acp | Format::GrokUpdates) {
                self.records = Some(format.open());
            }
            self.release(out);
        }
        self.stamp(line, out);
    }

    /// Hands on bytes as they are, behind what was held back: a piece of a line too long to be looked at.
    fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.release(out);
        out.extend_from_slice(bytes);
    }

    /// Ends the log, and says what was done.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Stamped {
        core::mem::take(&mut self.lines).finish(|line, _| self.line(line, out));
        self.release(out);
        self.tally
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.held_bytes = 0;
        for line in core::mem::take(&mut self.held) {
            self.stamp(&line, out);
        }
    }

    /// Stamps the messages of a line: one, or several glued together after a crash.
    fn stamp(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let wanted = self.records.as_ref().is_some_and(|records| records.wants(line));
        let mut rest = after_mark(line, out);
        while wanted
            && rest.trim_ascii_start().first() == Some(&b'{')
            && let Some(end) = self.message(rest, out)
        {
            rest = rest.get(end..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
    }

    /// Stamps the message at the front of `text`, and says where it ends; nothing is appended if it cannot be read.
    fn message(&mut self, text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let mut cursor = Cursor::new(text);
        self.calls.touched = None;
        self.records.as_mut()?.record(&mut cursor, Place::default(), &mut self.calls).ok()?;
        let end = cursor.offset();
        self.insert(text.get(..end)?, out);
        Some(end)
    }

    /// The envelope for the call that was touched last.
    fn envelope(&self) -> Option<CanonicalToolMeta> {
        let at = self.calls.touched?;
        let now = &self.calls.ledger.calls().get(at)?.identity.meta;
        let mut envelope = self.known.get(at).map_or(now, |call| &call.identity.meta).clone();
        if now.input.is_none() {
            envelope.input = None;
        }
        Some(envelope)
    }

    /// Inserts the envelope of the call that was touched last into the message about it.
    fn insert(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let (Some(envelope), Some(site)) = (self.envelope(), Site::find(line).ok().flatten()) else {
            out.extend_from_slice(line);
            return;
        };
        self.tally.count(&site.meta);
        site.insert(line, &envelope, None, out);
    }
}

/// Takes out of a line what a [`Stamper`] put in, and appends the original to `out`. Returns whether anything was there;
/// genuine envelopes stay.
pub fn unstamp(line: &[u8], out: &mut Vec<u8>) -> bool {
    let mut found = false;
    let mut rest = after_mark(line, out);
    if site::may_hold_stamp(rest) {
        while rest.trim_ascii_start().first() == Some(&b'{') {
            let mut cursor = Cursor::new(rest);
            let Ok(()) = cursor.skip() else { break };
            let (message, behind) = rest.split_at_checked(cursor.offset()).unwrap_or((rest, &[]));
            found |= unstamp_message(message, out);
            rest = behind;
        }
    }
    out.extend_from_slice(rest);
    found
}

fn unstamp_message(message: &[u8], out: &mut Vec<u8>) -> bool {
    let cuts = Site::find(message).ok().flatten().map(|site| site.stamps(message)).unwrap_or_default();
    let mut from = 0;
    for cut in cuts.iter().flatten() {
        out.extend_from_slice(message.get(from..cut.start).unwrap_or_default());
        from = cut.end;
    }
    out.extend_from_slice(message.get(from..).unwrap_or_default());
    from > 0
}

/// What follows the byte order mark, which is handed on.
fn after_mark<'l>(line: &'l [u8], out: &mut Vec<u8>) -> &'l [u8] {
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    out.extend_from_slice(line.get(..line.len() - text.len()).unwrap_or_default());
    text
}

/// Applies events, and remembers which call the last one was about.
#[derive(Default)]
struct Touched {
    ledger: CallLedger,
    touched: Option<usize>,
}

impl Sink for Touched {
    fn event(&mut self, event: &ToolCallEvent<'_, RawJson<'_>>) {
        let at = self.ledger.apply(event);
        if event.phase != Phase::Mirror {
            self.touched = at;
        }
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.ledger.end(end);
    }

    fn quarantine(&mut self, _span: &Quarantine) {}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    /// A Grok Build line about one call, with `meta` inserted as it stands.
    fn line(meta: &str) -> String {
        format!(
            r#"{{"timestamp":1, "method":"session/update","params":{{"sessionId":"s","update":{{"sessionUpdate":"tool_call" , "toolCallId":"c","title":"read_file","rawInput":{{"target_file":"a"}}{meta} }}}}}}{}"#,
            "\r\n"
        )
    }

    fn stamped(line: &str) -> (String, Stamped) {
        let mut out = Vec::new();
        let mut stamper = Stamper::new();
        stamper.line(line.as_bytes(), &mut out);
        let tally = stamper.finish(&mut out);
        (String::from_utf8(out).unwrap(), tally)
    }

    #[test]
    fn the_original_comes_back_byte_for_byte() {
        for meta in [
            "",
            r#","_meta":{}"#,
            r#", "_meta" : { "a" : [1, 2] }"#,
            r#","_meta":{"ui":"x","b":{}}"#,
            ",\"_meta\":\t{\"a\":1}",
        ] {
            let original = line(meta);
            let (text, tally) = stamped(&original);
            assert_eq!(tally.stamped, 1, "{meta}");
            let message: serde_json::Value = serde_json::from_str(&text).unwrap();
            let envelope = &message["params"]["update"]["_meta"]["x.ai/tool"];
            assert_eq!(envelope["name"], "read_file", "{meta}");
            let mut back = Vec::new();
            assert!(unstamp(text.as_bytes(), &mut back));
            assert_eq!(String::from_utf8(back).unwrap(), original);
            assert_eq!(stamped(&text).0, text, "stamping twice changes nothing");
        }
    }

    #[test]
    fn genuine_envelopes_and_other_metas_are_left_alone() {
        let genuine = line(
            r#","_meta":{"x.ai/tool":{"version":1,"name":"n","kind":"read","namespace":"mcp","label":"Read","read_only":true}}"#,
        );
        let (text, tally) = stamped(&genuine);
        assert_eq!((text.as_str(), tally.kept), (genuine.as_str(), 1));
        let mut back = Vec::new();
        assert!(!unstamp(genuine.as_bytes(), &mut back));
        assert_eq!(back, genuine.as_bytes());
        for other in [r#","_meta":null"#, r#","_meta":"text""#, r#","_meta":[]"#] {
            let original = line(other);
            let (text, tally) = stamped(&original);
            assert_eq!((text.as_str(), tally.untouched), (original.as_str(), 1));
        }
    }

    #[test]
    fn glued_messages_and_a_marked_first_line_are_stamped_too() {
        let one = line("");
        for (original, messages) in [
            (format!("{}{}", one.trim_end(), one), 2),
            (format!("\u{feff}{one}"), 1),
            (format!("{} {}torn {{", one.trim_end(), one.trim_end()), 2),
        ] {
            let (text, tally) = stamped(&original);
            assert_eq!((tally.stamped, text.matches("\"x.ai/tool\":\t{").count()), (messages, messages as usize));
            let mut back = Vec::new();
            assert!(unstamp(text.as_bytes(), &mut back));
            assert_eq!(String::from_utf8(back).unwrap(), original);
        }
    }

    #[test]
    fn what_only_resembles_a_stamp_stays() {
        let envelope = r#"{"version":1,"name":"n","kind":"read","namespace":"mcp","label":"Read","read_only":true}"#;
        for meta in [
            format!(",\"_meta\":{{\"a\":1,\"x.ai/tool\":\t{envelope}}}"),
            format!(",\"_meta\":{{\"x.ai/tool\":\t{}}}", envelope.replace(':', ":\t")),
            String::from(",\"name\":\t\"n\",\"kind\":\"read\""),
            String::from(",\"name\": \"n\""),
        ] {
            let original = line(&meta);
            let mut back = Vec::new();
            assert!(!unstamp(original.as_bytes(), &mut back));
            assert_eq!(String::from_utf8(back).unwrap(), original);
        }
    }

    #[test]
    fn what_is_no_message_passes_as_it_is() {
        for text in ["", "\n", "not json\n", "{\"method\":\"session/update\"", "[]\n", "{\"a\":1}{\"b\":2}\n"] {
            assert_eq!(stamped(text).0, text);
        }
    }
}
