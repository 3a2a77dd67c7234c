//! What is visible of arguments while they stream.

use alloc::format;
use alloc::string::{String, ToString};

use toolprism::json::{JsonError, JsonType, JsonView, RawJson};
use toolprism::partial::{Event, Keep, Mode, Options, State};

use crate::error::{Error, object};
use crate::identify::identify_arguments;
use crate::record::{Datum, Record, object_text, one_line};

/// The arguments of a call while they stream.
///
/// ```
/// let mut input = toolprism_facade::PartialInput::new(br#"{"mode":"lenient"}"#)?;
/// assert_eq!(input.visible(), "null");
/// input.push(br#"{"offset": 10, "file_path": "src/ma"#);
/// assert_eq!(input.visible(), r#"{"offset":10,"file_path":"src/ma"}"#);
/// assert_eq!(input.state(), r#"{"state":"open","late":0}"#);
/// let answer = input.identify(br#"{"harness":"claude_code","name":"Read"}"#)?;
/// assert!(answer.ends_with(r#""input":{"path":"src/ma","offset":10},"why":"catalog","growing":["path"]}"#), "{answer}");
/// input.push(br#"in.rs"}"#);
/// assert!(input.is_complete());
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct PartialInput(toolprism::PartialInput);

impl PartialInput {
    /// Nothing yet. Options, as a JSON object, all of them optional: `mode` (the name of a [`Mode`]; `strict` if absent), and
    /// `keep`, what to keep of long strings: an object with `head` and `tail` in bytes, each 0 if absent, as [`Keep`] takes them.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        let json = object(options)?;
        let present = |name| json.get(name).filter(|member| !member.is_null());
        let mode = present("mode").map_or(Ok(Mode::default()), |member| mode(options, member))?;
        let keep = present("keep").map(|member| keep(options, member)).transpose()?;
        Ok(PartialInput(toolprism::PartialInput::with(Options { mode, keep, ..Options::default() })))
    }

    /// Takes the next bytes of the text, cut anywhere. After [`finish`](Self::finish) they are only counted.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Says that no more text comes. A second time nothing happens.
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// What is visible as JSON text, with what is open closed; `null` until anything is.
    pub fn visible(&self) -> String {
        self.0.to_text().map_or_else(|| "null".into(), |text| one_line(&text).into_owned())
    }

    /// Whether the arguments have come to their end.
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// How far the arguments are, as a JSON object: `state` (`open`, `complete`, `incomplete` or `broken`), of what is broken the
    /// `fault` (`code`, `offset` in bytes and `message`), and `late`, the number of bytes that came after [`finish`](Self::finish).
    pub fn state(&self) -> String {
        let state = self.0.state();
        let mut record: Record<'_> = alloc::vec![("state", state.as_str().into())];
        if let State::Broken(error) = state {
            record.push(("fault", Datum::Json(fault(error).into())));
        }
        record.push(("late", self.0.late().into()));
        object_text(&record)
    }

    /// Identifies the call that a JSON object describes, as [`identify`](crate::identify()) does, by these arguments: a `raw_input`
    /// in the object is not looked at. Behind the answer's members stands `growing`, a list of the fields of `input` that may yet get
    /// longer.
    pub fn identify(&self, call: &[u8]) -> Result<String, Error> {
        identify_arguments(call, self.0.view())
    }
}

fn mode(options: &[u8], member: RawJson<'_>) -> Result<Mode, Error> {
    let Some(name) = member.as_str() else {
        return Err(Error::wrong_type(options, member, "\"mode\" must be a string".into()));
    };
    Mode::ALL.into_iter().find(|mode| mode.as_str() == name).ok_or_else(|| {
        let message = format!("there is no mode {name:?}; known are: {}", Mode::ALL.map(Mode::as_str).join(", "));
        Error { kind: "unknown_value", ..Error::wrong_type(options, member, message) }
    })
}

fn keep(options: &[u8], member: RawJson<'_>) -> Result<Keep, Error> {
    if !member.is_object() {
        return Err(Error::wrong_type(options, member, "\"keep\" must be an object".into()));
    }
    let bytes = |name| match member.get(name).filter(|bytes| !bytes.is_null()) {
        None => Ok(0),
        Some(bytes) => bytes
            .as_i64()
            .and_then(|count| usize::try_from(count).ok())
            .ok_or_else(|| Error::wrong_type(options, bytes, format!("\"{name}\" must be a whole number, 0 or more"))),
    };
    Ok(Keep { head: bytes("head")?, tail: bytes("tail")? })
}

/// What is wrong with a text, and where.
fn fault(error: JsonError) -> String {
    let message = error.fault.to_string();
    object_text(&alloc::vec![
        ("code", error.fault.as_str().into()),
        ("offset", error.offset.into()),
        ("message", message.as_str().into()),
    ])
}

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
    let mode = if lenient { Mode::Lenient } else { Mode::Strict };
    let mut input = toolprism::PartialInput::with(Options { mode, ..Options::default() });
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
        out.push_str(",\"fault\":");
        out.push_str(&fault(error));
    }
    out.push('}');
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const READ: &[u8] = br#"{"harness":"claude_code","name":"Read"}"#;

    fn pushed(options: &str, text: &str) -> PartialInput {
        let mut input = PartialInput::new(options.as_bytes()).unwrap();
        input.push(text.as_bytes());
        input
    }

    #[test]
    fn each_mode_reads_its_text() {
        for options in ["{}", r#"{"mode":null,"keep":{"head":null,"tail":null}}"#, r#"{"mode":"strict","keep":null}"#] {
            let input = pushed(options, r#"{"a":1,}"#);
            assert_eq!(
                input.state(),
                r#"{"state":"broken","fault":{"code":"expected_key","offset":7,"message":"expected a member name"},"late":0}"#
            );
            assert_eq!((input.visible().as_str(), input.is_complete()), (r#"{"a":1}"#, false));
        }
        let lenient = pushed(r#"{"mode":"lenient"}"#, "so: {\"a\":1,}");
        assert_eq!(lenient.state(), r#"{"state":"complete","late":0}"#);
        assert_eq!((lenient.visible().as_str(), lenient.is_complete()), (r#"{"a":1}"#, true));
        let mut text = pushed(r#"{"mode":"text"}"#, "a\"b\u{2028}");
        assert_eq!((text.visible().as_str(), text.is_complete()), (r#""a\"b\u2028""#, false));
        text.finish();
        assert!(text.is_complete());
    }

    #[test]
    fn what_comes_after_the_end_is_counted() {
        let mut input = pushed("{}", r#"{"a":"b"#);
        input.finish();
        assert_eq!(input.state(), r#"{"state":"incomplete","late":0}"#);
        input.push(b"c\"}");
        input.finish();
        assert_eq!(input.state(), r#"{"state":"incomplete","late":3}"#);
        assert_eq!(input.visible(), r#"{"a":"b"}"#);
    }

    #[test]
    fn long_strings_are_kept_as_wanted() {
        let text = format!("{{\"a\":\"{}\"}}", "x".repeat(6000));
        let visible = pushed(r#"{"keep":{"tail":3}}"#, &text).visible();
        assert_eq!(visible, format!("{{\"a\":\"{}\u{2026}[1901 bytes omitted]\u{2026}xxx\"}}", "x".repeat(4096)));
        let longer = pushed(r#"{"keep":{"head":5000}}"#, &text).visible();
        assert!(longer.contains(&"x".repeat(5000)) && longer.ends_with("[1000 bytes omitted]\u{2026}\"}"), "{longer}");
        assert_eq!(pushed("{}", &text).visible(), text);
    }

    #[test]
    fn wrong_options_are_named_with_their_place() {
        for (options, kind, offset) in [
            ("", "not_json", 0),
            (" 5", "not_an_object", 1),
            (r#"{"mode":5}"#, "wrong_type", 8),
            (r#"{"mode":"Lenient"}"#, "unknown_value", 8),
            (r#"{"keep":true}"#, "wrong_type", 8),
            (r#"{"keep":{"head":-1}}"#, "wrong_type", 16),
            (r#"{"keep":{"tail":1.5}}"#, "wrong_type", 16),
        ] {
            let error = PartialInput::new(options.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.offset), (kind, Some(offset)), "{options}");
        }
        let error = PartialInput::new(br#"{"mode":"loose"}"#).unwrap_err();
        assert!(error.message.ends_with("known are: strict, lenient, text"), "{error}");
    }

    #[test]
    fn the_call_is_identified_by_these_arguments() {
        let mut input = pushed("{}", "");
        let answer = |input: &PartialInput| input.identify(READ).unwrap();
        assert!(answer(&input).ends_with(r#""read_only":true,"why":"catalog","growing":[]}"#), "{}", answer(&input));
        input.push(br#"{"file_path":"a","pages":["#);
        let with_other = input.identify(br#"{"harness":"claude_code","name":"Read","raw_input":{"file_path":"b"}}"#);
        assert_eq!(with_other.unwrap(), answer(&input));
        assert!(
            answer(&input).ends_with(r#""input":{"path":"a"},"why":"catalog","growing":[]}"#),
            "{}",
            answer(&input)
        );

        let shell = br#"{"name":"shell","harness":"codex"}"#;
        let mut list = pushed("{}", r#"{"command":["ls","-l"#);
        assert!(!list.identify(shell).unwrap().contains("\"input\""));
        list.push(b"\"]}");
        assert!(
            list.identify(shell).unwrap().contains(r#""input":{"command":"ls -l"}"#),
            "{}",
            list.identify(shell).unwrap()
        );

        let error = input.identify(br#"{"name":5}"#).unwrap_err();
        assert_eq!((error.kind, error.offset), ("wrong_type", Some(8)));
        assert_eq!(input.identify(b"[]").unwrap_err().kind, "not_an_object");
        assert_eq!(input.identify(b"{").unwrap_err().kind, "not_json");
    }

    #[test]
    fn an_envelope_in_the_call_counts_with_all_its_members() {
        let envelope =
            r#""version":1,"name":"read_file","kind":"read","namespace":"grok_build","label":"Read","read_only":true"#;
        let call =
            format!(r#"{{"meta":{{"x.ai/tool":{{{envelope},"more":{{"list":[1.5,null,true,"t"]}},"growing":1}}}}}}"#);
        let input = pushed("{}", r#"{"target_file":"a"#);
        let answer = input.identify(call.as_bytes()).unwrap();
        assert_eq!(
            answer,
            format!(
                r#"{{{envelope},"input":{{"path":"a"}},"more":{{"list":[1.5,null,true,"t"]}},"why":"envelope","growing":["path"]}}"#
            )
        );
    }

    #[test]
    fn a_meta_that_cannot_be_read_is_an_error_with_its_place() {
        let deep = |depth| format!(r#"{{"meta":{{"a":{}1{}}}}}"#, "[".repeat(depth), "]".repeat(depth));
        let error = pushed("{}", "{").identify(deep(200).as_bytes()).unwrap_err();
        assert_eq!((error.kind, error.offset), ("bad_meta", Some(8 + 5 + 127)), "{error}");
        assert_eq!(error.message, "\"meta\" cannot be read: nested too deeply");
        for fine in [deep(100).as_str(), r#"{"meta":null}"#, r#"{"meta":5}"#] {
            assert!(pushed("{}", "{").identify(fine.as_bytes()).unwrap().contains(r#""why":"nothing""#));
        }
    }

    #[test]
    fn whole_arguments_are_identified_as_if_given_at_once() {
        for (name, arguments) in [
            ("Read", r#"{"file_path":"a","offset":3,"limit":2}"#),
            ("Bash", r#"{"command":"cd /x && ls","description":"d"}"#),
            ("apply_patch", r#"{"input":"*** Begin Patch\n*** Update File: a.rs\n"}"#),
            ("mcp__srv__tool", r#"{"x":[{"y":1}]}"#),
            ("nobody", r#"{"old_string":"a","new_string":"b","file_path":"c"}"#),
        ] {
            let call = format!(r#"{{"harness":"claude_code","name":"{name}"}}"#);
            let whole = format!(r#"{{"harness":"claude_code","name":"{name}","raw_input":{arguments}}}"#);
            let expected = crate::identify(whole.as_bytes()).unwrap();
            let answer = pushed("{}", arguments).identify(call.as_bytes()).unwrap();
            assert_eq!(answer.replace(r#","growing":[]"#, ""), expected);
        }
    }
}
