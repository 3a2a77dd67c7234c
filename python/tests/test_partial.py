"""Arguments that stream: the cases of `conformance/partial.jsonl`, cut everywhere, and what a caller may do wrong."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import toolprism
from toolprism import PartialInput, ToolprismError

FOLDER = Path(__file__).parents[2] / "conformance"
CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "partial.jsonl").read_text("utf-8").split("\n") if line
]
READ = {"harness": "claude_code", "name": "Read"}


def input_of(case: dict[str, Any]) -> PartialInput:
    return PartialInput(mode="lenient" if case["lenient"] else "strict")


def step_at(case: dict[str, Any], count: int) -> tuple[Any, bool]:
    """What a case says of its text from so many bytes on."""
    _, visible, closed = [step for step in case["steps"] if step[0] <= count][-1]
    return visible, closed


def look(arguments: PartialInput) -> tuple[Any, bool]:
    return arguments.visible(), arguments.is_complete


def check_end(case: dict[str, Any], arguments: PartialInput) -> None:
    """The fault is the case's, and nothing else is wrong."""
    state = arguments.state()
    if "fault" not in case:
        assert state == {"state": "complete" if case["steps"][-1][2] else "open", "late": 0}, case["id"]
        return
    assert state["state"] == "broken", case["id"]
    fault = dict(state["fault"])
    assert fault.pop("message"), case["id"]
    assert fault == case["fault"], case["id"]


def test_no_case_is_missing() -> None:
    assert len(CASES) == json.loads((FOLDER / "manifest.json").read_text("utf-8"))["partial"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_cases(case: dict[str, Any]) -> None:
    doc = case["doc"].encode()
    assert len(doc) == case["bytes"]
    stepwise = input_of(case)
    for at in range(len(doc) + 1):
        halves = input_of(case)
        halves.push(doc[:at])
        assert look(halves) == look(stepwise) == step_at(case, at), at
        halves.push(memoryview(doc)[at:])
        assert look(halves) == step_at(case, len(doc)), at
        stepwise.push(doc[at : at + 1])
    check_end(case, stepwise)

    characters = input_of(case)
    for at, character in enumerate(case["doc"], 1):
        characters.push(character)
        assert look(characters) == step_at(case, len(case["doc"][:at].encode())), at
    check_end(case, characters)


def test_states_and_what_comes_too_late() -> None:
    arguments = PartialInput()
    arguments.push('{"a":"b')
    assert arguments.state() == {"state": "open", "late": 0}
    arguments.finish()
    arguments.finish()
    arguments.push('é"}')
    assert arguments.state() == {"state": "incomplete", "late": 4}
    assert arguments.visible() == {"a": "b"}
    text = PartialInput(mode="text")
    text.push("*** Begin")
    assert look(text) == ("*** Begin", False)
    text.finish()
    assert look(text) == ("*** Begin", True)


def test_integers_are_exact() -> None:
    arguments = PartialInput()
    arguments.push(f'{{"n":{2**70},"m":{2**63}}}')
    assert arguments.visible() == {"n": 2**70, "m": 2**63}


def test_long_strings_are_kept_as_wanted() -> None:
    arguments = PartialInput(keep={"head": 5000, "tail": 10})
    arguments.push('{"a":"' + "x" * 6000 + '"}')
    assert arguments.visible() == {"a": "x" * 5000 + "…[990 bytes omitted]…" + "x" * 10}


def test_a_call_is_identified_by_what_is_there() -> None:
    arguments = PartialInput(mode="lenient")
    assert arguments.identify(READ) == {**toolprism.identify(READ), "growing": []}
    arguments.push('{"offset": 10, "file_path": "src/ma')
    found = arguments.identify({**READ, "raw_input": {"file_path": "other"}})
    assert (found.get("input"), found["growing"], found["why"]) == ({"path": "src/ma", "offset": 10}, ["path"], "catalog")
    arguments.push('in.rs"}')
    whole = {"offset": 10, "file_path": "src/main.rs"}
    assert arguments.identify(READ) == {**toolprism.identify({**READ, "raw_input": whole}), "growing": []}


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"mode": "loose"}, "unknown_value"),
        ({"keep": 5}, "wrong_type"),
        ({"keep": {"head": "1"}}, "wrong_type"),
        ({"keep": {"tail": -1}}, "wrong_type"),
    ],
)
def test_wrong_options(options: Any, kind: str) -> None:
    with pytest.raises(ToolprismError) as caught:
        PartialInput(**options)
    assert caught.value.kind == kind
    assert caught.value.offset is not None


def test_wrong_types() -> None:
    arguments = PartialInput()
    wrong_options: list[dict[str, Any]] = [{"mode": 5}, {"mode": None}, {"keep": {1}}, {"lenient": True}]
    for options in wrong_options:
        with pytest.raises(TypeError):
            PartialInput(**options)
    wrong_data: list[Any] = [None, 5, {}, [1], object()]
    for data in wrong_data:
        with pytest.raises(TypeError):
            arguments.push(data)
    calls: list[Any] = [object(), {1: 2}, {"name": {1}}]
    for call in calls:
        with pytest.raises(TypeError):
            arguments.identify(call)
    refused: list[tuple[Any, str]] = [(None, "not_an_object"), ([], "not_an_object"), ({"name": 5}, "wrong_type")]
    for wrong, kind in refused:
        with pytest.raises(ToolprismError) as caught:
            arguments.identify(wrong)
        assert caught.value.kind == kind
    arguments.push('{"file_path":"a')
    assert arguments.identify(READ)["growing"] == ["path"]


def test_threads_may_look_while_one_pushes() -> None:
    arguments = PartialInput()
    seen: list[str] = []
    looking = [Thread(target=lambda: seen.extend(arguments.visible() or "" for _ in range(200))) for _ in range(3)]
    for thread in looking:
        thread.start()
    arguments.push('"')
    for _ in range(1000):
        arguments.push("xy")
    for thread in looking:
        thread.join()
    assert len(seen) == 600 and all(set(text) <= {"x", "y"} for text in seen)
    assert arguments.visible() == "xy" * 1000
