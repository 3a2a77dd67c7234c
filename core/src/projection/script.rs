//! Codex code mode: the one tool call in a script, read without running it.
//!
//! The script is taken apart into tokens, so that strings, comments and regular expressions are told from code. A call
//! counts if it is the only one and its argument is a literal; in doubt the entry stays what it is.

mod tokens;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value};

use self::tokens::{Token, Tokens};
use super::{Projected, project};
use crate::catalog::{McpNaming, Refine, Toolset};
use crate::kind::Kind;

/// Literals nested deeper than this are not read.
const MAX_DEPTH: usize = 32;

/// Takes the call for the tool that the script calls, if it calls exactly one with literal arguments.
pub(super) fn refine(toolset: &'static Toolset, source: &str, out: &mut Projected) {
    if let Some(projected) = projected(toolset, source) {
        *out = projected;
    }
}

fn projected(toolset: &'static Toolset, source: &str) -> Option<Projected> {
    let (name, arguments) = only_call(source)?;
    if let Some((server, tool)) = McpNaming::Prefixed("mcp__", "__").split(name) {
        let mcp = Some((server.to_owned(), tool.to_owned()));
        return Some(Projected {
            input: Default::default(),
            growing: Default::default(),
            kind: Kind::Other,
            read_only: false,
            mcp,
        });
    }
    let tool = toolset.tool(name, None)?.tool;
    if tool.refine == Refine::Script {
        return None;
    }
    let argument = argument(source, arguments)?;
    Some(project(toolset, tool, Some(&&argument)))
}

/// The name in the only `tools.<name>(` of a script, and the tokens after it. Any other use of `tools` may be a call too.
fn only_call(source: &str) -> Option<(&str, Tokens<'_>)> {
    let mut tokens = Tokens::new(source);
    let mut call = None;
    loop {
        match tokens.next()? {
            Token::End => return call,
            Token::Word("tools") => {
                let (Token::Mark(b'.'), Token::Word(name), Token::Mark(b'(')) =
                    (tokens.next()?, tokens.next()?, tokens.next()?)
                else {
                    return None;
                };
                if call.replace((name, tokens.clone())).is_some() {
                    return None;
                }
            }
            // An escape in a name: it may spell anything.
            Token::Mark(b'\\') => return None,
            _ => {}
        }
    }
}

/// The value of a call's only argument: a literal, or the text of the variable named there; `null` without an argument.
fn argument(source: &str, mut tokens: Tokens<'_>) -> Option<Value> {
    let start = tokens.at;
    let first = tokens.next()?;
    if first == Token::Mark(b')') {
        return Some(Value::Null);
    }
    let value = match literal(first, &mut tokens, MAX_DEPTH) {
        Some(value) => value,
        None => Value::String(variable(source, first, start)?),
    };
    match tokens.next()? {
        Token::Mark(b')') => Some(value),
        Token::Mark(b',') => (tokens.next()? == Token::Mark(b')')).then_some(value),
        _ => None,
    }
}

/// The text that the variable `name` holds at byte `end`, if it was given a string once and never anything else.
fn variable(source: &str, name: Token<'_>, end: usize) -> Option<String> {
    if !matches!(name, Token::Word(_)) {
        return None;
    }
    let mut tokens = Tokens::new(source);
    let mut text = None;
    let mut before = Token::End;
    let mut token = tokens.next()?;
    while tokens.at < end && token != Token::End {
        let mut after = tokens.next()?;
        if token == name && before != Token::Mark(b'.') {
            match (before, after) {
                (Token::Word("const" | "let" | "var"), Token::Mark(b'=')) if text.is_none() => {
                    let Token::Text(value) = tokens.next()? else { return None };
                    after = tokens.next()?;
                    let ends = matches!(after, Token::Mark(b';' | b',') | Token::End)
                        || matches!(after, Token::Word(_)) && tokens.on_new_line;
                    text = Some(ends.then(|| value.decode())??);
                }
                // Read, not written.
                (_, Token::Mark(b')' | b',' | b';' | b'.')) => {}
                _ => return None,
            }
        }
        (before, token) = (token, after);
    }
    text
}

/// Reads the literal that starts with `token`: strings, templates without substitutions, numbers, `true`, `false`,
/// `null`, and arrays and objects of these.
fn literal(token: Token<'_>, tokens: &mut Tokens<'_>, depth: usize) -> Option<Value> {
    match token {
        Token::Text(text) => text.decode().map(Value::String),
        Token::Word("true") => Some(Value::Bool(true)),
        Token::Word("false") => Some(Value::Bool(false)),
        Token::Word("null") => Some(Value::Null),
        Token::Word(word) => number(word),
        Token::Mark(b'-') => match number(tokens.next_word()?)? {
            Value::Number(n) if n.is_i64() => Some(n.as_i64()?.checked_neg()?.into()),
            n => serde_json::Number::from_f64(-n.as_f64()?).map(Value::Number),
        },
        Token::Mark(b'[') => {
            let depth = depth.checked_sub(1)?;
            let mut items = Vec::new();
            let mut token = tokens.next()?;
            while token != Token::Mark(b']') {
                items.push(literal(token, tokens, depth)?);
                token = tokens.next_entry(b']')?;
            }
            Some(Value::Array(items))
        }
        Token::Mark(b'{') => {
            let depth = depth.checked_sub(1)?;
            let mut members = Map::new();
            let mut token = tokens.next()?;
            while token != Token::Mark(b'}') {
                let key = match token {
                    Token::Word(word) => word.to_owned(),
                    Token::Text(text) if text.quote != b'`' => text.decode()?,
                    _ => return None,
                };
                let (Token::Mark(b':'), value) = (tokens.next()?, tokens.next()?) else { return None };
                members.insert(key, literal(value, tokens, depth)?);
                token = tokens.next_entry(b'}')?;
            }
            Some(Value::Object(members))
        }
        Token::Pattern | Token::Mark(_) | Token::End => None,
    }
}

fn number(word: &str) -> Option<Value> {
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok().map(Value::from);
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = word.replace('_', "");
    match digits.parse::<u64>() {
        // A leading zero once meant octal.
        Ok(n) => (n == 0 || !digits.starts_with('0')).then(|| n.into()),
        Err(_) => serde_json::Number::from_f64(digits.parse().ok()?).map(Value::Number),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use serde_json::json;

    /// Kind, and projected input as JSON, of an `exec` call with this script.
    fn read(source: &str) -> (Kind, Value) {
        let toolset = crate::catalog::toolset("codex").unwrap();
        let exec = toolset.tool("exec", None).unwrap().tool;
        let out = project(toolset, exec, Some(&&json!(source)));
        (out.kind, serde_json::to_value(out.input).unwrap())
    }

    fn command(source: &str) -> Option<String> {
        let (kind, input) = read(source);
        assert_eq!(kind, Kind::Execute, "{source}");
        input.get("command").and_then(Value::as_str).map(ToString::to_string)
    }

    #[test]
    fn a_single_call_with_a_literal_object_is_taken_for_its_tool() {
        let source = r#"// @exec: {"yield_time_ms": 1000}
            const r = await tools.exec_command({cmd: "ls -la", 'workdir': `/tmp`, "yield_time_ms": 1_000, tty: false,
                nested: [1, -2.5e3, 0x1F, null, {a: []}],});
            text(r.output);"#;
        assert_eq!(read(source), (Kind::Execute, json!({"command": "ls -la", "cwd": "/tmp"})));
        assert_eq!(command("tools.exec_command({cmd:'a'})").as_deref(), Some("a"));
        assert_eq!(command("tools /* x */ . exec_command // y\n ( {cmd:'a'} , )").as_deref(), Some("a"));
        let view = "image(await tools.view_image({path: 'shot.png'}))";
        assert_eq!(read(view), (Kind::Read, json!({"path": "shot.png"})));
        assert_eq!(read("await tools.update_plan({plan: [{step: 'a', status: 'pending'}]})"), (Kind::Plan, json!({})));
        assert_eq!(read("text(await tools.web__run({search_query: [{q: 'x'}]}))"), (Kind::WebSearch, json!({})));
        assert_eq!(read("text(await tools.get_goal())"), (Kind::GoalUpdate, json!({})));
    }

    #[test]
    fn the_values_are_the_scripts() {
        assert_eq!(
            command(r#"tools.exec_command({cmd: "a\n\t\"\x41\u0042\u{1F600}\ud83d\ude00\ud83d \q"})"#).as_deref(),
            Some("a\n\t\"AB😀😀\u{fffd} q")
        );
        assert_eq!(command("tools.exec_command({cmd: 'one \\\ntwo'})").as_deref(), Some("one two"));
        assert_eq!(command("tools.exec_command({cmd: `a\nb \\` \\${c} $d`})").as_deref(), Some("a\nb ` ${c} $d"));
        assert_eq!(command("tools.exec_command({cmd: 'größe 日本'})").as_deref(), Some("größe 日本"));
        assert_eq!(command("tools.exec_command({cmd: 'a', cmd: 'b'})").as_deref(), Some("b"));
        let read_file = |offset| read(&format!("tools.read_file({{file_path: 'a', offset: {offset}}})"));
        assert_eq!(read_file("0x10"), (Kind::Read, json!({"path": "a", "offset": 16})));
        assert_eq!(read_file("-7"), (Kind::Read, json!({"path": "a"})));
        assert_eq!(read_file("1_000"), (Kind::Read, json!({"path": "a", "offset": 1000})));
        assert_eq!(read_file("3.0"), (Kind::Read, json!({"path": "a", "offset": 3})));
    }

    const PATCH: &str = "*** Begin Patch\\n*** Update File: src/a.rs\\n@@\\n-x\\n+y\\n*** End Patch";

    #[test]
    fn text_may_come_from_a_variable() {
        let edit = (Kind::Edit, json!({"path": "src/a.rs"}));
        assert_eq!(read(&format!("await tools.apply_patch(\"{PATCH}\")")), edit);
        assert_eq!(read(&format!("const patch = \"{PATCH}\";\ntext(await tools.apply_patch(patch));")), edit);
        assert_eq!(read(&format!("let p = `{}`\nawait tools.apply_patch(p)", PATCH.replace("\\n", "\n"))), edit);
        assert_eq!(read(&format!("var p = '{PATCH}', q = 1; text(p.length); tools.apply_patch(p)")), edit);
        let heredoc = format!("tools.exec_command({{cmd: \"apply_patch <<'EOF'\\n{PATCH}\\nEOF\"}})");
        assert_eq!(read(&heredoc), edit);
    }

    #[test]
    fn a_variable_that_may_hold_anything_else_is_not_read() {
        for source in [
            format!("const p = \"{PATCH}\" + more; tools.apply_patch(p)"),
            format!("const p = \"{PATCH}\"\n + more; tools.apply_patch(p)"),
            format!("const p = \"{PATCH}\".replace('a', 'b'); tools.apply_patch(p)"),
            format!("let p = \"{PATCH}\"; p = other; tools.apply_patch(p)"),
            format!("let p = \"{PATCH}\"; p += other; tools.apply_patch(p)"),
            format!("const p = \"{PATCH}\"; {{ const p = \"x\"; tools.apply_patch(p) }}"),
            format!("tools.apply_patch(p); const p = \"{PATCH}\";"),
            format!("// const p = \"{PATCH}\";\ntools.apply_patch(p)"),
            format!("const o = {{}}; o.p = \"{PATCH}\"; tools.apply_patch(p)"),
            format!("const p = `${{head}}{PATCH}`; tools.apply_patch(p)"),
            format!("const p = String.raw`{PATCH}`; tools.apply_patch(p)"),
            "tools.apply_patch(undefined)".to_string(),
        ] {
            assert_eq!(read(&source), (Kind::Execute, json!({})), "{source}");
        }
    }

    #[test]
    fn an_mcp_tool_is_known_by_its_name() {
        let toolset = crate::catalog::toolset("codex").unwrap();
        let exec = toolset.tool("exec", None).unwrap().tool;
        let out = project(toolset, exec, Some(&&json!("text(await tools.mcp__fs__read_file({path: name}))")));
        assert_eq!((out.kind, out.read_only), (Kind::Other, false));
        assert_eq!(out.mcp, Some(("fs".to_string(), "read_file".to_string())));
        assert!(out.input.is_empty());
    }

    #[test]
    fn what_is_no_single_literal_call_stays_a_script() {
        for source in [
            "",
            "text(1 + 1)",
            "tools.exec_command({cmd: 'a'}); tools.exec_command({cmd: 'b'})",
            "tools.exec_command({cmd})",
            "tools.exec_command({cmd: name})",
            "tools.exec_command({cmd: 'a' + b})",
            "tools.exec_command({cmd: `a ${b}`})",
            "tools.exec_command({...base, cmd: 'a'})",
            "tools.exec_command({[key]: 'a'})",
            "tools.exec_command({cmd: f()})",
            "tools.exec_command({cmd: 'a'}, {timeout: 1})",
            "tools.exec_command({cmd: 'a'} as Args)",
            "tools.exec_command({cmd: 'a'}",
            "tools.exec_command({cmd 'a'})",
            "tools.exec_command({cmd: 017})",
            "tools.exec_command({cmd: 'a\\7'})",
            "tools.no_such_tool({cmd: 'a'})",
            "tools.exec('tools.exec_command({cmd: \"a\"})')",
            // Other uses of `tools` may be calls too.
            "tools['exec_command']({cmd: 'b'}); tools.exec_command({cmd: 'a'})",
            "const {exec_command} = tools; tools.exec_command({cmd: 'a'})",
            "const run = tools.exec_command; run({cmd: 'a'})",
            "t\\u006fols.exec_command({cmd: 'b'}); tools.exec_command({cmd: 'a'})",
        ] {
            assert_eq!(read(source), (Kind::Execute, json!({})), "{source}");
        }
    }

    #[test]
    fn calls_in_strings_comments_and_patterns_are_none() {
        let other = "tools.exec_command({cmd: 'b'})";
        for source in [
            format!("text(\"{other}\")"),
            format!("// {other}"),
            format!("/* {other} */"),
            format!("text(`{other}`)"),
            format!("text(/{other}/)"),
            "mytools.exec_command({cmd: 'b'})".to_string(),
        ] {
            assert_eq!(command(&source), None, "{source}");
            let with_call = format!("{source};\nawait tools.exec_command({{cmd: 'a'}})");
            assert_eq!(command(&with_call).as_deref(), Some("a"), "{with_call}");
        }
    }

    #[test]
    fn slashes_and_templates_do_not_lead_astray() {
        let call = "tools.exec_command({cmd: 'a'})";
        for around in [
            format!("const n = total / 2; text(n / 3); {call}"),
            format!("const s = x.replace(/[\"'/`]/g, '').split(/\\//); {call}"),
            format!("const ok = (a + b) / c; /* ' */ {call} // \" `"),
            format!("text(`n: ${{list.map(i => `<${{i}}>`).join(`}}`)}} '`); {call}"),
            format!("text(`${{ {{a: `}}`}} }}`); {call}"),
            format!("text(`${{await {call}}}`)"),
        ] {
            assert_eq!(command(&around).as_deref(), Some("a"), "{around}");
        }
    }

    #[test]
    fn broken_scripts_are_left_alone() {
        let call = "tools.exec_command({cmd: 'a'});";
        for tail in ["'open", "\"open\n\"", "`open", "`${open", "/* open", "/open", "'\\", "`${`${`${", "'\\\n", "/[/"]
        {
            assert_eq!(command(&format!("{call} {tail}")), None, "{tail}");
            assert_eq!(command(&format!("tools.exec_command({{cmd: {tail}")), None, "{tail}");
        }
        for cut in 0..call.len() - 1 {
            assert_eq!(command(call.get(..cut).unwrap()), None);
        }
    }

    #[test]
    fn a_megabyte_is_read_in_one_go() {
        let call = "tools.exec_command({cmd: 'a'})";
        for part in
            ["`${", "/[", "[", "{a:", "'", "/*", "\\u{", "tools.", "const a = ", "((/", "`${{}}`", "x/y ", "\u{e9}"]
        {
            let source = format!("{} {call}", part.repeat(1_000_000 / part.len()));
            let (kind, _) = read(&source);
            assert_eq!(kind, Kind::Execute);
            read(&format!("tools.exec_command({{cmd: {}", part.repeat(1_000_000 / part.len())));
        }
        let long = "x".repeat(1_000_000);
        assert_eq!(command(&format!("tools.exec_command({{cmd: '{long}'}})")), Some(long));
    }
}
