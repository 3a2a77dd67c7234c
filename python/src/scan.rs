//! Files, found and read as the program does it.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use toolprism::ToolCall;
use toolprism_cli::{FileReport, Found, Options, Scan};
use toolprism_facade::{Error, calls, group_by};

use crate::{arrow, convert, error};

/// How often Python is asked for signals and told of the progress.
const OFTEN: Duration = Duration::from_millis(50);

/// All that was read.
#[pyclass(frozen, name = "Scan", module = "toolprism._native")]
pub(crate) struct NativeScan {
    scan: Scan,
    raw_input: bool,
    /// For each call its file and its place there.
    places: Vec<(usize, usize)>,
    problems: Vec<Error>,
}

/// Finds and reads files; without paths the logs of the agents used here.
#[pyfunction]
#[pyo3(signature = (paths, strict, raw_input, progress))]
pub(crate) fn scan(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    strict: bool,
    raw_input: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<NativeScan> {
    let found = py.detach(|| toolprism_cli::discover(&paths));
    let named = |path: &str| paths.iter().any(|named| named.to_string_lossy() == path);
    if let Some(error) = unfound(&found, |path| strict || named(path)).next() {
        return Err(error::raise(py, error));
    }
    let jobs = thread::available_parallelism().map_or(1, Into::into);
    let options = Options { strict, keep_raw_input: raw_input, keep_copies: false, jobs };
    let (files, bytes) = (found.inputs.len(), found.inputs.iter().map(|input| input.size).sum::<u64>());
    let mut stopped = Ok(());
    let mut told = Instant::now();
    let read = py.detach(|| {
        toolprism_cli::scan(&found.inputs, options, &mut |files_read, bytes_read| {
            if stopped.is_ok() && told.elapsed() >= OFTEN {
                told = Instant::now();
                stopped = Python::attach(|py| {
                    py.check_signals()?;
                    let tell = |tell: &Py<PyAny>| tell.call1(py, (files_read, files, bytes_read, bytes)).map(drop);
                    progress.as_ref().map_or(Ok(()), tell)
                });
            }
            stopped.is_ok()
        })
    });
    stopped?;
    if let Some(progress) = &progress {
        progress.call1(py, (files, files, bytes, bytes))?;
    }
    let mut problems: Vec<Error> = unfound(&found, |_| true).collect();
    for file in read.files.iter().filter(|file| !file.is_passed_over()) {
        let damaged = strict.then(|| damage(file)).flatten();
        match unreadable(file).or(damaged) {
            Some(error) if file.named || strict => return Err(error::raise(py, error)),
            problem => problems.extend(problem),
        }
    }
    let places = read.sources.iter().enumerate();
    let places = places.flat_map(|(file, source)| (0..source.calls.len()).map(move |call| (file, call))).collect();
    Ok(NativeScan { scan: read, raw_input, places, problems })
}

/// The paths that could not be found or looked into.
fn unfound(found: &Found, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = Error> {
    let wanted = found.errors.iter().filter(move |problem| wanted(&problem.path));
    wanted.map(|problem| error("unreadable", &problem.message, &problem.path))
}

/// Why a file could not be read.
fn unreadable(file: &FileReport) -> Option<Error> {
    if let Some(message) = &file.error {
        return Some(Error { offset: Some(file.tally.bytes), ..error("unreadable", message, &file.path) });
    }
    file.is_unknown().then(|| error("unknown_format", "no record of a known format", &file.path))
}

/// The first damage in a file.
fn damage(file: &FileReport) -> Option<Error> {
    let span = file.spans.iter().find(|span| span.reason.is_damage())?;
    let (line, offset) = (Some(span.place.line), Some(span.place.offset));
    Some(Error { line, offset, ..error("damaged", &span.reason.to_string(), &file.path) })
}

fn error(kind: &'static str, message: &str, file: &str) -> Error {
    Error { kind, message: message.into(), file: Some(file.into()), ..Error::default() }
}

#[pymethods]
impl NativeScan {
    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// The calls from the place `first` on, no more than `count`, as dicts.
    fn dicts<'py>(&self, py: Python<'py>, first: usize, count: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for place in self.places.iter().skip(first).take(count) {
            if let Some((file, call)) = self.call(*place) {
                let record = calls::record(Some(&file.path), file.format, call, self.raw_input);
                list.append(convert::record(py, &record)?)?;
            }
        }
        Ok(list)
    }

    fn groups<'py>(&self, py: Python<'py>, by: &str) -> PyResult<Bound<'py, PyAny>> {
        let by = group_by(by).map_err(|error| error::raise(py, error))?;
        convert::json(py, &py.detach(|| toolprism_cli::groups(&self.scan, by)))
    }

    fn runs<'py>(&self, py: Python<'py>, by: &str) -> PyResult<Bound<'py, PyAny>> {
        let by = group_by(by).map_err(|error| error::raise(py, error))?;
        convert::json(py, &py.detach(|| toolprism_cli::runs(&self.scan, by)))
    }

    /// The parts of files that could not be read.
    fn quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::json(py, &py.detach(|| toolprism_cli::quarantined(&self.scan)))
    }

    /// The figures of the scan.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::json(py, &py.detach(|| toolprism_cli::totals(&self.scan)))
    }

    /// The files that could not be found or read.
    fn problems(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.problems.iter().map(|problem| error::raise(py, problem.clone()).into_value(py).into_any()).collect()
    }

    fn __arrow_c_stream__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let table = py.detach(|| arrow::table(self.calls(), self.raw_input));
        arrow::stream(py, table)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.raw_input)
    }
}

impl NativeScan {
    fn call(&self, (file, call): (usize, usize)) -> Option<(&FileReport, &ToolCall)> {
        Some((self.scan.files.get(file)?, self.scan.sources.get(file)?.calls.get(call)?))
    }

    fn calls(&self) -> impl Iterator<Item = (&FileReport, &ToolCall)> {
        self.places.iter().filter_map(|place| self.call(*place))
    }
}
