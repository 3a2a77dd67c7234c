//! Which calls fit a query.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem::Finder;
use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism::readers::from_iso;
use toolprism::{Field, Flag, GroupBy, Input, Status, ToolCall};

use super::list::List;
use crate::error::{Error, object};

/// What a text of a query is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    By(GroupBy),
    Session,
    File,
    Agent,
    Why,
}

impl Member {
    /// Every one, in order, with its name.
    fn named(name: &str) -> Option<Member> {
        let others =
            [(Member::Session, "session"), (Member::File, "file"), (Member::Agent, "agent"), (Member::Why, "why")];
        let groups = GroupBy::ALL.into_iter().map(|by| (Member::By(by), by.as_str()));
        groups.chain(others).find_map(|(member, own)| (own == name).then_some(member))
    }

    fn of<'c>(self, call: &'c ToolCall, file: &'c str) -> Option<&'c str> {
        match self {
            Member::By(by) => by.value(call),
            Member::Session => call.session.as_deref(),
            Member::File => Some(file),
            Member::Agent => call.agent.as_deref(),
            Member::Why => Some(call.identity.why.as_str()),
        }
    }
}

/// What the calls must be.
#[derive(Default)]
pub(super) struct Query<'q> {
    /// One of the values of each; `None` stands for a call without one.
    texts: Vec<(Member, Vec<Option<Cow<'q, str>>>)>,
    status: Option<Vec<Status>>,
    flag: Option<Vec<Flag>>,
    read_only: Option<bool>,
    known: Option<bool>,
    since: Option<i64>,
    until: Option<i64>,
    /// In small letters.
    words: Vec<String>,
}

impl<'q> Query<'q> {
    /// Reads the text of a JSON object.
    pub(super) fn read(text: &'q [u8]) -> Result<Self, Error> {
        let mut query = Query::default();
        for (name, value) in object(text)?.members() {
            let wrong = |wanted: &str| Error::wrong_type(text, value, format!("\"{name}\" must be {wanted}"));
            if let Some(member) = Member::named(&name) {
                let values = one_or_more(value, |value| match value.json_type() {
                    JsonType::Null => Some(None),
                    _ => value.str().map(Some),
                });
                query.texts.push((member, values.ok_or_else(|| wrong("a text or null, or a list of these"))?));
                continue;
            }
            if value.is_null() && is_known(&name) {
                continue;
            }
            match name.as_ref() {
                "status" => query.status = Some(names(value, &name, &Status::ALL, Status::as_str, wrong)?),
                "flag" => query.flag = Some(names(value, &name, &Flag::ALL, Flag::as_str, wrong)?),
                "read_only" => query.read_only = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?),
                "known" => query.known = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?),
                "since" => query.since = Some(time(value).ok_or_else(|| wrong(TIME))?),
                "until" => query.until = Some(time(value).ok_or_else(|| wrong(TIME))?),
                "text" => {
                    let words = value.str().ok_or_else(|| wrong("a text"))?;
                    query.words = words.split_whitespace().map(str::to_ascii_lowercase).collect();
                }
                _ => return Err(Error::new("unknown_value", format!("calls have no {name:?} to be selected by"))),
            }
        }
        Ok(query)
    }

    /// The numbers of the calls that fit.
    pub(super) fn select(&self, list: &List<'_>) -> Vec<u32> {
        let words: Vec<_> = self.words.iter().map(|word| Finder::new(word.as_bytes())).collect();
        let (mut found, mut number) = (Vec::new(), 0_u32);
        // The texts of one call at a time, in small letters.
        let mut texts = Vec::new();
        for part in list.parts() {
            texts.clear();
            append(part.file, &mut texts);
            texts.make_ascii_lowercase();
            let words: Vec<_> = words.iter().filter(|word| word.find(&texts).is_none()).collect();
            for call in part.calls {
                if self.fits(call, part.file) && (words.is_empty() || has_words(call, &words, &mut texts)) {
                    found.push(number);
                }
                number += 1;
            }
        }
        found
    }

    /// Whether all but the words fit.
    fn fits(&self, call: &ToolCall, file: &str) -> bool {
        let text = |(member, values): &(Member, Vec<Option<Cow<'_, str>>>)| {
            let own = member.of(call, file);
            values.iter().any(|value| value.as_deref() == own)
        };
        self.texts.iter().all(text)
            && self.status.as_ref().is_none_or(|status| status.contains(&call.status))
            && self.flag.as_ref().is_none_or(|flags| flags.iter().any(|flag| call.flags.has(*flag)))
            && self.read_only.is_none_or(|read_only| read_only == call.identity.meta.read_only)
            && self.known.is_none_or(|known| known == call.identity.why.is_known())
            && self.since.is_none_or(|since| call.started_at.is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| call.started_at.is_some_and(|time| time < until))
    }
}

const TIME: &str = "a time (\"2026-11-30T10:11:31.240Z\") or a day (\"2026-11-30\")";

fn is_known(name: &str) -> bool {
    ["status", "flag", "read_only", "known", "since", "until", "text"].contains(&name)
}

/// A value, or each of a list.
fn one_or_more<'q, T>(value: RawJson<'q>, read: impl Fn(RawJson<'q>) -> Option<T>) -> Option<Vec<T>> {
    match value.json_type() {
        JsonType::Array => value.items().map(read).collect(),
        _ => read(value).map(|one| alloc::vec![one]),
    }
}

/// What one or more names stand for.
fn names<T: Copy>(
    value: RawJson<'_>,
    member: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    wrong: impl Fn(&str) -> Error,
) -> Result<Vec<T>, Error> {
    let texts = one_or_more(value, |value| value.str()).ok_or_else(|| wrong("a text, or a list of texts"))?;
    let find = |text: &Cow<'_, str>| {
        all.iter().copied().find(|one| name(*one) == text).ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|one| name(*one)).collect();
            Error::new("unknown_value", format!("there is no {member} {text:?}; known are: {}", known.join(", ")))
        })
    };
    texts.iter().map(find).collect()
}

fn time(value: RawJson<'_>) -> Option<i64> {
    let text = value.str()?;
    if text.len() == "2026-11-30".len() { from_iso(&format!("{text}T00:00:00Z")) } else { from_iso(&text) }
}

/// Whether all the words are in a call's texts. Linear in them, whatever they hold: each is copied once into `texts`, which
/// keeps its room, and searched once for each word.
fn has_words(call: &ToolCall, words: &[&Finder<'_>], texts: &mut Vec<u8>) -> bool {
    texts.clear();
    let meta = &call.identity.meta;
    append(&meta.name, texts);
    append(&meta.label, texts);
    append(&call.id, texts);
    for text in [&call.title, &call.error, &call.session].into_iter().flatten() {
        append(text, texts);
    }
    match &meta.input {
        Some(Input::Canonical(input)) => {
            Field::ALL.into_iter().filter_map(|field| input.text(field)).for_each(|text| append(text, texts));
        }
        Some(Input::Foreign(value)) => append(&format!("{value}"), texts),
        None => {}
    }
    texts.make_ascii_lowercase();
    words.iter().all(|word| word.find(texts).is_some())
}

/// Appends a text, and what no word holds.
fn append(text: &str, texts: &mut Vec<u8>) {
    texts.extend_from_slice(text.as_bytes());
    texts.push(b'\n');
}
