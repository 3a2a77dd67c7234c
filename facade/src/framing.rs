//! Messages out of the bytes of a stream.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use toolprism::wire::{Lines, Sse};

use crate::error::Error;

/// Cuts the bytes of a stream into messages, which are JSON text where the stream is sound.
///
/// ```
/// let mut framing = toolprism_facade::Framing::new("sse")?;
/// assert!(framing.push(b"data: {\"a\"").is_empty());
/// assert_eq!(framing.push(b":1}\n\ndata: [DONE]\n\n"), [r#"{"a":1}"#]);
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub enum Framing {
    /// One message a line.
    Lines(Lines),
    /// Server-sent events.
    Sse(Sse),
}

impl Framing {
    /// By its name, `lines` or `sse`.
    pub fn new(name: &str) -> Result<Self, Error> {
        match name {
            "lines" => Ok(Framing::Lines(Lines::new())),
            "sse" => Ok(Framing::Sse(Sse::new())),
            other => Err(Error::new("unknown_value", format!("there is no framing {other:?}; known are: lines, sse"))),
        }
    }

    /// Takes the next bytes, cut anywhere, and gives the messages that they complete. Bytes that are no UTF-8 become U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        match self {
            Framing::Lines(lines) => lines.push(bytes, |line| found.push(String::from_utf8_lossy(line).into_owned())),
            Framing::Sse(sse) => sse.push(bytes, |_, data| found.push(data.into())),
        }
        found
    }

    /// The end of the bytes: a last message without an end is one all the same. After it another stream may begin.
    pub fn finish(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        match self {
            Framing::Lines(lines) => {
                core::mem::take(lines).finish(|line| found.push(String::from_utf8_lossy(line).into_owned()));
            }
            Framing::Sse(sse) => core::mem::take(sse).finish(|_, data| found.push(data.into())),
        }
        found
    }
}
