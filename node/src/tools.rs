//! Tools whose work JavaScript does.

use napi_derive::napi;
use toolprism_facade::tools;

use crate::{Result, error};

/// Tools that are given as data.
#[napi]
pub struct ToolRegistry(tools::ToolRegistry);

#[napi]
impl ToolRegistry {
    /// Without tools.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        ToolRegistry(tools::ToolRegistry::new())
    }

    /// Takes a tool in, by its definition as JSON text, and gives its key.
    #[napi(catch_unwind)]
    pub fn register(&mut self, definition: String) -> Result<String> {
        self.0.register(definition.as_bytes()).map_err(error)
    }

    /// The tools as JSON text, as a profile has them.
    #[napi(catch_unwind)]
    pub fn list(&self, profile: Option<String>) -> Result<String> {
        self.0.list(profile.as_deref()).map_err(error)
    }

    /// Begins a call, which is JSON text.
    #[napi(catch_unwind)]
    pub fn begin(&self, call: String) -> Result<ToolCall> {
        self.0.begin(call.as_bytes()).map(|(call, steps)| ToolCall { call: Some(call), steps }).map_err(error)
    }

    /// Gives the memory back before Node does: there are no tools then.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.0 = tools::ToolRegistry::new();
    }
}

/// A call under way.
#[napi]
pub struct ToolCall {
    /// Nothing once it was freed.
    call: Option<tools::ToolCall>,
    steps: String,
}

#[napi]
impl ToolCall {
    /// Its first steps, as JSON text; once.
    #[napi(catch_unwind)]
    pub fn begun(&mut self) -> String {
        std::mem::take(&mut self.steps)
    }

    /// Tells of progress, which is JSON text: the steps that come of it.
    #[napi(catch_unwind)]
    pub fn progress(&mut self, item: String) -> Result<String> {
        self.call.as_mut().map_or(Ok(String::new()), |call| call.progress(item.as_bytes())).map_err(error)
    }

    /// Ends the call by what came of its work, which is JSON text: the last steps.
    #[napi(catch_unwind)]
    pub fn end(&mut self, result: String) -> Result<String> {
        self.call.as_mut().map_or(Ok(String::new()), |call| call.end(result.as_bytes())).map_err(error)
    }

    /// Gives the memory back before Node does.
    #[napi(catch_unwind)]
    pub fn free(&mut self) {
        self.call = None;
    }
}
