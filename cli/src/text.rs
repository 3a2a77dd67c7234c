//! Text from logs, made fit for a terminal: nothing in it may move the cursor, hide, or turn the writing around.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// No more than this of a text is ever shown, in bytes; what is longer is cut before it is looked at.
const MOST: usize = 4096;

/// Which end of a text that is too long is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The start: names, commands.
    #[default]
    Start,
    /// The end: paths.
    End,
}

/// More marks than this on one letter are no writing, but a tower that reaches into other lines.
const MOST_MARKS: usize = 4;

/// `text` with control characters and invisible ones escaped, on one line, and of bounded length.
pub(crate) fn clean(text: &str, keep: Keep) -> Cow<'_, str> {
    let shown = bounded(text, keep);
    let whole = shown.len() == text.len();
    if whole && shown.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(shown.len() + 8);
    if keep == Keep::End && !whole {
        out.push('…');
    }
    let mut marks = 0;
    for char in shown.chars() {
        marks = if char.width() == Some(0) { marks + 1 } else { 0 };
        if is_unfit(char) || marks > MOST_MARKS { escape(char, &mut out) } else { out.push(char) }
    }
    if keep == Keep::Start && !whole {
        out.push('…');
    }
    Cow::Owned(out)
}

/// At most [`MOST`] bytes of `text`, cut between characters.
fn bounded(text: &str, keep: Keep) -> &str {
    if text.len() <= MOST {
        return text;
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let shown = match keep {
        Keep::Start => (0..=MOST).rev().find(is_boundary).and_then(|at| text.get(..at)),
        Keep::End => (text.len() - MOST..=text.len()).find(is_boundary).and_then(|at| text.get(at..)),
    };
    shown.unwrap_or_default()
}

/// Whether a character must not reach the terminal: controls, separators of lines, marks of direction, and what cannot be
/// seen but is there.
fn is_unfit(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn escape(char: char, out: &mut String) {
    match char {
        '\n' | '\r' | '\t' => out.extend(char.escape_default()),
        _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(char))),
    }
}

/// How many columns a clean text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A clean text, cut to `room` columns.
pub(crate) fn cut(text: &str, room: usize, keep: Keep) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(room) = room.checked_sub(1) else { return Cow::Borrowed("") };
    let mut used = 0;
    let mut fits = |char: &char| {
        used += char.width().unwrap_or(0);
        used <= room
    };
    Cow::Owned(match keep {
        Keep::Start => {
            let kept: String = text.chars().take_while(|char| fits(char)).collect();
            format!("{}…", kept.trim_end())
        }
        Keep::End => {
            let kept: usize = text.chars().rev().take_while(|char| fits(char)).map(char::len_utf8).sum();
            let kept = text.get(text.len() - kept..).unwrap_or_default();
            // Of a path whole parts are kept, unless that costs half of it.
            let part = kept.find(['/', '\\']).filter(|at| *at <= kept.len() / 2).unwrap_or(0);
            format!("…{}", kept.get(part..).unwrap_or_default())
        }
    })
}

/// Clean texts side by side in `room` columns: as many as fit, and how many more there are.
pub(crate) fn join(items: &[String], room: usize) -> String {
    let mut out = String::new();
    for (i, item) in items.iter().enumerate() {
        let gap = if i == 0 { "" } else { "  " };
        let left = items.len() - i - 1;
        let more = if left == 0 { 0 } else { format!("  +{left}").len() };
        if width(&out) + gap.len() + width(item) + more > room {
            return match i {
                0 => cut(item, room, Keep::Start).into_owned(),
                _ => format!("{out}  +{}", left + 1),
            };
        }
        out.push_str(gap);
        out.push_str(item);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unfit_gets_through() {
        assert_eq!(clean("a\u{1b}[31mb\nc\u{7f}\u{9b}", Keep::Start), "a\\u{1b}[31mb\\nc\\u{7f}\\u{9b}");
        assert_eq!(
            clean("x\u{202e}txt\u{2066}\u{200b}\u{feff}", Keep::Start),
            "x\\u{202e}txt\\u{2066}\\u{200b}\\u{feff}"
        );
        assert_eq!(clean("\u{e0041}", Keep::Start), "\\u{e0041}");
        for writing in ["plain", "grün, 日本, 👩‍💻", "e\u{301}"] {
            assert_eq!(clean(writing, Keep::Start), writing);
        }
    }

    #[test]
    fn megabytes_are_cut_before_they_are_looked_at() {
        let long = "é".repeat(1 << 20);
        for keep in [Keep::Start, Keep::End] {
            let shown = clean(&long, keep);
            assert!(shown.len() <= MOST + 4 && shown.contains('…'));
        }
        let tower = format!("a{}", "\u{301}".repeat(3));
        assert_eq!(clean(&tower, Keep::Start), tower);
        assert_eq!(width(&cut(&clean(&"\u{301}".repeat(1000), Keep::Start), 20, Keep::Start)), 20);
    }

    #[test]
    fn cutting_counts_columns() {
        assert_eq!(cut("src/main.rs", 11, Keep::End), "src/main.rs");
        assert_eq!(cut("src/main.rs", 8, Keep::End), "…main.rs");
        assert_eq!(cut("/home/u/src/main.rs", 14, Keep::End), "…/src/main.rs");
        assert_eq!(cut("cargo test", 7, Keep::Start), "cargo…");
        assert_eq!(cut("日本語", 5, Keep::Start), "日本…");
        assert_eq!(cut("日本語", 4, Keep::Start), "日…");
        assert_eq!(cut("abc", 0, Keep::Start), "");
    }

    #[test]
    fn a_list_shows_whole_items_and_counts_the_rest() {
        let items = ["Bash ×600".to_owned(), "shell ×12".to_owned(), "exec ×1".to_owned()];
        let joined = |room| join(&items, room);
        assert_eq!(joined(29), "Bash ×600  shell ×12  exec ×1");
        assert_eq!(joined(28), "Bash ×600  shell ×12  +1");
        assert_eq!(joined(23), "Bash ×600  +2");
        assert_eq!(join(&[], 9), "");
        assert_eq!(joined(12), "Bash ×600");
        assert_eq!(joined(6), "Bash…");
    }
}
