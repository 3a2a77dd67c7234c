//! What is wrong with arguments or with configuration: one record a problem, for programs and for the model.

use std::fmt;

use serde::Serialize;

/// What sort of problem it is. The names are those of the tool contract that Grok Build has for configuration (revision of
/// August 2026); arguments have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// A member that is not declared.
    UnknownField,
    /// A required member is not there.
    MissingField,
    /// A value or a tag that is none of those listed.
    UnknownVariant,
    /// A value of another type.
    Type,
    /// A value of the right type that cannot be read all the same.
    Invalid,
    /// A value that breaks a rule beyond its type.
    Constraint,
}

impl Category {
    /// Its stable name, such as `params_type`; the same when it is serialized.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::UnknownField => "params_unknown_field",
            Category::MissingField => "params_missing_field",
            Category::UnknownVariant => "params_unknown_variant",
            Category::Type => "params_type",
            Category::Invalid => "params_invalid",
            Category::Constraint => "params_constraint",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Category {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One thing that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, as a JSON pointer (RFC 6901); empty for the whole. Of a missing member it is the member's own.
    pub path: String,
    /// The same for people and models: `edits[0].path`, and `env["a.b"]` where a name is no plain word.
    pub field: String,
    /// What sort of problem.
    pub category: Category,
    /// What is wanted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is there, cut short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What to do.
    pub hint: String,
}
