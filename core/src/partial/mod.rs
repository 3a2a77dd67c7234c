//! The arguments of a call while the model still writes them: what is there so far, after each piece of text.
//!
//! The text is read once, a byte at a time, by a machine that can stop anywhere: inside an escape, a surrogate pair or a
//! UTF-8 sequence. It fills a tree that only grows, so that nothing that was shown is ever taken back:
//!
//! * an object or array shows as soon as it opens, a string from its opening quote on, and grows;
//! * a number shows when what stands behind it says that it is whole, `true`, `false` and `null` with their last letter;
//! * a member shows when its key is whole and what its value is is known;
//! * half an escape, half a surrogate pair and half a UTF-8 sequence wait until they are whole.

mod event;
mod machine;
mod number;
mod strings;
mod tree;
mod view;

use self::machine::Place;
use self::strings::Held;
use self::tree::Tree;
use crate::json::{JsonError, JsonView};

pub use event::{Event, Part, Path};
pub use view::View;

/// Arguments nested deeper than this are refused.
pub const MAX_DEPTH: usize = 128;

/// Reads JSON arguments that come in pieces, and shows at any time what is there.
///
/// ```
/// use toolprism::PartialInput;
/// use toolprism::json::JsonView;
/// let mut input = PartialInput::new();
/// input.push(br#"{"limit": 12, "path": "src/m"#);
/// assert_eq!(input.to_text().as_deref(), Some(r#"{"limit":12,"path":"src/m"}"#));
/// assert!(input.view().unwrap().get("path").unwrap().is_open());
/// input.push(br#"ain.rs"}"#);
/// assert_eq!(input.view().unwrap().get("path").unwrap().str(), Some("src/main.rs"));
/// assert!(input.is_complete());
/// ```
///
/// A push costs time in proportion to its bytes, wherever they are cut, and allocates only where what is kept has to grow.
/// Where an object names a member twice both stay; asked by name the last one counts, as everywhere.
#[derive(Debug)]
pub struct PartialInput {
    options: Options,
    tree: Tree,
    place: Place,
    held: Held,
    /// The bytes read.
    offset: usize,
    fault: Option<JsonError>,
    finished: bool,
    late: u64,
}

/// How to read arguments, and what to keep of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which text is read; [`Mode::Strict`] unless set.
    pub mode: Mode,
    /// What to keep of long strings; `None`, the default, keeps all.
    pub keep: Option<Keep>,
    /// The most memory that keys, values and their places may take, in bytes; 256 MiB unless set, and never more than 2 GiB.
    /// What goes beyond is the fault [`TooLarge`](crate::json::JsonFault::TooLarge).
    pub most_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { mode: Mode::Strict, keep: None, most_bytes: 256 << 20 }
    }
}

/// Which text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// JSON. Lone surrogates, which its grammar allows, read as U+FFFD.
    #[default]
    Strict,
    /// An object as models write it. Text before its first `{` and behind its end is passed over, and `{}` gives way to an object
    /// that follows it. In it, strings may hold bare control characters, escapes that JSON does not have (`\d` reads as these two
    /// characters) and broken UTF-8 (which reads as U+FFFD), and a comma may stand before a closing bracket.
    Lenient,
    /// No JSON: the whole text is one string, as of tools that take a patch or a script. It ends with
    /// [`finish`](PartialInput::finish).
    Text,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Text];

    /// A short stable name, such as `lenient`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Strict => "strict",
            Mode::Lenient => "lenient",
            Mode::Text => "text",
        }
    }
}

/// What to keep of long strings. Of one that has more bytes than `head` and `tail` together, front and end stay, and what is
/// between them is replaced by `…[N bytes omitted]…`.
///
/// While it grows only the front shows, since what was shown is never taken back; the rest shows when it ends.
/// [`View::omitted`] says how much that leaves out at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Bytes from the front; less than [`Keep::LEAST_HEAD`] counts as that, so that paths and the like always stay whole.
    pub head: usize,
    /// Bytes from the end.
    pub tail: usize,
}

impl Keep {
    /// No string is cut before this many bytes.
    pub const LEAST_HEAD: usize = 4096;

    fn head(self) -> usize {
        self.head.max(Self::LEAST_HEAD)
    }
}

/// How far the arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// More may come.
    Open,
    /// All is there.
    Complete,
    /// The stream was [finished](PartialInput::finish) before the end of the arguments.
    Incomplete,
    /// The text is not what it should be, and where. What was visible stays; text behind the fault is not read.
    Broken(JsonError),
}

impl State {
    /// A short stable name, such as `open`.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Complete => "complete",
            State::Incomplete => "incomplete",
            State::Broken(_) => "broken",
        }
    }
}

impl Default for PartialInput {
    fn default() -> Self {
        PartialInput::new()
    }
}

impl PartialInput {
    /// Reads strict JSON, and keeps all of it.
    pub fn new() -> Self {
        PartialInput::with(Options::default())
    }

    /// Reads what models write; see [`Mode::Lenient`].
    pub fn lenient() -> Self {
        PartialInput::with(Options { mode: Mode::Lenient, ..Options::default() })
    }

    /// Reads by these options.
    pub fn with(options: Options) -> Self {
        PartialInput {
            options,
            tree: Tree::default(),
            place: Place::start(options.mode),
            held: Held::default(),
            offset: 0,
            fault: None,
            finished: false,
            late: 0,
        }
    }

    /// Takes the next bytes of the text, cut anywhere. After [`finish`](Self::finish) they are only counted as
    /// [`late`](Self::late).
    pub fn push(&mut self, bytes: impl AsRef<[u8]>) -> State {
        self.push_with(bytes, |_| {})
    }

    /// As [`push`](Self::push), and says what that changes, in order.
    ///
    /// ```
    /// use toolprism::partial::{Event, PartialInput};
    /// let mut seen = String::new();
    /// let mut input = PartialInput::new();
    /// input.push(r#"{"edits": [{"find": "a"#);
    /// input.push_with(r#"b"}, {"#, |event| match event {
    ///     Event::Opened(path, kind) => seen += &format!("{path} is {kind:?}; "),
    ///     Event::Appended(path, text) => seen += &format!("{path} + {text}; "),
    ///     Event::Value(path) | Event::Closed(path) => seen += &format!("{path} is whole; "),
    /// });
    /// assert_eq!(seen, "/edits/0/find + b; /edits/0/find is whole; /edits/0 is whole; /edits/1 is Object; ");
    /// ```
    pub fn push_with(&mut self, bytes: impl AsRef<[u8]>, mut sink: impl FnMut(Event<'_>)) -> State {
        let bytes = bytes.as_ref();
        if self.finished {
            self.late += bytes.len() as u64;
        } else if self.fault.is_none() {
            self.read(bytes, &mut sink);
        }
        self.state()
    }

    /// Says that no more text comes.
    pub fn finish(&mut self) -> State {
        self.finish_with(|_| {})
    }

    /// As [`finish`](Self::finish), and says what that changes: the end completes a number that stands alone, and bare text.
    pub fn finish_with(&mut self, mut sink: impl FnMut(Event<'_>)) -> State {
        if !self.finished && self.fault.is_none() {
            self.read_end(&mut sink);
        }
        self.finished = true;
        self.state()
    }

    /// How far the arguments are.
    pub fn state(&self) -> State {
        match self.fault {
            Some(fault) => State::Broken(fault),
            None if self.place == Place::After => State::Complete,
            None if self.finished => State::Incomplete,
            None => State::Open,
        }
    }

    /// Whether the arguments have come to their end. In lenient mode `{}` is complete until another object follows it.
    pub fn is_complete(&self) -> bool {
        self.place == Place::After && self.fault.is_none()
    }

    /// What is visible; `None` until anything is.
    pub fn view(&self) -> Option<View<'_>> {
        (!self.tree.is_empty()).then_some(View { tree: &self.tree, at: 0 })
    }

    /// What is visible as JSON text, with what is open closed.
    pub fn to_text(&self) -> Option<alloc::string::String> {
        self.view().map(|view| view.to_text())
    }

    /// The string that grows with the next text, if one does.
    pub fn growing(&self) -> Option<Path<'_>> {
        self.tree.string_open().then(|| Path::last(&self.tree))
    }

    /// How many members or elements the root has, while it is open.
    pub(crate) fn root_count(&self) -> usize {
        self.tree.root_count()
    }

    /// The bytes that were read: up to the fault, if there is one.
    pub fn read_bytes(&self) -> usize {
        self.offset
    }

    /// The bytes that came after [`finish`](Self::finish).
    pub fn late(&self) -> u64 {
        self.late
    }
}
