//! Words around the object: which of them are only talk, and which could belong to the arguments.

use super::coerce::Place;
use super::syntax::is_space;
use super::{Call, FaultCode, name};

/// A stretch of text around the object.
pub(super) struct Stretch<'t> {
    /// Without white space around it.
    pub(super) text: &'t str,
    /// The object stands before it; whether it is uncertain where that ended.
    pub(super) behind: Option<bool>,
    /// It follows the object without a space.
    pub(super) glued: bool,
    /// It stands between tokens of a chat template.
    pub(super) framed: bool,
}

/// Words of chat templates that are no tool's name.
const FRAME_WORDS: [&str; 7] = ["json", "commentary", "analysis", "final", "assistant", "function", "tool"];

/// Whether the stretch counts as text around the object, `false` where it is part of the call's own syntax; refuses what
/// could belong to the arguments, or names another tool.
pub(super) fn judge(stretch: &Stretch<'_>, call: &Call<'_>) -> Result<bool, FaultCode> {
    let refused = if stretch.behind.is_some() { FaultCode::SurroundingText } else { FaultCode::NotJson };
    let could_belong = has_members(stretch.text, call)
        || match stretch.behind {
            Some(uncertain) => goes_on(stretch, uncertain),
            None => stretch.text.matches(is_label).count() > 1 && labels(stretch.text) > 1,
        };
    if could_belong {
        return Err(refused);
    }
    let Some(tool) = call.tool else { return Ok(true) };
    match named(stretch) {
        Some(word) if !name::means(word, tool) => Err(FaultCode::EnvelopeMismatch),
        Some(_) => Ok(!stretch.framed),
        None => Ok(true),
    }
}

/// Whether there are members or attributes in it: quotes before a colon or behind an equals sign, or the name of one of the
/// tool's parameters before either.
fn has_members(text: &str, call: &Call<'_>) -> bool {
    let quoted = text.match_indices(['"', '\'', '`']).any(|(quote, _)| {
        let behind = text.get(quote + 1..).unwrap_or_default().trim_start_matches(is_space);
        let before = text.get(..quote).unwrap_or_default();
        (behind.starts_with(':') && !before.is_empty()) || before.ends_with('=')
    });
    let place = call.schema.map(|schema| Place::of(schema, &[schema.root()]));
    let declared = text.match_indices(is_label).any(|(at, _)| {
        let word = text.get(..at).unwrap_or_default().trim_end_matches(is_space);
        let start = word.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).map_or(0, |at| at + 1);
        let word = word.get(start..).unwrap_or_default();
        place.as_ref().is_some_and(|place| place.declares(word))
    });
    quoted || declared
}

fn is_label(c: char) -> bool {
    matches!(c, ':' | '=')
}

/// How many words stand before a colon and a space.
fn labels(text: &str) -> usize {
    let label = |(at, _): &(usize, &str)| {
        text.get(..*at).is_some_and(|front| front.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    text.match_indices(": ").filter(label).count() + usize::from(text.ends_with(':'))
}

/// Whether text behind the object could be the rest of it: it clings to it, goes on with a comma, or has a quote too many.
fn goes_on(stretch: &Stretch<'_>, uncertain: bool) -> bool {
    let text = stretch.text;
    let clings = stretch.glued && text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '`'));
    let only_marks = text.trim_matches(|c: char| c.is_ascii_punctuation() || is_space(c)).is_empty();
    let comma = text.starts_with(',') && !only_marks;
    uncertain || clings || comma || text.matches('"').count() % 2 == 1
}

/// The name of a tool in it: before a bracket of a call, behind `to=`, or alone in a frame.
fn named<'t>(stretch: &Stretch<'t>) -> Option<&'t str> {
    let words = || stretch.text.split(is_space).filter(|word| !word.is_empty());
    let word = if let Some(called) = stretch.text.strip_suffix('(') {
        called.split(is_space).next_back()
    } else if let Some(addressed) = words().find_map(|word| word.strip_prefix("to=")) {
        Some(addressed)
    } else if stretch.framed {
        let mut own = words().filter(|word| !FRAME_WORDS.contains(word));
        own.next().filter(|_| own.next().is_none())
    } else {
        None
    };
    word.filter(|word| name::is_word(word))
}
