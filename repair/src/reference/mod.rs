//! The `reference` profile: text that ends too early is completed, and what the schema names is inserted.
//!
//! Data flows one way: tool -> text ([`completion`], [`tail`]) -> limits ([`preflight`]) -> schema -> [`fix`] -> the same
//! checks once more. A text is only ever read or written as a whole; what is found on the way is a reason to stop.
//!
//! The answers are those of the reference engine, save where that one is in error: a member in another spelling does not give
//! way to the exact one, but ends the repair. And two kinds of work are bounded that there grow without measure, with the same
//! answers: numbers with large exponents, and references that lead to references twice.

mod completion;
mod encode;
mod fix;
mod mend;
mod places;
mod preflight;
mod tail;
mod tool;

use alloc::string::String;
use alloc::sync::Arc;

use self::fix::Fixed;
use crate::engine::{Judgement, Options};
use crate::json::{Limits, Parsed, Value, parse};
use crate::schema::{PatternSyntax, Schema, SchemaCache};
use crate::{Action, Change, Code, CompletedCall, Meta, Reason, ToolDefinition};

/// Judges one call. `exact` is the tool that has exactly the call's name, where the caller knows it.
pub(crate) fn judge(
    options: &Options,
    schemas: &SchemaCache,
    call: &CompletedCall<'_>,
    exact: Option<&ToolDefinition>,
    catalog: &[ToolDefinition],
    meta: &Meta<'_>,
) -> Judgement {
    judge_or_refuse(options, schemas, call, exact, catalog, meta).unwrap_or_else(Judgement::reject)
}

fn judge_or_refuse(
    options: &Options,
    schemas: &SchemaCache,
    call: &CompletedCall<'_>,
    exact: Option<&ToolDefinition>,
    catalog: &[ToolDefinition],
    meta: &Meta<'_>,
) -> Result<Judgement, Reason> {
    let max = options.max_args_bytes;
    go_on(meta)?;
    if call.args_json.len() > max {
        return Err(Reason::ArgsTooLarge);
    }
    let tool = tool::resolve(call.tool_name, exact, catalog)?;
    let text = core::str::from_utf8(call.args_json).map_err(|_| Reason::Unrepairable)?;
    let case = Case { options, schemas, meta, tool, limits: preflight::limits(max) };
    let mut judged = match parse(text, &case.limits) {
        Ok(parsed) => case.judge(text, &parsed)?,
        Err(fault) => {
            let mended = mend::mend(text, fault, &case)?;
            let parsed = parse(&mended.text, &case.limits).map_err(|_| Reason::Unrepairable)?;
            let judged = case.judge(&mended.text, &parsed)?;
            mended.told(judged, &parsed)
        }
    };
    if tool.name != call.tool_name {
        name(&mut judged, &tool.name);
    }
    Ok(judged)
}

/// What does not change while one call is judged.
struct Case<'a> {
    options: &'a Options,
    schemas: &'a SchemaCache,
    meta: &'a Meta<'a>,
    tool: &'a ToolDefinition,
    limits: Limits,
}

impl Case<'_> {
    /// The tool's schema, if it has one.
    fn schema(&self) -> Result<Option<Arc<Schema>>, Reason> {
        if !self.tool.has_schema() {
            return Ok(None);
        }
        go_on(self.meta)?;
        let schema = self.schemas.get(&self.tool.parameters, &self.options.schema_limits, PatternSyntax::Linear);
        schema.map(Some).map_err(|fault| fault.reason)
    }

    /// Judges a text that is JSON.
    fn judge(&self, text: &str, parsed: &Parsed) -> Result<Judgement, Reason> {
        preflight::check(text, parsed)?;
        let Some(schema) = self.schema()? else { return Ok(Judgement::pass()) };
        go_on(self.meta)?;
        let root = parsed.tape.root(text);
        if schema.accepts(root) { Ok(Judgement::pass()) } else { self.fix(&schema, root) }
    }

    /// Mends a document that its schema does not accept.
    fn fix(&self, schema: &Schema, root: Value<'_>) -> Result<Judgement, Reason> {
        go_on(self.meta)?;
        let Fixed { text, changes, reason } = fix::fix(schema, root, self.options.max_args_bytes)?;
        let reason = reason.ok_or(Reason::Unrepairable)?;
        if text.len() > self.options.max_args_bytes {
            return Err(Reason::ArgsTooLarge);
        }
        let parsed = parse(&text, &self.limits).map_err(|_| Reason::Unrepairable)?;
        preflight::check(&text, &parsed)?;
        go_on(self.meta)?;
        if !schema.accepts(parsed.tape.root(&text)) {
            return Err(Reason::Unrepairable);
        }
        Ok(Judgement { action: Action::Rewrite, args: Some(text), reason, changes, ..Judgement::pass() })
    }
}

/// Whether somebody still waits for the answer.
fn go_on(meta: &Meta<'_>) -> Result<(), Reason> {
    if meta.is_canceled() { Err(Reason::Canceled) } else { Ok(()) }
}

/// Has the call go to the tool of this name.
fn name(judged: &mut Judgement, name: &str) {
    if judged.action == Action::Pass {
        judged.action = Action::Rewrite;
        judged.reason = Reason::ToolNameNormalized;
    }
    judged.tool_name = Some(name.into());
    judged.changes.insert(0, Change { code: Code::NameCase, path: String::new(), offset: 0 });
}
