//! From a model's call to its result: find, check, run, and tell the client of each step.

use std::borrow::Cow;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};

use toolprism::json::RawJson;
use toolprism::output::OutputPreview;
use toolprism::{CanonicalInput, CanonicalToolMeta, Kind, WireNamespace};
use toolprism_repair::{CompletedCall, Engine, Meta, ToolDefinition};

use crate::arguments::{self, Leniency};
use crate::registry::Entry;
use crate::stream::BoxFuture;
use crate::update::{Content, Raw, RawOutput, Status, Title, Update, UpdateMeta};
use crate::{
    CallContext, CancelToken, Extensions, Output, Progress, QualifiedName, Registry, StreamItem, ToolError,
    ToolErrorKind, ToolStream, Truncation, delta, guard,
};

/// Of a name that no tool has, as many bytes are repeated.
const MAX_NAME_SHOWN: usize = 128;

/// As many names are told to a model that called a tool by another.
const MAX_NAMES_TOLD: usize = 30;

/// A call as a model makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRequest<'a> {
    /// Its id.
    pub id: &'a str,
    /// The name that the model calls the tool by.
    pub name: &'a str,
    /// The arguments: meant to be JSON.
    pub arguments: &'a str,
}

/// How a call is made.
#[derive(Default)]
pub struct CallOptions {
    cancel: Option<CancelToken>,
    timer: Option<BoxFuture<()>>,
    extensions: Extensions,
    truncation: Truncation,
    arguments: arguments::Options<'static>,
}

impl CallOptions {
    /// With nothing special.
    pub fn new() -> Self {
        CallOptions::default()
    }

    /// It can be cancelled by this token.
    pub fn with_cancel(self, token: CancelToken) -> Self {
        CallOptions { cancel: Some(token), ..self }
    }

    /// It ends when this timer is ready, such as `tokio::time::sleep(limit)`.
    pub fn with_timeout(self, timer: impl Future<Output = ()> + Send + 'static) -> Self {
        CallOptions { timer: Some(Box::pin(timer)), ..self }
    }

    /// What the host hands to the tool.
    pub fn with_extensions(self, extensions: Extensions) -> Self {
        CallOptions { extensions, ..self }
    }

    /// How much of the output the model gets.
    pub fn with_truncation(self, truncation: Truncation) -> Self {
        CallOptions { truncation, ..self }
    }

    /// How its arguments are read. The tool's name is set when the call is made.
    pub fn with_arguments(self, arguments: arguments::Options<'static>) -> Self {
        CallOptions { arguments, ..self }
    }
}

/// What came of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// What the tool gave, or why it gave nothing.
    pub result: Result<Output, ToolError>,
    /// What was changed about the call to make it one of the tool: of its name, without a path, and of its arguments.
    pub changes: Vec<Leniency>,
    /// What the model gets, if that is less than the whole.
    cut: Option<String>,
}

impl Outcome {
    fn new(result: Result<Output, ToolError>, changes: Vec<Leniency>, truncation: Truncation) -> Self {
        let mut outcome = Outcome { result, changes, cut: None };
        if let Cow::Owned(cut) = truncation.apply(outcome.whole()) {
            outcome.cut = Some(cut);
        }
        outcome
    }

    /// How the call ended: `failed` if there is no output, or if that says it is an error.
    pub fn status(&self) -> Status {
        match &self.result {
            Ok(output) if !output.is_error() => Status::Completed,
            _ => Status::Failed,
        }
    }

    /// What the model is told: the output, within the limits of the call's [`Truncation`], or what went wrong.
    pub fn prompt(&self) -> &str {
        self.cut.as_deref().unwrap_or(self.whole())
    }

    fn whole(&self) -> &str {
        match &self.result {
            Ok(output) => output.prompt(),
            Err(why) => &why.message,
        }
    }
}

/// A call that is under way.
///
/// Each step is asked for by [`next`](Self::next), and nothing goes on meanwhile: a client that is slow to take updates holds
/// up the tool, not the memory. Every update has the envelope. The first is the announcement, with the arguments as they came;
/// then comes either the refusal, or the start with the canonical input, the progress, and the end.
///
/// A progress text stands under [`PROGRESS_KEY`](crate::PROGRESS_KEY) as the piece it is; `content`, which in ACP replaces what
/// was there, is sent whenever the text has doubled or its visible part is new, so that a long output takes linear time.
///
/// A call that is dropped is stopped, but its client is not told: cancel it and ask for the remaining steps.
pub struct Dispatch<'a> {
    id: Cow<'a, str>,
    arguments: Cow<'a, str>,
    target: Target,
    options: CallOptions,
    stage: Stage,
    input: CanonicalInput,
    stream: Option<ToolStream<Output>>,
    shown: Shown,
    changes: Vec<Leniency>,
    outcome: Option<Outcome>,
}

/// Who is called.
enum Target {
    Tool(Arc<Entry>),
    /// Nobody: an envelope to show, and why.
    Nobody(Box<(CanonicalToolMeta, ToolError)>),
}

impl Target {
    fn envelope(&self) -> &CanonicalToolMeta {
        match self {
            Target::Tool(entry) => &entry.meta,
            Target::Nobody(shown) => &shown.0,
        }
    }
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Announce,
    Check,
    Run,
    Ended,
}

/// What the step at hand shows.
enum Step {
    Announced,
    Started,
    Progress(Progress),
    Ended,
}

struct Shown {
    step: Step,
    /// All of the progress text.
    preview: OutputPreview,
    /// How much of it there was when it was last shown whole, and how long that was.
    at: u64,
    size: u64,
}

impl Registry {
    /// Begins a call. Nothing is done until its steps are asked for.
    ///
    /// A name that no tool has is taken for the tool's that it is a spelling of (`Read_File`, `functions.read_file`), if
    /// there is exactly one.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use serde_json::{Value, json};
    /// # use toolprism_contract::*;
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let mut registry = Registry::new();
    /// let echo = DynamicTool::new("echo", json!({"type": "object"}), |_, arguments| {
    ///     ToolStream::terminal(Output::of(&arguments.text().to_owned()))
    /// })?;
    /// registry.register(Arc::new(echo))?;
    ///
    /// let request = CallRequest { id: "call-1", name: "echo", arguments: r#"{"a": 1}"# };
    /// let mut call = registry.dispatch(request, CallOptions::new());
    /// let mut steps = Vec::new();
    /// while let Some(update) = call.next().await {
    ///     steps.push(serde_json::to_value(&update)?);
    /// }
    /// let status: Vec<_> = steps.iter().map(|step| &step["status"]).collect();
    /// assert_eq!(status, ["pending", "in_progress", "completed"]);
    /// assert!(steps.iter().all(|step| step["_meta"]["x.ai/tool"]["name"] == "echo"));
    /// assert_eq!(call.outcome().prompt(), r#"{"a": 1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    pub fn dispatch<'a>(&self, request: CallRequest<'a>, options: CallOptions) -> Dispatch<'a> {
        let (target, changes) = match self.entry(request.name) {
            Some(entry) => (Target::Tool(entry.clone()), Vec::new()),
            None => self.meant(request.name).unwrap_or_else(|| (self.nobody(request.name), Vec::new())),
        };
        Dispatch {
            id: request.id.into(),
            arguments: request.arguments.into(),
            target,
            options,
            stage: Stage::Announce,
            input: CanonicalInput::default(),
            stream: None,
            shown: Shown { step: Step::Announced, preview: OutputPreview::new(), at: 0, size: 0 },
            changes,
            outcome: None,
        }
    }

    fn nobody(&self, called: &str) -> Target {
        let (name, cut) = delta::split(called, MAX_NAME_SHOWN);
        let mut message = format!("there is no tool {name:?}{}", if cut.is_empty() { "" } else { "..." });
        for (index, known) in self.client_names().take(MAX_NAMES_TOLD).enumerate() {
            message.push_str(if index == 0 { ": call one of " } else { ", " });
            message.push_str(known);
        }
        if self.len() > MAX_NAMES_TOLD {
            message.push_str(", ...");
        }
        let envelope = CanonicalToolMeta::new(name, Kind::Other, WireNamespace::from("unknown"));
        Target::Nobody(Box::new((envelope, ToolError::new(ToolErrorKind::NotFound, message))))
    }

    /// The tool whose name another name is a spelling of, and how it is spelt otherwise.
    fn meant(&self, name: &str) -> Option<(Target, Vec<Leniency>)> {
        static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);
        let tools: Vec<_> = self.client_names().map(|name| ToolDefinition::new(name, "")).collect();
        let call = CompletedCall { tool_call_id: "", tool_name: name, args_json: b"{}" };
        let judged = ENGINE.judge(&call, &tools, &Meta::default());
        let entry = self.entry(&judged.tool_name?)?;
        let (found, _) = delta::split(name, MAX_NAME_SHOWN);
        let changes = judged.changes.into_iter().map(|change| Leniency {
            code: change.code,
            path: String::new(),
            found: Some(found.to_owned()),
            became: Some(entry.meta.name.clone()),
        });
        Some((Target::Tool(entry.clone()), changes.collect()))
    }
}

impl Dispatch<'_> {
    /// The same call, with a copy of what it borrows.
    pub fn into_owned(self) -> Dispatch<'static> {
        let id = Cow::Owned(self.id.into_owned());
        Dispatch { id, arguments: Cow::Owned(self.arguments.into_owned()), ..self }
    }

    /// The qualified name of the tool that is called, if there is one.
    pub fn key(&self) -> Option<&QualifiedName> {
        match &self.target {
            Target::Tool(entry) => Some(&entry.key),
            Target::Nobody(_) => None,
        }
    }

    /// What has been changed about the call so far.
    pub fn changes(&self) -> &[Leniency] {
        &self.changes
    }

    /// The next step; `None` when the call has ended.
    pub async fn next(&mut self) -> Option<Update<'_>> {
        let more = poll_fn(|cx| self.step(cx)).await;
        more.then(|| self.update())
    }

    /// As [`next`](Self::next), to be polled.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Update<'_>>> {
        let more = ready!(self.step(cx));
        Poll::Ready(more.then(|| self.update()))
    }

    /// Goes on to the end, with a look at each step, and gives what came of it.
    pub async fn run(mut self, mut look: impl FnMut(&Update<'_>)) -> Outcome {
        while let Some(update) = self.next().await {
            look(&update);
        }
        self.outcome()
    }

    /// What came of the call; the error `cancelled` if it has not ended.
    pub fn outcome(self) -> Outcome {
        self.outcome.unwrap_or_else(|| {
            let why = ToolError::new(ToolErrorKind::Cancelled, "the call was given up before its end");
            Outcome::new(Err(why), self.changes, Truncation::Whole)
        })
    }

    /// Does the next step; whether there was one.
    fn step(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        match self.stage {
            Stage::Announce => {
                self.stage = Stage::Check;
                self.shown.step = Step::Announced;
            }
            Stage::Check => match guard::run(|| self.start()).and_then(|started| started) {
                Ok(stream) => {
                    self.stream = Some(stream);
                    self.stage = Stage::Run;
                    self.shown.step = Step::Started;
                }
                Err(why) => self.end(Err(why)),
            },
            Stage::Run => {
                let Some(stream) = &mut self.stream else { return Poll::Ready(false) };
                match ready!(stream.poll(cx)) {
                    Some(StreamItem::Progress(progress)) => {
                        if let Progress::Text { text } = &progress {
                            self.shown.preview.append(text);
                        }
                        self.shown.step = Step::Progress(progress);
                    }
                    Some(StreamItem::Terminal(result)) => self.end(result),
                    None => return Poll::Ready(false),
                }
            }
            Stage::Ended => return Poll::Ready(false),
        }
        Poll::Ready(true)
    }

    /// Checks the arguments and calls the tool.
    fn start(&mut self) -> Result<ToolStream<Output>, ToolError> {
        let entry = match &self.target {
            Target::Tool(entry) => entry.clone(),
            Target::Nobody(shown) => return Err(shown.1.clone()),
        };
        if self.options.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(ToolError::new(ToolErrorKind::Cancelled, "the call was cancelled before it began"));
        }
        let reading = arguments::Options { tool: Some(&entry.meta.name), ..self.options.arguments };
        let mut arguments = arguments::read(&self.arguments, entry.schema(), &reading)?;
        self.changes.append(&mut arguments.changes);
        if !entry.renames.is_empty() {
            arguments = arguments.under_own_names(entry.renames.clone())?;
        }
        if let Ok(view) = RawJson::parse(arguments.text()) {
            self.input = toolprism::project_with(entry.rules, &view);
        }
        let cancel = self.options.cancel.clone();
        let context = CallContext {
            call_id: self.id.clone().into_owned(),
            cancel: cancel.clone().unwrap_or(CancelToken::never()),
            extensions: std::mem::take(&mut self.options.extensions),
        };
        let stream = entry.tool.clone().call(context, arguments).with_timer(self.options.timer.take());
        Ok(match &cancel {
            Some(token) => stream.with_cancel(token),
            None => stream,
        })
    }

    fn end(&mut self, result: Result<Output, ToolError>) {
        self.outcome = Some(Outcome::new(result, std::mem::take(&mut self.changes), self.options.truncation));
        self.stream = None;
        self.stage = Stage::Ended;
        self.shown.step = Step::Ended;
    }

    /// The step at hand as its update.
    fn update(&mut self) -> Update<'_> {
        let content = self.content_due();
        let envelope = self.target.envelope();
        let input = (self.stage != Stage::Check).then_some(&self.input);
        let mut meta = UpdateMeta { envelope, input, progress: None };
        let new = |status, meta| Update::new(&self.id, status, meta);
        match &self.shown.step {
            Step::Announced => Update {
                session_update: "tool_call",
                name: Some(&envelope.name),
                title: Some(Title::Name(&envelope.name)),
                kind: Some(envelope.kind.kind().acp_kind().as_str()),
                raw_input: Some(Raw(&self.arguments)),
                ..new(Status::Pending, meta)
            },
            Step::Started => {
                let title = Title::of(envelope.kind.kind(), &self.input);
                Update { title, ..new(Status::InProgress, meta) }
            }
            Step::Progress(progress) => {
                meta.progress = Some(progress);
                let content = match progress {
                    Progress::Text { .. } => content.map(|text| Content::Text(Cow::Owned(text))),
                    Progress::Content { blocks } => Some(Content::Blocks(blocks)),
                    Progress::Custom { .. } => None,
                };
                Update { content, ..new(Status::InProgress, meta) }
            }
            Step::Ended => {
                let Some(outcome) = &self.outcome else { return new(Status::Failed, meta) };
                let (content, raw_output) = match &outcome.result {
                    Ok(output) => (output.content(), RawOutput::Output(output)),
                    Err(why) => (&[][..], RawOutput::Error(why)),
                };
                let content = match content {
                    [] => Content::Text(outcome.prompt().into()),
                    items => Content::Items(items),
                };
                Update { content: Some(content), raw_output: Some(raw_output), ..new(outcome.status(), meta) }
            }
        }
    }

    /// The progress text so far, if enough of it is new since it was last shown: its length is paid for by what is new.
    fn content_due(&mut self) -> Option<String> {
        let Shown { step, preview, at, size } = &mut self.shown;
        let is_text = matches!(step, Step::Progress(Progress::Text { .. }));
        if !is_text || preview.bytes() - *at < *size {
            return None;
        }
        let text = preview.to_string();
        (*at, *size) = (preview.bytes(), text.len() as u64);
        Some(text)
    }
}

impl fmt::Debug for Dispatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatch").field("id", &self.id).finish_non_exhaustive()
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions").field("truncation", &self.truncation).finish_non_exhaustive()
    }
}
