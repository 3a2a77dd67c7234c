//! Commands given as a list of arguments.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{JsonType, JsonView};

/// The command line of an argument list: what a shell was told to run (`bash -lc X` is `X`), otherwise the quoted arguments.
pub(super) fn command<V: JsonView>(value: &V) -> Option<String> {
    if value.json_type() == JsonType::String {
        return value.as_str().filter(|text| !text.is_empty()).map(|text| text.into_owned());
    }
    let argv: Vec<String> =
        value.items().map(|item| item.as_str().map(|text| text.into_owned())).collect::<Option<_>>()?;
    let (program, rest) = argv.split_first()?;
    let program = base_name(program);
    let shell = match program {
        "bash" | "sh" | "zsh" | "dash" => rest.iter().position(|flag| is_c_flag(flag)),
        "powershell" | "pwsh" => {
            rest.iter().position(|flag| flag.eq_ignore_ascii_case("-command") || flag.eq_ignore_ascii_case("-c"))
        }
        "cmd" => {
            let at = rest.iter().position(|flag| flag.eq_ignore_ascii_case("/c"))?;
            return rest.get(at + 1..).map(|words| words.join(" ")).filter(|text| !text.is_empty());
        }
        _ => None,
    };
    match shell.and_then(|at| rest.get(at + 1)) {
        Some(script) => Some(script.clone()),
        None => Some(argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
    }
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
fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"@%+=:,./-_".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.into();
    }
    let mut out = String::with_capacity(word.len() + 2);
    out.push('\'');
    for c in word.chars() {
        if c == '\'' { out.push_str("'\\''") } else { out.push(c) }
    }
    out.push('\'');
    out
}
