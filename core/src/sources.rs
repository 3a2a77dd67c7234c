//! Calls of several sources taken together: what one source copied from another, and which call started which subagent.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};

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
    let hasher = DefaultHashBuilder::default();
    let hash = |format: Option<Format>, call: &ToolCall| {
        hasher.hash_one((format, &call.harness, &call.session, &call.agent, &call.id))
    };
    let mut first: HashTable<(usize, usize)> = HashTable::new();
    let mut copies = HashSet::new();
    let mut better = Vec::new();
    for (s, source) in sources.iter().enumerate() {
        for (c, call) in source.calls.iter().enumerate().filter(|(_, call)| call.session.is_some()) {
            let find =
                |(s, c): &(usize, usize)| sources.get(*s).and_then(|other| Some((other.format, other.calls.get(*c)?)));
            let same = |place: &(usize, usize)| {
                find(place).is_some_and(|(format, other)| {
                    format == source.format
                        && (&other.id, &other.session, &other.agent, &other.harness)
                            == (&call.id, &call.session, &call.agent, &call.harness)
                })
            };
            let key = hash(source.format, call);
            let Some(&earlier) = first.find(key, same) else {
                let rehash = |place: &(usize, usize)| find(place).map_or(0, |(format, other)| hash(format, other));
                first.insert_unique(key, (s, c), rehash);
                continue;
            };
            // Within one source the ledger has told calls of one id apart for a reason.
            if earlier.0 != s {
                copies.insert((s, c));
                if find(&earlier).is_some_and(|(_, first)| !first.status.is_terminal()) && call.status.is_terminal() {
                    better.push((earlier, (s, c)));
                }
            }
        }
    }
    for (earlier, later) in better {
        let Some(ended) = sources.get(later.0).and_then(|source| source.calls.get(later.1)).cloned() else { continue };
        if let Some(slot) = sources.get_mut(earlier.0).and_then(|source| source.calls.get_mut(earlier.1)) {
            *slot = ToolCall { place: slot.place, parent: ended.parent.clone().or(slot.parent.take()), ..ended };
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
    type Key = (Option<Cow<'static, str>>, Box<str>);
    let starters: HashMap<Key, String> = sources
        .iter()
        .flat_map(|source| &source.calls)
        .filter_map(|call| Some(((call.harness.clone(), call.started.clone()?), call.id.clone())))
        .collect();
    if starters.is_empty() {
        return;
    }
    for call in sources.iter_mut().flat_map(|source| &mut source.calls).filter(|call| call.parent.is_none()) {
        let starter = |child: &Option<Box<str>>| starters.get(&(call.harness.clone(), child.clone()?)).cloned();
        let parent = starter(&call.agent).or_else(|| starter(&call.session));
        call.parent = parent.filter(|parent| *parent != call.id).map(Into::into);
    }
}
