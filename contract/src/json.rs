//! Places in JSON text, without parsing it into values: numbers keep their digits.

use serde_path_to_error::{Path, Segment};
use toolprism::json::{Cursor, JsonView, RawJson};

use crate::schema::escaped;

/// The text of the value that a JSON pointer leads to.
pub(crate) fn at<'t>(document: &'t str, pointer: &str) -> Option<&'t str> {
    let mut value = RawJson::parse(document).ok()?;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let element = || name.parse().ok().and_then(|index: usize| value.items().nth(index));
        value = value.get(&name).or_else(element)?;
    }
    std::str::from_utf8(value.text()).ok()
}

/// The first integer that has no place in 64 bits, and the way to it.
pub(crate) fn rounded(document: &str) -> Option<(String, &str)> {
    beyond(document, |number| number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok())
}

/// The first integer that does not fit, and the way to it.
pub(crate) fn beyond(document: &str, fits: impl Fn(&str) -> bool) -> Option<(String, &str)> {
    let bytes = document.as_bytes();
    let (mut at, mut in_string) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => in_string = !in_string,
            b'-' | b'0'..=b'9' if !in_string => {
                let rest = document.get(at..).unwrap_or_default();
                let end = rest.find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'));
                let number = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                let whole = !number.contains(['.', 'e', 'E']);
                if whole && !fits(number) {
                    return Some((pointer_to(document, at), number));
                }
                at += number.len().saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The way to the value around this byte, as a JSON pointer.
fn pointer_to(document: &str, at: usize) -> String {
    let mut pointer = String::new();
    let Ok(mut value) = RawJson::parse(document) else { return pointer };
    let holds = |value: &RawJson<'_>| {
        let start = (value.text().as_ptr() as usize).wrapping_sub(document.as_ptr() as usize);
        (start..start + value.text().len()).contains(&at)
    };
    loop {
        let member = value.members().find(|(_, member)| holds(member));
        let step = member.map(|(key, member)| (escaped(&key), member));
        let element = || value.items().enumerate().find(|(_, item)| holds(item));
        let Some((step, inner)) = step.or_else(|| element().map(|(number, item)| (number.to_string(), item))) else {
            return pointer;
        };
        pointer.push('/');
        pointer.push_str(&step);
        value = inner;
    }
}

/// The text of the value that starts here; of what is no JSON, a word of it.
pub(crate) fn token(text: &str) -> &str {
    let strict = Cursor::new(text.as_bytes()).strict_value().ok();
    if let Some(token) = strict.and_then(|token| std::str::from_utf8(token.text()).ok()) {
        return token;
    }
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'));
    let end = match quote {
        Some(quote) => text.get(1..).and_then(|rest| rest.find(quote)).map(|end| end + 2),
        None => text.find([',', '}', ']', ':', '\n']),
    };
    text.get(..end.unwrap_or(text.len())).unwrap_or_default().trim_end()
}

/// The text of the value of the member whose key starts here.
pub(crate) fn member(text: &str) -> Option<&str> {
    let rest = text.get(token(text).len()..)?.trim_start().strip_prefix([':', '='])?;
    Some(token(rest.trim_start()))
}

/// The way that serde went, as a JSON pointer.
pub(crate) fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&format!("/{}", escaped(key))),
            // A variant by its tag has no step of its own in the document; one by its name was a member already.
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

/// The way to a member that serde ignored, as a JSON pointer.
pub(crate) fn ignored_pointer(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path::*;
    match path {
        Root => String::new(),
        Seq { parent, index } => format!("{}/{index}", ignored_pointer(parent)),
        Map { parent, key } => format!("{}/{}", ignored_pointer(parent), escaped(key)),
        Some { parent } | NewtypeStruct { parent } | NewtypeVariant { parent } => ignored_pointer(parent),
    }
}
