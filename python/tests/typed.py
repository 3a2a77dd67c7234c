"""For type checkers alone: what a user writes is typed, strictly."""

from __future__ import annotations

from collections.abc import Iterator

import toolprism
from toolprism.types import Call, Group, Progress


def failed(scan: toolprism.Scan) -> Iterator[tuple[str, int | None, str | None]]:
    for call in scan:
        if call["status"] == "failed":
            yield call["label"], call["exit_code"], call["error"]


def largest(paths: list[str]) -> Group | None:
    groups = toolprism.scan(paths, progress=lambda progress: print(progress.bytes)).groups(by="path")
    return groups[0] if groups else None


def path_of(call: Call) -> str:
    found = call["input"]
    return found.get("path", "") if found else ""


def label(name: str) -> str:
    meta = toolprism.parse_meta({"x.ai/tool": {"name": name}})
    return meta["label"] if meta is not None else toolprism.identify({"name": name})["label"]


def judged(text: str) -> str | None:
    answer = toolprism.finalize({"input": text}, profile="guarded", without=["strip_fence"])
    return answer.get("args") if answer["outcome"] == "rewrite" else text


def live(pieces: Iterator[bytes]) -> list[Call]:
    ledger = toolprism.CallLedger(raw_input=True)
    for piece in pieces:
        ledger.push(piece)
    ledger.finish()
    assert len(ledger) == len(ledger.calls())
    return ledger.calls()


def streamed(deltas: Iterator[str]) -> str:
    arguments = toolprism.PartialInput(mode="lenient", keep={"head": 5000})
    for delta in deltas:
        arguments.push(delta)
    arguments.finish()
    found = arguments.identify({"name": "Read"})
    state = arguments.state()
    if "fault" in state:
        return f"{state['fault']['message']} at {state['fault']['offset']}"
    return ", ".join(found["growing"]) if not arguments.is_complete else found["label"]


def place(path: str) -> tuple[str | None, int | None, int | None]:
    try:
        toolprism.scan(path, strict=True)
    except toolprism.ToolprismError as error:
        return error.file, error.line, error.offset
    return None, None, None


def share(progress: Progress) -> float:
    return progress.bytes / max(progress.total_bytes, 1)


@toolprism.tool(kind="read", namespace="mine", read_only=True)
def head(path: str, lines: int = 10) -> str:
    return path * lines


@toolprism.tool
async def later(path: str) -> int:
    return len(path)


def call(registry: toolprism.Registry) -> tuple[str, bool, str | None, list[str]]:
    registry.add(head, name="view", parameters={"path": "file"})
    registry.add(later)
    text: str = head("a", lines=2)
    result = registry.call("view", {"file": text}, id="1", on_update=lambda update: print(update["status"]))
    kind = None if result.error is None else result.error["kind"]
    strict = [tool["strict"] for tool in registry.list("openai")]
    return result.prompt, result.is_error, kind, [change["code"] for change in result.changes] + strict


async def acall(registry: toolprism.Registry) -> int:
    await registry.acall("later", '{"path": "a"}')
    return await later("a")
