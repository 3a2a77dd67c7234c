//! The envelope, read and written.

use alloc::string::{String, ToString};

use serde_json::Value;
use toolprism::json::JsonView;
use toolprism::{META_KEY, meta};

use crate::error::{Error, json};

/// The envelope inside a `_meta` value, as a JSON object; `None` where there is no valid one. `strict` refuses namespaces
/// outside the six of the contract.
///
/// ```
/// let meta = br#"{"x.ai/tool":{"version":1,"name":"ls","kind":"list","namespace":"codex","label":"List Files","read_only":true}}"#;
/// assert!(toolprism_facade::parse_meta(meta, true)?.is_some());
/// assert_eq!(toolprism_facade::parse_meta(b"{}", false)?, None);
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub fn parse_meta(meta: &[u8], strict: bool) -> Result<Option<String>, Error> {
    parse_meta_view(&json(meta)?, strict)
}

/// As [`parse_meta`], for a value of the host's own.
pub fn parse_meta_view<V: JsonView>(meta: &V, strict: bool) -> Result<Option<String>, Error> {
    let found = if strict { meta::parse_strict(meta) } else { meta::parse(meta) };
    Ok(found.ok().and_then(|envelope| serde_json::to_string(&envelope).ok()))
}

/// The `_meta` value with this envelope in it: all its other members stay. `meta` may be `null`.
///
/// ```
/// let envelope = br#"{"version":1,"name":"ls","kind":"list","namespace":"codex","label":"List Files","read_only":true}"#;
/// let stamped = toolprism_facade::stamp_meta(br#"{"mine":1}"#, envelope)?;
/// assert!(stamped.starts_with(r#"{"mine":1,"x.ai/tool":{"version":1,"#), "{stamped}");
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub fn stamp_meta(meta: &[u8], envelope: &[u8]) -> Result<String, Error> {
    stamp_meta_view(&json(meta)?, &json(envelope)?)
}

/// As [`stamp_meta`], for values of the host's own.
pub fn stamp_meta_view<V: JsonView, E: JsonView>(meta: &V, envelope: &E) -> Result<String, Error> {
    let envelope = meta::parse_envelope(envelope).map_err(|why| Error::new("bad_envelope", why.to_string()))?;
    let envelope = serde_json::to_string(&envelope).unwrap_or_default();
    if !(meta.is_object() || meta.is_null()) {
        return Err(Error::new("bad_meta", "`_meta` must be an object or null: what is in its place is left alone"));
    }
    // Written by hand, so that the other members keep their order and spelling.
    let mut out = String::from("{");
    let mut member = |key: &str, value: &str| {
        out.push_str(if out.len() > 1 { "," } else { "" });
        out.push_str(&Value::from(key).to_string());
        out.push(':');
        out.push_str(value);
    };
    for (key, value) in meta.members().filter(|(key, _)| key != META_KEY) {
        member(&key, &value.to_text());
    }
    member(META_KEY, &envelope);
    out.push('}');
    Ok(out)
}
