//! The bridge, from both of its ends and against peers that misbehave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod hostile;
mod peers;
mod served;
mod wrapped;
