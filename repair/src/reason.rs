//! The reason codes of the seam: a closed set, the same in every language.

use core::fmt;
use core::str::FromStr;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $wire:literal,)*) => {
        /// Why a call was passed, rewritten or refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &'static [Reason] = &[$(Reason::$name,)*];

            /// The code as it is written on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Reason::$name => $wire,)*
                }
            }
        }
    };
}

reasons! {
    /// The arguments are valid as they stand.
    ValidPassThrough = "valid_pass_through",
    /// The text was not JSON, or not the JSON that was meant, and has been mended.
    SyntaxRepaired = "syntax_repaired",
    /// The tool's name was spelt otherwise.
    ToolNameNormalized = "tool_name_normalized",
    /// A member's name was spelt otherwise.
    PropertyRenamed = "property_renamed",
    /// A member that was not there has its schema's default.
    DefaultInserted = "default_inserted",
    /// A member that was not there has its schema's constant.
    ConstInserted = "const_inserted",
    /// A value stands as its enumeration spells it, or the only one of its enumeration was inserted.
    EnumInserted = "enum_inserted",
    /// A member that the schema forbids was left out.
    AdditionalPropertyRemoved = "additional_property_removed",
    /// The tool's name could mean several tools.
    AmbiguousToolName = "ambiguous_tool_name",
    /// A member's name could mean several properties.
    AmbiguousProperty = "ambiguous_property",
    /// The arguments cannot be mended without inventing something.
    Unrepairable = "unrepairable",
    /// The tool's schema breaks a limit, is no JSON, or refers to what is not there.
    SchemaInvalid = "schema_invalid",
    /// The tool's schema uses what is not supported.
    SchemaUnsupported = "schema_unsupported",
    /// The arguments are longer than allowed, or a number or name in them is.
    ArgsTooLarge = "args_too_large",
    /// A scalar has the wrong type, and turning it into the right one is switched off.
    ScalarCoercionDisabled = "scalar_coercion_disabled",
    /// The caller gave up.
    Canceled = "canceled",
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is none of the reason codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownReason;

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no reason code of the finalizer seam")
    }
}

impl core::error::Error for UnknownReason {}

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        Reason::ALL.iter().copied().find(|reason| reason.as_str() == text).ok_or(UnknownReason)
    }
}
