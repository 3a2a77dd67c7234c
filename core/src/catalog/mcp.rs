//! How harnesses spell the name of an MCP tool, and how to take it apart again.

use alloc::format;
use alloc::string::String;

/// One way of joining server and tool into a wire name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpNaming {
    /// A prefix, then server and tool joined by a separator: `mcp__fs__read` is `("mcp__", "__")`.
    Prefixed(&'static str, &'static str),
    /// Server and tool joined by a separator: `fs__read` is `"__"`. Built-in names are looked up before; `mcp` is no server,
    /// but the prefix of another spelling.
    Joined(&'static str),
    /// As `Joined`, for servers whose own name holds the separator: `github-mcp-server-search` is
    /// `("-", &["github-mcp-server"])`; other servers end at the first separator.
    JoinedAfter(&'static str, &'static [&'static str]),
}

impl McpNaming {
    /// Whether any name with the separator in it could be meant: true of separators that ordinary names hold too.
    pub(crate) const fn is_weak(self) -> bool {
        match self {
            McpNaming::Prefixed(..) => false,
            McpNaming::Joined(separator) | McpNaming::JoinedAfter(separator, _) => separator.len() == 1,
        }
    }

    /// The wire name of a server's tool; some harnesses then shorten it, or replace characters.
    ///
    /// ```
    /// assert_eq!(toolprism::catalog::McpNaming::Prefixed("mcp__", "__").join("fs", "read"), "mcp__fs__read");
    /// ```
    pub fn join(self, server: &str, tool: &str) -> String {
        match self {
            McpNaming::Prefixed(prefix, separator) => format!("{prefix}{server}{separator}{tool}"),
            McpNaming::Joined(separator) | McpNaming::JoinedAfter(separator, _) => format!("{server}{separator}{tool}"),
        }
    }

    /// Server and tool of `wire`, if it is spelt this way.
    ///
    /// ```
    /// use toolprism::catalog::McpNaming;
    /// let claude = McpNaming::Prefixed("mcp__", "__");
    /// assert_eq!(claude.split("mcp__fs__read__all"), Some(("fs", "read__all")));
    /// assert_eq!(claude.split("mcp__fs"), None);
    /// ```
    pub fn split(self, wire: &str) -> Option<(&str, &str)> {
        let (server, tool) = match self {
            McpNaming::Prefixed(prefix, separator) => wire.strip_prefix(prefix)?.split_once(separator)?,
            McpNaming::Joined(separator) => wire.split_once(separator).filter(|(server, _)| *server != "mcp")?,
            McpNaming::JoinedAfter(separator, servers) => servers
                .iter()
                .find_map(|server| Some((*server, wire.strip_prefix(server)?.strip_prefix(separator)?)))
                .or_else(|| wire.split_once(separator))?,
        };
        (!server.is_empty() && !tool.is_empty()).then_some((server, tool))
    }
}

/// Server and tool of a name that is an MCP tool's in any harness: only spellings that no built-in tool has.
pub(crate) fn split_any(wire: &str) -> Option<(&str, &str)> {
    [
        McpNaming::Prefixed("mcp__", "__"),
        McpNaming::Prefixed("mcp--", "--"),
        McpNaming::Prefixed("mcp.", "."),
        McpNaming::Prefixed("mcp_", "_"),
        McpNaming::Joined("___"),
        McpNaming::Joined("__"),
    ]
    .into_iter()
    .find_map(|naming| naming.split(wire))
}

/// Server and tool of a name that is known to be an MCP tool's: also spellings that would say nothing by themselves.
pub(crate) fn split_known(wire: &str) -> Option<(&str, &str)> {
    split_any(wire).or_else(|| [McpNaming::Joined("/"), McpNaming::Joined(".")].into_iter().find_map(|n| n.split(wire)))
}
