//! Codex code mode: the one tool call in a script, read without running it.

use super::Projected;
use crate::catalog::Toolset;

/// Takes the call for the tool that the script calls, if it calls exactly one with literal arguments.
pub(super) fn refine(_toolset: &'static Toolset, _source: &str, _out: &mut Projected) {}
