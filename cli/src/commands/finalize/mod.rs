//! `toolprism finalize`: what becomes of completed calls, a line each.

mod base64;
mod question;

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use toolprism_repair::{
    Action, Allowed, CompletedCall, Engine, FaultCode, Judgement, Meta, OnUnrepairable, Options, Profile, SchemaLimits,
};

use crate::Exit;
use crate::args::{FinalizeArgs, Global, ProfileName};
use crate::data::{Datum, Record, write_object};
use crate::lines::{Fault, answer_lines};
use crate::messages::problem;
use crate::text::{Keep, clean};
use question::Question;

pub(crate) fn run(args: &FinalizeArgs, global: &Global) -> io::Result<Exit> {
    if args.profile == ProfileName::Reference && !args.without.is_empty() {
        let mut text = String::new();
        problem(&mut text, global, "--without goes with --profile guarded: the reference makes all of its changes");
        io::stderr().write_all(text.as_bytes())?;
        return Ok(Exit::Usage);
    }
    let who = format!("finalize: {}", clean(&args.file.to_string_lossy(), Keep::End));
    let mut engines = Engines::new(args);
    answer_lines(&args.file, &who, global, |line| engines.answer(line))
}

/// No more engines than this are kept; lines rarely differ in their limits.
const MOST_ENGINES: usize = 16;

/// The limits that lines may set.
type Limits = (SchemaLimits, usize);

/// An engine for each set of limits, kept from line to line so that schemas stay compiled.
struct Engines {
    options: Options,
    kept: Vec<(Limits, Engine)>,
}

impl Engines {
    fn new(args: &FinalizeArgs) -> Self {
        let options = match args.profile {
            ProfileName::Guarded => Options::guarded(),
            ProfileName::Reference => Options::reference(),
        };
        let allowed = args.without.iter().fold(Allowed::ALL, |allowed, code| allowed.without(*code));
        let max_args_bytes = args.max_args_bytes;
        let options = Options { allowed, max_args_bytes, on_unrepairable: OnUnrepairable::Reject, ..options };
        Engines { options, kept: Vec::new() }
    }

    fn answer(&mut self, line: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let Some(question) = Question::read(line)? else { return Ok(None) };
        let profile = self.options.profile;
        let max_args_bytes = question.max_args_bytes.unwrap_or(self.options.max_args_bytes);
        let engine = self.engine((question.schema_limits, max_args_bytes));
        let cancel = AtomicBool::new(question.canceled);
        let meta = Meta { stop: question.stop, cancel: Some(&cancel), ..Meta::default() };
        let call = CompletedCall { tool_call_id: "", tool_name: &question.tool_name, args_json: &question.args };
        let judged = if question.no_exact_tool {
            engine.judge_exact(&call, None, &question.tools, &meta)
        } else {
            engine.judge(&call, &question.tools, &meta)
        };
        let mut out = Vec::new();
        write_object(&record(&judged, &call, profile), &mut out);
        Ok(Some(out))
    }

    fn engine(&mut self, limits: Limits) -> &Engine {
        let at = self.kept.iter().position(|(kept, _)| *kept == limits).unwrap_or_else(|| {
            if self.kept.len() >= MOST_ENGINES {
                self.kept.remove(0);
            }
            let (schema_limits, max_args_bytes) = limits;
            let options = Options { schema_limits, max_args_bytes, ..self.options.clone() };
            self.kept.push((limits, Engine::new(options)));
            self.kept.len() - 1
        });
        &self.kept[at].1
    }
}

/// A judgement as a line has it.
fn record<'a>(judged: &'a Judgement, call: &CompletedCall<'a>, profile: Profile) -> Record<'a> {
    let refused = judged.action == Action::Reject;
    let outcome = match (judged.action, profile) {
        (Action::Reject, Profile::Reference) => "unrepairable",
        (action, _) => action.as_str(),
    };
    let (name, args) = match judged.action {
        Action::Pass | Action::Reject => ("args", Datum::Null),
        Action::Rewrite => args(judged.args.as_deref().map_or(call.args_json, str::as_bytes)),
    };
    let changes = judged.changes.iter().map(|change| -> Record<'_> {
        vec![
            ("code", change.code.as_str().into()),
            ("severity", change.code.severity().as_str().into()),
            ("path", change.path.as_str().into()),
            ("offset", change.offset.into()),
        ]
    });
    let mut record: Record<'_> = vec![
        ("outcome", outcome.into()),
        ("tool_name", judged.tool_name.as_deref().unwrap_or(call.tool_name).into()),
        (name, args),
        ("reason", judged.reason.as_str().into()),
        ("changes", Datum::list(changes)),
    ];
    if refused && profile == Profile::Guarded {
        let fault = judged.fault.as_ref().map(|fault| -> Record<'_> {
            let mut members: Record<'_> = vec![
                ("code", fault.code.as_str().into()),
                ("path", fault.path.as_str().into()),
                ("offset", fault.offset.into()),
                ("message", fault.code.hint().into()),
            ];
            if let FaultCode::ChangeDisabled(change) = fault.code {
                members.push(("change", change.as_str().into()));
            }
            members
        });
        record.push(("fault", fault.into()));
    }
    record
}

/// Arguments by the member that can hold them: text, or base64 of what is none.
fn args(bytes: &[u8]) -> (&'static str, Datum<'_>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => ("args", Datum::Text(Cow::Borrowed(text))),
        Err(_) => ("args_b64", Datum::Text(Cow::Owned(base64::encode(bytes)))),
    }
}
