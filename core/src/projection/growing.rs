//! Values of arguments that still stream, which are not whole: what of them can be projected already.

use alloc::string::ToString;

use super::{Projected, patch};
use crate::catalog::{How, Refine, Rule, Tool};
use crate::input::{Field, Waits};
use crate::json::{JsonType, JsonView};

/// The value that `rule` has to wait for the rest of.
pub(super) fn unfinished<V: JsonView>(
    rule: &Rule,
    value: &V,
    look: &impl Fn(&str) -> Option<V>,
    more: bool,
) -> Option<V> {
    let part = match rule.how {
        // Without its start the range may yet get one.
        How::ToLine(start) if more => {
            look(start).filter(|start| !start.is_open()).map_or(Some(value.clone()), |_| None)
        }
        // Of a list only its first element counts.
        How::First if value.json_type() == JsonType::Array => {
            let first = value.items().next();
            let inner = first.map(|item| if item.is_object() { item.get("path").unwrap_or(item) } else { item });
            return inner.map_or(value.is_open().then(|| value.clone()), |inner| inner.is_open().then_some(inner));
        }
        _ => None,
    };
    part.or_else(|| value.is_open().then(|| value.clone()))
}

/// Reads what is there of a value that is not whole.
pub(super) fn read<V: JsonView>(tool: &Tool, rule: &Rule, value: V, out: &mut Projected) {
    let text = value.as_str().filter(|_| value.is_open());
    match (rule.how, text) {
        (How::Text | How::Verbatim | How::Argv | How::First, Some(text)) => set(tool, rule, &text, out),
        (How::PatchPath, Some(text)) => set_path(rule, &text, out),
        _ => out.growing.wait_for(Waits::End),
    }
}

/// Shows a text that still grows.
pub(super) fn set(tool: &Tool, rule: &Rule, text: &str, out: &mut Projected) {
    let hidden = tool.refine == Refine::Shell && rule.field == Field::Command && patch::may_be_in_shell(text);
    if hidden || text.is_empty() && rule.how != How::Verbatim {
        out.growing.wait_for(Waits::Text);
    } else if out.input.text(rule.field).is_none() {
        out.input.set_text(rule.field, text.to_string());
        out.growing.add(rule.field);
    }
}

/// How far into a patch that still grows its first file is looked for.
const PATCH_FRONT: usize = 4096;

/// Shows the first path of a patch that still grows, once the path's line is whole.
pub(super) fn set_path(rule: &Rule, text: &str, out: &mut Projected) {
    let end = (0..=text.len().min(PATCH_FRONT)).rev().find(|&i| text.is_char_boundary(i)).unwrap_or_default();
    let path = text.get(..end).and_then(patch::path_so_far);
    out.growing.wait_for(if path.is_none() && text.len() < PATCH_FRONT { Waits::Text } else { Waits::End });
    super::set(&mut out.input, rule, path);
}

#[cfg(test)]
mod tests {
    use super::super::project;
    use super::*;
    use crate::catalog::{Toolset, command, cwd, description, limit, name, path, pattern, to_line};
    use crate::kind::Kind;
    use crate::partial::{Mode, Options, PartialInput};
    use alloc::boxed::Box;
    use alloc::vec::Vec;
    use alloc::{format, vec};
    use serde_json::json;

    /// The projection of the front of arguments by these rules, and the fields that grow.
    fn of_front(tool: Tool, mode: Mode, front: &str) -> (serde_json::Value, Vec<Field>) {
        static TOOLSET: Toolset = Toolset { namespace: "test", tools: &[] };
        let mut arguments = PartialInput::with(Options { mode, ..Options::default() });
        arguments.push(front);
        let out = project(&TOOLSET, Box::leak(Box::new(tool)), arguments.view().as_ref());
        (serde_json::to_value(&out.input).unwrap_or_default(), out.growing.iter().collect())
    }

    const TOOL: Tool = Tool::new(&[name("t")], Kind::Other);

    #[test]
    fn no_later_rule_takes_the_place_of_a_value_that_is_not_whole() {
        const RANGE: &[Rule] = &[path(&["path"]), to_line(&["end"], "start"), limit(&["limit"])];
        let tool = || TOOL.input(RANGE);
        let of = |front| of_front(tool(), Mode::Strict, front);
        assert_eq!(of(r#"{"path":"a","end":9,"limit":5,"#), (json!({"path": "a"}), vec![]));
        assert_eq!(of(r#"{"path":"a","end":9,"limit":5,"start":3,"#), (json!({"path": "a", "limit": 7}), vec![]));
        assert_eq!(of(r#"{"path":"a","end":9,"limit":5}"#), (json!({"path": "a", "limit": 9}), vec![]));
        assert_eq!(of(r#"{"path":"a","limit":5,"#), (json!({"path": "a", "limit": 5}), vec![]));
        const TWO: &[Rule] = &[path(&["first", "second"])];
        assert_eq!(of_front(TOOL.input(TWO), Mode::Strict, r#"{"second":"b","first":""#), (json!({}), vec![]));
        const VERBATIM: &[Rule] = &[pattern(&["p"]).verbatim()];
        assert_eq!(
            of_front(TOOL.input(VERBATIM), Mode::Strict, r#"{"p":""#),
            (json!({"pattern": ""}), vec![Field::Pattern])
        );
    }

    #[test]
    fn an_edit_in_a_shell_leaves_only_its_directory_growing() {
        const RULES: &[Rule] = &[command(&["cmd"]), cwd(&["cwd"]), description(&["d"])];
        let of = |front: &str| of_front(TOOL.input(RULES).refine(Refine::Shell), Mode::Strict, front);
        let patch = "apply_patch <<E\\n*** Begin Patch\\n*** Add File: a\\nE";
        let edit = |rest: &str| of(&format!("{{\"cmd\":\"{patch}\",{rest}"));
        assert_eq!(edit(r#""d":"why"#), (json!({"path": "a"}), vec![]));
        assert_eq!(edit(r#""cwd":"x"#), (json!({"path": "a", "cwd": "x"}), vec![Field::Cwd]));
        let there = of(&format!("{{\"cmd\":\"cd y && {patch}\",\"cwd\":\"x"));
        assert_eq!(there, (json!({"path": "a", "cwd": "y"}), vec![]));
        assert_eq!(
            of(r#"{"cmd":"ls","d":"why"#),
            (json!({"command": "ls", "description": "why"}), vec![Field::Description])
        );
    }

    #[test]
    fn bare_text_is_not_opened_before_its_end() {
        const CODE: &[Rule] = &[command(&["code", ""])];
        let tool = || TOOL.input(CODE);
        let quoted = r#""{\"code\":\"x\"}""#;
        assert_eq!(of_front(tool(), Mode::Text, quoted), (json!({"command": quoted}), vec![Field::Command]));
        let toolset = Box::leak(Box::new(Toolset { namespace: "test", tools: &[] }));
        let whole = project(toolset, Box::leak(Box::new(tool())), Some(&&json!(quoted)));
        assert_eq!(whole.input.command.as_deref(), Some("x"));
    }
}
