//! `toolprism acp-proxy`: what it adds to each message, how fast messages pass, and that its memory stays where it is.

use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The first argument by which this program is the agent.
pub const AGENT: &str = "--agent";

const ROUNDS: usize = 20_000;
const MESSAGES: usize = 100_000;

/// An agent that answers each line with a message about a tool call, and a number with as many messages at once.
pub fn agent() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut said = 0;
    for line in io::stdin().lock().lines() {
        let messages = line?.parse().unwrap_or(1);
        for _ in 0..messages {
            out.write_all(message(said).as_bytes())?;
            said += 1;
        }
        out.flush()?;
    }
    Ok(())
}

/// The agent's messages: who it is, and then of each call its announcement, its arguments and its end.
fn message(i: usize) -> String {
    let Some(i) = i.checked_sub(1) else {
        return "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1,\"agentInfo\":{\"name\":\"OpenCode\",\"version\":\"1.18.33\"}}}\n"
            .to_owned();
    };
    let text = "a line of text as an agent sends it ".repeat(20);
    let (tag, more) = match i % 3 {
        0 => ("tool_call", "\"title\":\"read\",\"kind\":\"read\",\"status\":\"pending\",\"locations\":[],\"rawInput\":{}".to_owned()),
        1 => ("tool_call_update", "\"status\":\"in_progress\",\"kind\":\"read\",\"title\":\"read\",\"rawInput\":{\"filePath\":\"/project/src/main.rs\",\"offset\":1,\"limit\":200}".to_owned()),
        _ => ("tool_call_update", format!("\"status\":\"completed\",\"title\":\"src/main.rs\",\"content\":[{{\"type\":\"content\",\"content\":{{\"type\":\"text\",\"text\":\"{text}\"}}}}]")),
    };
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{{\"sessionId\":\"s\",\"update\":{{\"sessionUpdate\":\"{tag}\",\"toolCallId\":\"call_{}\",{more}}}}}}}\n",
        i / 3
    )
}

/// A client's end of the pipes.
struct Client {
    child: Child,
    to_agent: ChildStdin,
    from_agent: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Client {
    fn of(proxy: Option<&Path>) -> io::Result<Client> {
        let agent = std::env::current_exe()?;
        let mut command = match proxy {
            Some(program) => {
                let mut command = Command::new(program);
                command.args(["acp-proxy", "--"]).arg(agent);
                command
            }
            None => Command::new(agent),
        };
        let mut child = command.arg(AGENT).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to_agent, from_agent) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(Client { child, to_agent, from_agent: BufReader::with_capacity(64 << 10, from_agent), line: Vec::new() })
    }

    fn hear(&mut self) -> io::Result<()> {
        self.line.clear();
        match self.from_agent.read_until(b'\n', &mut self.line)? {
            0 => Err(io::Error::other("the agent ended early")),
            _ => Ok(()),
        }
    }

    /// How long each answer took, sorted.
    fn rounds(&mut self) -> io::Result<Vec<Duration>> {
        let mut times = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            self.to_agent.write_all(b"next\n")?;
            self.hear()?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        Ok(times)
    }

    /// How long so many messages took that the agent had ready, in seconds.
    fn flood(&mut self, messages: usize) -> io::Result<f64> {
        let start = Instant::now();
        writeln!(self.to_agent, "{messages}")?;
        (0..messages).try_for_each(|_| self.hear())?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// The memory of the process now, where the system tells.
    fn memory(&self) -> String {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        kib.map_or_else(|| "unknown".to_owned(), |kib| format!("{:.1} MiB", kib / 1024.0))
    }

    fn end(self) -> io::Result<()> {
        let Client { mut child, to_agent, .. } = self;
        drop(to_agent);
        child.wait().map(drop)
    }
}

/// Prints how a conversation through the proxy compares with one without.
pub fn measure(program: &Path) -> io::Result<()> {
    let mut direct = Client::of(None)?;
    let mut proxied = Client::of(Some(program))?;
    let (plain, through) = (direct.rounds()?, proxied.rounds()?);
    let micros = |times: &[Duration], share: f64| {
        let at = (times.len() as f64 * share) as usize;
        times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6)
    };
    println!("acp-proxy: a question to the agent and a message about a tool call back, {ROUNDS} times");
    for (name, share) in [("median", 0.5), ("99th of 100", 0.99)] {
        let (plain, through) = (micros(&plain, share), micros(&through, share));
        println!("  {name:<12} {plain:>7.1} us without, {through:>7.1} us with: adds {:.1} us", through - plain);
    }
    direct.end()?;
    proxied.end()?;

    let mut direct = Client::of(None)?;
    let plain = direct.flood(MESSAGES)?;
    direct.end()?;
    let mut proxied = Client::of(Some(program))?;
    let early = proxied.flood(MESSAGES / 10)?;
    let (memory_early, through) = (proxied.memory(), early + proxied.flood(MESSAGES - MESSAGES / 10)?);
    let rate = |seconds: f64| MESSAGES as f64 / seconds / 1e3;
    println!(
        "  {MESSAGES} messages at once: {:.0} thousand a second without, {:.0} with; memory {memory_early} after a tenth, {} in the end\n",
        rate(plain),
        rate(through),
        proxied.memory()
    );
    proxied.end()
}
