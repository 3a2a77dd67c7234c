//! Calls whose arguments stream into a ledger.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use toolprism::{
    CallLedger, Change, Evidence, Field, Flag, Kind, MergeRules, Phase, Place, Status, ToolCall, ToolCallEvent, TurnEnd,
};

type Event<'a> = ToolCallEvent<'a, &'a Value>;

fn event<'a>(phase: Phase) -> Event<'a> {
    ToolCallEvent::new("c", phase, Place::default())
}

/// A ledger, to which a call of one tool streams.
struct Stream {
    ledger: CallLedger,
}

impl Stream {
    fn of(harness: &str, name: &str) -> Self {
        Stream::into(CallLedger::default(), harness, name)
    }

    fn into(mut ledger: CallLedger, harness: &str, name: &str) -> Self {
        let mut start = event(Phase::Started);
        start.harness = (!harness.is_empty()).then(|| harness.into());
        start.name = (!name.is_empty()).then(|| name.into());
        ledger.apply(&start);
        Stream { ledger }
    }

    fn delta(&mut self, text: &str) -> &ToolCall {
        self.apply(Event { delta: Some(text.into()), ..event(Phase::Updated) })
    }

    fn apply(&mut self, event: Event<'_>) -> &ToolCall {
        let at = self.ledger.apply(&event).unwrap();
        &self.ledger.calls()[at]
    }

    fn end(&mut self, status: Status) -> &ToolCall {
        self.apply(Event { status: Some(status), ..event(Phase::Finished) })
    }

    fn call(&self) -> &ToolCall {
        &self.ledger.calls()[0]
    }

    /// The input as JSON after each character of `text`, without repetitions; after it, what is there in the end.
    fn inputs(&mut self, text: &str) -> Vec<Value> {
        let mut seen = vec![input(self.call())];
        for char in text.chars() {
            let now = input(self.delta(char.encode_utf8(&mut [0; 4])));
            if seen.last() != Some(&now) {
                seen.push(now);
            }
        }
        seen
    }
}

fn input(call: &ToolCall) -> Value {
    serde_json::to_value(&call.identity.meta.input).unwrap()
}

fn flags(call: &ToolCall) -> Vec<Flag> {
    call.flags.iter().collect()
}

fn growing(call: &ToolCall) -> Vec<Field> {
    call.identity.growing.iter().collect()
}

#[test]
fn a_path_shows_with_its_first_characters_and_is_marked() {
    let mut stream = Stream::of("claude_code", "Read");
    assert_eq!(flags(stream.delta("{\"file_pa")), [Flag::InputPending, Flag::Streaming]);
    let call = stream.delta("th\": \"");
    assert_eq!((input(call), growing(call), flags(call)), (Value::Null, vec![], vec![Flag::Streaming]));
    let call = stream.delta("src/m");
    assert_eq!((input(call), growing(call)), (json!({"path": "src/m"}), vec![Field::Path]));
    let call = stream.delta("ain");
    assert_eq!((input(call), growing(call)), (json!({"path": "src/main"}), vec![Field::Path]));
    let call = stream.delta(".rs\", \"offset\": 1");
    assert_eq!((input(call), growing(call)), (json!({"path": "src/main.rs"}), vec![]));
    let call = stream.delta("2}");
    assert_eq!((input(call), flags(call)), (json!({"path": "src/main.rs", "offset": 12}), vec![]));
    assert_eq!(flags(stream.delta("\n")), [], "space behind the end means nothing");
    assert_eq!((stream.end(Status::Completed).status, flags(stream.call())), (Status::Completed, vec![]));
}

#[test]
fn bulky_text_changes_nothing_and_what_follows_it_still_shows() {
    let mut stream = Stream::of("claude_code", "Write");
    stream.delta(r#"{"content": "x"#);
    for _ in 0..1000 {
        stream.delta("some \\\"code\\\" ");
        assert_eq!(input(stream.call()), Value::Null);
    }
    assert_eq!(input(stream.delta(r#"", "file_path": "a"#)), json!({"path": "a"}));
    assert_eq!(input(stream.delta(r#".rs"}"#)), json!({"path": "a.rs"}));
}

#[test]
fn lines_show_with_their_file_and_when_they_are_whole() {
    let mut stream = Stream::of("claude_code", "Read");
    let seen = stream.inputs(r#"{"offset":15,"limit":"20","file_path":"ab"}"#);
    let with = |path: &str| json!({"path": path, "offset": 15, "limit": 20});
    assert_eq!(seen, [Value::Null, with("a"), with("ab")]);
}

#[test]
fn a_range_waits_for_its_start() {
    let range = |text: &str| {
        let mut stream = Stream::of("gemini_cli", "read_file");
        stream.inputs(text)
    };
    let full = json!({"path": "a", "offset": 5, "limit": 6});
    assert_eq!(
        range(r#"{"file_path":"a","end_line":10,"start_line":5}"#),
        [Value::Null, json!({"path": "a"}), full.clone()]
    );
    assert_eq!(
        range(r#"{"file_path":"a","start_line":5,"end_line":10}"#),
        [Value::Null, json!({"path": "a"}), json!({"path": "a", "offset": 5}), full]
    );
    assert_eq!(
        range(r#"{"file_path":"a","end_line":10}"#),
        [Value::Null, json!({"path": "a"}), json!({"path": "a", "limit": 10})],
        "without a start the end of the arguments settles it"
    );
}

#[test]
fn a_command_grows_in_place() {
    let mut stream = Stream::of("claude_code", "Bash");
    let seen = stream.inputs(r#"{"command":"ls\n","description":"L"}"#);
    let list = |command: &str| json!({"command": command});
    let end = json!({"command": "ls\n", "description": "L"});
    assert_eq!(seen, [Value::Null, list("l"), list("ls"), list("ls\n"), end]);
}

#[test]
fn a_command_that_may_be_a_patch_waits_until_it_cannot() {
    let seen = |text: &str| Stream::of("codex", "exec_command").inputs(text);
    let command = |command: &str| json!({"command": command});
    let plain = seen(r#"{"cmd":"cd a && car"}"#);
    assert_eq!(plain, [Value::Null, command("cd a && c"), command("cd a && ca"), command("cd a && car")]);
    assert_eq!(seen(r#"{"cmd":"apt"}"#), [Value::Null, command("apt")]);
    assert_eq!(
        seen(r#"{"cmd":"apply_patch"}"#),
        [Value::Null, command("apply_patch")],
        "the end of the text settles it"
    );
    let patch =
        r#"{"workdir":"w","cmd":"apply_patch <<'E'\n*** Begin Patch\n*** Add File: a/b.rs\n+x\n*** End Patch\nE"}"#;
    let cwd = json!({"cwd": "w"});
    assert_eq!(seen(patch), [Value::Null, cwd, json!({"path": "a/b.rs", "cwd": "w"})]);
    let mut stream = Stream::of("codex", "exec_command");
    stream.delta(patch);
    assert_eq!(stream.call().identity.meta.kind.kind(), Kind::Edit);
}

#[test]
fn the_first_path_of_a_patch_shows_with_its_line() {
    let text = r#"{"input":"*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n*** Add File: b.rs\n"#;
    let mut stream = Stream::of("codex", "apply_patch");
    assert_eq!(stream.inputs(text), [Value::Null, json!({"path": "src/a.rs"})]);
    assert_eq!((growing(stream.call()), flags(stream.call())), (vec![], vec![Flag::Streaming]));
    // As bare text.
    let mut stream = Stream::of("codex", "apply_patch");
    let bare = "*** Begin Patch\n*** Update File: {a}.rs\n@@\n-{\"input\": 1}\n";
    assert_eq!(stream.inputs(bare), [Value::Null, json!({"path": "{a}.rs"})]);
    let call = stream.end(Status::Completed);
    assert_eq!((input(call), flags(call)), (json!({"path": "{a}.rs"}), vec![]));
    // The headers of a unified diff can still be outdone.
    let mut stream = Stream::of("codex", "apply_patch");
    assert_eq!(stream.inputs("{\"input\":\"--- a/x\\n+++ b/y\\n@@\\n"), [Value::Null]);
    assert_eq!(input(stream.delta("\"}")), json!({"path": "y"}));
}

#[test]
fn what_is_worked_out_of_a_value_waits_for_its_end() {
    let mut argv = Stream::of("codex", "shell");
    let seen = argv.inputs(r#"{"command":["bash","-lc","ls -la"],"workdir":"/t"}"#);
    let command = json!({"command": "ls -la"});
    assert_eq!(
        seen,
        [Value::Null, command, json!({"command": "ls -la", "cwd": "/"}), json!({"command": "ls -la", "cwd": "/t"})]
    );
    let mut local = Stream::of("codex", "local_shell_call");
    assert_eq!(local.inputs(r#"{"action":{"command":["ls"],"env":{}}}"#), [Value::Null, json!({"command": "ls"})]);
}

#[test]
fn the_first_of_a_list_grows_and_the_others_do_not_matter() {
    let first = toolprism::catalog::HARNESSES.iter().find_map(|harness| {
        let reads_first = |rule: &toolprism::catalog::Rule| rule.how.as_str() == "first" && !rule.from[0].contains('.');
        let entry = harness.entries().find(|entry| entry.tool.input.iter().any(reads_first))?;
        let rule = entry.tool.input.iter().find(|rule| reads_first(rule))?;
        Some((harness.id, entry.tool.names[0].wire, rule.field.as_str(), rule.from[0]))
    });
    let (harness, name, field, member) = first.unwrap();
    let seen = Stream::of(harness, name).inputs(&format!("{{\"{member}\":[\"ab\",\"cdefg\"]}}"));
    assert_eq!(seen, [Value::Null, json!({field: "a"}), json!({field: "ab"})]);
    let seen =
        Stream::of(harness, name).inputs(&format!("{{\"{member}\":[{{\"x\":1,\"path\":\"ab\"}},{{\"path\":\"c\"}}]}}"));
    assert_eq!(seen, [Value::Null, json!({field: "a"}), json!({field: "ab"})]);
}

#[test]
fn a_shape_is_recognised_and_a_name_that_comes_late_counts() {
    let mut stream = Stream::of("", "");
    let call = stream.delta(r#"{"file_path":"a.rs","old_"#);
    assert_eq!((call.identity.why, call.label()), (Evidence::Shape, "Read"));
    let call = stream.delta(r#"string":"x"#);
    assert_eq!((call.identity.why, call.label(), input(call)), (Evidence::Shape, "Edit", json!({"path": "a.rs"})));
    let named = Event { harness: Some("claude_code".into()), name: Some("Edit".into()), ..event(Phase::Updated) };
    let call = stream.apply(named);
    assert_eq!((call.identity.why, input(call)), (Evidence::Catalog, json!({"path": "a.rs"})));
    let call = stream.delta(r#"","new_string":"y"}"#);
    assert_eq!((call.identity.why, input(call), flags(call)), (Evidence::Catalog, json!({"path": "a.rs"}), vec![]));
}

#[test]
fn a_name_that_comes_with_a_delta_or_after_the_end_counts_too() {
    let text = r#"{"absolute_path":"a"}"#;
    let mut stream = Stream::of("", "");
    stream.delta("{\"absolute_path\":\"");
    let named = |delta: Option<&'static str>| Event {
        harness: Some("gemini_cli".into()),
        name: Some("read_file".into()),
        delta: delta.map(Into::into),
        ..event(Phase::Updated)
    };
    assert_eq!(stream.apply(named(Some("a"))).identity.why, Evidence::Catalog);
    assert_eq!(growing(stream.call()), [Field::Path]);
    let mut stream = Stream::of("", "some_tool");
    stream.delta(text);
    assert_eq!(input(stream.apply(named(None))), json!({"path": "a"}));
    let mut stream = Stream::of("", "some_tool");
    stream.delta(r#"{"absolute_path":"a"#);
    assert_eq!(flags(stream.end(Status::Cancelled)), [Flag::IncompleteInput]);
    assert_eq!(input(stream.apply(named(None))), json!({"path": "a"}));
}

#[test]
fn the_title_of_a_streaming_call_counts_where_nothing_says_more() {
    let mut stream = Stream::of("", "");
    stream.delta("{");
    let titled =
        Event { title: Change::Set("Bash".into()), delta: Some("\"command\":".into()), ..event(Phase::Updated) };
    assert_eq!(stream.apply(titled).identity.why, Evidence::CatalogName);
}

#[test]
fn whole_arguments_replace_what_was_there() {
    let raw = json!({"file_path": "b.rs", "limit": 3});
    let whole = || Event { raw_input: Change::Set(&raw), ..event(Phase::Updated) };
    for text in [r#"{"file_path":"a"#, r#"{"file_path":"a",]"#, "*** a", r#"{"file_path":"a"}"#] {
        let mut stream = Stream::of("claude_code", "Read");
        stream.delta(text);
        let call = stream.apply(whole());
        assert_eq!((input(call), growing(call), flags(call)), (json!({"path": "b.rs", "limit": 3}), vec![], vec![]));
        let call = stream.delta("more");
        assert_eq!((input(call), flags(call)), (json!({"path": "b.rs", "limit": 3}), vec![Flag::LateEvent]));
    }
    let mut stream = Stream::of("claude_code", "Read");
    let both = Event { delta: Some("{\"file_path\":\"no".into()), ..whole() };
    assert_eq!((input(stream.apply(both)), flags(stream.call())), (json!({"path": "b.rs", "limit": 3}), vec![]));
    let nothing = json!({});
    let mut stream = Stream::of("claude_code", "Read");
    stream.apply(Event { raw_input: Change::Set(&nothing), ..event(Phase::Updated) });
    assert_eq!(input(stream.delta(r#"{"file_path":"a"#)), json!({"path": "a"}), "an empty object is no input");
}

#[test]
fn a_call_that_ends_too_early_keeps_what_was_shown_and_says_why() {
    let mut cut = Stream::of("claude_code", "Read");
    cut.delta(r#"{"file_path":"src/ma"#);
    let call = cut.end(Status::Failed);
    assert_eq!((input(call), flags(call)), (json!({"path": "src/ma"}), vec![Flag::IncompleteInput]));
    assert_eq!(growing(call), [Field::Path], "this may not be all of it");
    let call = cut.delta("in.rs\"}");
    assert_eq!((input(call), flags(call)), (json!({"path": "src/ma"}), vec![Flag::LateEvent, Flag::IncompleteInput]));

    let mut broken = Stream::of("claude_code", "Read");
    let call = broken.delta(r#"{"file_path":"a.rs" "limit":5}"#);
    assert_eq!((input(call), flags(call)), (json!({"path": "a.rs"}), vec![Flag::BrokenInput]));
    broken.delta(r#"{"file_path":"b.rs"}"#);
    let call = broken.end(Status::Failed);
    assert_eq!((input(call), flags(call)), (json!({"path": "a.rs"}), vec![Flag::BrokenInput]));

    let mut nothing = Stream::of("claude_code", "Read");
    nothing.delta(" ");
    assert_eq!(flags(nothing.end(Status::Failed)), [Flag::InputPending]);
    let mut bracket = Stream::of("claude_code", "Read");
    bracket.delta("{");
    assert_eq!(flags(bracket.end(Status::Failed)), [Flag::InputPending, Flag::IncompleteInput]);
}

#[test]
fn the_last_delta_may_come_with_the_end() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta(r#"{"file_path":"a"#);
    let last = Event { delta: Some(".rs\"}".into()), status: Some(Status::Completed), ..event(Phase::Finished) };
    let call = stream.apply(last);
    assert_eq!((input(call), flags(call)), (json!({"path": "a.rs"}), vec![]));
}

#[test]
fn the_end_of_a_turn_ends_arguments_and_a_result_may_still_bring_them() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta(r#"{"file_path":"a"#);
    stream.ledger.end(&TurnEnd::default());
    assert_eq!(flags(stream.call()), [Flag::Swept, Flag::IncompleteInput]);
    let raw = json!({"file_path": "a.rs"});
    let late = Event { raw_input: Change::Set(&raw), status: Some(Status::Completed), ..event(Phase::Finished) };
    let call = stream.apply(late);
    assert_eq!((input(call), flags(call)), (json!({"path": "a.rs"}), vec![]));
}

#[test]
fn a_placeholder_gives_way_and_alone_is_no_input() {
    let mut stream = Stream::of("claude_code", "Read");
    assert_eq!(flags(stream.delta("{}")), [Flag::InputPending]);
    assert_eq!(input(stream.delta(r#"{"file_path":"a"#)), json!({"path": "a"}));
    assert_eq!(flags(stream.delta("\"}")), []);
    let mut alone = Stream::of("claude_code", "Read");
    alone.delta("{}");
    assert_eq!(flags(alone.end(Status::Completed)), [Flag::InputPending]);
}

#[test]
fn what_models_write_around_and_in_json_is_read() {
    let mut stream = Stream::of("claude_code", "Read");
    let call = stream.delta("\n```json\n{\"file_path\": \"C:\\dir\\\tx\",}\n```");
    assert_eq!((input(call), flags(call)), (json!({"path": "C:\\dir\\\tx"}), vec![]));
}

#[test]
fn null_forgets_the_text_where_it_means_so() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta(r#"{"file_path":"a"#);
    let clear = Event { raw_input: Change::Clear, rules: MergeRules::V2, ..event(Phase::Updated) };
    assert_eq!((input(stream.apply(clear)), flags(stream.call())), (Value::Null, vec![Flag::InputPending]));
    assert_eq!(input(stream.delta(r#"{"file_path":"b"}"#)), json!({"path": "b"}));
}

#[test]
fn an_envelope_decides_while_arguments_stream() {
    let meta = |input: Option<Value>| {
        let mut envelope = json!({"version": 1, "name": "Read", "kind": "read", "namespace": "cursor", "label": "Read", "read_only": true});
        if let Some(input) = input {
            envelope["input"] = input;
        }
        json!({"x.ai/tool": envelope})
    };
    let told = meta(Some(json!({"path": "told"})));
    let mut stream = Stream::of("claude_code", "Read");
    stream.apply(Event { meta: Some(&told), ..event(Phase::Updated) });
    let call = stream.delta(r#"{"file_path":"a"#);
    assert_eq!((input(call), growing(call), call.identity.why), (json!({"path": "told"}), vec![], Evidence::Envelope));
    assert_eq!(input(stream.delta("bc")), json!({"path": "told"}));
    let silent = meta(None);
    let mut stream = Stream::of("claude_code", "Read");
    stream.apply(Event { meta: Some(&silent), ..event(Phase::Updated) });
    stream.delta(r#"{"file_path":"a"#);
    let call = stream.delta("bc");
    assert_eq!((input(call), growing(call)), (json!({"path": "abc"}), vec![Field::Path]));
    assert_eq!(call.identity.meta.namespace.as_str(), "cursor");
}

#[test]
fn raw_input_is_kept_where_the_ledger_is_asked_to() {
    let keeping = || Stream::into(CallLedger::keeping_raw_input(), "claude_code", "Write");
    let mut stream = keeping();
    let long = "x".repeat(3 << 20);
    stream.delta(r#"{"n":1.50,"content":""#);
    stream.delta(&long);
    let call = stream.delta("\"} ");
    assert_eq!(call.raw_input.as_deref().map(str::len), Some(r#"{"n":1.50,"content":""}"#.len() + long.len()));
    assert!(call.raw_input.as_deref().unwrap().starts_with(r#"{"n":1.50,"content":"xxx"#));
    let mut stream = keeping();
    stream.delta(r#"{"file_path":"a","content":"x"#);
    assert_eq!(stream.end(Status::Failed).raw_input.as_deref(), Some(r#"{"file_path":"a","content":"x"}"#));
    let mut stream = Stream::of("claude_code", "Write");
    stream.delta(r#"{"content":"x"}"#);
    assert_eq!(stream.call().raw_input, None);
}

#[test]
fn a_command_of_megabytes_keeps_its_front_and_end() {
    let mut stream = Stream::of("claude_code", "Bash");
    stream.delta(r#"{"command":""#);
    for _ in 0..3 << 10 {
        stream.delta(&"x".repeat(1 << 10));
    }
    let shown = |call: &ToolCall| call.identity.meta.canonical_input().unwrap().command.clone().unwrap();
    assert_eq!(shown(stream.call()), "x".repeat(1 << 20));
    let call = stream.delta("end\"}");
    let command = shown(call);
    let omitted = (2 << 20) + 3 - (64 << 10);
    assert!(command.starts_with(&format!("{}…[{omitted} bytes omitted]…xxx", "x".repeat(1 << 20))));
    assert!(command.ends_with("xxxend"));
}

#[test]
fn fields_named_twice_do_not_flicker() {
    let mut stream = Stream::of("claude_code", "Read");
    let seen = stream.inputs(r#"{"file_path":"ab","file_path":"","file_path":"vwxyz","limit":1"#);
    assert_eq!(seen, [Value::Null, json!({"path": "a"}), json!({"path": "ab"})]);
    assert_eq!(growing(stream.call()), []);
    assert_eq!(input(stream.delta("}")), json!({"path": "vwxyz", "limit": 1}), "in the end the last one counts");
}

#[test]
fn streams_of_many_members_still_show_what_comes_late() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta("{");
    for i in 0..20_000 {
        stream.delta(&format!("\"k{i}\":{i},"));
    }
    stream.delta("\"file_path\":\"");
    for _ in 0..20_000 {
        stream.delta("0123456789");
    }
    assert!(input(stream.call())["path"].as_str().unwrap().starts_with("0123456789"));
    stream.delta("\",\"file_path\":\"a\"}");
    assert_eq!(input(stream.call()), json!({"path": "a"}));
}

#[test]
fn arguments_that_stream_under_an_id_that_has_ended_are_another_calls() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta(r#"{"file_path": "a"}"#);
    stream.end(Status::Completed);
    let mut start = event(Phase::Started);
    start.name = Some("Read".into());
    start.delta = Some("".into());
    stream.ledger.apply(&start);
    stream.delta(r#"{"file_path": "b"}"#);
    let calls: Vec<_> = stream.ledger.calls().iter().map(|call| (input(call), call.status)).collect();
    assert_eq!(calls, [(json!({"path": "a"}), Status::Completed), (json!({"path": "b"}), Status::Pending)]);
    assert!(stream.ledger.calls()[1].flags.has(Flag::ReusedId));
}

#[test]
fn nothing_of_another_string_gets_into_a_field() {
    let mut stream = Stream::of("claude_code", "Read");
    stream.delta("{");
    for i in 0..20_000 {
        stream.delta(&format!("\"k{i}\":{i},"));
    }
    stream.delta("\"file_path\":\"");
    while input(stream.call()).is_null() {
        stream.delta("a");
    }
    stream.delta("\",\"other\":\"");
    for _ in 0..20_000 {
        let call = stream.delta("z");
        assert!(!input(call)["path"].as_str().unwrap().contains('z'));
    }
}

#[test]
fn scripts_modes_and_tags_count_when_they_are_whole() {
    let script = "tools.exec_command({cmd: 'a'});";
    let mut bare = Stream::of("codex", "exec");
    assert_eq!(input(bare.delta(script)), Value::Null);
    assert_eq!(input(bare.end(Status::Completed)), json!({"command": "a"}));
    let mut quoted = Stream::of("codex", "exec");
    assert_eq!(input(quoted.delta(&format!("{{\"input\":\"{script}"))), Value::Null);
    assert_eq!(input(quoted.delta("\"}")), json!({"command": "a"}));

    let mut editor = Stream::of("copilot_cli", "str_replace_editor");
    assert_eq!(editor.delta(r#"{"command":"view"#).identity.meta.kind.kind(), Kind::Other);
    assert_eq!(editor.delta(r#"","#).identity.meta.kind.kind(), Kind::Read);

    let mut tagged = Stream::of("", "");
    assert_ne!(tagged.delta(r#"{"variant":"Task"#).identity.why, Evidence::Variant);
    assert_eq!(tagged.delta(r#"Output""#).identity.why, Evidence::Variant);
    let mut mcp = Stream::of("", "");
    assert_ne!(mcp.delta(r#"{"variant":"MCPTool","tool_name":"fs__re"#).identity.why, Evidence::Variant);
    assert_eq!(mcp.delta(r#"ad","#).name(), "fs__read");
}
