//! Large logs, made by repeating real ones.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A log to measure on.
pub struct Log {
    /// Which agents' records it holds.
    pub name: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The logs, each of about `megabytes`.
pub fn make(folder: &Path, megabytes: usize) -> io::Result<Vec<Log>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = root.join("../shared/data");
    let real = data.exists();
    let sources: [(&'static str, &[&str]); 4] = if real {
        [
            ("Claude Code", &["claude/spotter"]),
            ("Codex", &["codex/run-0.171.0-gpt-5.5-main.jsonl", "codex/run-0.128.0-rollout.jsonl"]),
            (
                "Grok Build",
                &["grok/run-0.2.111-default-updates.jsonl", "grok/run-0.2.111-default-subagent0-updates.jsonl"],
            ),
            (
                "ACP",
                &[
                    "acp/run-grok-0.2.111-agent-stdout.jsonl",
                    "acp/run-gemini-agent-stdout.jsonl",
                    "acp/run-opencode-agent-stdout.jsonl",
                ],
            ),
        ]
    } else {
        [("Claude Code", &["claude_code"]), ("Codex", &["codex"]), ("Grok Build", &["grok_build"]), ("ACP", &["acp"])]
    };
    let base = if real { data } else { root.join("samples") };
    println!(
        "logs of {megabytes} MB, repeated from {}\n",
        if real { "real logs" } else { "the samples (small, and all calls)" }
    );
    sources
        .into_iter()
        .map(|(name, paths)| {
            let mut text = Vec::new();
            for path in paths {
                collect(&base.join(path), &mut text)?;
            }
            let path = folder.join(format!("{}.jsonl", name.to_lowercase().replace(' ', "-")));
            let mut file = BufWriter::new(File::create(&path)?);
            let times = (megabytes * 1_000_000 / text.len().max(1)).max(1);
            for _ in 0..times {
                file.write_all(&text)?;
            }
            file.flush()?;
            // Else the disk is still busy with it while the first figures are taken.
            file.get_ref().sync_all()?;
            Ok(Log { name, bytes: (times * text.len()) as u64, path })
        })
        .collect()
}

/// Appends a `.jsonl` file, or all of a folder, in the order of their names.
fn collect(path: &Path, text: &mut Vec<u8>) -> io::Result<()> {
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| collect(entry, text));
    }
    if path.extension().is_some_and(|ext| ext == "jsonl") {
        text.extend(fs::read(path)?);
        if text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
    }
    Ok(())
}
