//! The text of a patch where the arguments should be: some models leave out the JSON around it.

use alloc::string::String;

use super::draft::Draft;
use super::{Call, Fault, FaultCode};
use crate::schema::{Schema, Types};
use crate::{Code, json};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// Wraps a whole patch for a tool whose one parameter is a text; `None` if the text is no patch or the tool no such tool.
pub(super) fn wrap(inner: &str, start: usize, call: &Call<'_>) -> Result<Option<Draft>, Fault> {
    let Some(parameter) = call.schema.and_then(only_text) else { return Ok(None) };
    if !inner.starts_with(BEGIN) {
        return Ok(None);
    }
    if !inner.ends_with(END) {
        return Err(Fault::at(FaultCode::TruncatedValue, start + inner.len()));
    }
    let mut draft = Draft::default();
    draft.text.push('{');
    draft.text.push_str(&json::quoted(parameter));
    draft.text.push(':');
    draft.anchor(start);
    draft.text.push_str(&json::quoted(inner));
    draft.text.push('}');
    draft.change(Code::RawTextWrapped, String::new(), start)?;
    Ok(Some(draft))
}

/// The name of a tool's only parameter, if that is required and a text.
fn only_text(schema: &Schema) -> Option<&str> {
    let rules = schema.rules(schema.root());
    match &rules.properties[..] {
        [(name, id)] if rules.requires(name) && schema.rules(*id).types == Types::STRING => Some(name),
        _ => None,
    }
}
