//! Tools whose work Python does. JSON text goes in; `_tools.py` beside it makes it.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyAny;
use toolprism_facade::tools;

use crate::{convert, error, locked};

/// Tools that are given as data.
#[pyclass(frozen, module = "toolprism._native")]
pub(crate) struct ToolRegistry(Mutex<tools::ToolRegistry>);

#[pymethods]
impl ToolRegistry {
    #[new]
    fn new() -> Self {
        ToolRegistry(Mutex::new(tools::ToolRegistry::new()))
    }

    /// Takes a tool in, by its definition as JSON text, and gives its key.
    fn register(&self, py: Python<'_>, definition: &str) -> PyResult<String> {
        let done = py.detach(|| locked(&self.0).register(definition.as_bytes()));
        done.map_err(|error| error::raise(py, error))
    }

    /// The tools, as a profile has them.
    fn list<'py>(&self, py: Python<'py>, profile: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let listed = py.detach(|| locked(&self.0).list(profile));
        convert::json(py, &listed.map_err(|error| error::raise(py, error))?)
    }

    /// Begins a call, which is JSON text: the call, and its first steps.
    fn begin<'py>(&self, py: Python<'py>, call: &str) -> PyResult<(ToolCall, Bound<'py, PyAny>)> {
        let begun = py.detach(|| locked(&self.0).begin(call.as_bytes()));
        let (call, steps) = begun.map_err(|error| error::raise(py, error))?;
        Ok((ToolCall(Mutex::new(call)), convert::json(py, &steps)?))
    }
}

/// A call under way.
#[pyclass(frozen, module = "toolprism._native")]
pub(crate) struct ToolCall(Mutex<tools::ToolCall>);

#[pymethods]
impl ToolCall {
    /// Tells of progress, which is JSON text: the steps that come of it.
    fn progress<'py>(&self, py: Python<'py>, item: &str) -> PyResult<Bound<'py, PyAny>> {
        let steps = py.detach(|| locked(&self.0).progress(item.as_bytes()));
        convert::json(py, &steps.map_err(|error| error::raise(py, error))?)
    }

    /// Ends the call by what came of its work, which is JSON text: the last steps.
    fn end<'py>(&self, py: Python<'py>, result: &str) -> PyResult<Bound<'py, PyAny>> {
        let steps = py.detach(|| locked(&self.0).end(result.as_bytes()));
        convert::json(py, &steps.map_err(|error| error::raise(py, error))?)
    }
}
