//! `toolprism acp-proxy`: between a client, which is the test, and an agent, which is a shell script.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use common::Folder;
use serde_json::{Value, json};
use toolprism::stamping::unstamp;

/// A client's end of the pipes. A proxy that hangs is killed after a while, so that the test fails.
struct Client {
    proxy: Child,
    to_agent: Option<ChildStdin>,
    from_agent: BufReader<ChildStdout>,
    _watch: Sender<()>,
}

impl Client {
    /// Starts the proxy in this folder with an agent that is this script.
    fn of(folder: &Folder, script: &str) -> Client {
        let mut command = folder.command(&["acp-proxy", "--", "sh", "-c", script]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut proxy = command.spawn().unwrap();
        let (watch, done) = channel();
        let pid = proxy.id();
        thread::spawn(move || {
            if done.recv_timeout(Duration::from_secs(120)) == Err(RecvTimeoutError::Timeout) {
                kill("KILL", pid);
            }
        });
        Client {
            to_agent: proxy.stdin.take(),
            from_agent: BufReader::new(proxy.stdout.take().unwrap()),
            proxy,
            _watch: watch,
        }
    }

    fn say(&mut self, line: &str) {
        let to_agent = self.to_agent.as_mut().unwrap();
        to_agent.write_all(line.as_bytes()).unwrap();
        to_agent.flush().unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.from_agent.read_line(&mut line).unwrap();
        line
    }

    /// Says no more, and hears all that is left: the output, the agent's stderr, and the exit code.
    fn end(mut self) -> (Vec<u8>, Vec<u8>, i32) {
        drop(self.to_agent.take());
        let mut stderr = self.proxy.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).map(|_| text)
        });
        let mut out = Vec::new();
        self.from_agent.read_to_end(&mut out).unwrap();
        let code = self.proxy.wait().unwrap().code().unwrap();
        (out, errors.join().unwrap().unwrap(), code)
    }

    /// The most memory that the proxy has had, in KiB, where the system tells.
    fn peak(&self) -> Option<usize> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.proxy.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

fn kill(signal: &str, pid: u32) -> bool {
    Command::new("kill")
        .arg(format!("-{signal}"))
        .arg(pid.to_string())
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .success()
}

fn update(update: Value) -> String {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}).to_string()
}

fn call(id: &str) -> String {
    update(
        json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "bash", "kind": "execute", "rawInput": {"command": "ls"}}),
    )
}

const HELLO: &str =
    r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"OpenCode","version":"1.18.33"}}}"#;

/// What the agent said, from what the client heard, and how many lines have a stamp.
fn original(heard: &[u8]) -> (Vec<u8>, usize) {
    let mut back = Vec::new();
    let stamped = heard.split_inclusive(|byte| *byte == b'\n').filter(|line| unstamp(line, &mut back)).count();
    (back, stamped)
}

#[test]
fn tool_calls_are_stamped_and_every_other_byte_stays() {
    let said: Vec<Vec<u8>> = vec![
        format!("{HELLO}\n").into(),
        "Loading plugins ...\n".into(),
        "\n".into(),
        format!("{}\r\n", call("a")).into(),
        b"\xff\xfe\x00 no text\n".into(),
        format!("{}\n", update(json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "tool_call h\u{e9} \u{2028}"}}))).into(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"upd\n".into(),
        format!("{}{}\n", call("b"), call("c")).into(),
        format!("{}\n", call("d").replace(',', " ,\t")).into(),
        format!("{}\n", update(json!({"sessionUpdate": "tool_call_update", "toolCallId": "a", "status": "completed", "_meta": null}))).into(),
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}\r\n".into(),
        call("e").into(),
    ];
    let folder = Folder::new();
    folder.write("said", said.concat());
    let (heard, errors, code) = Client::of(&folder, "printf 'to stderr\\377' >&2; cat said; exit 3").end();
    assert_eq!((errors.as_slice(), code), (b"to stderr\xff".as_slice(), 3));
    let (back, stamped) = original(&heard);
    assert!(back == said.concat());
    // The message whose `_meta` is no object got a name only.
    assert_eq!(stamped, 5);
    let lines: Vec<&[u8]> = heard.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), said.len());
    for i in [0, 1, 2, 4, 5, 6, 10] {
        assert!(lines[i] == said[i], "line {i}");
    }
    for (i, id) in [(3, "a"), (8, "d"), (11, "e")] {
        let message: Value = serde_json::from_slice(lines[i]).unwrap();
        let told = &message["params"]["update"];
        assert_eq!((&told["toolCallId"], &told["name"]), (&json!(id), &json!("bash")));
        assert_eq!(
            told["_meta"],
            json!({"x.ai/tool": {"version": 1, "name": "bash", "kind": "execute", "namespace": "opencode", "label": "Run Command", "read_only": false, "input": {"command": "ls"}}})
        );
    }
    assert_eq!(String::from_utf8_lossy(lines[7]).matches("\"label\":\"Run Command\"").count(), 2);
}

#[test]
fn genuine_conversations_pass_in_both_directions() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/acp");
    for entry in fs::read_dir(samples).unwrap() {
        let recording = fs::read_to_string(entry.unwrap().path()).unwrap();
        let records: Vec<Value> = recording.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let said = |who: &str| -> String {
            records.iter().filter(|record| record["dir"] == who).map(|record| format!("{}\n", record["msg"])).collect()
        };
        let (by_client, by_agent) = (said("client_to_agent"), said("agent_to_client"));
        let folder = Folder::new();
        folder.write("said", &by_agent);
        let mut client = Client::of(&folder, "cat said; exec cat > heard");
        client.say(&by_client);
        let (heard, _, code) = client.end();
        assert_eq!(code, 0);
        assert_eq!(fs::read_to_string(folder.path().join("heard")).unwrap(), by_client);
        let (back, stamped) = original(&heard);
        assert!(back == by_agent.as_bytes());
        assert!(stamped > 20, "{stamped}");
    }
}

#[test]
fn every_message_passes_as_soon_as_it_is_there() {
    let folder = Folder::new();
    let mut client = Client::of(&folder, r#"while read -r line; do printf '%s\n' "$line"; done"#);
    for i in 0..200 {
        client.say(&(call(&format!("c{i}")) + "\n"));
        let heard = client.hear();
        assert!(heard.contains(&format!("\"c{i}\"")) && heard.contains("x.ai/tool"), "{heard}");
    }
    // Not a line yet, and none that can be a message.
    client.say("\n");
    assert_eq!(client.hear(), "\n");
    assert_eq!(client.end(), (vec![], vec![], 0));
    let mut client = Client::of(&folder, r#"printf 'Continue? '; read -r line; printf '%s' "$line""#);
    let mut question = [0; 10];
    client.from_agent.read_exact(&mut question).unwrap();
    assert_eq!(&question, b"Continue? ");
    client.say("yes\n");
    assert_eq!(client.end().0, b"yes");
}

#[test]
fn a_client_that_has_no_more_to_say_still_hears() {
    let folder = Folder::new();
    folder.write("call", call("c"));
    let (heard, _, code) = Client::of(&folder, "cat > heard; cat call; exit 5").end();
    assert_eq!((original(&heard), code), ((call("c").into_bytes(), 1), 5));
}

#[test]
fn the_agents_exit_code_is_the_programs() {
    let folder = Folder::new();
    for (script, expected) in
        [("exit 0", 0), ("exit 1", 1), ("exit 255", 255), ("kill -TERM $$", 143), ("kill -KILL $$", 137)]
    {
        assert_eq!(Client::of(&folder, script).end().2, expected, "{script}");
    }
}

#[test]
fn signals_reach_the_agent_which_decides_what_follows() {
    let folder = Folder::new();
    let script = r#"trap 'echo INT' INT; trap 'echo TERM; exit 9' TERM; echo ready; while :; do sleep 0.05; done"#;
    let mut client = Client::of(&folder, script);
    assert_eq!(client.hear(), "ready\n");
    for (signal, answer) in [("INT", "INT\n"), ("INT", "INT\n"), ("TERM", "TERM\n")] {
        assert!(kill(signal, client.proxy.id()));
        assert_eq!(client.hear(), answer);
    }
    assert_eq!(client.end().2, 9);
    let mut client = Client::of(&folder, "echo ready; exec sleep 100");
    assert_eq!(client.hear(), "ready\n");
    assert!(kill("TERM", client.proxy.id()));
    assert_eq!(client.end().2, 143);
}

#[test]
fn an_agent_that_cannot_be_started_is_told_of() {
    let folder = Folder::new();
    folder.write("no-program", "text");
    for (agent, code, why) in [
        (
            "no-such-agent",
            127,
            "toolprism: cannot start the agent no-such-agent: there is no such program; install it, or give its path\n",
        ),
        ("./no-program", 126, "toolprism: cannot start the agent ./no-program: Permission denied\n"),
    ] {
        let run = folder.run(&["acp-proxy", "--", agent, "--acp"]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (code, "", why));
    }
    let run = folder.run(&["acp-proxy"]);
    assert!(run.code == 2 && run.err.contains("<AGENT>"), "{run:?}");
}

#[test]
fn what_was_done_is_said_only_if_asked_for() {
    let folder = Folder::new();
    folder.write("call", call("c"));
    let run = folder.run(&["acp-proxy", "-v", "--", "cat", "call"]);
    assert_eq!((run.code, run.err.as_str()), (0, "cat: stamped 1 message\n"));
    assert_eq!(folder.run(&["acp-proxy", "--", "cat", "call"]).err, "");
}

#[test]
fn arguments_and_environment_reach_the_agent_as_they_are() {
    let folder = Folder::new();
    let mut command = folder.command(&[
        "acp-proxy",
        "--",
        "sh",
        "-c",
        r#"printf '%s|' "$@" "$SECRET"; pwd"#,
        "-",
        "--version",
        "--",
        "-q",
        "a b",
    ]);
    let output = command.env("SECRET", "x y").output().unwrap();
    let expected = format!("--version|--|-q|a b|x y|{}\n", folder.path().display());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

/// A line over 64 MiB is neither stamped nor held: its front arrives before its end is written.
#[test]
fn a_line_too_long_to_look_at_streams_through() {
    const LONG: usize = 70_000_000;
    let folder = Folder::new();
    folder.write("front", call("long").strip_suffix("}}}").unwrap().to_owned() + ",\"blob\":\"");
    folder.write("back", format!("\"}}}}}}\n{}\n", call("next")));
    let script = format!("cat front; head -c {LONG} /dev/zero | tr '\\0' x; read -r line; cat back");
    let mut client = Client::of(&folder, &script);
    let front = fs::read(folder.path().join("front")).unwrap();
    let mut heard = vec![0; front.len() + LONG];
    client.from_agent.read_exact(&mut heard).unwrap();
    assert!(heard.starts_with(&front) && heard[front.len()..].iter().all(|byte| *byte == b'x'));
    client.say("go on\n");
    let (rest, _, code) = client.end();
    let back = fs::read(folder.path().join("back")).unwrap();
    assert_eq!((original(&rest), code), ((back, 1), 0));
}

/// While one side does not read, the other is held up, and the proxy holds no more than its buffers.
#[test]
fn who_is_slow_slows_down_the_other_and_costs_no_memory() {
    const MESSAGES: usize = 8_000;
    let folder = Folder::new();
    let text = json!({"type": "text", "text": "x".repeat(4096)});
    let message = update(json!({"sessionUpdate": "agent_message_chunk", "content": text})) + "\n";
    folder.write("line", &message);
    let script = format!("yes \"$(cat line)\" | head -n {MESSAGES}; touch said; sleep 1; wc -c");
    let mut client = Client::of(&folder, &script);
    // A pause, in which the agent could say all it has if the proxy took it.
    thread::sleep(Duration::from_secs(1));
    assert!(!folder.path().join("said").exists(), "the agent waits for the client");
    for _ in 0..MESSAGES {
        assert_eq!(client.hear(), message);
    }
    // And the other way round: the agent does not read at first.
    let block = message.repeat(800);
    for _ in 0..10 {
        client.say(&block);
    }
    if let Some(peak) = client.peak() {
        assert!(peak < 16 << 10, "{peak} KiB");
    }
    let (rest, _, code) = client.end();
    assert_eq!((String::from_utf8(rest).unwrap().trim(), code), ((10 * block.len()).to_string().as_str(), 0));
}

/// The state is bounded: after the first calls, memory grows no more.
#[test]
fn a_hundred_thousand_messages_leave_nothing_behind() {
    const CALLS: usize = 50_000;
    let folder = Folder::new();
    let said: String = (0..CALLS)
        .flat_map(|i| {
            let id = format!("call_{i}");
            let end = json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed", "title": "x".repeat(200)});
            [call(&id) + "\n", update(end) + "\n"]
        })
        .collect();
    folder.write("said", format!("{HELLO}\n{said}"));
    let mut client = Client::of(&folder, "cat said; read -r line");
    let mut early = None;
    assert_eq!(client.hear(), format!("{HELLO}\n"));
    for i in 0..2 * CALLS {
        let heard = client.hear();
        assert!(heard.contains(r#""name":"bash""#), "{heard}");
        if i == CALLS / 5 {
            early = client.peak();
        }
    }
    if let Some((early, late)) = early.zip(client.peak()) {
        assert!(late < early + 4096, "{early} KiB, then {late} KiB");
    }
    assert_eq!(client.end().0, b"");
}

#[test]
fn what_the_agent_said_before_its_end_arrives_however_late_it_is_read() {
    let folder = Folder::new();
    let message = call("c") + "\n";
    // The lesser number fits into the pipes and the proxy, so that the agent has ended while the proxy waits for the client.
    for messages in [110_000 / message.len(), 20_000] {
        let said = message.repeat(messages);
        folder.write("said", &said);
        let client = Client::of(&folder, "cat said; exit 4");
        // Longer than the proxy waits for a pipe that is silent.
        thread::sleep(Duration::from_secs(1));
        let (heard, _, code) = client.end();
        let (back, stamped) = original(&heard);
        assert!(back == said.as_bytes() && stamped == messages && code == 4, "{stamped} of {messages}");
    }
}

#[test]
fn a_program_that_the_agent_leaves_behind_is_not_waited_for() {
    let folder = Folder::new();
    let (heard, _, code) = Client::of(&folder, "sleep 100 2> /dev/null & echo $!; exit 2").end();
    assert_eq!(code, 2);
    let left: u32 = String::from_utf8(heard).unwrap().trim().parse().unwrap();
    assert!(kill("0", left), "it was still there");
    kill("KILL", left);
}

#[test]
fn each_side_sees_that_the_other_has_closed_a_pipe() {
    let folder = Folder::new();
    // The agent reads no more.
    let script = "exec <&-; echo ready; while [ ! -e done ]; do sleep 0.05; done; exit 6";
    let mut client = Client::of(&folder, script);
    assert_eq!(client.hear(), "ready\n");
    let mut to_agent = client.to_agent.take().unwrap();
    let failed = (0..1000).find_map(|_| to_agent.write_all(&[b'x'; 4096]).err());
    assert_eq!(failed.map(|error| error.kind()), Some(std::io::ErrorKind::BrokenPipe));
    folder.write("done", "");
    assert_eq!(client.end().2, 6);
    // The agent writes no more, but hears on.
    let mut client = Client::of(&folder, "echo ready; exec >&-; cat > heard; exit 7");
    assert_eq!((client.hear().as_str(), client.hear().as_str()), ("ready\n", ""));
    client.say("still there\n");
    assert_eq!(client.end().2, 7);
    assert_eq!(fs::read(folder.path().join("heard")).unwrap(), b"still there\n");
    // The client reads no more: the agent is ended by that, as if there were no proxy.
    let mut client = Client::of(&folder, "while :; do echo '{}'; done");
    assert_eq!(client.hear(), "{}\n");
    let Client { mut proxy, from_agent, to_agent, _watch, .. } = client;
    drop(from_agent);
    assert_eq!(proxy.wait().unwrap().code(), Some(141));
    drop(to_agent);
}
