//! Parameters under other names: what the model sees, and the way back.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};
use toolprism::json::{JsonType, JsonView, RawJson};

use crate::schema::escaped;
use crate::{NameError, check_name};

/// Schemas and arguments are not looked into deeper than this.
const MAX_DEPTH: usize = 128;

/// Why a parameter cannot have another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// The parameter, as it was given.
    pub parameter: String,
    /// What is wrong.
    pub fault: ParameterFault,
}

/// What can be wrong with another name for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterFault {
    /// The tool's schema has no such parameter.
    Unknown,
    /// The name is none.
    BadName(NameError),
    /// Another parameter beside it has that name.
    Taken(String),
    /// It is given two names: under its own name and under its pointer.
    Twice,
    /// It stands in a part of the schema that `$ref` uses elsewhere too, as in a type that holds itself.
    Shared(String),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the parameter {:?} cannot be renamed: ", self.parameter)?;
        match &self.fault {
            ParameterFault::Unknown => f.write_str(
                "the tool has none of that name; of a nested one write the JSON pointer of names, such as /edits/old",
            ),
            ParameterFault::BadName(why) => write!(f, "its new name is none: {why}"),
            ParameterFault::Twice => f.write_str("it is given another name as well: write it once"),
            ParameterFault::Taken(name) => write!(f, "another parameter is called {name:?}"),
            ParameterFault::Shared(reference) => {
                write!(f, "{reference:?} refers to its part of the schema, where the name would change, too")
            }
        }
    }
}

impl std::error::Error for ParameterError {}

/// The parameters of one object that have other names, or hold some that do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Renames(Vec<Renamed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Renamed {
    own: String,
    client: String,
    inner: Renames,
}

/// A member of arguments that has the tool's own name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnName {
    /// Where, as a JSON pointer into the arguments that the model wrote.
    pub(crate) path: String,
    pub(crate) client: String,
}

impl OwnName {
    fn within(self, step: &str) -> Self {
        OwnName { path: format!("/{}{}", escaped(step), self.path), ..self }
    }
}

impl Renames {
    /// Reads a host's wishes: own name to client name, where a nested parameter is a JSON pointer of names; lists on the way
    /// are passed through.
    pub(crate) fn new(wishes: &BTreeMap<String, String>) -> Result<Renames, ParameterError> {
        let mut root = Renames::default();
        for (parameter, client) in wishes {
            check_name(client).map_err(|why| fault(parameter, ParameterFault::BadName(why)))?;
            let names: Vec<String> = match parameter.strip_prefix('/') {
                Some(pointer) => pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect(),
                None => vec![parameter.clone()],
            };
            if names.len() > MAX_DEPTH {
                return Err(fault(parameter, ParameterFault::Unknown));
            }
            let mut level = &mut root;
            let mut names = names.into_iter().peekable();
            while let Some(own) = names.next() {
                let entry = level.entry(own);
                if names.peek().is_none() {
                    if entry.client != entry.own {
                        return Err(fault(parameter, ParameterFault::Twice));
                    }
                    entry.client.clone_from(client);
                }
                level = &mut entry.inner;
            }
        }
        Ok(root)
    }

    fn entry(&mut self, own: String) -> &mut Renamed {
        let known = self.0.iter().position(|renamed| renamed.own == own);
        let at = known.unwrap_or_else(|| {
            self.0.push(Renamed { client: own.clone(), own, inner: Renames::default() });
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name that the model sees of a parameter.
    pub(crate) fn client<'n>(&'n self, own: &'n str) -> &'n str {
        self.0.iter().find(|renamed| renamed.own == own).map_or(own, |renamed| &renamed.client)
    }

    /// A place in the tool's own arguments as a place in those that the model writes. Both are JSON pointers.
    pub(crate) fn client_path(&self, own: &str) -> String {
        static NONE: Renames = Renames(Vec::new());
        let mut level = self;
        let mut path = String::new();
        for step in own.split('/').skip(1) {
            let name = step.replace("~1", "/").replace("~0", "~");
            path.push('/');
            match level.0.iter().find(|renamed| renamed.own == name) {
                Some(renamed) => {
                    path.push_str(&escaped(&renamed.client));
                    level = &renamed.inner;
                }
                None => {
                    path.push_str(step);
                    // Lists are passed through.
                    level = if step.bytes().all(|byte| byte.is_ascii_digit()) { level } else { &NONE };
                }
            }
        }
        path
    }

    /// Renames the parameters in a schema: properties, and where they are required or depended on.
    pub(crate) fn apply(&self, schema: &mut Value) -> Result<(), ParameterError> {
        let mut references = Vec::new();
        collect_references(schema, MAX_DEPTH, &mut references);
        let mut walk = Walk { references, pointer: String::new() };
        let found = walk.level(self, schema, MAX_DEPTH)?;
        match self.0.iter().enumerate().find(|(at, _)| !found.contains(at)) {
            Some((_, missing)) => Err(fault(&missing.own, ParameterFault::Unknown)),
            None => Ok(()),
        }
    }

    /// Arguments with the tool's own names. The error is a member under the tool's name, and what the model knows it as: taken
    /// as it is, it could stand beside the other.
    pub(crate) fn undo(&self, arguments: &str) -> Result<String, OwnName> {
        let mut out = String::with_capacity(arguments.len() + 16);
        match RawJson::parse(arguments) {
            Ok(view) => self.write_own(&view, &mut out, MAX_DEPTH)?,
            Err(_) => out.push_str(arguments),
        }
        Ok(out)
    }

    fn write_own(&self, view: &RawJson<'_>, out: &mut String, depth: usize) -> Result<(), OwnName> {
        let kind = view.json_type();
        if self.is_empty() || depth == 0 || !matches!(kind, JsonType::Object | JsonType::Array) {
            out.push_str(&view.to_text());
            return Ok(());
        }
        if kind == JsonType::Array {
            out.push('[');
            for (index, item) in view.items().enumerate() {
                comma(out, index);
                self.write_own(&item, out, depth - 1).map_err(|name| name.within(&index.to_string()))?;
            }
            out.push(']');
            return Ok(());
        }
        out.push('{');
        for (index, (key, member)) in view.members().enumerate() {
            comma(out, index);
            let renamed = self.0.iter().find(|renamed| renamed.client == key);
            let own = renamed.map_or(key.as_ref(), |renamed| &renamed.own);
            let own_name = self.0.iter().find(|known| renamed.is_none() && known.own == key);
            if let Some(Renamed { client, .. }) = own_name {
                return Err(OwnName { path: String::new(), client: client.clone() }.within(&key));
            }
            out.push_str(&Value::from(own).to_string());
            out.push(':');
            match renamed {
                Some(renamed) => {
                    renamed.inner.write_own(&member, out, depth - 1).map_err(|name| name.within(&key))?;
                }
                None => out.push_str(&member.to_text()),
            }
        }
        out.push('}');
        Ok(())
    }
}

fn comma(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

fn fault(parameter: &str, fault: ParameterFault) -> ParameterError {
    ParameterError { parameter: parameter.to_owned(), fault }
}

/// Keywords whose schemas speak of the same object.
const IN_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/// Keywords whose schemas speak of a list's elements.
const ELEMENTS: [&str; 5] = ["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"];

struct Walk {
    /// What `$ref` and its kin point to, as pointers into the schema.
    references: Vec<String>,
    pointer: String,
}

impl Walk {
    /// Renames at one object, wherever its schema speaks of it. Which of the level's entries were found.
    fn level(&mut self, level: &Renames, schema: &mut Value, depth: usize) -> Result<Vec<usize>, ParameterError> {
        let mut found = Vec::new();
        if level.is_empty() || depth == 0 {
            return Ok(found);
        }
        if let Value::Array(schemas) = schema {
            for (index, schema) in schemas.iter_mut().enumerate() {
                found.extend(self.within(&index.to_string(), |walk| walk.level(level, schema, depth - 1))?);
            }
            return Ok(found);
        }
        let Value::Object(object) = schema else { return Ok(found) };
        for (keyword, schema) in object.iter_mut() {
            if IN_PLACE.contains(&keyword.as_str()) || ELEMENTS.contains(&keyword.as_str()) {
                found.extend(self.within(keyword, |walk| walk.level(level, schema, depth - 1))?);
            }
        }
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            found.extend(self.within("properties", |walk| walk.properties(level, properties, depth))?);
        }
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            if let Some(Value::Object(members)) = object.get_mut(keyword) {
                rename_keys(level, members)?;
                for schema in members.values_mut() {
                    rename_texts(level, schema);
                    self.level(level, schema, depth - 1)?;
                }
            }
        }
        for keyword in ["required", "propertyOrdering"] {
            object.get_mut(keyword).into_iter().for_each(|names| rename_texts(level, names));
        }
        Ok(found)
    }

    fn properties(
        &mut self,
        level: &Renames,
        properties: &mut Map<String, Value>,
        depth: usize,
    ) -> Result<Vec<usize>, ParameterError> {
        let mut found = Vec::new();
        for (index, renamed) in level.0.iter().enumerate() {
            let Some(property) = properties.get_mut(&renamed.own) else { continue };
            found.push(index);
            self.within(&renamed.own, |walk| {
                walk.check_unshared(renamed)?;
                let inner = walk.level(&renamed.inner, property, depth - 1)?;
                match renamed.inner.0.iter().enumerate().find(|(at, _)| !inner.contains(at)) {
                    Some((_, missing)) => Err(fault(&missing.own, ParameterFault::Unknown)),
                    None => Ok(()),
                }
            })?;
        }
        rename_keys(level, properties)?;
        Ok(found)
    }

    fn within<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let parent = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escaped(name));
        let out = work(self);
        self.pointer.truncate(parent);
        out
    }

    /// A reference to what holds the property would rename it at another place as well; one to the property itself would
    /// point nowhere.
    fn check_unshared(&self, renamed: &Renamed) -> Result<(), ParameterError> {
        let holds = |a: &str, b: &str| b.strip_prefix(a).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let here = &self.pointer;
        match self.references.iter().find(|target| holds(target, here) || holds(here, target)) {
            Some(target) => Err(fault(&renamed.own, ParameterFault::Shared(format!("#{target}")))),
            None => Ok(()),
        }
    }
}

fn rename_keys(level: &Renames, members: &mut Map<String, Value>) -> Result<(), ParameterError> {
    for (own, value) in std::mem::take(members) {
        let client = level.client(&own).to_owned();
        if members.insert(client.clone(), value).is_some() {
            return Err(fault(&own, ParameterFault::Taken(client)));
        }
    }
    Ok(())
}

fn rename_texts(level: &Renames, names: &mut Value) {
    for name in names.as_array_mut().into_iter().flatten() {
        if let Value::String(own) = name {
            *own = level.client(own).to_owned();
        }
    }
}

/// What references point to. One that names an anchor or another document counts as pointing to the whole.
fn collect_references(schema: &Value, depth: usize, out: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, depth - 1, out)),
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(target) if matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") => {
                        let pointer = target.strip_prefix('#').filter(|rest| rest.is_empty() || rest.starts_with('/'));
                        out.push(pointer.unwrap_or_default().to_owned());
                    }
                    other => collect_references(other, depth - 1, out),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn renames(wishes: &[(&str, &str)]) -> Renames {
        Renames::new(&wishes.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()).unwrap()
    }

    fn applied(wishes: &[(&str, &str)], mut schema: Value) -> Result<Value, ParameterFault> {
        renames(wishes).apply(&mut schema).map(|()| schema).map_err(|error| error.fault)
    }

    #[test]
    fn properties_and_all_that_speaks_of_them_follow() {
        let schema = json!({
            "type": "object",
            "properties": {"target": {"type": "string", "description": "target"}, "limit": {"type": "integer"}},
            "required": ["target", "limit"],
            "dependentRequired": {"limit": ["target"], "target": []},
            "dependentSchemas": {"target": {"required": ["target"], "properties": {"target": {"minLength": 1}}}},
            "anyOf": [{"required": ["target"]}, {"properties": {"target": {"const": "target"}}}],
            "propertyOrdering": ["target", "limit"],
            "examples": [{"target": "kept: this is no schema"}],
        });
        assert_eq!(
            applied(&[("target", "path")], schema).unwrap(),
            json!({
                "type": "object",
                "properties": {"path": {"type": "string", "description": "target"}, "limit": {"type": "integer"}},
                "required": ["path", "limit"],
                "dependentRequired": {"limit": ["path"], "path": []},
                "dependentSchemas": {"path": {"required": ["path"], "properties": {"path": {"minLength": 1}}}},
                "anyOf": [{"required": ["path"]}, {"properties": {"path": {"const": "target"}}}],
                "propertyOrdering": ["path", "limit"],
                "examples": [{"target": "kept: this is no schema"}],
            })
        );
    }

    #[test]
    fn nested_parameters_are_named_by_their_pointer_through_lists_and_unions() {
        let edit = json!({"type": "object", "properties": {"old": {}, "a/b": {}}, "required": ["old"]});
        let schema = json!({"properties": {"edits": {"anyOf": [{"type": "array", "items": edit}, {"type": "null"}]}, "old": {}}});
        let wishes = [("/edits/old", "before"), ("/edits/a~1b", "a_b"), ("edits", "changes")];
        let edit = json!({"type": "object", "properties": {"before": {}, "a_b": {}}, "required": ["before"]});
        assert_eq!(
            applied(&wishes, schema).unwrap(),
            json!({"properties": {"changes": {"anyOf": [{"type": "array", "items": edit}, {"type": "null"}]}, "old": {}}})
        );
        let arguments = r#"{"changes": [{"before": 1, "a_b": 2}, 3], "old": {"before": 4}}"#;
        assert_eq!(renames(&wishes).undo(arguments).unwrap(), r#"{"edits":[{"old":1,"a/b":2},3],"old":{"before": 4}}"#);
    }

    #[test]
    fn places_are_told_by_the_names_that_the_model_knows() {
        let renames = renames(&[("edits", "changes"), ("/edits/a~1b", "a_b"), ("/edits/old", "x"), ("/top/old", "y")]);
        for (own, client) in [
            ("", ""),
            ("/edits/0/a~1b", "/changes/0/a_b"),
            ("/edits/12/old/old", "/changes/12/x/old"),
            ("/top/old", "/top/y"),
            ("/other/edits", "/other/edits"),
        ] {
            assert_eq!(renames.client_path(own), client);
        }
    }

    #[test]
    fn names_may_be_exchanged() {
        let wishes = [("a", "b"), ("b", "a")];
        let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]});
        assert_eq!(
            applied(&wishes, schema).unwrap(),
            json!({"properties": {"b": {"type": "string"}, "a": {"type": "integer"}}, "required": ["b"]})
        );
        assert_eq!(renames(&wishes).undo(r#"{"a":1,"b":"x"}"#).unwrap(), r#"{"b":1,"a":"x"}"#);
    }

    #[test]
    fn values_come_back_to_the_letter() {
        let renames = renames(&[("n", "number")]);
        for value in
            ["123456789012345678901234567890", "1.10", "\"\\ud83e\\udd80 \\u0061\"", "[1, 2]", "{\"number\":1}"]
        {
            assert_eq!(renames.undo(&format!("{{\"number\":{value}}}")).unwrap(), format!("{{\"n\":{value}}}"));
        }
        assert_eq!(renames.undo("[]").unwrap(), "[]");
    }

    #[test]
    fn a_parameter_under_its_old_name_is_told() {
        let renames = self::renames(&[("target", "path")]);
        let told = |path: &str, client: &str| Err(OwnName { path: path.into(), client: client.into() });
        assert_eq!(renames.undo(r#"{"path": 1, "target": 2}"#), told("/target", "path"));
        let nested = self::renames(&[("/edits/old", "x"), ("edits", "changes")]);
        assert_eq!(nested.undo(r#"{"changes": [{"x": 1}, {"old": 2}]}"#), told("/changes/1/old", "x"));
        assert!(renames.undo(r#"{"path": {"target": 2}}"#).is_ok(), "another object's member");
    }

    #[test]
    fn what_cannot_be_renamed_is_refused() {
        let schema = || json!({"properties": {"a": {"properties": {"x": {}}}, "b": {}, "path": {}}});
        assert_eq!(applied(&[("c", "d")], schema()), Err(ParameterFault::Unknown));
        assert_eq!(applied(&[("/a/y", "d")], schema()), Err(ParameterFault::Unknown));
        assert_eq!(applied(&[("/a/x/z", "d")], schema()), Err(ParameterFault::Unknown));
        assert_eq!(applied(&[("a", "path")], schema()), Err(ParameterFault::Taken("path".into())));
        let wish = BTreeMap::from([("a".to_owned(), "a b".to_owned())]);
        let bad = Renames::new(&wish).unwrap_err();
        assert_eq!(bad.fault, ParameterFault::BadName(NameError::Character(' ')));
    }

    #[test]
    fn what_a_reference_shares_is_not_renamed() {
        let node = |target: &str| {
            json!({
                "properties": {"name": {"properties": {"first": {}}}, "children": {"items": {"$ref": target}}},
                "$defs": {"other": {"properties": {"name": {}}}},
            })
        };
        let shared = |target: &str| Err(ParameterFault::Shared(target.into()));
        assert_eq!(applied(&[("name", "title")], node("#")), shared("#"));
        assert_eq!(applied(&[("name", "title")], node("#/properties/name")), shared("#/properties/name"));
        assert_eq!(
            applied(&[("name", "title")], node("#/properties/name/properties/first")),
            shared("#/properties/name/properties/first")
        );
        assert_eq!(applied(&[("name", "title")], node("#anchor")), shared("#"));
        assert!(applied(&[("name", "title")], node("#/$defs/other")).is_ok());
        assert!(applied(&[("name", "title")], node("#/properties/nam")).is_ok());
    }

    #[test]
    fn depth_is_bounded() {
        let pointer = "/a".repeat(100_000);
        let wish = BTreeMap::from([(pointer, "b".to_owned())]);
        assert_eq!(Renames::new(&wish).unwrap_err().fault, ParameterFault::Unknown);
        let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
        let arguments = format!("{{\"path\":{deep}}}");
        let renames = renames(&[("/target/x", "y"), ("target", "path")]);
        assert_eq!(renames.undo(&arguments).unwrap(), format!("{{\"target\":{deep}}}"));
    }
}
