//! Compiled schemas, kept by their content.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{PatternSyntax, Schema, SchemaFault, SchemaLimits};

/// As many schemas are kept.
const MAX_ENTRIES: usize = 64;
/// As many bytes of schema texts are kept.
const MAX_BYTES: usize = 4 << 20;

/// Compiled schemas, the ones used last kept longest.
#[derive(Debug, Default)]
pub(crate) struct SchemaCache {
    /// The ones used last come last.
    entries: spin::Mutex<Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    limits: SchemaLimits,
    patterns: PatternSyntax,
    schema: Arc<Schema>,
}

impl SchemaCache {
    /// The schema of this text, compiled now if it is not kept from before.
    pub(crate) fn get(
        &self,
        text: &[u8],
        limits: &SchemaLimits,
        patterns: PatternSyntax,
    ) -> Result<Arc<Schema>, SchemaFault> {
        if let Some(schema) = touch(&mut self.entries.lock(), text, limits, patterns) {
            return Ok(schema);
        }
        // No lock is held meanwhile: two callers may compile the same schema, and the first one's is kept.
        let schema = Arc::new(Schema::compile(text, limits, patterns)?);
        let mut entries = self.entries.lock();
        if let Some(schema) = touch(&mut entries, text, limits, patterns) {
            return Ok(schema);
        }
        entries.push(Entry { limits: *limits, patterns, schema: schema.clone() });
        let dropped = shrink(&mut entries);
        drop(entries);
        drop(dropped);
        Ok(schema)
    }
}

/// The schema that is kept of this text, which is then the one used last.
fn touch(entries: &mut [Entry], text: &[u8], limits: &SchemaLimits, patterns: PatternSyntax) -> Option<Arc<Schema>> {
    let at = entries.iter().rposition(|entry| {
        entry.schema.text.as_bytes() == text && entry.limits == *limits && entry.patterns == patterns
    })?;
    let used = entries.get_mut(at..)?;
    used.rotate_left(1);
    used.last().map(|entry| entry.schema.clone())
}

/// Takes out the entries used longest ago until the rest is within the limits.
fn shrink(entries: &mut Vec<Entry>) -> Vec<Entry> {
    let (mut count, mut bytes) = (0, 0);
    let keep = entries.iter().rev().take_while(|entry| {
        count += 1;
        bytes += entry.schema.text.len();
        count <= MAX_ENTRIES && bytes <= MAX_BYTES
    });
    let gone = entries.len() - keep.count();
    entries.drain(..gone).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use alloc::format;

    fn get(cache: &SchemaCache, text: &str) -> Arc<Schema> {
        cache.get(text.as_bytes(), &SchemaLimits::default(), PatternSyntax::Ecma).unwrap()
    }

    #[test]
    fn schemas_are_kept_by_their_bytes() {
        let cache = SchemaCache::default();
        let one = get(&cache, r#"{"type":"object"}"#);
        assert!(Arc::ptr_eq(&one, &get(&cache, r#"{"type":"object"}"#)));
        assert!(!Arc::ptr_eq(&one, &get(&cache, r#"{"type": "object"}"#)));
        let limits = SchemaLimits { max_depth: 3, ..SchemaLimits::default() };
        let other = cache.get(br#"{"type":"object"}"#, &limits, PatternSyntax::Ecma).unwrap();
        assert!(!Arc::ptr_eq(&one, &other));
        let linear = cache.get(br#"{"type":"object"}"#, &SchemaLimits::default(), PatternSyntax::Linear).unwrap();
        assert!(!Arc::ptr_eq(&one, &linear));
        assert_eq!(cache.entries.lock().len(), 4);
    }

    #[test]
    fn failures_are_not_kept() {
        let cache = SchemaCache::default();
        assert!(cache.get(b"{", &SchemaLimits::default(), PatternSyntax::Ecma).is_err());
        assert_eq!(cache.entries.lock().len(), 0);
    }

    #[test]
    fn the_ones_used_longest_ago_go_first() {
        let cache = SchemaCache::default();
        let text = |i: usize| format!(r#"{{"title":"{i}"}}"#);
        let first = get(&cache, &text(0));
        for i in 1..MAX_ENTRIES {
            get(&cache, &text(i));
        }
        assert!(Arc::ptr_eq(&first, &get(&cache, &text(0))));
        get(&cache, &text(MAX_ENTRIES));
        let kept = |text: &str| cache.entries.lock().iter().any(|entry| entry.schema.text == text);
        assert!(kept(&text(0)) && !kept(&text(1)) && kept(&text(2)));
        assert_eq!(cache.entries.lock().len(), MAX_ENTRIES);
    }

    #[test]
    fn bytes_are_bounded_too() {
        let cache = SchemaCache::default();
        for i in 0..20 {
            get(&cache, &format!(r#"{{"title":"{i}{}"}}"#, "x".repeat(260_000)));
        }
        let entries = cache.entries.lock();
        let bytes: usize = entries.iter().map(|entry| entry.schema.text.len()).sum();
        assert!(bytes <= MAX_BYTES && bytes > MAX_BYTES - 270_000 && entries.len() == 16);
    }
}
