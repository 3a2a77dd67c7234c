//! JSON text in the making: what a stage writes, where each part of it came from, and what was changed on the way.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Fault, FaultCode};
use crate::{Change, Code};

/// More changes than this and the text is refused: it bounds what is kept of hostile text.
const MAX_CHANGES: usize = 65_536;

/// As for the bytes of all their paths: a long key names the place of everything inside it.
const MAX_PATH_BYTES: usize = 1 << 20;

/// Strict JSON text with its history.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
    /// Where in the text a stretch begins, and where that stretch began in the arguments as they came.
    anchors: Vec<(usize, usize)>,
    /// The text was inside a string that starts here; places in it cannot be told apart.
    inside: Option<usize>,
    /// Where in the text strings start that had no quotes: only a schema can say that they are strings.
    pub(super) bare: Vec<usize>,
    /// Where in the text a `null` stands for `undefined`.
    pub(super) undefined: Vec<usize>,
    /// Where in the text scalars start that came in another spelling.
    pub(super) respelt: Vec<usize>,
    /// The bytes of all paths so far.
    path_bytes: usize,
    /// A first key that lost its start: only a schema can say that it is whole.
    pub(super) cut_key: Option<String>,
}

impl Draft {
    /// Text taken as it stands, from this offset on.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        Draft { text: text.into(), anchors: alloc::vec![(0, offset)], ..Draft::default() }
    }

    /// Whether it holds something that only a schema can decide.
    pub(super) fn has_marks(&self) -> bool {
        !self.bare.is_empty() || !self.undefined.is_empty() || self.cut_key.is_some()
    }

    /// Whether brackets had to be added, so that it is not certain where each object ends.
    pub(super) fn is_patched(&self) -> bool {
        self.changes.iter().any(|change| matches!(change.code, Code::ClosedBrackets | Code::MismatchedCloser))
    }

    /// Whether the scalar that starts here came in another spelling.
    pub(super) fn is_respelt(&self, at: usize) -> bool {
        self.respelt.binary_search(&at).is_ok()
    }

    pub(super) fn change(&mut self, code: Code, path: String, offset: usize) -> Result<(), Fault> {
        self.path_bytes += path.len();
        if self.changes.len() == MAX_CHANGES || self.path_bytes > MAX_PATH_BYTES {
            return Err(Fault::new(FaultCode::TooManyChanges, path, offset));
        }
        self.changes.push(Change { code, path, offset });
        Ok(())
    }

    /// Notes that what is written next came from `offset`.
    pub(super) fn anchor(&mut self, offset: usize) {
        let at = self.text.len();
        match self.anchors.last_mut() {
            // The stretch before goes on.
            Some((start, from)) if offset.checked_sub(*from) == Some(at - *start) => {}
            Some(last) if last.0 == at => last.1 = offset,
            _ => self.anchors.push((at, offset)),
        }
    }

    /// Where the byte at `at` of the text came from.
    pub(super) fn origin(&self, at: usize) -> usize {
        if let Some(offset) = self.inside {
            return offset;
        }
        let behind = self.anchors.partition_point(|(start, _)| *start <= at);
        self.anchors.get(behind.wrapping_sub(1)).map_or(0, |(start, from)| from + (at - start))
    }

    /// Where to go back to when what is written next must be taken back.
    pub(super) fn mark(&self) -> Mark {
        Mark { text: self.text.len(), changes: self.changes.len() }
    }

    /// Takes back what was written since the mark, as a draft of its own without places.
    pub(super) fn take_since(&mut self, mark: &Mark) -> Draft {
        let kept = self.anchors.partition_point(|(start, _)| *start <= mark.text);
        self.anchors.truncate(kept);
        let (text, changes) = (self.text.split_off(mark.text), self.changes.split_off(mark.changes));
        Draft { text, changes, ..Draft::default() }
    }

    /// This stretch of the text alone, with the whole history.
    pub(super) fn part(&self, from: usize, to: usize) -> Draft {
        let first = self.anchors.partition_point(|(start, _)| *start <= from).saturating_sub(1);
        let anchors = self.anchors.iter().skip(first).filter(|(start, _)| *start < to);
        let places =
            |places: &[usize]| places.iter().filter(|at| (from..to).contains(at)).map(|at| at - from).collect();
        Draft {
            text: self.text.get(from..to).unwrap_or_default().into(),
            changes: self.changes.clone(),
            anchors: anchors.map(|(at, origin)| (at.saturating_sub(from), origin + from.saturating_sub(*at))).collect(),
            inside: self.inside,
            bare: places(&self.bare),
            undefined: places(&self.undefined),
            respelt: places(&self.respelt),
            path_bytes: self.path_bytes,
            cut_key: None,
        }
    }

    /// Text that was inside a string: all of it came from where that string starts.
    pub(super) fn inside_string(mut self, code: Code, offset: usize) -> Result<Self, Fault> {
        for change in &mut self.changes {
            change.offset = offset;
        }
        self.inside = Some(offset);
        self.changes.insert(0, Change { code, path: String::new(), offset });
        Ok(self)
    }
}

/// A point in a draft.
#[derive(Debug)]
pub(super) struct Mark {
    text: usize,
    changes: usize,
}
