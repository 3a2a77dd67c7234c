//! Previews of what tools put out: bounded, whatever the tool's output is, with exact counts of what is left out.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::fmt;

use crate::json::{JsonType, JsonView};

/// How much of an output a preview keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lines from the start.
    pub head_lines: usize,
    /// Bytes from the start, if that is less.
    pub head_bytes: usize,
    /// Lines from the end.
    pub tail_lines: usize,
    /// Bytes from the end, if that is less.
    pub tail_bytes: usize,
}

impl Default for Bounds {
    /// 200 lines or 16 KiB from the start, 300 lines or 24 KiB from the end.
    fn default() -> Self {
        Bounds { head_lines: 200, head_bytes: 16 << 10, tail_lines: 300, tail_bytes: 24 << 10 }
    }
}

/// Start and end of an output, in memory that does not grow with it.
///
/// Tools' outputs come in two ways: piece by piece ([`append`](Self::append)), or as a whole with every update
/// ([`replace`](Self::replace)), where each whole mostly begins with the one before.
///
/// ```
/// use toolprism::output::{Bounds, OutputPreview};
/// let bounds = Bounds { head_lines: 1, tail_lines: 1, ..Bounds::default() };
/// let mut preview = OutputPreview::with_bounds(bounds);
/// assert_eq!(preview.replace("one\ntwo\n"), "one\ntwo\n");
/// assert_eq!(preview.replace("one\ntwo\nthree\nfour"), "three\nfour", "only what is new");
/// assert_eq!((preview.head(), preview.tail()), ("one\n", "four"));
/// assert_eq!((preview.bytes(), preview.lines()), (18, 4));
/// assert_eq!((preview.omitted_bytes(), preview.omitted_lines()), (10, 2));
/// assert_eq!(preview.to_string(), "one\n[2 lines, 10 bytes left out]\nfour");
/// ```
#[derive(Clone, Debug, Default)]
pub struct OutputPreview {
    bounds: Bounds,
    head: String,
    head_lines: usize,
    /// The head has all that it may; what follows is for the tail.
    head_full: bool,
    /// What follows the head, as much of it as may be the tail, and at most twice that.
    rest: String,
    bytes: u64,
    newlines: u64,
    ends_with_newline: bool,
    binary: bool,
    other_blocks: usize,
}

impl OutputPreview {
    /// An empty preview with the usual bounds.
    pub fn new() -> Self {
        OutputPreview::default()
    }

    /// An empty preview with other bounds.
    pub fn with_bounds(bounds: Bounds) -> Self {
        OutputPreview { bounds, ..OutputPreview::default() }
    }

    /// Takes more of the output; the work is proportional to it.
    pub fn append(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        self.newlines += count_lines(text);
        if let Some(last) = text.as_bytes().last() {
            self.ends_with_newline = *last == b'\n';
        }
        self.binary |= is_binary(text);
        if self.binary {
            self.head.clear();
            self.rest.clear();
            return;
        }
        let rest = self.fill_head(text);
        // Of a long text only the end can be seen.
        let (keep, limit) = (self.bounds.tail_bytes, self.bounds.tail_bytes.saturating_mul(2));
        if rest.len() >= keep {
            self.rest.clear();
            self.rest.push_str(last_bytes(rest, keep));
        } else {
            self.rest.push_str(rest);
            if self.rest.len() > limit {
                self.rest = last_bytes(&self.rest, keep).to_owned();
            }
        }
    }

    /// Takes the whole output as it is now, and returns what is new of it: what follows the former output if the new one
    /// begins with that, else all of it.
    ///
    /// Whether it does is told by its length and by the parts that the preview holds, so the work is proportional to what
    /// is new plus the bounds, however long the output has become. An output that changes in its hidden middle alone passes
    /// for the same, and its count of lines may then be off.
    pub fn replace<'t>(&mut self, whole: &'t str) -> &'t str {
        let Some(new) = self.continued_by(whole) else {
            *self = OutputPreview { other_blocks: self.other_blocks, ..OutputPreview::with_bounds(self.bounds) };
            self.append(whole);
            return whole;
        };
        self.append(new);
        new
    }

    /// Takes the whole output as agents send it: a text, a list of content blocks (as in ACP and MCP), or an object that has
    /// one of them, such as ACP's `rawOutput`. Blocks that are no text are only counted. Returns whether there was any text.
    /// Here the whole text is copied out of the view, whatever is new of it.
    pub fn replace_with<V: JsonView>(&mut self, output: &V) -> bool {
        self.other_blocks = 0;
        let text = text_of(output, 0, &mut self.other_blocks);
        self.replace(text.as_deref().unwrap_or_default());
        text.is_some()
    }

    /// Takes one more content block, as ACP's second version sends them, or any other form of output that is only a part.
    pub fn append_with<V: JsonView>(&mut self, output: &V) -> bool {
        let text = text_of(output, 0, &mut self.other_blocks);
        self.other_blocks += usize::from(text.is_none() && output.is_object());
        self.append(text.as_deref().unwrap_or_default());
        text.is_some()
    }

    /// The start of the output; empty if it is binary.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The end of the output, as far as it is not in the head; empty if it is binary.
    pub fn tail(&self) -> &str {
        let text = last_bytes(&self.rest, self.bounds.tail_bytes);
        let body = text.strip_suffix('\n').unwrap_or(text);
        let Some(skipped) = self.bounds.tail_lines.checked_sub(1) else { return "" };
        let start = memchr::memrchr_iter(b'\n', body.as_bytes()).nth(skipped);
        text.get(start.map_or(0, |at| at + 1)..).unwrap_or_default()
    }

    /// How many bytes the output has.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many lines the output has; a last line counts without an end, too.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.bytes > 0 && !self.ends_with_newline)
    }

    /// How many bytes stand neither in the head nor in the tail.
    pub fn omitted_bytes(&self) -> u64 {
        self.bytes.saturating_sub((self.head.len() + self.tail().len()) as u64)
    }

    /// How many line ends stand neither in the head nor in the tail; of a binary output all lines.
    pub fn omitted_lines(&self) -> u64 {
        if self.binary {
            return self.lines();
        }
        self.newlines.saturating_sub(count_lines(&self.head) + count_lines(self.tail()))
    }

    /// Whether the output is no text: it holds NUL, or much of it is no Unicode. Nothing of it is shown.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// How many content blocks were no text: images, diffs, terminals.
    pub fn other_blocks(&self) -> usize {
        self.other_blocks
    }

    /// Puts into the head what belongs there, and returns what does not.
    fn fill_head<'t>(&mut self, text: &'t str) -> &'t str {
        if self.head_full {
            return text;
        }
        let room = first_bytes(text, self.bounds.head_bytes.saturating_sub(self.head.len()));
        let mut end = if self.head_lines >= self.bounds.head_lines { 0 } else { room.len() };
        for at in memchr::memchr_iter(b'\n', room.as_bytes()) {
            if self.head_lines >= self.bounds.head_lines {
                break;
            }
            self.head_lines += 1;
            if self.head_lines == self.bounds.head_lines {
                end = at + 1;
            }
        }
        let (head, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        self.head.push_str(head);
        self.head_full = !rest.is_empty();
        rest
    }

    /// What follows the former output in `whole`, if `whole` begins with that as far as the preview tells.
    fn continued_by<'t>(&self, whole: &'t str) -> Option<&'t str> {
        let len = usize::try_from(self.bytes).ok()?;
        let (old, new) = whole.split_at_checked(len)?;
        let shown = old.starts_with(&self.head) && old.ends_with(&self.rest);
        (shown && !self.binary).then_some(new)
    }
}

/// Start, what is left out, and end.
impl fmt::Display for OutputPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, lines) = (self.omitted_bytes(), self.omitted_lines());
        if self.binary {
            return write!(f, "[binary, {bytes} bytes]");
        }
        f.write_str(&self.head)?;
        if bytes > 0 {
            let between = if self.head.is_empty() || self.head.ends_with('\n') { "" } else { "\n" };
            writeln!(f, "{between}[{lines} lines, {bytes} bytes left out]")?;
        }
        f.write_str(self.tail())
    }
}

/// Members that hold an output's text, in the order in which they are preferred.
const TEXTS: &[&str] =
    &["formatted_output", "aggregated_output", "output", "stdout", "text", "content", "message", "error"];

/// Content blocks are no deeper than this.
const MOST_NESTED: usize = 6;

/// The text of an output in whatever form; adds to `others` the blocks of a list that have none.
fn text_of<V: JsonView>(output: &V, depth: usize, others: &mut usize) -> Option<String> {
    match output.json_type() {
        JsonType::String => output.as_str().map(Cow::into_owned),
        JsonType::Array if depth < MOST_NESTED => {
            let mut all = None::<String>;
            for block in output.items() {
                let Some(text) = text_of(&block, depth + 1, others) else {
                    *others += usize::from(block.is_object());
                    continue;
                };
                let Some(all) = &mut all else {
                    all = Some(text);
                    continue;
                };
                if !all.ends_with('\n') {
                    all.push('\n');
                }
                all.push_str(&text);
            }
            all
        }
        JsonType::Object if depth < MOST_NESTED => {
            let mut members = [const { None }; TEXTS.len()];
            output.pick(TEXTS, &mut members);
            members.into_iter().flatten().find_map(|member| text_of(&member, depth + 1, others))
        }
        _ => None,
    }
}

fn count_lines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// The first bytes of a text, cut between characters.
fn first_bytes(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// The last bytes of a text, cut between characters.
fn last_bytes(text: &str, most: usize) -> &str {
    let start = (text.len().saturating_sub(most)..=text.len()).find(|at| text.is_char_boundary(*at));
    text.get(start.unwrap_or(0)..).unwrap_or_default()
}

/// Whether a piece of output is no text. Bytes that were no Unicode have become U+FFFD on their way.
fn is_binary(text: &str) -> bool {
    if memchr::memchr(0, text.as_bytes()).is_some() {
        return true;
    }
    let start = first_bytes(text, 8 << 10);
    let broken = memchr::memmem::find_iter(start.as_bytes(), "\u{fffd}").count();
    broken > 8 && broken * 10 > start.len()
}
