//! The engine: one call and its tools in, one judgement out, by one of two profiles.

use alloc::string::String;
use alloc::vec::Vec;

use crate::guarded::{Allowed, Fault};
use crate::schema::{PatternSyntax, SchemaCache, SchemaFault, SchemaLimits};
use crate::{Action, Change, CompletedCall, FinalizeError, Finalizer, Meta, Outcome, Reason, ToolDefinition};

/// The bytes of arguments that are looked at unless set otherwise.
pub const DEFAULT_MAX_ARGS_BYTES: usize = 65_536;

/// By which rules to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Nothing is ever invented: what is unfinished or has two readings is refused.
    #[default]
    Guarded,
    /// As the proxy go-llm-interactive-proxy judges: it completes what was cut off, and inserts defaults.
    Reference,
}

/// What to do with a call that cannot be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnrepairable {
    /// Let it through as it came, with the reason.
    PassThrough,
    /// Reject it with the reason.
    Reject,
}

/// How an [`Engine`] judges.
#[derive(Clone, Debug)]
pub struct Options {
    /// By which rules.
    pub profile: Profile,
    /// The changes that the `guarded` profile may make.
    pub allowed: Allowed,
    /// Longer arguments are refused with `args_too_large`; 0 means [`DEFAULT_MAX_ARGS_BYTES`].
    pub max_args_bytes: usize,
    /// What a schema may hold.
    pub schema_limits: SchemaLimits,
    /// What becomes of refused calls where the engine stands in a chain of finalizers.
    pub on_unrepairable: OnUnrepairable,
    /// Its place in that chain.
    pub order: i32,
}

impl Options {
    /// The `guarded` profile: all its changes are allowed, and what cannot be mended is rejected.
    pub fn guarded() -> Self {
        Options {
            profile: Profile::Guarded,
            allowed: Allowed::ALL,
            max_args_bytes: DEFAULT_MAX_ARGS_BYTES,
            schema_limits: SchemaLimits::default(),
            on_unrepairable: OnUnrepairable::Reject,
            order: 40,
        }
    }

    /// The `reference` profile: what cannot be mended is passed through, as there.
    pub fn reference() -> Self {
        Options { profile: Profile::Reference, on_unrepairable: OnUnrepairable::PassThrough, ..Options::guarded() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::guarded()
    }
}

/// What an [`Engine`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What to do; [`Action::Reject`] means that the call cannot be mended.
    pub action: Action,
    /// The tool's name where it is another; `None` leaves it.
    pub tool_name: Option<String>,
    /// The arguments where they are others; `None` means the originals, byte for byte.
    pub args: Option<String>,
    /// Why.
    pub reason: Reason,
    /// What was changed, in the order of the text.
    pub changes: Vec<Change>,
    /// Of a rejected call under the `guarded` profile: what stands in the way, and where.
    pub fault: Option<Fault>,
}

impl Judgement {
    pub(crate) const fn pass() -> Self {
        Judgement {
            action: Action::Pass,
            tool_name: None,
            args: None,
            reason: Reason::ValidPassThrough,
            changes: Vec::new(),
            fault: None,
        }
    }

    pub(crate) fn reject(reason: Reason) -> Self {
        Judgement { action: Action::Reject, reason, ..Judgement::pass() }
    }
}

/// Judges calls. Schemas are compiled once and kept, so one engine should serve many calls; it may be shared by threads.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    schemas: SchemaCache,
}

impl Engine {
    /// An engine that judges by these options.
    pub fn new(options: Options) -> Self {
        let max_args_bytes = match options.max_args_bytes {
            0 => DEFAULT_MAX_ARGS_BYTES,
            // Offsets within a document are 32 bits wide.
            bytes => bytes.min(u32::MAX as usize),
        };
        Engine { options: Options { max_args_bytes, ..options }, schemas: SchemaCache::default() }
    }

    /// Whether the schema of a tool can be used, and if not, why. Worth a call when tools are registered: a call of a tool
    /// whose schema cannot be used is refused.
    ///
    /// ```
    /// use toolprism_repair::{Engine, ToolDefinition};
    /// let tool = ToolDefinition::new("read", r#"{"properties": {"path": {"type": "strin"}}}"#);
    /// assert_eq!(Engine::default().check_schema(&tool).unwrap_err().path, "/properties/path/type");
    /// ```
    pub fn check_schema(&self, tool: &ToolDefinition) -> Result<(), SchemaFault> {
        if !tool.has_schema() {
            return Ok(());
        }
        let patterns = match self.options.profile {
            Profile::Guarded => PatternSyntax::Ecma,
            Profile::Reference => PatternSyntax::Linear,
        };
        self.schemas.get(&tool.parameters, &self.options.schema_limits, patterns).map(drop)
    }

    /// Judges one call of one of the tools of `catalog`.
    pub fn judge(&self, call: &CompletedCall<'_>, catalog: &[ToolDefinition], meta: &Meta<'_>) -> Judgement {
        let exact = catalog.iter().find(|tool| tool.name == call.tool_name);
        self.judge_exact(call, exact, catalog, meta)
    }

    /// As [`judge`](Self::judge), where the caller has looked the tool up: `exact` is the tool of exactly the call's name.
    /// `None` leaves the look-up to the profile's own rules for names, which differ where two tools have the same name.
    pub fn judge_exact(
        &self,
        call: &CompletedCall<'_>,
        exact: Option<&ToolDefinition>,
        catalog: &[ToolDefinition],
        meta: &Meta<'_>,
    ) -> Judgement {
        match self.options.profile {
            Profile::Guarded => crate::guarded::judge(&self.options, &self.schemas, call, exact, catalog, meta),
            Profile::Reference => crate::reference::judge(&self.options, &self.schemas, call, exact, catalog, meta),
        }
    }
}

impl Finalizer for Engine {
    fn id(&self) -> &str {
        "tool-call-repair"
    }

    fn order(&self) -> i32 {
        self.options.order
    }

    fn finalize(
        &self,
        call: &CompletedCall<'_>,
        tool: Option<&ToolDefinition>,
        catalog: &[ToolDefinition],
        meta: &Meta<'_>,
    ) -> Result<Outcome, FinalizeError> {
        let judged = self.judge_exact(call, tool, catalog, meta);
        let mut outcome = match (judged.action, self.options.on_unrepairable) {
            (Action::Rewrite, _) => Outcome {
                action: Action::Rewrite,
                tool_name: judged.tool_name.unwrap_or_else(|| call.tool_name.into()),
                args_json: Some(judged.args.map_or_else(|| call.args_json.to_vec(), String::into_bytes)),
                reason: None,
                changes: judged.changes,
            },
            (Action::Reject, OnUnrepairable::Reject) => Outcome::reject(None),
            (Action::Pass, _) | (Action::Reject, OnUnrepairable::PassThrough) => Outcome::pass(None),
        };
        outcome.reason = Some(judged.reason);
        Ok(outcome)
    }
}
