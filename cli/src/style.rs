//! Colour, marks, and the width of the terminal.

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use toolprism::Status;

use crate::args::{Global, When};

/// What a piece of text is to the reader. Colours are the sixteen of the terminal's own theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// Ordinary text.
    #[default]
    Plain,
    /// What a row is about.
    Strong,
    /// What can be overlooked.
    Faint,
    /// Bars and marks.
    Accent,
    /// Went well.
    Good,
    /// Needs a second look.
    Warning,
    /// Went wrong.
    Bad,
}

impl Role {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Role::Plain => Style::new(),
            Role::Strong => Style::new().bold(),
            Role::Faint => Style::new().dimmed(),
            Role::Accent => colour(AnsiColor::Cyan),
            Role::Good => colour(AnsiColor::Green),
            Role::Warning => colour(AnsiColor::Yellow),
            Role::Bad => colour(AnsiColor::Red),
        }
    }
}

/// One character for a status, and how it is meant.
pub(crate) fn mark(status: Status) -> (&'static str, Role) {
    match status {
        Status::Completed => ("✓", Role::Good),
        Status::Failed => ("✗", Role::Bad),
        Status::Rejected => ("⊘", Role::Warning),
        Status::Cancelled => ("■", Role::Warning),
        Status::Unresolved => ("?", Role::Faint),
        Status::Pending | Status::InProgress => ("…", Role::Faint),
    }
}

/// Puts on colour, or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    on: bool,
}

impl Painter {
    /// For stdout.
    pub(crate) fn stdout(global: &Global) -> Painter {
        Painter::new(global.color, io::stdout().is_terminal())
    }

    /// For stderr.
    pub(crate) fn stderr(global: &Global) -> Painter {
        Painter::new(global.color, io::stderr().is_terminal())
    }

    fn new(when: When, terminal: bool) -> Painter {
        let on = match when {
            When::Always => true,
            When::Never => false,
            When::Auto if anstyle_query::no_color() => false,
            When::Auto if anstyle_query::clicolor_force() => true,
            When::Auto => terminal && anstyle_query::term_supports_color() && anstyle_query::clicolor() != Some(false),
        };
        #[cfg(windows)]
        if on {
            // An old console that cannot do it shows the codes; there is nothing better to do about it.
            let _ = anstyle_query::windows::enable_ansi_colors();
        }
        Painter { on }
    }

    /// Appends `text` to `out`, in the style of its role.
    pub(crate) fn put(self, out: &mut String, role: Role, text: &str) {
        if !self.on || role == Role::Plain || text.is_empty() {
            out.push_str(text);
            return;
        }
        let style = role.style();
        out.push_str(&format!("{style}{text}{style:#}"));
    }

    /// `text` in the style of its role.
    pub(crate) fn paint(self, role: Role, text: &str) -> String {
        let mut out = String::new();
        self.put(&mut out, role, text);
        out
    }
}

/// The width for tables where stdout is no terminal and nothing says how wide it will be shown.
const WIDTH: u16 = 100;

/// The width to make tables.
pub(crate) fn width(global: &Global) -> usize {
    let environment = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width >= 20);
    let terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(width.0).filter(|width| *width > 0)
    };
    usize::from(global.width.or_else(terminal).or_else(environment).unwrap_or(WIDTH))
}
