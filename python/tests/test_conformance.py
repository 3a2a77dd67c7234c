"""The cases of `conformance/faces.jsonl`: objects in, and the answer as canonical JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolprism

FILE = Path(__file__).parents[2] / "conformance" / "faces.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").split("\n") if line]


def read(text: str) -> toolprism.CallLedger:
    ledger = toolprism.CallLedger()
    ledger.push(text)
    ledger.finish()
    return ledger


ANSWERS: dict[str, Callable[[str, str], Any]] = {
    "identify": lambda text, _: toolprism.identify(json.loads(text)),
    "parse_meta": lambda text, _: toolprism.parse_meta(json.loads(text)),
    "parse_meta_strict": lambda text, _: toolprism.parse_meta(json.loads(text), strict=True),
    "stamp_meta": lambda text, second: toolprism.stamp_meta(json.loads(text), json.loads(second)),
    "read_session": lambda text, _: toolprism.read_session(text),
    "groups": lambda text, second: read(text).groups(second),  # type: ignore[arg-type]
    "runs": lambda text, second: read(text).runs(second),  # type: ignore[arg-type]
    "finalize": lambda text, _: toolprism.finalize(json.loads(text)),
}


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def test_cases() -> None:
    failures: list[str] = []
    ran: set[str] = set()
    for number, case in enumerate(CASES, 1):
        op, text, second = case["op"], case["input"], case.get("second", "")
        if case.get("error") == "not_json":
            continue
        ran.add(op)
        answer = case.get("answer")
        wanted = f"error {case['error']}" if "error" in case else canonical(None if answer is None else json.loads(answer))
        try:
            got = canonical(ANSWERS[op](text, second))
        except toolprism.ToolprismError as error:
            got = f"error {error.kind}"
        if got != wanted:
            failures.append(f"line {number}: {op} of {text[:200]}\n  wanted {wanted[:600]}\n  got    {got[:600]}")
    assert not failures, f"{len(failures)} of {len(CASES)} differ\n" + "\n".join(failures[:5])
    assert ran == set(ANSWERS)


@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_pieces_of_any_size_give_the_same(cut: int) -> None:
    text = max((case["input"] for case in CASES if case["op"] == "read_session"), key=len).encode()[:200_000]
    ledger = toolprism.CallLedger()
    for at in range(0, len(text), cut):
        ledger.push(memoryview(text)[at : at + cut])
    ledger.finish()
    assert ledger.calls() == toolprism.read_session(text)["calls"]
    assert ledger.calls()
