//! Which tool a call means.

use crate::{Reason, ToolDefinition, names};

/// The tool of this name: `exact` if it is that, else the last of `catalog` with exactly this name, else the only one
/// with another spelling of it.
pub(super) fn resolve<'a>(
    name: &str,
    exact: Option<&'a ToolDefinition>,
    catalog: &'a [ToolDefinition],
) -> Result<&'a ToolDefinition, Reason> {
    let same = |tool: &&ToolDefinition| tool.name == name;
    if let Some(tool) = exact.filter(same).or_else(|| catalog.iter().rfind(same)) {
        return Ok(tool);
    }
    let mut alike = catalog.iter().filter(|tool| names::same(&tool.name, name));
    let tool = alike.next().ok_or(Reason::Unrepairable)?;
    if alike.next().is_some() { Err(Reason::AmbiguousToolName) } else { Ok(tool) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Vec<ToolDefinition> {
        names.iter().enumerate().map(|(i, name)| ToolDefinition::new(*name, i.to_string())).collect()
    }

    #[test]
    fn exact_names_come_first_and_look_alikes_must_be_alone() {
        let catalog = tools(&["run", "Run", "run", "walk_far"]);
        let found = |name, exact| resolve(name, exact, &catalog).map(|tool| tool.parameters.clone());
        assert_eq!(found("run", None), Ok(b"2".to_vec()));
        assert_eq!(found("run", catalog.first()), Ok(b"0".to_vec()));
        assert_eq!(found("walkFar", catalog.first()), Ok(b"3".to_vec()));
        assert_eq!(found("RUN", None), Err(Reason::AmbiguousToolName));
        assert_eq!(found("fly", None), Err(Reason::Unrepairable));
        assert_eq!(found("_", None), Err(Reason::Unrepairable));
    }
}
