//! An object of the host's own as a `JsonView`.
//!
//! `js/view.js` keeps the values that were looked at in a list; here a value is a number: its place in that list, and its type
//! in the lowest three bits. So only numbers and the texts asked for cross the border. 0 is no value. What goes wrong (a
//! getter throws, the nesting has no end) is noted over there, and thrown once the call is over; until then such a member
//! reads as absent.

use std::borrow::Cow;
use std::cell::RefCell;

use hashbrown::HashMap;
use toolprism::json::{JsonType, JsonView, Number};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./view.js")]
extern "C" {
    /// Keeps the name of a member, and gives its number.
    #[wasm_bindgen(js_name = learn)]
    fn js_learn(name: &str) -> u32;
    #[wasm_bindgen(js_name = get)]
    fn js_get(object: u32, name: u32) -> u32;
    /// Replaces the numbers of names at this address by the members' values.
    #[wasm_bindgen(js_name = pick)]
    fn js_pick(object: u32, at: usize, count: usize);
    #[wasm_bindgen(js_name = number)]
    fn js_number(value: u32) -> f64;
    #[wasm_bindgen(js_name = truth)]
    fn js_truth(value: u32) -> bool;
    /// Writes a text as UTF-8 to this address, if there is room for it; gives the room that it takes at most, or what it took.
    #[wasm_bindgen(js_name = write)]
    fn js_write(value: u32, at: usize, room: usize) -> usize;
    /// The names of an object's members, as a list.
    #[wasm_bindgen(js_name = namesOf)]
    fn js_names(object: u32) -> u32;
    #[wasm_bindgen(js_name = length)]
    fn js_length(list: u32) -> u32;
    #[wasm_bindgen(js_name = item)]
    fn js_item(list: u32, at: u32) -> u32;
    /// The member that the name at this place of the list has.
    #[wasm_bindgen(js_name = member)]
    fn js_member(object: u32, names: u32, at: u32) -> u32;
}

/// What is kept from one call to the next.
#[derive(Default)]
struct Kept {
    /// The numbers of names. All of them are the catalog's or the envelope's, so they do not grow without end.
    names: HashMap<Box<str>, u32>,
    /// Where names go out and values come in.
    slots: Vec<u32>,
    /// Where texts come in.
    text: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

impl Kept {
    fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = js_learn(name);
        self.names.insert(name.into(), number);
        number
    }
}

fn kept<T>(use_it: impl FnOnce(&mut Kept) -> T) -> T {
    KEPT.with_borrow_mut(use_it)
}

/// A value of the host's.
#[derive(Clone, Copy)]
pub(crate) struct View(u32);

impl View {
    /// The value that a number from `js/view.js` stands for; no value reads as `null`.
    pub(crate) fn of(value: u32) -> Self {
        View(value)
    }

    fn some(value: u32) -> Option<Self> {
        (value != 0).then_some(View(value))
    }

    fn string(self) -> String {
        kept(|kept| {
            let buffer = &mut kept.text;
            if buffer.is_empty() {
                buffer.resize(1024, 0);
            }
            let mut len = js_write(self.0, buffer.as_mut_ptr().expose_provenance(), buffer.len());
            if len > buffer.len() {
                // A text that is long once is not kept room for.
                let mut long = vec![0; len];
                len = js_write(self.0, long.as_mut_ptr().expose_provenance(), long.len());
                long.truncate(len);
                return String::from_utf8(long).unwrap_or_default();
            }
            // What JavaScript encodes is valid.
            String::from_utf8(buffer.get(..len).unwrap_or_default().to_vec()).unwrap_or_default()
        })
    }
}

impl JsonView for View {
    fn json_type(&self) -> JsonType {
        match self.0 & 7 {
            1 => JsonType::Bool,
            2 => JsonType::Number,
            3 => JsonType::String,
            4 => JsonType::Array,
            5 => JsonType::Object,
            _ => JsonType::Null,
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        if !self.is_object() {
            return None;
        }
        let name = kept(|kept| kept.name(key));
        View::some(js_get(self.0, name))
    }

    fn pick(&self, keys: &[&str], out: &mut [Option<Self>]) {
        if !self.is_object() {
            return out.fill(None);
        }
        kept(|kept| {
            kept.slots.clear();
            for key in keys {
                let name = kept.name(key);
                kept.slots.push(name);
            }
            js_pick(self.0, kept.slots.as_mut_ptr().expose_provenance(), kept.slots.len());
            for (out, value) in out.iter_mut().zip(&kept.slots) {
                *out = View::some(*value);
            }
        });
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        (self.json_type() == JsonType::String).then(|| Cow::Owned(self.string()))
    }

    fn as_number(&self) -> Option<Number> {
        if self.json_type() != JsonType::Number {
            return None;
        }
        Some(js_number(self.0).into())
    }

    fn as_bool(&self) -> Option<bool> {
        (self.json_type() == JsonType::Bool).then(|| js_truth(self.0))
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let list = *self;
        let length = if self.json_type() == JsonType::Array { js_length(self.0) } else { 0 };
        (0..length).map(move |at| View(js_item(list.0, at)))
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let object = *self;
        let names = if self.is_object() { js_names(self.0) } else { 0 };
        let length = if names == 0 { 0 } else { js_length(names) };
        (0..length).filter_map(move |at| {
            let value = View::some(js_member(object.0, names, at))?;
            Some((Cow::Owned(View(js_item(names, at)).string()), value))
        })
    }
}
