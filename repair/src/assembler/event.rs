//! What goes into an assembler and what comes out of it.

use alloc::string::String;
use alloc::vec::{self, Vec};
use core::{iter, option};

use crate::{CompletedCall, StopReason};

/// What part of a tool call an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The call began.
    Started {
        /// The call's id; white space around it is of no account.
        id: &'a str,
        /// The tool's name. It is taken from here, whatever later parts say.
        name: &'a str,
    },
    /// A piece of its arguments.
    Args {
        /// The call's id.
        id: &'a str,
        /// The piece.
        delta: &'a [u8],
    },
    /// The arguments have come to their end.
    Finished {
        /// The call's id.
        id: &'a str,
        /// Why the model stopped, if the event says so; otherwise [`Meta::stop`](crate::Meta::stop) holds.
        stop: StopReason,
    },
    /// No part of a tool call: it flows at once, also while calls are held.
    Other,
}

impl<'a> Part<'a> {
    /// The call's id without white space around it; empty if there is none.
    pub(super) fn id(self) -> &'a str {
        match self {
            Part::Started { id, .. } | Part::Args { id, .. } | Part::Finished { id, .. } => id.trim(),
            Part::Other => "",
        }
    }

    /// The tool's name, where it counts.
    pub(super) fn name(self) -> &'a str {
        match self {
            Part::Started { name, .. } => name,
            Part::Args { .. } | Part::Finished { .. } | Part::Other => "",
        }
    }

    /// The piece of arguments.
    pub(super) fn delta(self) -> &'a [u8] {
        match self {
            Part::Args { delta, .. } => delta,
            Part::Started { .. } | Part::Finished { .. } | Part::Other => b"",
        }
    }
}

/// An event of a model's answer, in the type that the host already has.
///
/// The assembler keeps the host's own events and gives exactly those back; only a call that was rewritten gets new ones.
pub trait StreamEvent: Sized {
    /// What part of a tool call this is; the same each time it is asked.
    fn part(&self) -> Part<'_>;

    /// The events of a call that was rewritten, which take the place of `originals`: one that starts it, one with the whole of
    /// its arguments, one that finishes it. All three should bear the call's name and id, and what says where in the answer the
    /// call stands (such as an index), which is found in the first of `originals`.
    fn rewritten(call: &CompletedCall<'_>, originals: &[Self]) -> [Self; 3];
}

/// What to do after an event was pushed. Iterating gives the events to send on now, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "these events are to be sent on before the next one is read"]
pub enum Pushed<E> {
    /// The event is not held: send it on.
    Through(E),
    /// The event is held until its call has come to its end.
    Held,
    /// A call is held no longer: send these on.
    Released(Vec<E>),
    /// The event is a further part of a call that was rejected: there is nothing to send on.
    Dropped,
}

impl<E> IntoIterator for Pushed<E> {
    type Item = E;
    type IntoIter = iter::Chain<option::IntoIter<E>, vec::IntoIter<E>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self {
            Pushed::Through(event) => (Some(event), Vec::new()),
            Pushed::Released(events) => (None, events),
            Pushed::Held | Pushed::Dropped => (None, Vec::new()),
        };
        one.into_iter().chain(many)
    }
}

/// A call that was held when the stream ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished<E> {
    /// Its id.
    pub tool_call_id: String,
    /// Its events so far, the one that started it first.
    pub events: Vec<E>,
}
