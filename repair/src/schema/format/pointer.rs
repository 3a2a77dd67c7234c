//! JSON pointers (RFC 6901), from the root and from elsewhere.

pub(super) fn is_json_pointer(text: &str) -> bool {
    let escaped = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    escaped && (text.is_empty() || text.starts_with('/'))
}

pub(super) fn is_relative_json_pointer(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let up = text.get(..text.len() - rest.len()).unwrap_or_default();
    let number = !up.is_empty() && (up == "0" || !up.starts_with('0'));
    number && (rest == "#" || is_json_pointer(rest))
}
