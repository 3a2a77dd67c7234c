//! The schema of arguments: made from a type once, or taken from elsewhere, ready to be asked, and in the form that each
//! provider takes.

mod describe;
mod provider;
mod walk;

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use toolprism_repair::{SchemaFault, SchemaLimits};

pub use self::provider::{Adapted, Note, Provider, Unsupported};
use crate::{ToolError, ToolErrorKind};

pub(crate) use self::describe::{Describer, at, wants};
pub(crate) use self::provider::adapt;
pub(crate) use self::walk::{each, escaped, range_of};

/// A JSON Schema that is ready to be asked.
pub struct Schema {
    json: Value,
    text: String,
    /// As `json`, with bounds where formats have them: what arguments are held against.
    rules: Value,
    asked: Result<toolprism_repair::Schema, SchemaError>,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(SchemaFault);

impl SchemaError {
    /// Where in the schema, as a JSON pointer, and what is wrong there.
    pub fn fault(&self) -> &SchemaFault {
        &self.0
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool's schema cannot be used: {}", self.0)
    }
}

impl std::error::Error for SchemaError {}

/// The tool's author has to put it right, so it is no error of the arguments.
impl From<SchemaError> for ToolError {
    fn from(error: SchemaError) -> Self {
        ToolError::new(ToolErrorKind::Execution, error.to_string())
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.text).finish()
    }
}

/// What a type's own schema may hold: it is no stranger's.
const OF_TYPES: SchemaLimits = SchemaLimits {
    max_schema_bytes: 4 << 20,
    max_depth: 128,
    max_nodes: 100_000,
    max_properties: 10_000,
    max_ref_depth: 64,
};

impl Schema {
    /// A schema that comes from elsewhere: a client, an MCP server, another language. It is read within the limits of
    /// [`SchemaLimits::default`], and stays as it is.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolprism_contract::schema::Schema;
    /// let schema = Schema::from_value(json!({"type": "object", "properties": {"path": {"type": "string"}}})).unwrap();
    /// assert_eq!(schema.json()["properties"]["path"]["type"], "string");
    /// let error = Schema::from_value(json!({"properties": {"path": {"type": "strin"}}})).unwrap_err();
    /// assert_eq!(error.fault().path, "/properties/path/type");
    /// ```
    pub fn from_value(json: Value) -> Result<Schema, SchemaError> {
        let limits = SchemaLimits::default();
        // Before anything walks through it, it is known not to be too deep.
        toolprism_repair::Schema::new(json.to_string().as_bytes(), &limits).map_err(SchemaError)?;
        let schema = Schema::new(json, &SchemaLimits { max_schema_bytes: limits.max_schema_bytes * 2, ..limits });
        match schema.asked {
            Ok(_) => Ok(schema),
            Err(error) => Err(error),
        }
    }

    fn new(json: Value, limits: &SchemaLimits) -> Schema {
        let mut rules = json.clone();
        walk::bound(&mut rules);
        let asked = toolprism_repair::Schema::new(rules.to_string().as_bytes(), limits).map_err(SchemaError);
        Schema { text: json.to_string(), json, rules, asked }
    }

    fn of_type<T: JsonSchema>(settings: SchemaSettings) -> Schema {
        let settings = settings.with(|settings| settings.inline_subschemas = true);
        let mut json = settings.into_generator().into_root_schema_for::<T>().to_value();
        if let Value::Object(members) = &mut json {
            // The type's name and documentation are the author's matter; the tool has a name and a description of its own.
            members.remove("title");
            members.remove("description");
            // `()` and unit structs: a call without arguments has none in an object.
            if members.get("type").is_some_and(|of| of == "null") {
                members.insert("type".into(), "object".into());
            }
        }
        walk::complete(&mut json);
        Schema::new(json, &OF_TYPES)
    }

    /// The schema as JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The schema as JSON text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it cannot be used, if it cannot. That of a type can be wrong as well, by an attribute: a `pattern` that is none. Worth a
    /// look when a tool is registered, for every call of it fails.
    pub fn fault(&self) -> Option<&SchemaError> {
        self.asked.as_ref().err()
    }

    /// The schema in the form that a provider takes. Arguments are read by this schema all the same, so nothing is lost that a
    /// provider cannot express.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// use toolprism_contract::schema::{self, Provider};
    /// #[derive(JsonSchema)]
    /// # #[allow(dead_code)]
    /// struct Args {
    ///     path: String,
    ///     limit: Option<u32>,
    /// }
    /// let adapted = schema::of::<Args>().adapted(Provider::OpenAiStrict).unwrap();
    /// assert_eq!(adapted.schema["required"], serde_json::json!(["limit", "path"]));
    /// assert_eq!(adapted.schema["additionalProperties"], false);
    /// ```
    pub fn adapted(&self, provider: Provider) -> Result<Adapted, Unsupported> {
        adapt(&self.json, provider)
    }

    pub(crate) fn asked(&self) -> Result<&toolprism_repair::Schema, &SchemaError> {
        self.asked.as_ref()
    }

    pub(crate) fn rules(&self) -> &Value {
        &self.rules
    }
}

/// The schema of a type in JSON Schema 2020-12, made once for a type and kept for as long as the program runs.
///
/// All that is inside is written out in place; only types that contain themselves have a `$ref`. Objects always have `properties` and
/// `required`. The root has neither `title` nor `description`.
///
/// ```
/// # use schemars::JsonSchema;
/// #[derive(JsonSchema)]
/// struct Nothing {}
/// let schema = toolprism_contract::schema::of::<Nothing>();
/// assert_eq!(
///     schema.text(),
///     r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{},"required":[],"type":"object"}"#
/// );
/// assert!(std::ptr::eq(schema, toolprism_contract::schema::of::<Nothing>()));
/// ```
pub fn of<T: JsonSchema + 'static>() -> &'static Schema {
    thread_local!(static NEAR: RefCell<Near> = RefCell::default());
    static MADE: Made = OnceLock::new();
    NEAR.with(|near| kept::<T>(near, &MADE, SchemaSettings::draft2020_12))
}

/// As [`of`], in draft-07: what the reference contract sends, and what some clients still expect.
///
/// ```
/// let schema = toolprism_contract::schema::of_draft07::<(u8, String)>();
/// assert_eq!(schema.json()["$schema"], "http://json-schema.org/draft-07/schema#");
/// assert_eq!(schema.json()["items"][1]["type"], "string");
/// ```
pub fn of_draft07<T: JsonSchema + 'static>() -> &'static Schema {
    thread_local!(static NEAR: RefCell<Near> = RefCell::default());
    static MADE: Made = OnceLock::new();
    NEAR.with(|near| kept::<T>(near, &MADE, SchemaSettings::draft07))
}

/// What a thread has asked for before: no lock on the way.
type Near = HashMap<TypeId, &'static Schema, BuildHasherDefault<IdHasher>>;

/// What was made for all threads. Bounded by the number of types in the program.
type Made = OnceLock<Mutex<HashMap<TypeId, &'static Schema>>>;

fn kept<T: JsonSchema + 'static>(
    near: &RefCell<Near>,
    made: &'static Made,
    settings: fn() -> SchemaSettings,
) -> &'static Schema {
    let id = TypeId::of::<T>();
    if let Some(schema) = near.borrow().get(&id) {
        return schema;
    }
    let lock = || made.get_or_init(Default::default).lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().get(&id).copied();
    // No lock is held while a schema is made: a type's own code runs then. Of two that are made at once the first is kept.
    let schema = known.unwrap_or_else(|| {
        let schema = Schema::of_type::<T>(settings());
        *lock().entry(id).or_insert_with(|| Box::leak(Box::new(schema)))
    });
    near.borrow_mut().insert(id, schema);
    schema
}

/// A type's id is a hash already.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }
}
