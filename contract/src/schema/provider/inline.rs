//! References written out in place, except where a definition contains itself.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Report;
use crate::schema::walk;

/// Schemas that may come of writing out.
const MAX_SCHEMAS: usize = 20_000;

/// Writes out every local reference. Definitions that contain themselves stay under `$defs`; the root is one of them as `#`.
pub(super) fn inline(schema: &mut Value, report: &mut Report) {
    let root = schema.clone();
    let mut inliner = Inliner { root: &root, open: Vec::new(), kept: BTreeMap::new(), left: MAX_SCHEMAS };
    inliner.schema(schema);
    // What is kept is written out as well, and may name more that is kept.
    let mut definitions = Map::new();
    while let Some((pointer, name)) = inliner.kept.iter().find(|(_, name)| !definitions.contains_key(*name)) {
        let (pointer, name) = (pointer.clone(), name.clone());
        let mut definition = root.pointer(&pointer).cloned().unwrap_or(Value::Bool(true));
        inliner.open.push(pointer);
        inliner.schema(&mut definition);
        inliner.open.pop();
        definitions.insert(name, definition);
    }
    if inliner.left == 0 {
        report.fault("", format!("it has more than {MAX_SCHEMAS} schemas when its references are written out"));
    }
    if let Value::Object(members) = schema {
        members.remove("$defs");
        if !definitions.is_empty() {
            members.insert("$defs".into(), Value::Object(definitions));
        }
    }
}

struct Inliner<'s> {
    root: &'s Value,
    /// The pointers that are being written out.
    open: Vec<String>,
    /// The pointers of definitions that contain themselves, with their names.
    kept: BTreeMap<String, String>,
    left: usize,
}

impl Inliner<'_> {
    fn schema(&mut self, schema: &mut Value) {
        self.left = self.left.saturating_sub(1);
        let Value::Object(members) = schema else { return };
        if self.left == 0 {
            return;
        }
        if let Some(target) = members.get("$ref").and_then(Value::as_str)
            && let Some(pointer) = target.strip_prefix('#')
        {
            let pointer = pointer.to_string();
            if pointer.is_empty() || self.open.contains(&pointer) {
                if !pointer.is_empty() {
                    let name = self.name(&pointer);
                    members.insert("$ref".into(), json!(format!("#/$defs/{}", walk::escaped(&name))));
                }
                return;
            }
            let mut written = self.root.pointer(&pointer).cloned().unwrap_or(Value::Bool(true));
            self.open.push(pointer);
            self.schema(&mut written);
            self.open.pop();
            members.remove("$ref");
            match written {
                // What stands beside the reference says more of the same place.
                Value::Object(written) => {
                    for (keyword, value) in written {
                        members.entry(keyword).or_insert(value);
                    }
                }
                other if members.is_empty() => *schema = other,
                _ => {}
            }
            return;
        }
        let definitions = members.remove("$defs");
        walk::inside(members, |_, inner| self.schema(inner));
        if let Some(definitions) = definitions {
            members.insert("$defs".into(), definitions);
        }
    }

    /// The name under which a definition is kept.
    fn name(&mut self, pointer: &str) -> String {
        if let Some(name) = self.kept.get(pointer) {
            return name.clone();
        }
        let base = crate::problem::last_step(pointer);
        let taken = |name: &String| self.kept.values().any(|other| other == name);
        let mut name = base.clone();
        let mut number = 2;
        while taken(&name) {
            name = format!("{base}{number}");
            number += 1;
        }
        self.kept.insert(pointer.to_string(), name.clone());
        name
    }
}
