"""Tools that are made of functions: the cases that every face runs, and what is Python's own."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import enum
import inspect
import json
import pathlib
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from typing import Annotated, Any, Literal, NewType, Optional, TypedDict, Union

import pydantic
import pytest

import toolprism
from toolprism._hints import Refused

CONFORMANCE = pathlib.Path(__file__).parents[2] / "conformance"
CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (CONFORMANCE / "contract.jsonl").read_text("utf-8").split("\n") if line
]


def tool_of(definition: dict[str, Any], case: dict[str, Any], seen: list[Any]) -> toolprism.Tool[..., Any]:
    """A tool of a case: it notes its arguments, tells the case's progress, and ends as the case says."""
    end = case.get("end", {"output": "done"})

    async def run(arguments: dict[str, Any]) -> AsyncIterator[Any]:
        seen.append(arguments)
        if "problems" in end:
            raise Refused(end["problems"])
        for item in case.get("progress", []):
            yield item
        if "error" in end:
            error = end["error"]
            raise toolprism.ToolError(error["kind"], error["message"], details=error.get("details"))
        if "output" in end:
            more = {key: end[key] for key in ("prompt", "is_error", "type", "content") if key in end}
            yield toolprism.Output(end["output"], **more)

    about = {key: definition.get(key) for key in ("id", "namespace", "kind", "schema", "read_only")}
    return toolprism.Tool(run, description=definition.get("description", ""), **about)  # type: ignore[arg-type]


def test_cases() -> None:
    assert len(CASES) == json.loads((CONFORMANCE / "manifest.json").read_text("utf-8"))["contract"]
    for case in CASES:
        seen: list[Any] = []
        told: list[Any] = []
        registry = toolprism.Registry()
        for one in case["tools"]:
            registry.add(tool_of(one, case, seen), name=one.get("name"), parameters=one.get("parameters"))
        call = case["call"]
        result = registry.call(call["name"], call["arguments"], id="c1", on_update=told.append)
        expect = case["expect"]
        assert told == result.updates
        # The text that a model wrote is told as it came, and an object as Python writes it.
        assert result.updates == expect["updates"], case["id"]
        outcome = {key: value for key, value in dataclasses.asdict(result).items() if key != "updates"}
        assert outcome == expect["outcome"], case["id"]
        assert seen == ([json.loads(expect["run"]["arguments"])] if expect["run"] else []), case["id"]


class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@dataclasses.dataclass
class Edit:
    path: Annotated[str, "The file."]
    lines: list[int] = dataclasses.field(default_factory=list)
    then: Optional[Edit] = None

    def __post_init__(self) -> None:
        if self.path == "/":
            raise ValueError("not the root")


class Options(TypedDict, total=False):
    deep: bool


class Model(pydantic.BaseModel):
    port: int = pydantic.Field(ge=1024)
    tags: set[str] = set()

    @pydantic.field_validator("port")
    @classmethod
    def is_free(cls, port: int) -> int:
        if port == 8080:
            raise ValueError("taken")
        return port


class Outer(pydantic.BaseModel):
    inner: Model
    loose: Annotated[int, pydantic.WithJsonSchema({})] = 0


class Number(enum.Enum):
    ONE = 1


Name = NewType("Name", str)


def taken(hint: Any, text: str) -> Any:
    """What a function with a parameter of this type gets for JSON text."""
    seen: list[Any] = []

    def run(v: Any) -> None:
        seen.append(v)

    run.__annotations__["v"] = hint
    result = toolprism.Registry([toolprism.tool(run)]).call("run", f'{{"v": {text}}}')
    assert not result.is_error, result.prompt
    return seen[0]


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, '"5"', 5),
        (int, "123456789012345678901234567890", 123456789012345678901234567890),
        (float, "5", 5.0),
        (bool, '"yes"', True),
        (str, '"007"', "007"),
        (list[str], '["a", 1]', ["a", "1"]),
        (list, "[1, []]", [1, []]),
        (Sequence[int], "7", [7]),
        (set[int], "[1, 2]", {1, 2}),
        (frozenset[int], "[1]", frozenset({1})),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (tuple[int, ...], "[1, 2]", (1, 2)),
        (dict[str, int], '{"a": "1"}', {"a": 1}),
        (dict, '{"a": []}', {"a": []}),
        (Optional[int], "null", None),
        (Optional[int], '"5"', 5),
        (int | str, '"5"', "5"),
        (Union[Edit, None], '{"path": "a"}', Edit("a")),
        (Literal["a", 1], "1", 1),
        (Mode, '"slow"', Mode.SLOW),
        (float | bool, "true", True),
        (Number | bool, "true", True),
        (Number | bool, "1", Number.ONE),
        (list[Outer], '[{"inner": {"port": 9000}}]', [Outer(inner=Model(port=9000))]),
        (Edit, '{"path": "a", "lines": ["1"], "then": {"path": "b"}}', Edit("a", [1], Edit("b"))),
        (list[Edit], '{"path": "a"}', [Edit("a")]),
        (Options, '{"deep": 1}', {"deep": True}),
        (Options, "{}", {}),
        (Optional[Model], '{"port": "9000", "tags": ["a"]}', Model(port=9000, tags={"a"})),
        (list[Model], '[{"port": 9000}]', [Model(port=9000)]),
        (pathlib.Path, '"a/b"', pathlib.Path("a/b")),
        (datetime.date, '"2026-11-30"', datetime.date(2026, 11, 30)),
        (datetime.datetime, '"2026-11-30T12:00:00Z"', datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.timezone.utc)),
        (uuid.UUID, '"12345678-1234-5678-1234-567812345678"', uuid.UUID("12345678123456781234567812345678")),
        (Name, '"x"', "x"),
        (Annotated[int, {"minimum": 3}], "3", 3),
        (Any, '{"a": null}', {"a": None}),
    ],
)
def test_arguments_are_what_the_hints_say(hint: Any, text: str, value: Any) -> None:
    got = taken(hint, text)
    assert got == value
    assert type(got) is type(value)


def problems(run: Callable[..., Any], arguments: Any) -> list[tuple[str, str]]:
    result = toolprism.Registry([toolprism.tool(run)]).call(run.__name__, arguments)
    assert result.error is not None
    assert result.error["kind"] == "invalid_arguments"
    return [(problem["path"], problem["category"]) for problem in result.error["details"]["problems"]]


def test_what_the_types_refuse_has_its_place() -> None:
    def edit(edits: list[Edit], when: datetime.date = datetime.date.max) -> None:
        raise AssertionError("it is not run")

    assert problems(edit, {"edits": [{"path": "a"}, {"path": "/"}]}) == [("/edits/1", "params_constraint")]
    assert problems(edit, {"edits": [{"path": "a", "more": 1}]}) == [("/edits/0/more", "params_unknown_field")]
    assert problems(edit, {"edits": [], "when": "2026-02-30"}) == [("/when", "params_invalid")]
    assert problems(edit, {"edits": [{"path": "a", "then": {"lines": ["x"]}}]}) == [
        ("/edits/0/then/lines/0", "params_type"),
        ("/edits/0/then/path", "params_missing_field"),
    ]

    def nested(models: list[Model]) -> None:
        raise AssertionError("it is not run")

    assert problems(nested, {"models": [{"port": 9000}, {"port": 8080}]}) == [("/models/1/port", "params_constraint")]

    def named(models: dict[str, Outer], edit: Edit | str = "") -> None:
        raise AssertionError("it is not run")

    taken = {"a/b~c": {"inner": {"port": 8080}, "loose": []}}
    assert problems(named, {"models": taken}) == [
        ("/models/a~1b~0c/inner/port", "params_constraint"),
        ("/models/a~1b~0c/loose", "params_type"),
    ]
    assert problems(named, {"models": {}, "edit": {"path": "/"}}) == [("/edit", "params_constraint")]


def test_a_model_that_is_the_only_parameter_is_the_arguments() -> None:
    def serve(settings: Model) -> Model:
        return settings

    tool = toolprism.tool(kind="execute")(serve)
    assert tool.schema == {k: v for k, v in Model.model_json_schema().items() if k != "title"}
    result = toolprism.Registry([tool]).call("serve", {"port": "9000"})
    assert result.output == {"type": "Model", "port": 9000, "tags": []}
    assert [change["code"] for change in result.changes] == ["string_to_number"]
    assert problems(serve, {"port": 8080}) == [("/port", "params_constraint")]
    assert problems(serve, {"port": 80}) == [("/port", "params_constraint")]
    assert problems(serve, {}) == [("/port", "params_missing_field")]


def test_the_schema_says_what_the_function_takes() -> None:
    @toolprism.tool(kind="read", namespace="my_agent")
    def head(
        path: Annotated[str, "The file."], lines: int = 10, *, mode: Mode = Mode.FAST, context: toolprism.Context
    ) -> str:
        """The first lines of a file.

        No more than a hundred.
        """
        return f"{context.call_id} {context.tool} {path} {lines} {mode}"

    assert head.schema == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file."},
            "lines": {"type": "integer", "default": 10},
            "mode": {"type": "string", "enum": ["fast", "slow"], "default": "fast"},
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    registry = toolprism.Registry([head])
    listed = registry.list()[0]
    assert listed["description"] == "The first lines of a file.\n\nNo more than a hundred."
    assert (listed["key"], listed["read_only"]) == ("my_agent:head", True)
    assert registry.call("head", {"path": "a"}, id="c1").prompt == "c1 my_agent:head a 10 Mode.FAST"
    assert head("a", context=toolprism.Context("x", "y")) == "x y a 10 Mode.FAST"
    assert [set(tool) for profile in ("openai", "anthropic", "gemini", "mcp") for tool in registry.list(profile)] == [
        {"type", "name", "description", "parameters", "strict"},
        {"name", "description", "input_schema"},
        {"name", "description", "parametersJsonSchema"},
        {"name", "description", "inputSchema", "annotations"},
    ]


def test_types_that_contain_themselves_have_a_schema() -> None:
    def edit(edit: Edit) -> Edit:
        return edit

    tool = toolprism.tool(edit)
    assert tool.schema["properties"]["edit"] == {"$ref": "#/$defs/Edit"}
    assert tool.schema["$defs"]["Edit"]["properties"]["then"]["anyOf"][0] == {"$ref": "#/$defs/Edit"}
    output = toolprism.Registry([tool]).call("edit", {"edit": {"path": "a", "then": {"path": "b"}}}).output
    assert output == {
        "type": "Edit", "path": "a", "lines": [], "then": {"path": "b", "lines": [], "then": None},
    }  # fmt: skip


def test_sizes_and_defaults_are_in_the_schema() -> None:
    def sized(pair: tuple[int, str], names: set[str] = set(), edit: Edit = Edit("a")) -> None: ...

    properties = toolprism.tool(sized).schema["properties"]
    assert properties["pair"] == {
        "type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2,
    }  # fmt: skip
    assert properties["names"] == {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "default": []}
    assert properties["edit"] == {"$ref": "#/$defs/Edit", "default": {"path": "a", "lines": [], "then": None}}


def test_hints_without_a_schema_are_refused_where_the_tool_is_made() -> None:
    def socket(to: bytes) -> None: ...
    def keys(of: dict[int, str]) -> None: ...
    def rest(*args: int) -> None: ...
    def place(a: int, /) -> None: ...

    refused: list[tuple[Callable[..., Any], str]] = [
        (socket, "socket.to.: no schema"),
        (keys, "keys"),
        (rest, "by name"),
        (place, "by name"),
    ]
    for function, message in refused:
        with pytest.raises(TypeError, match=message):
            toolprism.tool(function)


def plain() -> dict[str, int]:
    return {"n": 1}


async def coroutine() -> dict[str, int]:
    return {"n": 1}


def generator() -> Generator[str, None, dict[str, int]]:
    yield "half"
    return {"n": 1}


def generator_that_returns_one() -> Generator[str, None, toolprism.Output]:
    yield "half"
    return toolprism.Output({"n": 1})


CLEANED: list[str] = []


def generator_with_output() -> Iterator[Any]:
    try:
        yield "half"
        yield toolprism.Output({"n": 1})
        raise AssertionError("nothing is run after the end")
    finally:
        CLEANED.append("sync")


async def async_generator() -> AsyncIterator[Any]:
    try:
        yield "half"
        yield toolprism.Output({"n": 1})
        raise AssertionError("nothing is run after the end")
    finally:
        CLEANED.append("async")


def test_generators_clean_up_before_the_result_is_there() -> None:
    kept: list[Any] = []

    @toolprism.tool
    def sync() -> Any:
        kept.append(generator_with_output())
        return kept[-1]

    async def main(name: str) -> list[str]:
        await registry.acall(name)
        return CLEANED[-1:]

    registry = toolprism.Registry([sync, toolprism.tool(async_generator)])
    CLEANED.clear()
    registry.call("sync")
    assert CLEANED == ["sync"]
    assert asyncio.run(main("sync")) == ["sync"] and len(CLEANED) == 2
    assert asyncio.run(main("async_generator")) == ["async"]


def test_a_tool_that_is_not_async_does_not_hold_up_the_loop() -> None:
    def where() -> int:
        return threading.get_ident()

    registry = toolprism.Registry([toolprism.tool(where)])
    here = threading.get_ident()
    assert asyncio.run(registry.acall("where")).output["value"] != here
    assert registry.call("where").output["value"] == here


FUNCTIONS = [plain, coroutine, generator, generator_that_returns_one, generator_with_output, async_generator]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_and_generators_give_an_output(function: Callable[[], Any]) -> None:
    registry = toolprism.Registry([toolprism.tool(function)])
    for result in (registry.call(function.__name__), asyncio.run(registry.acall(function.__name__))):
        assert (result.output, result.is_error, result.error) == ({"type": "Dynamic", "value": {"n": 1}}, False, None)
        progress = [u for u in result.updates if "toolprism/progress" in u["_meta"]]
        assert len(progress) == ("half" in inspect.getsource(function))


def raises(error: BaseException) -> Callable[[], Any]:
    def run() -> Any:
        raise error

    return run


def gives(value: Any) -> Callable[[], Any]:
    def run() -> Any:
        return value

    return run


def yields(value: Any) -> Callable[[], Any]:
    def run() -> Any:
        yield value

    return run


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def circle() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("run", "kind", "message"),
    [
        (raises(KeyError("x")), "execution", "KeyError: 'x'"),
        (raises(StopIteration(1)), "execution", "StopIteration"),
        (raises(toolprism.ToolError("not_found", "gone")), "not_found", "gone"),
        (raises(toolprism.ToolError("disk_full", "no room")), "custom", "no room"),
        (gives(circle()), "execution", "cannot be written as JSON"),
        (gives(deep(300)), "execution", "nested more than 120 levels deep"),
        (gives(deep(100_000)), "execution", "cannot be written as JSON"),
        (gives(object()), "execution", "type object has no form in JSON"),
        (gives(float("nan")), "execution", "cannot be written as JSON"),
        (gives({(1, 2): 3}), "execution", "cannot be written as JSON"),
        (gives("\ud800"), "execution", "cannot be written as JSON"),
        (yields({"kind": "nonsense"}), "execution", "nonsense"),
        (yields(object()), "execution", "no form in JSON"),
    ],
)
def test_whatever_a_tool_does_wrong_is_an_error_of_its_call(run: Callable[[], Any], kind: str, message: str) -> None:
    registry = toolprism.Registry([toolprism.tool(run), toolprism.tool(plain)])
    for result in (registry.call("run"), asyncio.run(registry.acall("run"))):
        assert result.error is not None
        assert result.error["kind"] == kind
        assert message in result.prompt
        assert (result.output, result.is_error, result.updates[-1]["status"]) == (None, True, "failed")
    assert not registry.call("plain").is_error


def test_a_task_that_is_cancelled_ends_its_call() -> None:
    cleaned: list[str] = []
    told: list[dict[str, Any]] = []

    async def slow() -> AsyncIterator[Any]:
        try:
            yield "half"
            await asyncio.sleep(60)
        finally:
            cleaned.append("slow")

    async def main() -> None:
        registry = toolprism.Registry([toolprism.tool(slow)])
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(registry.acall("slow", on_update=told.append), 0.05)

    asyncio.run(main())
    assert cleaned == ["slow"]
    assert [update["status"] for update in told] == ["pending", "in_progress", "in_progress", "failed"]
    assert told[-1]["rawOutput"]["kind"] == "cancelled"


def test_an_interrupt_is_the_callers() -> None:
    told: list[dict[str, Any]] = []
    registry = toolprism.Registry([toolprism.tool(id="stop")(raises(KeyboardInterrupt()))])
    with pytest.raises(KeyboardInterrupt):
        registry.call("stop", on_update=told.append)
    assert told[-1]["status"] == "failed"


def test_a_listeners_error_is_the_callers() -> None:
    registry = toolprism.Registry([toolprism.tool(plain)])

    def listener(update: dict[str, Any]) -> None:
        raise LookupError(update["status"])

    with pytest.raises(LookupError, match="pending"):
        registry.call("plain", on_update=listener)
    assert not registry.call("plain").is_error


def test_an_async_tool_cannot_be_waited_for_inside_of_an_event_loop() -> None:
    async def main() -> None:
        registry = toolprism.Registry([toolprism.tool(coroutine)])
        with pytest.raises(RuntimeError, match="acall"):
            registry.call("coroutine")

    asyncio.run(main())


def test_calls_run_side_by_side_even_with_one_id() -> None:
    async def wait(n: int) -> int:
        await asyncio.sleep(0.01 * (5 - n))
        return n

    async def main() -> list[toolprism.Result]:
        registry = toolprism.Registry([toolprism.tool(wait)])
        return await asyncio.gather(*(registry.acall("wait", {"n": n}, id="same") for n in range(5)))

    assert [result.output["value"] for result in asyncio.run(main())] == list(range(5))


def test_what_is_no_tool_is_refused_and_nothing_is_changed() -> None:
    registry = toolprism.Registry([toolprism.tool(plain)])

    def refused(message: str, *, name: str | None = None, parameters: dict[str, str] | None = None, **about: Any) -> None:
        tool = toolprism.Tool(coroutine, **about)
        with pytest.raises(toolprism.ToolprismError, match=message) as error:
            registry.add(tool, name=name, parameters=parameters)
        assert error.value.kind == "bad_tool"

    refused("registered already", id="plain")
    refused("no name", id="a b")
    refused("another name", name="plain")
    refused('no kind "reed"', kind="reed")
    refused("schema cannot be used", schema={"type": "strin"})
    refused("no object", schema={"type": "array"})
    refused('parameter "x"', description="${{ params.x }}")
    refused("parameter", parameters={"a": "b"})
    assert [tool["key"] for tool in registry.list()] == ["dynamic:plain"]
