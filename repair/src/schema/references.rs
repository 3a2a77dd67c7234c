//! Local references: where they lead, and how long their chains are.

use alloc::format;

use hashbrown::HashMap;

use super::SchemaFault;
use super::dialect::Draft;
use super::intake::objects;
use crate::json::{Kind, Tape, Value};

/// Where a reference leads.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) value: Value<'a>,
    /// The innermost schema with an identifier of its own that was passed on the way, or where the way began.
    pub(super) base: Value<'a>,
}

/// Where the local reference `text` leads from `base`: `#`, or a JSON pointer through objects.
pub(super) fn resolve<'a>(base: Value<'a>, text: &str, draft: Draft) -> Option<Target<'a>> {
    let pointer = text.strip_prefix('#')?;
    let mut target = Target { value: base, base };
    if pointer.is_empty() {
        return Some(target);
    }
    for step in pointer.strip_prefix('/')?.split('/') {
        let value = if step.contains('~') { target.value.get(&unescape(step)?) } else { target.value.get(step) }?;
        let base = if has_id(value, draft) { value } else { target.base };
        target = Target { value, base };
    }
    Some(target)
}

/// Whether references inside `value` start from it and not from the schema around it.
pub(super) fn has_id(value: Value<'_>, draft: Draft) -> bool {
    let keyword = if draft == Draft::Four { "id" } else { "$id" };
    if draft <= Draft::Seven && value.get("$ref").is_some() {
        return false;
    }
    let id = value.get(keyword).filter(|id| id.kind() == Kind::String);
    id.is_some_and(|id| !id.inner().is_empty() && !id.inner().starts_with('#'))
}

/// A step of a JSON pointer without its escapes.
fn unescape(step: &str) -> Option<alloc::string::String> {
    let known = step.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    known.then(|| step.replace("~1", "/").replace("~0", "~"))
}

/// Whether all references lead somewhere, and by chains that are no longer than `most`. A circle is no fault.
pub(super) fn check(root: Value<'_>, tape: &Tape, draft: Draft, most: usize) -> Result<(), SchemaFault> {
    // Sorted by where they stand, for they are found in the order of the text.
    let mut references = alloc::vec::Vec::new();
    for object in objects(root, tape) {
        let Some(place) = object.get("$ref").filter(|place| place.kind() == Kind::String) else { continue };
        let Some(target) = resolve(root, &place.str(), draft) else {
            let message = "a reference that leads nowhere; write `#/$defs/` and a definition's name (anchors, array indexes and percent escapes are not followed)";
            return Err(SchemaFault::invalid(place, message));
        };
        references.push(Reference {
            place: place.index(),
            target: target.value.index(),
            end: target.value.node().next,
        });
    }
    let mut chains = Chains { references: &references, most, known: HashMap::new(), open: HashMap::new(), steps: 0 };
    for reference in &references {
        if chains.length(reference, 1).0 > most {
            let place = root.at(reference.place);
            return Err(SchemaFault::invalid(
                place,
                format!("a chain of more than {most} references; make it shorter"),
            ));
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Reference {
    place: u32,
    /// The value it leads to, and the first node behind that.
    target: u32,
    end: u32,
}

/// Measures chains: a chain goes on with every reference anywhere in what the one before leads to.
struct Chains<'a> {
    references: &'a [Reference],
    most: usize,
    /// The longest chain that starts with a reference to this value, where no circle cuts it short.
    known: HashMap<u32, usize>,
    /// What the chain that is being measured leads through.
    open: HashMap<u32, ()>,
    steps: u32,
}

/// Measuring stops here: with many circles through each other there are more chains than could be measured, and a chain
/// does no harm of its own.
const MAX_STEPS: u32 = 50_000;

impl Chains<'_> {
    /// The length of the longest chain that starts with `reference`, and whether no circle cut it short. Past the limit
    /// it is not measured any further.
    fn length(&mut self, reference: &Reference, depth: usize) -> (usize, bool) {
        if let Some(length) = self.known.get(&reference.target) {
            return (*length, true);
        }
        self.steps += 1;
        if self.open.contains_key(&reference.target) || self.steps > MAX_STEPS {
            return (0, false);
        }
        if depth > self.most {
            return (1, false);
        }
        self.open.insert(reference.target, ());
        let from = self.references.partition_point(|inner| inner.place < reference.target);
        let (mut longest, mut whole) = (0, true);
        for inner in self.references.iter().skip(from).take_while(|inner| inner.place < reference.end) {
            let (length, unbroken) = self.length(inner, depth + 1);
            longest = longest.max(length);
            whole &= unbroken;
            if depth + longest > self.most {
                break;
            }
        }
        self.open.remove(&reference.target);
        if whole {
            self.known.insert(reference.target, longest + 1);
        }
        (longest + 1, whole)
    }
}
