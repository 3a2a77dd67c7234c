//! Members that a missing bracket may have moved into the wrong object.

use alloc::vec::Vec;

use super::place::Place;
use crate::json::{Kind, Value};

/// The key of a member that its object does not declare, but one around it does and lacks: where closing brackets had to be
/// added, it may have been meant for that one.
pub(in crate::guarded) fn misplaced<'d>(root: Value<'d>, place: Place<'_>) -> Option<Value<'d>> {
    find(root, place, &mut Vec::new())
}

/// `around` holds the objects on the way, with their rules.
fn find<'d, 's>(value: Value<'d>, place: Place<'s>, around: &mut Vec<(Value<'d>, Place<'s>)>) -> Option<Value<'d>> {
    match value.kind() {
        Kind::Object => {
            around.push((value, place.clone()));
            let found = value.members().find_map(|(key, member)| {
                let name = key.str();
                let missed =
                    |(object, place): &(Value<'d>, Place<'s>)| place.declares(&name) && object.get(&name).is_none();
                if !place.declares(&name) && around.iter().any(missed) {
                    return Some(key);
                }
                find(member, place.member(&name)?, around)
            });
            around.pop();
            found
        }
        Kind::Array => value.items().enumerate().find_map(|(index, item)| find(item, place.element(index), around)),
        _ => None,
    }
}
