//! Keeping a tool's panic to the call that it happened in.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ToolError;

/// Runs what a tool's author wrote. What it touched is thrown away if it panics, so nobody sees it half done.
///
/// In a program that is built with `panic = "abort"` a panic ends the process all the same.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panicked(payload.as_ref()))
}

fn panicked(payload: &(dyn Any + Send)) -> ToolError {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    ToolError::execution(format_args!("the tool panicked: {}", words.unwrap_or("no message")))
}
