//! Holds the parts of a tool call back until it is complete, has it judged, and lets out what it came to.

mod chain;
mod event;
mod held;
mod options;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::{fmt, mem};

use hashbrown::HashMap;

pub use event::{Part, Pushed, StreamEvent, Unfinished};
pub use options::{AssemblerOptions, MAX_ARGS_BYTES, OnUnjudged};

use crate::{
    Action, CompletedCall, Diagnostic, Finalizer, Meta, Reason, RejectError, StopReason, ToolDefinition, Unjudged,
};
use chain::Verdict;
use held::{Open, State};

/// Is told what became of each call.
pub type Observer = Arc<dyn Fn(&Diagnostic) + Send + Sync>;

/// Stands between a model's stream and its reader, for one attempt at a request.
///
/// Events that are no part of a tool call flow at once. The parts of a call are held until it is finished; then the chain of
/// finalizers judges it. A call that passes comes out as exactly the events it came in as, a rewritten one as three new ones,
/// a rejected one as an error. Calls come out in the order in which they finish, each in one piece.
///
/// ```
/// use std::sync::Arc;
/// use toolprism_repair::{Assembler, AssemblerOptions, CompletedCall, Engine, Finalizer, Meta, Part, StopReason, StreamEvent};
/// use toolprism_repair::ToolDefinition;
///
/// #[derive(Debug, PartialEq)]
/// enum Event { Text(String), Call(u32, String), Args(u32, String), End(u32) }
///
/// impl StreamEvent for Event {
///     fn part(&self) -> Part<'_> {
///         match self {
///             Event::Text(_) => Part::Other,
///             Event::Call(_, name) => Part::Started { id: "1", name },
///             Event::Args(_, delta) => Part::Args { id: "1", delta: delta.as_bytes() },
///             Event::End(_) => Part::Finished { id: "1", stop: StopReason::Unknown },
///         }
///     }
///     fn rewritten(call: &CompletedCall<'_>, originals: &[Self]) -> [Self; 3] {
///         let index = match originals { [Event::Call(index, _), ..] => *index, _ => 0 };
///         let args = String::from_utf8_lossy(call.args_json).into_owned();
///         [Event::Call(index, call.tool_name.into()), Event::Args(index, args), Event::End(index)]
///     }
/// }
///
/// let chain: Vec<Arc<dyn Finalizer>> = vec![Arc::new(Engine::default())];
/// let mut assembler = Assembler::new(chain, vec![ToolDefinition::new("now", "{}")], AssemblerOptions::default());
/// let mut sent = Vec::new();
/// for event in [Event::Call(0, "now".into()), Event::Text("hm".into()), Event::Args(0, "{}".into()), Event::End(0)] {
///     sent.extend(assembler.push(event, &Meta::default())?);
/// }
/// assert_eq!(sent[0], Event::Text("hm".into()));
/// assert_eq!(sent.len(), 4);
/// assert!(assembler.finish().is_empty());
/// # Ok::<(), toolprism_repair::RejectError>(())
/// ```
///
/// A finalizer's panic counts as a failure of it (only with the feature `std`, and where panics unwind). The host's panic hook
/// still runs, and prints what the finalizer put into its message.
pub struct Assembler<E> {
    chain: Arc<[Arc<dyn Finalizer>]>,
    catalog: Arc<[ToolDefinition]>,
    options: AssemblerOptions,
    observer: Option<Observer>,
    calls: HashMap<String, State<E>>,
    /// How many calls are open now, and how many were opened in all.
    open: usize,
    opened: usize,
}

/// What to do with the next part of a call.
enum Next {
    /// Send it on.
    Flow,
    /// Send nothing on.
    Drop,
    /// Hold it, as the first of its call.
    Open,
    /// Hold it.
    Hold,
    /// Have its call judged.
    Judge,
    /// Its call cannot be judged.
    GiveUp(Unjudged),
}

impl<E: StreamEvent> Assembler<E> {
    /// An assembler for one attempt. The finalizers run in the order given here: see
    /// [`materialize_sorted`](crate::materialize_sorted). Both lists can be shared by many assemblers.
    pub fn new(
        chain: impl Into<Arc<[Arc<dyn Finalizer>]>>,
        catalog: impl Into<Arc<[ToolDefinition]>>,
        options: AssemblerOptions,
    ) -> Self {
        Assembler {
            chain: chain.into(),
            catalog: catalog.into(),
            options: options.bounded(),
            observer: None,
            calls: HashMap::new(),
            open: 0,
            opened: 0,
        }
    }

    /// Has `observer` told what became of each call, at the price of hashing the tool's schema for each.
    #[must_use]
    pub fn observed_by(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Whether anything is held at all: only where there are both a finalizer and a tool.
    pub fn enabled(&self) -> bool {
        !self.chain.is_empty() && !self.catalog.is_empty()
    }

    /// Takes the next event. Send on what comes out before reading another.
    ///
    /// An error means that a call must not happen; of a call that was held, nothing was or will be sent on. The stream should
    /// end with it. If the host goes on reading all the same, further parts of that call are dropped.
    pub fn push(&mut self, event: E, meta: &Meta<'_>) -> Result<Pushed<E>, RejectError> {
        let part = event.part();
        match self.next(part) {
            Next::Flow => Ok(Pushed::Through(event)),
            Next::Drop => Ok(Pushed::Dropped),
            Next::Open => {
                let (id, name) = (part.id().to_owned(), part.name().to_owned());
                self.calls.insert(id, State::Open(Open::new(name, event, self.opened)));
                self.open += 1;
                self.opened += 1;
                Ok(Pushed::Held)
            }
            Next::Hold => {
                if let Some(State::Open(open)) = self.calls.get_mut(part.id()) {
                    open.hold(event);
                }
                Ok(Pushed::Held)
            }
            Next::Judge => {
                let id = part.id().to_owned();
                let stop = match part {
                    Part::Finished { stop, .. } if stop != StopReason::Unknown => stop,
                    _ => meta.stop,
                };
                match self.take(&id) {
                    Some(open) => self.judge(&id, open.with(event), &Meta { stop, ..*meta }),
                    None => Ok(Pushed::Through(event)),
                }
            }
            Next::GiveUp(why) => {
                let id = part.id().to_owned();
                match self.take(&id) {
                    Some(open) => self.give_up(&id, open.with(event), why),
                    None => {
                        self.unjudged(&id, part.name(), part.delta().len(), why)?;
                        Ok(Pushed::Through(event))
                    }
                }
            }
        }
    }

    /// The stream has come to its end, and so has the attempt: gives back the calls that never did, in the order in which they
    /// started. They are not judged, so they must not be run; whether their events are sent on is up to the host.
    #[must_use = "the calls that never came to their end are in it"]
    pub fn finish(&mut self) -> Vec<Unfinished<E>> {
        let mut open: Vec<_> = mem::take(&mut self.calls)
            .into_iter()
            .filter_map(|(id, state)| match state {
                State::Open(open) => Some((id, open)),
                State::Done | State::Through | State::Refused => None,
            })
            .collect();
        open.sort_unstable_by_key(|(_, open)| open.place);
        for (_, open) in &open {
            self.tell(&open.name, open.bytes, Action::Reject, Unjudged::Unfinished);
        }
        self.reset();
        open.into_iter().map(|(tool_call_id, open)| Unfinished { tool_call_id, events: open.events }).collect()
    }

    /// Forgets everything, held events and ids alike: for another attempt, or where nobody waits any more.
    pub fn reset(&mut self) {
        self.calls.clear();
        self.open = 0;
        self.opened = 0;
    }

    fn next(&self, part: Part<'_>) -> Next {
        if part == Part::Other || !self.enabled() {
            return Next::Flow;
        }
        let id = part.id();
        if id.is_empty() {
            return Next::GiveUp(Unjudged::OutOfOrder);
        }
        match (part, self.calls.get(id)) {
            (Part::Other, _) | (_, Some(State::Through)) => Next::Flow,
            (_, Some(State::Refused)) => Next::Drop,
            (Part::Started { .. }, None) if self.open >= self.options.max_open_calls => Next::GiveUp(Unjudged::TooMany),
            (Part::Started { .. }, None) => Next::Open,
            (Part::Args { delta, .. }, Some(State::Open(open))) => {
                let fits = self.options.hold(open.bytes, open.events.len(), delta.len());
                if fits { Next::Hold } else { Next::GiveUp(Unjudged::TooLong) }
            }
            (Part::Finished { .. }, Some(State::Open(_))) => Next::Judge,
            // Told twice that it is finished, a call is still the one that was judged.
            (Part::Finished { .. }, Some(State::Done)) => Next::Flow,
            (Part::Started { .. }, Some(State::Open(_) | State::Done))
            | (Part::Args { .. }, Some(State::Done) | None)
            | (Part::Finished { .. }, None) => Next::GiveUp(Unjudged::OutOfOrder),
        }
    }

    /// Takes a call out of those that are held.
    fn take(&mut self, id: &str) -> Option<Open<E>> {
        match mem::replace(self.calls.get_mut(id)?, State::Done) {
            State::Open(open) => {
                self.open -= 1;
                Some(open)
            }
            State::Done | State::Through | State::Refused => None,
        }
    }

    /// Has a complete call judged.
    fn judge(&mut self, id: &str, open: Open<E>, meta: &Meta<'_>) -> Result<Pushed<E>, RejectError> {
        let args = open.args();
        let call = CompletedCall { tool_call_id: id, tool_name: &open.name, args_json: &args };
        let verdict = chain::run(&self.chain, &call, &self.catalog, meta);
        let judged = match &verdict {
            Verdict::Pass(reason) => Some((Action::Pass, *reason)),
            Verdict::Rewrite { reason, .. } => Some((Action::Rewrite, *reason)),
            Verdict::Reject(reason) => Some((Action::Reject, *reason)),
            Verdict::Failed | Verdict::Canceled => None,
        };
        if let (Some(observer), Some((action, reason))) = (&self.observer, judged) {
            observer(&Diagnostic::new(&call, chain::exact(&self.catalog, call.tool_name), action, reason));
        }
        drop(args);
        match verdict {
            Verdict::Pass(_) => Ok(Pushed::Released(open.events)),
            Verdict::Rewrite { tool_name, args_json, .. } => {
                let call = CompletedCall { tool_call_id: id, tool_name: &tool_name, args_json: &args_json };
                Ok(Pushed::Released(E::rewritten(&call, &open.events).into()))
            }
            Verdict::Reject(reason) => {
                self.calls.insert(id.to_owned(), State::Refused);
                Err(rejected(id, reason))
            }
            Verdict::Failed => self.give_up(id, open, Unjudged::Failed),
            Verdict::Canceled => {
                self.tell(&open.name, open.bytes, Action::Reject, Unjudged::Canceled);
                self.reset();
                Err(rejected(id, Some(Reason::Canceled)))
            }
        }
    }

    /// Lets out or rejects what was held of a call that cannot be judged.
    fn give_up(&mut self, id: &str, open: Open<E>, why: Unjudged) -> Result<Pushed<E>, RejectError> {
        self.unjudged(id, &open.name, open.bytes, why)?;
        Ok(Pushed::Released(open.events))
    }

    /// Whether a call that cannot be judged goes through, which is remembered by its id. A blank id names no call.
    fn unjudged(&mut self, id: &str, name: &str, bytes: usize, why: Unjudged) -> Result<(), RejectError> {
        let (action, state) = match self.options.on_unjudged {
            OnUnjudged::Reject => (Action::Reject, State::Refused),
            OnUnjudged::PassThrough => (Action::Pass, State::Through),
        };
        self.tell(name, bytes, action, why);
        if !id.is_empty() {
            self.calls.insert(id.to_owned(), state);
        }
        if action == Action::Pass { Ok(()) } else { Err(rejected(id, why.reason())) }
    }

    fn tell(&self, name: &str, args_bytes: usize, action: Action, why: Unjudged) {
        let Some(observer) = &self.observer else { return };
        let call = CompletedCall { tool_call_id: "", tool_name: name, args_json: b"" };
        let judged = Diagnostic::new(&call, chain::exact(&self.catalog, name), action, why.reason());
        observer(&Diagnostic { args_bytes, unjudged: Some(why), ..judged });
    }
}

fn rejected(id: &str, reason: Option<Reason>) -> RejectError {
    RejectError { reason, tool_call_id: id.to_owned() }
}

/// Shows how much is held, never what.
impl<E> fmt::Debug for Assembler<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("finalizers", &self.chain.len())
            .field("tools", &self.catalog.len())
            .field("options", &self.options)
            .field("open", &self.open)
            .field("opened", &self.opened)
            .finish_non_exhaustive()
    }
}
