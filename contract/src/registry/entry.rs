//! One tool of a registry, with all that can be worked out before it is called.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use toolprism::catalog::{self, Rule};
use toolprism::{CanonicalToolMeta, Kind};

use super::{RegistryError, RegistryFault, ToolConfig};
use crate::rename::Renames;
use crate::schema::{self, Schema};
use crate::template::{Names, Template};
use crate::{DynTool, QualifiedName, ToolError, check_name, guard, usual};

pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn DynTool>,
    pub(crate) key: QualifiedName,
    /// The envelope of its calls, without their input; the name in it is the client name.
    pub(crate) meta: CanonicalToolMeta,
    pub(crate) tool_kind: Kind,
    pub(crate) renames: Arc<Renames>,
    pub(crate) rules: &'static [Rule],
    /// The schema under the client's names, where those are others.
    renamed: Option<Schema>,
    /// The host's description, or the tool's template.
    template: Option<Template>,
    /// There are places to fill in the schema.
    schema_is_template: bool,
}

impl Entry {
    pub(super) fn new(tool: Arc<dyn DynTool>, config: &ToolConfig) -> Result<Entry, RegistryError> {
        let mut name = String::new();
        let entry = guard::run(|| {
            tool.tool_id().clone_into(&mut name);
            let key = QualifiedName::new(&tool.namespace(), tool.tool_id()).map_err(RegistryFault::BadId)?;
            key.as_str().clone_into(&mut name);
            build(tool, key, config)
        });
        let fault = match entry {
            Ok(Ok(entry)) => return Ok(entry),
            Ok(Err(fault)) => fault,
            Err(ToolError { message, .. }) => RegistryFault::Panicked(message),
        };
        Err(RegistryError { tool: name, fault: Box::new(fault) })
    }

    /// The schema of its arguments, under the names that the model sees.
    pub(crate) fn schema(&self) -> &Schema {
        self.renamed.as_ref().unwrap_or_else(|| self.tool.schema())
    }

    /// The name that the model sees of a parameter.
    pub(super) fn parameter<'n>(&'n self, own: &'n str) -> Option<&'n str> {
        properties(self.tool.schema().json())?.contains_key(own).then(|| self.renames.client(own))
    }

    pub(super) fn description<'r>(&'r self, own: Cow<'r, str>, names: &impl Names) -> Cow<'r, str> {
        self.template.as_ref().map_or(own, |template| Cow::Owned(template.fill(names)))
    }

    pub(super) fn filled_schema(&self, names: &impl Names) -> Cow<'_, Value> {
        let json = self.schema().json();
        if !self.schema_is_template {
            return Cow::Borrowed(json);
        }
        let mut filled = json.clone();
        each_description(&mut filled, &mut |text| {
            // Each was read when the tool was registered.
            if let Ok(template) = Template::parse(text) {
                *text = template.fill(names);
            }
        });
        Cow::Owned(filled)
    }
}

fn build(tool: Arc<dyn DynTool>, key: QualifiedName, config: &ToolConfig) -> Result<Entry, RegistryFault> {
    let name = config.name.as_deref().unwrap_or(tool.tool_id());
    check_name(name).map_err(|why| RegistryFault::BadName(name.to_owned(), why))?;
    if let Some(why) = tool.schema().fault() {
        return Err(RegistryFault::Schema(why.clone()));
    }
    let own = tool.schema().json();
    if !takes_object(own) {
        return Err(RegistryFault::NoObject);
    }

    let renames = Renames::new(&config.parameters).map_err(RegistryFault::Parameter)?;
    let renamed = if renames.is_empty() {
        None
    } else {
        let mut json = own.clone();
        renames.apply(&mut json).map_err(RegistryFault::Parameter)?;
        Some(Schema::from_value(json).map_err(RegistryFault::Schema)?)
    };

    // A tool without a template has none in its schema either: that may come from strangers.
    let text = config.description.as_deref().or(tool.description_template());
    let check = |text: &str| -> Result<Template, RegistryFault> {
        let template = Template::parse(text).map_err(RegistryFault::Template)?;
        let has = |name: &&str| properties(own).is_some_and(|properties| properties.contains_key(*name));
        let unknown = template.parameters().find(|name| !has(name)).map(str::to_owned);
        unknown.map_or(Ok(template), |name| Err(RegistryFault::TemplateParameter(name)))
    };
    let template = text.map(check).transpose()?;
    let mut schema_is_template = false;
    if tool.description_template().is_some() {
        let mut checked = Ok(());
        each_description(&mut own.clone(), &mut |text| {
            schema_is_template |= Template::is_one(text);
            if checked.is_ok() {
                checked = check(text).map(drop);
            }
        });
        checked?;
    }

    let namespace = tool.namespace();
    let known = || Some(catalog::toolset(namespace.as_str())?.tool(key.id(), None)?.tool.input);
    let rules = tool.input_rules().or_else(known).unwrap_or_else(|| usual::rules(tool.kind()));
    let mut meta = CanonicalToolMeta::new(name, tool.kind(), namespace);
    meta.read_only = tool.is_read_only();
    Ok(Entry {
        tool_kind: tool.kind(),
        tool,
        key,
        meta,
        renames: Arc::new(renames),
        rules,
        renamed,
        template,
        schema_is_template,
    })
}

fn takes_object(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|name| name == "object"),
        Some(name) => name == "object",
        None => true,
    }
}

/// Visits the descriptions of a schema and of all schemas in it.
fn each_description(schema: &mut Value, work: &mut dyn FnMut(&mut String)) {
    schema::each(schema, &mut |members| {
        if let Some(Value::String(text)) = members.get_mut("description") {
            work(text);
        }
    });
}

fn properties(schema: &Value) -> Option<&serde_json::Map<String, Value>> {
    schema.get("properties")?.as_object()
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("key", &self.key).field("name", &self.meta.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn descriptions_are_found_and_data_is_not() {
        let mut schema = json!({
            "description": "1",
            "properties": {
                "description": {"type": "string", "description": "2", "default": {"description": "data"}},
                "list": {"items": {"anyOf": [{"description": "3"}, {"$ref": "#/$defs/description"}]}},
            },
            "$defs": {"description": {"description": "4"}},
            "examples": [{"description": "data"}],
            "const": {"description": "data"},
        });
        let mut found = Vec::new();
        each_description(&mut schema, &mut |text| found.push(std::mem::replace(text, "new".into())));
        found.sort();
        assert_eq!(found, ["1", "2", "3", "4"]);
        assert_eq!(schema["properties"]["description"]["description"], "new");
        assert_eq!(schema["properties"]["description"]["default"]["description"], "data");
    }
}
