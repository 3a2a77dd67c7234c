//! What an MCP server's tool gives, as an output of the contract.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::Serialize;
use serde_json::Value;
use toolprism_contract::{ContentBlock as Block, TextResource, ToolContent, ToolOutput};

/// The result of an MCP server's tool: `{"type": "MCP", "content": [...], "structuredContent": ...}`.
///
/// The server's `_meta` is not in it, neither that of the result nor that of its content: what is said of a call beside its
/// content is this side's to say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct McpOutput {
    /// What the server gave, in MCP's form.
    pub content: Vec<Value>,
    /// The result as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// The server says that it is an error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    #[serde(skip)]
    prompt: String,
    #[serde(skip)]
    shown: Vec<ToolContent>,
}

impl From<CallToolResult> for McpOutput {
    fn from(result: CallToolResult) -> Self {
        let blocks: Vec<_> = result.content.iter().map(shown).collect();
        let mut texts: Vec<String> = blocks.iter().map(in_words).collect();
        if let (true, Some(structured)) = (texts.is_empty(), &result.structured_content) {
            texts.push(structured.to_string());
        }
        let is_text = |block: &Shown| matches!(block, Shown::Block(Block::Text { .. }));
        let shown = if blocks.iter().all(is_text) {
            Vec::new()
        } else {
            let block = |shown: Shown| match shown {
                Shown::Block(block) => block,
                Shown::Words(words) => Block::text(words),
            };
            blocks.into_iter().map(|shown| block(shown).into()).collect()
        };
        McpOutput {
            content: result.content.iter().map(without_meta).collect(),
            structured_content: result.structured_content,
            is_error: result.is_error == Some(true),
            prompt: texts.join("\n"),
            shown,
        }
    }
}

impl ToolOutput for McpOutput {
    const TYPE: &'static str = "MCP";

    fn is_error(&self) -> bool {
        self.is_error
    }

    fn to_prompt_format(&self) -> String {
        self.prompt.clone()
    }

    fn content(&self) -> Vec<ToolContent> {
        self.shown.clone()
    }
}

/// What people see of a block: the block, or what it is.
enum Shown {
    Block(Block),
    Words(String),
}

const UNKNOWN: &str = "[content of a kind that is not known here]";

fn shown(block: &ContentBlock) -> Shown {
    let words = |what: &str, of: Option<&str>, data: &str| {
        let of = of.map(|of| format!(" of type {of}")).unwrap_or_default();
        Shown::Words(format!("[{what}{of}, {} bytes in base64]", data.len()))
    };
    Shown::Block(match block {
        ContentBlock::Text(text) => Block::text(text.text.clone()),
        ContentBlock::Image(image) => Block::Image { data: image.data.clone(), mime_type: image.mime_type.clone() },
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => Block::Resource {
                resource: TextResource { uri: uri.clone(), text: text.clone(), mime_type: mime_type.clone() },
            },
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                return words(&format!("resource {uri}"), mime_type.as_deref(), blob);
            }
            _ => return Shown::Words(UNKNOWN.into()),
        },
        ContentBlock::ResourceLink(link) => {
            Block::ResourceLink { uri: link.uri.clone(), name: link.name.clone(), mime_type: link.mime_type.clone() }
        }
        ContentBlock::Audio(audio) => return words("audio", Some(&audio.mime_type), &audio.data),
        _ => return Shown::Words(UNKNOWN.into()),
    })
}

/// A block as text, for the model.
fn in_words(shown: &Shown) -> String {
    match shown {
        Shown::Words(words) => words.clone(),
        Shown::Block(Block::Text { text }) => text.clone(),
        Shown::Block(Block::Image { data, mime_type }) => {
            format!("[image of type {mime_type}, {} bytes in base64]", data.len())
        }
        Shown::Block(Block::Resource { resource }) => resource.text.clone(),
        Shown::Block(Block::ResourceLink { uri, name, .. }) => format!("[{name}: {uri}]"),
    }
}

/// A block in MCP's form, without the server's `_meta`.
fn without_meta(block: &ContentBlock) -> Value {
    let mut value = serde_json::to_value(block).unwrap_or_default();
    if let Value::Object(members) = &mut value {
        members.remove("_meta");
        if let Some(Value::Object(resource)) = members.get_mut("resource") {
            resource.remove("_meta");
        }
    }
    value
}
