//! Gemini's streamed arguments: values with the paths where they belong, turned into the JSON text that they are pieces of.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Longer paths are passed over, and keep no text from being read.
const MOST_SEGMENTS: usize = 64;

#[derive(PartialEq)]
enum Segment {
    Key(String),
    Index(usize),
}

impl Segment {
    fn brackets(&self) -> (char, char) {
        match self {
            Segment::Key(_) => ('{', '}'),
            Segment::Index(_) => ('[', ']'),
        }
    }
}

/// Writes JSON text as its values come, one behind the other.
#[derive(Default)]
pub(super) struct ArgsWriter {
    /// Where the latest value stands; its containers are open.
    path: Vec<Segment>,
    /// The latest value is a string that has not ended.
    in_string: bool,
}

impl ArgsWriter {
    /// The text for the next piece of the string at `path`.
    pub(super) fn string(&mut self, path: &str, piece: &str, continues: bool) -> String {
        let mut out = String::new();
        let Some(next) = segments(path) else { return out };
        if !(self.in_string && self.path == next) {
            if !self.go_to(next, &mut out) {
                return out;
            }
            out.push('"');
        }
        let quoted = serde_json::Value::from(piece).to_string();
        out.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
        self.in_string = true;
        if !continues {
            self.end_string(&mut out);
        }
        out
    }

    /// The text for a value at `path` that is no string, given as JSON.
    pub(super) fn value(&mut self, path: &str, json: &str) -> String {
        let mut out = String::new();
        if segments(path).is_some_and(|next| self.go_to(next, &mut out)) {
            out.push_str(json);
        }
        out
    }

    /// The text that ends the arguments.
    pub(super) fn finish(&mut self) -> String {
        let mut out = String::new();
        self.end_string(&mut out);
        if self.path.is_empty() {
            out.push_str("{}");
        }
        self.close_to(0, &mut out);
        self.path.clear();
        out
    }

    fn end_string(&mut self, out: &mut String) {
        if core::mem::take(&mut self.in_string) {
            out.push('"');
        }
    }

    /// Closes all containers of the latest value but the outer `level`.
    fn close_to(&self, level: usize, out: &mut String) {
        out.extend(self.path.iter().skip(level).rev().map(|segment| segment.brackets().1));
    }

    /// Writes what stands between the latest value and the one at `next`; `false` where none can stand: it would need an
    /// object where an array is open, or an array of arguments.
    fn go_to(&mut self, next: Vec<Segment>, out: &mut String) -> bool {
        let last = self.path.len().min(next.len()).saturating_sub(1);
        let same = self.path.iter().zip(&next).take_while(|(a, b)| a == b).count();
        let shared = same.min(last);
        let fits = match (self.path.get(shared), next.get(shared)) {
            (Some(old), Some(new)) => old.brackets() == new.brackets(),
            (None, first) => matches!(first, Some(Segment::Key(_))),
            _ => false,
        };
        if !fits {
            return false;
        }
        self.end_string(out);
        self.close_to(shared + 1, out);
        for (level, segment) in next.iter().enumerate().skip(shared) {
            let beside = level == shared && !self.path.is_empty();
            out.push(if beside { ',' } else { segment.brackets().0 });
            if let Segment::Key(key) = segment {
                out.push_str(&serde_json::Value::from(key.as_str()).to_string());
                out.push(':');
            }
        }
        self.path = next;
        true
    }
}

/// The segments of a JSON path such as `$.a[0]['b']`; `None` if it is none, or too long.
fn segments(path: &str) -> Option<Vec<Segment>> {
    let mut rest = path.strip_prefix('$')?;
    let mut out = Vec::new();
    while !rest.is_empty() && out.len() < MOST_SEGMENTS {
        let (segment, after) = if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end)?;
            (Segment::Key(name.to_string()), after)
        } else {
            let inside = rest.strip_prefix('[')?;
            match inside.chars().next().filter(|quote| matches!(quote, '\'' | '"')) {
                Some(quote) => {
                    let (name, after) = inside.get(1..)?.split_once(&[quote, ']'].iter().collect::<String>())?;
                    (Segment::Key(name.to_string()), after)
                }
                None => {
                    let (index, after) = inside.split_once(']')?;
                    (Segment::Index(index.parse().ok()?), after)
                }
            }
        };
        out.push(segment);
        rest = after;
    }
    (rest.is_empty() && !out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_the_text_that_holds_them() {
        let mut writer = ArgsWriter::default();
        let text = [
            writer.string("$.path", "a\"", true),
            writer.string("$.path", "é.txt", false),
            writer.value("$.edits[0].line", "1"),
            writer.string("$.edits[0].text", "x", true),
            writer.value("$.edits[1].line", "2.5"),
            writer.value("$['a key']", "null"),
            writer.value("$.deep.er[0][1]", "true"),
            writer.string("$.last", "", false),
            writer.finish(),
        ];
        let json = r#"{"path":"a\"é.txt","edits":[{"line":1,"text":"x"},{"line":2.5}],"a key":null,"deep":{"er":[[true]]},"last":""}"#;
        assert_eq!(text.concat(), json);
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let mut writer = ArgsWriter::default();
        let deep = ["$", &".a".repeat(MOST_SEGMENTS + 1)].concat();
        for path in ["", "$", "a", "$[0]", "$[", "$['a", "$[x]", "$.a b[", &deep] {
            assert_eq!(writer.value(path, "1"), "", "{path}");
        }
        assert_eq!(writer.value("$.a.b", "1"), r#"{"a":{"b":1"#);
        assert_eq!(writer.value("$.a[0]", "1"), "", "an array inside an open object");
        assert_eq!(writer.string("$.a[0]", "x", true), "");
        assert_eq!(writer.finish(), "}}");
        assert_eq!(ArgsWriter::default().finish(), "{}");
    }
}
