//! The interface `partial`.

use std::cell::RefCell;

use toolprism_facade as facade;

use crate::Tools;
use crate::bindings::api::partial::{Guest, GuestPartialInput, PartialInput};
use crate::bindings::api::types::Error;

/// Arguments behind a handle. A component is never entered twice at once, so no two borrows meet.
pub(crate) struct Arguments(RefCell<facade::PartialInput>);

impl Guest for Tools {
    type PartialInput = Arguments;
}

impl GuestPartialInput for Arguments {
    fn create(options: String) -> Result<PartialInput, Error> {
        let input = facade::PartialInput::new(options.as_bytes())?;
        Ok(PartialInput::new(Arguments(RefCell::new(input))))
    }

    fn push(&self, bytes: Vec<u8>) {
        self.0.borrow_mut().push(&bytes);
    }

    fn finish(&self) {
        self.0.borrow_mut().finish();
    }

    fn visible(&self) -> String {
        self.0.borrow().visible()
    }

    fn is_complete(&self) -> bool {
        self.0.borrow().is_complete()
    }

    fn state(&self) -> String {
        self.0.borrow().state()
    }

    fn identify(&self, call: String) -> Result<String, Error> {
        Ok(self.0.borrow().identify(call.as_bytes())?)
    }
}
