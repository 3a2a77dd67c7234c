//! What the author of a tool writes, and how the tool looks to a registry.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toolprism::catalog::Rule;
use toolprism::{Kind, WireNamespace};

use crate::arguments::Arguments;
use crate::schema::{self, Schema};
use crate::{CallContext, ListContext, Output, ToolError, ToolErrorKind, ToolOutput, ToolStream};

/// What a tool does: its arguments, its output, and the work between them.
///
/// Write [`run`](Self::run), or [`execute`](Self::execute) if there is progress to show.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolprism_contract::{CallContext, ListContext, Tool, ToolError};
/// use std::borrow::Cow;
///
/// /// Where to look, and for what.
/// #[derive(Deserialize, JsonSchema)]
/// struct CountArgs {
///     /// The text to count in.
///     text: String,
///     /// What to count.
///     word: String,
/// }
///
/// struct Count;
///
/// impl Tool for Count {
///     type Args = CountArgs;
///     type Output = String;
///
///     fn id(&self) -> &str {
///         "count"
///     }
///
///     fn description(&self, _: &ListContext) -> Cow<'_, str> {
///         "Counts how often a word stands in a text.".into()
///     }
///
///     async fn run(&self, _: &CallContext, args: CountArgs) -> Result<String, ToolError> {
///         Ok(args.text.matches(&args.word).count().to_string())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    note = "implement `Tool` (its types, id, description and `run`) and `ToolMetadata` (its kind and namespace) for it"
)]
pub trait Tool: Send + Sync + 'static {
    /// The arguments: a struct with named fields, or [`NoArgs`]. Their schema is made from the type.
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    /// What it gives.
    type Output: ToolOutput + Send + 'static;

    /// Its id, unique within its namespace: 1 to 64 of `A-Z a-z 0-9 _ -`. The model sees this name unless the host gives
    /// another.
    fn id(&self) -> &str;

    /// What it does, for the model. Where [`ToolMetadata::description_template`] gives a text, that is used instead.
    fn description(&self, context: &ListContext) -> Cow<'_, str>;

    /// Whether it is offered in this turn.
    fn should_list(&self, _context: &ListContext) -> bool {
        true
    }

    /// Does the work, with progress. Unless written, it does what [`run`](Self::run) does.
    fn execute(self: Arc<Self>, context: CallContext, args: Self::Args) -> ToolStream<Self::Output>
    where
        Self: Sized,
    {
        ToolStream::from_future(async move { self.run(&context, args).await })
    }

    /// Does the work. Unless written, it fails with `not_implemented`.
    fn run(
        &self,
        _context: &CallContext,
        _args: Self::Args,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send
    where
        Self: Sized,
    {
        let why = format!("the tool {} has neither `run` nor `execute`", self.id());
        std::future::ready(Err(ToolError::new(ToolErrorKind::NotImplemented, why)))
    }
}

/// The arguments of a tool that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct NoArgs {}

/// What a tool is: what goes into the envelope of its calls.
///
/// ```
/// use toolprism::{Kind, WireNamespace};
/// use toolprism_contract::ToolMetadata;
/// struct ReadFile;
/// impl ToolMetadata for ReadFile {
///     fn kind(&self) -> Kind { Kind::Read }
///     fn namespace(&self) -> WireNamespace { "my_agent".into() }
/// }
/// assert!(ReadFile.is_read_only());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what it is",
    note = "implement `ToolMetadata` for it: its kind and its namespace"
)]
pub trait ToolMetadata {
    /// What it does, in the vocabulary that all harnesses share. Its label follows from that.
    fn kind(&self) -> Kind;

    /// The toolset it belongs to: one of the six of the published contract, or a name of its own.
    fn namespace(&self) -> WireNamespace;

    /// Its description with the names of other tools and of its parameters as places to fill; see
    /// [`Template`](crate::Template). A host may rename both.
    fn description_template(&self) -> Option<&str> {
        None
    }

    /// Whether it leaves files and systems alone: as its kind does, unless it knows better.
    fn is_read_only(&self) -> bool {
        self.kind().read_only()
    }

    /// Where the canonical fields of the envelope's `input` stand in its arguments. Unless written, the catalog knows it
    /// for its tools, and all others are read by the usual names of their kind's arguments.
    fn input_rules(&self) -> Option<&'static [Rule]> {
        None
    }
}

/// A tool of whatever types, as a registry holds it. Every type that is a [`Tool`] and a [`ToolMetadata`] is one; tools that
/// come at run time implement it themselves, or are made by [`DynamicTool`](crate::DynamicTool).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool that a registry can hold",
    note = "a tool implements both `Tool` (its types, id, description and `run`) and `ToolMetadata` (its kind and namespace)"
)]
pub trait DynTool: ToolMetadata + Send + Sync {
    /// [`Tool::id`].
    fn tool_id(&self) -> &str;

    /// [`Tool::description`].
    fn describe(&self, context: &ListContext) -> Cow<'_, str>;

    /// [`Tool::should_list`].
    fn is_listed(&self, context: &ListContext) -> bool;

    /// The schema of its arguments.
    fn schema(&self) -> &Schema;

    /// Does the work. Arguments that cannot be made those of the tool, and an output that has no JSON, are errors in the
    /// terminal.
    fn call(self: Arc<Self>, context: CallContext, arguments: Arguments) -> ToolStream<Output>;
}

impl<T: Tool + ToolMetadata> DynTool for T {
    fn tool_id(&self) -> &str {
        self.id()
    }

    fn describe(&self, context: &ListContext) -> Cow<'_, str> {
        self.description(context)
    }

    fn is_listed(&self, context: &ListContext) -> bool {
        self.should_list(context)
    }

    fn schema(&self) -> &Schema {
        schema::of::<T::Args>()
    }

    fn call(self: Arc<Self>, context: CallContext, arguments: Arguments) -> ToolStream<Output> {
        match Arguments::into::<T::Args>(arguments) {
            Ok(args) => self.execute(context, args).map(|output| Output::of(&output)),
            Err(why) => ToolStream::terminal(Err(why.into())),
        }
    }
}
