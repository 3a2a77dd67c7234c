//! How much a document may hold.

/// What a document may hold. A limit that is not wanted is `usize::MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Containers inside each other.
    pub(crate) depth: usize,
    /// Brackets, keys and scalars.
    pub(crate) tokens: usize,
    /// Elements of one array.
    pub(crate) items: usize,
    /// Members of one object.
    pub(crate) members: usize,
    /// Bytes of a key, decoded.
    pub(crate) key_bytes: usize,
    /// Bytes of a number.
    pub(crate) number_bytes: usize,
}

impl Limits {
    /// The depth alone.
    pub(crate) const fn depth(depth: usize) -> Self {
        let none = usize::MAX;
        Limits { depth, tokens: none, items: none, members: none, key_bytes: none, number_bytes: none }
    }
}

/// The limit that a document breaks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Depth,
    Tokens,
    Items,
    Members,
    KeyBytes,
    NumberBytes,
}
