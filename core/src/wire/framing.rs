//! Cutting bytes into messages: server-sent events, and JSON lines.

use alloc::string::String;
use alloc::vec::Vec;

/// A message may have this many bytes, as long as no other limit is set.
pub const MOST_BYTES: usize = 64 << 20;

/// Cuts a stream into lines, which end with LF, CRLF or (in server-sent events) CR; pieces may end anywhere.
#[derive(Default)]
struct Cutter {
    line: Vec<u8>,
    /// The line is longer than the limit and is left out.
    too_long: bool,
    dropped: u64,
}

impl Cutter {
    /// Takes bytes that hold no end of a line.
    fn push(&mut self, bytes: &[u8], most: usize) {
        if self.line.len() + bytes.len() > most {
            self.too_long = true;
            self.line = Vec::new();
        }
        if !self.too_long {
            self.line.extend_from_slice(bytes);
        }
    }

    /// The line, at its end; `None` if it was left out.
    fn take(&mut self) -> Option<Vec<u8>> {
        if core::mem::take(&mut self.too_long) {
            self.dropped += 1;
            return None;
        }
        Some(core::mem::take(&mut self.line))
    }
}

/// Server-sent events: bytes in, the data of events out.
///
/// Lines end with LF, CRLF or CR, and pieces of the stream may end anywhere, inside a character too. Several `data` lines of
/// an event are joined by LF. Events without data are passed over, and so is `[DONE]`, with which some streams end.
///
/// ```
/// use toolprism::wire::Sse;
/// let mut sse = Sse::new();
/// let mut seen = Vec::new();
/// for piece in [&b"event: ping\nda"[..], b"ta: {\"a\":", b"1}\r", b"\n\r\ndata: [DONE]\n\n"] {
///     sse.push(piece, |event, data| seen.push((event.to_string(), data.to_string())));
/// }
/// assert_eq!(seen, [("ping".to_string(), "{\"a\":1}".to_string())]);
/// ```
pub struct Sse {
    cutter: Cutter,
    most: usize,
    event: String,
    data: Option<Vec<u8>>,
    /// The data are longer than the limit.
    too_long: bool,
    /// The last byte was CR: an LF after it is no line of its own.
    after_cr: bool,
    started: bool,
}

impl Default for Sse {
    fn default() -> Self {
        Sse::new()
    }
}

impl Sse {
    /// A splitter with [`MOST_BYTES`] as its limit.
    pub fn new() -> Self {
        Sse::with_limit(MOST_BYTES)
    }

    /// A splitter that leaves out events of more than `most` bytes.
    pub fn with_limit(most: usize) -> Self {
        Sse {
            cutter: Cutter::default(),
            most,
            event: String::new(),
            data: None,
            too_long: false,
            after_cr: false,
            started: false,
        }
    }

    /// Takes the next bytes, and hands on the type and data of each event that they complete; the type is empty where none
    /// is given. Bytes that are no UTF-8 become U+FFFD.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&str, &str)) {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            let cr = after.first() == Some(&b'\r');
            rest = after.get(1..).unwrap_or_default();
            if cr {
                self.after_cr = rest.is_empty();
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            self.cutter.push(line, self.most);
            self.line(&mut each);
        }
        self.cutter.push(rest, self.most);
    }

    /// The end of the stream: an event that no empty line ends is handed on as well.
    pub fn finish(mut self, mut each: impl FnMut(&str, &str)) {
        self.line(&mut each);
        self.dispatch(&mut each);
    }

    /// How many lines or events were left out because they were too long.
    pub fn dropped(&self) -> u64 {
        self.cutter.dropped
    }

    fn line(&mut self, each: &mut impl FnMut(&str, &str)) {
        let Some(line) = self.cutter.take() else {
            self.too_long = true;
            return;
        };
        let mut line = line.as_slice();
        if !core::mem::replace(&mut self.started, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(each);
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let (field, value) = line.split_at_checked(colon).unwrap_or((line, &[]));
        let value = value.get(1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                let data = self.data.get_or_insert_default();
                let len = data.len() + usize::from(!data.is_empty()) + value.len();
                if self.too_long {
                    data.clear();
                } else if len > self.most {
                    self.too_long = true;
                    self.cutter.dropped += 1;
                } else {
                    if !data.is_empty() {
                        data.push(b'\n');
                    }
                    data.extend_from_slice(value);
                }
            }
            b"event" => self.event = String::from_utf8_lossy(value).into_owned(),
            _ => {}
        }
    }

    fn dispatch(&mut self, each: &mut impl FnMut(&str, &str)) {
        let event = core::mem::take(&mut self.event);
        let data = self.data.take().unwrap_or_default();
        if core::mem::take(&mut self.too_long) {
            return;
        }
        let data = String::from_utf8_lossy(&data);
        if !data.trim().is_empty() && data.trim() != "[DONE]" {
            each(&event, &data);
        }
    }
}

/// JSON lines: bytes in, lines out. Lines end with LF or CRLF; empty ones are passed over.
///
/// ```
/// use toolprism::wire::Lines;
/// let mut lines = Lines::new();
/// let mut seen = Vec::new();
/// for piece in ["{\"a\":1}\r\n\n{\"b\"", ":2}\n{\"c\":3}"] {
///     lines.push(piece.as_bytes(), |line| seen.push(line.to_vec()));
/// }
/// lines.finish(|line| seen.push(line.to_vec()));
/// assert_eq!(seen, [&b"{\"a\":1}"[..], b"{\"b\":2}", b"{\"c\":3}"]);
/// ```
pub struct Lines {
    cutter: Cutter,
    most: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines::new()
    }
}

impl Lines {
    /// A splitter with [`MOST_BYTES`] as its limit.
    pub fn new() -> Self {
        Lines::with_limit(MOST_BYTES)
    }

    /// A splitter that leaves out lines of more than `most` bytes.
    pub fn with_limit(most: usize) -> Self {
        Lines { cutter: Cutter::default(), most }
    }

    /// Takes the next bytes, and hands on each line that they complete.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            rest = after.get(1..).unwrap_or_default();
            self.cutter.push(line, self.most);
            self.line(&mut each);
        }
        self.cutter.push(rest, self.most);
    }

    /// The end of the stream: a last line without an end is handed on as well.
    pub fn finish(mut self, mut each: impl FnMut(&[u8])) {
        self.line(&mut each);
    }

    /// How many lines were left out because they were too long.
    pub fn dropped(&self) -> u64 {
        self.cutter.dropped
    }

    fn line(&mut self, each: &mut impl FnMut(&[u8])) {
        let Some(line) = self.cutter.take() else { return };
        let line = line.strip_suffix(b"\r").unwrap_or(&line).trim_ascii();
        if !line.is_empty() {
            each(line);
        }
    }
}
