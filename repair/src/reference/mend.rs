//! Text that is JSON as far as it goes, made whole at its end.

use alloc::string::String;

use super::completion::{self, Open};
use super::places::Fill;
use super::{Case, encode, places, tail};
use crate::engine::Judgement;
use crate::json::{Kind, Parsed, Syntax, Value, pointer};
use crate::{Action, Change, Code, Reason};

/// Text that was made whole. Whether it is JSON now is to be seen.
pub(super) struct Mended {
    pub(super) text: String,
    /// Of a member without its value: its name, with what was inserted.
    fill: Option<(String, Code)>,
    reason: Reason,
    /// Where in the original text the change is.
    offset: usize,
    /// Where the original text ends.
    end: usize,
}

/// Makes `text` whole, which a parse has refused.
pub(super) fn mend(text: &str, fault: Syntax, case: &Case<'_>) -> Result<Mended, Reason> {
    // What is wrong before the end cannot be made right there.
    if fault.offset < text.len() {
        return Err(Reason::Unrepairable);
    }
    let max = case.options.max_args_bytes;
    let open = Open::scan(text).ok_or(Reason::Unrepairable)?;
    let end = text.len();
    let plain = |text, offset| Mended { text, fill: None, reason: Reason::SyntaxRepaired, offset, end };
    let mended = if let Some(comma) = tail::terminal_comma(text, &open) {
        tail::without_comma(text, comma, &open, max).map(|text| plain(text, comma))
    } else if let Some(key) = tail::pending_key(text, &open) {
        Some(filled(text, &key, case)?)
    } else {
        completion::complete(text, &open, max).map(|text| plain(text, end))
    };
    mended.ok_or(Reason::Unrepairable)
}

/// The text with the value that the schema names for the root's member `key`.
fn filled(text: &str, key: &str, case: &Case<'_>) -> Result<Mended, Reason> {
    let schema = case.schema()?.ok_or(Reason::Unrepairable)?;
    let rules = places::applied(&schema, schema.root())?.ok_or(Reason::Unrepairable)?;
    let property = rules.property(key).ok_or(Reason::Unrepairable)?;
    let Fill { value, code, reason } = places::fill(&schema, property)?.ok_or(Reason::Unrepairable)?;
    let mut filled = String::from(text);
    encode::compact(&mut filled, value.text());
    filled.push('}');
    if filled.len() > case.options.max_args_bytes {
        return Err(Reason::Unrepairable);
    }
    Ok(Mended { text: filled, fill: Some((key.into(), code)), reason, offset: text.len(), end: text.len() })
}

impl Mended {
    /// What was found of this text, told of the original.
    pub(super) fn told(self, judged: Judgement, parsed: &Parsed) -> Judgement {
        let change = self.change(parsed.tape.root(&self.text), judged.args.is_some());
        let mut changes = judged.changes;
        for change in &mut changes {
            change.offset = change.offset.min(self.end);
        }
        changes.insert(0, change);
        changes.sort_by_key(|change| change.offset);
        let args = judged.args.or(Some(self.text));
        Judgement { action: Action::Rewrite, args, reason: self.reason, changes, ..judged }
    }

    /// The change as it is told. A place in the text is none in the result if that was `rewritten`.
    fn change(&self, root: Value<'_>, rewritten: bool) -> Change {
        let mut path = String::new();
        let code = match &self.fill {
            Some((key, code)) => {
                pointer::push_key(&mut path, key);
                *code
            }
            None if self.offset < self.end => Code::TrailingComma,
            None => Code::TextCompleted,
        };
        if self.fill.is_none() && !rewritten {
            cut_path(root, self.offset, code == Code::TextCompleted, &mut path);
        }
        Change { code, path, offset: self.offset }
    }
}

/// The way to the innermost value that was open at `cut`, or is a number that may have been.
fn cut_path(root: Value<'_>, cut: usize, numbers: bool, path: &mut String) {
    let is_cut = |value: &Value<'_>| {
        let end = value.node().end as usize;
        end > cut || numbers && end == cut && value.kind() == Kind::Number
    };
    let mut place = root;
    loop {
        if let Some((key, value)) = place.members().last().filter(|(_, value)| is_cut(value)) {
            pointer::push_key(path, &key.str());
            place = value;
        } else if let Some((index, item)) = place.items().enumerate().last().filter(|(_, item)| is_cut(item)) {
            pointer::push_index(path, index);
            place = item;
        } else {
            return;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::json::{Limits, parse};

    #[test]
    fn the_way_leads_to_what_was_cut() {
        for (text, cut, path) in [
            (r#"{"a":1,"b":[0,{"c/d":"x"}]}"#, 23, "/b/1/c~1d"),
            (r#"{"a":1,"b":[0,{"c":"x"}]}"#, 22, "/b/1"),
            (r#"{"a":12}"#, 7, "/a"),
            (r#"{"a":12 }"#, 8, ""),
            ("[]", 1, ""),
        ] {
            let parsed = parse(text, &Limits::depth(64)).unwrap();
            let mut way = String::new();
            cut_path(parsed.tape.root(text), cut, true, &mut way);
            assert_eq!(way, path, "{text}");
        }
    }
}
