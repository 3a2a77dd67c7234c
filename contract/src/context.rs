//! What a tool is told beside its arguments.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::CancelToken;

/// Values by their types: what a host hands to its tools, one of each type. A clone is independent of what it was made from.
///
/// ```
/// use toolprism_contract::Extensions;
/// struct WorkingDirectory(&'static str);
/// let mut extensions = Extensions::new();
/// extensions.insert(WorkingDirectory("/home/u"));
/// assert_eq!(extensions.get::<WorkingDirectory>().map(|dir| dir.0), Some("/home/u"));
/// ```
#[derive(Clone, Default)]
pub struct Extensions(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Extensions {
    /// None.
    pub fn new() -> Self {
        Extensions::default()
    }

    /// Puts a value in, in place of one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of this type.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Takes the value of this type out; whether there was one.
    pub fn remove<T: 'static>(&mut self) -> bool {
        self.0.remove(&TypeId::of::<T>()).is_some()
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extensions({})", self.0.len())
    }
}

/// What one call is told.
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    /// The call's id, as the model or its provider made it: any text.
    pub call_id: String,
    /// Whether the call is to stop. The stream of a call ends by itself then; a tool that works elsewhere has to ask.
    pub cancel: CancelToken,
    /// What the host hands to its tools.
    pub extensions: Extensions,
}

/// For whom tools are listed.
#[derive(Clone, Debug, Default)]
pub struct ListContext {
    /// What the host hands to its tools.
    pub extensions: Extensions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_value_a_type_and_clones_are_independent() {
        let mut one = Extensions::new();
        assert_eq!(one.get::<u8>(), None);
        one.insert(1_u8);
        one.insert("text");
        one.insert(2_u8);
        assert_eq!((one.get::<u8>(), one.get::<&str>(), one.get::<u16>()), (Some(&2), Some(&"text"), None));
        let mut other = one.clone();
        other.insert(3_u8);
        assert!(other.remove::<&str>() && !other.remove::<&str>());
        assert_eq!((one.get::<u8>(), one.get::<&str>()), (Some(&2), Some(&"text")));
        assert_eq!((other.get::<u8>(), other.get::<&str>()), (Some(&3), None));
    }
}
