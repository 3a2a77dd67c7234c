//! Tools as the requests of model providers have them.

use serde_json::{Value, json};

use super::ListedTool;
use crate::schema::{Provider, Unsupported};

impl ListedTool<'_> {
    /// The tool as an element of a request's `tools`: for OpenAI that of the Responses API, strict; for Anthropic that of the
    /// Messages API; for Gemini a function declaration; for MCP an element of the answer to `tools/list`.
    ///
    /// Sources, as of October 2026: the API references of the three, and the Model Context Protocol's schema.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use serde_json::json;
    /// use toolprism_contract::schema::Provider;
    /// use toolprism_contract::{DynamicTool, ListContext, Output, Registry, ToolStream};
    /// let echo = DynamicTool::new("echo", json!({"type": "object"}), |_, arguments| {
    ///     ToolStream::terminal(Output::from_json(None, arguments.text()))
    /// })?;
    /// let mut registry = Registry::new();
    /// registry.register(Arc::new(echo.with_description("Gives it back.")))?;
    /// let listing = registry.list(&ListContext::default());
    /// assert_eq!(
    ///     listing.tools[0].definition(Provider::Anthropic)?,
    ///     json!({
    ///         "name": "echo",
    ///         "description": "Gives it back.",
    ///         "input_schema": {"type": "object", "properties": {}, "required": []},
    ///     })
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn definition(&self, provider: Provider) -> Result<Value, Unsupported> {
        let schema = self.adapted(provider)?.schema;
        let (name, description) = (self.name, &self.description);
        Ok(match provider {
            Provider::OpenAiStrict => json!({
                "type": "function", "name": name, "description": description, "parameters": schema, "strict": true,
            }),
            Provider::Anthropic => json!({"name": name, "description": description, "input_schema": schema}),
            Provider::Gemini => json!({"name": name, "description": description, "parametersJsonSchema": schema}),
            Provider::Mcp => json!({
                "name": name, "description": description, "inputSchema": schema,
                "annotations": {"readOnlyHint": self.read_only},
            }),
        })
    }
}
