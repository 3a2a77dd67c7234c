//! The one form of errors, as Python's exception.

use pyo3::intern;
use pyo3::prelude::*;
use toolprism_facade::Error;

/// The exception for an error.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    let make = || -> PyResult<_> {
        let class = py.import(intern!(py, "toolprism._errors"))?.getattr(intern!(py, "ToolprismError"))?;
        let Error { kind, message, file, line, column, offset, hint } = error;
        class.call1((kind, message, file.as_deref(), line, column, offset, hint.as_deref()))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// The exception for an error without a place.
pub(crate) fn plain(py: Python<'_>, kind: &'static str, message: &str) -> PyErr {
    raise(py, Error { kind, message: message.into(), ..Error::default() })
}
