//! From what was asked for to the files to read, in sorted order.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::homes::{HOMES, has_extension};

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// The file; `-` is stdin.
    pub path: PathBuf,
    /// Whether it was named itself, rather than found in a folder or by a glob.
    pub named: bool,
    /// Its size in bytes as far as it is known, for the order of work and the progress.
    pub size: u64,
}

impl Input {
    /// Whether this is stdin.
    pub fn is_stdin(&self) -> bool {
        self.named && self.path.as_os_str() == "-"
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The files to read.
    pub inputs: Vec<Input>,
    /// What could not be found or looked into.
    pub errors: Vec<Problem>,
}

/// A path that could not be found or looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path as it was given or found.
    pub path: String,
    /// What is wrong with it, for people.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The files that `paths` mean; without paths the logs of the agents used here.
pub fn discover(paths: &[PathBuf]) -> Found {
    let mut search = Search::default();
    if paths.is_empty() {
        search.homes();
    }
    for path in paths {
        search.path(path);
    }
    search.found.inputs.sort();
    search.found
}

/// The ends of the names of files that a log can be in.
const EXTENSIONS: &[&str] = &["jsonl", "json", "ndjson"];

/// Folders that hold no logs, and much else.
const PASSED_FOLDERS: &[&str] = &[".git", "node_modules"];

/// Files in which agents keep secrets. They are read only if they are named themselves.
const PRIVATE: &[&str] = &[
    "auth.json",
    "credentials.json",
    ".credentials.json",
    "oauth_creds.json",
    "mcp-oauth-tokens.json",
    "mcp-oauth-tokens-v2.json",
    "google_accounts.json",
];

fn is_private(path: &Path) -> bool {
    path.file_name().is_some_and(|name| PRIVATE.iter().any(|private| name.eq_ignore_ascii_case(private)))
}

#[derive(Default)]
struct Search {
    found: Found,
    /// Real paths of the files that were found, so that none is read twice.
    seen: HashSet<PathBuf>,
}

impl Search {
    fn homes(&mut self) {
        for home in HOMES {
            for folder in home.folders().iter().filter(|folder| folder.is_dir()) {
                self.folder(folder, &|path| home.is_log(path));
            }
        }
    }

    fn path(&mut self, path: &Path) {
        if path.as_os_str() == "-" {
            self.add(path, true, 0);
            return;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path, &|path| has_extension(path, EXTENSIONS)),
            Ok(metadata) => self.add(path, true, metadata.len()),
            Err(error) => match path.to_str().filter(|text| text.contains(['*', '?', '['])) {
                Some(pattern) => self.glob(pattern),
                None => self.error(path, &error),
            },
        }
    }

    fn glob(&mut self, pattern: &str) {
        // `**` at the end means all files below, as it does elsewhere; to the crate it means folders alone.
        let below = if pattern.ends_with("**") { "/*" } else { "" };
        let matches = match glob::glob(&format!("{pattern}{below}")) {
            Ok(matches) => matches,
            Err(error) => {
                self.problem(pattern.to_owned(), format!("not a glob: {error}"));
                return;
            }
        };
        let mut some = false;
        for found in matches {
            match found {
                Ok(path) => {
                    some = true;
                    match fs::metadata(&path) {
                        // A folder that `**` matches stands for itself, not for all that is in it.
                        Ok(metadata) if metadata.is_dir() && pattern.contains("**") => {}
                        Ok(metadata) if metadata.is_dir() => {
                            self.folder(&path, &|path| has_extension(path, EXTENSIONS));
                        }
                        Ok(metadata) if metadata.is_file() && !is_private(&path) => {
                            self.add(&path, false, metadata.len());
                        }
                        Ok(_) => {}
                        Err(error) => self.error(&path, &error),
                    }
                }
                Err(error) => self.error(error.path(), error.error()),
            }
        }
        if !some {
            self.problem(pattern.to_owned(), "nothing matches".to_owned());
        }
    }

    fn folder(&mut self, folder: &Path, is_log: &dyn Fn(&Path) -> bool) {
        // A link that leads back up is an error of the walk, and an entry that is gone by now is no loss.
        let enter = |entry: &DirEntry| {
            entry.depth() == 0
                || !entry.file_type().is_dir()
                || !PASSED_FOLDERS.iter().any(|name| entry.file_name() == *name)
        };
        for entry in WalkDir::new(folder).follow_links(true).into_iter().filter_entry(enter) {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_log(entry.path()) && !is_private(entry.path()) => {
                    let size = entry.metadata().map_or(0, |metadata| metadata.len());
                    self.add(entry.path(), false, size);
                }
                Ok(_) => {}
                Err(error) => {
                    if let (Some(path), Some(cause)) = (error.path(), error.io_error())
                        && cause.kind() != std::io::ErrorKind::NotFound
                    {
                        self.error(path, cause);
                    }
                }
            }
        }
    }

    fn add(&mut self, path: &Path, named: bool, size: u64) {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.seen.insert(real) {
            self.found.inputs.push(Input { path: path.to_owned(), named, size });
        }
    }

    fn error(&mut self, path: &Path, error: &std::io::Error) {
        self.problem(path.display().to_string(), plain(error));
    }

    fn problem(&mut self, path: String, message: String) {
        self.found.errors.push(Problem { path, message });
    }
}

/// An error of the system without its number.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}
