//! Why a call is refused, and where.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::schema::SchemaFault;
use crate::{Code, Reason, Severity};

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident = $wire:literal, $hint:literal;)*) => {
        /// Why the `guarded` profile refuses a call.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FaultCode {
            $($(#[$doc])* $name,)*
            /// The change that would mend it is switched off.
            ChangeDisabled(Code),
        }

        impl FaultCode {
            /// The code as it is written on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(FaultCode::$name => $wire,)*
                    FaultCode::ChangeDisabled(_) => "change_disabled",
                }
            }

            /// What is wrong, and what the model or the caller can do.
            pub const fn hint(self) -> &'static str {
                match self {
                    $(FaultCode::$name => $hint,)*
                    FaultCode::ChangeDisabled(_) => "the change that would mend this is switched off",
                }
            }
        }
    };
}

faults! {
    /// The tool is not among those offered.
    UnknownTool = "unknown_tool", "no tool of this name was offered: use one that was";
    /// The name could mean several tools.
    AmbiguousTool = "ambiguous_tool", "several tools could be meant: use the exact name";
    /// The arguments are longer than allowed.
    ArgsTooLarge = "args_too_large", "the arguments are longer than allowed: send less, or raise the limit";
    /// The bytes are no UTF-8.
    NotUtf8 = "not_utf8", "the arguments are no UTF-8";
    /// The tool's schema cannot be used.
    BadSchema = "bad_schema", "the tool's schema cannot be used: mend the schema";
    /// The text cannot be read as JSON in one way only.
    NotJson = "not_json", "the arguments are not JSON: send one JSON object";
    /// The arguments are another value than an object.
    NotObject = "not_object", "the arguments must be a JSON object with named members";
    /// Several different objects.
    MultipleObjects = "multiple_objects", "several objects came as the arguments of one call: send one call for each";
    /// Text around the arguments that could belong to them.
    SurroundingText = "surrounding_text", "text around the arguments could belong to them: send the object alone";
    /// Containers inside each other beyond the limit.
    TooDeep = "too_deep", "the arguments are nested too deeply";
    /// More changes than are kept.
    TooManyChanges = "too_many_changes", "too much in the arguments is misspelt";
    /// The text ends inside a string, a key or an escape.
    TruncatedString = "truncated_string", "the arguments end inside a string: send them whole";
    /// The text ends with a number that may go on.
    TruncatedNumber = "truncated_number", "the arguments end with a number that may go on: send them whole";
    /// The text ends where a value should come, or inside a literal.
    TruncatedValue = "truncated_value", "the arguments end before a value: send them whole";
    /// The model ran into a limit of length before the end.
    TruncatedLength = "truncated_length", "the model was cut off by a limit of length: raise it, or send less";
    /// An array has a place without an element.
    AmbiguousHole = "ambiguous_hole", "an array has an empty place: say what belongs there";
    /// A key has no value.
    MissingValue = "missing_value", "a key has no value";
    /// A closing bracket is missing, and a member could belong to an object around the one it stands in.
    MisplacedMember = "misplaced_member", "a closing bracket is missing, and a member could belong to two objects";
    /// Something was left out with three dots.
    ElidedContent = "elided_content", "content was left out with `...`: write it out";
    /// Two values for the same name.
    DuplicateKeyConflict = "duplicate_key_conflict", "a member has two different values: send one";
    /// Quotes inside a string that can be read in several ways.
    AmbiguousQuotes = "ambiguous_quotes", "quotes inside a string must be escaped: write \\\"";
    /// Backslashes that can be read in several ways.
    AmbiguousEscape = "ambiguous_escape", "backslashes inside a string must be doubled";
    /// NaN, infinity, or a number that no double holds.
    NonFiniteNumber = "non_finite_number", "JSON has no such number";
    /// A number that JSON does not know.
    BadNumber = "bad_number", "write numbers as JSON does: no leading zeros, no separators, no units";
    /// Half a surrogate pair.
    LoneSurrogate = "lone_surrogate", "half a surrogate pair is no character";
    /// A word without quotes where nothing says what it is.
    UnknownValue = "unknown_value", "put quotes around text";
    /// A value of the wrong type.
    TypeMismatch = "type_mismatch", "the value has the wrong type";
    /// A value outside its enumeration.
    EnumMismatch = "enum_mismatch", "use one of the listed values";
    /// A value that breaks another rule of the schema.
    SchemaMismatch = "schema_mismatch", "the value breaks a rule of the tool's schema";
    /// A member that the schema forbids.
    UnexpectedKey = "unexpected_key", "the tool has no such parameter";
    /// A member whose name could mean several properties.
    AmbiguousKey = "ambiguous_key", "several parameters could be meant: use the exact name";
    /// A required member is missing.
    MissingRequired = "missing_required", "a required parameter is missing";
    /// The arguments hold a call of another tool.
    EnvelopeMismatch = "envelope_mismatch", "the arguments hold a call of another tool";
    /// Nobody waits for the answer any more.
    Canceled = "canceled", "canceled";
}

impl FaultCode {
    /// The reason code of the seam that covers it.
    pub const fn reason(self) -> Reason {
        match self {
            FaultCode::AmbiguousTool => Reason::AmbiguousToolName,
            FaultCode::AmbiguousKey => Reason::AmbiguousProperty,
            FaultCode::ArgsTooLarge => Reason::ArgsTooLarge,
            FaultCode::BadSchema => Reason::SchemaInvalid,
            FaultCode::Canceled => Reason::Canceled,
            FaultCode::ChangeDisabled(code) if matches!(code.severity(), Severity::Scalar) => {
                Reason::ScalarCoercionDisabled
            }
            _ => Reason::Unrepairable,
        }
    }
}

/// What stands in the way of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is.
    pub code: FaultCode,
    /// Where, as a JSON pointer into the arguments.
    pub path: String,
    /// Where, as a byte offset in the arguments as they came.
    pub offset: usize,
    /// Of [`FaultCode::BadSchema`]: what is wrong with the schema.
    pub schema: Option<Box<SchemaFault>>,
}

impl Fault {
    pub(super) fn new(code: FaultCode, path: String, offset: usize) -> Self {
        Fault { code, path, offset, schema: None }
    }

    /// The same for text that stood in a string at this place.
    pub(super) fn inside_string(self, path: &str, offset: usize) -> Self {
        let code = if self.code == FaultCode::TruncatedLength { FaultCode::TruncatedValue } else { self.code };
        Fault::new(code, path.into(), offset)
    }

    pub(crate) fn at(code: FaultCode, offset: usize) -> Self {
        Fault::new(code, String::new(), offset)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(schema) = &self.schema {
            return write!(f, "the tool's schema cannot be used: {schema}");
        }
        write!(f, "{} at byte {}", self.code.hint(), self.offset)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " ({})", self.path) }
    }
}

impl core::error::Error for Fault {}
