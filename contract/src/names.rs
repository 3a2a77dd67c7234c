//! Names of tools: the id that its author gives, the namespace before it, the name that the model sees.

use std::fmt;
use std::str::FromStr;

use toolprism::WireNamespace;

/// The longest name that all model providers take.
pub const MAX_NAME: usize = 64;

/// Why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// It is empty.
    Empty,
    /// It is longer than [`MAX_NAME`] bytes.
    TooLong(usize),
    /// It holds a character outside `A-Z a-z 0-9 _ -`.
    Character(char),
    /// A qualified name has not exactly one colon.
    Colons(usize),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("it is empty"),
            NameError::TooLong(bytes) => write!(f, "it has {bytes} bytes, and {MAX_NAME} is the most"),
            NameError::Character(c) => write!(f, "it holds {c:?}: use letters, digits, '_' and '-'"),
            NameError::Colons(n) => write!(f, "it has {n} colons: write one, between namespace and id"),
        }
    }
}

impl std::error::Error for NameError {}

/// Checks a name: 1 to [`MAX_NAME`] of `A-Z a-z 0-9 _ -`, which every model provider takes.
///
/// ```
/// use toolprism_contract::{NameError, check_name};
/// assert_eq!(check_name("read_file"), Ok(()));
/// assert_eq!(check_name("read file"), Err(NameError::Character(' ')));
/// ```
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if let Some(c) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')) {
        return Err(NameError::Character(c));
    }
    if name.len() > MAX_NAME { Err(NameError::TooLong(name.len())) } else { Ok(()) }
}

/// A tool's key in a registry: `namespace:id`. Two tools of one id live side by side if their namespaces differ.
///
/// ```
/// use toolprism_contract::QualifiedName;
/// let name: QualifiedName = "GrokBuild:read_file".parse()?;
/// assert_eq!((name.namespace(), name.id()), ("grok_build", "read_file")); // aliases read as the wire value
/// assert!("read_file".parse::<QualifiedName>().is_err());
/// # Ok::<(), toolprism_contract::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QualifiedName {
    text: String,
    colon: usize,
}

impl QualifiedName {
    /// The name of tool `id` of `namespace`.
    pub fn new(namespace: &WireNamespace, id: &str) -> Result<Self, NameError> {
        check_name(namespace.as_str())?;
        check_name(id)?;
        Ok(QualifiedName { text: format!("{namespace}:{id}"), colon: namespace.as_str().len() })
    }

    /// The whole.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What stands before the colon.
    pub fn namespace(&self) -> &str {
        self.text.get(..self.colon).unwrap_or_default()
    }

    /// What stands behind the colon.
    pub fn id(&self) -> &str {
        self.text.get(self.colon + 1..).unwrap_or_default()
    }
}

impl FromStr for QualifiedName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.split_once(':') {
            Some((namespace, id)) if !id.contains(':') => QualifiedName::new(&WireNamespace::from(namespace), id),
            _ => Err(NameError::Colons(text.matches(':').count())),
        }
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_the_alphabet_that_all_providers_take() {
        for good in ["a", "read_file", "Read-File_2", "-", &"x".repeat(64)] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("", NameError::Empty),
            (" a", NameError::Character(' ')),
            ("a.b", NameError::Character('.')),
            ("tür", NameError::Character('ü')),
            ("a\0", NameError::Character('\0')),
            (&"x".repeat(65), NameError::TooLong(65)),
        ] {
            assert_eq!(check_name(bad), Err(why), "{bad}");
        }
    }

    #[test]
    fn qualified_names_have_one_colon_and_two_ends() {
        let name: QualifiedName = "codex:read_file".parse().unwrap();
        assert_eq!((name.as_str(), name.namespace(), name.id()), ("codex:read_file", "codex", "read_file"));
        for (bad, why) in [
            ("read_file", NameError::Colons(0)),
            ("a:b:c", NameError::Colons(2)),
            (":b", NameError::Empty),
            ("a:", NameError::Empty),
            ("a: b", NameError::Character(' ')),
        ] {
            assert_eq!(bad.parse::<QualifiedName>(), Err(why), "{bad}");
        }
    }
}
