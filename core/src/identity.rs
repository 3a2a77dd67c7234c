//! Identity: what a call is, and which evidence says so.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::cmp::Reverse;

use crate::catalog::{self, Entry, Harness, Tool, Toolset};
use crate::input::Growing;
use crate::json::JsonView;
use crate::kind::{AcpKind, Kind};
use crate::meta::{self, CanonicalToolMeta};
use crate::namespace::{Namespace, WireNamespace};
use crate::projection::{self, Projected};

/// The namespace of a call when nothing says whose tool it is.
const UNKNOWN_NAMESPACE: WireNamespace = WireNamespace::from_static("unknown");

/// Everything that is known of a call before it is identified. All of it is optional; more of it gives better answers.
#[derive(Clone, Debug)]
pub struct Call<'a, V> {
    /// The harness: an id, display name or alias of the catalog.
    pub harness: Option<&'a str>,
    /// The harness's version, which decides between tools that changed their name or fields.
    pub version: Option<&'a str>,
    /// The namespace, where the source names it.
    pub namespace: Option<&'a str>,
    /// The tool's name on the wire.
    pub name: Option<&'a str>,
    /// ACP's stable tool name (`name` of a tool call, ACP schema 1.22).
    pub acp_name: Option<&'a str>,
    /// The title shown to people. Some agents put the wire name here.
    pub title: Option<&'a str>,
    /// The ACP tool kind.
    pub acp_kind: Option<&'a str>,
    /// Server and tool, where the source itself says that this is an MCP call.
    pub mcp: Option<(&'a str, &'a str)>,
    /// The tool's name in a vendor's `_meta`, where the caller has read it there already.
    pub vendor_name: Option<&'a str>,
    /// The arguments: an object, JSON text in a string, or bare text.
    pub raw_input: Option<V>,
    /// The `_meta` object.
    pub meta: Option<V>,
}

impl<V> Default for Call<'_, V> {
    fn default() -> Self {
        Call {
            harness: None,
            version: None,
            namespace: None,
            name: None,
            acp_name: None,
            title: None,
            acp_kind: None,
            mcp: None,
            vendor_name: None,
            raw_input: None,
            meta: None,
        }
    }
}

/// Which evidence decided what a call is, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Evidence {
    /// A valid `x.ai/tool` envelope.
    Envelope,
    /// The catalog entry for this harness and name.
    Catalog,
    /// The name is an MCP tool's, or the source says that the call is.
    McpName,
    /// ACP's stable tool name, found in the catalog.
    AcpName,
    /// A vendor's `_meta` names the tool.
    VendorMeta,
    /// The `variant` tag of a refined raw input.
    Variant,
    /// The catalog has this name, and every entry of that name agrees on the label.
    CatalogName,
    /// The members of the raw input.
    Shape,
    /// The ACP kind.
    AcpKind,
    /// Nothing: the call is unknown.
    Nothing,
}

impl Evidence {
    /// A short stable name, such as `catalog_name`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Evidence::Envelope => "envelope",
            Evidence::Catalog => "catalog",
            Evidence::McpName => "mcp_name",
            Evidence::AcpName => "acp_name",
            Evidence::VendorMeta => "vendor_meta",
            Evidence::Variant => "variant",
            Evidence::CatalogName => "catalog_name",
            Evidence::Shape => "shape",
            Evidence::AcpKind => "acp_kind",
            Evidence::Nothing => "nothing",
        }
    }

    /// Whether the tool itself is known, rather than guessed at from its looks.
    pub const fn is_known(self) -> bool {
        !matches!(self, Evidence::Shape | Evidence::AcpKind | Evidence::Nothing)
    }
}

/// An MCP tool's server and own name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct McpTool {
    /// The server.
    pub server: String,
    /// The tool's name on that server.
    pub tool: String,
}

/// What a call is, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The envelope: as it was found, or as worked out.
    pub meta: CanonicalToolMeta,
    /// Which evidence decided.
    pub why: Evidence,
    /// Which fields of the input may still grow, where the arguments were not whole; see [`partial`](crate::partial).
    pub growing: Growing,
    /// For MCP calls: server and tool, as far as the name tells them apart.
    pub mcp: Option<McpTool>,
}

/// Says what a call is, and projects its arguments.
///
/// ```
/// use serde_json::json;
/// use toolprism::{identify, Call, Evidence};
/// let raw = json!({"file_path": "src/lib.rs", "offset": 0, "limit": 20});
/// let found = identify(&Call { harness: Some("claude"), name: Some("Read"), raw_input: Some(&raw), ..Call::default() });
/// assert_eq!(found.why, Evidence::Catalog);
/// assert_eq!(found.meta.label, "Read");
/// assert_eq!(found.meta.canonical_input().unwrap().offset, Some(1));
/// ```
pub fn identify<V: JsonView>(call: &Call<'_, V>) -> Identity {
    Identifier::new(call).identify()
}

struct Identifier<'c, 'a, V> {
    call: &'c Call<'a, V>,
    harness: Option<&'static Harness>,
    /// The toolset that the source names, if the catalog has it.
    toolset: Option<&'static Toolset>,
    /// The name and, where the key tells it, the harness in a vendor's `_meta`.
    vendor: Option<VendorName>,
}

/// What the evidence says, before the arguments are projected.
enum Found<'f> {
    /// A tool of the catalog, under this name.
    Entry(&'f str, Entry, Evidence),
    /// An MCP tool, under this name.
    Mcp(Cow<'f, str>, Option<McpTool>, Evidence),
    /// A tool that takes such arguments.
    Shape(&'static Tool),
    /// No more than a kind.
    AcpKind(Kind),
}

impl<'c, 'a, V: JsonView> Identifier<'c, 'a, V> {
    fn new(call: &'c Call<'a, V>) -> Self {
        let namespace = call.namespace.map(WireNamespace::from);
        let toolset = namespace.as_ref().and_then(|n| catalog::toolset(n.as_str()));
        let harness = call.harness.or(call.namespace).and_then(catalog::harness);
        let vendor = match call.vendor_name {
            Some(name) => Some((name.to_owned(), None)),
            None => call.meta.as_ref().and_then(vendor_name),
        };
        Identifier { call, harness, toolset, vendor }
    }

    fn identify(&self) -> Identity {
        if let Some(found) = self.by_envelope() {
            return found;
        }
        let found = self
            .by_source()
            .or_else(|| self.by_catalog())
            .or_else(|| self.by_mcp_name())
            .or_else(|| self.by_acp_name())
            .or_else(|| self.by_vendor_meta())
            .or_else(|| self.by_variant())
            .or_else(|| self.by_name_alone())
            .or_else(|| self.by_shape())
            .or_else(|| self.by_acp_kind());
        match found {
            Some(Found::Entry(name, entry, why)) => self.entry_found(name, entry, why),
            Some(Found::Mcp(name, tool, why)) => {
                let meta = CanonicalToolMeta::new(name, Kind::Other, Namespace::Mcp);
                Identity { meta, why, growing: Growing::default(), mcp: tool }
            }
            Some(Found::Shape(tool)) => {
                let projected = self.project(Entry { toolset: &EMPTY_TOOLSET, tool });
                self.build(self.any_name(tool.kind), self.own_namespace(), projected, Evidence::Shape)
            }
            Some(Found::AcpKind(kind)) => self.bare(kind, Evidence::AcpKind),
            None => self.bare(Kind::Other, Evidence::Nothing),
        }
    }

    fn by_envelope(&self) -> Option<Identity> {
        let mut envelope = meta::parse(self.call.meta.as_ref()?).ok()?;
        let mcp =
            (envelope.namespace.known() == Some(Namespace::Mcp)).then(|| self.split_mcp(&envelope.name)).flatten();
        let mut growing = Growing::default();
        if envelope.input.is_none() {
            let toolset = catalog::toolset(envelope.namespace.as_str());
            if let Some(entry) = toolset.and_then(|t| self.entry_of(t, &envelope.name)) {
                let projected = self.project(entry);
                envelope.set_input(projected.input);
                growing = projected.growing;
            }
        }
        Some(Identity { meta: envelope, why: Evidence::Envelope, growing, mcp })
    }

    fn by_catalog(&self) -> Option<Found<'_>> {
        let name = self.call.name?;
        self.entry(name).map(|entry| Found::Entry(name, entry, Evidence::Catalog))
    }

    /// The source itself says that this is an MCP call: a server's tool may have the name of a built-in one.
    fn by_source(&self) -> Option<Found<'_>> {
        let found = |name: &'c str, tool| Some(Found::Mcp(name.into(), tool, Evidence::McpName));
        if let Some(tool) = self.call.mcp {
            return found(self.call.name.unwrap_or(tool.1), Some(owned(tool)));
        }
        let (name, namespace) = (self.call.name?, self.call.namespace?);
        // Codex's function calls: namespace `mcp__<server>`, in some versions with the separator after it.
        if let Some(server) = namespace.strip_prefix("mcp__") {
            return found(name, Some(owned((server.trim_end_matches("__"), name))));
        }
        (Namespace::from_wire(namespace) == Some(Namespace::Mcp))
            .then(|| self.split_mcp(name))
            .and_then(|tool| found(name, tool))
    }

    fn by_mcp_name(&self) -> Option<Found<'_>> {
        let name = self.call.name?;
        let tool = match self.harness {
            // A weak spelling is no evidence where the source itself names another namespace.
            Some(harness) if self.toolset.is_some() => {
                let strong = harness.mcp.iter().filter(|naming| !naming.is_weak());
                strong.copied().find_map(|naming| naming.split(name)).map(owned)?
            }
            Some(harness) => split_with(harness, name).or_else(|| self.harness_is_silent(name))?,
            None => catalog::named(name).next().is_none().then(|| split_any(name)).flatten()?,
        };
        Some(Found::Mcp(name.into(), Some(tool), Evidence::McpName))
    }

    /// A spelling that no built-in tool of any harness has is an MCP name also where this harness spells them otherwise.
    fn harness_is_silent(&self, name: &str) -> Option<McpTool> {
        let spelt = name.contains("__") || name.starts_with("mcp.") || name.starts_with("mcp--");
        (spelt && catalog::named(name).next().is_none()).then(|| split_any(name)).flatten()
    }

    fn by_acp_name(&self) -> Option<Found<'_>> {
        let name = self.call.acp_name?;
        let entry = self.entry(name).or_else(|| self.agreed(name));
        if let Some(entry) = entry {
            return Some(Found::Entry(name, entry, Evidence::AcpName));
        }
        let tool = self.harness.map_or_else(|| split_any(name), |h| split_with(h, name))?;
        Some(Found::Mcp(name.into(), Some(tool), Evidence::AcpName))
    }

    fn by_vendor_meta(&self) -> Option<Found<'_>> {
        let (name, harness) = self.vendor.as_ref()?;
        let entry = harness
            .and_then(|h| h.tool(name, self.call.version))
            .or_else(|| self.entry(name))
            .or_else(|| self.agreed(name));
        if let Some(entry) = entry {
            return Some(Found::Entry(name, entry, Evidence::VendorMeta));
        }
        let harness = harness.or(self.harness);
        let tool = harness.map_or_else(|| split_any(name), |h| split_with(h, name))?;
        Some(Found::Mcp(name.into(), Some(tool), Evidence::VendorMeta))
    }

    fn by_variant(&self) -> Option<Found<'_>> {
        let variant = self.variant()?;
        if variant == "MCPTool" {
            let name = self.call.raw_input.as_ref()?.get("tool_name").filter(|name| !name.is_open())?;
            let name = name.as_str()?.into_owned();
            let tool = self.split_mcp(&name);
            return Some(Found::Mcp(name.into(), tool, Evidence::Variant));
        }
        let entry = catalog::toolsets()
            .flat_map(|toolset| toolset.tools.iter().map(move |tool| Entry { toolset, tool }))
            .find(|entry| entry.tool.variants.contains(&variant.as_str()))?;
        let name = self.name().or_else(|| entry.tool.names.first().map(|n| n.wire)).unwrap_or_default();
        Some(Found::Entry(name, entry, Evidence::Variant))
    }

    fn by_name_alone(&self) -> Option<Found<'_>> {
        let found = |name: &'c str, entry| Found::Entry(name, entry, Evidence::CatalogName);
        if let Some(name) = self.call.name {
            return self.agreed(name).map(|entry| found(name, entry));
        }
        let title = self.call.title?;
        let entry = self.agreed(title).filter(|entry| self.title_names(entry));
        entry.map(|entry| found(title, entry)).or_else(|| self.by_mcp_title(title))
    }

    /// Whether a title that reads like a tool's name is one: the title of a command is often the command itself (`ls`).
    fn title_names(&self, entry: &Entry) -> bool {
        let runs = |kind: AcpKind| kind == AcpKind::Execute;
        match self.call.acp_kind.map(AcpKind::from_wire) {
            None | Some(AcpKind::Other) => true,
            Some(kind) => runs(kind) == runs(entry.tool.kind.acp_kind()),
        }
    }

    /// A title that is an MCP tool's name, in a spelling that nothing else has.
    fn by_mcp_title<'t>(&self, title: &'t str) -> Option<Found<'t>> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let spelt = ["mcp__", "mcp--", "mcp."].iter().any(|prefix| title.starts_with(prefix));
        let tool = (spelt && title.chars().all(plain)).then(|| split_any(title)).flatten()?;
        Some(Found::Mcp(title.into(), Some(tool), Evidence::McpName))
    }

    fn by_shape(&self) -> Option<Found<'_>> {
        catalog::shapes::tool(self.call.raw_input.as_ref()?).map(Found::Shape)
    }

    fn by_acp_kind(&self) -> Option<Found<'_>> {
        AcpKind::from_wire(self.call.acp_kind?).to_kind().map(Found::AcpKind)
    }

    /// The entry of the named toolset or harness. Where several toolsets of a harness have the name, the `variant` tag
    /// decides; without one the harness's usual toolset does, whatever arguments the model may have made up.
    fn entry(&self, name: &str) -> Option<Entry> {
        if let Some(entry) = self.toolset.and_then(|t| self.entry_of(t, name)) {
            return Some(entry);
        }
        let mut entries = self.harness.into_iter().flat_map(|h| h.toolsets).filter_map(|t| self.entry_of(t, name));
        let first = entries.next()?;
        let Some(second) = entries.next() else { return Some(first) };
        let Some(variant) = self.variant() else { return Some(first) };
        let is_tagged = |entry: &Entry| entry.tool.variants.contains(&variant.as_str());
        [first, second].into_iter().chain(entries).find(is_tagged).or(Some(first))
    }

    /// The `variant` tag of a refined raw input.
    fn variant(&self) -> Option<String> {
        let variant = self.call.raw_input.as_ref()?.get("variant").filter(|variant| !variant.is_open())?;
        variant.as_str().filter(|text| !text.is_empty()).map(Cow::into_owned)
    }

    fn entry_of(&self, toolset: &'static Toolset, name: &str) -> Option<Entry> {
        let version = self.call.version;
        toolset.tool(name, self.harness.map_or(version, |h| h.version_for(toolset, version)))
    }

    /// The entry for a name alone, if all entries of that name agree on the label.
    fn agreed(&self, name: &str) -> Option<Entry> {
        let label = catalog::named(name).next()?.tool.kind.label();
        let all_agree = catalog::named(name).all(|entry| entry.tool.kind.label() == label);
        all_agree.then(|| self.fittest(catalog::named(name))).flatten()
    }

    /// Of several entries the one whose fields fit the arguments best; of equals the first.
    fn fittest(&self, mut entries: impl Iterator<Item = Entry>) -> Option<Entry> {
        let first = entries.next()?;
        let Some(second) = entries.next() else { return Some(first) };
        let fit = |entry: &Entry| Reverse(projection::fit(*entry, self.call.raw_input.as_ref()));
        [first, second].into_iter().chain(entries).min_by_key(fit)
    }

    fn entry_found(&self, name: &str, entry: Entry, why: Evidence) -> Identity {
        let sure = why != Evidence::CatalogName && why != Evidence::AcpName
            || self.harness.is_none() && catalog::named(name).count() == 1
            || self.harness.is_some_and(|h| h.toolsets.iter().any(|t| t.namespace == entry.toolset.namespace));
        let namespace = if sure { WireNamespace::from_static(entry.toolset.namespace) } else { self.own_namespace() };
        self.build(name, namespace, self.project(entry), why)
    }

    fn build(&self, name: &str, namespace: WireNamespace, projected: Projected, why: Evidence) -> Identity {
        let namespace = if projected.mcp.is_some() { Namespace::Mcp.into() } else { namespace };
        let mut meta = CanonicalToolMeta::new(name, projected.kind, namespace);
        meta.read_only = projected.read_only;
        meta.set_input(projected.input);
        let mcp = projected.mcp.map(|(server, tool)| McpTool { server, tool });
        Identity { meta, why, growing: projected.growing, mcp }
    }

    /// What is known of a call whose tool is not.
    fn bare(&self, kind: Kind, why: Evidence) -> Identity {
        Identity {
            meta: CanonicalToolMeta::new(self.any_name(kind), kind, self.own_namespace()),
            why,
            growing: Growing::default(),
            mcp: None,
        }
    }

    fn split_mcp(&self, name: &str) -> Option<McpTool> {
        self.harness.and_then(|h| split_with(h, name)).or_else(|| catalog::split_known(name).map(owned))
    }

    fn project(&self, entry: Entry) -> Projected {
        projection::project(entry.toolset, entry.tool, self.call.raw_input.as_ref())
    }

    /// The best name there is on the wire.
    fn name(&self) -> Option<&str> {
        self.call.name.or(self.call.acp_name).or(self.vendor.as_ref().map(|(name, _)| name.as_str()))
    }

    /// A name for the envelope, which must have one: the wire name, else the title, else the kind.
    fn any_name(&self, kind: Kind) -> &str {
        self.name().or(self.call.title).filter(|name| !name.trim().is_empty()).unwrap_or(kind.as_str())
    }

    /// The namespace that the source names, else the harness's own.
    fn own_namespace(&self) -> WireNamespace {
        if let Some(namespace) = self.call.namespace {
            return namespace.into();
        }
        let own = self.harness.map(|h| h.toolsets.first().map_or(h.id, |t| t.namespace));
        own.map_or(UNKNOWN_NAMESPACE, WireNamespace::from_static)
    }
}

/// The tool's name in a vendor's part of `_meta`, and the harness, where the key tells it (names in use by the ACP adapters
/// of Claude Code and Qwen Code).
fn vendor_name<V: JsonView>(meta: &V) -> Option<VendorName> {
    let mut found = [None, None];
    meta.pick(&VENDOR_KEYS, &mut found);
    vendor_name_in(found)
}

/// A tool's name, and the harness that it belongs to.
pub(crate) type VendorName = (String, Option<&'static Harness>);

/// The members of a `_meta` in which vendors name the tool.
pub(crate) const VENDOR_KEYS: [&str; 2] = ["claudeCode", "toolName"];

/// As [`vendor_name`], from the members picked.
pub(crate) fn vendor_name_in<V: JsonView>([claude, plain]: [Option<V>; 2]) -> Option<VendorName> {
    let text = |v: V| v.as_str().filter(|s| !s.is_empty()).map(Cow::into_owned);
    if let Some(name) = claude.and_then(|vendor| vendor.get("toolName")).and_then(text) {
        return Some((name, catalog::harness("claude_code")));
    }
    plain.and_then(text).map(|name| (name, None))
}

static EMPTY_TOOLSET: Toolset = Toolset { namespace: "unknown", tools: &[] };

fn split_with(harness: &Harness, name: &str) -> Option<McpTool> {
    harness.mcp.iter().find_map(|naming| naming.split(name)).map(owned)
}

fn split_any(name: &str) -> Option<McpTool> {
    catalog::split_any(name).map(owned)
}

fn owned((server, tool): (&str, &str)) -> McpTool {
    McpTool { server: server.to_owned(), tool: tool.to_owned() }
}
