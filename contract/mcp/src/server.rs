//! A registry as an MCP server.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use rmcp::model::*;
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::watch;
use toolprism_contract::schema::Provider;
use toolprism_contract::{
    CallOptions, CallRequest, CancelToken, ContentBlock as Block, ListContext, Outcome, Progress, RawOutput, Registry,
    Status, ToolContent, UpdateMeta,
};

/// Serves the tools of a registry. Clones serve the same one, each to a client of its own; start one with rmcp's
/// [`ServiceExt::serve`](rmcp::ServiceExt::serve).
///
/// | of the registry | over MCP |
/// |---|---|
/// | what it lists | `tools/list`, with the schema in its MCP form and `readOnlyHint` |
/// | a call's progress | `notifications/progress`, if the client gave a token; the item itself and the envelope in its `_meta` |
/// | what the model is told | the result's `content`, with the pictures and resources that the output shows |
/// | the output's JSON | `structuredContent`; left out if it holds integers of more than 64 bits |
/// | a call that failed, refused arguments included | `isError` with the text for the model |
/// | the envelope | `_meta["x.ai/tool"]` of results and progress |
/// | a name that no tool has | the error -32602, with the names that there are |
/// | `notifications/cancelled`, or the end of the connection | the call's cancellation |
///
/// Arguments are read as leniently as in the registry. `rmcp` rounds integers of more than 64 bits before they get here; a
/// tool that wants such takes them as text.
///
/// ```no_run
/// # async fn serve(registry: toolprism_contract::Registry) -> Result<(), Box<dyn std::error::Error>> {
/// use toolprism_mcp::{McpServer, rmcp::ServiceExt};
/// let server = McpServer::new(registry, "my-tools", "1.0.0");
/// server.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpServer {
    info: Arc<ServerConfig>,
    context: Arc<ListContext>,
    options: Arc<dyn Fn() -> CallOptions + Send + Sync>,
    shared: Arc<Shared>,
}

struct Shared {
    registry: RwLock<Registry>,
    /// Clients that are told of changes as they are, by the protocol's versions up to 2025-11-25.
    peers: Mutex<Vec<Peer<RoleServer>>>,
    /// Wakes those that have asked for it, as later versions have it.
    changed: watch::Sender<()>,
}

impl McpServer {
    /// A server of this name and version.
    pub fn new(registry: Registry, name: impl Into<String>, version: impl Into<String>) -> Self {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let info = ServerConfig::new(capabilities).with_server_info(Implementation::new(name, version));
        McpServer {
            info: Arc::new(info),
            context: Arc::default(),
            options: Arc::new(CallOptions::new),
            shared: Arc::new(Shared {
                registry: RwLock::new(registry),
                peers: Mutex::default(),
                changed: watch::Sender::new(()),
            }),
        }
    }

    /// With a text for the model about the tools as a whole.
    pub fn with_instructions(mut self, text: impl Into<String>) -> Self {
        self.info = Arc::new(ServerConfig::clone(&self.info).with_instructions(text));
        self
    }

    /// Lists for this context.
    pub fn with_list_context(self, context: ListContext) -> Self {
        McpServer { context: Arc::new(context), ..self }
    }

    /// Makes each call with these options, such as a timeout or what the host hands to its tools. Their token for
    /// cancellation is replaced by one of the client's.
    pub fn with_options(self, options: impl Fn() -> CallOptions + Send + Sync + 'static) -> Self {
        McpServer { options: Arc::new(options), ..self }
    }

    /// Changes the registry, and tells all clients that it did. Calls that run go on.
    ///
    /// Must be called within a tokio runtime: nobody waits for clients that are slow to read.
    pub fn update<T>(&self, change: impl FnOnce(&mut Registry) -> T) -> T {
        let given = change(&mut self.shared.registry.write().unwrap_or_else(PoisonError::into_inner));
        self.shared.changed.send_replace(());
        for peer in self.peers().iter() {
            let peer = peer.clone();
            tokio::spawn(async move { peer.notify_tool_list_changed().await });
        }
        given
    }

    /// The clients that are there.
    fn peers(&self) -> MutexGuard<'_, Vec<Peer<RoleServer>>> {
        let mut peers = self.shared.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|peer| !peer.is_transport_closed());
        peers
    }

    fn with_registry<T>(&self, look: impl FnOnce(&Registry) -> T) -> T {
        look(&self.shared.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    async fn call(
        &self,
        name: &str,
        arguments: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let cancel = CancelToken::new();
        let options = (self.options)().with_cancel(cancel.clone());
        let id = context.id.to_string();
        let mut call =
            self.with_registry(|registry| registry.dispatch(CallRequest { id: &id, name, arguments }, options));
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        let mut meta = None;
        loop {
            let update = tokio::select! {
                biased;
                () = context.ct.cancelled(), if !cancel.is_cancelled() => {
                    cancel.cancel();
                    continue;
                }
                update = call.next() => update,
            };
            let Some(update) = update else { break };
            if matches!(update.status, Status::Completed | Status::Failed) {
                meta = Some(members(&update.meta));
            }
            let (Some(token), Some(progress)) = (&token, update.meta.progress) else { continue };
            told += 1.0;
            let mut note = ProgressNotificationParam::new(token.clone(), told);
            note.message = message(progress);
            note.meta = serde_json::from_value(Value::Object(members(&update.meta))).ok();
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {}
                _ = context.peer.notify_progress(note) => {}
            }
        }
        let is_known = call.key().is_some();
        let outcome = call.outcome();
        match &outcome.result {
            Err(why) if !is_known => Err(ErrorData::invalid_params(why.message.clone(), None)),
            _ => Ok(answer(&outcome, meta.unwrap_or_default())),
        }
    }
}

/// The `_meta` of an update.
fn members(meta: &UpdateMeta<'_>) -> Map<String, Value> {
    match serde_json::to_value(meta) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// What people are told of a step.
fn message(progress: &Progress) -> Option<String> {
    match progress {
        Progress::Text { text } => Some(text.clone()),
        Progress::Content { blocks } => {
            let texts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| match block {
                    Block::Text { text } => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Progress::Custom { .. } => None,
    }
}

fn answer(outcome: &Outcome, meta: Map<String, Value>) -> CallToolResult {
    let mut content = vec![ContentBlock::text(outcome.prompt())];
    let structured = match &outcome.result {
        Ok(output) => {
            let shown = output.content().iter().filter_map(|item| match item {
                ToolContent::Content { content: Block::Text { .. } } | ToolContent::Diff { .. } => None,
                ToolContent::Content { content } => serde_json::from_value(serde_json::to_value(content).ok()?).ok(),
            });
            content.extend(shown);
            output.value().ok()
        }
        Err(why) => serde_json::to_value(RawOutput::Error(why)).ok(),
    };
    let failed = outcome.status() == Status::Failed;
    let mut result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = structured;
    result.meta = Some(MetaObject(meta));
    result
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::clone(&self.info)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.with_registry(|registry| {
            let listed = registry.list(&self.context).tools.into_iter().map(|tool| {
                // What MCP cannot say is said by no schema: arguments are held against the tool's own all the same.
                let schema = match tool.adapted(Provider::Mcp).map(|adapted| adapted.schema) {
                    Ok(Value::Object(schema)) => schema,
                    _ => Map::from_iter([("type".to_owned(), "object".into())]),
                };
                let annotations = ToolAnnotations::new().read_only(tool.read_only);
                let description = tool.description.into_owned();
                Tool::new(tool.name.to_owned(), description, schema).with_annotations(annotations)
            });
            listed.collect()
        });
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = self.call(&request.name, &arguments.to_string(), &context).await?;
        Ok(CallToolResponse::Complete(result))
    }

    /// Calls whose arguments are no object come this way: as text, as some models write them, they are read all the same.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let name = request.params.as_ref().and_then(|params| params.get("name")?.as_str());
        let Some(name) = name.filter(|_| request.method == "tools/call") else {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        };
        let arguments = request.params.as_ref().and_then(|params| params.get("arguments"));
        let arguments = arguments.map_or_else(|| "{}".to_owned(), Value::to_string);
        let mut result = self.call(name, &arguments, &context).await?;
        result.result_type = None;
        let result = serde_json::to_value(result);
        result.map(CustomResult).map_err(|why| ErrorData::internal_error(why.to_string(), None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.peers().push(context.peer);
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let wanted = requested.tools_list_changed == Some(true);
        Some(if wanted {
            SubscriptionFilter::builder().tools_list_changed().build()
        } else {
            SubscriptionFilter::new()
        })
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changed = self.shared.changed.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                _ = changed.changed() => {
                    if context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("info", &self.info.server_info).finish_non_exhaustive()
    }
}
