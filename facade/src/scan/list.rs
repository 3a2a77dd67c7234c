//! The calls of all files as one list.

use alloc::format;
use alloc::vec::Vec;

use toolprism::ToolCall;
use toolprism::readers::Format;

use super::Numbers;
use crate::error::Error;

/// The calls of one file.
pub(super) struct Part<'a> {
    pub(super) file: &'a str,
    pub(super) format: Option<Format>,
    pub(super) calls: &'a [ToolCall],
}

/// A call, and the number of its part.
#[derive(Clone, Copy)]
pub(super) struct One<'a> {
    pub(super) part: u32,
    pub(super) call: &'a ToolCall,
}

/// The calls of all files. A call's number counts through all parts.
pub(super) struct List<'a> {
    parts: Vec<Part<'a>>,
    /// The number of the first call of each part.
    starts: Vec<usize>,
    len: usize,
}

impl<'a> FromIterator<Part<'a>> for List<'a> {
    fn from_iter<I: IntoIterator<Item = Part<'a>>>(parts: I) -> Self {
        let parts: Vec<_> = parts.into_iter().collect();
        let mut len = 0;
        let mut starts = Vec::with_capacity(parts.len());
        for part in &parts {
            starts.push(len);
            len += part.calls.len();
        }
        List { parts, starts, len }
    }
}

impl<'a> List<'a> {
    pub(super) fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// The file of a call, and its format.
    pub(super) fn part(&self, one: One<'a>) -> Option<&Part<'a>> {
        self.parts.get(one.part as usize)
    }

    /// The name of a call's file.
    pub(super) fn file(&self, one: One<'a>) -> Option<&'a str> {
        self.part(one).map(|part| part.file)
    }

    /// These calls, or all.
    pub(super) fn some_or_all(&self, numbers: Option<&[u32]>) -> Result<Vec<One<'a>>, Error> {
        self.some(numbers.map_or(Numbers::Range(0, self.len), Numbers::These))
    }

    /// These calls.
    pub(super) fn some(&self, numbers: Numbers<'_>) -> Result<Vec<One<'a>>, Error> {
        match numbers {
            Numbers::Range(from, to) => Ok(self.range(from, to)),
            Numbers::These(numbers) => {
                let find = |number: &u32| {
                    self.get(*number as usize).ok_or_else(|| {
                        let message =
                            format!("there is no call number {number}: there are {}, counted from 0", self.len);
                        Error::new("out_of_range", message)
                    })
                };
                numbers.iter().map(find).collect()
            }
        }
    }

    fn get(&self, number: usize) -> Option<One<'a>> {
        let at = self.starts.partition_point(|start| *start <= number).checked_sub(1)?;
        let call = self.parts.get(at)?.calls.get(number - self.starts.get(at)?)?;
        Some(One { part: at as u32, call })
    }

    fn range(&self, from: usize, to: usize) -> Vec<One<'a>> {
        let mut found = Vec::with_capacity(to.min(self.len).saturating_sub(from));
        for (at, (part, start)) in self.parts.iter().zip(&self.starts).enumerate() {
            let within = |number: usize| number.saturating_sub(*start).min(part.calls.len());
            let calls = part.calls.get(within(from)..within(to)).unwrap_or_default();
            found.extend(calls.iter().map(|call| One { part: at as u32, call }));
        }
        found
    }
}
