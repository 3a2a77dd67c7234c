//! Addresses: of mail, of hosts, of resources. Letters beyond ASCII are let through; the caller says whether they may be.

use core::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    if local.is_empty() || text.len() > 254 {
        return false;
    }
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let local_ok = if quoted { is_quoted(local) } else { local.split('.').all(is_atom) };
    let domain_ok = match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => !domain.ends_with('.') && is_hostname(domain),
    };
    local_ok && domain_ok
}

fn is_atom(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    !text.is_empty() && text.chars().all(allowed)
}

/// No quote inside that is not escaped, and no control character.
fn is_quoted(text: &str) -> bool {
    let inner = text.get(1..text.len() - 1).unwrap_or_default();
    let mut escaped = false;
    for c in inner.chars() {
        if c.is_control() || (c == '"' && !escaped) {
            return false;
        }
        escaped = c == '\\' && !escaped;
    }
    !escaped
}

pub(super) fn is_hostname(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    let label = |label: &str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || (!c.is_ascii() && !c.is_whitespace());
        let edges = label.starts_with('-') || label.ends_with('-');
        !label.is_empty() && label.chars().count() <= 63 && label.chars().all(allowed) && !edges
    };
    text.chars().count() <= 253 && text.split('.').all(label)
}

pub(super) fn is_uri(text: &str) -> bool {
    match text.split_once(':') {
        Some((scheme, rest)) => is_scheme(scheme) && is_behind_scheme(rest),
        None => false,
    }
}

pub(super) fn is_uri_reference(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    if first.contains(':') { is_uri(text) } else { is_behind_scheme(text) }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn is_behind_scheme(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (hierarchy, query) = text.split_once('?').unwrap_or((text, ""));
    let path = match hierarchy.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None => hierarchy,
    };
    [path, query, fragment].iter().all(|part| has_only(part, "-._~!$&'()*+,;=:@/?"))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host_ok, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) => (address.parse::<Ipv6Addr>().is_ok() || address.starts_with('v'), port),
            None => return false,
        },
        None => {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            (has_only(name, "-._~!$&'()*+,;="), port)
        }
    };
    let port_ok =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    host_ok && port_ok && has_only(user, "-._~!$&'()*+,;=:")
}

/// Letters, digits, these marks, and whole percent escapes.
fn has_only(text: &str, marks: &str) -> bool {
    let mut parts = text.split('%');
    let plain = |part: &str| {
        part.chars().all(|c| {
            c.is_ascii_alphanumeric() || marks.contains(c) || (!c.is_ascii() && !c.is_control() && !c.is_whitespace())
        })
    };
    parts.next().is_none_or(plain)
        && parts
            .all(|part| part.get(..2).is_some_and(|code| code.bytes().all(|b| b.is_ascii_hexdigit())) && plain(part))
}

/// Brackets in pairs, with something in them; what stands around them is not looked at closely.
pub(super) fn is_uri_template(text: &str) -> bool {
    let mut parts = text.split('{');
    let outside =
        |part: &str| !part.contains(|c: char| c.is_control() || c.is_whitespace() || "}\"<>\\^`|".contains(c));
    parts.next().is_none_or(outside)
        && parts.all(|part| {
            let Some((inside, behind)) = part.split_once('}') else { return false };
            let names =
                inside.strip_prefix(['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|']).unwrap_or(inside);
            let allowed = |c: char| c.is_ascii_alphanumeric() || "_.%:*".contains(c);
            let name = |name: &str| !name.is_empty() && name.chars().all(allowed);
            names.split(',').all(name) && outside(behind)
        })
}
