//! An MCP server's tools, as tools of a registry.

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{
    ClientInitializeError, NotificationContext, Peer, PeerRequestOptions, RunningService, ServiceError, serve_client,
};
use rmcp::transport::IntoTransport;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use toolprism::Kind;
use toolprism::catalog::McpNaming;
use toolprism_contract::arguments::Arguments;
use toolprism_contract::{
    CallContext, ContentBlock as Block, DynTool, DynamicTool, NameError, Output, PROGRESS_BUFFER, Progress, Registry,
    ToolError, ToolErrorKind, ToolStream, check_name,
};

use crate::result::McpOutput;
use crate::watched::{Told, Watched};

/// How harnesses spell the name of an MCP tool.
const NAMING: McpNaming = McpNaming::Prefixed("mcp__", "__");

/// The namespace of all MCP tools.
const NAMESPACE: &str = "mcp";

/// Bytes that are taken of a server's description of a tool, and of what it says of an error.
const MAX_TEXT: usize = 16 << 10;

/// What an MCP server may do: it is a stranger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpLimits {
    /// It has so long to answer when it is asked who it is, and for each page of its tools. 30 seconds unless set otherwise.
    pub answer: Duration,
    /// A call of it ends when it has said nothing for so long, neither progress nor result. 10 minutes unless set otherwise;
    /// a call's own timeout is the host's matter.
    pub silence: Duration,
    /// More tools than that are not taken in. 1,000 unless set otherwise.
    pub max_tools: usize,
    /// A result of more bytes is an error. 8 MiB unless set otherwise. (A message of more than 16 MiB is dropped by rmcp, and
    /// its call ends by [`silence`](Self::silence).)
    pub max_result_bytes: usize,
    /// Whether its word is taken that a tool only reads (`readOnlyHint`). Not unless set otherwise.
    pub trust_annotations: bool,
}

impl Default for McpLimits {
    fn default() -> Self {
        McpLimits {
            answer: Duration::from_secs(30),
            silence: Duration::from_secs(600),
            max_tools: 1_000,
            max_result_bytes: 8 << 20,
            trust_annotations: false,
        }
    }
}

/// Why an MCP server cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum McpError {
    /// The host's name for it is none: 1 to 64 of `A-Z a-z 0-9 _ -`, without `__` and with no `_` at its end, so that a
    /// tool's name comes apart again.
    BadServerName(String),
    /// There was no connection, or no MCP server at its end.
    Connect(Box<ClientInitializeError>),
    /// It did not answer in time.
    Timeout(Duration),
    /// It has more tools than are taken in.
    TooManyTools(usize),
    /// It answered with an error or with what is no answer, or is gone.
    Failed(Box<ServiceError>),
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            McpError::BadServerName(name) => {
                write!(f, "{name:?} is no name for a server: use letters, digits, '-' and single '_'")
            }
            McpError::Connect(why) => write!(f, "no connection to the MCP server: {why}"),
            McpError::Timeout(limit) => write!(f, "the MCP server did not answer within {limit:?}"),
            McpError::TooManyTools(most) => write!(f, "the MCP server has more than {most} tools"),
            McpError::Failed(why) => write!(f, "the MCP server did not say what tools it has: {why}"),
        }
    }
}

impl std::error::Error for McpError {}

/// A connection to an MCP server. Its tools work for as long as it is kept.
///
/// ```no_run
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// use tokio::process::Command;
/// use std::process::Stdio;
/// use toolprism_mcp::McpClient;
///
/// let mut child = Command::new("some-mcp-server").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
/// let pipes = child.stdout.take().zip(child.stdin.take()).ok_or("no pipes")?;
/// let mut registry = toolprism_contract::Registry::new();
/// let server = McpClient::connect("fs", pipes, Default::default()).await?;
/// for refused in server.register(&mut registry).await? {
///     eprintln!("{refused}");
/// }
/// // Models see `mcp__fs__read_file` and so on.
/// # Ok(())
/// # }
/// ```
pub struct McpClient {
    name: String,
    running: RunningService<RoleClient, Handler>,
    changed: watch::Receiver<()>,
    limits: McpLimits,
}

/// A server's tools.
#[derive(Default)]
#[non_exhaustive]
pub struct McpTools {
    /// Those that can be used, in the server's order.
    pub tools: Vec<Arc<dyn DynTool>>,
    /// Those that cannot.
    pub refused: Vec<Refused>,
}

/// A tool that cannot be used, which does the others no harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name on its server, cut short.
    pub tool: String,
    /// Why.
    pub why: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the MCP tool {:?} is not taken in: {}", self.tool, self.why)
    }
}

impl McpClient {
    /// Connects to a server that the host calls by this name.
    pub async fn connect<T, E, A>(name: &str, transport: T, limits: McpLimits) -> Result<McpClient, McpError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        if check_name(name).is_err() || name.contains("__") || name.ends_with('_') {
            return Err(McpError::BadServerName(cut(name, 128)));
        }
        let (sender, changed) = watch::channel(());
        let watched = Watched::new(transport.into_transport());
        let running = within(limits.answer, serve_client(Handler(sender), watched)).await?;
        let running = running.map_err(|why| McpError::Connect(Box::new(why)))?;
        Ok(McpClient { name: name.to_owned(), running, changed, limits })
    }

    /// Asks the server for its tools.
    pub async fn tools(&self) -> Result<McpTools, McpError> {
        let mut all = McpTools::default();
        let mut cursor = None;
        // As many pages as tools: a server may give empty ones for ever.
        for _ in 0..=self.limits.max_tools {
            let page = within(self.limits.answer, self.page(cursor)).await?;
            let (listed, next) = page.map_err(|why| McpError::Failed(Box::new(why)))?;
            for tool in listed {
                match tool {
                    Ok(tool) => match self.tool(&tool) {
                        Ok(wrapped) => all.tools.push(Arc::new(wrapped)),
                        Err(why) => all.refused.push(Refused { tool: cut(&tool.name, 128), why }),
                    },
                    Err(refused) => all.refused.push(refused),
                }
            }
            if all.tools.len() + all.refused.len() > self.limits.max_tools {
                break;
            }
            cursor = next;
            if cursor.is_none() {
                return Ok(all);
            }
        }
        Err(McpError::TooManyTools(self.limits.max_tools))
    }

    /// Takes the server's tools into a registry, in place of those of the same server that are there, and says which are not
    /// taken in.
    pub async fn register(&self, registry: &mut Registry) -> Result<Vec<Refused>, McpError> {
        let McpTools { tools, mut refused } = self.tools().await?;
        let prefix = format!("{NAMESPACE}:{}", NAMING.join(&self.name, ""));
        let old: Vec<_> = registry.keys().map(ToString::to_string).filter(|key| key.starts_with(&prefix)).collect();
        old.iter().for_each(|key| drop(registry.remove(key)));
        for tool in tools {
            if let Err(error) = registry.register(tool) {
                refused.push(Refused { tool: error.tool.clone(), why: error.fault.to_string() });
            }
        }
        Ok(refused)
    }

    /// Waits until the server says that its tools have changed; at once if it has since the last time. `false` if it is gone.
    pub async fn changed(&mut self) -> bool {
        self.changed.changed().await.is_ok()
    }

    /// Whether the server is gone.
    pub fn is_closed(&self) -> bool {
        self.running.is_closed() || self.running.peer().is_transport_closed()
    }

    /// Ends the connection; calls that run fail.
    pub async fn close(self) {
        // What went wrong at the end of a connection is of no use to anybody.
        let _ = self.running.cancel().await;
    }

    /// A page of tools, and where the next begins.
    async fn page(&self, cursor: Option<Cursor>) -> Result<(Vec<Result<Tool, Refused>>, Option<Cursor>), ServiceError> {
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest { params, ..ListToolsRequest::default() };
        match self.running.peer().send_request(ClientRequest::ListToolsRequest(request)).await? {
            ServerResult::ListToolsResult(page) => Ok((page.tools.into_iter().map(Ok).collect(), page.next_cursor)),
            // One of them is no tool: it alone is refused.
            ServerResult::CustomResult(CustomResult(page)) => {
                let tools = page.get("tools").and_then(Value::as_array).ok_or(ServiceError::UnexpectedResponse)?;
                let one = |tool: &Value| {
                    serde_json::from_value(tool.clone()).map_err(|why| Refused {
                        tool: cut(tool.get("name").and_then(Value::as_str).unwrap_or_default(), 128),
                        why: why.to_string(),
                    })
                };
                let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
                Ok((tools.iter().map(one).collect(), next))
            }
            _ => Err(ServiceError::UnexpectedResponse),
        }
    }

    /// The tool of a server as one of a registry, or why not.
    fn tool(&self, tool: &Tool) -> Result<DynamicTool, String> {
        let name = NAMING.join(&self.name, &tool.name).replace(['.', '/'], "_");
        check_name(&name).map_err(|why| bad_name(&name, &why))?;
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        let says_read_only = tool.annotations.as_ref().is_some_and(|hints| hints.read_only_hint == Some(true));
        let server = Arc::new(Server {
            peer: self.running.peer().clone(),
            name: self.name.clone(),
            tool: tool.name.to_string(),
            limits: self.limits,
        });
        let work = move |context, arguments| server.clone().call(context, arguments);
        let made = DynamicTool::new(name, schema, work).map_err(|why| why.to_string())?;
        Ok(made
            .with_identity(Kind::Other, NAMESPACE)
            .with_description(cut(tool.description.as_deref().unwrap_or_default(), MAX_TEXT))
            .with_read_only(says_read_only && self.limits.trust_annotations))
    }
}

fn bad_name(name: &str, why: &NameError) -> String {
    format!("{:?} is no name that models can call: {why}", cut(name, 128))
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for McpTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<_> = self.tools.iter().map(|tool| tool.tool_id()).collect();
        f.debug_struct("McpTools").field("tools", &tools).field("refused", &self.refused).finish()
    }
}

/// What a server may ask of its client is refused, as rmcp does; what it tells of its list is passed on.
struct Handler(watch::Sender<()>);

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let about = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), about)
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send_replace(());
    }
}

/// Where a tool's calls go.
struct Server {
    peer: Peer<RoleClient>,
    name: String,
    tool: String,
    limits: McpLimits,
}

impl Server {
    fn call(self: Arc<Self>, _: CallContext, arguments: Arguments) -> ToolStream<Output> {
        match arguments.value() {
            Ok(Value::Object(arguments)) => ToolStream::new(|progress| async move {
                let (told, mut tells) = mpsc::channel::<ProgressNotificationParam>(PROGRESS_BUFFER);
                let mut params = CallToolRequestParams::new(self.tool.clone());
                params.arguments = Some(arguments);
                let mut request = CallToolRequest::new(params);
                request.extensions.insert::<Told>(told);
                let request = ClientRequest::CallToolRequest(request);
                let options = PeerRequestOptions::with_timeout(self.limits.silence).reset_timeout_on_progress();
                let sent = self.peer.send_cancellable_request(request, options).await;
                let handle = sent.map_err(|why| self.error(why))?;
                let mut unanswered = Unanswered(Some((self.peer.clone(), handle.id.clone())));
                let mut answer = pin!(handle.await_response());
                let answer = loop {
                    tokio::select! {
                        biased;
                        Some(step) = tells.recv() => progress.send(shown(step)).await?,
                        answer = &mut answer => break answer,
                    }
                };
                unanswered.0 = None;
                // What came before the answer.
                while let Ok(step) = tells.try_recv() {
                    progress.send(shown(step)).await?;
                }
                self.output(answer)
            }),
            Ok(_) => ToolStream::terminal(Err(ToolError::new(ToolErrorKind::InvalidArguments, "they are no object"))),
            Err(why) => ToolStream::terminal(Err(why.into())),
        }
    }

    fn output(&self, answer: Result<ServerResult, ServiceError>) -> Result<Output, ToolError> {
        let result = match answer.map_err(|why| self.error(why))? {
            ServerResult::CallToolResult(result) => result,
            ServerResult::EmptyResult(_) => CallToolResult::success(Vec::new()),
            ServerResult::InputRequiredResult(_) => {
                return Err(self.failed("it asks for input, which nobody gives here"));
            }
            ServerResult::CreateTaskResult(_) => return Err(self.failed("it made a task of it that was not asked for")),
            _ => return Err(self.failed("its answer is no result of a tool")),
        };
        let output = Output::of(&McpOutput::from(result))?;
        let most = self.limits.max_result_bytes;
        if output.json().len() > most {
            let size = output.json().len();
            return Err(self
                .failed(&format!("its result has {size} bytes, and {most} is the most"))
                .with_details(json!({ "reason": "result_too_large", "server": self.name })));
        }
        Ok(output)
    }

    fn failed(&self, why: &str) -> ToolError {
        self.of_kind(ToolErrorKind::Execution, why)
    }

    fn of_kind(&self, kind: ToolErrorKind, why: &str) -> ToolError {
        let message = format!("the MCP server {:?} failed at {:?}: {why}", self.name, cut(&self.tool, 128));
        ToolError::new(kind, message).with_details(json!({ "server": self.name }))
    }

    fn error(&self, why: ServiceError) -> ToolError {
        match why {
            ServiceError::McpError(error) => {
                let kind = match error.code {
                    ErrorCode::INVALID_PARAMS => ToolErrorKind::InvalidArguments,
                    ErrorCode::METHOD_NOT_FOUND => ToolErrorKind::NotFound,
                    _ => ToolErrorKind::Execution,
                };
                self.of_kind(kind, &cut(&error.message, MAX_TEXT))
            }
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                self.of_kind(ToolErrorKind::ServiceUnavailable, "it is gone")
            }
            ServiceError::Timeout { timeout } => {
                self.of_kind(ToolErrorKind::Timeout, &format!("it has said nothing for {timeout:?}"))
            }
            ServiceError::Cancelled { .. } => self.of_kind(ToolErrorKind::Cancelled, "the call was cancelled"),
            other => self.failed(&cut(&other.to_string(), MAX_TEXT)),
        }
    }
}

/// A call that is dropped before its answer is there: the server is told to stop.
struct Unanswered(Option<(Peer<RoleClient>, RequestId)>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        if let (Some((peer, id)), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                let reason = Some("the call was given up".to_owned());
                peer.notify_cancelled(CancelledNotificationParam::new(Some(id), reason)).await
            });
        }
    }
}

/// What a server says of where it is, as the contract has it.
fn shown(step: ProgressNotificationParam) -> Progress {
    match step.message {
        Some(message) => Progress::Content { blocks: vec![Block::text(message)] },
        None => {
            let payload = json!({ "progress": step.progress, "total": step.total });
            Progress::Custom { subkind: "mcp_progress".into(), payload }
        }
    }
}

async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, McpError> {
    tokio::time::timeout(limit, work).await.map_err(|_| McpError::Timeout(limit))
}

/// At most about this many bytes of a text.
fn cut(text: &str, most: usize) -> String {
    match (0..=most).rev().find(|end| text.is_char_boundary(*end)) {
        Some(end) if end < text.len() => format!("{}...", text.get(..end).unwrap_or_default()),
        _ => text.to_owned(),
    }
}
