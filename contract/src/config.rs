//! Configuration of tools: what people write, so nothing is forgiven, and everything that is wrong is told at once.
//!
//! Two stages. The first looks at the structure: types, names, ranges, members that are unknown or missing, by the type's schema and
//! by serde. The second asks the type for its own rules, by [`Config::validate`]. What only the second finds is of the
//! category `params_constraint`; where the structure is good enough to make a value, both are told together.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{self, Category, Problem};
use crate::{ToolError, ToolErrorKind, json, schema};

/// A type that configuration is read into.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolprism_contract::config::{self, Broken, Config};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Bash {
///     #[serde(default)]
///     background: bool,
///     #[serde(default)]
///     auto_background: bool,
///     timeout_secs: u32,
/// }
///
/// impl Config for Bash {
///     fn validate(&self, broken: &mut Broken) {
///         if self.auto_background && !self.background {
///             broken.rule("/auto_background", "false while `background` is off", "set `background` to true as well");
///         }
///     }
/// }
///
/// let error = config::read::<Bash>(r#"{"auto_background": true, "timeout_secs": 5, "colour": "red"}"#).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "invalid configuration: 2 problems
/// - `colour`: found \"red\"; there is no such member: leave `colour` out
/// - `auto_background`: expected false while `background` is off, found true; set `background` to true as well"
/// );
/// let error = config::read::<Bash>(r#"{"timeout_secs": -5}"#).err().unwrap();
/// assert_eq!(error.problems[0].category.as_str(), "params_invalid");
/// assert!(config::read::<Bash>(r#"{"timeout_secs": 5}"#).is_ok());
/// ```
pub trait Config: DeserializeOwned + JsonSchema + 'static {
    /// The rules that no type expresses. Every one that is broken is told, not only the first.
    fn validate(&self, broken: &mut Broken<'_>) {
        let _ = broken;
    }
}

/// Where broken rules are told.
#[derive(Debug)]
pub struct Broken<'d> {
    document: &'d str,
    problems: Vec<Problem>,
}

impl Broken<'_> {
    /// Tells of a rule that the value at `path` breaks: a JSON pointer such as `/servers/0/port`, the empty text for the whole.
    /// `expected` says what would be right, `hint` what to do.
    pub fn rule(&mut self, path: impl Into<String>, expected: impl Into<String>, hint: impl Into<String>) {
        let problem = Problem::new(path.into(), Category::Constraint, hint).expecting(expected);
        self.problems.push(match json::at(self.document, &problem.path) {
            Some(found) => problem.finding(found),
            None => problem,
        });
    }
}

/// Why a configuration was refused: everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigError {
    /// Those of the structure first, each stage in the order of the document; at least one.
    pub problems: Vec<Problem>,
    /// There are more problems than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

impl ConfigError {
    /// The same for a configuration that is a member of another document.
    ///
    /// ```
    /// # use toolprism_contract::config::{self, Config};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Limits { most: u8 }
    /// # impl Config for Limits {}
    /// let error = config::read::<Limits>("{}").err().unwrap().under("params");
    /// assert_eq!((&*error.problems[0].path, &*error.problems[0].field), ("/params/most", "params.most"));
    /// ```
    #[must_use]
    pub fn under(mut self, name: &str) -> Self {
        for problem in &mut self.problems {
            problem.path = format!("/{}{}", schema::escaped(name), problem.path);
            problem.field = problem::readable(&problem.path);
        }
        self
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        problem::text(f, "invalid configuration", &self.problems, self.more)
    }
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for ToolError {
    fn from(error: ConfigError) -> Self {
        let details = serde_json::to_value(&error).unwrap_or_default();
        ToolError::new(ToolErrorKind::InvalidArguments, error.to_string()).with_details(details)
    }
}

/// Reads configuration from JSON text.
pub fn read<T: Config>(text: &str) -> Result<T, ConfigError> {
    let asked = match schema::of::<T>().asked() {
        Ok(asked) => asked,
        Err(error) => return refuse(vec![Problem::new(String::new(), Category::Invalid, error.to_string())], false),
    };
    let violations = match asked.check(text) {
        Ok(violations) => violations,
        Err(fault) => {
            return refuse(vec![Problem::new(fault.path.clone(), Category::Invalid, fault.to_string())], false);
        }
    };
    let mut problems = problem::of_violations(&violations, text, schema::of::<T>());
    let mut ignored = Vec::new();
    let read = typed::<T>(text, &mut ignored);
    let unknown = ignored.into_iter().map(|path| {
        let hint = format!("there is no such member: leave `{}` out", problem::last_step(&path));
        let found = json::at(text, &path).unwrap_or_default();
        Problem::new(path.clone(), Category::UnknownField, hint).finding(found)
    });
    match read {
        Ok(config) => {
            // What serde could read is of the right structure, whatever the schema leaves untold, such as an alias.
            problems.retain(|problem| matches!(problem.category, Category::Constraint | Category::Invalid));
            problems.extend(unknown);
            let mut broken = Broken { document: text, problems };
            config.validate(&mut broken);
            if broken.problems.is_empty() { Ok(config) } else { refuse(broken.problems, violations.more) }
        }
        Err(problem) => {
            for problem in unknown.chain([*problem]).collect::<Vec<_>>() {
                if problems.iter().all(|known| known.path != problem.path) {
                    problems.push(problem);
                }
            }
            refuse(problems, violations.more)
        }
    }
}

/// Reads configuration from a JSON value.
pub fn read_value<T: Config>(value: &Value) -> Result<T, ConfigError> {
    read(&value.to_string())
}

fn refuse<T>(problems: Vec<Problem>, more: bool) -> Result<T, ConfigError> {
    Err(ConfigError { problems, more })
}

/// Reads the text as a type, with the ways to all members that it ignores.
fn typed<T: DeserializeOwned>(text: &str, ignored: &mut Vec<String>) -> Result<T, Box<Problem>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let read = serde_ignored::deserialize(tracked, |path| ignored.push(json::ignored_pointer(&path)));
    read.map_err(|error| Box::new(problem::of_serde(&error, json::pointer(&track.path()), text)))
}
