//! Members that a missing bracket may have moved into the wrong object.

use alloc::vec::Vec;

use super::place::Place;
use crate::json::{Kind, Value};

/// The key of a member that its object does not declare, but one around it does and lacks: where closing brackets had to be
/// added, it may have been meant for that one. If they were added at the end only, the last of each level is what counts.
pub(in crate::guarded) fn misplaced<'d>(root: Value<'d>, place: Place<'_>, at_end: bool) -> Option<Value<'d>> {
    Search { at_end, around: Vec::new() }.find(root, place)
}

struct Search<'d, 's> {
    at_end: bool,
    /// The objects on the way, with their rules.
    around: Vec<(Value<'d>, Place<'s>)>,
}

impl<'d, 's> Search<'d, 's> {
    fn find(&mut self, value: Value<'d>, place: Place<'s>) -> Option<Value<'d>> {
        match value.kind() {
            Kind::Object => {
                let stray = value.members().map(|(key, _)| key).find(|key| self.is_stray(*key, &place));
                if stray.is_some() {
                    return stray;
                }
                self.around.push((value, place.clone()));
                let last = self.from(value.members().count());
                let found = value
                    .members()
                    .skip(last)
                    .find_map(|(key, member)| place.member(&key.str()).and_then(|place| self.find(member, place)));
                self.around.pop();
                found
            }
            Kind::Array => {
                let last = self.from(value.items().count());
                value.items().enumerate().skip(last).find_map(|(at, item)| self.find(item, place.element(at)))
            }
            _ => None,
        }
    }

    fn from(&self, count: usize) -> usize {
        if self.at_end { count.saturating_sub(1) } else { 0 }
    }

    fn is_stray(&self, key: Value<'d>, place: &Place<'s>) -> bool {
        let name = key.str();
        let lacks = |(object, place): &(Value<'d>, Place<'s>)| place.declares(&name) && object.get(&name).is_none();
        !place.declares(&name) && self.around.iter().any(lacks)
    }
}
