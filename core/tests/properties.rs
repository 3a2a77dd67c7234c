//! The invariants, on inputs made at random and on damaged logs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod invariants;

use proptest::prelude::*;

/// Text that is often nearly JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(":"),
        Just(","),
        Just("\""),
        Just("\\"),
        Just("\\u0041"),
        Just("\\ud83d"),
        Just("\"\\u00e9\""),
        Just("\"\\u12g4\""),
        Just("\"\\x\""),
        Just("\"\t\""),
        Just("null"),
        Just("true"),
        Just("-0"),
        Just("1e5"),
        Just("0.5"),
        Just(" "),
        Just("\n"),
        Just("\"a\""),
        Just("\"\\n\""),
        Just("é"),
        Just("18446744073709551616"),
        Just("{}"),
        Just("{\"a\":1}"),
    ];
    prop::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

/// JSON whose members have the names that the rules look for.
fn arguments() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e18f64..1e18).prop_map(Into::into),
        "[a-z/.]{0,6}|-?[0-9]{1,3}|apply_patch <<'E'\n\\*\\*\\* Begin Patch\n\\*\\*\\* Add File: a\nE|file:///%41"
            .prop_map(Into::into),
    ];
    let value = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(member(), inner, 0..6)
                .prop_map(|m| m.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    });
    prop::collection::btree_map(member(), value, 0..8)
        .prop_map(|m| m.into_iter().collect::<serde_json::Map<_, _>>().into())
}

fn member() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("file_path"),
        Just("path"),
        Just("offset"),
        Just("limit"),
        Just("command"),
        Just("description"),
        Just("workdir"),
        Just("pattern"),
        Just("start_line"),
        Just("end_line"),
        Just("view_range"),
        Just("patch"),
        Just("input"),
        Just("variant"),
        Just("action"),
        Just("paths"),
        Just("version"),
        Just("name"),
        Just("kind"),
        Just("namespace"),
        Just("label"),
        Just("read_only"),
        Just("x"),
    ]
    .prop_map(str::to_string)
}

fn tool() -> impl Strategy<Value = (Option<&'static str>, Option<&'static str>)> {
    let all: Vec<_> = toolprism::catalog::HARNESSES
        .iter()
        .flat_map(|h| h.entries().flat_map(move |e| e.tool.names.iter().map(move |n| (Some(h.id), Some(n.wire)))))
        .chain([(None, None), (None, Some("read_file")), (Some("codex"), Some("mcp__a__b")), (Some("?"), Some(""))])
        .collect();
    prop::sample::select(all)
}

/// Lines of the readers' formats, with something torn out.
fn damaged_log() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just(
            r#"{"type":"assistant","sessionId":"s","uuid":"u","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#
        ),
        Just(
            r#"{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 2"}]}}"#
        ),
        Just(
            r#"{"timestamp":1,"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"grep","rawInput":{"pattern":"x"},"_meta":{"a":1}}}}"#
        ),
        Just(
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed","_meta":null}}}"#
        ),
        Just(
            r#"{"type":"response_item","timestamp":"2026-01-01T00:00:00Z","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"k"}}"#
        ),
        Just(
            r#"{"type":"tool_use","timestamp":"2026-01-01T00:00:00Z","tool_name":"glob","tool_id":"g","parameters":{}}"#
        ),
        Just("not json"),
        Just(""),
        Just("[1]"),
        Just("\u{feff}{}"),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("")];
    let log = prop::collection::vec((line, end), 0..8)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect::<String>().into_bytes());
    (log, any::<prop::sample::Index>(), 0usize..40, any::<Option<u8>>()).prop_map(|(mut log, at, len, put)| {
        if !log.is_empty() {
            let at = at.index(log.len());
            let end = (at + len).min(log.len());
            log.splice(at..end, put);
        }
        log
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_is_json(text in nearly_json()) {
        invariants::json(text.as_bytes());
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        invariants::json(&bytes);
        invariants::reading(&bytes);
        invariants::stamping(&bytes);
    }

    #[test]
    fn damaged_logs_are_read_around_the_damage(log in damaged_log()) {
        invariants::reading(&log);
        invariants::stamping(&log);
    }

    #[test]
    fn arguments_of_any_shape_are_projected((harness, name) in tool(), raw in arguments()) {
        invariants::projection(harness, name, raw.to_string().as_bytes());
        let in_text = serde_json::Value::String(raw.to_string());
        invariants::projection(harness, name, in_text.to_string().as_bytes());
    }

    #[test]
    fn envelopes_survive_reading_and_writing(
        mut raw in arguments(),
        namespace in prop_oneof![Just("mcp"), Just("OpenCode"), Just("cursor")],
        kind in prop_oneof![Just("read"), Just("computer_use")],
        input in arguments(),
    ) {
        invariants::envelope(raw.to_string().as_bytes());
        for (key, value) in [("version", 1.into()), ("name", "n".into()), ("kind", kind.into()), ("namespace", namespace.into()),
                             ("label", "L".into()), ("read_only", true.into()), ("input", input)] {
            raw[key] = value;
        }
        invariants::envelope(raw.to_string().as_bytes());
    }
}

/// Which call an event is about, the name of its tool if that is told, and the call's status.
fn steps() -> impl Strategy<Value = Vec<(usize, Option<&'static str>, toolprism::Status)>> {
    let name = prop_oneof![Just(None), Just(Some("Read")), Just(Some("Bash")), Just(Some("Write"))];
    prop::collection::vec((0usize..6, name, prop::sample::select(toolprism::Status::ALL.to_vec())), 0..40)
}

proptest! {
    #[test]
    fn groups_and_runs_that_follow_changes_are_those_made_anew(steps in steps()) {
        use toolprism::{CallLedger, GroupBy, Groups, Phase, Place, Runs, ToolCallEvent, json::RawJson};
        let mut ledger = CallLedger::default();
        let (mut groups, mut runs) = (Groups::new(GroupBy::Label), Runs::new(GroupBy::Label));
        for (id, name, status) in steps {
            let mut event = ToolCallEvent::<RawJson<'_>>::new(id.to_string(), Phase::Snapshot, Place::default());
            event.harness = Some("claude_code".into());
            event.name = name.map(Into::into);
            event.status = Some(status);
            let before = ledger.calls().len();
            let at = ledger.apply(&event).unwrap();
            if ledger.calls().len() > before {
                groups.add(&ledger.calls()[at]);
                runs.add(&ledger.calls()[at]);
            } else {
                groups.update(at, &ledger.calls()[at]);
                runs.update(at, ledger.calls());
            }
        }
        let anew = Runs::of(GroupBy::Label, ledger.calls());
        prop_assert_eq!(runs.runs(), anew.runs());
        let counted = |groups: &Groups| {
            let mut groups: Vec<_> = groups.groups().iter().filter(|g| g.count() > 0).cloned().collect();
            groups.sort_by(|a, b| a.value.cmp(&b.value));
            groups.into_iter().map(|mut g| { g.calls.sort_unstable(); (g.value, g.calls, g.summary) }).collect::<Vec<_>>()
        };
        prop_assert_eq!(counted(&groups), counted(&ledger.groups(GroupBy::Label)));
    }
}

proptest! {
    // Each of these looks at a text after every byte of it.
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_streams_only_grows(text in nearly_json(), cuts in prop::collection::vec(any::<u8>(), 0..4)) {
        invariants::streaming(text.as_bytes(), &cuts);
    }

    #[test]
    fn arguments_that_stream_only_grow(
        raw in arguments(),
        cuts in prop::collection::vec(1_u8..12, 0..6),
        broken in any::<Option<(prop::sample::Index, u8)>>(),
    ) {
        let mut text = raw.to_string().into_bytes();
        if let Some((at, byte)) = broken {
            let at = at.index(text.len());
            text[at] = byte;
        }
        invariants::streaming(&text, &cuts);
    }

    #[test]
    fn any_bytes_can_stream(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        cuts in prop::collection::vec(1_u8..12, 0..6),
    ) {
        invariants::streaming(&bytes, &cuts);
        invariants::streaming(&[b"{\"a\":\"", bytes.as_slice()].concat(), &cuts);
    }

    #[test]
    fn projected_fields_are_not_taken_back(
        (harness, name) in tool(),
        raw in arguments(),
        cuts in prop::collection::vec(1_u8..12, 0..6),
    ) {
        invariants::projected_stream(harness, name, &raw.to_string(), &cuts);
    }
}
