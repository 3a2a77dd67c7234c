//! What the ledger keeps of a call whose arguments stream.

use crate::input::{CanonicalInput, Growing, Waits};
use crate::json::JsonView;
use crate::partial::{Event, Keep, Mode, Options, PartialInput, State, View};

/// What a look at the arguments may cost before any text has come, in the units of [`Live::push`].
const FIRST_CREDIT: usize = 32 << 10;

/// What each byte adds to that.
const CREDIT_A_BYTE: usize = 16;

/// What a look costs whatever it finds.
const LEAST_COST: usize = 512;

/// Where a ledger that does not keep raw input cuts long strings.
const KEEP: Keep = Keep { head: 1 << 20, tail: 64 << 10 };

/// Arguments that stream, and when it is worth to project them anew.
#[derive(Debug)]
pub(super) struct Live {
    input: PartialInput,
    /// Whether anything but space has come, which decides how it is read.
    begun: bool,
    /// Whether long strings are kept whole.
    keep_all: bool,
    /// Looks are paid for by bytes, so that a stream takes time in proportion to its length, whatever it holds.
    credit: usize,
    /// A look that could not be paid for yet.
    due: bool,
}

/// What a piece of text calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing that is projected has changed.
    Same,
    /// The fields that grow have grown.
    Grown,
    /// Something else may be projected now.
    Look,
}

impl Live {
    pub(super) fn new(keep_all: bool) -> Self {
        Live { input: PartialInput::new(), begun: false, keep_all, credit: FIRST_CREDIT, due: false }
    }

    /// Takes more text. `growing` and `shown` are what the last look found.
    pub(super) fn push(&mut self, text: &str, growing: Growing, shown: Option<&CanonicalInput>) -> Step {
        let text = if self.begun { text } else { text.trim_start() };
        if text.is_empty() {
            return Step::Same;
        }
        if !self.begun {
            self.begun = true;
            // An object, perhaps in a list or a fence; everything else is text.
            let json = text.starts_with(['{', '[', '`', '\u{feff}']);
            let mode = if json { Mode::Lenient } else { Mode::Text };
            let keep = (!self.keep_all).then_some(KEEP);
            self.input = PartialInput::with(Options { mode, keep, ..Options::default() });
        }
        let (mut look, mut grown) = (self.due, false);
        let waits = growing.waits_for();
        self.input.push_with(text, |event| match event {
            Event::Appended(..) => grown = true,
            Event::Opened(path, _) | Event::Value(path) | Event::Closed(path) => {
                look |= path.depth() <= 1 || waits >= Waits::End || !growing.is_empty();
            }
        });
        self.credit = self.credit.saturating_add(text.len().saturating_mul(CREDIT_A_BYTE));
        if look || grown && waits == Waits::Text {
            let cost = LEAST_COST + 4 * self.input.root_count() + shown.map_or(0, CanonicalInput::text_bytes);
            self.due = cost > self.credit;
            if !self.due {
                self.credit -= cost;
                return Step::Look;
            }
        }
        if grown && !self.due && !growing.is_empty() { Step::Grown } else { Step::Same }
    }

    /// Appends to the fields that grow what their string has more.
    pub(super) fn grow(&self, fields: Growing, input: &mut CanonicalInput) {
        let Some(text) = self.input.growing().and_then(|path| path.value().str()) else { return };
        for field in fields.iter() {
            if let Some(shown) = input.text_mut(field)
                && let Some(more) = text.get(shown.len()..)
            {
                shown.push_str(more);
            }
        }
    }

    pub(super) fn view(&self) -> Option<View<'_>> {
        self.input.view()
    }

    /// Whether there is anything that a reader could use.
    pub(super) fn has_content(&self) -> bool {
        self.view().is_some_and(|view| !view.is_blank())
    }

    /// Whether anything but space has come.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    pub(super) fn is_complete(&self) -> bool {
        self.input.is_complete()
    }

    pub(super) fn state(&self) -> State {
        self.input.state()
    }

    pub(super) fn finish(&mut self) -> State {
        self.input.finish()
    }
}
