//! The line on stderr that says how far the reading has come.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::args::Global;
use crate::discover::Input;
use crate::style::{Painter, Role};
use crate::units;

/// How often the line is drawn.
pub(crate) const POLL: Duration = Duration::from_millis(100);

/// Work that is done sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

const BAR: usize = 24;

/// Shows the progress of a scan on a terminal, once it takes a while.
pub(crate) struct Progress {
    /// `None` where nothing is to be shown.
    painter: Option<Painter>,
    started: Instant,
    drawn: Option<Instant>,
    files: usize,
    /// All bytes there are; 0 if nobody knows.
    bytes: u64,
}

impl Progress {
    pub(crate) fn new(inputs: &[Input], global: &Global) -> Progress {
        let shown = !global.quiet && io::stderr().is_terminal();
        let known = !inputs.iter().any(Input::is_stdin);
        Progress {
            painter: shown.then(|| Painter::stderr(global)),
            started: Instant::now(),
            drawn: None,
            files: inputs.len(),
            bytes: if known { inputs.iter().map(|input| input.size).sum() } else { 0 },
        }
    }

    /// Draws the line if it is time to.
    pub(crate) fn show(&mut self, files: usize, bytes: u64) {
        let Some(painter) = self.painter else { return };
        let now = Instant::now();
        let due = match self.drawn {
            None => now.duration_since(self.started) >= PATIENCE,
            Some(before) => now.duration_since(before) >= POLL,
        };
        if due {
            self.drawn = Some(now);
            let line = self.line(painter, files, bytes, now.duration_since(self.started));
            // Where stderr cannot be written there is nobody to tell.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn line(&self, painter: Painter, files: usize, bytes: u64, passed: Duration) -> String {
        let mut out = String::from("  ");
        let speed = (bytes as f64 / passed.as_secs_f64().max(0.001)) as u64;
        if self.bytes > 0 {
            let done = (bytes.min(self.bytes) as f64 / self.bytes as f64).clamp(0.0, 1.0);
            let full = (done * BAR as f64) as usize;
            painter.put(&mut out, Role::Accent, &"━".repeat(full));
            painter.put(&mut out, Role::Faint, &"─".repeat(BAR - full));
            out.push_str(&format!(
                "  {:>3} %  {} of {}",
                (done * 100.0) as u64,
                units::bytes(bytes),
                units::bytes(self.bytes)
            ));
        } else {
            out.push_str(&format!("{} read", units::bytes(bytes)));
        }
        let rest = match self.files {
            1 => format!("  {}/s", units::bytes(speed)),
            all => format!("  {} of {} files  {}/s", units::count(files), units::count(all), units::bytes(speed)),
        };
        painter.put(&mut out, Role::Faint, &rest);
        out
    }
}
