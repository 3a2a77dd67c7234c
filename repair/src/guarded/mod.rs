//! The `guarded` profile: mend what has one reading, refuse the rest, and never invent a value.
//!
//! Valid arguments are passed as they are, at the cost of one parse and one validation. All others flow through stages, each
//! of which turns text into text and notes what it changes:
//!
//! 1. [`whole`], [`around`] and [`prose`]: how often the arguments are encoded, and what stands around the object;
//! 2. [`syntax`]: the object itself, from nearly JSON to strict JSON;
//! 3. [`envelope`]: a call inside the arguments of a call;
//! 4. [`coerce`]: members and values as the schema wants them, where it leaves one reading.
//!
//! What comes out is parsed and validated once more: that, not the stages, is what the answer rests on.
//!
//! [`align`] takes the same way for one schema, with further rules and all faults at once.

mod align;
mod allowed;
mod around;
mod coerce;
mod draft;
mod envelope;
mod fault;
mod marks;
mod name;
mod patch;
mod prose;
mod syntax;
mod whole;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use align::{Aligned, Misfit, Reading};
pub use allowed::Allowed;
pub use fault::{Fault, FaultCode};

use self::draft::Draft;
use crate::engine::{Judgement, Options};
use crate::json::{self, Kind, Limits, Parsed};
use crate::schema::{PatternSyntax, Schema, SchemaCache};
use crate::{Action, Change, Code, CompletedCall, Meta, Reason, StopReason, ToolDefinition};

/// Containers inside each other beyond this are refused.
const MAX_DEPTH: usize = 128;

/// What the stages know of the call.
struct Call<'a> {
    /// The tool's name, if it has one.
    tool: Option<&'a str>,
    schema: Option<&'a Schema>,
    stop: StopReason,
    /// Of [`align`]: the changes that may be made, and the further ones are among them.
    lenient: Option<Allowed>,
}

impl<'a> Call<'a> {
    /// The same for text inside a string: what is not closed there is not going to be.
    fn inside(&self) -> Call<'a> {
        Call { stop: StopReason::Length, ..*self }
    }
}

/// Judges one call.
pub(crate) fn judge(
    options: &Options,
    schemas: &SchemaCache,
    call: &CompletedCall<'_>,
    exact: Option<&ToolDefinition>,
    catalog: &[ToolDefinition],
    meta: &Meta<'_>,
) -> Judgement {
    let refuse = |code: FaultCode, offset| refused(Fault::at(code, offset), code.reason());
    if meta.is_canceled() {
        return refuse(FaultCode::Canceled, 0);
    }
    if call.args_json.len() > options.max_args_bytes {
        return refuse(FaultCode::ArgsTooLarge, options.max_args_bytes);
    }
    let (tool, name_changes) = match name::resolve(call.tool_name, exact, catalog) {
        Ok(resolved) => resolved,
        Err(code) => return refuse(code, 0),
    };
    let schema = if tool.has_schema() {
        match schemas.get(&tool.parameters, &options.schema_limits, PatternSyntax::Ecma) {
            Ok(schema) => Some(schema),
            Err(fault) => {
                let reason = fault.reason;
                let schema = Some(Box::new(fault));
                return refused(Fault { schema, ..Fault::at(FaultCode::BadSchema, 0) }, reason);
            }
        }
    } else {
        None
    };
    let text = match core::str::from_utf8(call.args_json) {
        Ok(text) => text,
        Err(error) => return refuse(FaultCode::NotUtf8, error.valid_up_to()),
    };
    let known = Call {
        tool: Some(tool.name.as_str()).filter(|name| !name.is_empty()),
        schema: schema.as_deref(),
        stop: meta.stop,
        lenient: None,
    };
    let parsed = json::parse(text, &Limits::depth(MAX_DEPTH)).ok();
    let mended = match &parsed {
        Some(parsed) if is_valid(parsed, text, known.schema) => Ok(None),
        _ => mend(text, parsed.is_some(), &known, options).map(Some),
    };
    answer(mended, tool, name_changes, options)
}

/// Puts the answer together from the arguments, which may stand as they are, and the changes of the name.
fn answer(
    mended: Result<Option<Draft>, Fault>,
    tool: &ToolDefinition,
    mut changes: Vec<Change>,
    options: &Options,
) -> Judgement {
    let draft = match mended {
        Ok(draft) => draft,
        Err(fault) => {
            let reason = fault.code.reason();
            return refused(fault, reason);
        }
    };
    let renamed = !changes.is_empty();
    let args = draft.map(|mut draft| {
        changes.append(&mut draft.changes);
        draft.text
    });
    if let Some(change) = changes.iter().find(|change| !options.allowed.has(change.code)) {
        let code = FaultCode::ChangeDisabled(change.code);
        return refused(Fault::new(code, change.path.clone(), change.offset), code.reason());
    }
    if !renamed && args.is_none() {
        return Judgement::pass();
    }
    Judgement {
        action: Action::Rewrite,
        tool_name: renamed.then(|| tool.name.clone()),
        reason: reason(&changes),
        args,
        changes,
        fault: None,
    }
}

fn refused(fault: Fault, reason: Reason) -> Judgement {
    Judgement { fault: Some(fault), ..Judgement::reject(reason) }
}

/// The reason code that covers the changes: syntax before members, members before the tool's name.
fn reason(changes: &[Change]) -> Reason {
    let of = |code: Code| match code {
        Code::NameCase | Code::NamePrefix | Code::NameSuffix => Reason::ToolNameNormalized,
        Code::KeyRenamed => Reason::PropertyRenamed,
        Code::NullOptionalDropped | Code::UndefinedDropped => Reason::AdditionalPropertyRemoved,
        _ => Reason::SyntaxRepaired,
    };
    let reasons = || changes.iter().map(|change| of(change.code));
    let first = |wanted: &[Reason]| reasons().find(|reason| wanted.contains(reason));
    first(&[Reason::SyntaxRepaired])
        .or_else(|| first(&[Reason::PropertyRenamed, Reason::AdditionalPropertyRemoved]))
        .unwrap_or(Reason::ToolNameNormalized)
}

/// Whether a document is an object that can be read in one way only, and that its schema accepts.
fn is_valid(parsed: &Parsed, text: &str, schema: Option<&Schema>) -> bool {
    let root = parsed.tape.root(text);
    root.kind() == Kind::Object
        && parsed.duplicate.is_none()
        && unsound(parsed, text).is_none()
        && schema.is_none_or(|schema| schema.accepts(root))
}

/// What makes a document one that its readers would not all read alike.
fn unsound(parsed: &Parsed, text: &str) -> Option<(FaultCode, usize)> {
    if let Some((_, offset)) = parsed.over {
        return Some((FaultCode::TooDeep, offset));
    }
    if let Some(offset) = parsed.lone_surrogate {
        return Some((FaultCode::LoneSurrogate, offset));
    }
    let number = parsed.tape.numbers(text).find(|number| {
        let digits = number.text();
        (digits.len() > 300 || digits.contains(['e', 'E'])) && !json::number::is_finite(digits)
    })?;
    Some((FaultCode::NonFiniteNumber, number.offset()))
}

/// Takes any text through the stages.
fn mend(text: &str, is_json: bool, call: &Call<'_>, options: &Options) -> Result<Draft, Fault> {
    let draft = if is_json { whole::read(text, call)? } else { whole::read_no_json(text, call)? };
    let parsed = strict(&draft)?;
    if let (true, Some(schema)) = (draft.is_patched(), call.schema) {
        let place = coerce::Place::of(schema, &[schema.root()]);
        let at_end = draft.changes.iter().all(|change| change.code != Code::MismatchedCloser);
        if let Some(key) = coerce::misplaced(parsed.tape.root(&draft.text), place, at_end) {
            return Err(Fault::at(FaultCode::MisplacedMember, draft.origin(key.offset())));
        }
    }
    let draft = if !draft.has_marks() && is_valid(&parsed, &draft.text, call.schema) {
        draft
    } else {
        let opened = envelope::open(&draft, &parsed, call)?;
        let draft = coerce::coerce(opened.unwrap_or(draft), call)?;
        let parsed = strict(&draft)?;
        if !is_valid(&parsed, &draft.text, call.schema) {
            return Err(Fault::at(FaultCode::SchemaMismatch, draft.origin(0)));
        }
        draft
    };
    if draft.text.len() > options.max_args_bytes {
        return Err(Fault::at(FaultCode::ArgsTooLarge, options.max_args_bytes));
    }
    Ok(draft)
}

/// Parses what a stage wrote, and refuses what no later stage can mend.
fn strict(draft: &Draft) -> Result<Parsed, Fault> {
    let parsed = json::parse(&draft.text, &Limits::depth(MAX_DEPTH))
        .map_err(|fault| Fault::at(FaultCode::NotJson, draft.origin(fault.offset)))?;
    match unsound(&parsed, &draft.text) {
        Some((code, offset)) => Err(Fault::new(code, String::new(), draft.origin(offset))),
        None => Ok(parsed),
    }
}
