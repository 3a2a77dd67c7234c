//! What wit-bindgen makes of the world.
#![allow(missing_docs, unreachable_pub, unsafe_op_in_unsafe_fn)]

use toolprism_facade as facade;

use crate::Tools;

wit_bindgen::generate!({ path: "wit", world: "tools" });

export!(Tools);

pub(crate) use exports::toolprism::tools as api;

impl From<facade::Error> for api::types::Error {
    fn from(error: facade::Error) -> Self {
        api::types::Error {
            kind: error.kind.into(),
            message: error.message,
            file: error.file.map(Into::into),
            line: error.line,
            column: error.column,
            offset: error.offset,
            hint: error.hint.map(Into::into),
        }
    }
}
