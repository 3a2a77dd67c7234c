//! Commands given as a list of arguments.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{JsonType, JsonView};

/// The command line of an argument list: what a shell was told to run (`bash -lc X` is `X`), otherwise the quoted
/// arguments. A string is taken as it stands, also where a shell is called in it.
pub(super) fn command<V: JsonView>(value: &V) -> Option<String> {
    if value.json_type() == JsonType::String {
        return value.as_str().map(Cow::into_owned).filter(|text| !text.is_empty());
    }
    let argv: Vec<String> = value.items().map(|item| item.as_str().map(Cow::into_owned)).collect::<Option<_>>()?;
    let (program, arguments) = argv.split_first()?;
    let after = |is_flag: &dyn Fn(&str) -> bool| {
        let at = arguments.iter().position(|argument| is_flag(argument))?;
        arguments.get(at + 1..).filter(|rest| !rest.is_empty())
    };
    let script = match base_name(program) {
        "bash" | "sh" | "zsh" | "dash" => after(&is_c_flag).and_then(|rest| rest.first().cloned()),
        "powershell" | "pwsh" => {
            let is_command = |flag: &str| ["-command", "-c"].iter().any(|known| flag.eq_ignore_ascii_case(known));
            after(&is_command).and_then(|rest| rest.first().cloned())
        }
        "cmd" => after(&|flag| flag.eq_ignore_ascii_case("/c")).map(|rest| rest.join(" ")),
        // Its patch is read again from here, and quoting would change the paths in it.
        name @ ("apply_patch" | "applypatch") => Some(alloc::format!("{name} {}", arguments.join(" "))),
        _ => None,
    };
    Some(script.unwrap_or_else(|| argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")))
}

/// The last part of a path, without `.exe`.
fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// `-c`, `-lc`, `-ic`...
fn is_c_flag(flag: &str) -> bool {
    flag.strip_prefix('-').and_then(|f| f.strip_suffix('c')).is_some_and(|f| f.bytes().all(|b| b.is_ascii_lowercase()))
}

/// A word as a POSIX shell would have to read it.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"@%+=:,./-_".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(alloc::format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::command;
    use alloc::string::String;
    use serde_json::json;

    fn of(argv: serde_json::Value) -> Option<String> {
        command(&&argv)
    }

    #[test]
    fn a_shell_is_what_it_was_told_to_run() {
        for shell in ["bash", "/bin/bash", "sh", "/usr/bin/zsh", "dash", r"C:\git\bin\bash.exe"] {
            assert_eq!(of(json!([shell, "-lc", "ls | wc -l"])).as_deref(), Some("ls | wc -l"));
        }
        assert_eq!(of(json!(["bash", "-l", "-c", "a b", "arg0"])).as_deref(), Some("a b"));
        assert_eq!(of(json!(["pwsh", "-NoProfile", "-Command", "Get-Item ."])).as_deref(), Some("Get-Item ."));
        assert_eq!(of(json!(["powershell.exe", "-c", "dir"])).as_deref(), Some("dir"));
        assert_eq!(of(json!(["cmd", "/d", "/C", "dir", "/b"])).as_deref(), Some("dir /b"));
    }

    #[test]
    fn other_arguments_are_quoted_where_a_shell_needs_it() {
        assert_eq!(of(json!(["ls", "-la", "a b"])).as_deref(), Some("ls -la 'a b'"));
        assert_eq!(of(json!(["echo", "it's", ""])).as_deref(), Some(r"echo 'it'\''s' ''"));
        assert_eq!(of(json!(["bash", "run.sh"])).as_deref(), Some("bash run.sh"));
        assert_eq!(of(json!(["bash", "-c"])).as_deref(), Some("bash -c"));
        assert_eq!(of(json!(["cmd", "dir"])).as_deref(), Some("cmd dir"));
        assert_eq!(of(json!(["git", "commit", "-lc", "x"])).as_deref(), Some("git commit -lc x"));
    }

    #[test]
    fn a_patch_is_not_quoted() {
        assert_eq!(of(json!(["/opt/apply_patch", "it's"])).as_deref(), Some("apply_patch it's"));
    }

    #[test]
    fn a_string_stands_and_what_is_no_command_gives_nothing() {
        assert_eq!(of(json!("bash -lc 'ls'")).as_deref(), Some("bash -lc 'ls'"));
        for nothing in [json!(""), json!([]), json!(["ls", 1]), json!({"cmd": "ls"}), json!(null), json!(5)] {
            assert_eq!(of(nothing), None);
        }
    }
}
