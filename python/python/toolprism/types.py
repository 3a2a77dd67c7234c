"""The forms of what the package hands out: plain dicts, with these members."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypedDict

GroupBy = Literal["label", "kind", "name", "namespace", "path", "harness", "server"]
"""What calls are grouped by."""

Status = Literal["pending", "in_progress", "completed", "failed", "rejected", "cancelled", "unresolved"]
"""How far a call has come. `unresolved`: the log says nothing of how it ended."""

Kind = Literal[
    "read", "edit", "delete", "list_dir", "write", "move", "search", "lsp", "execute", "plan", "web_search",
    "web_fetch", "background_task_action", "wait_tasks_action", "kill_task_action", "list", "skill",
    "memory_search", "memory_get", "task", "active_agent_message", "enter_plan", "exit_plan", "ask_user",
    "image_gen", "video_gen", "image_to_video", "reference_to_video", "deploy_app", "init_or_update_app",
    "search_tool", "use_tool", "monitor", "goal_update", "workflow", "feedback", "other",
]
"""What a tool does."""

Profile = Literal["openai", "anthropic", "gemini", "mcp"]
"""Whose form a list of tools has: a request to OpenAI's Responses API (strict), to Anthropic's Messages API, to Gemini's API, or the
answer to MCP's `tools/list`."""


class CanonicalInput(TypedDict, total=False):
    """What a call is about, in the same words whatever the tool."""

    path: str
    offset: int
    limit: int
    command: str
    description: str
    cwd: str
    directory: str
    pattern: str


class _Envelope(TypedDict):
    version: int
    name: str
    kind: str
    namespace: str
    label: str
    read_only: bool


class Envelope(_Envelope, total=False):
    """The envelope: what a tool call is, in every agent's logs alike."""

    input: CanonicalInput


class _Identity(Envelope):
    why: str


class Identity(_Identity, total=False):
    """An envelope, what led to it (`why`), and for MCP calls the server and its tool."""

    server: str
    tool: str


class PartialIdentity(Identity):
    """What a call is whose arguments stream. `growing`: the fields of `input` that may yet get longer, or that were cut off."""

    growing: list[str]


class Keep(TypedDict, total=False):
    """What to keep of long strings, in bytes from their front (4096 at least) and their end."""

    head: int
    tail: int


class PartialFault(TypedDict):
    """What is wrong with arguments, at which byte."""

    code: str
    offset: int
    message: str


class _PartialState(TypedDict):
    state: Literal["open", "complete", "incomplete", "broken"]
    late: int


class PartialState(_PartialState, total=False):
    """How far arguments are. `late`: how many bytes came after the end; `fault`: of what is broken."""

    fault: PartialFault


class _Call(TypedDict):
    id: str
    name: str
    label: str
    kind: str
    namespace: str
    read_only: bool
    status: Status
    input: CanonicalInput | None
    harness: str | None
    format: str | None
    session: str | None
    parent_id: str | None
    file: str | None
    line: int
    why: str
    server: str | None
    tool: str | None
    agent: str | None
    title: str | None
    version: str | None
    exit_code: int | None
    error: str | None
    started_at: str | None
    ended_at: str | None
    duration_ms: int | None
    offset: int
    known: bool
    flags: list[str]


class Call(_Call, total=False):
    """A call of a log or a live stream. `raw_input` is there where it was asked for."""

    raw_input: Any


class Often(TypedDict, total=False):
    """A name, label or path, and in how many calls it occurs."""

    name: str
    label: str
    path: str
    calls: int


class Group(TypedDict):
    """Calls that share something."""

    key: str
    by: GroupBy
    value: str
    calls: int
    pending: int
    in_progress: int
    completed: int
    failed: int
    rejected: int
    cancelled: int
    unresolved: int
    read_only: int
    read_only_share: float
    timed: int
    duration_ms: int
    longest_ms: int
    names: list[Often]
    labels: list[Often]
    paths: int
    top_paths: list[Often]


class Run(TypedDict):
    """Neighbouring calls that share something."""

    key: str
    by: GroupBy
    value: str | None
    calls: int
    session: str | None
    file: str | None
    line: int | None
    first_id: str | None
    last_id: str | None
    started_at: str | None
    ended_at: str | None
    pending: int
    in_progress: int
    completed: int
    failed: int
    rejected: int
    cancelled: int
    unresolved: int
    read_only: int
    read_only_share: float
    timed: int
    duration_ms: int
    longest_ms: int
    names: list[Often]
    labels: list[Often]
    paths: int
    top_paths: list[Often]


class _Span(TypedDict):
    line: int
    offset: int
    bytes: int
    reason: str
    message: str


class Span(_Span, total=False):
    """Bytes that could not be read. `file` is there where a file was read."""

    file: str


class Report(TypedDict):
    """What was read. The numbers of bytes are None until the end."""

    format: str | None
    bytes: int | None
    quarantined_bytes: int | None
    quarantined: list[Span]
    more_quarantined: int


class Session(TypedDict):
    """A whole log."""

    calls: list[Call]
    report: Report


class HarnessCalls(TypedDict):
    """The calls of one agent."""

    harness: str | None
    calls: int


class Totals(TypedDict):
    """The figures of a scan."""

    calls: int
    sessions: int
    pending: int
    in_progress: int
    completed: int
    failed: int
    rejected: int
    cancelled: int
    unresolved: int
    harnesses: list[HarnessCalls]
    files: int
    files_passed_over: int
    files_unreadable: int
    bytes: int
    bytes_quarantined: int
    spans_quarantined: int
    copies_removed: int


class Change(TypedDict):
    """A change that a rewrite has made."""

    code: str
    severity: str
    path: str
    offset: int | None


class Fault(TypedDict, total=False):
    """Why a call was rejected."""

    code: str
    path: str
    offset: int | None
    message: str
    change: str


class _Judgement(TypedDict):
    outcome: Literal["pass", "rewrite", "reject", "unrepairable"]
    tool_name: str
    reason: str
    changes: list[Change]


class Judgement(_Judgement, total=False):
    """What becomes of a call. `args` is the text of a rewrite's arguments; `args_b64` has them where they are no UTF-8."""

    args: str | None
    args_b64: str
    fault: Fault | None


class Progress(NamedTuple):
    """How far a scan has come."""

    files: int
    total_files: int
    bytes: int
    total_bytes: int


class _ToolChange(TypedDict):
    code: str
    path: str


class ToolChange(_ToolChange, total=False):
    """A change that made a call one of the tool: where, what was there and what is there now, as far as that can be told."""

    found: str
    became: str


class _ToolErrorRecord(TypedDict):
    kind: str
    message: str


class ToolErrorRecord(_ToolErrorRecord, total=False):
    """Why a call failed. Of kind `invalid_arguments`, `details["problems"]` lists `{path, field, category, expected, found, hint}`."""

    details: Any
