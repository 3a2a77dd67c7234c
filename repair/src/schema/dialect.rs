//! Which draft of JSON Schema a document is written in.

use super::SchemaFault;
use super::intake::objects;
use crate::json::{Kind, Tape, Value};

/// The drafts that are supported, the older the smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    Four,
    Six,
    Seven,
    /// 2019-09
    Nineteen,
    /// 2020-12
    Twenty,
}

const WAY_OUT: &str = "use draft-04, draft-06, draft-07, 2019-09 or 2020-12 of json-schema.org, or leave `$schema` out";

/// What the root's `$schema` names; failing that, the first one anywhere; failing that, the newest.
pub(super) fn of(root: Value<'_>, tape: &Tape) -> Result<Draft, SchemaFault> {
    let string = |object: Value<'_>| object.get("$schema").is_some_and(|value| value.kind() == Kind::String);
    // The root is the first of the objects, if it is one.
    let Some(place) = objects(root, tape).find(|object| string(*object)).and_then(|object| object.get("$schema"))
    else {
        return Ok(Draft::Twenty);
    };
    let text = place.str();
    let url = text.trim();
    let url = url.strip_suffix('#').unwrap_or(url);
    if url.is_empty() {
        return Err(SchemaFault::invalid(place, alloc::format!("`$schema` is empty; {WAY_OUT}")));
    }
    let draft = |url| named(url).ok_or_else(|| SchemaFault::unsupported(place, alloc::format!("unknown; {WAY_OUT}")));
    match url.strip_suffix('/') {
        // Close enough to be told from a dialect that is unknown, as the reference engine tells it.
        Some(rest) => draft(rest)
            .and_then(|_| Err(SchemaFault::invalid(place, "the dialect's address ends in `/`; leave that out"))),
        None => draft(url),
    }
}

fn named(url: &str) -> Option<Draft> {
    let path = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    Some(match path.strip_prefix("json-schema.org/")? {
        "draft-04/schema" => Draft::Four,
        "draft-06/schema" => Draft::Six,
        "draft-07/schema" => Draft::Seven,
        "draft/2019-09/schema" => Draft::Nineteen,
        "draft/2020-12/schema" => Draft::Twenty,
        _ => return None,
    })
}
