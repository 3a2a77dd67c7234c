//! Text with one object somewhere in it: fences, prose, call syntax and leaked tokens around it are left out, as long as
//! none of that could belong to the arguments.

use alloc::string::String;

use super::draft::Draft;
use super::name;
use super::syntax::{self, is_space};
use super::{Call, Fault, FaultCode};
use crate::json::equal;
use crate::{Code, StopReason};

/// Finds the object in `text`, where nothing but white space stands before `start`.
pub(super) fn read(text: &str, start: usize, call: &Call<'_>) -> Result<Draft, Fault> {
    let mut around = Around { text, at: start, call, found: None, empty: None, noise: Draft::default(), token: false };
    if lost_brace(text.get(start..).unwrap_or_default()) {
        around.object(true)?;
    }
    while around.at < text.len() {
        around.step()?;
    }
    around.finish()
}

/// Whether the text starts with a member, or with one whose first quote got lost as well.
fn lost_brace(text: &str) -> bool {
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

struct Around<'t, 'a> {
    text: &'t str,
    at: usize,
    call: &'a Call<'a>,
    /// The object, once it has been found.
    found: Option<Draft>,
    /// Where an empty object stands.
    empty: Option<usize>,
    /// What was left out.
    noise: Draft,
    /// The last thing was a token of a chat template.
    token: bool,
}

impl<'t> Around<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn left_out(&mut self, code: Code, offset: usize) -> Result<(), Fault> {
        self.noise.change(code, String::new(), offset)
    }

    fn step(&mut self) -> Result<(), Fault> {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start_matches(is_space).len();
        self.at += space;
        let rest = self.rest();
        if let Some(len) = fence(rest) {
            if !self.noise.changes.iter().any(|change| change.code == Code::CodeFence) {
                self.left_out(Code::CodeFence, self.at)?;
            }
            self.at += len;
        } else if let Some(len) = token(rest) {
            self.left_out(Code::SpecialToken, self.at)?;
            self.at += len;
            self.token = true;
        } else if rest.starts_with('{') && placeholder(rest).is_none() {
            self.object(false)?;
        } else if self.found.is_some() && rest.starts_with(['}', ']']) {
            self.left_out(Code::ExtraCloser, self.at)?;
            self.at += 1;
        } else if !rest.is_empty() {
            self.prose()?;
        }
        Ok(())
    }

    fn object(&mut self, lost_brace: bool) -> Result<(), Fault> {
        let start = self.at;
        let read = syntax::read(self.text, start, lost_brace, self.call.stop);
        let (draft, end) = match (read, &self.found) {
            (Ok(read), _) => read,
            (Err(fault), None) => return Err(fault),
            // What cannot be read beside an object is another call, or part of this one.
            (Err(_), Some(_)) => return Err(Fault::at(FaultCode::MultipleObjects, start)),
        };
        self.at = end;
        self.token = false;
        if draft.text == "{}" && draft.changes.is_empty() {
            if self.empty.replace(start).is_some() || self.found.is_some() {
                self.left_out(Code::EmptyPlaceholder, start)?;
            }
            return Ok(());
        }
        match &self.found {
            None => self.found = Some(draft),
            Some(found) if same(found, &draft)? => self.left_out(Code::DuplicateObject, start)?,
            Some(_) => return Err(Fault::at(FaultCode::MultipleObjects, start)),
        }
        if let Some(place) = self.empty.take() {
            self.left_out(Code::EmptyPlaceholder, place)?;
        }
        Ok(())
    }

    /// Text up to the next thing of interest.
    fn prose(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let rest = self.rest();
        let mut len = 0;
        for (at, c) in rest.char_indices() {
            let here = rest.get(at..).unwrap_or_default();
            let interesting = match c {
                '{' => placeholder(here).is_none(),
                '`' | '~' => fence(here).is_some(),
                '<' | '[' => token(here).is_some(),
                '}' | ']' => self.found.is_some() && at == 0,
                _ => false,
            };
            if interesting && at > 0 {
                break;
            }
            len = at + c.len_utf8();
        }
        let prose = rest.get(..len).unwrap_or_default();
        let framed = self.token && rest.get(len..).is_some_and(|next| token(next).is_some());
        self.judge_prose(prose, start, framed)?;
        self.at = start + len;
        self.token = false;
        Ok(())
    }

    fn judge_prose(&mut self, prose: &str, start: usize, framed: bool) -> Result<(), Fault> {
        let trimmed = prose.trim_matches(is_space);
        // Members, attributes and lists that go on are no prose.
        let part_of_it = trimmed.match_indices('"').any(|(quote, _)| {
            let behind = trimmed.get(quote + 1..).unwrap_or_default().trim_start_matches(is_space);
            behind.starts_with(':') || trimmed.get(..quote).is_some_and(|before| before.ends_with('='))
        });
        let goes_on = self.found.is_some()
            && trimmed.starts_with(',')
            && !trimmed.trim_matches(|c: char| c.is_ascii_punctuation() || is_space(c)).is_empty();
        if part_of_it || goes_on {
            let code = if self.found.is_some() { FaultCode::SurroundingText } else { FaultCode::NotJson };
            return Err(Fault::at(code, start));
        }
        let named = if framed { Some(trimmed) } else { trimmed.strip_suffix('(') };
        let word = named.and_then(|name| name.split(is_space).next_back()).filter(|word| !word.is_empty());
        if let (Some(word), Some(tool)) = (word, self.call.tool)
            && name::is_word(word)
        {
            if !name::means(word, tool) {
                return Err(Fault::at(FaultCode::EnvelopeMismatch, start));
            }
            if framed {
                return Ok(());
            }
        }
        self.left_out(Code::SurroundingText, start)
    }

    fn finish(mut self) -> Result<Draft, Fault> {
        let mut draft = match (self.found.take(), self.empty) {
            (Some(draft), _) => draft,
            (None, Some(place)) => Draft::of("{}", place),
            (None, None) if self.call.stop == StopReason::Length => {
                return Err(Fault::at(FaultCode::TruncatedLength, self.text.len()));
            }
            (None, None) => return Err(Fault::at(FaultCode::NotJson, 0)),
        };
        draft.changes.append(&mut self.noise.changes);
        draft.changes.sort_by_key(|change| change.offset);
        Ok(draft)
    }
}

fn same(a: &Draft, b: &Draft) -> Result<bool, Fault> {
    let (left, right) = (super::strict(a)?, super::strict(b)?);
    Ok(equal::equal(left.tape.root(&a.text), right.tape.root(&b.text)))
}

/// The length of the mark of a Markdown fence, with the word that names its language.
fn fence(text: &str) -> Option<usize> {
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
fn token(text: &str) -> Option<usize> {
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
fn placeholder(text: &str) -> Option<usize> {
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
