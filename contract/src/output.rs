//! What a tool gives: for the machine JSON with its type's name, for the model text, for people content.

use std::borrow::Cow;
use std::{fmt, io};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::value::RawValue;
use toolprism::json::{JsonView, RawJson};
use toolprism::output::{Bounds, OutputPreview};

use crate::progress::ContentBlock;
use crate::{ToolError, compact, json};

/// Outputs that are nested more deeply cannot be encoded: most readers of JSON refuse them, and writers that call
/// themselves for each level run out of stack.
pub const MAX_OUTPUT_DEPTH: usize = 120;

/// What a tool's author says of an output type.
///
/// For the machine an output is what serde makes of it, with the member `type` in front: `{"type": "Listing", "files": []}`.
/// What is no object, or has a `type` of its own, stands under `value`: `{"type": "Listing", "value": [...]}`.
///
/// ```
/// use serde::Serialize;
/// use toolprism_contract::{Output, ToolOutput};
///
/// #[derive(Serialize)]
/// struct Ran { stdout: String, exit_code: i32 }
///
/// impl ToolOutput for Ran {
///     const TYPE: &'static str = "Ran";
///     fn is_error(&self) -> bool { self.exit_code != 0 }
///     fn to_prompt_format(&self) -> String { format!("{}\n[exit code {}]", self.stdout, self.exit_code) }
/// }
///
/// let output = Output::of(&Ran { stdout: "no such file".into(), exit_code: 1 })?;
/// assert_eq!(output.json(), r#"{"type":"Ran","stdout":"no such file","exit_code":1}"#);
/// assert_eq!(output.prompt(), "no such file\n[exit code 1]");
/// assert!(output.is_error());
/// # Ok::<(), toolprism_contract::ToolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's output",
    note = "implement `ToolOutput` for it: `impl ToolOutput for {Self} {{ const TYPE: &'static str = \"...\"; }}`"
)]
pub trait ToolOutput: Serialize {
    /// The type's name in JSON.
    const TYPE: &'static str;

    /// The member that always holds what serde makes of the output, if its members are not to stand beside `type`.
    const MEMBER: Option<&'static str> = None;

    /// Whether the tool did not do what it was asked for. The call's ACP status is `failed` then, and `completed` otherwise.
    fn is_error(&self) -> bool {
        false
    }

    /// The output for the model: its JSON, unless the type knows better.
    fn to_prompt_format(&self) -> String {
        encode(self).unwrap_or_default()
    }

    /// The output for people; nothing means the text that the model gets.
    fn content(&self) -> Vec<ToolContent> {
        Vec::new()
    }
}

/// A text is `{"type": "Text", "text": ...}`; the model gets it as it is.
impl ToolOutput for String {
    const TYPE: &'static str = "Text";
    const MEMBER: Option<&'static str> = Some("text");

    fn to_prompt_format(&self) -> String {
        self.clone()
    }
}

/// Any JSON is `{"type": "Dynamic", "value": ...}`; the model gets a string as it is, and all else as JSON.
impl ToolOutput for Value {
    const TYPE: &'static str = "Dynamic";
    const MEMBER: Option<&'static str> = Some("value");

    fn to_prompt_format(&self) -> String {
        match self {
            Value::String(text) => text.clone(),
            other => encode(other).unwrap_or_default(),
        }
    }
}

/// Nothing is `{"type": "Done", "value": null}`.
impl ToolOutput for () {
    const TYPE: &'static str = "Done";

    fn to_prompt_format(&self) -> String {
        "done".into()
    }
}

/// What people see of an output, as ACP has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ToolContent {
    /// A block of content.
    Content {
        /// The block.
        content: ContentBlock,
    },
    /// A change of a file.
    Diff {
        /// The file.
        path: String,
        /// What it held before; nothing if it is new.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old_text: Option<String>,
        /// What it holds now.
        new_text: String,
    },
}

impl From<ContentBlock> for ToolContent {
    fn from(content: ContentBlock) -> Self {
        ToolContent::Content { content }
    }
}

/// An output of whatever type.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    json: String,
    prompt: String,
    content: Vec<ToolContent>,
    is_error: bool,
}

impl Output {
    /// The output of a type; an error of kind `execution` with the reason `output_encoding` if it has no JSON.
    pub fn of<T: ToolOutput>(output: &T) -> Result<Output, ToolError> {
        let json = tagged(T::TYPE, T::MEMBER, output)?;
        Ok(Output { json, prompt: output.to_prompt_format(), content: output.content(), is_error: output.is_error() })
    }

    /// The output of a type that is known by its name alone: what another language makes of it, as JSON text. The model gets that
    /// as well, or a string as it is, until [`with_prompt`](Self::with_prompt) says otherwise. An error as of [`of`](Self::of).
    ///
    /// ```
    /// use toolprism_contract::Output;
    /// let output = Output::from_json(Some("Listing"), r#"{"files": ["a"], "size": 12345678901234567890123}"#)?;
    /// assert_eq!(output.json(), r#"{"type":"Listing","files": ["a"], "size": 12345678901234567890123}"#);
    /// assert_eq!(Output::from_json(None, r#""text""#)?, Output::of(&"text".to_owned())?);
    /// # Ok::<(), toolprism_contract::ToolError>(())
    /// ```
    pub fn from_json(name: Option<&str>, json: &str) -> Result<Output, ToolError> {
        let raw = serde_json::from_str::<&RawValue>(json).map_err(Output::unwritten)?;
        if compact::depth(json) > MAX_OUTPUT_DEPTH {
            return Err(Output::unwritten(too_deep()));
        }
        let text = match raw.get() {
            text if text.starts_with('"') => Some(serde_json::from_str::<String>(text).map_err(Output::unwritten)?),
            _ => None,
        };
        let (name, member) = match (name, &text) {
            (Some(name), _) => (name, None),
            (None, Some(_)) => (String::TYPE, String::MEMBER),
            (None, None) if raw.get() == "null" => (<()>::TYPE, None),
            (None, None) => (Value::TYPE, Value::MEMBER),
        };
        let prompt = match text {
            Some(text) => text,
            None if raw.get() == "null" => ().to_prompt_format(),
            None => compact::one_line(raw.get()).into_owned(),
        };
        Ok(Output { json: tagged(name, member, raw)?, prompt, content: Vec::new(), is_error: false })
    }

    /// The error for an output that has no JSON: of kind `execution`, with the reason `output_encoding`.
    pub fn unwritten(why: impl fmt::Display) -> ToolError {
        ToolError::execution(format_args!("the tool's output cannot be written as JSON: {why}"))
            .with_details(serde_json::json!({ "reason": "output_encoding" }))
    }

    /// With another text for the model.
    pub fn with_prompt(self, prompt: impl Into<String>) -> Self {
        Output { prompt: prompt.into(), ..self }
    }

    /// With something else than the model's text for people.
    pub fn with_content(self, content: Vec<ToolContent>) -> Self {
        Output { content, ..self }
    }

    /// With the word that the tool did not do what it was asked for, or did.
    pub fn with_is_error(self, is_error: bool) -> Self {
        Output { is_error, ..self }
    }

    /// The output for the machine, as JSON text on one line: an object with the member `type`.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The output for the machine as a value. An error of kind `execution` with the reason `output_encoding` if it holds an
    /// integer of more than 64 bits, since a [`Value`] would round it; [`json`](Self::json) has its digits.
    ///
    /// ```
    /// # use toolprism_contract::Output;
    /// assert_eq!(Output::of(&"text".to_owned())?.value()?["text"], "text");
    /// # Ok::<(), toolprism_contract::ToolError>(())
    /// ```
    pub fn value(&self) -> Result<Value, ToolError> {
        let why = match json::rounded(&self.json) {
            Some((path, digits)) => format!("{path} is {digits}, which has more than 64 bits"),
            None => match serde_json::from_str(&self.json) {
                Ok(value) => return Ok(value),
                Err(why) => why.to_string(),
            },
        };
        Err(Output::unwritten(why))
    }

    /// The output for the model, whole. What a call gives is cut to a [`Truncation`].
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// The output for people; nothing means the text that the model gets.
    pub fn content(&self) -> &[ToolContent] {
        &self.content
    }

    /// Whether the tool did not do what it was asked for.
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

/// An output is serialized as its JSON.
impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        compact::as_raw(&self.json, serializer)
    }
}

/// JSON text on one line.
fn encode<T: Serialize + ?Sized>(value: &T) -> Result<String, ToolError> {
    encode_after(String::with_capacity(128), value)
}

/// Text, and JSON behind it on the same line.
fn encode_after<T: Serialize + ?Sized>(text: String, value: &T) -> Result<String, ToolError> {
    let mut text = text.into_bytes();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Bounded { depth: 0 });
    let written = value.serialize(&mut serializer).map_err(|why| why.to_string());
    let text = written.and_then(|()| String::from_utf8(text).map_err(|why| why.to_string()));
    text.map(compact::on_one_line).map_err(Output::unwritten)
}

fn too_deep() -> String {
    format!("it is nested more than {MAX_OUTPUT_DEPTH} levels deep")
}

/// An output's JSON with the name of its type in it.
fn tagged<T: Serialize + ?Sized>(name: &str, member: Option<&str>, output: &T) -> Result<String, ToolError> {
    let mut start = String::with_capacity(256);
    start.push_str("{\"type\":");
    push_name(&mut start, name);
    start.push(',');
    if let Some(member) = member {
        push_name(&mut start, member);
        start.push(':');
    }
    let behind = start.len();
    let mut json = encode_after(start, output)?;
    let own = json.get(behind..).unwrap_or_default();
    if member.is_some() {
        json.push('}');
    } else if own == "{}" {
        json.truncate(behind - 1);
        json.push('}');
    } else if own.starts_with('{') && !has_type(own) {
        json.remove(behind);
    } else {
        json.insert_str(behind, "\"value\":");
        json.push('}');
    }
    Ok(json)
}

/// Names are words of a program's author, and mostly need no escape.
fn push_name(out: &mut String, name: &str) {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        out.extend(["\"", name, "\""]);
    } else {
        out.push_str(&Value::from(name).to_string());
    }
}

fn has_type(json: &str) -> bool {
    RawJson::parse(json).is_ok_and(|object| object.get("type").is_some())
}

/// Writes JSON no deeper than [`MAX_OUTPUT_DEPTH`].
struct Bounded {
    depth: usize,
}

impl Bounded {
    fn enter(&mut self) -> io::Result<()> {
        self.depth += 1;
        if self.depth <= MAX_OUTPUT_DEPTH {
            return Ok(());
        }
        Err(io::Error::other(too_deep()))
    }
}

impl Formatter for Bounded {
    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.enter()?;
        CompactFormatter.begin_array(writer)
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        CompactFormatter.end_array(writer)
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.enter()?;
        CompactFormatter.begin_object(writer)
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        CompactFormatter.end_object(writer)
    }
}

/// How much of an output the model gets: its start and its end, with the exact number of lines and bytes between them.
///
/// ```
/// use toolprism_contract::Truncation;
/// let cut = Truncation::Bounds(toolprism::output::Bounds { head_lines: 1, tail_lines: 1, ..Default::default() });
/// assert_eq!(cut.apply("one\ntwo\nthree\nfour"), "one\n[2 lines, 10 bytes left out]\nfour");
/// assert_eq!(cut.apply("one\ntwo"), "one\ntwo");
/// assert_eq!(Truncation::Whole.apply("one\ntwo\nthree"), "one\ntwo\nthree");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// All of it.
    Whole,
    /// No more than this.
    Bounds(Bounds),
}

impl Default for Truncation {
    fn default() -> Self {
        Truncation::Bounds(Bounds::default())
    }
}

impl Truncation {
    /// The text as the model gets it.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Truncation::Bounds(bounds) = self else { return Cow::Borrowed(text) };
        // What fits into the head, and can be nothing but text, needs no preview to say so.
        let is_short = text.len() <= bounds.head_bytes && text.len() < bounds.head_lines;
        if is_short && !text.contains(['\0', '\u{fffd}']) {
            return Cow::Borrowed(text);
        }
        let mut preview = OutputPreview::with_bounds(*bounds);
        preview.append(text);
        if preview.omitted_bytes() == 0 { Cow::Borrowed(text) } else { Cow::Owned(preview.to_string()) }
    }
}
