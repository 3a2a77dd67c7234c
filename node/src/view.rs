//! A JavaScript value, read in place: each look is a call into Node, and only what is asked for crosses over.

use std::borrow::Cow;
use std::ffi::c_char;
use std::iter;
use std::ptr;

use napi::bindgen_prelude::{JsValue, Unknown};
use napi::sys::{self, Status, ValueType, napi_env, napi_status, napi_value};
use toolprism::json::{JsonType, JsonView, Number};

/// Names and strings up to this length are passed without an allocation or a second call.
const SHORT: usize = 128;

/// A JavaScript value. What JSON has no form for (functions, symbols, `undefined`) counts as absent, and NaN
/// as `null`, as in `JSON.stringify`; a BigInt throws, as there.
///
/// Once something has thrown (a getter, a proxy, a BigInt), nothing more is found, and the exception waits until the call returns to Node.
#[derive(Clone, Copy)]
pub(crate) struct Js<'env> {
    env: napi_env,
    value: napi_value,
    kind: JsonType,
    /// The members that are there already, of a call. A value lives until the call into the addon that gave it returns.
    members: &'env [(&'static str, napi_value)],
}

impl<'env> Js<'env> {
    /// A look at a value; `undefined` and its like count as `null`.
    pub(crate) fn new(value: Unknown<'env>) -> Self {
        let (env, value) = (value.value().env, value.raw());
        Self::of(env, value).unwrap_or(Js { env, value, kind: JsonType::Null, members: &[] })
    }

    /// A look at an object that has these members and no others.
    pub(crate) fn with_members(object: Unknown<'env>, members: &'env [(&'static str, napi_value)]) -> Self {
        Js { members, ..Self::new(object) }
    }

    /// Whether something has thrown.
    pub(crate) fn has_thrown(&self) -> bool {
        let mut thrown = false;
        // SAFETY: `env` is that of the running call.
        unsafe { sys::napi_is_exception_pending(self.env, &mut thrown) };
        thrown
    }

    /// `None` for what JSON has no form for.
    fn of(env: napi_env, value: napi_value) -> Option<Self> {
        let mut kind = ValueType::napi_undefined;
        // SAFETY: `env` is that of the running call, and `value` a value of it.
        ok(unsafe { sys::napi_typeof(env, value, &mut kind) })?;
        let kind = match kind {
            ValueType::napi_null => JsonType::Null,
            ValueType::napi_boolean => JsonType::Bool,
            ValueType::napi_number if number(env, value)?.is_finite() => JsonType::Number,
            ValueType::napi_number => JsonType::Null,
            ValueType::napi_string => JsonType::String,
            ValueType::napi_object => {
                let mut array = false;
                // SAFETY: as above.
                ok(unsafe { sys::napi_is_array(env, value, &mut array) })?;
                if array { JsonType::Array } else { JsonType::Object }
            }
            ValueType::napi_bigint => {
                let message = c"a BigInt has no form in JSON: give a number or a string";
                // SAFETY: as above, and both texts end with a zero.
                unsafe { sys::napi_throw_type_error(env, c"bigint".as_ptr(), message.as_ptr()) };
                return None;
            }
            _ => return None,
        };
        Some(Js { env, value, kind, members: &[] })
    }

    /// Runs a function of Node's that hands out a value.
    fn ask(&self, function: impl FnOnce(*mut napi_value) -> napi_status) -> Option<napi_value> {
        let mut value = ptr::null_mut();
        ok(function(&mut value))?;
        Some(value)
    }

    /// A member by its name, which ends with a zero.
    fn named(&self, name: &[u8]) -> Option<Self> {
        let name = name.as_ptr().cast();
        // SAFETY: `env` and `value` are of the running call, and `name` ends with a zero.
        let value = self.ask(|out| unsafe { sys::napi_get_named_property(self.env, self.value, name, out) })?;
        Self::of(self.env, value)
    }

    fn element(&self, array: napi_value, at: u32) -> Option<napi_value> {
        // SAFETY: `env` and `array` are of the running call.
        self.ask(|out| unsafe { sys::napi_get_element(self.env, array, at, out) })
    }

    fn length(&self, array: napi_value) -> u32 {
        let mut length = 0;
        // SAFETY: as above; for what is no array, `length` stays 0.
        unsafe { sys::napi_get_array_length(self.env, array, &mut length) };
        length
    }

    /// The names of the own members, as an array.
    fn names(&self) -> Option<napi_value> {
        use sys::{KeyCollectionMode, KeyConversion, KeyFilter};
        let (own, text) = (KeyCollectionMode::own_only, KeyConversion::numbers_to_strings);
        let filter = KeyFilter::enumerable | KeyFilter::skip_symbols;
        // SAFETY: `env` and `value` are of the running call.
        self.ask(|out| unsafe { sys::napi_get_all_property_names(self.env, self.value, own, filter, text, out) })
    }

    fn text(&self, value: napi_value) -> Option<String> {
        let mut short = [0_u8; SHORT];
        let read = self.copy(value, &mut short)?;
        // A character that did not fit whole is left out, so a text that was cut may end up to three bytes early.
        if read < SHORT - 4 {
            return Some(valid(short.get(..read)?.to_vec()));
        }
        let mut length = 0;
        // SAFETY: without a buffer, only the length is asked for.
        ok(unsafe { sys::napi_get_value_string_utf8(self.env, value, ptr::null_mut(), 0, &mut length) })?;
        let mut long = vec![0; length + 1];
        let read = self.copy(value, &mut long)?;
        long.truncate(read);
        Some(valid(long))
    }

    /// Copies a string's bytes and says how many they are. Lone surrogates become U+FFFD.
    fn copy(&self, value: napi_value, buffer: &mut [u8]) -> Option<usize> {
        let (start, size, mut read) = (buffer.as_mut_ptr().cast::<c_char>(), buffer.len(), 0);
        // SAFETY: `env` and `value` are of the running call, and no more than `size` bytes are written.
        ok(unsafe { sys::napi_get_value_string_utf8(self.env, value, start, size, &mut read) })?;
        Some(read)
    }
}

impl JsonView for Js<'_> {
    fn json_type(&self) -> JsonType {
        self.kind
    }

    fn get(&self, key: &str) -> Option<Self> {
        if self.kind != JsonType::Object || key.contains('\0') {
            return None;
        }
        if !self.members.is_empty() {
            let (_, value) = self.members.iter().find(|(name, _)| *name == key)?;
            return Self::of(self.env, *value);
        }
        let mut short = [0_u8; SHORT];
        if let Some(room) = short.get_mut(..key.len()).filter(|room| room.len() < SHORT) {
            room.copy_from_slice(key.as_bytes());
            return self.named(&short);
        }
        self.named(&[key.as_bytes(), b"\0"].concat())
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        (self.kind == JsonType::String).then(|| self.text(self.value).map(Cow::Owned)).flatten()
    }

    fn as_number(&self) -> Option<Number> {
        if self.kind != JsonType::Number {
            return None;
        }
        let number = number(self.env, self.value)?;
        // As the text of such a number would read.
        let whole = number.fract() == 0.0;
        Some(match number.abs() {
            size if whole && size < 9_223_372_036_854_775_808.0 => Number::Int(number as i64),
            size if whole && size < 18_446_744_073_709_551_616.0 && number > 0.0 => Number::UInt(number as u64),
            _ => Number::Float(number),
        })
    }

    fn as_bool(&self) -> Option<bool> {
        let mut on = false;
        // SAFETY: `env` and `value` are of the running call.
        ok(unsafe { sys::napi_get_value_bool(self.env, self.value, &mut on) })?;
        Some(on)
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let length = if self.kind == JsonType::Array { self.length(self.value) } else { 0 };
        (0..length).map_while(|at| {
            let value = self.element(self.value, at)?;
            // A hole is an element all the same.
            Some(Self::of(self.env, value).unwrap_or(Js { value, kind: JsonType::Null, ..*self }))
        })
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let names = if self.kind == JsonType::Object { self.names() } else { None };
        let mut left = 0..names.map_or(0, |names| self.length(names));
        iter::from_fn(move || {
            let names = names?;
            left.find_map(|at| {
                let name = self.element(names, at)?;
                // SAFETY: all three are of the running call.
                let value = self.ask(|out| unsafe { sys::napi_get_property(self.env, self.value, name, out) })?;
                Some((Cow::Owned(self.text(name)?), Self::of(self.env, value)?))
            })
        })
    }
}

/// Node writes valid UTF-8; this holds if it should not.
fn valid(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn number(env: napi_env, value: napi_value) -> Option<f64> {
    let mut number = 0.0;
    // SAFETY: `env` is that of the running call, and `value` a value of it.
    ok(unsafe { sys::napi_get_value_double(env, value, &mut number) })?;
    Some(number)
}

fn ok(status: napi_status) -> Option<()> {
    (status == Status::napi_ok).then_some(())
}
