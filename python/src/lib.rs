//! The Python package `toolprism`: its half in Rust. What is Python's idiom alone is written in Python, beside it.

mod arrow;
mod convert;
mod error;
mod ledger;
mod partial;
mod scan;
mod tools;
mod view;
mod write;

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

/// Bytes, or text as UTF-8. Bytes are borrowed; what only looks like bytes is copied, for its owner may change it.
fn bytes<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if let Ok(text) = data.cast::<PyString>() {
        // A lone surrogate stays one, for the reader to report.
        return Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?);
    }
    let view = data.py().import("builtins")?.getattr("memoryview")?.call1((data,))?;
    Ok(view.call_method0("tobytes")?.cast_into()?)
}

/// The lock's content: what a panic has left is still whole, for every call leaves it so.
fn locked<T>(lock: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymodule]
mod _native {
    use std::sync::Mutex;

    use pyo3::prelude::*;
    use pyo3::types::PyAny;

    use crate::view::{Faults, View};
    use crate::{bytes, convert, error, locked, write};

    #[pymodule_export]
    use crate::ledger::CallLedger;
    #[pymodule_export]
    use crate::partial::PartialInput;
    #[pymodule_export]
    use crate::scan::{NativeScan, scan};
    #[pymodule_export]
    use crate::tools::{ToolCall, ToolRegistry};

    /// The envelope in a `_meta` value, or None where there is no valid one. strict refuses unknown namespaces.
    #[pyfunction]
    #[pyo3(signature = (meta, *, strict = false))]
    fn parse_meta<'py>(meta: &Bound<'py, PyAny>, strict: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        let faults = Faults::default();
        let found = toolprism_facade::parse_meta_view(&View::new(meta, &faults), strict);
        let found = faults.or(found)?.map_err(|error| error::raise(meta.py(), error))?;
        found.map(|text| convert::json(meta.py(), &text)).transpose()
    }

    /// What a call is: its envelope, and what led to it. The dict is read in place.
    #[pyfunction]
    fn identify<'py>(call: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let faults = Faults::default();
        let found = toolprism_facade::identified_view(&View::new(call, &faults));
        let found = faults.or(found)?.map_err(|error| error::raise(call.py(), error))?;
        match found.record() {
            Some(record) => Ok(convert::record(call.py(), &record)?.into_any()),
            None => convert::json(call.py(), &found.text()),
        }
    }

    /// A copy of the `_meta` value with this envelope in it; its other members stay.
    #[pyfunction]
    fn stamp_meta<'py>(meta: &Bound<'py, PyAny>, envelope: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let faults = Faults::default();
        let stamped = toolprism_facade::stamp_meta_view(&View::new(meta, &faults), &View::new(envelope, &faults));
        let text = faults.or(stamped)?.map_err(|error| error::raise(meta.py(), error))?;
        convert::json(meta.py(), &text)
    }

    /// Reads a whole log: its calls, and a report of what was read.
    #[pyfunction]
    #[pyo3(signature = (data, *, strict = false, raw_input = false))]
    fn read_session<'py>(data: &Bound<'py, PyAny>, strict: bool, raw_input: bool) -> PyResult<Bound<'py, PyAny>> {
        let (py, data) = (data.py(), bytes(data)?);
        let (data, options) = (data.as_bytes(), crate::ledger::options(strict, raw_input));
        let read = py.detach(|| toolprism_facade::read_session(data, options.as_bytes()));
        convert::json(py, &read.map_err(|error| error::raise(py, error))?)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the program `toolprism`, and gives its exit code.
    #[pyfunction]
    fn cli(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| toolprism_cli::main(args))
    }

    /// Judges completed calls by the same rules. Schemas are compiled once and kept.
    #[pyclass(frozen, module = "toolprism")]
    struct Finalizer(Mutex<toolprism_facade::Finalizer>);

    #[pymethods]
    impl Finalizer {
        #[new]
        #[pyo3(signature = (*, profile = "guarded", without = None, max_args_bytes = None))]
        fn new(
            py: Python<'_>,
            profile: &str,
            without: Option<Vec<String>>,
            max_args_bytes: Option<u64>,
        ) -> PyResult<Self> {
            let options = pyo3::types::PyDict::new(py);
            options.set_item("profile", profile)?;
            options.set_item("without", without)?;
            options.set_item("max_args_bytes", max_args_bytes)?;
            let made = toolprism_facade::Finalizer::new(write::text(&options)?.as_bytes());
            made.map(|finalizer| Finalizer(Mutex::new(finalizer))).map_err(|error| error::raise(py, error))
        }

        /// Judges one call: pass, rewrite or reject, with the reason and a list of changes.
        fn finalize<'py>(&self, question: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let (py, question) = (question.py(), write::text(question)?);
            let judged = py.detach(|| locked(&self.0).finalize(question.as_bytes()));
            convert::json(py, &judged.map_err(|error| error::raise(py, error))?)
        }
    }
}
