//! The interface `finalizing`.

use std::cell::RefCell;

use toolprism_facade as facade;

use crate::Tools;
use crate::bindings::api::finalizing::{Finalizer, Guest, GuestFinalizer};
use crate::bindings::api::types::Error;

/// A finalizer behind a handle. A component is never entered twice at once, so no two borrows meet.
pub(crate) struct Judge(RefCell<facade::Finalizer>);

impl Guest for Tools {
    type Finalizer = Judge;
}

impl GuestFinalizer for Judge {
    fn create(options: String) -> Result<Finalizer, Error> {
        let finalizer = facade::Finalizer::new(options.as_bytes())?;
        Ok(Finalizer::new(Judge(RefCell::new(finalizer))))
    }

    fn finalize(&self, question: String) -> Result<String, Error> {
        Ok(self.0.borrow_mut().finalize(question.as_bytes())?)
    }
}
