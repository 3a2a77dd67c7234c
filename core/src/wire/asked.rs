//! The calls of a turn that have no result yet, for wires whose results do not always name their call.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// More calls than this are not remembered; of more, the oldest are forgotten.
const MOST: usize = 256;

#[derive(Default)]
pub(super) struct Asked(Vec<Call>);

struct Call {
    /// The id that its events have.
    id: String,
    /// The id that the source gives it, if any.
    given: Option<String>,
    name: String,
}

impl Asked {
    /// Remembers a call, and returns the id for its events: the one given, with a number if another call has it already,
    /// or else the one made for it.
    pub(super) fn ask(&mut self, given: Option<&str>, name: &str, made: impl FnOnce() -> String) -> String {
        let same = self.0.iter().filter(|call| given.is_some() && call.given.as_deref() == given).count();
        let id = match given {
            Some(given) if same == 0 => given.to_owned(),
            Some(given) => format!("{given}#{}", same + 1),
            None => made(),
        };
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(Call { id: id.clone(), given: given.map(ToOwned::to_owned), name: name.to_owned() });
        id
    }

    /// Learns more of a call that its stream did not say at once.
    pub(super) fn learn(&mut self, id: &str, given: Option<&str>, name: &str) {
        if let Some(call) = self.0.iter_mut().find(|call| call.id == id) {
            name.clone_into(&mut call.name);
            call.given = call.given.take().or_else(|| given.map(ToOwned::to_owned));
        }
    }

    /// The id that the events of an open call have, by the id that its source gives it.
    pub(super) fn find(&self, given: &str) -> Option<&str> {
        self.0.iter().find(|call| call.given.as_deref() == Some(given)).map(|call| call.id.as_str())
    }

    /// The id of the call that a result belongs to: by its own id, else of the calls without one by name, else by order.
    pub(super) fn answer(&mut self, given: Option<&str>, name: Option<&str>) -> Option<String> {
        let named = |call: &Call| name.is_none_or(|name| call.name == name);
        let at = match given {
            Some(given) => {
                let own = self.0.iter().position(|call| call.given.as_deref() == Some(given));
                own.or_else(|| name.and(self.0.iter().position(|call| call.given.is_none() && named(call))))
            }
            None => self.0.iter().position(named),
        };
        at.map(|at| self.0.remove(at).id)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
