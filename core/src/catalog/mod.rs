//! The catalog: every known tool, by harness. One file a harness; adding one is adding a file and a line in [`HARNESSES`].
//!
//! An entry says how the tool is called on the wire (and from which version to which), what kind it is, whether it only
//! reads, and where the canonical fields stand in its raw input. It holds no logic: the rules are in `projection`.

mod acp;
mod claude_code;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod grok_build;
mod index;
mod kimi_cli;
mod kimi_code;
mod mcp;
mod opencode;
mod pi;
mod qwen_code;
pub(crate) mod shapes;

use crate::input::Field;
use crate::kind::Kind;

pub(crate) use acp::name_in_id;
pub use acp::{AcpName, AcpWays};
pub use mcp::McpNaming;
pub(crate) use mcp::{split_any, split_known};

/// Every harness of the catalog.
pub static HARNESSES: &[&Harness] = &[
    &grok_build::HARNESS,
    &claude_code::HARNESS,
    &codex::HARNESS,
    &opencode::HARNESS,
    &gemini_cli::HARNESS,
    &qwen_code::HARNESS,
    &copilot_cli::HARNESS,
    &pi::HARNESS,
    &kimi_cli::HARNESS,
    &kimi_code::HARNESS,
];

/// An agent program and the toolsets it offers.
#[derive(Debug)]
pub struct Harness {
    /// The identifier used in records, which for harnesses outside the six namespaces is also their namespace.
    pub id: &'static str,
    /// The name to show.
    pub display: &'static str,
    /// Other spellings accepted as input.
    pub aliases: &'static [&'static str],
    /// How this harness forms the wire name of an MCP tool.
    pub mcp: &'static [McpNaming],
    /// What is its own when it speaks ACP.
    pub acp: AcpWays,
    /// The toolsets, the usual one first.
    pub toolsets: &'static [&'static Toolset],
}

/// The tools of one namespace. A harness may offer toolsets of another; version ranges are of the harness whose id the
/// namespace is.
#[derive(Debug)]
pub struct Toolset {
    /// The namespace that goes into the envelope.
    pub namespace: &'static str,
    /// The tools.
    pub tools: &'static [Tool],
}

/// One tool of a toolset.
#[derive(Debug)]
pub struct Tool {
    /// Wire names; the first is the current one.
    pub names: &'static [Name],
    /// What the tool does.
    pub kind: Kind,
    /// The tool's own read-only flag, where it differs from its kind's default.
    pub read_only: Option<bool>,
    /// Where the canonical fields stand in the raw input. Of several rules for one field the first that finds it counts.
    pub input: &'static [Rule],
    /// How the arguments can change what the call is.
    pub refine: Refine,
    /// The `variant` tags that Grok Build puts into a refined raw input for this tool.
    pub variants: &'static [&'static str],
}

impl Tool {
    /// An entry with the read-only default of its kind, and no projection; the start of every row.
    pub(crate) const fn new(names: &'static [Name], kind: Kind) -> Tool {
        Tool { names, kind, read_only: None, input: &[], refine: Refine::Nothing, variants: &[] }
    }

    /// Sets where the canonical fields stand.
    pub(crate) const fn input(mut self, rules: &'static [Rule]) -> Tool {
        self.input = rules;
        self
    }

    /// Overrides the kind's read-only default.
    pub(crate) const fn read_only(mut self, read_only: bool) -> Tool {
        self.read_only = Some(read_only);
        self
    }

    /// Says how the arguments can change what the call is.
    pub(crate) const fn refine(mut self, refine: Refine) -> Tool {
        self.refine = refine;
        self
    }

    /// Names the `variant` tags that stand for this tool.
    pub(crate) const fn variants(mut self, variants: &'static [&'static str]) -> Tool {
        self.variants = variants;
        self
    }

    /// Whether calls of this tool leave files and systems alone.
    pub fn is_read_only(&self) -> bool {
        self.read_only.unwrap_or(self.kind.read_only())
    }

    /// Whether `wire` is one of the tool's names, in use at `version` if that is known.
    fn is_called(&self, wire: &str, version: Option<&str>) -> bool {
        self.names.iter().any(|name| name.wire == wire && name.in_use(version))
    }
}

/// A wire name, with the versions of the harness that used it.
#[derive(Debug)]
pub struct Name {
    /// The name.
    pub wire: &'static str,
    /// First version that uses it, if not from the start.
    pub since: Option<&'static str>,
    /// First version that no longer uses it, if it is gone.
    pub until: Option<&'static str>,
}

/// A name that every version uses, as far as is known.
pub(crate) const fn name(wire: &'static str) -> Name {
    Name { wire, since: None, until: None }
}

impl Name {
    pub(crate) const fn since(mut self, version: &'static str) -> Name {
        self.since = Some(version);
        self
    }

    pub(crate) const fn until(mut self, version: &'static str) -> Name {
        self.until = Some(version);
        self
    }

    fn in_use(&self, version: Option<&str>) -> bool {
        let Some(version) = version else { return true };
        self.since.is_none_or(|since| !older(version, since)) && self.until.is_none_or(|until| older(version, until))
    }
}

/// Whether version `a` comes before `b`, comparing dotted numbers; what is no number counts as 0.
fn older(a: &str, b: &str) -> bool {
    let mut a = parts(a);
    let mut b = parts(b);
    loop {
        match (a.next(), b.next()) {
            (None, None) => return false,
            (x, y) if x.unwrap_or(0) != y.unwrap_or(0) => return x.unwrap_or(0) < y.unwrap_or(0),
            _ => {}
        }
    }
}

fn parts(version: &str) -> impl Iterator<Item = u64> {
    version.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(0)
    })
}

/// Where one canonical field stands in the raw input.
#[derive(Debug)]
pub struct Rule {
    /// The canonical field.
    pub field: Field,
    /// Members to look in, the first that yields something counts. `a.b` is member `b` of member `a`; an empty name is
    /// the raw input itself, for tools whose input is bare text.
    pub from: &'static [&'static str],
    /// How to read the member.
    pub how: How,
}

/// How a member of the raw input becomes a canonical field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A string, as it stands; an empty one counts as absent.
    Text,
    /// A string, as it stands, also an empty one: where Grok Build itself projects, it does so.
    Verbatim,
    /// A whole number, 0 or more (also written `5.0` or `"5"`).
    Count,
    /// A line counted from 1: negative is dropped, 0 becomes 1.
    Line,
    /// A line counted from 0: negative is dropped, otherwise one is added.
    LineFromZero,
    /// The number of lines up to the line in this member, counted from the start line in the named member (or line 1).
    ToLine(&'static str),
    /// The first of a pair `[start, end]`, as a line counted from 1.
    RangeStart,
    /// The number of lines in a pair `[start, end]`; an end of -1 is the end of the file, and gives nothing.
    RangeLength,
    /// The first string of a list (or a string); the member `path` of an object in it.
    First,
    /// The least member name of an object that maps paths to changes (the order of such an object means nothing).
    LeastKey,
    /// A command given as a list of arguments, without the shell around it; a string is taken as it stands.
    Argv,
    /// The path of the first file in a patch.
    PatchPath,
    /// A `file:` address, as a path; other text as it stands.
    FileUri,
}

impl How {
    /// A short stable name, such as `line_from_zero`.
    pub const fn as_str(self) -> &'static str {
        match self {
            How::Text => "text",
            How::Verbatim => "verbatim",
            How::Count => "count",
            How::Line => "line",
            How::LineFromZero => "line_from_zero",
            How::ToLine(_) => "to_line",
            How::RangeStart => "range_start",
            How::RangeLength => "range_length",
            How::First => "first",
            How::LeastKey => "least_key",
            How::Argv => "argv",
            How::PatchPath => "patch_path",
            How::FileUri => "file_uri",
        }
    }
}

impl Rule {
    /// Takes an empty string for a value as well.
    pub(crate) const fn verbatim(mut self) -> Rule {
        self.how = How::Verbatim;
        self
    }
}

macro_rules! rules {
    ($( $(#[$doc:meta])* $name:ident = $field:ident $how:expr; )*) => {
        $( $(#[$doc])* pub(crate) const fn $name(from: &'static [&'static str]) -> Rule {
            Rule { field: Field::$field, from, how: $how }
        } )*
    };
}

rules! {
    path = Path How::Text;
    line = Offset How::Line;
    line_from_zero = Offset How::LineFromZero;
    limit = Limit How::Count;
    command = Command How::Text;
    argv = Command How::Argv;
    description = Description How::Text;
    cwd = Cwd How::Text;
    cwd_uri = Cwd How::FileUri;
    directory = Directory How::Text;
    pattern = Pattern How::Text;
    first_path = Path How::First;
    first_directory = Directory How::First;
    least_key = Path How::LeastKey;
    patch_path = Path How::PatchPath;
    range_start = Offset How::RangeStart;
    range_length = Limit How::RangeLength;
}

/// The line in `from` ends the range that starts at the line in `start`.
pub(crate) const fn to_line(from: &'static [&'static str], start: &'static str) -> Rule {
    Rule { field: Field::Limit, from, how: How::ToLine(start) }
}

/// How the arguments of a call can change what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refine {
    /// They cannot.
    Nothing,
    /// A shell: a command that only runs `apply_patch` is an edit.
    Shell,
    /// A script that calls other tools of the toolset: a single call with literal arguments is taken for that tool.
    Script,
    /// The named member selects the kind.
    Mode(&'static str, &'static [(&'static str, Kind)]),
}

/// The harness called `name`: its id, its display name or an alias, whatever the case and the separators.
///
/// ```
/// assert_eq!(toolprism::catalog::harness("Claude-Code").map(|h| h.id), Some("claude_code"));
/// ```
pub fn harness(name: &str) -> Option<&'static Harness> {
    // Readers name harnesses by their ids, once an event.
    if let Some(harness) = HARNESSES.iter().find(|h| h.id == name) {
        return Some(harness);
    }
    let same = |known: &str| folded(known).eq(folded(name));
    HARNESSES.iter().copied().find(|h| same(h.id) || same(h.display) || h.aliases.iter().any(|a| same(a)))
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase())
}

impl Harness {
    /// The entry for a wire name, and its toolset. Names in use at `version` come first, then names of other versions.
    pub fn tool(&self, wire: &str, version: Option<&str>) -> Option<Entry> {
        self.toolsets.iter().find_map(|toolset| toolset.tool(wire, self.version_for(toolset, version)))
    }

    /// The version to look up names of `toolset` by: this harness's own counts in its own toolset only.
    pub(crate) fn version_for<'v>(&self, toolset: &Toolset, version: Option<&'v str>) -> Option<&'v str> {
        version.filter(|_| toolset.namespace == self.id)
    }

    /// Every entry, with its toolset.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + use<> {
        let toolsets = self.toolsets;
        toolsets.iter().copied().flat_map(|toolset| toolset.tools.iter().map(move |tool| Entry { toolset, tool }))
    }
}

/// A tool together with the toolset it was found in.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The toolset.
    pub toolset: &'static Toolset,
    /// The tool.
    pub tool: &'static Tool,
}

/// The toolset of a namespace, if the catalog has it.
pub fn toolset(namespace: &str) -> Option<&'static Toolset> {
    HARNESSES.iter().flat_map(|h| h.toolsets.iter().copied()).find(|t| t.namespace == namespace)
}

impl Toolset {
    /// The entry for a wire name, preferring names in use at `version`.
    pub fn tool(&'static self, wire: &str, version: Option<&str>) -> Option<Entry> {
        let find = |version| self.tools.iter().find(|tool| tool.is_called(wire, version));
        let tool = find(version).or_else(|| version.and_then(|_| find(None)))?;
        Some(Entry { toolset: self, tool })
    }
}

/// Every entry with this wire name, in any toolset, each toolset's first.
pub fn named(wire: &str) -> impl Iterator<Item = Entry> {
    index::named(wire)
}

/// Every toolset once.
pub fn toolsets() -> impl Iterator<Item = &'static Toolset> {
    index::toolsets()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(older("0.9", "0.10"));
        assert!(older("1.0.185", "1.1"));
        assert!(!older("1.1.0", "1.1"));
        assert!(!older("2.1.197", "2.1"));
    }

    #[test]
    fn wire_names_are_unique_within_a_toolset_and_version() {
        for toolset in toolsets() {
            for (i, tool) in toolset.tools.iter().enumerate() {
                assert!(!tool.names.is_empty());
                for name in tool.names.iter().filter(|n| n.since.is_none() && n.until.is_none()) {
                    let twice =
                        toolset.tools[i + 1..].iter().flat_map(|t| t.names).find(|other| other.wire == name.wire);
                    assert!(twice.is_none(), "{} {}", toolset.namespace, name.wire);
                }
            }
        }
    }
}
