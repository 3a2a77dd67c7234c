//! The formats of strings that drafts 4 to 7 assert.

/// A format that is asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Date,
}
