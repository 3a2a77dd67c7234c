//! What one call is.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism::partial::{PartialInput, State, View};
use toolprism::{Call, Identity, Input};

use crate::error::{Error, object};
use crate::record::{Datum, Record, object_text, one_line, write_object};

/// The members of a call that are texts, in the order in which they are taken apart below.
const TEXTS: [&str; 7] = ["harness", "namespace", "version", "name", "title", "acp_kind", "acp_name"];

/// Identifies the call that a JSON object describes: any of `harness`, `namespace`, `version`, `name`, `title`, `acp_kind`,
/// `acp_name` (texts), `raw_input` and `meta`. The answer is the envelope as a JSON object, followed by `why` and, for MCP
/// calls, `server` and `tool`.
///
/// ```
/// let answer = toolprism_facade::identify(br#"{"harness":"claude_code","name":"Read","raw_input":{"file_path":"a"}}"#)?;
/// assert!(answer.ends_with(r#""input":{"path":"a"},"why":"catalog"}"#), "{answer}");
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub fn identify(call: &[u8]) -> Result<String, Error> {
    let json = object(call)?;
    Ok(Identified(identify_members(&json, given, no_string(call))?).text())
}

/// As [`identify`], for an object of the host's own, of which only the members needed are looked at.
pub fn identify_view<V: JsonView>(call: &V) -> Result<String, Error> {
    Ok(identified_view(call)?.text())
}

/// As [`identify_view`], for hosts that want no text.
pub fn identified_view<V: JsonView>(call: &V) -> Result<Identified, Error> {
    if !call.is_object() {
        return Err(Error::new("not_an_object", "a call must be an object"));
    }
    let wrong = |name: &str, _: &V| Error::new("wrong_type", format!("\"{name}\" must be a string"));
    Ok(Identified(identify_members(call, given, wrong)?))
}

/// As [`identify`], with these arguments in place of the call's own: they may still stream, and the answer says which fields
/// grow.
pub(crate) fn identify_arguments(call: &[u8], arguments: Option<View<'_>>) -> Result<String, Error> {
    let json = object(call)?;
    let meta = json.get("meta").map(|meta| as_arguments(call, meta)).transpose()?;
    let with = |_, _| (arguments, meta.as_ref().and_then(PartialInput::view));
    let mut identity = identify_members(&json, with, no_string(call))?;
    identity.meta.extra.remove(GROWING);
    let growing = vec![(GROWING, Datum::list(identity.growing.iter().map(|field| field.as_str())))];
    Ok(joined(&Identified(identity).text(), &growing))
}

/// A `_meta`, read as arguments are, so that both can be looked at in the same way.
fn as_arguments(call: &[u8], meta: RawJson<'_>) -> Result<PartialInput, Error> {
    let mut input = PartialInput::new();
    input.push(meta.text());
    match input.finish() {
        State::Broken(error) => {
            let found = Error::wrong_type(call, meta, format!("\"meta\" cannot be read: {}", error.fault));
            Err(Error { kind: "bad_meta", offset: found.offset.map(|start| start + error.offset as u64), ..found })
        }
        _ => Ok(input),
    }
}

/// A JSON object, with these members behind its own, of which it has some.
fn joined(object: &str, members: &Record<'_>) -> String {
    let mut tail = Vec::new();
    write_object(members, &mut tail);
    // The two objects become one.
    let tail = core::str::from_utf8(&tail).unwrap_or_default().strip_prefix('{').unwrap_or_default();
    [object.strip_suffix('}').unwrap_or(object), tail].join(",")
}

/// What to say of a member that should be a string.
fn no_string(call: &[u8]) -> impl Fn(&str, &RawJson<'_>) -> Error {
    move |name, member| Error::wrong_type(call, *member, format!("\"{name}\" must be a string"))
}

/// The arguments and the `_meta` as the call has them.
fn given<V>(raw_input: Option<V>, meta: Option<V>) -> (Option<V>, Option<V>) {
    (raw_input, meta)
}

/// `with` makes the arguments and the `_meta` to look at of those in the call.
fn identify_members<V: JsonView, W: JsonView>(
    call: &V,
    with: impl FnOnce(Option<V>, Option<V>) -> (Option<W>, Option<W>),
    wrong: impl Fn(&str, &V) -> Error,
) -> Result<Identity, Error> {
    let mut members: [Option<V>; TEXTS.len() + 2] = Default::default();
    let [a, b, c, d, e, f, g] = TEXTS;
    call.pick(&[a, b, c, d, e, f, g, "raw_input", "meta"], &mut members);
    for (name, member) in TEXTS.iter().zip(&mut members) {
        match member.as_ref().map(JsonView::json_type) {
            Some(JsonType::Null) => *member = None,
            None | Some(JsonType::String) => {}
            Some(_) => return Err(member.as_ref().map_or_else(Error::default, |member| wrong(name, member))),
        }
    }
    let [texts @ .., raw_input, meta] = &members;
    let texts: [Option<Cow<'_, str>>; TEXTS.len()] = texts.each_ref().map(|text| text.as_ref().and_then(V::as_str));
    let [harness, namespace, version, name, title, acp_kind, acp_name] = &texts;
    let present = |member: &Option<V>| member.clone().filter(|member| !member.is_null());
    let (raw_input, meta) = with(present(raw_input), present(meta));
    Ok(toolprism::identify(&Call {
        harness: harness.as_deref(),
        namespace: namespace.as_deref(),
        version: version.as_deref(),
        name: name.as_deref(),
        title: title.as_deref(),
        acp_kind: acp_kind.as_deref(),
        acp_name: acp_name.as_deref(),
        raw_input,
        meta,
        ..Call::default()
    }))
}

/// What a call is.
#[derive(Clone, Debug)]
pub struct Identified(Identity);

/// The most members that an answer has.
const FIELDS: usize = 10;

/// The members that are put behind the envelope's own.
const OURS: [&str; 3] = ["why", "server", "tool"];

/// The member behind those, where arguments stream.
const GROWING: &str = "growing";

impl Identified {
    /// The answer as a record; `None` where the envelope has members that this version does not know.
    pub fn record(&self) -> Option<Record<'_>> {
        let meta = &self.0.meta;
        if !meta.extra.is_empty() {
            return None;
        }
        let mut record = Record::with_capacity(FIELDS);
        record.extend([
            ("version", u64::from(meta.version).into()),
            ("name", meta.name.as_str().into()),
            ("kind", meta.kind.as_str().into()),
            ("namespace", meta.namespace.as_str().into()),
            ("label", (&*meta.label).into()),
            ("read_only", meta.read_only.into()),
        ]);
        record.extend(meta.input.as_ref().map(|input| ("input", input_datum(input))));
        self.add_ours(&mut record);
        Some(record)
    }

    fn add_ours<'r>(&'r self, record: &mut Record<'r>) {
        record.push(("why", self.0.why.as_str().into()));
        if let Some(mcp) = &self.0.mcp {
            record.extend([("server", mcp.server.as_str().into()), ("tool", mcp.tool.as_str().into())]);
        }
    }

    /// The answer as the text of a JSON object.
    pub fn text(&self) -> String {
        self.record().map_or_else(|| self.text_with_extra(), |record| object_text(&record))
    }

    /// The envelope, its unknown members included, then what led to it. The envelope's own members of our names give way.
    fn text_with_extra(&self) -> String {
        let mut meta = self.0.meta.clone();
        for name in OURS {
            meta.extra.remove(name);
        }
        let envelope = serde_json::to_string(&meta).unwrap_or_default();
        let mut ours = Record::new();
        self.add_ours(&mut ours);
        joined(&one_line(&envelope), &ours)
    }
}

/// An input as a value of a record.
pub(crate) fn input_datum(input: &Input) -> Datum<'_> {
    let input = match input {
        Input::Canonical(input) => input,
        Input::Foreign(value) => return Datum::Json(Cow::Owned(value.to_string())),
    };
    fn text<'a>(name: &'static str, text: &'a Option<String>) -> Option<(&'static str, Datum<'a>)> {
        Some((name, text.as_deref()?.into()))
    }
    let count = |name, count: Option<u64>| Some((name, Datum::from(count?)));
    let members = [
        text("path", &input.path),
        count("offset", input.offset),
        count("limit", input.limit),
        text("command", &input.command),
        text("description", &input.description),
        text("cwd", &input.cwd),
        text("directory", &input.directory),
        text("pattern", &input.pattern),
    ];
    Datum::Object(members.into_iter().flatten().collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_what_the_envelope_says() {
        for call in [
            r#"{"harness":"claude_code","name":"Read","raw_input":{"file_path":"a\"\n\u0007é","offset":3,"limit":5}}"#,
            r#"{"harness":"claude_code","name":"Bash","raw_input":{"command":"ls","description":"List"}}"#,
            r#"{"harness":"claude_code","name":"Grep","raw_input":{"pattern":"x","path":"d"}}"#,
            r#"{"harness":"claude_code","name":"mcp__srv__do_it","raw_input":{}}"#,
            r#"{"meta":{"x.ai/tool":{"version":1,"name":"ls","kind":"list","namespace":"codex","label":"List Files","read_only":true,"input":{"directory":"d","cwd":"c","odd":[1.5,null]}}}}"#,
            r#"{"name":"nobody knows"}"#,
            "{}",
        ] {
            let found = identified_view(&RawJson::parse(call).unwrap()).unwrap();
            assert_eq!(object_text(&found.record().unwrap()), found.text_with_extra(), "{call}");
        }
    }
}
