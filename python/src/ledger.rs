//! Logs and live streams, bytes by bytes.

use std::sync::Mutex;

use pyo3::prelude::*;
use toolprism_facade::{Error, Ledger};

use crate::{bytes, convert, error, locked};

/// The options of a ledger, as the facade takes them.
pub(crate) fn options(strict: bool, raw_input: bool) -> String {
    format!(r#"{{"strict":{strict},"raw_input":{raw_input}}}"#)
}

/// Merges the events of a log or a live stream into calls. The format is found out from the bytes.
#[pyclass(frozen, module = "toolprism")]
pub(crate) struct CallLedger(Mutex<Ledger>);

#[pymethods]
impl CallLedger {
    #[new]
    #[pyo3(signature = (*, strict = false, raw_input = false))]
    fn new(py: Python<'_>, strict: bool, raw_input: bool) -> PyResult<Self> {
        let ledger = Ledger::new(options(strict, raw_input).as_bytes());
        ledger.map(|ledger| CallLedger(Mutex::new(ledger))).map_err(|error| error::raise(py, error))
    }

    /// Takes the next bytes, cut anywhere.
    fn push(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, data) = (data.py(), bytes(data)?);
        let data = data.as_bytes();
        py.detach(|| locked(&self.0).push(data)).map_err(|error| error::raise(py, error))
    }

    /// Says that no more bytes come: a last line without an end is read now.
    fn finish(&self, py: Python<'_>) {
        py.detach(|| locked(&self.0).finish());
    }

    /// All calls, as dicts.
    fn calls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, |ledger| Ok(ledger.calls()))
    }

    /// The groups of calls that share something, the largest first.
    #[pyo3(signature = (by = "label"))]
    fn groups<'py>(&self, py: Python<'py>, by: &str) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, |ledger| ledger.groups(by))
    }

    /// The runs of neighbouring calls that share something.
    #[pyo3(signature = (by = "label"))]
    fn runs<'py>(&self, py: Python<'py>, by: &str) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, |ledger| ledger.runs(by))
    }

    /// What was read, and what could not be.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, |ledger| Ok(ledger.report()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| locked(&self.0).len())
    }
}

impl CallLedger {
    fn answer<'py>(
        &self,
        py: Python<'py>,
        ask: impl FnOnce(&Ledger) -> Result<String, Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = py.detach(|| ask(&locked(&self.0)));
        convert::json(py, &text.map_err(|error| error::raise(py, error))?)
    }
}
