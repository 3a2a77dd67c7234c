//! Where tools usually have what the envelope's `input` shows: read by their kind, for tools that do not say it themselves.

use toolprism::catalog::{How, Rule};
use toolprism::{Field, Kind};

macro_rules! rules {
    ($( $field:ident $how:ident [$($from:literal),+] )+) => {
        &[ $( Rule { field: Field::$field, from: &[$($from),+], how: How::$how } ),+ ]
    };
}

static FILE: &[Rule] = rules! { Path Text ["path", "file_path", "filePath", "target_file", "absolute_path"] };

static LINES: &[Rule] = rules! {
    Path Text ["path", "file_path", "filePath", "target_file", "absolute_path"]
    Offset Line ["offset", "start_line"]
    Limit Count ["limit"]
};

static FOLDER: &[Rule] = rules! { Directory Text ["directory", "dir_path", "target_directory", "path"] };

static SEARCH: &[Rule] = rules! {
    Pattern Text ["pattern", "regex"]
    Path Text ["path", "dir_path", "directory"]
};

static COMMAND: &[Rule] = rules! {
    Command Text ["command", "cmd"]
    Description Text ["description"]
    Cwd Text ["cwd", "workdir"]
};

/// The rules for tools of a kind: none where the names of arguments say too little.
pub(crate) fn rules(kind: Kind) -> &'static [Rule] {
    match kind {
        Kind::Read => LINES,
        Kind::Edit | Kind::Write | Kind::Delete => FILE,
        Kind::List | Kind::ListDir => FOLDER,
        Kind::Search => SEARCH,
        Kind::Execute => COMMAND,
        _ => &[],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn projected(kind: Kind, arguments: Value) -> Value {
        serde_json::to_value(toolprism::project_with(rules(kind), &&arguments)).unwrap()
    }

    #[test]
    fn the_usual_names_are_read_by_kind() {
        let lines = json!({"file_path": "a", "offset": 0, "limit": 3, "content": "big"});
        assert_eq!(projected(Kind::Read, lines.clone()), json!({"path": "a", "offset": 1, "limit": 3}));
        assert_eq!(projected(Kind::Write, lines.clone()), json!({"path": "a"}));
        assert_eq!(projected(Kind::Other, lines), json!({}));
        assert_eq!(projected(Kind::Read, json!({"offset": 4})), json!({}));
        assert_eq!(projected(Kind::List, json!({"path": "d"})), json!({"directory": "d"}));
        assert_eq!(projected(Kind::Search, json!({"pattern": "x", "path": "d"})), json!({"pattern": "x", "path": "d"}));
        let command = json!({"command": "ls", "description": "List", "workdir": "/", "timeout": 5});
        assert_eq!(projected(Kind::Execute, command), json!({"command": "ls", "description": "List", "cwd": "/"}));
    }
}
