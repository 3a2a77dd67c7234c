//! The assembler.
