//! The agent's process: started, signalled, waited for.

use std::ffi::OsString;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// A running agent.
pub(super) struct Agent {
    child: Child,
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
}

impl Agent {
    /// Starts the program with its arguments. Its stderr is this program's.
    pub(super) fn start(command: &[OsString]) -> io::Result<(Agent, ChildStdin, ChildStdout)> {
        let (program, args) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
        // From here on no signal is missed, and none ends this program before the agent.
        #[cfg(unix)]
        let signals = {
            use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM};
            signal_hook::iterator::Signals::new([SIGCHLD, SIGINT, SIGTERM])?
        };
        let mut child = Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        let agent = Agent {
            child,
            #[cfg(unix)]
            signals,
        };
        Ok((agent, stdin, stdout))
    }

    /// Waits for the agent's end, and hands on to it the signals that ask for an end until then.
    #[cfg(unix)]
    pub(super) fn wait(mut self) -> u8 {
        use signal_hook::consts::{SIGINT, SIGTERM};
        for signal in self.signals.forever() {
            match self.child.try_wait() {
                Ok(None) => {}
                ended => return code(ended),
            }
            let signal = match signal {
                SIGINT => rustix::process::Signal::INT,
                SIGTERM => rustix::process::Signal::TERM,
                _ => continue,
            };
            // It fails only for a program that has changed its user, which is then left alone.
            let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal);
        }
        code(self.child.wait().map(Some))
    }

    /// Waits for the agent's end. Consoles send Ctrl-C to every program that runs in them.
    #[cfg(not(unix))]
    pub(super) fn wait(mut self) -> u8 {
        code(self.child.wait().map(Some))
    }
}

/// The agent's exit code; 128 and the signal's number where one has ended it, as shells say it. 1 where there is none.
fn code(ended: io::Result<Option<ExitStatus>>) -> u8 {
    let Ok(Some(status)) = ended else { return 1 };
    #[cfg(unix)]
    let signalled = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signalled = None;
    let code = status.code().or(signalled).unwrap_or(1);
    // Codes are larger on some systems; what is no success must not become one.
    u8::try_from(code).unwrap_or(1)
}
