//! Arguments that stream, piece by piece.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use toolprism_facade::PartialInput as Arguments;

use crate::{bytes, convert, error, locked, write};

/// Shows what is there of a call's arguments while they stream. Nothing that was shown is taken back.
#[pyclass(frozen, module = "toolprism")]
pub(crate) struct PartialInput(Mutex<Arguments>);

#[pymethods]
impl PartialInput {
    #[new]
    #[pyo3(signature = (*, mode = "strict", keep = None))]
    fn new(py: Python<'_>, mode: &str, keep: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let options = PyDict::new(py);
        options.set_item("mode", mode)?;
        options.set_item("keep", keep)?;
        let made = Arguments::new(write::text(&options)?.as_bytes());
        made.map(|input| PartialInput(Mutex::new(input))).map_err(|error| error::raise(py, error))
    }

    /// Takes the next piece of the text; bytes may be cut anywhere.
    fn push(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, data) = (data.py(), bytes(data)?);
        let data = data.as_bytes();
        py.detach(|| locked(&self.0).push(data));
        Ok(())
    }

    /// Says that no more comes. What is pushed after that is only counted.
    fn finish(&self, py: Python<'_>) {
        py.detach(|| locked(&self.0).finish());
    }

    /// What is visible, with what is open closed; None until anything is.
    fn visible<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = py.detach(|| locked(&self.0).visible());
        convert::json(py, &text)
    }

    /// Whether the arguments have come to their end.
    #[getter]
    fn is_complete(&self, py: Python<'_>) -> bool {
        py.detach(|| locked(&self.0).is_complete())
    }

    /// How far the arguments are: open, complete, incomplete, or broken with its fault.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = py.detach(|| locked(&self.0).state());
        convert::json(py, &text)
    }

    /// What the call is, by these arguments, and which fields of its input may yet get longer.
    fn identify<'py>(&self, call: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, call) = (call.py(), write::text(call)?);
        let answer = py.detach(|| locked(&self.0).identify(call.as_bytes()));
        convert::json(py, &answer.map_err(|error| error::raise(py, error))?)
    }
}
