//! `toolprism partial`: what is visible of arguments while they stream, a line each.

use std::io;

use crate::Exit;
use crate::args::{Global, PartialArgs};
use crate::lines::answer_lines;

pub(crate) fn run(args: &PartialArgs, global: &Global) -> io::Result<Exit> {
    answer_lines(&args.file, "partial", global, toolprism_facade::partial_steps)
}
