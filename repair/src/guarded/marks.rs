//! What a stretch of text around the object is, told by its first characters.

use super::syntax::is_space;

/// Whether the text starts with a member, or with one whose first quote got lost as well.
pub(super) fn lost_brace(text: &str) -> bool {
    let Some(quote) = text.get(usize::from(text.starts_with('"'))..).and_then(|rest| rest.find('"').map(|n| (rest, n)))
    else {
        return false;
    };
    let (rest, at) = quote;
    let key = rest.get(..at).unwrap_or_default();
    let behind = rest.get(at + 1..).unwrap_or_default().trim_start_matches(is_space);
    behind.starts_with(':')
        && !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The length of the mark of a Markdown fence, with the word that names its language.
pub(super) fn fence(text: &str) -> Option<usize> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let marks = text.chars().take_while(|c| *c == mark).count();
    if marks < 3 {
        return None;
    }
    let language =
        text.get(marks..)?.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-')).count();
    Some(marks + language)
}

/// The length of a token that leaked from a chat template: `<|...|>`, its full-width form, `[TOOL_CALLS]`, or a bare tag.
pub(super) fn token(text: &str) -> Option<usize> {
    for (open, close) in [("<|", "|>"), ("<\u{ff5c}", "\u{ff5c}>")] {
        if let Some(rest) = text.strip_prefix(open) {
            let end = front(rest).find(['\n', '{', '"', '>'])?;
            let inner = rest.get(..end + 1)?;
            return inner.ends_with(close).then_some(open.len() + end + 1);
        }
    }
    if let Some(rest) = text.strip_prefix('[') {
        let name = rest.get(..front(rest).find(']')?)?;
        let upper = name.trim_start_matches('/').chars().all(|c| c.is_ascii_uppercase() || c == '_');
        return (upper && name.len() > 3).then_some(name.len() + 2);
    }
    let rest = text.strip_prefix('<')?;
    let name = rest.get(..front(rest).find('>')?)?;
    let tag = name.trim_matches('/');
    let word = tag.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'));
    (word && tag.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name.len() + 2)
}

/// As much of the text as a token can be long.
fn front(text: &str) -> &str {
    const LONGEST: usize = 64;
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// The length of words in braces, as in prose about templates: `{name}`.
pub(super) fn placeholder(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('{')?;
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '.' | '-')))?;
    let words = inner.get(..end)?.trim();
    let letter = words.starts_with(|c: char| c.is_ascii_alphabetic());
    (letter && inner.as_bytes().get(end) == Some(&b'}')).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_fences_are_told_from_text() {
        for (text, len) in [
            ("<|call|>x", Some(8)),
            ("<|tool_call_begin|>", Some(19)),
            (
                "<\u{ff5c}tool\u{2581}call\u{2581}end\u{ff5c}>",
                Some("<\u{ff5c}tool\u{2581}call\u{2581}end\u{ff5c}>".len()),
            ),
            ("</tool_call>", Some(12)),
            ("<br/>", Some(5)),
            ("[TOOL_CALLS]", Some(12)),
            ("<a href=\"x\">", None),
            ("< b>", None),
            ("<|\"|>", None),
            ("[1]", None),
            ("[x]", None),
        ] {
            assert_eq!(token(text), len, "{text}");
        }
        assert_eq!(fence("```json\n"), Some(7));
        assert_eq!(fence("~~~"), Some(3));
        assert_eq!(fence("``x"), None);
        assert_eq!(placeholder("{placeholders} are"), Some(14));
        assert_eq!(placeholder("{}"), None);
        assert_eq!(placeholder("{\"a\"}"), None);
        assert_eq!(placeholder("{a: 1}"), None);
    }

    #[test]
    fn a_lost_brace_is_told_by_the_key_behind_it() {
        for text in ["\"path\":\"a\"}", "path\":\"a\"}", "\"path\" : 1", "th\":\"a\"}"] {
            assert!(lost_brace(text), "{text}");
        }
        for text in ["path: a", "a.txt\"}", "{\"path\":1}", "Here: {\"path\":1}", "\"\":1", "say \"x\": {}"] {
            assert!(!lost_brace(text), "{text}");
        }
    }
}
