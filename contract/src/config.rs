//! Validation of configuration.
