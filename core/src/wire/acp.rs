//! Agent Client Protocol: the reader of logs, on messages of any view. Beside JSON-RPC messages it takes what the SDKs hand to
//! the code that uses them: the parameters of notifications and requests, and answers.

use alloc::boxed::Box;

use super::{Out, WireSink, pick};
use crate::event::{ToolCallEvent, TurnEnd};
use crate::json::JsonView;
use crate::readers::acp;
use crate::readers::source::{Source, Viewed};

/// Boxed: it remembers far more than the readers of other wires.
pub(super) struct Acp(Box<acp::Acp>);

impl Default for Acp {
    fn default() -> Self {
        Acp(Box::new(acp::Acp::new()))
    }
}

impl Acp {
    /// Names the harness before the agent does.
    pub(super) fn expect(&mut self, harness: &str) {
        self.0.expect(harness);
    }

    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let (place, at) = (out.place(), out.about.time);
        let envelope = pick(message, ["method", "result", "error", "msg"]);
        // Reading a view finds no damage.
        let _ = if envelope.iter().any(Option::is_some) {
            self.0.read(&mut Viewed::before(message), place, at, out)
        } else {
            self.0.part::<Viewed<V>>(message, place, at, out)
        };
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<V: JsonView> WireSink<V> for Out<'_, V> {
    fn event(&mut self, event: &ToolCallEvent<'_, V>) {
        self.send(event.clone());
    }

    fn end(&mut self, end: &TurnEnd<'_>) {
        self.sink.end(end);
    }
}
