//! A call inside the arguments of a call: `{"name": ..., "arguments": {...}}` where the tool has no such parameters.

use alloc::string::String;

use super::coerce::Place;
use super::draft::Draft;
use super::{Call, Fault, FaultCode, name, whole};
use crate::Code;
use crate::json::{Kind, Value};

/// The members that hold the arguments.
const WRAPPERS: [&str; 5] = ["arguments", "parameters", "input", "args", "properties"];

/// The members that may stand beside them, and name the tool.
const NAMES: [&str; 3] = ["name", "tool", "tool_name"];

/// Takes the arguments out of an envelope, if that is what they are.
pub(super) fn open(mut draft: Draft, call: &Call<'_>) -> Result<Draft, Fault> {
    let Some(schema) = call.schema else { return Ok(draft) };
    let parsed = super::strict(&draft)?;
    let root = parsed.tape.root(&draft.text);
    let place = Place::of(schema, &[schema.root()]);
    if place.accepts(root) {
        return Ok(draft);
    }
    let Some((inner, named)) = parts(root, &place) else { return Ok(draft) };
    let offset = draft.origin(root.offset());
    if let (Some(named), Some(tool)) = (named, call.tool)
        && !name::means(&named.str(), tool)
    {
        return Err(Fault {
            code: FaultCode::EnvelopeMismatch,
            path: "/name".into(),
            offset: draft.origin(named.offset()),
        });
    }
    if inner.kind() == Kind::String {
        let at = draft.origin(inner.offset());
        let mut opened = whole::read(&inner.str(), call)
            .map_err(|fault| Fault { offset: at, ..fault })?
            .from_inside(Code::DoubleEncoded, at)?;
        opened.changes.splice(0..0, core::mem::take(&mut draft.changes));
        opened.change(Code::Envelope, String::new(), offset)?;
        return Ok(opened);
    }
    let (from, to) = (inner.offset(), inner.offset() + inner.text().len());
    drop(parsed);
    draft.cut(from, to);
    draft.change(Code::Envelope, String::new(), offset)?;
    Ok(draft)
}

/// The arguments inside an envelope, and the name beside them.
fn parts<'a>(root: Value<'a>, place: &Place<'_>) -> Option<(Value<'a>, Option<Value<'a>>)> {
    let (mut inner, mut named) = (None, None);
    for (key, value) in root.members() {
        let key = key.str();
        if place.declares(&key) {
            return None;
        }
        let slot = match value.kind() {
            Kind::Object | Kind::String if WRAPPERS.contains(&&*key) => &mut inner,
            Kind::String if NAMES.contains(&&*key) => &mut named,
            _ => return None,
        };
        if slot.replace(value).is_some() {
            return None;
        }
    }
    inner.map(|inner| (inner, named))
}
