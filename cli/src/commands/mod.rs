//! The commands, one file each.

pub(crate) mod acp_proxy;
pub(crate) mod calls;
pub(crate) mod finalize;
pub(crate) mod groups;
pub(crate) mod identify;
pub(crate) mod partial;
pub(crate) mod runs;
pub(crate) mod schema;
pub(crate) mod stamp;
pub(crate) mod tools;

use std::borrow::Cow;
use std::thread;

use toolprism::sources::Source;

use crate::Exit;
use crate::args::{Global, ReadArgs};
use crate::discover::discover;
use crate::homes;
use crate::messages;
use crate::progress::Progress;
use crate::scan::{FileReport, Options, Scan, scan};
use crate::style::{self, Painter, Role};
use crate::table::{Canvas, Cell};
use toolprism_facade::time;

/// Finds the files, reads them, and says on stderr what could not be read.
fn read(args: &ReadArgs, keep_raw_input: bool, global: &Global) -> (Scan, Exit) {
    let found = discover(&args.paths);
    let options = Options {
        strict: args.strict,
        keep_raw_input,
        keep_copies: args.keep_copies,
        jobs: args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from),
    };
    let mut progress = Progress::new(&found.inputs, global);
    let mut scan = scan(&found.inputs, options, &mut |files, bytes| {
        progress.show(files, bytes);
        true
    });
    progress.clear();
    for source in &mut scan.sources {
        source.calls.retain(|call| args.lets_through(call));
    }
    let exit = messages::report(&found, &scan, args.strict, !args.paths.is_empty(), global);
    (scan, exit)
}

fn canvas(global: &Global) -> Canvas {
    Canvas { width: style::width(global), painter: Painter::stdout(global) }
}

/// The line above the rows of a file.
fn heading<'a>(file: &'a FileReport, source: &Source, time: Option<i64>) -> Vec<Cell<'a>> {
    let path = homes::shortened(&file.path).map_or(Cow::Borrowed(file.path.as_str()), Cow::Owned);
    let mut pieces = vec![Cell::path(Role::Strong, path)];
    pieces.extend(source.format.map(|format| Cell::own(Role::Faint, format.display())));
    pieces.extend(time.map(|time| Cell::own(Role::Faint, format!("{} UTC", time::date(time)))));
    pieces
}
