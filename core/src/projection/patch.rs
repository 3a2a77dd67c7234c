//! Patches: the paths in them, and the shell commands that carry them.

/// The start of an envelope.
const BEGIN: &str = "*** Begin Patch";

/// The path of the first file in a patch (a `*** Begin Patch` envelope or a unified diff).
pub(super) fn first_path(patch: &str) -> Option<&str> {
    let path = marked_path(patch).or_else(|| diff_path(patch, "+++ ")).or_else(|| diff_path(patch, "--- "));
    path.filter(|path| !path.is_empty())
}

/// The path in the first line of an envelope that names a file, which may be empty.
fn marked_path(patch: &str) -> Option<&str> {
    const MARKS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
    let marked = |line| MARKS.iter().find_map(|mark| str::strip_prefix(line, mark));
    patch.lines().map(str::trim_start).find_map(marked).map(unquoted)
}

/// As [`first_path`], of a patch of which only the front is there: known once the line is whole, and only of an envelope, since
/// the headers of a unified diff may yet be outdone.
pub(super) fn path_so_far(front: &str) -> Option<&str> {
    let (whole, _) = front.rsplit_once('\n')?;
    whole.trim_start().starts_with(BEGIN).then(|| marked_path(whole)).flatten().filter(|path| !path.is_empty())
}

/// The path in the first header of a unified diff that starts with `mark`; `/dev/null` is none.
fn diff_path<'a>(patch: &'a str, mark: &str) -> Option<&'a str> {
    let header = patch.lines().find_map(|line| line.strip_prefix(mark))?;
    let path = unquoted(header.split('\t').next()?);
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (path != "/dev/null").then_some(path)
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// The names of the program that applies a patch.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

/// What makes more of `cd DIR &&` than a change of the directory.
const NOT_IN_DIR: [char; 8] = ['\n', ';', '|', '&', '(', '`', '<', '>'];

/// An edit in the disguise of a shell command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShellPatch<'a> {
    pub(super) path: Option<&'a str>,
    /// The directory of a leading `cd DIR &&`.
    pub(super) cwd: Option<&'a str>,
}

/// The patch in a command that does nothing but run `apply_patch`, with a here-document or with the patch as its argument.
/// With any other command beside it the call stays what it is: it may do anything.
pub(super) fn in_shell(command: &str) -> Option<ShellPatch<'_>> {
    let mut rest = command.trim();
    let mut cwd = None;
    if let Some((dir, after)) = rest.strip_prefix("cd ").and_then(|r| r.split_once("&&"))
        && !dir.contains(NOT_IN_DIR)
    {
        cwd = Some(unquoted(dir));
        rest = after.trim_start();
    }
    let rest = PROGRAMS.iter().find_map(|program| rest.strip_prefix(program))?;
    let argument =
        || Some(unquoted(rest.strip_prefix([' ', '\t'])?)).filter(|p| p.trim_end().ends_with("*** End Patch"));
    let patch = here_document(rest).or_else(argument)?;
    patch.trim_start().starts_with(BEGIN).then(|| ShellPatch { path: first_path(patch), cwd })
}

/// Whether more of a command can make it one that [`in_shell`] takes for an edit. A few characters settle it, unless it calls
/// `apply_patch`.
pub(super) fn may_be_in_shell(front: &str) -> bool {
    /// A directory that is longer is not looked through to its end.
    const FRONT: usize = 4096;
    let end = (0..=front.len().min(FRONT)).rev().find(|&i| front.is_char_boundary(i)).unwrap_or_default();
    let front = front.get(..end).unwrap_or_default().trim_start();
    let mut rest = front;
    if let Some(dir) = rest.strip_prefix("cd ") {
        match dir.split_once("&&") {
            Some((dir, after)) if !dir.contains(NOT_IN_DIR) => rest = after.trim_start(),
            Some(_) => return false,
            None => return !dir.strip_suffix('&').unwrap_or(dir).contains(NOT_IN_DIR),
        }
    }
    let calls = |program: &&str| match rest.strip_prefix(*program) {
        Some(after) => after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || c == '<'),
        None => program.starts_with(rest),
    };
    PROGRAMS.iter().any(calls) || "cd ".starts_with(rest) && rest.len() == front.len()
}

/// The body of the here-document that is all of `text`: `<<'EOF'`, the lines, `EOF`. The end may be missing.
fn here_document(text: &str) -> Option<&str> {
    let (start, body) = text.split_once('\n')?;
    let word = start.trim().strip_prefix("<<")?;
    let word = unquoted(word.strip_prefix('-').unwrap_or(word));
    if word.is_empty() || word.contains(char::is_whitespace) {
        return None;
    }
    let mut length = 0;
    for line in body.split_inclusive('\n') {
        if line.trim() == word {
            let (document, rest) = body.split_at_checked(length)?;
            return rest.trim().strip_prefix(word)?.is_empty().then_some(document);
        }
        length += line.len();
    }
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn the_first_file_of_an_envelope_counts() {
        let path = |lines: &str| first_path(&format!("*** Begin Patch\n{lines}\n*** End Patch")).map(|p| p.to_owned());
        assert_eq!(path("*** Add File: src/new.py\n+x\n*** Update File: a.txt\n@@").as_deref(), Some("src/new.py"));
        assert_eq!(path("*** Delete File: old name.txt").as_deref(), Some("old name.txt"));
        assert_eq!(path("*** Update File: a.rs\n*** Move to: b.rs\n@@").as_deref(), Some("a.rs"));
        assert_eq!(path("*** Update File: \"with space.txt\" \n@@").as_deref(), Some("with space.txt"));
        assert_eq!(path(r"*** Update File: C:\src\main: x.rs").as_deref(), Some(r"C:\src\main: x.rs"));
        assert_eq!(path("*** Update File: ").as_deref(), None);
        assert_eq!(path("+*** Update File: quoted.txt").as_deref(), None);
        assert_eq!(first_path("*** Begin Patch\r\n*** Update File: a.txt\r\n@@\r\n-x\r\n"), Some("a.txt"));
    }

    #[test]
    fn a_unified_diff_names_the_new_side_unless_it_is_gone() {
        assert_eq!(first_path("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"), Some("x"));
        assert_eq!(first_path("--- /dev/null\n+++ b/dir/new.txt\t2026-01-01\n"), Some("dir/new.txt"));
        assert_eq!(first_path("--- a/gone.txt\r\n+++ /dev/null\r\n"), Some("gone.txt"));
        assert_eq!(first_path("--- \"a/t\\303\\274.txt\"\n+++ \"b/t\\303\\274.txt\"\n"), Some("t\\303\\274.txt"));
        assert_eq!(first_path("no patch at all\n+ x\n- y"), None);
        assert_eq!(first_path(""), None);
    }

    const PATCH: &str = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** End Patch";

    #[test]
    fn a_command_that_only_applies_a_patch_is_one() {
        let found = |path, cwd| Some(ShellPatch { path: Some(path), cwd });
        assert_eq!(in_shell(&format!("apply_patch <<'EOF'\n{PATCH}\nEOF")), found("src/a.rs", None));
        assert_eq!(in_shell(&format!("apply_patch << \"PATCH\"\n{PATCH}\nPATCH\n")), found("src/a.rs", None));
        assert_eq!(in_shell(&format!("applypatch <<-EOF\n{PATCH}\n\tEOF\n")), found("src/a.rs", None));
        assert_eq!(
            in_shell(&format!("cd 'my app' && apply_patch <<EOF\n{PATCH}\nEOF")),
            found("src/a.rs", Some("my app"))
        );
        assert_eq!(in_shell(&format!("apply_patch '{PATCH}'")), found("src/a.rs", None));
        assert_eq!(in_shell(&format!("apply_patch {PATCH}\n")), found("src/a.rs", None));
        assert_eq!(in_shell("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: cut.txt\n+a"), found("cut.txt", None));
        let crlf = format!("apply_patch <<'EOF'\n{PATCH}\nEOF\n").replace('\n', "\r\n");
        assert_eq!(in_shell(&crlf), found("src/a.rs", None));
    }

    #[test]
    fn a_front_that_can_become_an_edit_is_known() {
        for command in [
            format!("apply_patch <<'EOF'\n{PATCH}\nEOF"),
            format!("\n applypatch\u{2003}<<-EOF\n{PATCH}\n\tEOF\n"),
            format!("  cd 'my app'  &&\n apply_patch <<EOF\n{PATCH}\nEOF"),
            format!("cd{}a && apply_patch '{PATCH}'", " ".repeat(5000)),
            format!("apply_patch\t{PATCH}\n"),
        ] {
            assert!(in_shell(&command).is_some(), "{command}");
            for end in (0..=command.len()).filter(|i| command.is_char_boundary(*i)) {
                assert!(may_be_in_shell(&command[..end]), "{}", &command[..end]);
            }
        }
        for (front, until) in [
            ("ls -la", 0),
            ("cargo", 1),
            ("cd a; ls", 4),
            ("cd a && ls", 8),
            ("cd a &x", 6),
            ("apply_patches", 11),
            ("cda", 2),
            ("cd a && cd b", 8),
        ] {
            for end in 0..=front.len() {
                assert_eq!(may_be_in_shell(&front[..end]), end <= until, "{}", &front[..end]);
            }
        }
    }

    #[test]
    fn the_path_of_a_growing_patch_is_the_one_it_will_have() {
        for patch in [
            PATCH,
            "\n*** Begin Patch\r\n*** Add File: \"a b.txt\"\r\n+*** Update File: c\r\n*** Delete File: d\r\n",
            "*** Begin Patch\n*** Update File: \n*** Update File: late.rs\n",
            "*** Begin Patch\n--- a/x\n+++ b/y\n*** Update File: z\n",
            "--- a/x\n+++ b/y\n *** Update File: z\n",
        ] {
            let known: alloc::vec::Vec<_> = (0..=patch.len()).filter_map(|end| path_so_far(&patch[..end])).collect();
            assert!(known.iter().all(|path| Some(*path) == first_path(patch)), "{patch}: {known:?}");
        }
        assert_eq!(path_so_far("*** Begin Patch\n*** Update File: src/a.rs"), None);
        assert_eq!(path_so_far("*** Begin Patch\n*** Update File: src/a.rs\n"), Some("src/a.rs"));
    }

    #[test]
    fn a_command_that_does_or_says_more_stays_a_command() {
        for command in [
            format!("apply_patch <<'EOF'\n{PATCH}\nEOF\ncargo test"),
            format!("apply_patch <<'EOF' && rm -rf build\n{PATCH}\nEOF"),
            format!("rm -rf build; cd x && apply_patch <<'EOF'\n{PATCH}\nEOF"),
            format!("cd x; rm -rf build && apply_patch <<'EOF'\n{PATCH}\nEOF"),
            format!("cd $(make) && apply_patch <<'EOF'\n{PATCH}\nEOF"),
            format!("cd `make` && apply_patch <<'EOF'\n{PATCH}\nEOF"),
            format!("apply_patch '{PATCH}' && ls"),
            format!("cat > how.md <<'EOF'\napply_patch <<'X'\n{PATCH}\nX\nEOF"),
            format!("echo apply_patch '{PATCH}'"),
            "grep -rn apply_patch src".into(),
            "apply_patch --help".into(),
            "apply_patch < fix.patch".into(),
            "apply_patch <<''\nx".into(),
            "apply_patch".into(),
            "apply_patches <<'EOF'\n*** Begin Patch\nEOF".into(),
            String::new(),
        ] {
            assert_eq!(in_shell(&command), None, "{command}");
        }
    }
}
