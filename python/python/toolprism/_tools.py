"""Tools, and the registry that calls them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import json
import typing
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Generic, ParamSpec, TypeVar, overload

from ._hints import Reader, Refused, is_model, members_form, model_schema, read_model, text_of
from ._native import ToolCall, ToolRegistry
from .types import Kind, Profile, ToolChange, ToolErrorRecord

_P = ParamSpec("_P")
_R = TypeVar("_R")


class ToolError(Exception):
    """An error of a tool, for the model and for programs.

    `kind` is one of the contract's, such as `not_found`, `permission_denied` or `rate_limited`; any other is the code of an error
    of kind `custom`. Other exceptions of a tool become errors of kind `execution`.
    """

    def __init__(self, kind: str, message: str, *, details: Any = None) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.details = details

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Output:
    """An output with more than its value: what the model gets instead of its JSON, whether it says that the tool failed, the name
    of its type, and ACP content for people.

    A generator that yields one is at its end.
    """

    value: Any
    prompt: str | None = None
    is_error: bool = False
    type: str | None = None
    content: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Context:
    """What a call is told beside its arguments: a tool with a parameter of this type gets it."""

    call_id: str
    tool: str


@dataclass(frozen=True)
class Result:
    """What came of a call."""

    output: Any
    """The output for programs, an object with the member `type`; None if there is none."""
    prompt: str
    """What the model is told: the output, or what went wrong."""
    is_error: bool
    error: ToolErrorRecord | None
    updates: list[dict[str, Any]]
    """The ACP updates of all steps, each with the envelope."""
    changes: list[ToolChange]
    """What was changed about the call to make it one of the tool."""


class Tool(Generic[_P, _R]):
    """A function that models can call. It can still be called as what it was."""

    def __init__(
        self,
        function: Callable[_P, _R],
        *,
        kind: Kind = "other",
        namespace: str = "dynamic",
        id: str | None = None,
        description: str | None = None,
        read_only: bool | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.id = function.__name__ if id is None else id
        self.description = inspect.getdoc(function) or "" if description is None else description
        self.kind: Kind = kind
        self.namespace = namespace
        self.read_only = read_only
        self._context: str | None = None
        self._takes_dict = schema is not None
        self.schema: dict[str, Any]
        self.schema, self._read = self._signature() if schema is None else (dict(schema), _as_dict)

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return self.function(*args, **kwargs)

    @property
    def is_async(self) -> bool:
        """Whether it is an async function or an async generator."""
        return inspect.iscoroutinefunction(self.function) or inspect.isasyncgenfunction(self.function)

    def _signature(self) -> tuple[dict[str, Any], _Reading]:
        """The schema of the parameters, and the way from the arguments' text to them."""
        hints = typing.get_type_hints(self.function, include_extras=True)
        reader, members = Reader(), []
        for name, parameter in inspect.signature(self.function).parameters.items():
            where, hint = f"{self.id}({name})", hints.get(name, Any)
            if hint is Context:
                self._context = name
                continue
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                raise TypeError(f"{where}: arguments come by name, so it must be a parameter with one")
            is_needed = parameter.default is parameter.empty
            members.append((name, hint, where, ... if is_needed else parameter.default, is_needed))
        if len(members) == 1 and is_model(members[0][1]):
            name, model = members[0][:2]
            return model_schema(model), lambda text: {name: read_model(model, text, "")}
        form = members_form(
            [(name, reader.form(hint, where), default, needed) for name, hint, where, default, needed in members],
            is_closed=True,
        )
        schema = form.schema | ({"$defs": reader.defs} if reader.defs else {})
        return schema, lambda text: form.read(json.loads(text), "")

    def _call(self, arguments: str, context: Context) -> Any:
        given = self._read(arguments)
        if self._context is not None:
            given[self._context] = context
        positional = [given.pop("")] if self._takes_dict else []
        return typing.cast(Any, self.function)(*positional, **given)


_Reading = Callable[[str], dict[str, Any]]


def _as_dict(arguments: str) -> dict[str, Any]:
    """For a tool with a schema of its own: its function gets the arguments as one dict."""
    return {"": json.loads(arguments)}


@overload
def tool(function: Callable[_P, _R], /) -> Tool[_P, _R]: ...
@overload
def tool(
    *,
    kind: Kind = "other",
    namespace: str = "dynamic",
    id: str | None = None,
    description: str | None = None,
    read_only: bool | None = None,
    schema: Mapping[str, Any] | None = None,
) -> Callable[[Callable[_P, _R]], Tool[_P, _R]]: ...
def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Makes a tool of a function: sync or async, or a generator that yields progress.

    The schema comes from its type hints, or from a pydantic model if that is its only parameter, or is `schema`: then the function
    gets the arguments as one dict. The description is the docstring unless given, and a template; `kind` is one of the contract's,
    `read_only` follows from it unless given.
    """
    return (lambda function: Tool(function, **options)) if function is None else Tool(function, **options)


Listener = Callable[[dict[str, Any]], object]


class Registry:
    """Tools that models can call, by their names.

        registry = toolprism.Registry([read_file])
        registry.list("openai")
        registry.call("read_file", '{"path": "a.txt", "lines": "5"}').prompt
    """

    def __init__(self, tools: Iterable[Tool[..., Any]] = ()) -> None:
        self._native = ToolRegistry()
        self._tools: dict[str, Tool[..., Any]] = {}
        for one in tools:
            self.add(one)

    def add(
        self, tool: Tool[..., Any], *, name: str | None = None, parameters: Mapping[str, str] | None = None
    ) -> None:
        """Takes a tool in. Models see it as `name`, and its parameters by the names in `parameters`, which has the tool's own as
        keys. A name that is taken is an error.
        """
        definition = {
            "id": tool.id,
            "namespace": tool.namespace,
            "kind": tool.kind,
            "description": tool.description,
            "schema": tool.schema,
            "read_only": tool.read_only,
            "name": name,
            "parameters": dict(parameters or {}),
        }
        self._tools[self._native.register(text_of(definition))] = tool

    def list(self, profile: Profile | None = None) -> list[dict[str, Any]]:
        """The tools as a provider's requests have them, or as records."""
        return self._native.list(profile)

    def call(
        self,
        name: str,
        arguments: str | Mapping[str, Any] = "{}",
        *,
        id: str | None = None,
        on_update: Listener | None = None,
    ) -> Result:
        """Calls a tool with what a model wrote, and waits for it; an async tool gets an event loop of its own.

        Whatever goes wrong in it is in the result. `on_update` gets each ACP update as it comes.
        """
        run = _Run(self._native, self._tools, name, arguments, id, on_update)
        if run.tool is not None and run.tool.is_async:
            run.run_loop()
        else:
            run.work()
        return run.result()

    async def acall(
        self,
        name: str,
        arguments: str | Mapping[str, Any] = "{}",
        *,
        id: str | None = None,
        on_update: Listener | None = None,
    ) -> Result:
        """As `call`, without holding up the event loop: a tool that is not async works in a thread. A task that is cancelled ends its
        call as cancelled.
        """
        run = _Run(self._native, self._tools, name, arguments, id, on_update)
        await run.work_async()
        return run.result()


class _Run:
    """One call."""

    def __init__(
        self,
        native: ToolRegistry,
        tools: Mapping[str, Tool[..., Any]],
        name: str,
        arguments: str | Mapping[str, Any],
        id: str | None,
        on_update: Listener | None,
    ) -> None:
        self._on_update = on_update
        self._updates: list[dict[str, Any]] = []
        self._outcome: dict[str, Any] | None = None
        self.tool: Tool[..., Any] | None = None
        id = uuid.uuid4().hex if id is None else id
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        self._call, steps = native.begin(json.dumps({"id": id, "name": name, "arguments": text}))
        if "run" in steps:
            self.tool = tools[steps["run"]["tool"]]
            self._arguments: str = steps["run"]["arguments"]
            self._context = Context(id, steps["run"]["tool"])
        self._tell(steps)

    def result(self) -> Result:
        assert self._outcome is not None
        return Result(updates=self._updates, **self._outcome)

    def run_loop(self) -> None:
        """Does the work of an async tool, in an event loop of its own."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.work_async())
        error = RuntimeError("an event loop is running here, which would wait for itself: await registry.acall(...)")
        self._fail(error)
        raise error

    def work(self) -> None:
        """Does the work of a tool that is not async."""
        made = self._attempt(self._invoke)
        if not inspect.isgenerator(made):
            return self._end(made)
        with contextlib.closing(made):
            while self._outcome is None:
                self._take(self._attempt(lambda: _next(made)))

    async def work_async(self) -> None:
        """Does the work of any tool."""
        is_async = self.tool is not None and self.tool.is_async
        made = self._attempt(self._invoke) if is_async else await self._attempt_in_thread(self._invoke)
        if inspect.isawaitable(made):
            self._end(await self._attempt_async(lambda: made))
        elif inspect.isasyncgen(made):
            async with contextlib.aclosing(made):
                while self._outcome is None:
                    self._take(await self._attempt_async(lambda: _next_async(made)))
        elif inspect.isgenerator(made):
            while self._outcome is None:
                self._take(await self._attempt_in_thread(lambda: _next(made)))
            # A thread may still be in it, if the call was cancelled.
            with contextlib.suppress(ValueError):
                made.close()
        else:
            self._end(made)

    def _invoke(self) -> Any:
        return None if self.tool is None else self.tool._call(self._arguments, self._context)

    def _attempt(self, work: Callable[[], Any]) -> Any:
        """What the tool's own code gives; if it fails, the call ends."""
        try:
            return work()
        except BaseException as error:
            self._fail(error)

    async def _attempt_async(self, work: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await work()
        except BaseException as error:
            self._fail(error)

    async def _attempt_in_thread(self, work: Callable[[], Any]) -> Any:
        caught = await self._attempt_async(lambda: asyncio.to_thread(_caught, work))
        if isinstance(caught, _Caught):
            return self._fail(caught.error)
        return caught

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, Refused):
            self._finish({"problems": error.problems})
        elif isinstance(error, ToolError):
            self._finish({"error": {"kind": error.kind, "message": error.message, "details": error.details}})
        elif isinstance(error, Exception):
            self._finish({"error": {"kind": "execution", "message": f"{type(error).__name__}: {error}"}})
        else:
            self._finish({"error": {"kind": "cancelled", "message": "the call was cancelled"}})
            raise error

    def _take(self, item: Any) -> None:
        """An item that a generator has yielded."""
        if self._outcome is not None:
            return
        if item is _NOTHING:
            return self._finish({})
        if isinstance(item, Output):
            return self._end(item)
        steps = self._attempt(lambda: self._call.progress(text_of(item)))
        if self._outcome is None:
            self._tell(steps)

    def _end(self, output: Any) -> None:
        """The output of the tool, unless the call has ended before."""
        if self._outcome is None:
            self._finish(_end(output if isinstance(output, Output) else Output(output)))

    def _finish(self, end: dict[str, Any]) -> None:
        try:
            text = text_of(end)
        except (TypeError, ValueError, RecursionError) as error:
            message = f"the tool's output cannot be written as JSON: {error}"
            details = {"reason": "output_encoding"}
            text = json.dumps({"error": {"kind": "execution", "message": message, "details": details}})
        self._tell(self._call.end(text))

    def _tell(self, steps: dict[str, Any]) -> None:
        self._outcome = steps.get("outcome")
        for update in steps["updates"]:
            self._updates.append(update)
            if self._on_update is not None:
                self._on_update(update)


_NOTHING = object()


@dataclass(frozen=True)
class _Caught:
    error: Exception


def _caught(work: Callable[[], Any]) -> Any:
    """What work gives, or what it raised: a thread cannot hand every exception on, `StopIteration` for one."""
    try:
        return work()
    except Exception as error:
        return _Caught(error)


def _next(generator: Any) -> Any:
    """The next item, or what the generator returns as an output."""
    try:
        return next(generator)
    except StopIteration as stop:
        return stop.value if isinstance(stop.value, Output) else Output(stop.value)


async def _next_async(generator: Any) -> Any:
    """The next item. An async generator returns nothing: one that has yielded no `Output` has none."""
    return await anext(generator, _NOTHING)


def _end(output: Output) -> dict[str, Any]:
    value, name = output.value, output.type
    if name is None and (is_dataclass(value) or is_model(type(value))):
        name = type(value).__name__
    end = {"output": value, "type": name, "prompt": output.prompt, "is_error": output.is_error, "content": output.content}
    return {key: member for key, member in end.items() if key == "output" or member is not None}
