//! What a call of a tool can fail with.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

macro_rules! kinds {
    ($( $(#[$doc:meta])* $kind:ident $name:literal )*) => {
        /// Why a call failed. The names are those of the tool contract that Grok Build has (revision of August 2026).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ToolErrorKind {
            $( $(#[$doc])* $kind, )*
        }

        impl ToolErrorKind {
            /// Every kind.
            pub const ALL: &'static [ToolErrorKind] = &[ $( ToolErrorKind::$kind, )* ];

            /// Its stable name, such as `invalid_arguments`; the same when it is serialized.
            pub const fn as_str(self) -> &'static str {
                match self { $( ToolErrorKind::$kind => $name, )* }
            }

            /// The kind of this name.
            pub fn from_name(name: &str) -> Option<ToolErrorKind> {
                match name { $( $name => Some(ToolErrorKind::$kind), )* _ => None }
            }
        }
    };
}

kinds! {
    /// The tool has no implementation.
    NotImplemented "not_implemented"
    /// The arguments are not what the tool takes. Whoever called can put them right.
    InvalidArguments "invalid_arguments"
    /// There is no such tool, or not what it was asked for.
    NotFound "not_found"
    /// Somebody or something does not let it happen.
    PermissionDenied "permission_denied"
    /// Who calls has not said who it is.
    Unauthorized "unauthorized"
    /// It took longer than it may.
    Timeout "timeout"
    /// It was stopped.
    Cancelled "cancelled"
    /// Too many calls in too short a time.
    RateLimited "rate_limited"
    /// A pool that is shared with others is used up.
    UsagePoolExhausted "usage_pool_exhausted"
    /// What may be used is used up.
    UsageLimitReached "usage_limit_reached"
    /// Too many calls of everybody together.
    GlobalRateLimit "global_rate_limit"
    /// Too many calls at the same time.
    ConcurrencyLimit "concurrency_limit"
    /// A service that it needs is not there for now.
    ServiceUnavailable "service_unavailable"
    /// A service that it needs cannot be reached.
    NetworkError "network_error"
    /// It failed while it ran.
    Execution "execution"
    /// The tool does not have that version of its behaviour.
    BehaviorVersionUnsupported "behavior_version_unsupported"
    /// Its output cannot be shown within a limit.
    RenderLimited "render_limited"
    /// It failed in a way that makes another try useless.
    TerminalError "terminal_error"
    /// Any other, told apart by its code.
    Custom "custom"
}

impl fmt::Display for ToolErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ToolErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ToolErrorKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        ToolErrorKind::from_name(&name)
            .ok_or_else(|| serde::de::Error::custom(format_args!("\"{name}\" is no kind of tool error")))
    }
}

/// Why a call failed: its kind for programs, a message for the model and for people, details for whoever looks closer.
///
/// ```
/// use toolprism_contract::{ToolError, ToolErrorKind};
/// let error = ToolError::new(ToolErrorKind::RateLimited, "at most 5 searches a minute: wait 20 seconds");
/// assert_eq!(error.to_string(), "at most 5 searches a minute: wait 20 seconds");
/// assert_eq!(error.code(), "rate_limited");
/// assert_eq!(ToolError::custom("disk_full", "no room for the file").code(), "disk_full");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolError {
    /// For programs.
    pub kind: ToolErrorKind,
    /// What is wrong, and what to do about it.
    pub message: String,
    /// More, as JSON. Of kind `custom` it is an object with the member `code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl ToolError {
    /// An error without details.
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        ToolError { kind, message: message.into(), details: None }
    }

    /// An error of kind `custom` with a code of the caller's own.
    pub fn custom(code: &str, message: impl Into<String>) -> Self {
        ToolError::new(ToolErrorKind::Custom, message).with_details(json!({ "code": code }))
    }

    /// An error of kind `execution`: what a tool usually fails with.
    ///
    /// ```
    /// # use toolprism_contract::{ToolError, ToolErrorKind};
    /// let read = std::fs::read_to_string("no such file").map_err(ToolError::execution);
    /// assert_eq!(read.unwrap_err().kind, ToolErrorKind::Execution);
    /// ```
    pub fn execution(why: impl fmt::Display) -> Self {
        ToolError::new(ToolErrorKind::Execution, why.to_string())
    }

    /// With these details.
    pub fn with_details(self, details: Value) -> Self {
        ToolError { details: Some(details), ..self }
    }

    /// What tells this error apart for programs: the code of a `custom` one, or the name of its kind.
    pub fn code(&self) -> &str {
        let own = self.details.as_ref().filter(|_| self.kind == ToolErrorKind::Custom);
        own.and_then(|details| details.get("code")?.as_str()).unwrap_or(self.kind.as_str())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

/// Arguments that serde refuses.
impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        ToolError::new(ToolErrorKind::InvalidArguments, error.to_string())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_nineteen_names_are_stable_and_the_same_in_json() {
        let names: Vec<_> = ToolErrorKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(
            names.join(" "),
            "not_implemented invalid_arguments not_found permission_denied unauthorized timeout cancelled rate_limited \
             usage_pool_exhausted usage_limit_reached global_rate_limit concurrency_limit service_unavailable \
             network_error execution behavior_version_unsupported render_limited terminal_error custom"
        );
        for kind in ToolErrorKind::ALL {
            let json = Value::from(kind.as_str());
            assert_eq!(serde_json::to_value(kind).unwrap(), json);
            assert_eq!(serde_json::from_value::<ToolErrorKind>(json).unwrap(), *kind);
            assert_eq!(kind.to_string(), kind.as_str());
        }
        assert!(serde_json::from_value::<ToolErrorKind>(json!("NotFound")).is_err());
    }

    #[test]
    fn an_error_comes_back_from_its_json() {
        let plain = ToolError::new(ToolErrorKind::Timeout, "too slow");
        assert_eq!(serde_json::to_value(&plain).unwrap(), json!({"kind": "timeout", "message": "too slow"}));
        let custom = ToolError::custom("missing_cwd", "no directory");
        let json = serde_json::to_value(&custom).unwrap();
        assert_eq!(json, json!({"kind": "custom", "message": "no directory", "details": {"code": "missing_cwd"}}));
        for error in [plain, custom] {
            let json = serde_json::to_value(&error).unwrap();
            assert_eq!(serde_json::from_value::<ToolError>(json).unwrap(), error);
        }
    }

    #[test]
    fn only_custom_errors_have_a_code_of_their_own() {
        let details = json!({"code": "mine"});
        let named = ToolError::new(ToolErrorKind::NotFound, "").with_details(details);
        assert_eq!(named.code(), "not_found");
        assert_eq!(ToolError::new(ToolErrorKind::Custom, "").code(), "custom");
        assert_eq!(ToolError::custom("mine", "").code(), "mine");
        let other = ToolError::new(ToolErrorKind::Custom, "").with_details(json!("text"));
        assert_eq!((other.code(), &other.details), ("custom", &Some(json!("text"))));
    }

    #[test]
    fn what_serde_refuses_are_arguments() {
        let error = ToolError::from(serde_json::from_str::<u8>("\"x\"").unwrap_err());
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
        assert!(error.message.contains("invalid type: string \"x\", expected u8"), "{error}");
    }
}
