//! The interface `ledger`.

use std::cell::RefCell;

use toolprism_facade as facade;

use crate::Tools;
use crate::bindings::api::ledger::{CallLedger, Guest, GuestCallLedger};
use crate::bindings::api::types::Error;

/// A ledger behind a handle. A component is never entered twice at once, so no two borrows meet.
pub(crate) struct Ledger(RefCell<facade::Ledger>);

impl Guest for Tools {
    type CallLedger = Ledger;
}

impl GuestCallLedger for Ledger {
    fn create(options: String) -> Result<CallLedger, Error> {
        let ledger = facade::Ledger::new(options.as_bytes())?;
        Ok(CallLedger::new(Ledger(RefCell::new(ledger))))
    }

    fn push(&self, bytes: Vec<u8>) -> Result<(), Error> {
        Ok(self.0.borrow_mut().push(&bytes)?)
    }

    fn finish(&self) {
        self.0.borrow_mut().finish();
    }

    fn calls(&self) -> String {
        self.0.borrow().calls()
    }

    fn groups(&self, by: String) -> Result<String, Error> {
        Ok(self.0.borrow().groups(&by)?)
    }

    fn runs(&self, by: String) -> Result<String, Error> {
        Ok(self.0.borrow().runs(&by)?)
    }

    fn report(&self) -> String {
        self.0.borrow().report()
    }
}
