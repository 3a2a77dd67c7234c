//! The interfaces that are functions: `meta`, `identity` and `session`.

use toolprism_facade as facade;

use crate::Tools;
use crate::bindings::api::types::Error;
use crate::bindings::api::{identity, meta, session};

impl meta::Guest for Tools {
    fn parse(meta: String) -> Result<Option<String>, Error> {
        Ok(facade::parse_meta(meta.as_bytes(), false)?)
    }

    fn parse_strict(meta: String) -> Result<Option<String>, Error> {
        Ok(facade::parse_meta(meta.as_bytes(), true)?)
    }

    fn stamp(meta: String, envelope: String) -> Result<String, Error> {
        Ok(facade::stamp_meta(meta.as_bytes(), envelope.as_bytes())?)
    }
}

impl identity::Guest for Tools {
    fn identify(call: String) -> Result<String, Error> {
        Ok(facade::identify(call.as_bytes())?)
    }
}

impl session::Guest for Tools {
    fn read_session(log: Vec<u8>, options: String) -> Result<String, Error> {
        Ok(facade::read_session(&log, options.as_bytes())?)
    }
}
