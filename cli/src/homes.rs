//! Where the agents keep their logs. A new agent is a new row in [`HOMES`].

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where one agent keeps its logs.
pub(crate) struct Home {
    /// The agent, to show.
    pub(crate) agent: &'static str,
    /// The environment variable that moves the agent's folder, and the way from what it names to the folder.
    moved: Option<(&'static str, &'static str)>,
    /// The agent's folder, from the user's.
    usual: &'static str,
    /// The folders of logs in the agent's folder.
    logs: &'static [&'static str],
    /// Whether a file there is a log.
    is_log: fn(&Path) -> bool,
}

/// The agents whose logs are looked for when no path is given.
pub(crate) static HOMES: &[Home] = &[
    Home {
        agent: "Claude Code",
        moved: Some(("CLAUDE_CONFIG_DIR", "")),
        usual: ".claude",
        logs: &["projects"],
        is_log: |path| has_extension(path, &["jsonl"]),
    },
    Home {
        agent: "Codex",
        moved: Some(("CODEX_HOME", "")),
        usual: ".codex",
        logs: &["sessions", "archived_sessions"],
        is_log: |path| has_extension(path, &["jsonl", "json"]),
    },
    Home {
        agent: "Grok Build",
        moved: Some(("GROK_HOME", "")),
        usual: ".grok",
        logs: &["sessions"],
        is_log: |path| path.file_name() == Some(OsStr::new("updates.jsonl")),
    },
    Home {
        agent: "Gemini CLI",
        moved: None,
        usual: ".gemini",
        logs: &["tmp"],
        is_log: |path| has_extension(path, &["jsonl", "json"]) && path.iter().any(|part| part == "chats"),
    },
    Home {
        agent: "OpenCode",
        moved: Some(("XDG_DATA_HOME", "opencode")),
        usual: ".local/share/opencode",
        logs: &["storage/part"],
        is_log: |path| has_extension(path, &["json"]),
    },
];

impl Home {
    /// The folders of logs, whether they are there or not.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.root().map_or_else(Vec::new, |root| self.logs.iter().map(|logs| root.join(logs)).collect())
    }

    /// Whether a file in one of the folders is a log.
    pub(crate) fn is_log(&self, path: &Path) -> bool {
        (self.is_log)(path)
    }

    fn root(&self) -> Option<PathBuf> {
        let moved = self.moved.and_then(|(variable, below)| {
            let place = env::var_os(variable).filter(|place| !place.is_empty())?;
            Some(if below.is_empty() { PathBuf::from(place) } else { Path::new(&place).join(below) })
        });
        moved.or_else(|| env::home_dir().filter(|home| !home.as_os_str().is_empty()).map(|home| home.join(self.usual)))
    }
}

/// Whether a file's name ends in one of `extensions`, or in one of them and `.gz`.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let is = |path: &Path, wanted: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(wanted));
    let inner = if is(path, "gz") { path.file_stem().map(Path::new) } else { Some(path) };
    inner.is_some_and(|path| extensions.iter().any(|extension| is(path, extension)))
}

/// A path below the user's folder, as people write it: `~/logs`.
pub(crate) fn shortened(path: &str) -> Option<String> {
    let home = env::home_dir()?;
    let below = path.strip_prefix(home.to_str().filter(|home| home.len() > 1)?)?;
    below.starts_with(std::path::is_separator).then(|| format!("~{below}"))
}
