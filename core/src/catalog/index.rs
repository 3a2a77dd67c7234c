//! Where each wire name stands in the catalog, worked out when the crate is compiled: calls whose harness is not known are looked
//! up by their name alone.

use super::{Entry, HARNESSES, Toolset};

const BUCKETS: usize = 256;
const NONE: u16 = u16::MAX;

const TOOLSETS: usize = count().0;
const NAMES: usize = count().1;

/// Names in chains, one for each value of [`bucket`], in the order of the catalog.
struct Index {
    toolsets: [&'static Toolset; TOOLSETS],
    heads: [u16; BUCKETS],
    names: [Named; NAMES],
}

/// One name of one tool, and the next in its chain.
#[derive(Clone, Copy)]
struct Named {
    toolset: u16,
    tool: u16,
    name: u16,
    next: u16,
}

static INDEX: Index = build();

/// Every toolset once, in the order of the harnesses.
pub(super) fn toolsets() -> impl Iterator<Item = &'static Toolset> {
    INDEX.toolsets.iter().copied()
}

/// Every entry with this wire name, each toolset's first.
pub(super) fn named(wire: &str) -> impl Iterator<Item = Entry> {
    let mut at = INDEX.heads.get(bucket(wire)).copied().unwrap_or(NONE);
    let mut last = NONE;
    core::iter::from_fn(move || {
        while let Some(named) = INDEX.names.get(usize::from(at)) {
            at = named.next;
            let toolset = *INDEX.toolsets.get(usize::from(named.toolset))?;
            let tool = toolset.tools.get(usize::from(named.tool))?;
            let is_it = tool.names.get(usize::from(named.name)).is_some_and(|name| name.wire == wire);
            if is_it && last != named.toolset {
                last = named.toolset;
                return Some(Entry { toolset, tool });
            }
        }
        None
    })
}

const fn bucket(wire: &str) -> usize {
    let bytes = wire.as_bytes();
    let (mut hash, mut at) = (bytes.len(), 0);
    while at < bytes.len() {
        hash = (hash.wrapping_mul(31)).wrapping_add(bytes[at] as usize);
        at += 1;
    }
    hash % BUCKETS
}

/// Whether an earlier harness offers the toolset as well.
const fn is_repeated(harness: usize, toolset: &Toolset) -> bool {
    let mut earlier = 0;
    while earlier < harness {
        let toolsets = HARNESSES[earlier].toolsets;
        let mut at = 0;
        while at < toolsets.len() {
            if is_same(toolsets[at].namespace.as_bytes(), toolset.namespace.as_bytes()) {
                return true;
            }
            at += 1;
        }
        earlier += 1;
    }
    false
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// How many toolsets and names there are.
const fn count() -> (usize, usize) {
    let (mut toolsets, mut names, mut harness) = (0, 0, 0);
    while harness < HARNESSES.len() {
        let mut at = 0;
        while at < HARNESSES[harness].toolsets.len() {
            let toolset = HARNESSES[harness].toolsets[at];
            if !is_repeated(harness, toolset) {
                toolsets += 1;
                let mut tool = 0;
                while tool < toolset.tools.len() {
                    names += toolset.tools[tool].names.len();
                    tool += 1;
                }
            }
            at += 1;
        }
        harness += 1;
    }
    (toolsets, names)
}

const fn build() -> Index {
    let nowhere = Named { toolset: NONE, tool: NONE, name: NONE, next: NONE };
    let mut index =
        Index { toolsets: [HARNESSES[0].toolsets[0]; TOOLSETS], heads: [NONE; BUCKETS], names: [nowhere; NAMES] };
    let mut tails = [NONE; BUCKETS];
    let (mut toolsets, mut names, mut harness) = (0, 0, 0);
    while harness < HARNESSES.len() {
        let mut at = 0;
        while at < HARNESSES[harness].toolsets.len() {
            let toolset = HARNESSES[harness].toolsets[at];
            at += 1;
            if is_repeated(harness, toolset) {
                continue;
            }
            index.toolsets[toolsets] = toolset;
            let mut tool = 0;
            while tool < toolset.tools.len() {
                let mut name = 0;
                while name < toolset.tools[tool].names.len() {
                    let bucket = bucket(toolset.tools[tool].names[name].wire);
                    index.names[names] =
                        Named { toolset: toolsets as u16, tool: tool as u16, name: name as u16, next: NONE };
                    if tails[bucket] == NONE {
                        index.heads[bucket] = names as u16;
                    } else {
                        index.names[tails[bucket] as usize].next = names as u16;
                    }
                    tails[bucket] = names as u16;
                    names += 1;
                    name += 1;
                }
                tool += 1;
            }
            toolsets += 1;
        }
        harness += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_index_finds_what_a_search_of_the_catalog_does() {
        let all: Vec<&Toolset> = HARNESSES.iter().flat_map(|harness| harness.toolsets.iter().copied()).collect();
        let mut unique: Vec<&str> = Vec::new();
        for toolset in &all {
            if !unique.contains(&toolset.namespace) {
                unique.push(toolset.namespace);
            }
        }
        assert_eq!(toolsets().map(|t| t.namespace).collect::<Vec<_>>(), unique);
        let names = all.iter().flat_map(|t| t.tools).flat_map(|tool| tool.names).map(|name| name.wire);
        for wire in names.chain(["", "nobody", "rea", "Reads"]) {
            let searched: Vec<_> = toolsets().filter_map(|toolset| toolset.tool(wire, None)).collect();
            let found: Vec<_> = named(wire).collect();
            assert_eq!(found.len(), searched.len(), "{wire}");
            for (found, searched) in found.iter().zip(&searched) {
                assert!(core::ptr::eq(found.tool, searched.tool), "{wire}");
                assert_eq!(found.toolset.namespace, searched.toolset.namespace);
            }
        }
    }
}
