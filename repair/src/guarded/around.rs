//! Text with one object somewhere in it: fences, prose, call syntax and leaked tokens around it are left out, as long as
//! none of that could belong to the arguments.

use alloc::string::String;

use super::draft::Draft;
use super::marks::{fence, lost_brace, placeholder, token};
use super::prose;
use super::syntax::{self, is_space};
use super::{Call, Fault, FaultCode, whole};
use crate::json::equal;
use crate::{Code, StopReason};

/// Finds the object in `text`, where nothing but white space stands before `start`.
pub(super) fn read(text: &str, start: usize, call: &Call<'_>) -> Result<Draft, Fault> {
    let mut around = Around {
        text,
        at: start,
        call,
        found: None,
        end: 0,
        empty: None,
        noise: Draft::default(),
        prose: false,
        token: false,
    };
    if lost_brace(text.get(start..).unwrap_or_default()) {
        around.object(true)?;
    }
    while around.at < text.len() {
        around.step()?;
    }
    around.finish()
}

struct Around<'t, 'a> {
    text: &'t str,
    at: usize,
    call: &'a Call<'a>,
    /// The object, once it has been found.
    found: Option<Draft>,
    /// Where the last object ended.
    end: usize,
    /// Where an empty object stands.
    empty: Option<usize>,
    /// What was left out.
    noise: Draft,
    /// Prose was left out.
    prose: bool,
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
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
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
        } else if self.found.is_none() && (rest.starts_with("\"{") || rest.starts_with("\"\\\"")) {
            self.encoded()?;
        } else if self.found.is_some() && rest.starts_with(['}', ']']) {
            // Beside prose a bracket may close something of which the object is a part.
            if self.prose {
                return Err(Fault::at(FaultCode::SurroundingText, self.at));
            }
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
        self.take(draft, start, end)
    }

    /// An object that was encoded as a string, with something around that.
    fn encoded(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let Some(len) = json_string(self.rest()) else { return Err(Fault::at(FaultCode::NotJson, start)) };
        let draft = whole::encoded(self.rest().get(..len).unwrap_or_default(), start, self.call)?;
        self.take(draft, start, start + len)
    }

    fn take(&mut self, draft: Draft, start: usize, end: usize) -> Result<(), Fault> {
        self.at = end;
        self.end = end;
        self.token = false;
        if draft.text == "{}" && draft.changes.is_empty() {
            if self.empty.replace(start).is_some() || self.found.is_some() {
                self.left_out(Code::EmptyPlaceholder, start)?;
            }
            return Ok(());
        }
        match &self.found {
            None => self.found = Some(draft),
            // A copy that had to be closed may have been going to say something else.
            Some(found) if !draft.is_patched() && same(found, &draft)? => {
                self.left_out(Code::DuplicateObject, start)?
            }
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
        let interesting = |at: usize, c: char| {
            let here = rest.get(at..).unwrap_or_default();
            match c {
                '{' => placeholder(here).is_none(),
                '`' | '~' => fence(here).is_some(),
                '<' | '[' => token(here).is_some(),
                '"' => self.found.is_none() && here.starts_with("\"{"),
                '}' | ']' => self.found.is_some() && !closes_placeholder(rest, at),
                _ => false,
            }
        };
        let len = rest.char_indices().skip(1).find(|(at, c)| interesting(*at, *c)).map_or(rest.len(), |(at, _)| at);
        let (text, next) = rest.split_at_checked(len).unwrap_or((rest, ""));
        let stretch = prose::Stretch {
            text: text.trim_matches(is_space),
            behind: self.found.as_ref().map(Draft::is_patched),
            glued: self.found.is_some() && start == self.end,
            framed: self.token && (token(next).is_some() || fence(next).is_some()),
        };
        match prose::judge(&stretch, self.call) {
            Ok(true) => {
                self.prose = true;
                self.left_out(Code::SurroundingText, start)?;
            }
            Ok(false) => {}
            Err(code) => return Err(Fault::at(code, start)),
        }
        self.at = start + len;
        self.token = false;
        Ok(())
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

/// Whether the brace at `at` closes a placeholder that opened in the same text.
fn closes_placeholder(text: &str, at: usize) -> bool {
    let open = text.get(..at).and_then(|front| front.rfind('{'));
    open.is_some_and(|open| text.get(open..).and_then(placeholder) == Some(at + 1 - open))
}

/// The length of the JSON string at the front of the text.
fn json_string(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += text.get(at..)?.find(['"', '\\'])?;
        if text.as_bytes().get(at) == Some(&b'"') {
            return Some(at + 1);
        }
        at += 1 + text.get(at + 1..)?.chars().next()?.len_utf8();
    }
}
