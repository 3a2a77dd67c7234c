//! JSON text as the reference engine writes it: no white space, numbers as they are spelt, and strings with its own choice of
//! escapes.

use alloc::string::String;
use core::fmt::Write;

use toolprism::json::decode_string;

/// Appends JSON text without its white space, its strings written anew.
pub(super) fn compact(out: &mut String, json: &str) {
    let mut rest = json;
    while let Some(at) = memchr::memchr(b'"', rest.as_bytes()) {
        let (plain, text) = (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default());
        push_tokens(out, plain);
        let end = end_of_string(text);
        string(out, &decode_string(text.get(..end).unwrap_or_default()));
        rest = text.get(end + 1..).unwrap_or_default();
    }
    push_tokens(out, rest);
}

/// Appends what stands between strings.
fn push_tokens(out: &mut String, text: &str) {
    if text.bytes().any(|byte| byte.is_ascii_whitespace()) {
        text.split_ascii_whitespace().for_each(|token| out.push_str(token));
    } else {
        out.push_str(text);
    }
}

/// Where the quote stands that ends the string whose first quote is just before `text`.
fn end_of_string(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// Appends `text` as a JSON string.
pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some((plain, special)) = rest.bytes().position(is_special).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(plain);
        let mut chars = special.chars();
        chars.next().into_iter().for_each(|c| escape(out, c));
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Whether a character that may have to be escaped starts with this byte.
fn is_special(byte: u8) -> bool {
    const LINE_SEPARATORS: u8 = 0xe2;
    matches!(byte, 0..0x20 | b'"' | b'\\' | b'<' | b'>' | b'&' | LINE_SEPARATORS)
}

fn escape(out: &mut String, c: char) {
    let short = match c {
        '"' => r#"\""#,
        '\\' => r"\\",
        '\n' => r"\n",
        '\r' => r"\r",
        '\t' => r"\t",
        '\u{8}' => r"\b",
        '\u{c}' => r"\f",
        '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
            // Writing to a text cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
            return;
        }
        _ => return out.push(c),
    };
    out.push_str(short);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compacted(json: &str) -> String {
        let mut out = String::new();
        compact(&mut out, json);
        out
    }

    #[test]
    fn white_space_goes_and_spellings_stay() {
        assert_eq!(
            compacted(" { \"a b\" : [ 1.50 , -0,\n1E+05 ] ,\t\"c\":null } "),
            r#"{"a b":[1.50,-0,1E+05],"c":null}"#
        );
        assert_eq!(compacted("\"\""), "\"\"");
        assert_eq!(compacted("[\"\u{2014}\"]"), "[\"\u{2014}\"]");
    }

    #[test]
    fn strings_are_written_anew() {
        assert_eq!(
            compacted(r#"["<&>","\/","\u0041\u00e9\"\\","\ud83d\ude00"]"#),
            r#"["\u003c\u0026\u003e","/","Aé\"\\","😀"]"#
        );
        assert_eq!(compacted(r#""\b\f\n\r\t\u000b\u0000""#), r#""\b\f\n\r\t\u000b\u0000""#);
        assert_eq!(compacted(r#""\u2028x\ud800y""#), "\"\\u2028x\u{fffd}y\"");
        assert_eq!(compacted("\"\u{7f}\u{85}\""), "\"\u{7f}\u{85}\"");
    }
}
