//! The rules of merging, one by one.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use toolprism::sources::{Source, link_parents, remove_copies};
use toolprism::{
    CallLedger, Change, Evidence, Flag, GroupBy, Groups, MOST_PATHS, MergeRules, Phase, Place, Runs, Status, Summary,
    ToolCall, ToolCallEvent, TurnEnd,
};

type Event<'a> = ToolCallEvent<'a, &'a Value>;

fn event<'a>(id: &'a str, phase: Phase) -> Event<'a> {
    let mut event = ToolCallEvent::new(id, phase, Place::default());
    event.session = Some("s".into());
    event.harness = Some("claude_code".into());
    event
}

fn started<'a>(id: &'a str, name: &'a str, raw: &'a Value) -> Event<'a> {
    Event { name: Some(name.into()), raw_input: Change::Set(raw), ..event(id, Phase::Started) }
}

fn finished(id: &str, status: Status) -> Event<'_> {
    Event { status: Some(status), ..event(id, Phase::Finished) }
}

fn merged(events: &[Event<'_>]) -> Vec<ToolCall> {
    let mut ledger = CallLedger::default();
    for event in events {
        ledger.apply(event);
    }
    ledger.into_calls()
}

fn flags(call: &ToolCall) -> Vec<Flag> {
    call.flags.iter().collect()
}

fn path(call: &ToolCall) -> Option<&str> {
    call.identity.meta.canonical_input()?.path.as_deref()
}

#[test]
fn a_call_and_its_result_are_one_record() {
    let raw = json!({"file_path": "a.txt"});
    let mut start = started("c", "Read", &raw);
    start.time = Some(1_000);
    let mut end = finished("c", Status::Completed);
    end.time = Some(1_250);
    let [call] = merged(&[start, end]).try_into().unwrap();
    assert_eq!((call.label(), call.status, path(&call)), ("Read", Status::Completed, Some("a.txt")));
    assert_eq!((call.started_at, call.duration()), (Some(1_000), Some(250)));
    assert_eq!(flags(&call), []);
}

#[test]
fn calls_of_other_sessions_and_subagents_with_the_same_id_are_others() {
    let raw = json!({});
    let mut other = started("c", "Bash", &raw);
    other.session = Some("other".into());
    let mut sub = started("c", "Grep", &raw);
    sub.agent = Some("a1".into());
    assert_eq!(merged(&[started("c", "Read", &raw), other, sub]).len(), 3);
}

#[test]
fn in_v1_neither_an_empty_object_nor_null_nor_absence_erases() {
    let raw = json!({"file_path": "a.txt"});
    let empty = json!({});
    let blank = Event { raw_input: Change::Set(&empty), ..event("c", Phase::Updated) };
    let null = Event { title: Change::Keep, ..event("c", Phase::Updated) };
    let mut start = started("c", "Read", &raw);
    start.title = Change::Set("Read a.txt".into());
    let [call] = merged(&[start, blank, null]).try_into().unwrap();
    assert_eq!((path(&call), call.title.as_deref()), (Some("a.txt"), Some("Read a.txt")));
}

#[test]
fn in_v2_null_clears_and_the_first_update_creates_the_call() {
    let raw = json!({"file_path": "a.txt"});
    let mut first = started("c", "Read", &raw);
    (first.phase, first.rules, first.title) = (Phase::Snapshot, MergeRules::V2, Change::Set("t".into()));
    let clear =
        Event { rules: MergeRules::V2, title: Change::Clear, raw_input: Change::Clear, ..event("c", Phase::Snapshot) };
    let [call] = merged(&[first, clear]).try_into().unwrap();
    assert_eq!((path(&call), call.title.as_deref()), (None, None));
    assert_eq!(call.label(), "Read");
    assert_eq!(flags(&call), [Flag::InputPending]);
}

#[test]
fn a_late_result_does_not_reopen_and_a_late_update_is_flagged() {
    let raw = json!({"command": "ls"});
    let mut failed = finished("c", Status::Failed);
    failed.exit_code = Some(2);
    let late = Event { status: Some(Status::InProgress), ..event("c", Phase::Updated) };
    let again = finished("c", Status::Failed);
    let [call] = merged(&[started("c", "Bash", &raw), failed, late, again]).try_into().unwrap();
    assert_eq!((call.status, call.exit_code), (Status::Failed, Some(2)));
    assert_eq!(flags(&call), [Flag::LateEvent], "an end told again does not take the flag back");
}

#[test]
fn the_result_may_come_before_the_call() {
    let raw = json!({"command": "ls"});
    let [orphan] = merged(&[finished("c", Status::Completed)]).try_into().unwrap();
    assert_eq!((orphan.label(), orphan.identity.why), ("Tool", Evidence::Nothing));
    assert_eq!(flags(&orphan), [Flag::Orphan, Flag::InputPending]);
    let [call] = merged(&[finished("c", Status::Completed), started("c", "Bash", &raw)]).try_into().unwrap();
    assert_eq!((call.label(), call.status), ("Run Command", Status::Completed));
    assert_eq!(flags(&call), []);
}

#[test]
fn arguments_that_come_before_the_name_are_projected_when_it_comes() {
    let raw = json!({"notebook_path": "n.ipynb", "new_source": "x"});
    let nameless = Event { raw_input: Change::Set(&raw), harness: None, ..event("c", Phase::Updated) };
    let named = Event { name: Some("NotebookEdit".into()), ..event("c", Phase::Updated) };
    let [call] = merged(&[nameless, named]).try_into().unwrap();
    assert_eq!((call.label(), path(&call)), ("Edit", Some("n.ipynb")));
}

#[test]
fn a_call_told_again_is_the_same_and_a_new_call_under_an_old_id_is_another() {
    let (raw, other) = (json!({"file_path": "a.txt"}), json!({"file_path": "b.txt"}));
    let told_again =
        merged(&[started("c", "Read", &raw), finished("c", Status::Completed), started("c", "Read", &raw)]);
    assert_eq!(told_again.len(), 1);
    assert_eq!(flags(&told_again[0]), [Flag::AnnouncedAgain]);
    let reused = merged(&[
        started("c", "Read", &raw),
        finished("c", Status::Completed),
        started("c", "Read", &other),
        finished("c", Status::Failed),
    ]);
    let statuses: Vec<_> = reused.iter().map(|c| (path(c), c.status)).collect();
    assert_eq!(statuses, [(Some("a.txt"), Status::Completed), (Some("b.txt"), Status::Failed)]);
    assert_eq!(flags(&reused[1]), [Flag::ReusedId]);
    let renamed = merged(&[started("c", "Read", &raw), finished("c", Status::Completed), started("c", "Write", &raw)]);
    assert_eq!(renamed.len(), 2);
}

#[test]
fn a_mirror_adds_to_a_known_call_and_invents_none() {
    let raw = json!({"command": "false"});
    let mirror = Event { exit_code: Some(1), ..event("c", Phase::Mirror) };
    let mut ledger = CallLedger::default();
    assert_eq!(ledger.apply(&mirror), None);
    assert_eq!((ledger.calls().len(), ledger.ignored()), (0, 1));
    ledger.apply(&started("c", "Bash", &raw));
    ledger.apply(&mirror);
    assert_eq!(ledger.calls()[0].exit_code, Some(1));
    assert_eq!(ledger.calls()[0].status, Status::Pending, "an exit code is no status");
}

#[test]
fn the_end_of_a_turn_sweeps_its_open_calls_and_a_result_still_counts() {
    let raw = json!({"command": "ls"});
    let mut ledger = CallLedger::default();
    let mut elsewhere = started("c", "Bash", &raw);
    elsewhere.session = Some("other".into());
    for event in [started("c", "Bash", &raw), started("d", "Bash", &raw), elsewhere] {
        ledger.apply(&event);
    }
    ledger.apply(&finished("d", Status::Completed));
    ledger.end(&TurnEnd { session: Some("s".into()), cancelled: true, time: Some(9), agent: None });
    let statuses: Vec<_> = ledger.calls().iter().map(|c| c.status).collect();
    assert_eq!(statuses, [Status::Cancelled, Status::Completed, Status::Pending]);
    assert_eq!(flags(&ledger.calls()[0]), [Flag::Swept]);
    ledger.apply(&finished("c", Status::Rejected));
    assert_eq!(ledger.calls()[0].status, Status::Rejected);
    assert_eq!(flags(&ledger.calls()[0]), []);
    ledger.end(&TurnEnd::default());
    assert_eq!(ledger.calls()[2].status, Status::Unresolved);
}

fn envelope(name: &str, namespace: &str, input: Option<&str>) -> Value {
    let mut envelope =
        json!({"version": 1, "name": name, "kind": "read", "namespace": namespace, "label": "Read", "read_only": true});
    if let Some(path) = input {
        envelope["input"] = json!({"path": path});
    }
    json!({"x.ai/tool": envelope})
}

#[test]
fn a_later_envelope_without_input_keeps_the_input_and_one_of_another_tool_is_kept_out() {
    let (full, bare) = (envelope("read_file", "grok_build", Some("a")), envelope("read_file", "grok_build", None));
    let hostile = envelope("delete_all", "mcp", None);
    let stamped = |phase, meta| Event { meta: Some(meta), harness: Some("grok_build".into()), ..event("c", phase) };
    let [call] =
        merged(&[stamped(Phase::Started, &full), stamped(Phase::Updated, &bare), stamped(Phase::Updated, &hostile)])
            .try_into()
            .unwrap();
    assert_eq!((call.name(), path(&call), call.identity.why), ("read_file", Some("a"), Evidence::Envelope));
    assert_eq!(flags(&call), [Flag::EnvelopeConflict, Flag::InputPending]);
}

#[test]
fn an_envelope_makes_no_other_tool_of_a_call_whose_name_is_known() {
    let envelope = |name: &str, namespace: &str| json!({"x.ai/tool": {"version": 1, "name": name, "kind": "read", "namespace": namespace, "label": "Read", "read_only": true}});
    let raw = json!({"path": "a"});
    // What an MCP server sends with its result is not what the call is.
    for (name, hostile) in [("mcp__fs__rm", envelope("read_file", "grok_build")), ("Bash", envelope("fs__x", "mcp"))] {
        let end = Event { meta: Some(&hostile), ..finished("c", Status::Completed) };
        let [call] = merged(&[started("c", name, &raw), end]).try_into().unwrap();
        assert_eq!((call.name(), call.status), (name, Status::Completed));
        assert_ne!(call.identity.why, Evidence::Envelope);
        assert_eq!(flags(&call), [Flag::EnvelopeConflict]);
    }
    // Nor when the call has ended already.
    let (genuine, hostile) = (envelope("fs__rm", "mcp"), envelope("read_file", "grok_build"));
    let start = Event { meta: Some(&genuine), ..started("c", "fs__rm", &raw) };
    let late = Event { meta: Some(&hostile), ..event("c", Phase::Updated) };
    let [call] = merged(&[start, finished("c", Status::Completed), late]).try_into().unwrap();
    assert_eq!((call.name(), flags(&call)), ("fs__rm", vec![Flag::EnvelopeConflict]));
    // The same tool, of a toolset that only the envelope can tell, and a call that was only guessed at.
    let start = |name| Event { harness: Some("grok_build".into()), ..started("c", name, &raw) };
    let concise = envelope("read_file", "grok_build_concise");
    for name in ["read_file", "Reading a file"] {
        let update = Event { meta: Some(&concise), ..event("c", Phase::Updated) };
        let [call] = merged(&[start(name), update]).try_into().unwrap();
        assert_eq!((call.name(), call.identity.why), ("read_file", Evidence::Envelope));
        assert_eq!(call.identity.meta.namespace.as_str(), "grok_build_concise");
        assert_eq!(flags(&call), []);
    }
}

#[test]
fn what_comes_after_the_end_leaves_its_mark_and_nothing_else() {
    let raw = json!({"command": "ls"});
    let denied = Event { error: Some("too late".into()), ..finished("c", Status::Failed) };
    let events =
        [started("c", "Bash", &raw), finished("c", Status::Completed), denied, finished("c", Status::Completed)];
    let [call] = merged(&events).try_into().unwrap();
    assert_eq!((call.status, call.error.as_deref()), (Status::Completed, None));
    assert_eq!(flags(&call), [Flag::LateEvent]);
}

#[test]
fn a_vendors_meta_names_the_tool_and_the_harness() {
    let (raw, meta) = (json!({"file_path": "a.rs"}), json!({"claudeCode": {"toolName": "Read"}}));
    let start = Event { harness: None, meta: Some(&meta), raw_input: Change::Set(&raw), ..event("c", Phase::Started) };
    let [call] = merged(&[start]).try_into().unwrap();
    assert_eq!((call.harness.as_deref(), call.identity.why), (Some("claude_code"), Evidence::VendorMeta));
    assert_eq!((call.label(), path(&call)), ("Read", Some("a.rs")));
}

#[test]
fn arguments_are_kept_only_on_request() {
    let raw = json!({"file_path": "a.rs"});
    let mut keeping = CallLedger::keeping_raw_input();
    keeping.apply(&started("c", "Read", &raw));
    assert_eq!(keeping.calls()[0].raw_input.as_deref(), Some(r#"{"file_path":"a.rs"}"#));
    assert_eq!(merged(&[started("c", "Read", &raw)])[0].raw_input, None);
}

#[test]
fn copies_between_sources_are_removed_and_the_finished_copy_is_kept() {
    let raw = json!({"command": "ls"});
    let source = |calls| Source { format: None, calls };
    let mut sources = [
        source(merged(&[started("c", "Bash", &raw)])),
        source(merged(&[started("c", "Bash", &raw), finished("c", Status::Completed), started("d", "Bash", &raw)])),
    ];
    assert_eq!(remove_copies(&mut sources), 1);
    let ids = |s: &Source| s.calls.iter().map(|c| (c.id.clone(), c.status)).collect::<Vec<_>>();
    assert_eq!(ids(&sources[0]), [("c".into(), Status::Completed)]);
    assert_eq!(ids(&sources[1]), [("d".into(), Status::Pending)]);
}

#[test]
fn calls_of_a_subagent_are_linked_to_the_call_that_started_it() {
    let raw = json!({"description": "look"});
    let mut result = finished("task", Status::Completed);
    result.started = Some("a1".into());
    let mut inner = started("inner", "Read", &raw);
    inner.agent = Some("a1".into());
    let mut sources = [
        Source { format: None, calls: merged(&[inner]) },
        Source { format: None, calls: merged(&[started("task", "Task", &raw), result]) },
    ];
    link_parents(&mut sources);
    assert_eq!(sources[0].calls[0].parent.as_deref(), Some("task"));
    assert_eq!(sources[1].calls[0].parent, None);
}

#[test]
fn a_summary_lists_each_path_once() {
    for different in [1, 8, 9, 10, 50, MOST_PATHS, MOST_PATHS + 3] {
        let mut ledger = CallLedger::default();
        for i in 0..2 * different {
            let input = json!({"file_path": format!("f{}", i % different)});
            ledger.apply(&started(&i.to_string(), "Read", &input));
        }
        let groups = ledger.groups(GroupBy::Label);
        let summary = &groups.groups()[0].summary;
        let expected: Vec<_> = (0..different.min(MOST_PATHS)).map(|i| format!("f{i}")).collect();
        assert_eq!(summary.paths, expected);
        assert_eq!(summary.more_paths, different > MOST_PATHS);
        let without = Summary::without_paths(ledger.calls());
        assert!(without.paths.is_empty() && !without.more_paths);
        assert_eq!((without.count(), without.read_only), (summary.count(), summary.read_only));
        assert_eq!(without.with_status(Status::Pending), 2 * different);
    }
}

#[test]
fn groups_count_and_follow_changes() {
    let (a, b) = (json!({"file_path": "a"}), json!({"file_path": "b"}));
    let mut ledger = CallLedger::default();
    let mut groups = Groups::new(GroupBy::Label);
    for event in [started("1", "Read", &a), started("2", "Write", &a), started("3", "Read", &b)] {
        let at = ledger.apply(&event).unwrap();
        groups.add(&ledger.calls()[at]);
    }
    let at = ledger.apply(&finished("3", Status::Failed)).unwrap();
    groups.update(at, &ledger.calls()[at]);
    let read = &groups.groups()[0];
    assert_eq!((read.key(groups.by()).as_str(), read.count()), ("label:Read", 2));
    let reads = &read.summary;
    assert_eq!((reads.with_status(Status::Failed), reads.with_status(Status::Pending)), (1, 1));
    assert_eq!((reads.paths.as_slice(), reads.read_only_share()), (["a".to_string(), "b".to_string()].as_slice(), 1.0));
    assert_eq!(groups.groups()[1].summary.read_only, 0);
    let live: Vec<_> = groups.groups().to_vec();
    assert_eq!(live, ledger.groups(GroupBy::Label).groups(), "live and anew give the same");
}

#[test]
fn a_call_that_turns_out_to_be_another_kind_moves_between_groups() {
    let raw = json!({"x": 1});
    let mut ledger = CallLedger::default();
    let mut groups = Groups::new(GroupBy::Label);
    let at = ledger.apply(&Event { raw_input: Change::Set(&raw), ..event("c", Phase::Started) }).unwrap();
    groups.add(&ledger.calls()[at]);
    ledger.apply(&Event { name: Some("Bash".into()), status: Some(Status::Completed), ..event("c", Phase::Updated) });
    groups.update(at, &ledger.calls()[at]);
    let counts: Vec<_> = groups
        .groups()
        .iter()
        .map(|g| (g.value.as_str(), g.count(), g.summary.with_status(Status::Completed)))
        .collect();
    assert_eq!(counts, [("Tool", 0, 0), ("Run Command", 1, 1)]);
}

#[test]
fn durations_add_up_and_follow_changes() {
    let raw = json!({});
    let timed = |id, end| {
        let start = Event { time: Some(1_000), ..started(id, "Read", &raw) };
        let end = Event { time: Some(end), ..finished(id, Status::Completed) };
        merged(&[start, end]).remove(0)
    };
    let (short, long, open) = (timed("1", 1_200), timed("2", 1_900), merged(&[started("3", "Read", &raw)]).remove(0));
    let mut groups = Groups::of(GroupBy::Label, [&long, &open, &short]);
    let figures = |groups: &Groups| {
        let summary = &groups.groups()[0].summary;
        (summary.timed, summary.duration, summary.longest)
    };
    assert_eq!(figures(&groups), (2, 1_100, 900));
    groups.update(0, &open);
    assert_eq!(figures(&groups), (1, 200, 900), "the longest stays");
    groups.update(1, &short);
    assert_eq!(figures(&groups), (2, 400, 900));
    let runs = Runs::of(GroupBy::Label, [&long, &short]);
    assert_eq!(runs.runs()[0].summary.duration, 1_100);
}

#[test]
fn runs_are_neighbours_of_one_label() {
    let raw = json!({});
    let calls = merged(&[
        started("1", "Read", &raw),
        started("2", "Read", &raw),
        started("3", "Bash", &raw),
        started("4", "Read", &raw),
    ]);
    let runs: Vec<_> =
        Runs::of(GroupBy::Label, &calls).runs().iter().map(|r| (r.key.clone(), r.first, r.len)).collect();
    let expected = [("label:Read@1", 0, 2), ("label:Run Command@3", 2, 1), ("label:Read@4", 3, 1)]
        .map(|(k, f, l)| (k.to_string(), f, l));
    assert_eq!(runs, expected);
    let by_label = Runs::of(GroupBy::Label, &calls);
    let first = &by_label.runs()[0].summary;
    assert_eq!((first.count(), first.with_status(Status::Pending), first.read_only_share()), (2, 2, 1.0));
    let by_server = Runs::of(GroupBy::Server, &calls);
    assert_eq!(by_server.runs().len(), 4, "calls without a server are not neighbours of each other");
}

#[test]
fn an_envelope_may_put_a_guess_right_if_acps_name_vouches_for_it() {
    let stamp = |name: &str, namespace: &str, label: &str| json!({"x.ai/tool": {"version": 1, "name": name, "kind": "read", "namespace": namespace, "label": label, "read_only": true}});
    let (guess, right) = (stamp("Reads a file", "unknown", "Tool"), stamp("Read", "claude_code", "Read"));
    let (server, other) = (stamp("mcp__s__Read", "mcp", "Tool"), stamp("Read", "grok_build", "Read"));
    let told = |first, second, acp_name: Option<&'static str>| {
        let first = Event { harness: None, meta: Some(first), ..event("c", Phase::Started) };
        let second = Event {
            harness: None,
            meta: Some(second),
            acp_name: acp_name.map(Into::into).into(),
            ..event("c", Phase::Updated)
        };
        let [call] = merged(&[first, second]).try_into().unwrap();
        (call.name().to_owned(), call.flags.has(Flag::EnvelopeConflict))
    };
    assert_eq!(told(&guess, &right, Some("Read")), ("Read".into(), false));
    assert_eq!(told(&guess, &right, None), ("Reads a file".into(), true));
    assert_eq!(told(&guess, &right, Some("Write")), ("Reads a file".into(), true));
    // A server may call its tool as it likes, and what has the right name already has its namespace as well.
    assert_eq!(told(&server, &right, Some("Read")), ("mcp__s__Read".into(), true));
    assert_eq!(told(&right, &other, Some("Read")), ("Read".into(), true));
}
