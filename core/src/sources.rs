//! Calls of several sources taken together: what one source copied from another, and which call started which subagent.

use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use crate::call::ToolCall;
use crate::readers::Format;

/// The calls of one source.
#[derive(Debug)]
pub struct Source {
    /// The source's format, if it was found out.
    pub format: Option<Format>,
    /// Its calls, in order.
    pub calls: Vec<ToolCall>,
}

/// Removes calls that an earlier source of the same format holds as well, and returns how many there were.
///
/// Harnesses copy history: a resumed session repeats the old one, a session repeats what its subagents' files hold. A call is
/// the same if harness, session, subagent and id are. The copy that has ended is kept, at the place of the first.
pub fn remove_copies(sources: &mut [Source]) -> usize {
    type Key = (Option<Format>, Option<String>, Option<String>, Option<String>, String);
    let mut first: HashMap<Key, (usize, usize)> = HashMap::new();
    let mut copies = HashSet::new();
    let mut better = Vec::new();
    for (s, source) in sources.iter().enumerate() {
        for (c, call) in source.calls.iter().enumerate() {
            if call.session.is_none() {
                continue;
            }
            let (harness, session, agent) = (call.harness.clone(), call.session.clone(), call.agent.clone());
            let key = (source.format, harness, session, agent, call.id.clone());
            let Some(&(earlier, at)) = first.get(&key) else {
                first.insert(key, (s, c));
                continue;
            };
            // Within one source the ledger has told calls of one id apart for a reason.
            if earlier != s {
                copies.insert((s, c));
                let open = sources.get(earlier).and_then(|e| e.calls.get(at)).is_some_and(|e| !e.status.is_terminal());
                if open && call.status.is_terminal() {
                    better.push(((earlier, at), call.clone()));
                }
            }
        }
    }
    for ((s, c), call) in better {
        if let Some(slot) = sources.get_mut(s).and_then(|source| source.calls.get_mut(c)) {
            *slot = ToolCall { place: slot.place, parent: call.parent.clone().or(slot.parent.take()), ..call };
        }
    }
    for (s, source) in sources.iter_mut().enumerate() {
        let mut at = 0;
        source.calls.retain(|_| {
            at += 1;
            !copies.contains(&(s, at - 1))
        });
    }
    copies.len()
}

/// Links the calls of subagents to the calls that started them: a call that names no parent gets the id of the call that
/// started its subagent, or its session.
pub fn link_parents(sources: &mut [Source]) {
    let starters: HashMap<String, String> = sources
        .iter()
        .flat_map(|source| &source.calls)
        .filter_map(|call| Some((call.started.clone()?, call.id.clone())))
        .collect();
    if starters.is_empty() {
        return;
    }
    for call in sources.iter_mut().flat_map(|source| &mut source.calls).filter(|call| call.parent.is_none()) {
        let starter = |child: &Option<String>| starters.get(child.as_deref()?).cloned();
        call.parent = starter(&call.agent).or_else(|| starter(&call.session)).filter(|parent| *parent != call.id);
    }
}
