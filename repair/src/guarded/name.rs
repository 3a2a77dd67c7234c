//! The tool's name: what is a spelling of an offered name, and what is another tool.

use alloc::string::String;
use alloc::vec::Vec;

use super::FaultCode;
use crate::{Change, Code, ToolDefinition, names};

/// What harnesses and templates put in front of a name.
const PREFIXES: [&str; 3] = ["functions.", "default_api.", "tool:"];

/// The tool that is meant, and how its name was changed.
pub(super) fn resolve<'t>(
    name: &str,
    exact: Option<&'t ToolDefinition>,
    catalog: &'t [ToolDefinition],
) -> Result<(&'t ToolDefinition, Vec<Change>), FaultCode> {
    if let Some(tool) = exact.or_else(|| catalog.iter().find(|tool| tool.name == name)) {
        return Ok((tool, Vec::new()));
    }
    let (word, mut codes) = unwrapped(name, &|word| catalog.iter().any(|tool| tool.name == word));
    let tool = match catalog.iter().find(|tool| tool.name == word) {
        Some(tool) => tool,
        None => {
            let mut same = catalog.iter().filter(|tool| names::same(&tool.name, word));
            let tool = same.next().ok_or(FaultCode::UnknownTool)?;
            if same.any(|other| other.name != tool.name) {
                return Err(FaultCode::AmbiguousTool);
            }
            codes.push(Code::NameCase);
            tool
        }
    };
    let change = |code| Change { code, path: String::new(), offset: 0 };
    Ok((tool, codes.into_iter().map(change).collect()))
}

/// Whether `word` is a spelling of the name of `tool`, wrapped or not.
pub(super) fn means(word: &str, tool: &str) -> bool {
    let (inner, _) = unwrapped(word, &|word| word == tool);
    inner == tool || names::same(inner, tool)
}

/// Whether this could be the name of a tool at all.
pub(super) fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
        && text.contains(|c: char| c.is_ascii_alphabetic())
}

/// The name without what surrounds it, layer by layer until it is `known` or nothing is left to take off.
fn unwrapped<'n>(name: &'n str, known: &dyn Fn(&str) -> bool) -> (&'n str, Vec<Code>) {
    let mut codes = Vec::new();
    let mut word = name.trim();
    if word.len() < name.len() {
        codes.push(Code::NameCase);
    }
    while !known(word) {
        let (rest, code) = if let Some(token) = word.find("<|").filter(|at| *at > 0) {
            (word.get(..token), Code::SpecialToken)
        } else if let Some(prefix) = PREFIXES.iter().find(|prefix| word.starts_with(**prefix)) {
            (word.strip_prefix(prefix), Code::NamePrefix)
        } else if let Some(rest) = word.strip_suffix("()") {
            (Some(rest), Code::NameSuffix)
        } else if let Some((rest, _)) = word.rsplit_once(':').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit())) {
            (Some(rest), Code::NameSuffix)
        } else {
            break;
        };
        word = rest.unwrap_or_default().trim_end();
        codes.push(code);
    }
    (word, codes)
}
