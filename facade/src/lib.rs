#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod base64;
pub mod calls;
pub mod csv;
mod error;
mod finalize;
mod find;
mod framing;
pub mod groups;
mod identify;
mod ledger;
mod live;
mod members;
mod meta;
mod output;
mod partial;
mod question;
pub mod record;
mod scan;
mod stamping;
pub mod tally;
pub mod time;
#[cfg(feature = "contract")]
pub mod tools;

pub use error::Error;
pub use finalize::Finalizer;
pub use find::CallFinder;
pub use framing::Framing;
pub use identify::{Identified, identified_view, identify, identify_view};
pub use ledger::{Ledger, group_by, read_session, span_record};
pub use live::Live;
pub use meta::{parse_meta, parse_meta_view, stamp_meta, stamp_meta_view};
pub use output::OutputPreview;
pub use partial::{MOST_DOC_BYTES, PartialInput, partial_steps};
pub use scan::{Numbers, Scan};
pub use stamping::Stamper;
