//! Which changes may be made.

use crate::{Code, Severity};

/// The classes of change that the `guarded` profile may make. A call that needs another one is refused.
///
/// ```
/// use toolprism_repair::{Allowed, Code, Severity};
/// let careful = Allowed::ALL.without_all(Severity::Shape).without(Code::ClosedBrackets);
/// assert!(careful.has(Code::TrailingComma) && !careful.has(Code::WrapSingle) && !careful.has(Code::ClosedBrackets));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed(u64);

impl Allowed {
    /// All of them.
    pub const ALL: Allowed = Allowed(u64::MAX);

    /// None: every call that is not valid as it stands is refused.
    pub const NONE: Allowed = Allowed(0);

    /// All but this one.
    pub const fn without(self, code: Code) -> Self {
        Allowed(self.0 & !(1 << code as u32))
    }

    /// All but those that go this far: [`Severity::Scalar`] and [`Severity::Shape`] are the switches for coercion.
    pub fn without_all(self, severity: Severity) -> Self {
        let codes = Code::ALL.iter().filter(|code| code.severity() == severity);
        codes.fold(self, |allowed, code| allowed.without(*code))
    }

    /// These, and this one.
    pub const fn with(self, code: Code) -> Self {
        Allowed(self.0 | 1 << code as u32)
    }

    /// Whether this one is allowed.
    pub const fn has(self, code: Code) -> bool {
        self.0 & 1 << code as u32 != 0
    }
}

const _: () = assert!(Code::ALL.len() <= 64, "a bit for each code");
