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

/// The tool whose shape these arguments have; JSON text in a string is opened.
pub(crate) fn tool<V: JsonView>(raw: &V) -> Option<&'static Tool> {
    match raw.as_str() {
        Some(text) => of_object(&RawJson::parse(text.as_ref()).ok()?),
        None => of_object(raw),
    }
}

fn of_object<V: JsonView>(object: &V) -> Option<&'static Tool> {
    let has = |(names, json_type): &(&[&str], JsonType)| {
        names.iter().any(|name| object.get(name).is_some_and(|value| value.json_type() == *json_type))
    };
    SHAPES.iter().find(|shape| shape.needs.iter().all(has)).map(|shape| &shape.tool)
}
