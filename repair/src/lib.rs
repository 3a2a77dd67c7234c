#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod assembler;
mod call;
mod change;
mod diagnostic;
mod engine;
mod guarded;
mod json;
mod names;
mod reason;
mod reference;
mod schema;

pub use assembler::{
    Assembler, AssemblerOptions, MAX_ARGS_BYTES, Observer, OnUnjudged, Part, Pushed, StreamEvent, Unfinished,
};
pub use call::{
    Action, CompletedCall, FinalizeError, Finalizer, Meta, Outcome, RejectError, StopReason, ToolDefinition,
    materialize_sorted,
};
pub use change::{Change, Code, Severity};
pub use diagnostic::{Diagnostic, Digest, Unjudged};
pub use engine::{DEFAULT_MAX_ARGS_BYTES, Engine, Judgement, OnUnrepairable, Options, Profile};
pub use guarded::{Aligned, Allowed, Fault, FaultCode, Misfit, Reading};
pub use reason::{Reason, UnknownReason};
pub use schema::{Schema, SchemaFault, SchemaLimits, Violation, Violations};
