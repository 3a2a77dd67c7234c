//! What becomes of completed calls.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;

use toolprism::json::JsonView;
use toolprism_repair::{
    Action, Allowed, Code, CompletedCall, Engine, Fault, FaultCode, Judgement, Meta, OnUnrepairable, Options, Profile,
    SchemaLimits,
};

use crate::base64;
use crate::error::{Error, object};
use crate::question::Question;
use crate::record::{Datum, Record, object_text};

/// No more engines than this are kept; calls rarely differ in their limits.
const MOST_ENGINES: usize = 16;

/// The limits that a question may set.
type Limits = (SchemaLimits, usize);

/// Judges completed calls. Schemas are compiled once and kept.
///
/// ```
/// let mut finalizer = toolprism_facade::Finalizer::new(b"{}")?;
/// let answer = finalizer.finalize(br#"{"input": "{\"path\": \"a\",}"}"#)?;
/// assert!(answer.starts_with(r#"{"outcome":"rewrite","tool_name":"","args":"{\"path\":\"a\"}""#), "{answer}");
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
#[derive(Debug)]
pub struct Finalizer {
    options: Options,
    /// An engine for each set of limits.
    kept: Vec<(Limits, Engine)>,
}

impl Default for Finalizer {
    /// As with the options `{}`.
    fn default() -> Self {
        Finalizer::with(Profile::Guarded, Allowed::ALL, 0)
    }
}

impl Finalizer {
    /// Options, as a JSON object, all of them optional: `profile` (`guarded` or `reference`), `without` (a list of change
    /// codes, for the profile `guarded`), `max_args_bytes`.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        let json = object(options)?;
        let present = |name| json.get(name).filter(|member| !member.is_null());
        let profile = match present("profile") {
            None => Profile::Guarded,
            Some(member) => match member.as_str().as_deref() {
                Some("guarded") => Profile::Guarded,
                Some("reference") => Profile::Reference,
                _ => return Err(Error::wrong_type(options, member, "\"profile\" must be guarded or reference".into())),
            },
        };
        let mut allowed = Allowed::ALL;
        if let Some(without) = present("without") {
            for member in without.items() {
                let code = Code::ALL.iter().find(|code| member.as_str().as_deref() == Some(code.as_str()));
                let Some(code) = code else {
                    let known: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
                    let message = format!("no class of change has this name; known are: {}", known.join(", "));
                    return Err(Error::wrong_type(options, member, message));
                };
                allowed = allowed.without(*code);
            }
        }
        let max_args_bytes = match present("max_args_bytes") {
            None => 0,
            Some(member) => member.as_i64().and_then(|bytes| usize::try_from(bytes).ok()).ok_or_else(|| {
                Error::wrong_type(options, member, "\"max_args_bytes\" must be a whole number, 0 or more".into())
            })?,
        };
        Ok(Finalizer::with(profile, allowed, max_args_bytes))
    }

    /// A finalizer by these rules.
    pub fn with(profile: Profile, allowed: Allowed, max_args_bytes: usize) -> Self {
        let options = match profile {
            Profile::Guarded => Options::guarded(),
            Profile::Reference => Options::reference(),
        };
        let options = Options { allowed, max_args_bytes, on_unrepairable: OnUnrepairable::Reject, ..options };
        Finalizer { options, kept: Vec::new() }
    }

    /// Judges one call: a JSON object with `tool_name`, `args` (or `args_b64`) and `tools`, or the shorter form with `input`
    /// and `schema`. The answer is `{outcome, tool_name, args, reason, changes, fault?}`.
    pub fn finalize(&mut self, question: &[u8]) -> Result<String, Error> {
        let question = Question::read(question)?;
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
        Ok(object_text(&record(&judged, &call, profile)))
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

/// A judgement as an answer has it.
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
        alloc::vec![
            ("code", change.code.as_str().into()),
            ("severity", change.code.severity().as_str().into()),
            ("path", change.path.as_str().into()),
            ("offset", change.offset.into()),
        ]
    });
    let mut record: Record<'_> = alloc::vec![
        ("outcome", outcome.into()),
        ("tool_name", judged.tool_name.as_deref().unwrap_or(call.tool_name).into()),
        (name, args),
        ("reason", judged.reason.as_str().into()),
        ("changes", Datum::list(changes)),
    ];
    if refused && profile == Profile::Guarded {
        let fault = judged.fault.as_ref().map(|fault| -> Record<'_> {
            let mut members: Record<'_> = alloc::vec![
                ("code", fault.code.as_str().into()),
                ("path", fault.path.as_str().into()),
                ("offset", fault.offset.into()),
                ("message", Datum::Text(message(fault))),
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

/// What is wrong, and with a schema also where in it.
fn message(fault: &Fault) -> Cow<'_, str> {
    if fault.schema.is_some() { Cow::Owned(fault.to_string()) } else { Cow::Borrowed(fault.code.hint()) }
}

/// Arguments by the member that can hold them: text, or base64 of what is none.
fn args(bytes: &[u8]) -> (&'static str, Datum<'_>) {
    match core::str::from_utf8(bytes) {
        Ok(text) => ("args", Datum::Text(Cow::Borrowed(text))),
        Err(_) => ("args_b64", Datum::Text(Cow::Owned(base64::encode(bytes)))),
    }
}
