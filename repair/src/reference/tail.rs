//! The two ends of a text that are mended other than by appending brackets: a comma too much, and a member without its value.
//!
//! Both take a text that a strict parse has followed to its very end, so all before the end is known to be right.

use alloc::borrow::Cow;
use alloc::string::String;

use toolprism::json::decode_string;

use super::completion::Open;

/// The end of a text, without white space.
fn last_byte(text: &str) -> Option<(usize, u8)> {
    let at = text.trim_end_matches([' ', '\t', '\n', '\r']).len().checked_sub(1)?;
    text.as_bytes().get(at).map(|byte| (at, *byte))
}

/// Where the comma is that the text ends with.
pub(super) fn terminal_comma(text: &str, open: &Open) -> Option<usize> {
    last_byte(text).filter(|(_, byte)| *byte == b',' && !open.in_string()).map(|(at, _)| at)
}

/// The text without the comma at `comma`, and closed; `None` if that is longer than `max`.
pub(super) fn without_comma(text: &str, comma: usize, open: &Open, max: usize) -> Option<String> {
    let (before, after) = (text.get(..comma)?, text.get(comma + 1..)?);
    let len = before.len().checked_add(after.len())?.checked_add(open.missing()).filter(|len| *len <= max)?;
    let mut mended = String::with_capacity(len);
    mended.push_str(before);
    mended.push_str(after);
    open.close(&mut mended);
    Some(mended)
}

/// The name of the root's member whose value is missing.
pub(super) fn pending_key<'a>(text: &'a str, open: &Open) -> Option<Cow<'a, str>> {
    let (_, b':') = last_byte(text)? else { return None };
    let range = open.last_string.start + 1..open.last_string.end.checked_sub(1)?;
    text.get(range).filter(|_| open.is_one_object()).map(decode_string)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_at_the_end_is_taken_out() {
        for (text, mended) in [
            (r#"{"a":1,"#, Some(r#"{"a":1}"#)),
            ("{\"a\":[1 , \n", Some("{\"a\":[1  \n]}")),
            (r#"{"a":"x,"#, None),
            (r#"{"a":1"#, None),
            ("", None),
        ] {
            let open = Open::scan(text).unwrap();
            let got = terminal_comma(text, &open).and_then(|comma| without_comma(text, comma, &open, 20));
            assert_eq!(got.as_deref(), mended, "{text}");
        }
        let open = Open::scan("[[1,").unwrap();
        assert_eq!(without_comma("[[1,", 3, &open, 4), None);
    }

    #[test]
    fn only_a_member_of_the_root_may_miss_its_value() {
        let key = |text: &str| pending_key(text, &Open::scan(text).unwrap()).map(Cow::into_owned);
        assert_eq!(key(r#"{"a":1,"\u006d" : "#).as_deref(), Some("m"));
        assert_eq!(key(r#"{"a":{"m":"#), None);
        assert_eq!(key(r#"[{"m":"#), None);
        assert_eq!(key(r#"{"m:"#), None);
        assert_eq!(key(":"), None);
    }
}
