//! `serde_json::Value` as a [`JsonView`], and any view as a `Value`.

use alloc::borrow::{Cow, ToOwned};
use serde_json::Value;

use super::{JsonType, JsonView, MAX_DEPTH, Number};

impl JsonView for &Value {
    fn json_type(&self) -> JsonType {
        match self {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Bool,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        self.as_object()?.get(key)
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        Value::as_str(self).map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number> {
        let Value::Number(n) = self else { return None };
        if let Some(n) = n.as_i64() {
            return Some(Number::Int(n));
        }
        n.as_u64().map(Number::UInt).or_else(|| n.as_f64().map(Number::Float))
    }

    fn as_bool(&self) -> Option<bool> {
        Value::as_bool(self)
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        self.as_array().into_iter().flatten()
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        self.as_object().into_iter().flatten().map(|(key, value)| (Cow::Borrowed(key.as_str()), value))
    }
}

/// Copies what a view shows into a `Value`; what lies deeper than [`MAX_DEPTH`] becomes `null`.
pub fn to_value<V: JsonView>(view: &V) -> Value {
    fn copy<V: JsonView>(view: &V, depth: usize) -> Value {
        if depth == 0 {
            return Value::Null;
        }
        match view.json_type() {
            JsonType::Null => Value::Null,
            JsonType::Bool => Value::Bool(view.as_bool().unwrap_or_default()),
            JsonType::Number => match view.as_number() {
                Some(Number::Int(n)) => n.into(),
                Some(Number::UInt(n)) => n.into(),
                Some(Number::Float(f)) => f.into(),
                None => Value::Null,
            },
            JsonType::String => Value::String(view.as_str().unwrap_or_default().into_owned()),
            JsonType::Array => view.items().map(|item| copy(&item, depth - 1)).collect(),
            JsonType::Object => {
                view.members().map(|(key, value)| (key.as_ref().to_owned(), copy(&value, depth - 1))).collect()
            }
        }
    }
    copy(view, MAX_DEPTH)
}
