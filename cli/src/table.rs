//! Tables that fit the terminal: columns give way, from the least important on, rather than wrap.

use std::borrow::Cow;
use std::io;

use crate::output::Output;
use crate::style::{Painter, Role};
use crate::text::{self, Keep};

const INDENT: usize = 2;
const GAP: usize = 2;
/// A column that can shrink never asks for more than this.
const WIDEST: usize = 160;
/// The first piece of a heading is never cut to less than this.
const LEAST_HEADING: usize = 16;

/// A column of a table. One in which every cell is empty is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    title: &'static str,
    right: bool,
    /// For columns that can shrink: the least width, and the width kept until all that is less important has gone.
    shrink: Option<(usize, usize)>,
    /// How soon the column is left out where room is short, the highest first; 0 for never.
    drop: u8,
}

impl Column {
    /// A column of texts.
    pub(crate) const fn left(title: &'static str) -> Column {
        Column { title, right: false, shrink: None, drop: 0 }
    }

    /// A column of numbers.
    pub(crate) const fn right(title: &'static str) -> Column {
        Column { title, right: true, shrink: None, drop: 0 }
    }

    /// Lets the column shrink: to `ease` columns at once, to `least` before it would have to go itself.
    pub(crate) const fn shrink(mut self, least: usize, ease: usize) -> Column {
        self.shrink = Some((least, ease));
        self
    }

    /// Lets the column go where room is short: the highest `rank` goes first.
    pub(crate) const fn drop(mut self, rank: u8) -> Column {
        self.drop = rank;
        self
    }
}

/// The text of one field, clean and on one line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell<'a> {
    text: Text<'a>,
    role: Role,
}

#[derive(Clone, Debug)]
enum Text<'a> {
    One(Cow<'a, str>, Keep),
    /// Of several as many are shown as fit.
    Several(Vec<String>),
}

impl Default for Text<'_> {
    fn default() -> Self {
        Text::One(Cow::Borrowed(""), Keep::Start)
    }
}

impl Text<'_> {
    fn width(&self) -> usize {
        match self {
            Text::One(text, _) => text::width(text),
            Text::Several(items) => text::width(&text::join(items, WIDEST)),
        }
    }

    fn cut(&self, room: usize) -> Cow<'_, str> {
        match self {
            Text::One(text, keep) => text::cut(text, room, *keep),
            Text::Several(items) => text::join(items, room).into(),
        }
    }
}

impl<'a> Cell<'a> {
    /// Text of our own, such as numbers.
    pub(crate) fn own(role: Role, text: impl Into<Cow<'a, str>>) -> Cell<'a> {
        Cell { text: Text::One(text.into(), Keep::Start), role }
    }

    /// Text from a log, which is cleaned.
    pub(crate) fn log(role: Role, text: impl Into<Cow<'a, str>>) -> Cell<'a> {
        Cell { text: Text::One(cleaned(text.into(), Keep::Start), Keep::Start), role }
    }

    /// A path from a log or from the file system, which is cleaned; of a long one the end is shown.
    pub(crate) fn path(role: Role, text: impl Into<Cow<'a, str>>) -> Cell<'a> {
        Cell { text: Text::One(cleaned(text.into(), Keep::End), Keep::End), role }
    }

    /// Several clean texts, of which as many are shown as fit.
    pub(crate) fn several(role: Role, texts: Vec<String>) -> Cell<'a> {
        Cell { text: Text::Several(texts), role }
    }
}

fn cleaned(text: Cow<'_, str>, keep: Keep) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text::clean(text, keep),
        Cow::Owned(text) => Cow::Owned(text::clean(&text, keep).into_owned()),
    }
}

/// A line of a table.
#[derive(Debug, Default)]
pub(crate) struct Row<'a> {
    /// A line of its own above the row, where a new section begins.
    pub(crate) heading: Option<Vec<Cell<'a>>>,
    /// One cell a column.
    pub(crate) cells: Vec<Cell<'a>>,
}

impl<'a> From<Vec<Cell<'a>>> for Row<'a> {
    fn from(cells: Vec<Cell<'a>>) -> Self {
        Row { heading: None, cells }
    }
}

/// How wide, and in what colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) painter: Painter,
}

/// Writes a table of `len` rows. Each row is asked for twice, so that no more than one is held at a time.
pub(crate) fn write_table<'a>(
    out: &mut Output,
    canvas: Canvas,
    columns: &[Column],
    len: usize,
    row: impl Fn(usize) -> Row<'a>,
) -> io::Result<()> {
    let mut widest = vec![0; columns.len()];
    for i in 0..len {
        for (most, cell) in widest.iter_mut().zip(&row(i).cells) {
            *most = cell.text.width().max(*most);
        }
    }
    let layout = Layout::new(columns, &widest, canvas.width);
    let mut line = String::new();
    layout.line(&mut line, canvas.painter, |column| Cell::own(Role::Faint, column.title), columns);
    out.text(&line)?;
    for i in 0..len {
        let row = row(i);
        line.clear();
        if let Some(heading) = &row.heading {
            line.push('\n');
            write_heading(&mut line, canvas, heading);
        }
        layout.row(&mut line, canvas.painter, &row.cells);
        out.text(&line)?;
    }
    Ok(())
}

/// A line of pieces with space between them; where room is short, the first gives way.
fn write_heading(line: &mut String, canvas: Canvas, pieces: &[Cell<'_>]) {
    let others: usize = pieces.iter().skip(1).map(|piece| piece.text.width() + GAP).sum();
    let room = canvas.width.saturating_sub(INDENT + others).max(LEAST_HEADING);
    for (i, piece) in pieces.iter().enumerate() {
        spaces(line, if i == 0 { INDENT } else { GAP });
        let room = if i == 0 { room } else { WIDEST };
        let shown = piece.text.cut(room);
        canvas.painter.put(line, piece.role, &shown);
    }
    line.push('\n');
}

/// The columns that are shown, with their widths.
struct Layout {
    /// Index, column, width.
    shown: Vec<(usize, Column, usize)>,
}

impl Layout {
    fn new(columns: &[Column], widest: &[usize], room: usize) -> Layout {
        let asked = |(i, column): (usize, &Column)| {
            let widest = widest.get(i).copied().filter(|width| *width > 0)?;
            let width = if column.shrink.is_some() { widest.min(WIDEST) } else { widest };
            Some((i, *column, width.max(text::width(column.title))))
        };
        let mut shown: Vec<_> = columns.iter().enumerate().filter_map(asked).collect();
        loop {
            if let Some(fitted) = fit(&shown, room) {
                return Layout { shown: fitted };
            }
            let first = shown.iter().enumerate().max_by_key(|(_, (_, column, _))| column.drop);
            match first {
                Some((at, (_, column, _))) if column.drop > 0 => {
                    shown.remove(at);
                }
                // Too narrow for a table: what must be shown is shown, and runs over the edge.
                _ => return Layout { shown },
            }
        }
    }

    fn row(&self, line: &mut String, painter: Painter, cells: &[Cell<'_>]) {
        let empty = Cell::default();
        for (at, (i, column, width)) in self.shown.iter().enumerate() {
            let cell = cells.get(*i).unwrap_or(&empty);
            let shown = cell.text.cut(*width);
            let pad = width.saturating_sub(text::width(&shown));
            spaces(line, if at == 0 { INDENT } else { GAP });
            if column.right {
                spaces(line, pad);
            }
            painter.put(line, cell.role, &shown);
            if !column.right {
                spaces(line, pad);
            }
        }
        let end = line.trim_end_matches(' ').len();
        line.truncate(end);
        line.push('\n');
    }

    fn line<'a>(&self, line: &mut String, painter: Painter, cell: impl Fn(&Column) -> Cell<'a>, columns: &[Column]) {
        let cells: Vec<Cell<'a>> = columns.iter().map(cell).collect();
        self.row(line, painter, &cells);
    }
}

/// Shrinks what can shrink, the widest first, until the columns fit; `None` if they cannot.
fn fit(shown: &[(usize, Column, usize)], room: usize) -> Option<Vec<(usize, Column, usize)>> {
    let mut fitted = shown.to_vec();
    let gaps = INDENT + GAP * fitted.len().saturating_sub(1);
    let least_important = shown.iter().map(|(_, column, _)| column.drop).max().unwrap_or(0);
    loop {
        let used: usize = fitted.iter().map(|(_, _, width)| width).sum::<usize>() + gaps;
        if used <= room {
            return Some(fitted);
        }
        let spare = |(_, column, width): &(usize, Column, usize)| {
            let Some((least, ease)) = column.shrink else { return 0 };
            let limit = if column.drop < least_important { ease } else { least };
            width.saturating_sub(limit.max(text::width(column.title)))
        };
        let (_, _, width) = fitted.iter_mut().max_by_key(|column| spare(column)).filter(|column| spare(column) > 0)?;
        *width -= 1;
    }
}

fn spaces(line: &mut String, n: usize) {
    line.extend(std::iter::repeat_n(' ', n));
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[
        Column::left("Label").shrink(6, 10),
        Column::right("Calls"),
        Column::right("Longest").drop(1),
        Column::left("Tools").shrink(8, 8).drop(2),
    ];

    fn layout(room: usize) -> Vec<(&'static str, usize)> {
        let shown = Layout::new(COLUMNS, &[12, 5, 6, 40], room).shown;
        shown.into_iter().map(|(_, column, width)| (column.title, width)).collect()
    }

    #[test]
    fn columns_shrink_then_give_way() {
        assert_eq!(layout(72), [("Label", 12), ("Calls", 5), ("Longest", 7), ("Tools", 40)]);
        assert_eq!(layout(50), [("Label", 12), ("Calls", 5), ("Longest", 7), ("Tools", 18)]);
        // The label keeps its ease until the columns after it have gone.
        assert_eq!(layout(38), [("Label", 10), ("Calls", 5), ("Longest", 7), ("Tools", 8)]);
        assert_eq!(layout(37), [("Label", 12), ("Calls", 5), ("Longest", 7)]);
        assert_eq!(layout(20), [("Label", 11), ("Calls", 5)]);
        assert_eq!(layout(15), [("Label", 6), ("Calls", 5)]);
        assert_eq!(layout(5), [("Label", 12), ("Calls", 5)]);
    }

    #[test]
    fn empty_columns_are_left_out() {
        let shown = Layout::new(COLUMNS, &[12, 5, 0, 0], 80).shown;
        assert_eq!(shown.len(), 2);
    }
}
