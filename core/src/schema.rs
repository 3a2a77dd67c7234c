//! The envelope's JSON Schema, generated from its types (feature `schema`).

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::kind::{Kind, WireKind};
use crate::meta::CanonicalToolMeta;
use crate::namespace::{Namespace, WireNamespace};

/// What readers of the schema, who do not have the Rust documentation, must know of the whole.
pub(crate) const DESCRIPTION: &str = "What a tool call is, in the words every harness shares: the value of \
    `_meta[\"x.ai/tool\"]`. Join on `label`; `kind` may differ between equivalent tools; `name` is for diagnostics. Merge \
    updates by tool call id, the last one wins. Unknown members and kinds do not change the version: ignore and keep them. \
    If an envelope cannot be read, treat it as absent.";

/// The JSON Schema (draft-07) of the envelope's published contract, made from [`CanonicalToolMeta`].
///
/// It describes what writers write: `kind` is any string, `namespace` one of the six. [`meta::SCHEMA`](crate::meta::SCHEMA)
/// holds the same schema as text, without this feature.
///
/// ```
/// let schema = toolprism::tool_meta_json_schema();
/// assert_eq!(schema["definitions"]["ToolKind"]["type"], "string");
/// ```
pub fn tool_meta_json_schema() -> Value {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<CanonicalToolMeta>().to_value()
}

impl JsonSchema for WireKind {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("ToolKind")
    }

    /// A plain string: the set is open, so the known values are told, not demanded.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let known: Vec<_> = Kind::ALL.iter().map(|kind| format!("`{}`", kind.as_str())).collect();
        let description = format!(
            "What the tool does. An open set: read a value you do not know as `other`. Known values: {}.",
            known.join(", ")
        );
        json_schema!({ "description": description, "type": "string" })
    }
}

impl JsonSchema for WireNamespace {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("ToolNamespace")
    }

    /// The closed set of the published contract. Reading loosely goes beyond it; writing strictly does not.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": Namespace::ALL.map(Namespace::as_str),
        })
    }
}
