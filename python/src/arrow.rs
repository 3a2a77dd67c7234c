//! Calls as an Arrow table, through the PyCapsule interface.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Int64Builder, LargeStringBuilder, ListBuilder, StringBuilder, StringDictionaryBuilder,
    TimestampMillisecondBuilder, UInt64Builder,
};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use toolprism::ToolCall;
use toolprism_cli::FileReport;
use toolprism_facade::calls;
use toolprism_facade::record::Datum;

use crate::error;

/// A column while it is filled.
enum Column {
    /// Texts of which there are few different ones.
    Few(StringDictionaryBuilder<Int32Type>),
    Text(LargeStringBuilder),
    Bool(BooleanBuilder),
    Int(Int64Builder),
    Count(UInt64Builder),
    Time(TimestampMillisecondBuilder),
    List(ListBuilder<StringBuilder>),
}

impl Column {
    fn new(name: &str) -> Self {
        match name {
            "name" | "label" | "kind" | "namespace" | "status" | "harness" | "format" | "why" => {
                Column::Few(StringDictionaryBuilder::new())
            }
            "read_only" | "known" => Column::Bool(BooleanBuilder::new()),
            "exit_code" => Column::Int(Int64Builder::new()),
            "line" | "offset" | "duration_ms" => Column::Count(UInt64Builder::new()),
            "started_at" | "ended_at" => Column::Time(TimestampMillisecondBuilder::new().with_timezone("UTC")),
            "flags" => Column::List(ListBuilder::new(StringBuilder::new())),
            _ => Column::Text(LargeStringBuilder::new()),
        }
    }

    fn data_type(name: &str) -> DataType {
        match Column::new(name) {
            Column::Few(_) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Column::Text(_) => DataType::LargeUtf8,
            Column::Bool(_) => DataType::Boolean,
            Column::Int(_) => DataType::Int64,
            Column::Count(_) => DataType::UInt64,
            Column::Time(_) => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
            Column::List(_) => DataType::new_list(DataType::Utf8, true),
        }
    }

    /// Appends a value; times are taken from `time`, as the record has them as text.
    fn push(&mut self, value: &Datum<'_>, time: Option<i64>) -> Result<(), ArrowError> {
        let text = match value {
            Datum::Text(text) | Datum::Json(text) => Some(text.as_ref()),
            _ => None,
        };
        match self {
            Column::Few(column) => {
                if let Some(text) = text {
                    column.append(text)?;
                } else {
                    column.append_null();
                }
            }
            Column::Text(column) => column.append_option(text),
            Column::Bool(column) => column.append_option(if let Datum::Bool(on) = value { Some(*on) } else { None }),
            Column::Int(column) => column.append_option(if let Datum::Int(n) = value { Some(*n) } else { None }),
            Column::Count(column) => column.append_option(if let Datum::Count(n) = value { Some(*n) } else { None }),
            Column::Time(column) => column.append_option(time),
            Column::List(column) => {
                if let Datum::List(items) = value {
                    for item in items {
                        column.values().append_option(if let Datum::Text(text) = item { Some(text) } else { None });
                    }
                }
                column.append(true);
            }
        }
        Ok(())
    }

    fn finish(self) -> ArrayRef {
        match self {
            Column::Few(mut column) => Arc::new(column.finish()),
            Column::Text(mut column) => Arc::new(column.finish()),
            Column::Bool(mut column) => Arc::new(column.finish()),
            Column::Int(mut column) => Arc::new(column.finish()),
            Column::Count(mut column) => Arc::new(column.finish()),
            Column::Time(mut column) => Arc::new(column.finish()),
            Column::List(mut column) => Arc::new(column.finish()),
        }
    }
}

fn names(raw_input: bool) -> impl Iterator<Item = &'static str> {
    calls::NAMES.iter().copied().chain(raw_input.then_some(calls::RAW_INPUT))
}

fn schema_of(raw_input: bool) -> Arc<Schema> {
    let fields: Vec<Field> = names(raw_input).map(|name| Field::new(name, Column::data_type(name), true)).collect();
    Arc::new(Schema::new(fields))
}

/// A table with a row for each call.
pub(crate) fn table<'a>(
    calls: impl Iterator<Item = (&'a FileReport, &'a ToolCall)>,
    raw_input: bool,
) -> Result<RecordBatch, ArrowError> {
    let mut columns: Vec<Column> = names(raw_input).map(Column::new).collect();
    for (file, call) in calls {
        let record = calls::record(Some(&file.path), file.format, call, raw_input);
        for (column, (name, value)) in columns.iter_mut().zip(&record) {
            let time = if *name == "started_at" { call.started_at } else { call.ended_at };
            column.push(value, time)?;
        }
    }
    RecordBatch::try_new(schema_of(raw_input), columns.into_iter().map(Column::finish).collect())
}

/// A table as a capsule.
pub(crate) fn stream(py: Python<'_>, table: Result<RecordBatch, ArrowError>) -> PyResult<Bound<'_, PyCapsule>> {
    let table = table.map_err(|error| failed(py, &error))?;
    let schema = table.schema();
    let reader = RecordBatchIterator::new([Ok(table)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}

/// The table's schema as a capsule.
pub(crate) fn schema(py: Python<'_>, raw_input: bool) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema_of(raw_input).as_ref()).map_err(|error| failed(py, &error))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

fn failed(py: Python<'_>, error: &ArrowError) -> PyErr {
    error::plain(py, "no_table", &error.to_string())
}
