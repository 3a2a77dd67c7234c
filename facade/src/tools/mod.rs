//! Tools whose work another language does, by the contract of `toolprism-contract`: what is there of a call beside that work
//! is done here.

mod call;
mod definition;

use std::sync::Arc;

use serde_json::{Value, json};
use toolprism_contract::schema::Provider;
use toolprism_contract::{
    CallOptions, CallRequest, CancelToken, DynTool as _, ListContext, QualifiedName, Registry, ToolMetadata as _,
};

use self::call::Desk;
pub use self::call::ToolCall;
use self::definition::{Call, Definition, read};
use crate::Error;

/// Tools that are given as data.
///
/// ```
/// use toolprism_facade::tools::ToolRegistry;
/// let mut tools = ToolRegistry::new();
/// tools.register(
///     br#"{"id": "head", "namespace": "my_agent", "kind": "read", "description": "The first lines of a file.",
///         "schema": {"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
///                    "required": ["path", "lines"]}}"#,
/// )?;
/// let (mut call, steps) = tools.begin(br#"{"id": "1", "name": "head", "arguments": "{\"path\": \"a\", \"lines\": \"2\"}"}"#)?;
/// assert!(steps.contains(r#""run":{"tool":"my_agent:head","arguments":"{\"path\":\"a\",\"lines\":2}""#), "{steps}");
/// let steps = call.end(br#"{"output": "one\ntwo"}"#)?;
/// assert!(steps.contains(r#""status":"completed""#) && steps.contains(r#""prompt":"one\ntwo""#), "{steps}");
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ToolRegistry(Registry);

impl ToolRegistry {
    /// Without tools.
    pub fn new() -> Self {
        ToolRegistry::default()
    }

    /// Takes a tool in. Its definition is a JSON object: `id`, `namespace`, `kind`, `schema` (the JSON Schema of its arguments),
    /// and as far as they are wanted `description` (a template), `read_only`, `name` (for the model), `parameters` (the names that
    /// the model sees, by the tool's own). The answer is its key, `namespace:id`. After an error, `bad_tool` if the definition can be read, nothing is changed.
    pub fn register(&mut self, definition: &[u8]) -> Result<String, Error> {
        let (tool, config) = read::<Definition>(definition)?.tool()?;
        let key = QualifiedName::new(&tool.namespace(), tool.tool_id()).map(|key| key.to_string());
        match self.0.register_as(Arc::new(tool), &config) {
            Ok(()) => Ok(key.unwrap_or_default()),
            Err(why) => Err(Error::new("bad_tool", why.to_string())),
        }
    }

    /// The tools as a list in JSON: for a profile (`openai`, `anthropic`, `gemini` or `mcp`) as its requests have them, without one
    /// as records `{key, name, description, schema, kind, read_only}`.
    pub fn list(&self, profile: Option<&str>) -> Result<String, Error> {
        let provider = profile.map(provider).transpose()?;
        let listing = self.0.list(&ListContext::default());
        let tools = listing.tools.iter().map(|tool| match provider {
            Some(provider) => tool.definition(provider).map_err(|why| {
                Error::new("bad_tool", format!("the tool {:?} cannot be offered: {why}", tool.key.as_str()))
            }),
            None => Ok(json!({
                "key": tool.key.as_str(), "name": tool.name, "description": tool.description, "schema": tool.schema,
                "kind": tool.kind.as_str(), "read_only": tool.read_only,
            })),
        });
        Ok(Value::Array(tools.collect::<Result<_, _>>()?).to_string())
    }

    /// Begins a call: a JSON object with `id`, `name` and `arguments` (their text, or the JSON itself). `max_integer` is the largest
    /// that the tool's language has, `cancelled` says that nobody waits for the call any more.
    ///
    /// The answer of each step is a JSON object: `updates`, the ACP updates since the last; `run` in the first, if there is
    /// something to run, `{tool, arguments, changes}`, the arguments as text; `outcome` in the last, `{is_error, prompt, output,
    /// error, changes}`. No call that can be read is an error here: it has an outcome that is one.
    pub fn begin(&self, call: &[u8]) -> Result<(ToolCall, String), Error> {
        let Call { id, name, arguments, max_integer, cancelled } = read(call)?;
        let arguments = definition::text(arguments)?;
        let (desk, extensions) = Desk::new(max_integer);
        let token = CancelToken::new();
        if cancelled {
            token.cancel();
        }
        let options = CallOptions::new().with_extensions(extensions).with_cancel(token);
        let request = CallRequest { id: &id, name: &name, arguments: &arguments };
        let mut call = ToolCall::new(self.0.dispatch(request, options).into_owned(), desk);
        let steps = call.steps();
        Ok((call, steps))
    }
}

fn provider(profile: &str) -> Result<Provider, Error> {
    Ok(match profile {
        "openai" => Provider::OpenAiStrict,
        "anthropic" => Provider::Anthropic,
        "gemini" => Provider::Gemini,
        "mcp" => Provider::Mcp,
        _ => {
            let message = format!("there is no profile {profile:?}: take openai, anthropic, gemini or mcp");
            return Err(Error::new("wrong_type", message));
        }
    })
}
