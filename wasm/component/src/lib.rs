//! The guest of the world `tools`: its exports, each a call into the facade.

mod bindings;
mod finalizing;
mod ledger;
mod partial;
mod plain;

/// What implements the world's interfaces.
struct Tools;
