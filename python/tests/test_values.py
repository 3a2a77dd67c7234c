"""Objects that are no JSON, or odd JSON: an error of Python's, never the end of the interpreter."""

from __future__ import annotations

import collections
import enum
import gc
import math
import tracemalloc
import types
from typing import Any

import pytest

import toolprism
from toolprism import ToolprismError

CALL = {"harness": "claude_code", "name": "Read", "raw_input": {"file_path": "a.txt", "limit": 5}}
ENVELOPE = {
    "version": 1,
    "name": "ls",
    "kind": "list",
    "namespace": "codex",
    "label": "List Files",
    "read_only": True,
}


def still_works() -> None:
    assert toolprism.identify(CALL)["input"] == {"path": "a.txt", "limit": 5}


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def cyclic() -> Any:
    value: dict[str, Any] = {}
    value["a"] = [value, value]
    return value


class Odd(dict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("not to be asked")

    def items(self) -> Any:
        raise RuntimeError("not to be asked")


class Level(enum.IntEnum):
    FIVE = 5


@pytest.mark.parametrize("value", [None, 5, "x", [], (), b"{}", object(), {1, 2}, collections.UserDict(CALL)])
def test_a_call_must_be_a_dict(value: Any) -> None:
    with pytest.raises((TypeError, ToolprismError)):
        toolprism.identify(value)
    still_works()


@pytest.mark.parametrize("value", [types.MappingProxyType(CALL), object(), {1, 2}, b"{}", 1j])
def test_what_has_no_form_in_json_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="has no form in JSON"):
        toolprism.stamp_meta({"mine": [value]}, ENVELOPE)
    with pytest.raises(TypeError, match="has no form in JSON"):
        toolprism.identify({**CALL, "meta": value})
    with pytest.raises(TypeError, match="has no form in JSON"):
        toolprism.finalize({"input": "{}", "schema": {"x": value}})
    still_works()


@pytest.mark.parametrize("key", [1, None, 1.5, (), b"a", True])
def test_keys_are_strings(key: Any) -> None:
    for ask in (
        lambda: toolprism.stamp_meta({"mine": {key: 1}}, ENVELOPE),
        lambda: toolprism.stamp_meta({key: 1}, ENVELOPE),
        lambda: toolprism.identify({**CALL, key: 1}),
        lambda: toolprism.finalize({"input": "{}", key: 1}),
    ):
        with pytest.raises(TypeError, match="keys must be str"):
            ask()
    still_works()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have(number: float) -> None:
    for ask in (
        lambda: toolprism.stamp_meta({"mine": number}, ENVELOPE),
        lambda: toolprism.parse_meta({"x.ai/tool": {**ENVELOPE, "mine": number}}),
        lambda: toolprism.finalize({"input": "{}", "schema": {"minimum": number}}),
    ):
        with pytest.raises(ToolprismError) as caught:
            ask()
        assert caught.value.kind == "not_json"
    still_works()


def test_large_integers() -> None:
    for number in (2**63, 2**64, 10**300, -(10**40), 10**4000):
        assert toolprism.stamp_meta({"mine": number}, ENVELOPE)["mine"] == number
    for number in (2**63, 2**64, 10**300, -(10**40)):
        assert toolprism.identify({**CALL, "raw_input": {"file_path": "a", "limit": number}})["input"] == {"path": "a"}
    with pytest.raises(ToolprismError, match="too large"):
        toolprism.identify({**CALL, "raw_input": {"file_path": "a", "limit": 10**400}})
    with pytest.raises(ToolprismError):
        toolprism.stamp_meta({"mine": 10**5000}, ENVELOPE)
    still_works()


@pytest.mark.parametrize("value", [cyclic(), nested(600), nested(100_000)])
def test_depth(value: Any) -> None:
    for ask in (
        lambda: toolprism.stamp_meta(value, ENVELOPE),
        lambda: toolprism.stamp_meta(None, {**ENVELOPE, "extra": value}),
        lambda: toolprism.parse_meta({"x.ai/tool": {**ENVELOPE, "extra": value}}),
        lambda: toolprism.finalize({"input": "{}", "schema": value}),
    ):
        with pytest.raises(ToolprismError) as caught:
            ask()
        assert caught.value.kind == "too_deep"
    # What is not looked at may be as it likes.
    assert toolprism.identify({**CALL, "raw_input": {"file_path": "a", "content": value}})["input"] == {"path": "a"}
    still_works()


def test_depth_that_json_text_may_have() -> None:
    assert toolprism.stamp_meta({"mine": nested(400)}, ENVELOPE)["mine"] == nested(400)


def test_subclasses_count_as_what_they_are() -> None:
    call = Odd(CALL)
    assert toolprism.identify(call) == toolprism.identify(CALL)
    stamped = toolprism.stamp_meta({"level": Level.FIVE, "pair": (1, 2)}, ENVELOPE)
    assert stamped["level"] == 5 and stamped["pair"] == [1, 2]


def test_lone_surrogates() -> None:
    found = toolprism.identify({**CALL, "raw_input": {"file_path": "a\ud800b", "limit": 1}})
    assert found["input"]["path"] == "a\ufffdb"
    stamped = toolprism.stamp_meta({"mine": {"a\ud800": "\udfff\u00e9"}}, ENVELOPE)
    assert stamped["mine"] == {"a\ud800": "\udfff\u00e9"}
    assert toolprism.read_session("\ud800")["calls"] == []
    still_works()


def test_nothing_of_the_input_changes() -> None:
    meta: dict[str, Any] = {"mine": {"a": [1, 2.5, None, True, "é"]}}
    stamped = toolprism.stamp_meta(meta, ENVELOPE)
    assert stamped == {**meta, "x.ai/tool": ENVELOPE}
    assert list(meta) == ["mine"]
    assert toolprism.parse_meta(stamped) == ENVELOPE
    assert toolprism.parse_meta(stamped, strict=True) == ENVELOPE
    assert toolprism.parse_meta({}) is None


@pytest.mark.parametrize("data", [None, 5, object(), [1], {"a": 1}])
def test_data_must_be_bytes_or_text(data: Any) -> None:
    with pytest.raises(TypeError):
        toolprism.read_session(data)
    with pytest.raises(TypeError):
        toolprism.CallLedger().push(data)
    still_works()


def test_errors_are_value_errors_with_members() -> None:
    with pytest.raises(ValueError, match="must be a string") as caught:
        toolprism.identify({"name": 5})
    error = caught.value
    assert isinstance(error, ToolprismError)
    assert (error.kind, error.file, error.line, error.hint) == ("wrong_type", None, None, None)
    import pickle

    again = pickle.loads(pickle.dumps(error))
    assert (again.kind, again.message) == (error.kind, error.message)
    ledger = toolprism.CallLedger()
    ledger.finish()
    with pytest.raises(ToolprismError) as caught:
        ledger.push(b"x")
    assert caught.value.kind == "finished"


def test_memory_does_not_grow() -> None:
    def work(times: int) -> None:
        for _ in range(times):
            toolprism.identify(CALL)
            toolprism.parse_meta({"x.ai/tool": ENVELOPE})
            with pytest.raises(ToolprismError):
                toolprism.identify({"name": 5})

    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    work(2_000)
    gc.collect()
    tracemalloc.start()
    before, of_python = resident(), tracemalloc.get_traced_memory()[0]
    work(20_000)
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - of_python < 100_000
    assert resident() - before < 4_000_000
    tracemalloc.stop()
