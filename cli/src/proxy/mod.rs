//! Between an ACP client and an agent: two pipes that run side by side, one of which stamps what passes.
//!
//! What is stamped, and how, is the core's business ([`LiveStamper`]); here are the process and its pipes. Each direction
//! holds one block and one line, so who is slow to read slows down who writes.

mod agent;
mod pieces;

use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use toolprism::stamping::{LiveStamper, Stamped};

use agent::Agent;
use pieces::{Piece, Pieces};

/// How much is read at once.
const BLOCK: usize = 64 << 10;

/// When an agent has ended, and nothing has come from its pipe for so long, nothing more is waited for: a program that it has
/// left behind may hold the pipe open for ever.
const SILENCE: Duration = Duration::from_millis(200);

/// Why the agent is not running.
pub(crate) struct NotStarted(pub(crate) io::Error);

/// What came of a connection.
pub(crate) struct Ended {
    /// The agent's exit code.
    pub(crate) code: u8,
    pub(crate) done: Stamped,
}

/// Runs the agent, with this program's stdin and stdout as its own but for the stamps, until it ends.
pub(crate) fn run(command: &[OsString]) -> Result<Ended, NotStarted> {
    let (agent, to_agent, from_agent) = Agent::start(command).map_err(NotStarted)?;
    let stamper = Arc::new(Mutex::new(LiveStamper::new()));
    let turns = Arc::new(AtomicU64::new(0));
    let (ends, ended) = channel::<()>();
    // The first is not waited for: it sits in a read until the client speaks.
    let shared = Arc::clone(&stamper);
    thread::spawn(move || {
        hear_client(to_agent, &shared);
        close(Pipe::Stdin);
    });
    let (shared, counted) = (Arc::clone(&stamper), Arc::clone(&turns));
    thread::spawn(move || {
        hear_agent(from_agent, &shared, &counted);
        close(Pipe::Stdout);
        drop(ends);
    });
    let code = agent.wait();
    drain(&ended, &turns);
    let done = lock(&stamper).done();
    Ok(Ended { code, done })
}

fn lock(stamper: &Mutex<LiveStamper>) -> MutexGuard<'_, LiveStamper> {
    stamper.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Pipe {
    Stdin,
    Stdout,
}

/// Lets the client see that the agent has closed its end of a pipe, although this program still runs.
fn close(pipe: Pipe) {
    #[cfg(unix)]
    if let Ok(null) = std::fs::File::options().read(true).write(true).open("/dev/null") {
        // Where it fails, the client sees it when this program ends.
        let _ = match pipe {
            Pipe::Stdin => rustix::stdio::dup2_stdin(null),
            Pipe::Stdout => rustix::stdio::dup2_stdout(null),
        };
    }
    #[cfg(not(unix))]
    let _ = pipe;
}

/// Hands on what the client says, as it comes; whole lines are looked at before.
fn hear_client(mut agent: ChildStdin, stamper: &Mutex<LiveStamper>) {
    let mut client = io::stdin().lock();
    let mut pieces = Pieces::new();
    loop {
        let block = match client.fill_buf() {
            Ok([]) => return,
            Ok(block) => block,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        pieces.push(block, |piece| {
            if let Piece::Line(line) = piece {
                lock(stamper).client(line);
            }
        });
        if agent.write_all(block).is_err() {
            return;
        }
        let taken = block.len();
        client.consume(taken);
    }
}

/// Hands on what the agent says, with its stamps. `turns` is even while the agent is waited for.
fn hear_agent(mut agent: ChildStdout, stamper: &Mutex<LiveStamper>, turns: &AtomicU64) {
    let mut client = io::stdout().lock();
    let mut pieces = Pieces::new();
    let (mut block, mut out) = (vec![0; BLOCK], Vec::new());
    loop {
        let read = match agent.read(&mut block) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        turns.fetch_add(1, Ordering::Relaxed);
        let mut outcome = Ok(());
        pieces.push(block.get(..read).unwrap_or_default(), |piece| {
            if outcome.is_ok() {
                outcome = hand_on(&piece, stamper, &mut out, &mut client);
            }
        });
        if outcome.and_then(|()| write_out(&mut out, &mut client)).is_err() {
            // Where the client reads no more, the agent is to see that too: its pipe closes here.
            return;
        }
        turns.fetch_add(1, Ordering::Relaxed);
    }
    turns.fetch_add(1, Ordering::Relaxed);
    let mut outcome = Ok(());
    pieces.finish(|piece| outcome = hand_on(&piece, stamper, &mut out, &mut client));
    let _ = outcome.and_then(|()| write_out(&mut out, &mut client));
}

/// Appends what becomes of a piece, and writes when that is much.
fn hand_on(
    piece: &Piece<'_>,
    stamper: &Mutex<LiveStamper>,
    out: &mut Vec<u8>,
    client: &mut impl Write,
) -> io::Result<()> {
    match piece {
        Piece::Line(line) => lock(stamper).agent(line, out),
        Piece::Bytes(bytes) => out.extend_from_slice(bytes),
    }
    if out.len() >= BLOCK { write_out(out, client) } else { Ok(()) }
}

fn write_out(out: &mut Vec<u8>, client: &mut impl Write) -> io::Result<()> {
    client.write_all(out)?;
    client.flush()?;
    out.clear();
    out.shrink_to(4 * BLOCK);
    Ok(())
}

/// Waits until all is handed on that the agent said before its end.
fn drain(ended: &Receiver<()>, turns: &AtomicU64) {
    loop {
        let before = turns.load(Ordering::Relaxed);
        match ended.recv_timeout(SILENCE) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if before.is_multiple_of(2) && turns.load(Ordering::Relaxed) == before {
                    return;
                }
            }
        }
    }
}
