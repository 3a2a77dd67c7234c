//! The crate as its users see it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod dispatch;
mod hostile;
mod output;
mod registry;
mod tools;
