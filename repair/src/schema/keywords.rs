//! What a keyword may hold: the part of the metaschemas that tells a schema from something else.
