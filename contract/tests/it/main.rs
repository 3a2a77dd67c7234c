//! The crate as its users see it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod dispatch;
mod hostile;
mod output;
mod reference;
mod registry;
mod stress;
mod tools;
