//! The Node addon of Toolprism: the facade's functions for JavaScript. Text goes out; the npm package makes objects of it.

mod logs;
mod tools;
mod view;

use napi::Env;
use napi::bindgen_prelude::{JsValue, Unknown};
use napi_derive::napi;
use toolprism::META_KEY;
use toolprism_facade as facade;

use crate::view::{Js, Look};

type Result<T> = std::result::Result<T, napi::Error<&'static str>>;

/// An error that carries the facade's as JSON text.
fn error(error: facade::Error) -> napi::Error<&'static str> {
    napi::Error::new("toolprism", error.to_json())
}

/// The envelope with what led to it, as JSON text. JavaScript reads the members of the call itself faster than a call into
/// Node for each would.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments)]
pub fn identify(
    env: Env,
    call: Unknown<'_>,
    harness: Unknown<'_>,
    namespace: Unknown<'_>,
    version: Unknown<'_>,
    name: Unknown<'_>,
    title: Unknown<'_>,
    acp_kind: Unknown<'_>,
    acp_name: Unknown<'_>,
    raw_input: Unknown<'_>,
    meta: Unknown<'_>,
) -> Result<String> {
    let members = [
        ("harness", harness.raw()),
        ("namespace", namespace.raw()),
        ("version", version.raw()),
        ("name", name.raw()),
        ("title", title.raw()),
        ("acp_kind", acp_kind.raw()),
        ("acp_name", acp_name.raw()),
        ("raw_input", raw_input.raw()),
        ("meta", meta.raw()),
    ];
    let look = Look::new(env);
    let answer = facade::identify_view(&Js::new(&look, &call, &members));
    look.finish()?;
    answer.map_err(error)
}

/// The envelope in a `_meta` value, as JSON text. JavaScript gives it beside the value, as above.
#[napi(catch_unwind)]
pub fn parse_meta(env: Env, meta: Unknown<'_>, envelope: Unknown<'_>, strict: bool) -> Result<Option<String>> {
    let look = Look::new(env);
    let answer = facade::parse_meta_view(&Js::new(&look, &meta, &[(META_KEY, envelope.raw())]), strict);
    look.finish()?;
    answer.map_err(error)
}

/// A `_meta` value, given and returned as JSON text, with this envelope in it.
#[napi(catch_unwind)]
pub fn stamp_meta(meta: String, envelope: String) -> Result<String> {
    facade::stamp_meta(meta.as_bytes(), envelope.as_bytes()).map_err(error)
}

/// Merges the events of a log or a live stream into calls.
#[napi]
pub struct Ledger(facade::Ledger);

#[napi]
impl Ledger {
    /// A ledger without calls; the options are JSON text.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: String) -> Result<Self> {
        facade::Ledger::new(options.as_bytes()).map(Ledger).map_err(error)
    }

    /// Takes the next bytes.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.push(bytes).map_err(error)
    }

    /// Says that no more bytes come.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// How many calls there are.
    #[napi(catch_unwind)]
    pub fn size(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The records of all calls, as JSON text.
    #[napi(catch_unwind)]
    pub fn calls(&self) -> String {
        self.0.calls()
    }

    /// The records of the groups, as JSON text.
    #[napi(catch_unwind)]
    pub fn groups(&self, by: String) -> Result<String> {
        self.0.groups(&by).map_err(error)
    }

    /// The records of the runs, as JSON text.
    #[napi(catch_unwind)]
    pub fn runs(&self, by: String) -> Result<String> {
        self.0.runs(&by).map_err(error)
    }

    /// What was read, as JSON text.
    #[napi(catch_unwind)]
    pub fn report(&self) -> String {
        self.0.report()
    }

    /// Gives the memory back before Node does: the ledger is empty then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = facade::Ledger::default();
    }
}

/// Shows what is there of arguments while they stream.
#[napi]
pub struct PartialInput(facade::PartialInput);

#[napi]
impl PartialInput {
    /// Nothing yet; the options are JSON text.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: String) -> Result<Self> {
        facade::PartialInput::new(options.as_bytes()).map(PartialInput).map_err(error)
    }

    /// Takes the next bytes.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Says that no more bytes come.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// What is visible, as JSON text.
    #[napi(catch_unwind)]
    pub fn visible(&self) -> String {
        self.0.visible()
    }

    /// Whether the end has come.
    #[napi(catch_unwind)]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// How far the arguments are, as JSON text.
    #[napi(catch_unwind)]
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// The envelope by these arguments, with what led to it and what grows; the call and the answer are JSON text.
    #[napi(catch_unwind)]
    pub fn identify(&self, call: String) -> Result<String> {
        self.0.identify(call.as_bytes()).map_err(error)
    }

    /// Gives the memory back before Node does: nothing is visible then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = facade::PartialInput::default();
    }
}

/// Judges completed calls.
#[napi]
pub struct Finalizer(facade::Finalizer);

#[napi]
impl Finalizer {
    /// A finalizer by options, which are JSON text.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: String) -> Result<Self> {
        facade::Finalizer::new(options.as_bytes()).map(Finalizer).map_err(error)
    }

    /// The answer to a question; both are JSON text.
    #[napi(catch_unwind)]
    pub fn finalize(&mut self, question: String) -> Result<String> {
        self.0.finalize(question.as_bytes()).map_err(error)
    }

    /// Gives the memory back before Node does: nothing is kept then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = facade::Finalizer::default();
    }
}
