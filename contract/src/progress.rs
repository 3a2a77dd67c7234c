//! What a tool shows while it runs, and the blocks that its contents are made of.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A step on the way to a result.
///
/// ```
/// use toolprism_contract::Progress;
/// let text = serde_json::to_string(&Progress::text("3 of 9 files"))?;
/// assert_eq!(text, r#"{"kind":"text","text":"3 of 9 files"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Progress {
    /// More of the output.
    Text {
        /// What follows the text before it.
        text: String,
    },
    /// What there is to see for now.
    Content {
        /// In place of the blocks before.
        blocks: Vec<ContentBlock>,
    },
    /// Something that only who knows the tool understands.
    Custom {
        /// What it is.
        subkind: String,
        /// The rest.
        payload: Value,
    },
}

impl Progress {
    /// More of the output.
    pub fn text(text: impl Into<String>) -> Self {
        Progress::Text { text: text.into() }
    }
}

impl From<String> for Progress {
    fn from(text: String) -> Self {
        Progress::Text { text }
    }
}

impl From<&str> for Progress {
    fn from(text: &str) -> Self {
        Progress::text(text)
    }
}

/// A piece of content, as MCP and ACP have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// The picture's bytes, in base64.
        data: String,
        /// What they are, such as `image/png`.
        #[serde(rename = "mimeType", alias = "mime_type")]
        mime_type: String,
    },
    /// A file or the like, with its text.
    Resource {
        /// Which one, and what is in it.
        resource: TextResource,
    },
    /// A file or the like, which the reader fetches.
    ResourceLink {
        /// Where it is.
        uri: String,
        /// What to call it.
        name: String,
        /// What it is, such as `text/html`.
        #[serde(default, rename = "mimeType", alias = "mime_type", skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
    },
}

/// A resource with its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextResource {
    /// Where it is.
    pub uri: String,
    /// What is in it.
    pub text: String,
    /// What it is, such as `text/html`.
    #[serde(default, rename = "mimeType", alias = "mime_type", skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

impl ContentBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        ContentBlock::Text { text: text.into() }
    }
}
