//! Tools that come at run time: with a schema that is data, and work that is a function.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use toolprism::{Kind, WireNamespace};

use crate::arguments::Arguments;
use crate::schema::{Schema, SchemaError};
use crate::{CallContext, DynTool, ListContext, Output, ToolMetadata, ToolStream};

type Work = dyn Fn(CallContext, Arguments) -> ToolStream<Output> + Send + Sync;

/// A tool whose schema is data: a script's, a plugin's, an MCP server's.
///
/// Its description is taken as it is: what a stranger wrote is no template, unless
/// [`with_template`](DynamicTool::with_template) says that it is.
///
/// ```
/// use serde_json::json;
/// use toolprism_contract::{DynamicTool, Output, Registry, ToolError, ToolStream};
/// use std::sync::Arc;
///
/// let echo = DynamicTool::new("echo", json!({"type": "object"}), |_, arguments| {
///     let value = arguments.value().map_err(ToolError::from);
///     ToolStream::terminal(value.and_then(|value| Output::of(&value)))
/// })?
/// .with_description("Gives back what it is given.");
/// Registry::new().register(Arc::new(echo))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DynamicTool {
    id: String,
    description: String,
    template: bool,
    kind: Kind,
    namespace: WireNamespace,
    read_only: Option<bool>,
    schema: Schema,
    work: Box<Work>,
}

impl DynamicTool {
    /// A tool of kind `other` in the namespace `dynamic`. An error if the schema cannot be used.
    pub fn new(
        id: impl Into<String>,
        schema: Value,
        work: impl Fn(CallContext, Arguments) -> ToolStream<Output> + Send + Sync + 'static,
    ) -> Result<Self, SchemaError> {
        Ok(DynamicTool {
            id: id.into(),
            description: String::new(),
            template: false,
            kind: Kind::Other,
            namespace: "dynamic".into(),
            read_only: None,
            schema: Schema::from_value(schema)?,
            work: Box::new(work),
        })
    }

    /// With this description.
    pub fn with_description(self, description: impl Into<String>) -> Self {
        DynamicTool { description: description.into(), template: false, ..self }
    }

    /// With a description of its own author's: it, and the descriptions in the schema, are read as [`Template`](crate::Template)s.
    pub fn with_template(self, template: impl Into<String>) -> Self {
        DynamicTool { description: template.into(), template: true, ..self }
    }

    /// Of this kind and namespace.
    pub fn with_identity(self, kind: Kind, namespace: impl Into<WireNamespace>) -> Self {
        DynamicTool { kind, namespace: namespace.into(), ..self }
    }

    /// With a flag of its own, whatever its kind's is.
    pub fn with_read_only(self, read_only: bool) -> Self {
        DynamicTool { read_only: Some(read_only), ..self }
    }
}

impl ToolMetadata for DynamicTool {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn namespace(&self) -> WireNamespace {
        self.namespace.clone()
    }

    fn description_template(&self) -> Option<&str> {
        self.template.then_some(&self.description)
    }

    fn is_read_only(&self) -> bool {
        self.read_only.unwrap_or(self.kind.read_only())
    }
}

impl DynTool for DynamicTool {
    fn tool_id(&self) -> &str {
        &self.id
    }

    fn describe(&self, _: &ListContext) -> Cow<'_, str> {
        Cow::Borrowed(&self.description)
    }

    fn is_listed(&self, _: &ListContext) -> bool {
        true
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn call(self: Arc<Self>, context: CallContext, arguments: Arguments) -> ToolStream<Output> {
        (self.work)(context, arguments)
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool").field("id", &self.id).finish_non_exhaustive()
    }
}
