//! Text that ends too early, completed by appending only: the open string's quote, then the open containers' brackets.

use alloc::string::String;
use core::ops::Range;

use smallvec::SmallVec;

/// More open containers than this are not closed.
const MAX_OPEN: usize = 256;

/// What is open where a text ends that is JSON as far as it goes.
pub(super) struct Open {
    /// The brackets that are missing, outermost first.
    closers: SmallVec<[u8; 32]>,
    /// Whether a string is open.
    in_string: bool,
    /// The last string that is not open, with its quotes.
    pub(super) last_string: Range<usize>,
}

impl Open {
    /// Looks for what is open at the end of `text`. `None` if brackets do not fit, if too many are open, or if the text ends
    /// within an escape.
    pub(super) fn scan(text: &str) -> Option<Open> {
        let bytes = text.as_bytes();
        let mut open = Open { closers: SmallVec::new(), in_string: false, last_string: 0..0 };
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => match string_end(bytes, at + 1) {
                    StringEnd::At(end) => {
                        open.last_string = at..end;
                        at = end;
                        continue;
                    }
                    StringEnd::Open => {
                        open.in_string = true;
                        return Some(open);
                    }
                    StringEnd::InEscape => return None,
                },
                b'{' => open.closers.push(b'}'),
                b'[' => open.closers.push(b']'),
                b'}' | b']' if open.closers.pop() != Some(*byte) => return None,
                _ => {}
            }
            if open.closers.len() > MAX_OPEN {
                return None;
            }
            at += 1;
        }
        Some(open)
    }

    pub(super) fn in_string(&self) -> bool {
        self.in_string
    }

    /// Whether an object is open, and nothing else.
    pub(super) fn is_one_object(&self) -> bool {
        !self.in_string && self.closers.as_slice() == b"}"
    }

    /// How many bytes [`close`](Self::close) appends.
    pub(super) fn missing(&self) -> usize {
        self.closers.len() + usize::from(self.in_string)
    }

    /// Appends what is missing.
    pub(super) fn close(&self, text: &mut String) {
        if self.in_string {
            text.push('"');
        }
        text.extend(self.closers.iter().rev().map(|closer| char::from(*closer)));
    }
}

enum StringEnd {
    /// Behind its quote.
    At(usize),
    Open,
    InEscape,
}

/// Where the string ends whose first quote is just before `from`.
fn string_end(bytes: &[u8], from: usize) -> StringEnd {
    let mut at = from;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return StringEnd::At(at + 1);
        }
        at += 2;
    }
    if at > bytes.len() { StringEnd::InEscape } else { StringEnd::Open }
}

/// `text` with all closed that is open in it; `None` if that is longer than `max`. Whether it is JSON now is to be seen.
pub(super) fn complete(text: &str, open: &Open, max: usize) -> Option<String> {
    let len = text.len().checked_add(open.missing()).filter(|len| *len <= max)?;
    let mut completed = String::with_capacity(len);
    completed.push_str(text);
    open.close(&mut completed);
    Some(completed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn completed(text: &str) -> Option<String> {
        complete(text, &Open::scan(text)?, 1_000)
    }

    #[test]
    fn what_is_open_is_closed_inside_string_out() {
        for (text, whole) in [
            ("{", "{}"),
            (r#"{"a":[1,{"b":"x"#, r#"{"a":[1,{"b":"x"}]}"#),
            (r#"["\\"#, r#"["\\"]"#),
            (r#"["\""#, r#"["\""]"#),
            (r#"["]}"#, r#"["]}"]"#),
            ("[1 ", "[1 ]"),
            ("1", "1"),
        ] {
            assert_eq!(completed(text).as_deref(), Some(whole), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_closed_is_left() {
        for text in ["[}", "]", r#"["\"#] {
            assert_eq!(completed(text), None, "{text}");
        }
        assert!(completed(&"[".repeat(MAX_OPEN)).is_some());
        assert!(completed(&"[".repeat(MAX_OPEN + 1)).is_none());
        let open = Open::scan("[1").unwrap();
        assert!(complete("[1", &open, 3).is_some());
        assert!(complete("[1", &open, 2).is_none());
    }

    #[test]
    fn the_last_string_is_known() {
        let text = r#"{"a":1,"key" : "#;
        let open = Open::scan(text).unwrap();
        assert!(open.is_one_object());
        assert_eq!(text.get(open.last_string), Some("\"key\""));
    }
}
