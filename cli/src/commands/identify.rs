//! `toolprism identify`: what single calls are, a line each.

use std::io;

use crate::Exit;
use crate::args::{Global, IdentifyArgs};
use crate::lines::answer_lines;

pub(crate) fn run(args: &IdentifyArgs, global: &Global) -> io::Result<Exit> {
    answer_lines(&args.file, "identify", global, toolprism_facade::identify)
}
