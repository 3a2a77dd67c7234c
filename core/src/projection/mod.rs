//! Projection: raw input to canonical input, by the rules of a catalog entry.
//!
//! The raw input may be an object, JSON text inside a string (as OpenAI-style harnesses store it), or bare text (a patch, a
//! script). Such a string is opened, also where it is quoted once more; the rules then read the object or the text.
//!
//! Arguments that still stream are projected by the same rules as far as what is there can only grow: a text that is copied shows
//! from its first character on, and what is worked out of a value waits for the value's end.

mod argv;
mod growing;
mod patch;
mod script;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::catalog::{Entry, How, Refine, Rule, Tool, Toolset};
use crate::input::{CanonicalInput, Field, Growing};
use crate::json::{JsonType, JsonView, RawJson};
use crate::kind::Kind;

/// What a call turns out to be once its arguments are read.
pub(crate) struct Projected {
    pub(crate) input: CanonicalInput,
    pub(crate) growing: Growing,
    pub(crate) kind: Kind,
    pub(crate) read_only: bool,
    /// Server and tool, where a script turned out to call an MCP tool.
    pub(crate) mcp: Option<(String, String)>,
}

impl Projected {
    /// What the entry alone says.
    pub(crate) fn of(tool: &Tool) -> Self {
        Projected {
            input: CanonicalInput::default(),
            growing: Growing::default(),
            kind: tool.kind,
            read_only: tool.is_read_only(),
            mcp: None,
        }
    }
}

/// Projects a call of `tool` with these arguments.
pub(crate) fn project<V: JsonView>(toolset: &'static Toolset, tool: &'static Tool, raw: Option<&V>) -> Projected {
    let mut out = Projected::of(tool);
    let Some(raw) = raw else { return out };
    if raw.json_type() == JsonType::String {
        let text = raw.as_str().unwrap_or_default();
        let open = raw.is_open();
        let parsed = if open { None } else { RawJson::parse(text.as_ref()).ok() };
        // Some models quote their arguments once more.
        let again = parsed.and_then(|parsed| parsed.str());
        let quoted = again.as_ref().and_then(|text| RawJson::parse(text.as_ref()).ok());
        let object = [parsed, quoted].into_iter().flatten().find(|parsed| parsed.is_object());
        match object {
            Some(object) => apply(toolset, tool, &Arguments::Object(object), &mut out),
            None => apply::<RawJson<'_>>(toolset, tool, &Arguments::Text(text, open), &mut out),
        }
    } else {
        apply(toolset, tool, &Arguments::Object(raw.clone()), &mut out);
    }
    out
}

/// Projects arguments by rules of the caller's own, for tools that are not in the catalog. The first 16 members that the rules
/// name are read.
///
/// ```
/// use toolprism::catalog::{How, Rule};
/// use toolprism::{Field, json::RawJson, project_with};
/// static RULES: &[Rule] = &[Rule { field: Field::Path, from: &["file"], how: How::Text }];
/// let input = project_with(RULES, &RawJson::parse(r#"{"file": "a.txt", "text": "..."}"#)?);
/// assert_eq!(input.path.as_deref(), Some("a.txt"));
/// # Ok::<(), toolprism::json::JsonError>(())
/// ```
pub fn project_with<V: JsonView>(rules: &'static [Rule], raw: &V) -> CanonicalInput {
    static TOOLSET: Toolset = Toolset { namespace: "", tools: &[] };
    let tool = Tool::new(&[], Kind::Other).input(rules);
    let mut out = Projected::of(&tool);
    apply(&TOOLSET, &tool, &Arguments::Object(raw.clone()), &mut out);
    out.input
}

fn apply<V: JsonView>(toolset: &'static Toolset, tool: &Tool, arguments: &Arguments<'_, V>, out: &mut Projected) {
    fill(tool, arguments, out);
    // Lines of no file are no projection: the arguments are another tool's, or cut.
    if out.input.path.is_none() {
        (out.input.offset, out.input.limit) = (None, None);
    }
    match tool.refine {
        Refine::Nothing => {}
        Refine::Shell => {
            if let Some(edit) = out.input.command.as_deref().and_then(patch::in_shell) {
                out.kind = Kind::Edit;
                out.read_only = false;
                for field in Field::ALL.iter().filter(|field| **field != Field::Cwd || edit.cwd.is_some()) {
                    out.growing.remove(*field);
                }
                let cwd = edit.cwd.map(ToString::to_string).or(out.input.cwd.take());
                out.input = CanonicalInput { path: edit.path.map(ToString::to_string), cwd, ..Default::default() };
            }
        }
        Refine::Script => {
            if let Some(source) = arguments.text("input").or_else(|| arguments.text("")) {
                script::refine(toolset, &source, out);
            }
        }
        Refine::Mode(member, kinds) => {
            let mode = arguments.text(member).unwrap_or_default();
            if let Some((_, kind)) = kinds.iter().find(|(name, _)| *name == mode) {
                out.kind = *kind;
                out.read_only = kind.read_only();
            }
        }
    }
}

/// The arguments of a call, opened.
enum Arguments<'a, V> {
    Object(V),
    /// Bare text, and whether more of it may come.
    Text(Cow<'a, str>, bool),
}

impl<V: JsonView> Arguments<'_, V> {
    /// The whole string at `from`, where an empty name is the arguments themselves as text.
    fn text(&self, from: &str) -> Option<String> {
        match self {
            Arguments::Text(text, open) => (from.is_empty() && !open).then(|| text.clone().into_owned()),
            Arguments::Object(object) => non_empty(&member(object, from).filter(|member| !member.is_open())?),
        }
    }
}

/// Follows `a.b` from an object.
fn member<V: JsonView>(object: &V, from: &str) -> Option<V> {
    let mut parts = from.split('.');
    let first = object.get(parts.next()?)?;
    parts.try_fold(first, |value, part| value.get(part))
}

/// The most members that the rules of one tool read; a catalog test holds every entry to it.
const MOST_MEMBERS: usize = 16;

/// The members of the raw input that the rules look into, some more than once.
fn members_read(rules: &[Rule]) -> impl Iterator<Item = &'static str> {
    rules.iter().flat_map(|rule| {
        let start = match rule.how {
            How::ToLine(start) => Some(start),
            _ => None,
        };
        rule.from.iter().copied().chain(start).filter_map(|from| from.split('.').next()).filter(|name| !name.is_empty())
    })
}

/// Reads every field that the rules find.
fn fill<V: JsonView>(tool: &Tool, arguments: &Arguments<'_, V>, out: &mut Projected) {
    let rules = tool.input;
    let object = match arguments {
        Arguments::Object(object) => object,
        Arguments::Text(text, open) => {
            for rule in rules.iter().filter(|rule| rule.from.contains(&"")) {
                match rule.how {
                    How::PatchPath if *open => growing::set_path(rule, text, out),
                    How::PatchPath => set(&mut out.input, rule, patch::first_path(text)),
                    How::Text | How::Argv if *open => growing::set(tool, rule, text, out),
                    How::Text | How::Argv if !text.is_empty() => set(&mut out.input, rule, Some(text)),
                    _ => {}
                }
            }
            return;
        }
    };
    // One pass over the object picks all members that any rule may need.
    let mut names = [""; MOST_MEMBERS];
    let mut count = 0;
    for name in members_read(rules) {
        if !names.iter().take(count).any(|known| *known == name)
            && let Some(slot) = names.get_mut(count)
        {
            *slot = name;
            count += 1;
        }
    }
    let mut values: [Option<V>; MOST_MEMBERS] = [const { None }; MOST_MEMBERS];
    let (Some(names), Some(slots)) = (names.get(..count), values.get_mut(..count)) else { return };
    object.pick(names, slots);
    let look = |from: &str| -> Option<V> {
        let mut parts = from.split('.');
        let head = parts.next()?;
        let value = values.get(names.iter().position(|n| *n == head)?)?.clone()?;
        parts.try_fold(value, |value, part| value.get(part))
    };
    // Fields that a value which is not whole will tell; no later rule may take its place meanwhile.
    let mut awaited = Growing::default();
    for rule in rules {
        for from in rule.from {
            let Some(value) = look(from).filter(|_| !awaited.has(rule.field)) else { continue };
            let done = match growing::unfinished(rule, &value, &look, object.is_open()) {
                Some(unfinished) => {
                    awaited.add(rule.field);
                    growing::read(tool, rule, unfinished, out);
                    true
                }
                None => read(rule, &value, &look, &mut out.input),
            };
            if done {
                break;
            }
        }
    }
}

fn set(input: &mut CanonicalInput, rule: &Rule, text: Option<&str>) {
    if let Some(text) = text {
        input.set_text(rule.field, text.to_string());
    }
}

/// Reads one member by one rule; `true` if it yielded a value.
fn read<V: JsonView>(rule: &Rule, value: &V, look: &impl Fn(&str) -> Option<V>, input: &mut CanonicalInput) -> bool {
    let number = match rule.how {
        How::Count => whole(value).and_then(|n| u64::try_from(n).ok()),
        How::Line => whole(value).filter(|n| *n >= 0).map(|n| n.max(1).unsigned_abs()),
        How::LineFromZero => whole(value).filter(|n| *n >= 0).map(|n| n.unsigned_abs() + 1),
        How::ToLine(start) => lines(look(start).as_ref().and_then(whole), whole(value)),
        How::RangeStart => range(value).map(|(start, _)| start.max(1).unsigned_abs()),
        How::RangeLength => range(value).and_then(|(start, end)| lines(Some(start), Some(end))),
        _ => {
            let text = match rule.how {
                How::Text => non_empty(value),
                How::Verbatim => value.as_str().map(Cow::into_owned),
                How::First => first(value),
                How::LeastKey => value.members().map(|(key, _)| key.into_owned()).min().filter(|key| !key.is_empty()),
                How::Argv => argv::command(value),
                How::PatchPath => value.as_str().as_deref().and_then(patch::first_path).map(ToString::to_string),
                How::FileUri => value.as_str().map(|text| file_path(&text)).filter(|text| !text.is_empty()),
                _ => None,
            };
            return text.map(|text| input.set_text(rule.field, text)).is_some();
        }
    };
    number.map(|n| input.set_number(rule.field, n)).is_some()
}

fn non_empty<V: JsonView>(value: &V) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(Cow::into_owned)
}

/// An integer, also written as a float without a fraction or as a decimal string.
fn whole<V: JsonView>(value: &V) -> Option<i64> {
    match value.as_str() {
        Some(text) => text.parse().ok(),
        None => value.as_i64(),
    }
}

/// The number of lines from `start` (or 1) to `end`, both included.
fn lines(start: Option<i64>, end: Option<i64>) -> Option<u64> {
    let (start, end) = (start.unwrap_or(1).max(1), end?);
    (end >= start).then(|| (end - start).unsigned_abs() + 1)
}

fn range<V: JsonView>(value: &V) -> Option<(i64, i64)> {
    let mut items = value.items();
    let pair = (items.next()?.as_i64()?, items.next()?.as_i64()?);
    (items.next().is_none() && pair.0 >= 0).then_some(pair)
}

fn first<V: JsonView>(value: &V) -> Option<String> {
    if value.json_type() == JsonType::String {
        return non_empty(value);
    }
    let item = value.items().next()?;
    if item.is_object() { non_empty(&item.get("path")?) } else { non_empty(&item) }
}

/// A `file:` URI as a path, percent-decoded, without the slash before a Windows drive letter.
fn file_path(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else { return uri.to_string() };
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, tail @ ..] = rest {
        match tail.split_at_checked(2).filter(|_| *byte == b'%').and_then(|(two, after)| Some((hex(two)?, after))) {
            Some((decoded, after)) => {
                bytes.push(decoded);
                rest = after;
            }
            None => {
                bytes.push(*byte);
                rest = tail;
            }
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    let drive = path.as_bytes();
    match drive {
        [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() => path.get(1..).unwrap_or_default().to_string(),
        _ => path,
    }
}

fn hex(digits: &[u8]) -> Option<u8> {
    digits.iter().try_fold(0, |byte, digit| Some(byte << 4 | char::from(*digit).to_digit(16)? as u8))
}

/// How many fields a projection by this entry would have: a measure of how well the two fit.
pub(crate) fn fit<V: JsonView>(entry: Entry, raw: Option<&V>) -> usize {
    let input = project(entry.toolset, entry.tool, raw).input;
    let numbers = usize::from(input.offset.is_some()) + usize::from(input.limit.is_some());
    numbers + Field::ALL.iter().filter(|field| input.text(**field).is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn no_tool_reads_more_members_than_there_is_room_for() {
        for toolset in crate::catalog::toolsets() {
            for tool in toolset.tools {
                let members: BTreeSet<_> = members_read(tool.input).collect();
                assert!(members.len() <= MOST_MEMBERS, "{} {:?}", toolset.namespace, tool.names);
            }
        }
    }

    #[test]
    fn a_file_address_becomes_a_path() {
        assert_eq!(file_path("file:///home/u/a%20b.txt"), "/home/u/a b.txt");
        assert_eq!(file_path("file://localhost/etc/hosts"), "/etc/hosts");
        assert_eq!(file_path("file:///C:/x/y.txt"), "C:/x/y.txt");
        assert_eq!(file_path("file:///t%C3%BCr"), "/tür");
        assert_eq!(file_path("file:///100%/%zz%+1%2"), "/100%/%zz%+1%2");
        assert_eq!(file_path("file:///%ff"), "/\u{fffd}");
        assert_eq!(file_path("/plain/%20"), "/plain/%20");
    }
}
