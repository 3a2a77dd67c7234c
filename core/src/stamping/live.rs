//! Stamping a conversation between a client and an agent while it is under way.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::site::Site;
use super::{Stamped, Touched, after_mark};
use crate::identity::Evidence;
use crate::json::Cursor;
use crate::meta::CanonicalToolMeta;
use crate::readers::{Acp, Records};

/// So many calls are held at most; then the ended and the oldest go, until so many are left.
const MOST_CALLS: usize = 1024;
const CALLS_KEPT: usize = 512;
/// How many bytes of messages about calls may come before calls are forgotten, and how many bytes of text those may have that
/// are kept.
const MOST_BYTES: usize = 8 << 20;

/// Stamps what an agent says to its ACP client, message by message.
///
/// A message is stamped with what is known by then. Once its tool is known, a call keeps name and namespace: a reader takes
/// an envelope with others for that of another tool, and leaves it out. Before that it keeps those of the first guess, and
/// only kind, label and input become better. Where the agent itself writes an envelope, that is what holds from then on.
///
/// A call whose tool is known also gets ACP's `name`, unless the agent names it itself. It vouches for the envelope where
/// that takes the place of a guess.
///
/// Memory is bounded: calls that have ended are forgotten after several hundred others, and so are calls that never end.
///
/// ```
/// use toolprism::stamping::{LiveStamper, unstamp};
/// let mut stamper = LiveStamper::new();
/// let mut out = Vec::new();
/// stamper.agent(br#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"OpenCode","version":"1.18.33"}}}"#, &mut out);
/// out.clear();
/// let line = br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"bash","rawInput":{}}}}"#;
/// stamper.agent(line, &mut out);
/// let message: serde_json::Value = serde_json::from_slice(&out)?;
/// let call = &message["params"]["update"];
/// assert_eq!((&call["name"], &call["_meta"]["x.ai/tool"]["label"]), (&"bash".into(), &"Run Command".into()));
/// let mut back = Vec::new();
/// unstamp(&out, &mut back);
/// assert_eq!(back, line);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct LiveStamper {
    reader: Acp,
    calls: Touched,
    /// What was written about each call of the ledger, in the same order.
    told: Vec<Told>,
    /// Bytes of messages about calls since calls were last forgotten.
    bytes: usize,
    tally: Stamped,
}

/// What the client has been told of a call, and must not be told otherwise.
#[derive(Default)]
struct Told {
    /// The latest envelope.
    envelope: Option<Box<CanonicalToolMeta>>,
    /// Its tool is known, rather than guessed.
    known: bool,
    /// ACP's name, as it was inserted.
    name: Option<Box<str>>,
    /// The agent names the call itself.
    named: bool,
}

impl Default for LiveStamper {
    fn default() -> Self {
        LiveStamper::new()
    }
}

impl LiveStamper {
    /// A stamper for one connection, from its first message on.
    pub fn new() -> Self {
        LiveStamper {
            reader: Acp::new(),
            calls: Touched::default(),
            told: Vec::new(),
            bytes: 0,
            tally: Stamped::default(),
        }
    }

    /// Takes note of one line that the client sends, which tells when turns end and what is refused. It is to be shown here
    /// before it is handed on to the agent.
    pub fn client(&mut self, line: &[u8]) {
        if !self.reader.wants(line) {
            return;
        }
        let mut rest = after_mark(line, &mut Vec::new());
        while let Some(end) = self.read(false, rest) {
            rest = rest.get(end..).unwrap_or_default();
        }
    }

    /// Takes one line that the agent sends, with its newline if it has one, and appends what is to be handed on to the client:
    /// the line with its messages about tool calls stamped. A line that holds no message is appended as it is.
    pub fn agent(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let mut rest = after_mark(line, out);
        if self.reader.wants(rest) {
            while let Some(end) = self.read(true, rest) {
                let (message, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
                self.stamp(message, out);
                rest = behind;
            }
        }
        out.extend_from_slice(rest);
    }

    /// What was done so far.
    pub fn done(&self) -> Stamped {
        self.tally
    }

    /// Reads the message at the front of `text`, and says where it ends.
    fn read(&mut self, from_agent: bool, text: &[u8]) -> Option<usize> {
        if text.trim_ascii_start().first() != Some(&b'{') {
            return None;
        }
        if self.told.len() >= MOST_CALLS || self.bytes >= MOST_BYTES {
            self.forget();
        }
        let mut cursor = Cursor::new(text);
        self.calls.touched = None;
        self.reader.live(from_agent, &mut cursor, &mut self.calls).ok()?;
        self.told.resize_with(self.calls.ledger.calls().len(), Told::default);
        self.bytes += self.calls.touched.map_or(0, |_| cursor.offset());
        Some(cursor.offset())
    }

    /// Appends the message that was read last, with its stamp if it is about a tool call.
    fn stamp(&mut self, message: &[u8], out: &mut Vec<u8>) {
        let site = self.calls.touched.and_then(|_| Site::find(message).ok().flatten());
        let Some((site, (envelope, name))) = site.and_then(|site| self.tell(&site).map(|stamp| (site, stamp))) else {
            out.extend_from_slice(message);
            return;
        };
        self.tally.count(&site.meta);
        site.insert(message, &envelope, name.as_deref(), out);
    }

    /// The envelope for the call that was touched last and the name, if one is to be inserted.
    fn tell(&mut self, site: &Site) -> Option<(CanonicalToolMeta, Option<Box<str>>)> {
        let at = self.calls.touched?;
        let (call, told) = self.calls.ledger.calls().get(at).zip(self.told.get_mut(at))?;
        let mut envelope = call.identity.meta.clone();
        let known = call.identity.why.is_known();
        told.named |= site.is_named();
        if known && !told.named && told.name.is_none() {
            told.name = Some(envelope.name.as_str().into());
        }
        let by_agent = call.identity.why == Evidence::Envelope;
        if let Some(before) = told.envelope.as_deref().filter(|_| !by_agent) {
            let is_other = (&before.name, &before.namespace) != (&envelope.name, &envelope.namespace);
            if told.known && is_other {
                envelope = before.clone();
            } else if !known {
                envelope.name.clone_from(&before.name);
                envelope.namespace = before.namespace.clone();
            }
        }
        if by_agent || site.takes_envelope() {
            told.envelope = Some(Box::new(envelope.clone()));
            told.known |= known;
        }
        Some((envelope, told.name.clone().filter(|_| !told.named)))
    }

    fn forget(&mut self) {
        self.bytes = 0;
        let kept = self.calls.ledger.shed(CALLS_KEPT, MOST_BYTES);
        self.told = kept.into_iter().filter_map(|at| self.told.get_mut(at).map(core::mem::take)).collect();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    /// What becomes of a message about a call.
    fn say(stamper: &mut LiveStamper, session: &str, id: &str, tag: &str, more: &str) -> String {
        let mut out = Vec::new();
        let line = format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"{session}","update":{{"sessionUpdate":"{tag}","toolCallId":"{id}"{more}}}}}}}"#
        );
        stamper.agent(line.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn held(stamper: &LiveStamper) -> usize {
        assert_eq!(stamper.told.len(), stamper.calls.ledger.calls().len());
        stamper.told.len()
    }

    fn open(stamper: &LiveStamper) -> usize {
        stamper.calls.ledger.calls().iter().filter(|call| !call.status.is_terminal()).count()
    }

    #[test]
    fn no_more_calls_are_held_than_the_bound_whether_they_end_or_not() {
        for end in [r#","status":"completed""#, ""] {
            let mut stamper = LiveStamper::new();
            for i in 0..5_000 {
                let id = format!("c{i}");
                say(&mut stamper, "s", &id, "tool_call", r#","title":"Reads","kind":"read""#);
                let last = say(&mut stamper, "s", &id, "tool_call_update", end);
                assert!(last.contains(r#""name":"Reads""#), "{last}");
                assert!(held(&stamper) <= MOST_CALLS);
            }
            assert!(held(&stamper) >= CALLS_KEPT);
            assert_eq!(stamper.done().stamped, 10_000);
        }
    }

    #[test]
    fn open_calls_are_kept_before_ended_ones_and_late_ones_before_early_ones() {
        let mut stamper = LiveStamper::new();
        say(&mut stamper, "s", "first", "tool_call", r#","title":"First","status":"completed""#);
        say(&mut stamper, "s", "early", "tool_call", r#","title":"Long","kind":"execute""#);
        for i in 0..MOST_CALLS {
            say(&mut stamper, "s", &format!("c{i}"), "tool_call", r#","title":"Reads","status":"completed""#);
        }
        let mut later = |id: &str| say(&mut stamper, "s", id, "tool_call_update", r#","title":"later""#);
        assert!(later("early").contains(r#""name":"Long""#));
        assert!(later(&format!("c{}", MOST_CALLS - 1)).contains(r#""name":"Reads""#));
        assert!(later("first").contains(r#""name":"later""#), "it was forgotten");
        assert_eq!(open(&stamper), 2);
        stamper.agent(br#"{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}"#, &mut Vec::new());
        assert_eq!(open(&stamper), 0, "the turn still ends what is open");
    }

    #[test]
    fn texts_are_bounded_too_and_large_arguments_go_before_their_call() {
        let mut stamper = LiveStamper::new();
        let text = "x".repeat(1 << 20);
        let bytes = |stamper: &LiveStamper| {
            stamper.calls.ledger.calls().iter().map(|call| call.title.as_ref().map_or(0, |t| t.len())).sum::<usize>()
        };
        for i in 0..24 {
            say(&mut stamper, "s", &format!("c{i}"), "tool_call", &format!(r#","title":"{text}""#));
            assert!(bytes(&stamper) <= 2 * MOST_BYTES);
        }
        let mut stamper = LiveStamper::new();
        let large = "x".repeat(MOST_BYTES * 5 / 8);
        for id in ["c", "d"] {
            let raw = format!(r#","title":"Puts {id}","rawInput":{{"blob":"{large}"}}"#);
            say(&mut stamper, "s", id, "tool_call", &raw);
        }
        for id in ["c", "d"] {
            let later = say(&mut stamper, "s", id, "tool_call_update", r#","title":"x""#);
            assert!(later.contains(&format!(r#""name":"Puts {id}""#)));
        }
    }

    #[test]
    fn a_turn_ends_the_calls_of_its_session() {
        let mut stamper = LiveStamper::new();
        let prompt = |id: usize, session: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"session/prompt","params":{{"sessionId":"{session}","prompt":[]}}}}"#
            )
        };
        stamper.client(prompt(1, "a").as_bytes());
        stamper.client(prompt(2, "b").as_bytes());
        for session in ["a", "b"] {
            say(&mut stamper, session, "c", "tool_call", r#","title":"x""#);
        }
        assert_eq!(open(&stamper), 2);
        let answer = br#"{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}"#;
        // The client answers requests of the agent under such numbers as well.
        stamper.client(answer);
        assert_eq!(open(&stamper), 2);
        stamper.agent(answer, &mut Vec::new());
        assert_eq!(open(&stamper), 1);
        assert!(stamper.calls.ledger.get(Some("a"), None, "c").is_some_and(|call| call.status.is_terminal()));
    }

    #[test]
    fn a_refusal_by_the_client_ends_the_call() {
        let mut stamper = LiveStamper::new();
        let ask = br#"{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"x"},"options":[{"optionId":"no","kind":"reject_once"}]}}"#;
        stamper.agent(ask, &mut Vec::new());
        let answer = br#"{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}"#;
        stamper.client(&[answer.as_slice(), answer, b" {"].concat());
        assert_eq!(open(&stamper), 0);
    }
}
