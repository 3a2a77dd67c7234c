//! JSON text and records as Python's objects.

use hashbrown::HashMap;
use pyo3::IntoPyObjectExt as _;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism_facade::calls;
use toolprism_facade::record::{Datum, Record};

/// Longer text is left to Python's own parser, which is the faster one for it.
const SHORT: usize = 1024;

/// The names of a canonical input that no call has.
const INPUT: [&str; 6] = ["path", "limit", "command", "description", "directory", "pattern"];

/// JSON text as objects, the same as `json.loads` gives.
pub(crate) fn json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    // Lone surrogates, which only escapes can spell, are kept by Python's parser.
    if text.len() <= SHORT
        && !text.contains("\\u")
        && let Some(object) = RawJson::parse(text).ok().and_then(|json| value(py, json))
    {
        return Ok(object);
    }
    py.import(intern!(py, "json"))?.call_method1(intern!(py, "loads"), (text,))
}

/// A value; `None` where a number is beyond 64 bits.
fn value<'py>(py: Python<'py>, json: RawJson<'_>) -> Option<Bound<'py, PyAny>> {
    Some(match json.json_type() {
        JsonType::Null => py.None().into_bound(py),
        JsonType::Bool => json.as_bool()?.into_bound_py_any(py).ok()?,
        JsonType::Number => {
            let text = std::str::from_utf8(json.text()).ok()?;
            if text.contains(['.', 'e', 'E']) {
                text.parse::<f64>().ok()?.into_bound_py_any(py).ok()?
            } else {
                text.parse::<i64>().ok()?.into_bound_py_any(py).ok()?
            }
        }
        JsonType::String => PyString::new(py, &json.str()?).into_any(),
        JsonType::Array => {
            let list = PyList::empty(py);
            for item in json.items() {
                list.append(value(py, item)?).ok()?;
            }
            list.into_any()
        }
        JsonType::Object => {
            let dict = PyDict::new(py);
            for (key, member) in json.members() {
                dict.set_item(PyString::intern(py, &key), value(py, member)?).ok()?;
            }
            dict.into_any()
        }
    })
}

/// A record as a dict.
pub(crate) fn record<'py>(py: Python<'py>, record: &Record<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in record {
        dict.set_item(key(py, name), datum(py, value)?)?;
    }
    Ok(dict)
}

/// A name of a record, made once.
fn key<'py>(py: Python<'py>, name: &'static str) -> Bound<'py, PyString> {
    static KEYS: PyOnceLock<HashMap<&'static str, Py<PyString>>> = PyOnceLock::new();
    let keys = KEYS.get_or_init(py, || {
        let names = calls::NAMES.iter().chain(&INPUT);
        names.map(|name| (*name, PyString::intern(py, name).unbind())).collect()
    });
    keys.get(name).map_or_else(|| PyString::intern(py, name), |key| key.bind(py).clone())
}

fn datum<'py>(py: Python<'py>, value: &Datum<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Datum::Null => py.None().into_bound(py),
        Datum::Bool(on) => on.into_bound_py_any(py)?,
        Datum::Int(n) => n.into_bound_py_any(py)?,
        Datum::Count(n) => n.into_bound_py_any(py)?,
        Datum::Float(n) => n.into_bound_py_any(py)?,
        Datum::Text(text) => PyString::new(py, text).into_any(),
        Datum::Json(text) => json(py, text)?,
        Datum::List(items) => {
            let items = items.iter().map(|item| datum(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Datum::Object(members) => record(py, members)?.into_any(),
    })
}
