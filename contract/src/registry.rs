//! The tools that a host offers: by qualified name, under the names that the model sees.

mod definition;
mod entry;
mod fault;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use toolprism::{Kind, WireNamespace};

use crate::schema::{self, Adapted, Provider, Unsupported};
use crate::template::Names;
use crate::{DynTool, ListContext, QualifiedName, ToolError, guard};

pub(crate) use entry::Entry;
pub use fault::{RegistryError, RegistryFault};

/// What a host changes about a tool.
///
/// ```
/// let config: toolprism_contract::ToolConfig = serde_json::from_str(
///     r#"{"name": "run_terminal_command", "parameters": {"is_background": "background"}}"#,
/// )?;
/// assert_eq!(config.parameters["is_background"], "background");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolConfig {
    /// The name that the model sees, in place of the tool's id.
    pub name: Option<String>,
    /// The names that the model sees of parameters, by the tool's own names. Of a nested one that is the JSON pointer of the
    /// names that lead to it, such as `/edits/old_text`; lists on the way are passed through.
    pub parameters: BTreeMap<String, String>,
    /// Another description. It is a [`Template`](crate::Template).
    pub description: Option<String>,
}

/// The tools that a host offers.
///
/// A tool's key is its qualified name, `namespace:id`; models call it by its client name, which is its id unless the host
/// says otherwise. Both are unique: a tool that would take another's place is refused. Clones share the tools.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use std::{borrow::Cow, sync::Arc};
/// use toolprism::{Kind, WireNamespace};
/// use toolprism_contract::*;
/// # #[derive(Deserialize, JsonSchema)]
/// # struct Args { file_path: String }
/// # struct View;
/// # impl Tool for View {
/// #     type Args = Args;
/// #     type Output = String;
/// #     fn id(&self) -> &str { "read_file" }
/// #     fn description(&self, _: &ListContext) -> Cow<'_, str> { "Reads a file.".into() }
/// # }
/// # impl ToolMetadata for View {
/// #     fn kind(&self) -> Kind { Kind::Read }
/// #     fn namespace(&self) -> WireNamespace { "my_agent".into() }
/// # }
///
/// let mut registry = Registry::new();
/// registry.register(Arc::new(View))?;
/// let config = ToolConfig {
///     name: Some("view".into()),
///     parameters: [("file_path".into(), "path".into())].into(),
///     ..Default::default()
/// };
/// assert!(registry.register_as(Arc::new(View), &config).is_err(), "my_agent:read_file is there already");
/// registry.remove("my_agent:read_file");
/// registry.register_as(Arc::new(View), &config)?;
///
/// let listing = registry.list(&ListContext::default());
/// assert_eq!(listing.tools[0].name, "view");
/// assert_eq!(listing.tools[0].schema["required"][0], "path");
/// # Ok::<(), RegistryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// In the order of registration.
    entries: Vec<Arc<Entry>>,
    by_client: HashMap<String, Arc<Entry>>,
}

impl Registry {
    /// Without tools.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Takes a tool in as it is.
    pub fn register(&mut self, tool: Arc<dyn DynTool>) -> Result<(), RegistryError> {
        self.register_as(tool, &ToolConfig::default())
    }

    /// Takes a tool in with a host's changes. After an error the registry is as it was.
    pub fn register_as(&mut self, tool: Arc<dyn DynTool>, config: &ToolConfig) -> Result<(), RegistryError> {
        let entry = Entry::new(tool, config)?;
        let refused = |fault| Err(RegistryError { tool: entry.key.to_string(), fault: Box::new(fault) });
        if self.entries.iter().any(|other| other.key == entry.key) {
            return refused(RegistryFault::KeyTaken);
        }
        if let Some(other) = self.by_client.get(&entry.meta.name) {
            let by = other.key.to_string();
            return refused(RegistryFault::NameTaken { name: entry.meta.name.clone(), by });
        }
        let entry = Arc::new(entry);
        self.by_client.insert(entry.meta.name.clone(), entry.clone());
        self.entries.push(entry);
        Ok(())
    }

    /// A registry of these tools, or everything that is wrong with them.
    pub fn of(tools: impl IntoIterator<Item = (Arc<dyn DynTool>, ToolConfig)>) -> Result<Self, Vec<RegistryError>> {
        let mut registry = Registry::new();
        let errors: Vec<_> =
            tools.into_iter().filter_map(|(tool, config)| registry.register_as(tool, &config).err()).collect();
        if errors.is_empty() { Ok(registry) } else { Err(errors) }
    }

    /// Takes out the tool with this qualified name. Its calls that run go on.
    pub fn remove(&mut self, key: &str) -> Option<Arc<dyn DynTool>> {
        let key: QualifiedName = key.parse().ok()?;
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        let entry = self.entries.remove(at);
        self.by_client.remove(&entry.meta.name);
        Some(entry.tool.clone())
    }

    /// Takes out all tools of a namespace, such as those of a server that is gone; how many there were.
    pub fn remove_namespace(&mut self, namespace: &str) -> usize {
        let namespace = WireNamespace::from(namespace);
        let before = self.entries.len();
        self.entries.retain(|entry| entry.key.namespace() != namespace.as_str());
        self.by_client.retain(|_, entry| entry.key.namespace() != namespace.as_str());
        before - self.entries.len()
    }

    /// The tool with this qualified name.
    pub fn get(&self, key: &str) -> Option<&Arc<dyn DynTool>> {
        let key: QualifiedName = key.parse().ok()?;
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.tool)
    }

    /// The qualified name of the tool that models call so.
    pub fn key_of(&self, client_name: &str) -> Option<&QualifiedName> {
        self.by_client.get(client_name).map(|entry| &entry.key)
    }

    /// The qualified names of all tools, in the order of registration.
    pub fn keys(&self) -> impl Iterator<Item = &QualifiedName> {
        self.entries.iter().map(|entry| &entry.key)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entry(&self, client_name: &str) -> Option<&Arc<Entry>> {
        self.by_client.get(client_name)
    }

    pub(crate) fn client_names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.meta.name.as_str())
    }

    /// The tools to offer in a turn: those that want to be listed, with descriptions that name only these.
    pub fn list(&self, context: &ListContext) -> Listing<'_> {
        let mut listing = Listing::default();
        let mut offered = Vec::new();
        for entry in &self.entries {
            match guard::run(|| entry.tool.is_listed(context).then(|| entry.tool.describe(context))) {
                Ok(Some(description)) => offered.push((entry, description)),
                Ok(None) => {}
                Err(panic) => listing.faults.push((&entry.key, panic)),
            }
        }
        let entries: Vec<_> = offered.iter().map(|(entry, _)| &***entry).collect();
        for (entry, own) in offered {
            let names = Offered { entries: &entries, own: entry };
            let listed = guard::run(|| ListedTool {
                key: &entry.key,
                name: &entry.meta.name,
                description: entry.description(own, &names),
                schema: entry.filled_schema(&names),
                kind: entry.tool_kind,
                read_only: entry.meta.read_only,
            });
            match listed {
                Ok(tool) => listing.tools.push(tool),
                Err(panic) => listing.faults.push((&entry.key, panic)),
            }
        }
        listing
    }
}

/// The tools of a turn.
#[derive(Debug, Default)]
pub struct Listing<'r> {
    /// In the order of registration.
    pub tools: Vec<ListedTool<'r>>,
    /// Tools that panicked when they were asked to describe themselves. They are not offered.
    pub faults: Vec<(&'r QualifiedName, ToolError)>,
}

/// A tool as it is offered to a model.
#[derive(Clone, Debug)]
pub struct ListedTool<'r> {
    /// Its key.
    pub key: &'r QualifiedName,
    /// The name that the model sees.
    pub name: &'r str,
    /// What it does, with all places filled.
    pub description: Cow<'r, str>,
    /// The schema of its arguments, under the names that the model sees.
    pub schema: Cow<'r, Value>,
    /// Its kind.
    pub kind: Kind,
    /// Whether it leaves files and systems alone.
    pub read_only: bool,
}

impl ListedTool<'_> {
    /// The schema in the form that a provider takes; see [`Schema::adapted`](crate::schema::Schema::adapted).
    pub fn adapted(&self, provider: Provider) -> Result<Adapted, Unsupported> {
        schema::adapt(&self.schema, provider)
    }
}

/// What templates of one tool are filled from.
struct Offered<'l> {
    entries: &'l [&'l Entry],
    own: &'l Entry,
}

impl Names for Offered<'_> {
    fn by_kind(&self, kind: Kind) -> Option<&str> {
        self.entries.iter().find(|entry| entry.tool_kind == kind).map(|entry| entry.meta.name.as_str())
    }

    fn by_id(&self, qualified: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.key.as_str() == qualified).map(|entry| entry.meta.name.as_str())
    }

    fn parameter<'n>(&'n self, own: &'n str) -> Option<&'n str> {
        self.own.parameter(own)
    }
}
