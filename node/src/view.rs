//! A JavaScript value, read in place: each look is a call into Node, and only what is asked for crosses over.

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::c_char;
use std::iter;
use std::ptr;

use napi::Env;
use napi::bindgen_prelude::{JsValue, Unknown};
use napi::sys::{self, Status, ValueType, napi_env, napi_status, napi_value};
use toolprism::json::{JsonType, JsonView, MAX_DEPTH, Number};
use toolprism_facade as facade;

use crate::{Result, error};

/// Names and strings up to this length are passed without an allocation or a second call.
const SHORT: usize = 128;

/// No more values than this are looked at during one call: what has more is in a circle, or is no tool call.
const MOST_VALUES: u32 = 1_000_000;

/// One call's look at values, and what went wrong meanwhile. Then nothing more is found.
pub(crate) struct Look {
    env: napi_env,
    left: Cell<u32>,
    fault: Cell<Option<Fault>>,
}

/// Why a value cannot be read further.
#[derive(Clone, Copy)]
enum Fault {
    /// A getter, a proxy or a BigInt has thrown; the exception waits until the call returns to Node.
    Thrown,
    TooDeep,
    TooMany,
}

impl Look {
    pub(crate) fn new(env: Env) -> Self {
        Look { env: env.raw(), left: Cell::new(MOST_VALUES), fault: Cell::new(None) }
    }

    /// An error if something went wrong; what was thrown goes on to the caller as it is.
    pub(crate) fn finish(&self) -> Result<()> {
        let (kind, message) = match self.fault.get() {
            None => return Ok(()),
            Some(Fault::Thrown) => return Err(napi::Error::new(napi::Status::PendingException.as_ref(), "")),
            Some(Fault::TooDeep) => ("not_json", "nested too deeply, or in a circle"),
            Some(Fault::TooMany) => ("too_large", "too many members to look at"),
        };
        Err(error(facade::Error { kind, message: message.into(), ..facade::Error::default() }))
    }

    fn fails<T>(&self, fault: Fault) -> Option<T> {
        self.fault.set(Some(fault));
        None
    }

    /// The result of a function of Node's; it fails only if something has thrown.
    fn ok(&self, status: napi_status) -> Option<()> {
        if status == Status::napi_ok { Some(()) } else { self.fails(Fault::Thrown) }
    }
}

/// A JavaScript value. What JSON has no form for (functions, symbols, `undefined`) counts as absent, and NaN
/// as `null`, as in `JSON.stringify`; a BigInt throws, as there.
#[derive(Clone, Copy)]
pub(crate) struct Js<'env> {
    look: &'env Look,
    value: napi_value,
    kind: JsonType,
    depth: usize,
    /// The members that are there already, of a call. A value lives until the call into the addon that gave it returns.
    members: &'env [(&'static str, napi_value)],
}

impl<'env> Js<'env> {
    /// A look at an object that has these members and no others; what is no object counts as `null`.
    pub(crate) fn new(look: &'env Look, object: &Unknown<'_>, members: &'env [(&'static str, napi_value)]) -> Self {
        let null = Js { look, value: object.raw(), kind: JsonType::Null, depth: 0, members };
        null.of(object.raw()).map_or(null, |object| Js { depth: 0, members, ..object })
    }

    /// A value inside of this one; `None` for what JSON has no form for.
    fn of(&self, value: napi_value) -> Option<Self> {
        let look = self.look;
        let mut kind = ValueType::napi_undefined;
        // SAFETY: `env` is that of the running call, and `value` a value of it.
        look.ok(unsafe { sys::napi_typeof(look.env, value, &mut kind) })?;
        let kind = match kind {
            ValueType::napi_null => JsonType::Null,
            ValueType::napi_boolean => JsonType::Bool,
            ValueType::napi_number if self.number(value)?.is_finite() => JsonType::Number,
            ValueType::napi_number => JsonType::Null,
            ValueType::napi_string => JsonType::String,
            ValueType::napi_object => {
                let mut array = false;
                // SAFETY: as above.
                look.ok(unsafe { sys::napi_is_array(look.env, value, &mut array) })?;
                if array { JsonType::Array } else { JsonType::Object }
            }
            ValueType::napi_bigint => {
                let message = c"a BigInt has no form in JSON: give a number or a string";
                // SAFETY: as above, and both texts end with a zero.
                unsafe { sys::napi_throw_type_error(look.env, c"bigint".as_ptr(), message.as_ptr()) };
                return look.fails(Fault::Thrown);
            }
            _ => return None,
        };
        if self.depth >= MAX_DEPTH {
            return look.fails(Fault::TooDeep);
        }
        // JavaScript has done this already for the members that it gave.
        if kind == JsonType::Object
            && self.members.is_empty()
            && let Some(plain) = self.plain(value)
        {
            return Js { depth: self.depth + 1, ..*self }.of(plain?);
        }
        let Some(left) = look.left.get().checked_sub(1) else { return look.fails(Fault::TooMany) };
        look.left.set(left);
        Some(Js { look, value, kind, depth: self.depth + 1, members: &[] })
    }

    /// What an object gives for itself in JSON by its `toJSON`, if it has one.
    fn plain(&self, object: napi_value) -> Option<Option<napi_value>> {
        let env = self.look.env;
        // SAFETY: `env` is that of the running call, `object` a value of it, and the name ends with a zero.
        let function = self.ask(|out| unsafe { sys::napi_get_named_property(env, object, c"toJSON".as_ptr(), out) })?;
        let mut kind = ValueType::napi_undefined;
        // SAFETY: as above.
        self.look.ok(unsafe { sys::napi_typeof(env, function, &mut kind) })?;
        if kind != ValueType::napi_function {
            return None;
        }
        // SAFETY: as above, and there are no arguments.
        Some(self.ask(|out| unsafe { sys::napi_call_function(env, object, function, 0, ptr::null(), out) }))
    }

    /// Runs a function of Node's that hands out a value.
    fn ask(&self, function: impl FnOnce(*mut napi_value) -> napi_status) -> Option<napi_value> {
        if self.look.fault.get().is_some() {
            return None;
        }
        let mut value = ptr::null_mut();
        self.look.ok(function(&mut value))?;
        Some(value)
    }

    /// A member by its name, which ends with a zero.
    fn named(&self, name: &[u8]) -> Option<Self> {
        let name = name.as_ptr().cast();
        // SAFETY: `env` and `value` are of the running call, and `name` ends with a zero.
        let value = self.ask(|out| unsafe { sys::napi_get_named_property(self.look.env, self.value, name, out) })?;
        self.of(value)
    }

    fn element(&self, array: napi_value, at: u32) -> Option<napi_value> {
        // SAFETY: `env` and `array` are of the running call.
        self.ask(|out| unsafe { sys::napi_get_element(self.look.env, array, at, out) })
    }

    fn length(&self, array: napi_value) -> u32 {
        let mut length = 0;
        // SAFETY: as above; for what is no array, `length` stays 0.
        unsafe { sys::napi_get_array_length(self.look.env, array, &mut length) };
        length
    }

    /// The names of the own members, as an array.
    fn names(&self) -> Option<napi_value> {
        use sys::{KeyCollectionMode, KeyConversion, KeyFilter};
        let (own, text) = (KeyCollectionMode::own_only, KeyConversion::numbers_to_strings);
        let filter = KeyFilter::enumerable | KeyFilter::skip_symbols;
        // SAFETY: `env` and `value` are of the running call.
        self.ask(|out| unsafe { sys::napi_get_all_property_names(self.look.env, self.value, own, filter, text, out) })
    }

    fn number(&self, value: napi_value) -> Option<f64> {
        let mut number = 0.0;
        // SAFETY: `env` and `value` are of the running call.
        self.look.ok(unsafe { sys::napi_get_value_double(self.look.env, value, &mut number) })?;
        Some(number)
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
        self.look
            .ok(unsafe { sys::napi_get_value_string_utf8(self.look.env, value, ptr::null_mut(), 0, &mut length) })?;
        let mut long = vec![0; length + 1];
        let read = self.copy(value, &mut long)?;
        long.truncate(read);
        Some(valid(long))
    }

    /// Copies a string's bytes and says how many they are. Lone surrogates become U+FFFD.
    fn copy(&self, value: napi_value, buffer: &mut [u8]) -> Option<usize> {
        let (start, size, mut read) = (buffer.as_mut_ptr().cast::<c_char>(), buffer.len(), 0);
        // SAFETY: `env` and `value` are of the running call, and no more than `size` bytes are written.
        self.look.ok(unsafe { sys::napi_get_value_string_utf8(self.look.env, value, start, size, &mut read) })?;
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
            return self.of(*value);
        }
        let mut short = [0_u8; SHORT];
        if let Some(room) = short.get_mut(..key.len()).filter(|room| room.len() < SHORT) {
            room.copy_from_slice(key.as_bytes());
            return self.named(&short);
        }
        self.named(&[key.as_bytes(), b"\0"].concat())
    }

    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        for (at, (slot, key)) in out.iter_mut().zip(keys).enumerate() {
            // The members that are there already usually come in the order in which they are asked for.
            *slot = match self.members.get(at) {
                Some((name, value)) if name == key && self.kind == JsonType::Object => self.of(*value),
                _ => self.get(key),
            };
        }
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        (self.kind == JsonType::String).then(|| self.text(self.value).map(Cow::Owned)).flatten()
    }

    fn as_number(&self) -> Option<Number> {
        if self.kind != JsonType::Number {
            return None;
        }
        self.number(self.value).map(Number::from)
    }

    fn as_bool(&self) -> Option<bool> {
        if self.kind != JsonType::Bool {
            return None;
        }
        let mut on = false;
        // SAFETY: `env` and `value` are of the running call.
        self.look.ok(unsafe { sys::napi_get_value_bool(self.look.env, self.value, &mut on) })?;
        Some(on)
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let length = if self.kind == JsonType::Array { self.length(self.value) } else { 0 };
        (0..length).map_while(|at| {
            let value = self.element(self.value, at)?;
            // A hole is an element all the same.
            Some(self.of(value).unwrap_or(Js { value, kind: JsonType::Null, ..*self }))
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
                let value = self.ask(|out| unsafe { sys::napi_get_property(self.look.env, self.value, name, out) })?;
                Some((Cow::Owned(self.text(name)?), self.of(value)?))
            })
        })
    }
}

/// Node writes valid UTF-8; this holds if it should not.
fn valid(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
