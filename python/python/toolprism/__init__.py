"""One contract for the tool calls of every coding agent.

    >>> import toolprism
    >>> toolprism.identify({"harness": "claude_code", "name": "Bash", "raw_input": {"command": "ls"}})["label"]
    'Run Command'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from . import types
from ._errors import ToolprismError
from ._native import CallLedger, Finalizer, PartialInput, __version__, identify, parse_meta, read_session, stamp_meta
from ._scan import Scan, scan
from ._tools import Context, Output, Registry, Result, Tool, ToolError, tool

__all__ = [
    "CallLedger",
    "Context",
    "Finalizer",
    "Output",
    "PartialInput",
    "Registry",
    "Result",
    "Scan",
    "Tool",
    "ToolError",
    "ToolprismError",
    "__version__",
    "finalize",
    "identify",
    "parse_meta",
    "read_session",
    "scan",
    "stamp_meta",
    "tool",
    "types",
]


@lru_cache(maxsize=16)
def _finalizer(profile: Literal["guarded", "reference"], without: tuple[str, ...], max_args_bytes: int) -> Finalizer:
    return Finalizer(profile=profile, without=without, max_args_bytes=max_args_bytes)


def finalize(
    question: dict[str, Any],
    *,
    profile: Literal["guarded", "reference"] = "guarded",
    without: Sequence[str] = (),
    max_args_bytes: int = 0,
) -> types.Judgement:
    """Judges one completed call against its schema: pass, rewrite or reject, with the reason and a list of changes.

    `without` names classes of changes that are not to be made, `max_args_bytes` sets a limit (0: none of its own).
    """
    return _finalizer(profile, tuple(without), max_args_bytes).finalize(question)
