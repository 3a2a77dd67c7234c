//! Stamping a log.

use alloc::string::String;
use alloc::vec::Vec;

use toolprism::stamping::{self, Stamped};

use crate::error::Error;
use crate::record::object_text;

/// Writes a log anew, with an envelope on every message about a tool call.
///
/// ```
/// let log = br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"read_file","rawInput":{"target_file":"a"}}}}"#;
/// let mut stamper = toolprism_facade::Stamper::default();
/// let mut out = stamper.push(log)?;
/// out.extend(stamper.finish());
/// assert!(String::from_utf8_lossy(&out).contains(r#""label":"Read""#));
/// assert_eq!(stamper.report(), r#"{"format":"acp","stamped":1,"kept":0,"untouched":0}"#);
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
#[derive(Default)]
pub struct Stamper {
    stamper: stamping::Stamper,
    /// What was done, once it has finished.
    stamped: Option<Stamped>,
}

impl Stamper {
    /// A stamper for the same log, which this one has been through: a message is stamped with what the whole log tells of its call.
    /// What this one knew is gone then.
    pub fn again(&mut self) -> Self {
        let through = core::mem::take(&mut self.stamper);
        Stamper { stamper: stamping::Stamper::knowing(through), ..Stamper::default() }
    }

    /// Takes the next bytes, cut anywhere, and gives what can be written by now.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        if self.stamped.is_some() {
            return Err(Error::new("finished", "the stamper is finished and takes no more bytes: make a new one"));
        }
        let mut out = Vec::with_capacity(bytes.len());
        self.stamper.push(bytes, &mut out);
        Ok(out)
    }

    /// Says that no more bytes come, and gives what is still to be written. A second time there is nothing.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.stamped = Some(self.stamper.finish(&mut out));
        out
    }

    /// What was done, as a JSON object: the `format` (only `acp` and `grok_updates` have a place for envelopes; other logs come out as
    /// they are), how many messages were `stamped`, how many had an envelope (`kept`), and how many have a `_meta` that is
    /// no object (`untouched`).
    pub fn report(&self) -> String {
        let done = self.stamped.unwrap_or_default();
        object_text(&alloc::vec![
            ("format", self.stamper.format().map(|format| format.as_str()).into()),
            ("stamped", done.stamped.into()),
            ("kept", done.kept.into()),
            ("untouched", done.untouched.into()),
        ])
    }
}
