//! What a finalizer changed: one record a change, by a stable code, with its place and how far it goes.

use alloc::string::String;
use core::fmt;

/// How far a change goes, from harmless to what a careful host asks its user about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Another spelling of the same: a comma, a quote, a bracket that can stand in one place only.
    Lossless,
    /// Text around the arguments was left out: a fence, prose, a leaked token.
    Noise,
    /// A scalar stands with the type that its schema wants, and says the same: its text is unchanged, except for the further
    /// rules of [`Schema::align`](crate::Schema::align).
    Scalar,
    /// The shape is another: wrapped, unwrapped, renamed, a member left out, a null read as nothing.
    Shape,
    /// A value was inserted that the schema names. Only the `reference` profile does so.
    Inserted,
}

impl Severity {
    /// A short stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Lossless => "lossless",
            Severity::Noise => "noise",
            Severity::Scalar => "scalar",
            Severity::Shape => "shape",
            Severity::Inserted => "inserted",
        }
    }
}

macro_rules! codes {
    ($($severity:ident { $($(#[$doc:meta])* $name:ident = $wire:literal,)* })*) => {
        /// A class of change. Each can be switched off in the `guarded` profile.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($($(#[$doc])* $name,)*)*
        }

        impl Code {
            /// All of them, from harmless to far-reaching.
            pub const ALL: &'static [Code] = &[$($(Code::$name,)*)*];

            /// The code as it is written on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Code::$name => $wire,)*)*
                }
            }

            /// How far a change of this class goes.
            pub const fn severity(self) -> Severity {
                match self {
                    $($(Code::$name => Severity::$severity,)*)*
                }
            }
        }
    };
}

codes! {
    Lossless {
        /// A byte order mark in front was left out.
        Bom = "bom",
        /// White space between tokens that JSON does not know.
        OddWhitespace = "odd_whitespace",
        /// Missing closing brackets at the end were added.
        ClosedBrackets = "closed_brackets",
        /// A closing bracket was of the wrong kind, or others were missing before it.
        MismatchedCloser = "mismatched_closer",
        /// Closing brackets behind the end were left out.
        ExtraCloser = "extra_closer",
        /// The opening brace was lost.
        MissingOpenBrace = "missing_open_brace",
        /// A comma before a closing bracket was left out.
        TrailingComma = "trailing_comma",
        /// A comma with nothing before it was left out.
        ExtraComma = "extra_comma",
        /// A comma between members, or between objects of an array, was missing.
        MissingComma = "missing_comma",
        /// A key and its value were joined by something else than a colon.
        ColonVariant = "colon_variant",
        /// A comment was left out.
        Comment = "comment",
        /// Strings in single quotes.
        SingleQuotes = "single_quotes",
        /// Strings in typographic quotes.
        SmartQuotes = "smart_quotes",
        /// Strings in backticks.
        BacktickQuotes = "backtick_quotes",
        /// Quotes inside a string were not escaped.
        UnescapedQuote = "unescaped_quote",
        /// A control character inside a string was not escaped.
        RawControlChar = "raw_control_char",
        /// An escape that JSON does not know was taken as the text it is.
        InvalidEscape = "invalid_escape",
        /// A key without quotes, or with one of them.
        UnquotedKey = "unquoted_key",
        /// A bare word where the schema wants a string.
        UnquotedString = "unquoted_string",
        /// `True`, `False` or `None`, in any of their spellings.
        PythonLiteral = "python_literal",
        /// A number as `.5`, `5.` or `+5`.
        NumberFormat = "number_format",
        /// The same key twice with the same value.
        DuplicateKey = "duplicate_key",
    }
    Noise {
        /// A Markdown fence around the arguments was left out.
        CodeFence = "code_fence",
        /// Text around the arguments was left out.
        SurroundingText = "surrounding_text",
        /// A token of a chat template was left out.
        SpecialToken = "special_token",
        /// An empty object beside the arguments was left out.
        EmptyPlaceholder = "empty_placeholder",
        /// The same object came several times.
        DuplicateObject = "duplicate_object",
        /// A prefix of the tool's name was left out.
        NamePrefix = "name_prefix",
        /// A suffix of the tool's name was left out.
        NameSuffix = "name_suffix",
        /// The tool's name in another case, or with other separators.
        NameCase = "name_case",
    }
    Scalar {
        /// Decimal text for a number.
        StringToNumber = "string_to_number",
        /// `true` or `false` as text for a boolean.
        StringToBool = "string_to_bool",
        /// `null` as text for a null.
        StringToNull = "string_to_null",
        /// A number for a text: its own digits.
        NumberToString = "number_to_string",
        /// A boolean for a text.
        BoolToString = "bool_to_string",
        /// A value of an enumeration in another case, padded, or with other separators.
        EnumCase = "enum_case",
        /// A whole number written with a point or an exponent. Only [`Schema::align`](crate::Schema::align) does so.
        WholeNumber = "whole_number",
        /// `yes`, `no`, `1` or `0` as text for a boolean, in any case. Only [`Schema::align`](crate::Schema::align) does so.
        WordToBool = "word_to_bool",
        /// 1 or 0 for a boolean. Only [`Schema::align`](crate::Schema::align) does so.
        NumberToBool = "number_to_bool",
    }
    Shape {
        /// The arguments, or a member of them, were encoded once more.
        DoubleEncoded = "double_encoded",
        /// The arguments had their quotes escaped, without being a string.
        EscapedJson = "escaped_json",
        /// An array as JSON text.
        StringToArray = "string_to_array",
        /// An object as JSON text.
        StringToObject = "string_to_object",
        /// One value where a list of such is wanted.
        WrapSingle = "wrap_single",
        /// A list of one where its element is wanted.
        UnwrapSingle = "unwrap_single",
        /// The arguments were the one element of an array.
        SingleItemArray = "single_item_array",
        /// The arguments stood inside an envelope, such as `arguments`.
        Envelope = "envelope",
        /// The text of a patch for a tool that takes nothing but that.
        RawTextWrapped = "raw_text_wrapped",
        /// Nothing at all for a tool that requires nothing.
        EmptyArgs = "empty_args",
        /// `null` for a tool that requires nothing.
        NullArgs = "null_args",
        /// A member's name in another case, padded, or with other separators.
        KeyRenamed = "key_renamed",
        /// `null` for a member that may be absent but not null.
        NullOptionalDropped = "null_optional_dropped",
        /// `undefined` for a member that may be absent.
        UndefinedDropped = "undefined_dropped",
        /// `null` for a required boolean: false. Only [`Schema::align`](crate::Schema::align) does so.
        NullToFalse = "null_to_false",
        /// `null` for a required list: an empty one. Only [`Schema::align`](crate::Schema::align) does so.
        NullToEmptyList = "null_to_empty_list",
        /// A member that the schema forbids was left out.
        PropertyRemoved = "additional_property_removed",
    }
    Inserted {
        /// The schema's default.
        DefaultInserted = "default_inserted",
        /// The schema's constant.
        ConstInserted = "const_inserted",
        /// The one value of an enumeration.
        EnumInserted = "enum_inserted",
        /// An open string, number or container was closed where the text ends.
        TextCompleted = "text_completed",
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was changed.
    pub code: Code,
    /// Where, as a JSON pointer into the arguments, with names as they stood when the change was made; empty for the whole,
    /// and for the tool's name.
    pub path: String,
    /// Where, as a byte offset in the arguments as they came.
    pub offset: usize,
}
