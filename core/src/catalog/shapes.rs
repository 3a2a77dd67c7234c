//! What a call is most likely to be, from the members of its raw input alone: the last resort before the ACP kind.
//!
//! Only shapes that mean the same in every harness of the catalog are listed; `{query}` alone, say, may search the web,
//! the code or the tools, and so is not.

use super::{Rule, Tool, command, cwd, description, directory, limit, line, name, patch_path, path, pattern};
use crate::json::{JsonType, JsonView, RawJson};
use crate::kind::Kind;

/// A shape: members that must be there (one of each list, with this type), and the tool that such a call is taken for.
struct Shape {
    needs: &'static [(&'static [&'static str], JsonType)],
    tool: Tool,
}

const PATHS: &[&str] = &["file_path", "filePath", "path", "target_file", "absolute_path"];
const OWN_PATHS: &[&str] = &["file_path", "filePath", "target_file", "absolute_path"];
const PATH: Rule = path(PATHS);

static SHAPES: &[Shape] = &[
    Shape {
        needs: &[(&["command", "cmd"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Execute).input(&[
            command(&["command", "cmd"]),
            description(&["description"]),
            cwd(&["workdir", "cwd"]),
        ]),
    },
    Shape {
        needs: &[(PATHS, JsonType::String), (&["old_string", "oldString", "old_str", "oldText"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Edit).input(&[PATH]),
    },
    Shape {
        needs: &[(PATHS, JsonType::String), (&["content", "contents", "file_text"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Write).input(&[PATH]),
    },
    Shape {
        needs: &[(&["patch", "patchText"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Edit).input(&[patch_path(&["patch", "patchText"])]),
    },
    Shape {
        needs: &[(&["pattern"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Search).input(&[pattern(&["pattern"]), path(&["path", "dir_path"])]),
    },
    Shape { needs: &[(&["todos"], JsonType::Array)], tool: Tool::new(&[name("")], Kind::Plan) },
    Shape { needs: &[(&["url"], JsonType::String)], tool: Tool::new(&[name("")], Kind::WebFetch) },
    Shape {
        needs: &[(OWN_PATHS, JsonType::String)],
        tool: Tool::new(&[name("")], Kind::Read).input(&[path(OWN_PATHS), line(&["offset"]), limit(&["limit"])]),
    },
    Shape {
        needs: &[(&["target_directory", "dir_path"], JsonType::String)],
        tool: Tool::new(&[name("")], Kind::ListDir).input(&[directory(&["target_directory", "dir_path"])]),
    },
];

/// Every member that a shape needs.
const MEMBERS: [&str; 21] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "target_file",
    "absolute_path",
    "old_string",
    "oldString",
    "old_str",
    "oldText",
    "content",
    "contents",
    "file_text",
    "patch",
    "patchText",
    "pattern",
    "todos",
    "url",
    "target_directory",
    "dir_path",
];

/// The tool whose shape these arguments have; JSON text in a string is opened.
pub(crate) fn tool<V: JsonView>(raw: &V) -> Option<&'static Tool> {
    match raw.as_str() {
        Some(text) => of_object(&RawJson::parse(text.as_ref()).ok()?),
        None => of_object(raw),
    }
}

fn of_object<V: JsonView>(raw: &V) -> Option<&'static Tool> {
    let mut found: [Option<V>; MEMBERS.len()] = [const { None }; MEMBERS.len()];
    raw.pick(&MEMBERS, &mut found);
    let is = |name: &str, json_type: JsonType| {
        MEMBERS.iter().zip(&found).any(|(member, value)| {
            *member == name && value.as_ref().is_some_and(|value| value.json_type() == json_type)
        })
    };
    let has = |(names, json_type): &(&[&str], JsonType)| names.iter().any(|name| is(name, *json_type));
    SHAPES.iter().find(|shape| shape.needs.iter().all(has)).map(|shape| &shape.tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_needed_member_is_picked() {
        for name in SHAPES.iter().flat_map(|shape| shape.needs).flat_map(|(names, _)| *names) {
            assert!(MEMBERS.contains(name), "{name}");
        }
    }
}
