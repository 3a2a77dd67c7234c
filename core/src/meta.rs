//! The envelope `_meta["x.ai/tool"]`: reading, writing, stamping.

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::input::{CanonicalInput, Input};
use crate::json::{JsonType, JsonView, to_value};
use crate::kind::{Kind, WireKind};
use crate::namespace::WireNamespace;

/// The key of the envelope in a `_meta` object.
pub const META_KEY: &str = "x.ai/tool";

/// The version this crate writes. It changes only when a field is removed or changes meaning; readers do not check it.
pub const VERSION: u32 = 1;

/// The JSON Schema (draft-07) of the envelope, as text. Feature `schema` generates it from the types.
pub const SCHEMA: &str = include_str!("../schema/tool_meta.schema.json");

/// What a tool call is, in the words every harness shares.
///
/// Join on [`label`](Self::label); [`kind`](Self::kind) may differ between equivalent tools; [`name`](Self::name) is for
/// diagnostics.
///
/// ```
/// use toolprism::{CanonicalInput, CanonicalToolMeta, Kind, Namespace};
/// let mut meta = CanonicalToolMeta::new("read_file", Kind::Read, Namespace::GrokBuild);
/// meta.set_input(CanonicalInput { path: Some("a.txt".into()), ..Default::default() });
/// assert_eq!(
///     serde_json::to_string(&meta)?,
///     r#"{"version":1,"name":"read_file","kind":"read","namespace":"grok_build","label":"Read","read_only":true,"input":{"path":"a.txt"}}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(description = crate::schema::DESCRIPTION))]
pub struct CanonicalToolMeta {
    /// The envelope's version: 1.
    pub version: u32,
    /// The tool's name on the wire, as the model sees it. For diagnostics: harnesses rename tools.
    pub name: String,
    /// What the tool does; an open set.
    pub kind: WireKind,
    /// The toolset the tool belongs to.
    pub namespace: WireNamespace,
    /// The cross-harness grouping key: a pure function of the kind.
    pub label: Cow<'static, str>,
    /// Whether the tool leaves files and systems alone. The tool's own value, which may differ from its kind's default.
    pub read_only: bool,
    /// A small, stable projection of the raw input; omitted when unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Value", default))]
    pub input: Option<Input>,
    /// Members this version does not know, kept for writing back.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: BTreeMap<String, Value>,
}

impl CanonicalToolMeta {
    /// An envelope with the label and the read-only default of its kind, and no input.
    pub fn new(name: impl Into<String>, kind: Kind, namespace: impl Into<WireNamespace>) -> Self {
        CanonicalToolMeta {
            version: VERSION,
            name: name.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            label: Cow::Borrowed(kind.label()),
            read_only: kind.read_only(),
            input: None,
            extra: BTreeMap::new(),
        }
    }

    /// Sets the input; an empty one is left out.
    pub fn set_input(&mut self, input: CanonicalInput) {
        self.input = (!input.is_empty()).then_some(Input::Canonical(input));
    }

    /// The same envelope with this input, to be written: for those who write many envelopes that differ in nothing else.
    ///
    /// ```
    /// use toolprism::{CanonicalInput, CanonicalToolMeta, Kind, Namespace};
    /// let meta = CanonicalToolMeta::new("grep", Kind::Search, Namespace::Codex);
    /// let input = CanonicalInput { pattern: Some("x".into()), ..Default::default() };
    /// let mut own = meta.clone();
    /// own.set_input(input.clone());
    /// assert_eq!(serde_json::to_string(&meta.with_input(&input))?, serde_json::to_string(&own)?);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn with_input<'m>(&'m self, input: &'m CanonicalInput) -> impl Serialize + 'm {
        WithInput { meta: self, input }
    }

    /// The canonical fields of the input, if it has any.
    pub fn canonical_input(&self) -> Option<&CanonicalInput> {
        self.input.as_ref()?.canonical()
    }
}

struct WithInput<'m> {
    meta: &'m CanonicalToolMeta,
    input: &'m CanonicalInput,
}

impl Serialize for WithInput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CanonicalToolMeta { version, name, kind, namespace, label, read_only, input: _, extra } = self.meta;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", version)?;
        map.serialize_entry("name", name)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("namespace", namespace)?;
        map.serialize_entry("label", label)?;
        map.serialize_entry("read_only", read_only)?;
        if !self.input.is_empty() {
            map.serialize_entry("input", self.input)?;
        }
        for (key, value) in extra {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Why an object is no envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetaError {
    /// The value is no object, or `_meta` is none.
    NotAnObject,
    /// `_meta` has no member `x.ai/tool`.
    Absent,
    /// A required field is missing.
    Missing(&'static str),
    /// A field has another type than the contract says.
    WrongType(&'static str),
    /// The namespace is none of the six (strict reading and strict writing only).
    UnknownNamespace(String),
}

impl fmt::Display for MetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MetaError::NotAnObject => {
                f.write_str("not an object: an envelope is a JSON object under _meta[\"x.ai/tool\"]")
            }
            MetaError::Absent => f.write_str("_meta has no \"x.ai/tool\""),
            MetaError::Missing(field) => write!(f, "the envelope lacks the required field \"{field}\""),
            MetaError::WrongType(field) => write!(f, "the envelope's field \"{field}\" has the wrong type"),
            MetaError::UnknownNamespace(name) => {
                write!(
                    f,
                    "namespace \"{name}\" is none of the six of the published contract; read it loosely to keep it"
                )
            }
        }
    }
}

impl core::error::Error for MetaError {}

/// How strictly to read the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Loose,
    Strict,
}

/// Reads the envelope out of a `_meta` object, keeping an unknown namespace as text.
///
/// On any error treat the envelope as absent, and work from the raw input and the ACP kind.
///
/// ```
/// use toolprism::{json::RawJson, meta};
/// let meta_member = RawJson::parse(r#"{"x.ai/tool": {"version": 1, "name": "Read", "kind": "read",
///     "namespace": "cursor", "label": "Read", "read_only": true}}"#)?;
/// assert_eq!(meta::parse(&meta_member).unwrap().namespace.as_str(), "cursor");
/// assert!(meta::parse_strict(&meta_member).is_err()); // the closed set of the published contract
/// # Ok::<(), toolprism::json::JsonError>(())
/// ```
pub fn parse<V: JsonView>(meta: &V) -> Result<CanonicalToolMeta, MetaError> {
    read(&envelope_of(meta)?, Reading::Loose)
}

/// As [`parse`], but an unknown namespace fails the whole envelope, as in the reference.
pub fn parse_strict<V: JsonView>(meta: &V) -> Result<CanonicalToolMeta, MetaError> {
    read(&envelope_of(meta)?, Reading::Strict)
}

/// Reads the envelope itself (the value under `x.ai/tool`), loosely.
pub fn parse_envelope<V: JsonView>(envelope: &V) -> Result<CanonicalToolMeta, MetaError> {
    read(envelope, Reading::Loose)
}

/// Reads the envelope itself (the value under `x.ai/tool`), strictly.
pub fn parse_envelope_strict<V: JsonView>(envelope: &V) -> Result<CanonicalToolMeta, MetaError> {
    read(envelope, Reading::Strict)
}

fn envelope_of<V: JsonView>(meta: &V) -> Result<V, MetaError> {
    if !meta.is_object() {
        return Err(MetaError::NotAnObject);
    }
    meta.get(META_KEY).ok_or(MetaError::Absent)
}

const FIELDS: [&str; 7] = ["version", "name", "kind", "namespace", "label", "read_only", "input"];

fn read<V: JsonView>(envelope: &V, reading: Reading) -> Result<CanonicalToolMeta, MetaError> {
    if !envelope.is_object() {
        return Err(MetaError::NotAnObject);
    }
    let mut found: [Option<V>; 7] = [const { None }; 7];
    let mut extra = BTreeMap::new();
    for (key, value) in envelope.members() {
        match FIELDS.iter().position(|f| *f == key) {
            Some(i) => found[i] = Some(value),
            None => {
                extra.insert(key.into_owned(), to_value(&value));
            }
        }
    }
    let [version, name, kind, namespace, label, read_only, input] = &found;
    let text = |field: &'static str, value: &Option<V>| match value {
        None => Err(MetaError::Missing(field)),
        Some(v) if v.json_type() == JsonType::String => Ok(v.as_str().unwrap_or_default().into_owned()),
        Some(_) => Err(MetaError::WrongType(field)),
    };
    let version = version.as_ref().ok_or(MetaError::Missing("version"))?;
    let version = version.as_i64().and_then(|n| u32::try_from(n).ok()).ok_or(MetaError::WrongType("version"))?;
    let namespace = WireNamespace::from(text("namespace", namespace)?.as_str());
    if reading == Reading::Strict && namespace.known().is_none() {
        return Err(MetaError::UnknownNamespace(namespace.as_str().to_owned()));
    }
    let read_only = read_only.as_ref().ok_or(MetaError::Missing("read_only"))?;
    Ok(CanonicalToolMeta {
        version,
        name: text("name", name)?,
        kind: WireKind::from(text("kind", kind)?.as_str()),
        namespace,
        label: Cow::Owned(text("label", label)?),
        read_only: read_only.as_bool().ok_or(MetaError::WrongType("read_only"))?,
        input: input.as_ref().and_then(Input::read),
        extra,
    })
}

/// Puts `envelope` into `meta` under `x.ai/tool`.
///
/// Sibling keys stay; only the own key is replaced. An absent `_meta` (`None`) becomes an object with one member. A `_meta`
/// that is no object (`null` included) is never touched: it is handed back as the error.
///
/// ```
/// use serde_json::json;
/// use toolprism::{meta, CanonicalToolMeta, Kind, Namespace};
/// let envelope = CanonicalToolMeta::new("bash", Kind::Execute, Namespace::OpenCode);
/// let stamped = meta::stamp(Some(json!({"bash_mode": true})), &envelope).unwrap();
/// assert_eq!(stamped["bash_mode"], true);
/// assert_eq!(stamped["x.ai/tool"]["label"], "Run Command");
/// assert_eq!(meta::stamp(Some(json!("text")), &envelope), Err(json!("text")));
/// ```
pub fn stamp(meta: Option<Value>, envelope: &CanonicalToolMeta) -> Result<Value, Value> {
    let mut object = match meta {
        None => Map::new(),
        Some(Value::Object(object)) => object,
        Some(other) => return Err(other),
    };
    let envelope = serde_json::to_value(envelope).unwrap_or_default();
    object.insert(META_KEY.to_owned(), envelope);
    Ok(Value::Object(object))
}

/// As [`stamp`], but refuses a namespace outside the six of the published contract.
pub fn stamp_strict(meta: Option<Value>, envelope: &CanonicalToolMeta) -> Result<Value, MetaError> {
    if envelope.namespace.known().is_none() {
        return Err(MetaError::UnknownNamespace(envelope.namespace.as_str().to_owned()));
    }
    stamp(meta, envelope).map_err(|_| MetaError::NotAnObject)
}

impl<'de> Deserialize<'de> for CanonicalToolMeta {
    /// Reads loosely, as [`parse_envelope`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        parse_envelope(&&value).map_err(serde::de::Error::custom)
    }
}

impl Serialize for WireKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for WireNamespace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
