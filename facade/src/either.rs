//! Members of a call's own text, and arguments that stream, where either may stand.

use alloc::borrow::Cow;
use alloc::string::String;

use toolprism::json::{JsonType, JsonView, Number, RawJson};
use toolprism::partial::View;

/// A value of either kind. What is inside of one is of its kind.
#[derive(Clone)]
pub(crate) enum Either<'a> {
    Call(RawJson<'a>),
    Arguments(View<'a>),
}

impl<'a> Either<'a> {
    fn both(&self) -> (Option<&RawJson<'a>>, Option<&View<'a>>) {
        match self {
            Either::Call(value) => (Some(value), None),
            Either::Arguments(value) => (None, Some(value)),
        }
    }
}

impl JsonView for Either<'_> {
    fn json_type(&self) -> JsonType {
        match self {
            Either::Call(value) => value.json_type(),
            Either::Arguments(value) => value.json_type(),
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        match self {
            Either::Call(value) => value.get(key).map(Either::Call),
            Either::Arguments(value) => value.get(key).map(Either::Arguments),
        }
    }

    fn as_str(&self) -> Option<Cow<'_, str>> {
        match self {
            Either::Call(value) => value.as_str(),
            Either::Arguments(value) => value.as_str(),
        }
    }

    fn as_number(&self) -> Option<Number> {
        match self {
            Either::Call(value) => value.as_number(),
            Either::Arguments(value) => value.as_number(),
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Either::Call(value) => value.as_bool(),
            Either::Arguments(value) => value.as_bool(),
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let (call, arguments) = self.both();
        let call = call.into_iter().flat_map(JsonView::items).map(Either::Call);
        call.chain(arguments.into_iter().flat_map(JsonView::items).map(Either::Arguments))
    }

    fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let (call, arguments) = self.both();
        let call = call.into_iter().flat_map(JsonView::members).map(|(key, value)| (key, Either::Call(value)));
        let arguments = arguments.into_iter().flat_map(JsonView::members);
        call.chain(arguments.map(|(key, value)| (key, Either::Arguments(value))))
    }

    fn is_open(&self) -> bool {
        match self {
            Either::Call(value) => value.is_open(),
            Either::Arguments(value) => value.is_open(),
        }
    }

    fn to_text(&self) -> String {
        match self {
            Either::Call(value) => value.to_text(),
            Either::Arguments(value) => value.to_text(),
        }
    }
}
