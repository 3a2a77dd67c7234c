//! `toolprism finalize`: what becomes of completed calls, a line each.

use std::io::{self, Write};

use toolprism_facade::Finalizer;
use toolprism_repair::{Allowed, Profile};

use crate::Exit;
use crate::args::{FinalizeArgs, Global, ProfileName};
use crate::lines::answer_lines;
use crate::messages::problem;
use crate::text::{Keep, clean};

pub(crate) fn run(args: &FinalizeArgs, global: &Global) -> io::Result<Exit> {
    if args.profile == ProfileName::Reference && !args.without.is_empty() {
        let mut text = String::new();
        problem(&mut text, global, "--without goes with --profile guarded: the reference makes all of its changes");
        io::stderr().write_all(text.as_bytes())?;
        return Ok(Exit::Usage);
    }
    let who = format!("finalize: {}", clean(&args.file.to_string_lossy(), Keep::End));
    let profile = match args.profile {
        ProfileName::Guarded => Profile::Guarded,
        ProfileName::Reference => Profile::Reference,
    };
    let allowed = args.without.iter().fold(Allowed::ALL, |allowed, code| allowed.without(*code));
    let mut finalizer = Finalizer::with(profile, allowed, args.max_args_bytes);
    answer_lines(&args.file, &who, global, |line| finalizer.finalize(line))
}
