//! The catalog against the tables of facts that it was made from, which lie beside the checkout.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use serde_json::{Value, json};
use toolprism::{Call, Evidence, Identity, identify};

/// Where the catalog says otherwise than `harness_tools.json` on purpose: harness, tool, and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("grok_build", "list_dir", "kind `list` in the toolset's own table"),
    ("grok_build", "scheduler_list", "not read-only in the toolset's own table: its kind is `other`"),
];

fn facts(file: &str) -> Option<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/facts").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(error) => {
            println!("skipped: {}: {error}", path.display());
            None
        }
    }
}

fn strings<'v>(value: &'v Value, member: &str) -> impl Iterator<Item = &'v str> {
    value[member].as_array().into_iter().flatten().map(|v| v.as_str().unwrap())
}

fn by_name(harness: &str, namespace: Option<&str>, name: &str) -> Identity {
    identify(&Call::<&Value> { harness: Some(harness), namespace, name: Some(name), ..Call::default() })
}

fn compare(found: &Identity, tool: &Value, place: &str) {
    assert_eq!(found.why, Evidence::Catalog, "{place}");
    assert_eq!(found.meta.kind.as_str(), tool["kind"].as_str().unwrap(), "{place}: kind");
    assert_eq!(found.meta.label, tool["label"].as_str().unwrap(), "{place}: label");
    assert_eq!(found.meta.read_only, tool["read_only"].as_bool().unwrap(), "{place}: read_only");
    assert_eq!(found.mcp, None, "{place}");
}

#[test]
fn every_tool_of_every_harness_is_known_as_the_facts_say() {
    let Some(facts) = facts("harness_tools.json") else { return };
    let mut names = 0;
    let mut differences = 0;
    for harness in toolprism::catalog::HARNESSES {
        let id = harness.id.replace('_', "-");
        let tools = facts["harnesses"][&id]["tools"].as_array().unwrap_or_else(|| panic!("no facts of {id}"));
        for tool in tools.iter().filter(|t| t["verified_from_source"] != false) {
            let name = tool["name"].as_str().unwrap();
            if let Some((.., why)) = DIFFERENCES.iter().find(|(h, t, _)| (*h, *t) == (harness.id, name)) {
                println!("{id} {name} differs: {why}");
                differences += 1;
                continue;
            }
            for name in std::iter::once(name).chain(strings(tool, "aliases")) {
                compare(&by_name(harness.id, None, name), tool, &format!("{id} {name}"));
                names += 1;
            }
        }
    }
    assert_eq!(differences, DIFFERENCES.len());
    assert!(names > 250, "only {names} names compared");
}

#[test]
fn the_toolsets_of_grok_build_are_those_of_the_reference() {
    let Some(facts) = facts("grok_build_tools.json") else { return };
    let mut tools = 0;
    for tool in facts["tools"].as_array().unwrap().iter().filter(|t| t["dynamic"] != true) {
        let namespace = tool["namespace"].as_str().unwrap();
        for name in strings(tool, "names") {
            let place = format!("{namespace} {name}");
            let found = by_name("grok_build", Some(namespace), name);
            compare(&found, tool, &place);
            assert_eq!(found.meta.namespace.as_str(), namespace, "{place}");
            let variant = tool["tool_input_variant"].as_str().unwrap_or("Dynamic");
            let entry = toolprism::catalog::toolset(namespace).unwrap().tool(name, None).unwrap();
            assert!(variant == "Dynamic" || entry.tool.variants.contains(&variant), "{place}: variant {variant}");
        }
        tools += 1;
    }
    assert_eq!(tools, 53);
}

/// Where the reference projects, the canonical fields and the members they come from are the same: each field is read from
/// the member that the facts name, and no other field is there.
#[test]
fn the_projections_of_the_reference_are_ours() {
    let Some(facts) = facts("grok_build_tools.json") else { return };
    let mut projected = 0;
    for tool in facts["tools"].as_array().unwrap() {
        let Some(projection) = tool["projection"].as_object() else { continue };
        let namespace = tool["namespace"].as_str().unwrap();
        let name = tool["names"][0].as_str().unwrap();
        // Every member of the tool's own schema is there, each with a value of its own.
        let mut raw = serde_json::Map::new();
        for (i, field) in tool["raw_fields"].as_array().unwrap().iter().enumerate() {
            let value = match field["type"].as_str().unwrap() {
                t if t.starts_with("integer") => Value::from(i + 2),
                t if t.starts_with("boolean") => Value::from(true),
                _ => Value::from(format!("value {i}")),
            };
            raw.insert(field["name"].as_str().unwrap().to_owned(), value);
        }
        let mut expected: serde_json::Map<String, Value> = projection
            .iter()
            .map(|(field, rule)| (field.clone(), raw[rule["from"].as_str().unwrap()].clone()))
            .collect();
        if (namespace, name) == ("opencode", "bash") {
            // Beyond the reference, which has no field for it.
            expected.insert("cwd".to_owned(), raw["workdir"].clone());
        }
        let raw = Value::Object(raw);
        let found = identify(&Call {
            harness: Some("grok_build"),
            namespace: Some(namespace),
            name: Some(name),
            raw_input: Some(&raw),
            ..Call::default()
        });
        assert_eq!(serde_json::to_value(&found.meta.input).unwrap(), Value::Object(expected), "{namespace} {name}");
        projected += 1;
    }
    assert_eq!(projected, 13);
}

/// A raw value for a rule of the facts, and what `field` becomes of it.
fn sample(rule: &str, field: &str) -> (Value, Value) {
    const PATCH: &str = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch";
    match (rule, field) {
        ("copy", "limit") => (json!(7), json!(7)),
        ("copy" | "cmd_alias" | "glob_dir", _) => (json!("some text"), json!("some text")),
        ("offset1" | "start_line", _) => (json!(5), json!(5)),
        ("offset0", _) => (json!(5), json!(6)),
        ("end_line", _) => (json!(9), json!(9)),
        ("range_pair", "offset") => (json!([5, 9]), json!(5)),
        ("range_pair", _) => (json!([6, 9]), json!(4)),
        ("argv", _) => (json!(["bash", "-lc", "ls | wc"]), json!("ls | wc")),
        ("patch_path", _) => (json!(PATCH), json!("a.txt")),
        ("first", _) => (json!(["a", "b"]), json!("a")),
        ("js_extract", _) => (json!("await tools.exec_command({cmd: 'ls'})"), json!("ls")),
        _ => panic!("the facts have a new rule: {rule} for {field}"),
    }
}

#[test]
fn every_field_is_read_from_every_member_that_the_facts_name() {
    let Some(facts) = facts("harness_tools.json") else { return };
    let mut fields = 0;
    for harness in toolprism::catalog::HARNESSES.iter().filter(|h| h.id != "grok_build") {
        for tool in facts["harnesses"][&harness.id.replace('_', "-")]["tools"].as_array().unwrap() {
            for (field, projection) in tool["projection"].as_object().unwrap() {
                let (value, expected) = sample(projection["rule"].as_str().unwrap(), field);
                let from = &projection["from"];
                for from in
                    from.as_str().into_iter().chain(from.as_array().into_iter().flatten().flat_map(Value::as_str))
                {
                    let mut raw = match from.split_once('.') {
                        _ if from.starts_with('(') => value.clone(),
                        Some((outer, inner)) => json!({outer: {inner: value}}),
                        None => json!({from: value}),
                    };
                    if matches!(field.as_str(), "offset" | "limit") {
                        // Lines are projected only together with their file.
                        let path = &tool["projection"]["path"]["from"];
                        raw[path.as_str().or(path[0].as_str()).unwrap()] = json!("a.txt");
                    }
                    let name = tool["name"].as_str();
                    let call = Call { harness: Some(harness.id), name, raw_input: Some(&raw), ..Call::default() };
                    let input = serde_json::to_value(identify(&call).meta.input).unwrap();
                    assert_eq!(input[field], expected, "{} {name:?} {field} from {from}", harness.id);
                    fields += 1;
                }
            }
        }
    }
    assert!(fields > 170, "only {fields} fields compared");
}

#[test]
fn a_title_is_a_tools_name_only_where_nothing_speaks_against_it() {
    let titled = |title, acp_kind, raw: &Value| {
        identify(&Call {
            harness: Some("codex"),
            title: Some(title),
            acp_kind,
            raw_input: Some(raw),
            ..Call::default()
        })
    };
    // The title of a command is the command.
    let found = titled("ls", Some("execute"), &json!({"command": "ls"}));
    assert_eq!((found.meta.label.as_ref(), found.meta.namespace.as_str()), ("Run Command", "codex"));
    assert_eq!(found.why, Evidence::Shape);
    let found = titled("find", Some("execute"), &Value::Null);
    assert_eq!((found.meta.label.as_ref(), found.why), ("Run Command", Evidence::AcpKind));
    // A name that only another harness has says what is done, and not whose tool it is.
    let found = titled("find", None, &Value::Null);
    assert_eq!((found.meta.label.as_ref(), found.why), ("List Files", Evidence::CatalogName));
    assert_eq!(found.meta.namespace.as_str(), "codex");
    for (title, mcp) in
        [("mcp__fs__echo", true), ("mcp.fs.echo", true), ("fs__echo", false), ("mcp. What is it.", false)]
    {
        assert_eq!(titled(title, None, &Value::Null).mcp.is_some(), mcp, "{title}");
    }
}

#[test]
fn an_mcp_name_is_one_wherever_it_stands() {
    for harness in [None, Some("codex"), Some("claude_code"), Some("opencode"), Some("somebody")] {
        for name in ["mcp__fs__echo", "mcp.fs.echo", "mcp--fs--echo"] {
            let found = identify(&Call::<&Value> { harness, name: Some(name), ..Call::default() });
            let mcp = found.mcp.unwrap_or_else(|| panic!("{name} of {harness:?}"));
            assert_eq!((mcp.server.as_str(), mcp.tool.as_str()), ("fs", "echo"));
        }
    }
    let found =
        identify(&Call::<&Value> { harness: Some("claude_code"), acp_name: Some("mcp__fs__echo"), ..Call::default() });
    assert_eq!((found.why, found.meta.namespace.as_str()), (Evidence::AcpName, "mcp"));
}
