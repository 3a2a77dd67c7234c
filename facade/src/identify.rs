//! What one call is.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use toolprism::json::{JsonType, JsonView};
use toolprism::{Call, Identity};

use crate::error::{Error, object};
use crate::record::{Record, one_line, write_object};

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
    identify_members(&json, |name, member| Error::wrong_type(call, *member, format!("\"{name}\" must be a string")))
}

/// As [`identify`], for an object of the host's own, of which only the members needed are looked at.
pub fn identify_view<V: JsonView>(call: &V) -> Result<String, Error> {
    if !call.is_object() {
        return Err(Error::new("not_an_object", "a call must be an object"));
    }
    identify_members(call, |name, _| Error::new("wrong_type", format!("\"{name}\" must be a string")))
}

fn identify_members<V: JsonView>(call: &V, wrong: impl Fn(&str, &V) -> Error) -> Result<String, Error> {
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
    Ok(text(&toolprism::identify(&Call {
        harness: harness.as_deref(),
        namespace: namespace.as_deref(),
        version: version.as_deref(),
        name: name.as_deref(),
        title: title.as_deref(),
        acp_kind: acp_kind.as_deref(),
        acp_name: acp_name.as_deref(),
        raw_input: present(raw_input),
        meta: present(meta),
        ..Call::default()
    })))
}

/// The members that are put behind the envelope's own.
const OURS: [&str; 3] = ["why", "server", "tool"];

/// The envelope, its unknown members included, then what led to it. The envelope's own members of our names give way.
fn text(found: &Identity) -> String {
    let mut meta = found.meta.clone();
    for name in OURS {
        meta.extra.remove(name);
    }
    let envelope = serde_json::to_string(&meta).unwrap_or_default();
    let mut ours: Record<'_> = alloc::vec![("why", found.why.as_str().into())];
    if let Some(mcp) = &found.mcp {
        ours.extend([("server", mcp.server.as_str().into()), ("tool", mcp.tool.as_str().into())]);
    }
    let mut tail = Vec::new();
    write_object(&ours, &mut tail);
    let mut out = one_line(envelope.strip_suffix('}').unwrap_or(&envelope)).into_owned();
    out.push(',');
    // The two objects become one.
    out.push_str(core::str::from_utf8(&tail).unwrap_or_default().strip_prefix('{').unwrap_or_default());
    out
}
