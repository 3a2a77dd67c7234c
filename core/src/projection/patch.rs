//! Patches: the paths in them, and the shell commands that carry them.

/// The path of the first file in a patch (a `*** Begin Patch` envelope or a unified diff).
pub(super) fn first_path(patch: &str) -> Option<&str> {
    let marked = |line: &'_ str| {
        ["*** Add File: ", "*** Update File: ", "*** Delete File: "].into_iter().any(|mark| line.starts_with(mark))
    };
    if let Some(line) = patch.lines().map(str::trim_start).find(|line| marked(line)) {
        return line.split_once(": ").map(|(_, path)| unquoted(path)).filter(|path| !path.is_empty());
    }
    let header = |mark: &str| {
        let path = patch.lines().find_map(|line| line.strip_prefix(mark))?;
        let path = unquoted(path.split('\t').next().unwrap_or(path));
        (path != "/dev/null" && !path.is_empty())
            .then(|| path.split_once('/').filter(|(side, _)| matches!(*side, "a" | "b")).map_or(path, |(_, p)| p))
    };
    header("+++ ").or_else(|| header("--- "))
}

fn unquoted(path: &str) -> &str {
    let path = path.trim();
    let inner = |quote| path.strip_prefix(quote).and_then(|p| p.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(path)
}

/// An edit in the disguise of a shell command.
pub(super) struct ShellPatch<'a> {
    pub(super) path: Option<&'a str>,
    /// The directory of a leading `cd DIR &&`.
    pub(super) cwd: Option<&'a str>,
}

/// The patch in a command that does nothing but run `apply_patch`: with a here-document, or as its argument.
pub(super) fn in_shell(command: &str) -> Option<ShellPatch<'_>> {
    let mut rest = command.trim_start();
    let mut cwd = None;
    if let Some((dir, after)) = rest.strip_prefix("cd ").and_then(|r| r.split_once("&&"))
        && !dir.contains('\n')
    {
        cwd = Some(unquoted(dir));
        rest = after.trim_start();
    }
    let after = rest.strip_prefix("apply_patch").or_else(|| rest.strip_prefix("applypatch"))?;
    let after = after.strip_prefix([' ', '\t', '\n'])?;
    after.contains("*** Begin Patch").then(|| ShellPatch { path: first_path(after), cwd })
}
