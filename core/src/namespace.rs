//! Namespaces: the toolset a tool belongs to.

use alloc::borrow::Cow;
use core::fmt;

/// The closed set of namespaces in the published envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// `grok_build`
    GrokBuild,
    /// `grok_build_concise`
    GrokBuildConcise,
    /// `grok_build_hashline`
    GrokBuildHashline,
    /// `codex`
    Codex,
    /// `opencode`
    OpenCode,
    /// `mcp`
    Mcp,
}

impl Namespace {
    /// All six.
    pub const ALL: [Namespace; 6] = [
        Namespace::GrokBuild,
        Namespace::GrokBuildConcise,
        Namespace::GrokBuildHashline,
        Namespace::Codex,
        Namespace::OpenCode,
        Namespace::Mcp,
    ];

    /// The wire value.
    pub const fn as_str(self) -> &'static str {
        match self {
            Namespace::GrokBuild => "grok_build",
            Namespace::GrokBuildConcise => "grok_build_concise",
            Namespace::GrokBuildHashline => "grok_build_hashline",
            Namespace::Codex => "codex",
            Namespace::OpenCode => "opencode",
            Namespace::Mcp => "mcp",
        }
    }

    /// Reads a wire value or one of the PascalCase aliases that the reference accepts on reading.
    pub fn from_wire(wire: &str) -> Option<Namespace> {
        Some(match wire {
            "grok_build" | "GrokBuild" => Namespace::GrokBuild,
            "grok_build_concise" | "GrokBuildConcise" => Namespace::GrokBuildConcise,
            "grok_build_hashline" | "GrokBuildHashline" => Namespace::GrokBuildHashline,
            "codex" | "Codex" => Namespace::Codex,
            "opencode" | "OpenCode" | "open_code" => Namespace::OpenCode,
            "mcp" | "MCP" => Namespace::Mcp,
            _ => return None,
        })
    }
}

/// A namespace as it stands in an envelope: one of the six, or (loosely) any other text.
///
/// Harnesses outside the six have a loose namespace of their own, such as `claude_code`.
///
/// ```
/// use toolprism::{Namespace, WireNamespace};
/// assert_eq!(WireNamespace::from("OpenCode").as_str(), "opencode"); // aliases read as the wire value
/// assert_eq!(WireNamespace::from("cursor").known(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WireNamespace(Cow<'static, str>);

impl WireNamespace {
    /// One of the six, if it is one.
    pub fn known(&self) -> Option<Namespace> {
        Namespace::from_wire(&self.0)
    }

    /// The wire value.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) const fn from_static(wire: &'static str) -> Self {
        WireNamespace(Cow::Borrowed(wire))
    }
}

impl From<Namespace> for WireNamespace {
    fn from(namespace: Namespace) -> Self {
        WireNamespace(Cow::Borrowed(namespace.as_str()))
    }
}

impl From<&str> for WireNamespace {
    fn from(wire: &str) -> Self {
        match Namespace::from_wire(wire) {
            Some(known) => known.into(),
            None => WireNamespace(Cow::Owned(wire.into())),
        }
    }
}

impl fmt::Display for WireNamespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
