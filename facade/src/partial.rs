//! What is visible of arguments while they stream.

use alloc::format;
use alloc::string::{String, ToString};

use toolprism::json::{JsonType, JsonView};
use toolprism::partial::{Event, PartialInput, State};

use crate::error::{Error, object};
use crate::record::{Record, object_text, one_line};

/// A longer document is refused: what is visible of it is written after each byte.
pub const MOST_DOC_BYTES: usize = 32 << 10;

/// Shows what is visible of a document after each of its bytes. The question is a JSON object: `doc`, the text; `lenient`, whether
/// to read it as models write it (`false` if absent). In the answer, a JSON object, `steps` has a list
/// `[bytes, visible, closed]` for each number of bytes from which something else is visible; `fault` says what is wrong with the
/// document, if anything is.
///
/// ```
/// let answer = toolprism_facade::partial_steps(br#"{"doc":"{\"n\":12}"}"#)?;
/// assert_eq!(answer, r#"{"steps":[[0,null,false],[1,{},false],[8,{"n":12},true]]}"#);
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub fn partial_steps(question: &[u8]) -> Result<String, Error> {
    let question_json = object(question)?;
    let wrong = |member, message: &str| Err(Error::wrong_type(question, member, message.into()));
    let doc = match question_json.get("doc") {
        None => return Err(Error::new("missing_member", "\"doc\" is missing: give the document as a string")),
        Some(doc) if doc.json_type() != JsonType::String => return wrong(doc, "\"doc\" must be a string"),
        Some(doc) => doc,
    };
    let lenient = match question_json.get("lenient").filter(|lenient| !lenient.is_null()) {
        Some(lenient) if lenient.as_bool().is_none() => return wrong(lenient, "\"lenient\" must be true or false"),
        lenient => lenient.and_then(|lenient| lenient.as_bool()).unwrap_or_default(),
    };
    let text = doc.str().unwrap_or_default();
    if text.len() > MOST_DOC_BYTES {
        let message = format!("the document has {} bytes, and {MOST_DOC_BYTES} is the most", text.len());
        return Err(Error { kind: "too_long", ..Error::wrong_type(question, doc, message) });
    }
    Ok(steps(&text, lenient))
}

fn steps(doc: &str, lenient: bool) -> String {
    let mut input = if lenient { PartialInput::lenient() } else { PartialInput::new() };
    let mut out = String::from("{\"steps\":[[0,null,false]");
    let mut closed = false;
    for (i, byte) in doc.bytes().enumerate() {
        let mut changed = false;
        input.push_with([byte], |event| changed |= !matches!(event, Event::Closed(_)));
        if changed || input.is_complete() != closed {
            closed = input.is_complete();
            let visible = input.to_text().unwrap_or_else(|| "null".into());
            out.push_str(&format!(",[{},{},{closed}]", i + 1, one_line(&visible)));
        }
    }
    out.push(']');
    if let State::Broken(error) = input.state() {
        let message = error.fault.to_string();
        let fault: Record<'_> = alloc::vec![
            ("code", error.fault.as_str().into()),
            ("offset", error.offset.into()),
            ("message", message.as_str().into()),
        ];
        out.push_str(",\"fault\":");
        out.push_str(&object_text(&fault));
    }
    out.push('}');
    out
}
