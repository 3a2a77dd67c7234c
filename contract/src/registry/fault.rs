//! Why a tool is not taken in.

use std::fmt;

use crate::schema::SchemaError;
use crate::{NameError, ParameterError, TemplateError};

/// Why a registry does not take a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryError {
    /// The tool: its qualified name, or its id where it has none.
    pub tool: String,
    /// What is wrong.
    pub fault: Box<RegistryFault>,
}

/// What can be wrong with a tool, or with a host's wishes about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryFault {
    /// Its id or namespace is no name.
    BadId(NameError),
    /// The name that the model should see is none.
    BadName(String, NameError),
    /// A tool of this qualified name is there.
    KeyTaken,
    /// Another tool has this client name.
    NameTaken {
        /// The name.
        name: String,
        /// The qualified name of the tool that has it.
        by: String,
    },
    /// The schema of its arguments cannot be used.
    Schema(SchemaError),
    /// The schema of its arguments takes no object, and models send nothing else.
    NoObject,
    /// A parameter cannot have the name that it should.
    Parameter(ParameterError),
    /// Its description, or one in its schema, is no template.
    Template(TemplateError),
    /// A template names a parameter that the tool does not have.
    TemplateParameter(String),
    /// It panicked when it was asked what it is.
    Panicked(String),
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool {:?} is not registered: {}", self.tool, self.fault)
    }
}

impl fmt::Display for RegistryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegistryFault::BadId(why) => write!(f, "its id or namespace is no name: {why}"),
            RegistryFault::BadName(name, why) => write!(f, "{name:?} is no name for it: {why}"),
            RegistryFault::KeyTaken => f.write_str("a tool of that name is registered already; remove it first"),
            RegistryFault::NameTaken { name, by } => {
                write!(f, "models know {by:?} as {name:?}; give one of the two another name")
            }
            RegistryFault::Schema(why) => why.fmt(f),
            RegistryFault::NoObject => {
                f.write_str("its arguments are no object: make them a struct with named fields, or `NoArgs`")
            }
            RegistryFault::Parameter(why) => why.fmt(f),
            RegistryFault::Template(why) => write!(f, "{why}"),
            RegistryFault::TemplateParameter(name) => {
                write!(f, "a template names its parameter {name:?}, which it does not have")
            }
            RegistryFault::Panicked(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for RegistryError {}
