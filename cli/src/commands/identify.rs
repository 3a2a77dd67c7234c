//! `toolprism identify`: what single calls are, a line each.

use std::borrow::Cow;
use std::io;

use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism::{Call, Identity, identify};

use crate::Exit;
use crate::args::{Global, IdentifyArgs};
use crate::data::{Record, write_object};
use crate::lines::{Fault, answer_lines, object};

pub(crate) fn run(args: &IdentifyArgs, global: &Global) -> io::Result<Exit> {
    answer_lines(&args.file, "identify", global, |line| Ok(answer(line)?.map(|found| write_found(&found))))
}

/// The members of a line that are texts, in the order in which they are taken apart below.
const TEXTS: [&str; 7] = ["harness", "namespace", "version", "name", "title", "acp_kind", "acp_name"];

fn answer(line: &[u8]) -> Result<Option<Identity>, Fault> {
    let Some(json) = object(line)? else { return Ok(None) };
    let mut members = [None; TEXTS.len()];
    json.pick(&TEXTS, &mut members);
    let mut texts: [Option<Cow<'_, str>>; TEXTS.len()] = Default::default();
    for ((name, member), text) in TEXTS.iter().zip(members).zip(&mut texts) {
        let Some(member) = member.filter(|member| !member.is_null()) else { continue };
        *text = member.str();
        if member.json_type() != JsonType::String {
            return Err(Fault::wrong_type(line, member, format!("\"{name}\" must be a string")));
        }
    }
    let [harness, namespace, version, name, title, acp_kind, acp_name] = &texts;
    let present = |name| json.get(name).filter(|member: &RawJson<'_>| !member.is_null());
    Ok(Some(identify(&Call {
        harness: harness.as_deref(),
        namespace: namespace.as_deref(),
        version: version.as_deref(),
        name: name.as_deref(),
        title: title.as_deref(),
        acp_kind: acp_kind.as_deref(),
        acp_name: acp_name.as_deref(),
        raw_input: present("raw_input"),
        meta: present("meta"),
        ..Call::default()
    })))
}

/// The members that this program puts behind the envelope's own.
const OURS: [&str; 3] = ["why", "server", "tool"];

/// The envelope, its unknown members included, then what led to it. The envelope's own members of our names give way.
fn write_found(found: &Identity) -> Vec<u8> {
    let mut meta = found.meta.clone();
    for name in OURS {
        meta.extra.remove(name);
    }
    let envelope = serde_json::to_string(&meta).unwrap_or_default();
    let mut ours: Record<'_> = vec![("why", found.why.as_str().into())];
    if let Some(mcp) = &found.mcp {
        ours.extend([("server", mcp.server.as_str().into()), ("tool", mcp.tool.as_str().into())]);
    }
    let mut buffer = envelope.strip_suffix('}').unwrap_or(&envelope).as_bytes().to_vec();
    buffer.push(b',');
    let start = buffer.len();
    write_object(&ours, &mut buffer);
    // The two objects become one.
    buffer.remove(start);
    buffer
}
