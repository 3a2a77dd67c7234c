//! The arguments as a whole: what stands around the object, and how often it was encoded.

use alloc::string::String;

use super::around;
use super::draft::Draft;
use super::marks;
use super::syntax::{self, is_odd_space, is_space};
use super::{Call, Fault, FaultCode, MAX_DEPTH};
use crate::json::{self, Kind, Limits, Value};
use crate::{Code, StopReason};

/// Arguments may have been encoded this often.
const MAX_ENCODED: u32 = 3;

/// Reads any text into the text of one strict JSON object.
pub(super) fn read(text: &str, call: &Call<'_>) -> Result<Draft, Fault> {
    read_encoded(text, call, 0, true)
}

/// As [`read`], where it is known that the text is no JSON.
pub(super) fn read_no_json(text: &str, call: &Call<'_>) -> Result<Draft, Fault> {
    read_encoded(text, call, 0, false)
}

/// Reads the array or object that a string inside the arguments holds, and nothing around it.
pub(super) fn container(text: &str, call: &Call<'_>) -> Result<Draft, Fault> {
    if let Ok(parsed) = json::parse(text, &Limits::depth(MAX_DEPTH))
        && parsed.over.is_none()
    {
        return Ok(Draft::of(text, 0));
    }
    let (draft, end) = syntax::read(text, 0, false, call.stop)?;
    if end < text.len() { Err(Fault::at(FaultCode::SurroundingText, end)) } else { Ok(draft) }
}

fn read_encoded(text: &str, call: &Call<'_>, encoded: u32, may_be_json: bool) -> Result<Draft, Fault> {
    let mut noise = Draft::default();
    let start = trim_start(text, &mut noise)?;
    let inner = text.get(start..).unwrap_or_default().trim_end_matches(is_space);
    let end = start + inner.len();
    if let Some(odd) = text.get(end..).and_then(|space| space.find(is_odd_space)) {
        noise.change(Code::OddWhitespace, String::new(), end + odd)?;
    }
    // Without what stands in front it may be JSON all the same.
    let may_be_json = may_be_json || !noise.changes.is_empty();
    let mut draft = one_value(inner, start, text, call, encoded, may_be_json)?;
    draft.changes.append(&mut noise.changes);
    draft.changes.sort_by_key(|change| change.offset);
    Ok(draft)
}

/// Steps over what may stand before any value.
fn trim_start(text: &str, noise: &mut Draft) -> Result<usize, Fault> {
    let mut start = 0;
    if text.starts_with('\u{feff}') {
        noise.change(Code::Bom, String::new(), 0)?;
        start = '\u{feff}'.len_utf8();
    }
    let rest = text.get(start..).unwrap_or_default();
    let space = rest.len() - rest.trim_start_matches(is_space).len();
    if let Some(odd) = rest.get(..space).and_then(|space| space.find(is_odd_space)) {
        noise.change(Code::OddWhitespace, String::new(), start + odd)?;
    }
    Ok(start + space)
}

/// `inner` is `text` from `start` on, without the white space behind it.
fn one_value(
    inner: &str,
    start: usize,
    text: &str,
    call: &Call<'_>,
    encoded: u32,
    may_be_json: bool,
) -> Result<Draft, Fault> {
    match inner {
        "" if call.stop == StopReason::Length => return Err(Fault::at(FaultCode::TruncatedLength, text.len())),
        "" => return empty(Code::EmptyArgs, start),
        "null" | "None" | "Null" | "NULL" | "undefined" => return empty(Code::NullArgs, start),
        _ => {}
    }
    if may_be_json && let Ok(parsed) = json::parse(inner, &Limits::depth(MAX_DEPTH)) {
        if let Some((_, offset)) = parsed.over {
            return Err(Fault::at(FaultCode::TooDeep, start + offset));
        }
        let root = parsed.tape.root(inner);
        if root.kind() == Kind::String && parsed.lone_surrogate.is_some() {
            return Err(Fault::at(FaultCode::LoneSurrogate, start));
        }
        return of_root(root, start, call, encoded);
    }
    if let Some(content) = escaped(inner) {
        return decoded(&content, Code::EscapedJson, start, call, encoded);
    }
    if inner.starts_with('[') && marks::token(inner).is_none() {
        let (draft, end) = syntax::read(text, start, false, call.stop)?;
        if !text.get(end..).unwrap_or_default().trim_matches(is_space).is_empty() {
            return Err(Fault::at(FaultCode::SurroundingText, end));
        }
        return of_array(draft, start);
    }
    if let Some(draft) = super::patch::wrap(inner, start, call)? {
        return Ok(draft);
    }
    around::read(text, start, call)
}

fn empty(code: Code, start: usize) -> Result<Draft, Fault> {
    let mut draft = Draft::of("{}", start);
    draft.change(code, String::new(), start)?;
    Ok(draft)
}

/// Strict JSON, whatever its type.
fn of_root(root: Value<'_>, start: usize, call: &Call<'_>, encoded: u32) -> Result<Draft, Fault> {
    match root.kind() {
        Kind::Object => Ok(Draft::of(root.text(), start)),
        Kind::Array => of_array(Draft::of(root.text(), start), start),
        Kind::String => {
            let content = root.str();
            match content.trim_matches(is_space) {
                "" => empty(Code::EmptyArgs, start),
                "null" | "None" => empty(Code::NullArgs, start),
                inner if inner.starts_with(['{', '[', '"']) => {
                    decoded(&content, Code::DoubleEncoded, start, call, encoded)
                }
                _ => Err(Fault::at(FaultCode::NotObject, start)),
            }
        }
        _ => Err(Fault::at(FaultCode::NotObject, start)),
    }
}

/// The object that the text of a string holds, quotes included.
pub(super) fn encoded(string: &str, start: usize, call: &Call<'_>) -> Result<Draft, Fault> {
    let not_json = || Fault::at(FaultCode::NotJson, start);
    let parsed = json::parse(string, &Limits::depth(0)).map_err(|_| not_json())?;
    if parsed.lone_surrogate.is_some() {
        return Err(Fault::at(FaultCode::LoneSurrogate, start));
    }
    decoded(&parsed.tape.root(string).str(), Code::DoubleEncoded, start, call, 0)
}

fn decoded(content: &str, code: Code, start: usize, call: &Call<'_>, encoded: u32) -> Result<Draft, Fault> {
    if encoded == MAX_ENCODED {
        return Err(Fault::at(FaultCode::NotObject, start));
    }
    let inner = read_encoded(content, &call.inside(), encoded + 1, true);
    inner.map_err(|fault| fault.inside_string("", start))?.inside_string(code, start)
}

/// Text that is an object with its quotes escaped: with quotes around it, it is a JSON string.
fn escaped(inner: &str) -> Option<String> {
    let open = inner.strip_prefix('"').unwrap_or(inner);
    let mut first_key = open.strip_prefix('{')?;
    loop {
        let rest = first_key.trim_start_matches(is_space);
        let rest = ["\\n", "\\t", "\\r"].iter().find_map(|space| rest.strip_prefix(space)).unwrap_or(rest);
        if rest.len() == first_key.len() {
            break;
        }
        first_key = rest;
    }
    if !first_key.starts_with("\\\"") {
        return None;
    }
    let content = if open.len() < inner.len() { open.strip_suffix('"')? } else { open };
    let string = alloc::format!("\"{}\"", content.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r"));
    // Anything but one whole string is something else: a quote that is not escaped, an escape that is none.
    let parsed = json::parse(&string, &Limits::depth(0)).ok()?;
    let root = parsed.tape.root(&string);
    let whole = root.kind() == Kind::String && parsed.lone_surrogate.is_none();
    whole.then(|| root.str().into_owned())
}

/// An array in place of the object: nothing in it, or the object alone.
fn of_array(draft: Draft, start: usize) -> Result<Draft, Fault> {
    let parsed = super::strict(&draft)?;
    let root = parsed.tape.root(&draft.text);
    let (mut objects, mut others) = (0, 0);
    for item in root.items() {
        if item.kind() == Kind::Object { objects += 1 } else { others += 1 }
    }
    match (objects, others) {
        (0, 0) => {
            let mut none = empty(Code::EmptyArgs, start)?;
            none.changes.splice(0..0, draft.changes.iter().cloned());
            Ok(none)
        }
        (1, 0) => {
            let Some(item) = root.items().next() else { return Err(Fault::at(FaultCode::NotObject, start)) };
            let mut alone = draft.part(item.offset(), item.offset() + item.text().len());
            alone.change(Code::SingleItemArray, String::new(), start)?;
            Ok(alone)
        }
        (0, _) => Err(Fault::at(FaultCode::NotObject, start)),
        _ => Err(Fault::at(FaultCode::MultipleObjects, start)),
    }
}
