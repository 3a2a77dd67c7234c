//! The schema of a type.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use schemars::JsonSchema;
use serde_json::Value;

use crate::ToolError;

/// A JSON Schema that is ready to be asked.
#[derive(Debug)]
pub struct Schema {
    json: Value,
    text: String,
}

impl Schema {
    /// The schema that this JSON is.
    pub fn from_value(json: Value) -> Result<Schema, ToolError> {
        let text = json.to_string();
        Ok(Schema { json, text })
    }

    /// The schema as JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The schema as JSON text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The schema of a type, made once.
pub fn of<T: JsonSchema + 'static>() -> &'static Schema {
    static MADE: OnceLock<Mutex<HashMap<TypeId, &'static Schema>>> = OnceLock::new();
    let mut made = MADE.get_or_init(Default::default).lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(TypeId::of::<T>()).or_insert_with(|| {
        let json = schemars::schema_for!(T).to_value();
        let text = json.to_string();
        Box::leak(Box::new(Schema { json, text }))
    })
}
