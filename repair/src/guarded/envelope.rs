//! A call inside the arguments of a call: `{"name": ..., "arguments": {...}}` where the tool has no such parameters.

use alloc::string::String;

use super::coerce::Place;
use super::draft::Draft;
use super::syntax::is_space;
use super::{Call, Fault, FaultCode, name, whole};
use crate::Code;
use crate::json::{Kind, Parsed, Value, pointer};

/// The members that hold the arguments.
const WRAPPERS: [&str; 4] = ["arguments", "parameters", "input", "properties"];

/// The members that may stand beside them, and name the tool.
const NAMES: [&str; 3] = ["name", "tool", "tool_name"];

/// The arguments inside an envelope; `None` if they stand in none.
pub(super) fn open(draft: &Draft, parsed: &Parsed, call: &Call<'_>) -> Result<Option<Draft>, Fault> {
    let Some(schema) = call.schema else { return Ok(None) };
    let root = parsed.tape.root(&draft.text);
    let place = Place::of(schema, &[schema.root()]);
    if place.accepts(root) {
        return Ok(None);
    }
    let Some((inner, named)) = parts(root, &place) else { return Ok(None) };
    if let (Some((key, named)), Some(tool)) = (named, call.tool)
        && !name::means(&named.str(), tool)
    {
        let mut path = String::new();
        pointer::push_key(&mut path, &key.str());
        return Err(Fault::new(FaultCode::EnvelopeMismatch, path, draft.origin(named.offset())));
    }
    let mut opened = if inner.kind() == Kind::String {
        let at = draft.origin(inner.offset());
        let text = inner.str();
        let text = text.trim_matches(is_space);
        // Any other text is no object that was encoded once more.
        if !text.starts_with('{') {
            return Ok(None);
        }
        let mut opened = whole::container(text, &call.inside())
            .map_err(|fault| fault.inside_string("", at))?
            .inside_string(Code::DoubleEncoded, at)?;
        opened.changes.splice(0..0, draft.changes.iter().cloned());
        opened
    } else {
        draft.part(inner.offset(), inner.offset() + inner.text().len())
    };
    opened.change(Code::Envelope, String::new(), draft.origin(root.offset()))?;
    Ok(Some(opened))
}

/// A member: its name and its value.
type Member<'a> = (Value<'a>, Value<'a>);

/// The arguments in an envelope, and the tool's name beside them.
fn parts<'a>(root: Value<'a>, place: &Place<'_>) -> Option<(Value<'a>, Option<Member<'a>>)> {
    let (mut inner, mut named) = (None, None);
    for (name, value) in root.members() {
        let key = name.str();
        if place.declares(&key) {
            return None;
        }
        let slot = match value.kind() {
            Kind::Object | Kind::String if WRAPPERS.contains(&&*key) => &mut inner,
            Kind::String if NAMES.contains(&&*key) => &mut named,
            _ => return None,
        };
        if slot.replace((name, value)).is_some() {
            return None;
        }
    }
    inner.map(|(_, inner)| (inner, named))
}
