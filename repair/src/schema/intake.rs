//! What is looked at before a schema is compiled: limits, dialect, references.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::dialect::{self, Draft};
use super::references;
use crate::Reason;
use crate::json::{Kind, Limit, Limits, Tape, Value, parse};

/// What a schema may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Bytes of its text.
    pub max_schema_bytes: usize,
    /// Containers inside each other.
    pub max_depth: usize,
    /// Objects, arrays and scalars together.
    pub max_nodes: usize,
    /// Members of one object.
    pub max_properties: usize,
    /// References that lead to references.
    pub max_ref_depth: usize,
}

impl Default for SchemaLimits {
    fn default() -> Self {
        SchemaLimits {
            max_schema_bytes: 262_144,
            max_depth: 32,
            max_nodes: 4_096,
            max_properties: 1_024,
            max_ref_depth: 32,
        }
    }
}

/// Bytes of one key.
const MAX_KEY_BYTES: usize = 16_384;
/// Bytes of one number.
const MAX_NUMBER_BYTES: usize = 64;

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault {
    /// [`Reason::SchemaInvalid`] or [`Reason::SchemaUnsupported`].
    pub reason: Reason,
    /// Where, as a JSON pointer into the schema, of at most 256 characters.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " (at {})", self.path) }
    }
}

impl core::error::Error for SchemaFault {}

impl SchemaFault {
    /// The whole of the schema is at fault, or no place can be told.
    fn whole(message: impl ToString) -> Self {
        SchemaFault { reason: Reason::SchemaInvalid, path: String::new(), message: message.to_string() }
    }

    /// The schema is at fault at `place`.
    pub(super) fn invalid(place: Value<'_>, message: impl ToString) -> Self {
        SchemaFault { reason: Reason::SchemaInvalid, path: path_of(place), message: message.to_string() }
    }

    /// The schema may be in order, but what stands at `place` is not supported.
    pub(super) fn unsupported(place: Value<'_>, message: impl ToString) -> Self {
        SchemaFault { reason: Reason::SchemaUnsupported, path: path_of(place), message: message.to_string() }
    }
}

/// A schema's document, of which limits, dialect and references are in order.
pub(super) struct Intake {
    pub(super) text: String,
    pub(super) tape: Tape,
    pub(super) draft: Draft,
}

/// Looks at the text of a schema.
pub(super) fn read(bytes: &[u8], limits: &SchemaLimits) -> Result<Intake, SchemaFault> {
    if bytes.is_empty() {
        return Err(SchemaFault::whole("the schema is empty; give an object, or leave the schema out"));
    }
    if bytes.len() > limits.max_schema_bytes {
        let (len, most) = (bytes.len(), limits.max_schema_bytes);
        return Err(SchemaFault::whole(format!("the schema has {len} bytes, more than the {most} that are allowed")));
    }
    let text = core::str::from_utf8(bytes).map_err(|error| {
        SchemaFault::whole(format!("no UTF-8 at byte {}; write the schema as UTF-8", error.valid_up_to()))
    })?;
    let tape = shape(text, limits)?;
    let root = tape.root(text);
    nodes(root, &tape, limits)?;
    forbidden(root, &tape)?;
    let draft = dialect::of(root, &tape)?;
    references::check(root, &tape, draft, limits.max_ref_depth)?;
    Ok(Intake { text: text.to_string(), tape, draft })
}

/// Parses, within the limits of a schema's shape.
fn shape(text: &str, limits: &SchemaLimits) -> Result<Tape, SchemaFault> {
    let shape = Limits {
        depth: limits.max_depth,
        tokens: limits.max_nodes.saturating_mul(8).min(limits.max_schema_bytes),
        items: limits.max_nodes,
        members: limits.max_properties,
        key_bytes: MAX_KEY_BYTES,
        number_bytes: MAX_NUMBER_BYTES,
    };
    let parsed = parse(text, &shape)
        .map_err(|fault| SchemaFault::whole(format!("no JSON at byte {}; mend the schema's text", fault.offset)))?;
    if let Some((limit, offset)) = parsed.over {
        let most = match limit {
            Limit::Depth => format!("more than {} containers inside each other", shape.depth),
            Limit::Tokens => format!("more than {} brackets, keys and scalars", shape.tokens),
            Limit::Items => format!("more than {} elements in an array", shape.items),
            Limit::Members => format!("more than {} members in an object", shape.members),
            Limit::KeyBytes => format!("a key of more than {} bytes", shape.key_bytes),
            Limit::NumberBytes => format!("a number of more than {} bytes", shape.number_bytes),
        };
        return Err(SchemaFault::whole(format!("{most}, at byte {offset}; make the schema smaller")));
    }
    if let Some(offset) = parsed.duplicate {
        return Err(SchemaFault::whole(format!("a key is there twice, at byte {offset}; leave one of the two out")));
    }
    Ok(parsed.tape)
}

/// Every object, array and scalar counts; keys do not.
fn nodes(root: Value<'_>, tape: &Tape, limits: &SchemaLimits) -> Result<(), SchemaFault> {
    let keys: usize = objects(root, tape).map(|object| object.members().count()).sum();
    let (count, most) = (tape.nodes.len() - keys, limits.max_nodes);
    if count > most {
        return Err(SchemaFault::whole(format!("{count} values, more than the {most} that are allowed")));
    }
    Ok(())
}

/// References that leave the document or whose end only shows while validating are not followed, wherever they stand:
/// data that merely looks like one is taken for one, as the reference engine takes it.
fn forbidden(root: Value<'_>, tape: &Tape) -> Result<(), SchemaFault> {
    for object in objects(root, tape) {
        for (key, value) in object.members() {
            let string = value.kind() == Kind::String;
            let key = key.str();
            match &*key {
                "$ref" if string && !value.str().starts_with('#') => {
                    let message = "a reference that leaves the schema; copy what it leads to under `$defs`, and refer to it there";
                    return Err(SchemaFault::invalid(value, message));
                }
                "$dynamicRef" | "$recursiveRef" if string => {
                    return Err(SchemaFault::invalid(value, format!("`{key}` is not followed; use `$ref`")));
                }
                "$dynamicAnchor" | "$recursiveAnchor" => {
                    return Err(SchemaFault::invalid(
                        value,
                        format!("`{key}` is not supported; use `$defs` and `$ref`"),
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// All objects of the document, in the order of its text.
pub(super) fn objects<'a>(root: Value<'a>, tape: &'a Tape) -> impl Iterator<Item = Value<'a>> {
    (0_u32..).zip(&tape.nodes).filter(|(_, node)| node.kind == Kind::Object).map(move |(index, _)| root.at(index))
}

/// The most characters that a path is told with.
const MAX_PATH: usize = 256;

/// Where `place` stands in its document, as a JSON pointer that is cut short.
fn path_of(place: Value<'_>) -> String {
    let mut path = pointer_to(place);
    if let Some((cut, _)) = path.char_indices().nth(MAX_PATH) {
        path.truncate(cut);
    }
    path
}

/// Where `place` stands in its document, as a JSON pointer.
pub(super) fn pointer_to(place: Value<'_>) -> String {
    let mut path = String::new();
    let mut at = place.at(0);
    while at.index() < place.index() {
        let wanted = |value: &Value<'_>| value.index() <= place.index() && place.index() < value.node().next;
        let member = at.members().find(|(key, value)| key.index() == place.index() || wanted(value));
        let (step, next) = match member {
            Some((key, value)) => (key.str().replace('~', "~0").replace('/', "~1"), value),
            None => match at.items().enumerate().find(|(_, item)| wanted(item)) {
                Some((number, item)) => (number.to_string(), item),
                None => break,
            },
        };
        path.push('/');
        path.push_str(&step);
        if next.index() > place.index() {
            // The place is the member's key.
            break;
        }
        at = next;
    }
    path
}
