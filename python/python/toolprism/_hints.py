"""Type hints as JSON Schema, and the values of arguments as what the hints say."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import enum
import inspect
import json
import pathlib
import types
import typing
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Refused(Exception):
    """Arguments that a tool does not take: what is wrong with them."""

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__(problems)
        self.problems = problems


class Form(NamedTuple):
    """What a hint says: the schema, and the way from JSON (with the path to it) to the value."""

    schema: dict[str, Any]
    read: Callable[[Any, str], Any]


def refusal(path: str, hint: str, category: str = "params_constraint", expected: str | None = None) -> Refused:
    problem = {"path": path, "category": category, "hint": hint}
    return Refused([problem if expected is None else problem | {"expected": expected}])


def step(path: str, name: str | int) -> str:
    """The JSON pointer to a member."""
    return f"{path}/{str(name).replace('~', '~0').replace('/', '~1')}"


def is_model(hint: Any) -> bool:
    """Whether this is a class of pydantic's, which need not be installed."""
    return isinstance(hint, type) and hasattr(hint, "model_json_schema") and hasattr(hint, "model_validate_json")


def plain(value: Any) -> Any:
    """What `json` does not know by itself."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if is_model(type(value)):
        return value.model_dump(mode="json")
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, (pathlib.PurePath, uuid.UUID)):
        return str(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    raise TypeError(f"an object of type {type(value).__name__} has no form in JSON")


def text_of(value: Any) -> str:
    """A value as JSON text, in as few characters as there can be; a lone surrogate is a `ValueError`."""
    text = json.dumps(value, default=plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    text.encode()
    return text


_SCALARS: dict[Any, tuple[dict[str, Any], tuple[type, ...]]] = {
    bool: ({"type": "boolean"}, (bool,)),
    int: ({"type": "integer"}, (int,)),
    float: ({"type": "number"}, (int, float)),
    str: ({"type": "string"}, (str,)),
    None: ({"type": "null"}, (type(None),)),
    type(None): ({"type": "null"}, (type(None),)),
}

_FROM_TEXT: dict[Any, tuple[str | None, Callable[[str], Any]]] = {
    pathlib.Path: (None, pathlib.Path),
    uuid.UUID: ("uuid", uuid.UUID),
    datetime.date: ("date", datetime.date.fromisoformat),
    datetime.datetime: ("date-time", lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))),
}

_LISTS = {
    list: list,
    collections.abc.Sequence: list,
    collections.abc.Iterable: list,
    collections.abc.Collection: list,
    set: set,
    collections.abc.Set: set,
    frozenset: frozenset,
}

_UNIONS = (typing.Union, types.UnionType)


class Reader:
    """Reads the hints of one tool. Types that contain themselves go into `defs`."""

    def __init__(self) -> None:
        self.defs: dict[str, Any] = {}
        self._open: dict[Any, str] = {}
        self._recursive: dict[Any, Form] = {}

    def form(self, hint: Any, where: str) -> Form:
        """What a hint says. `where` is told if it says nothing that has a schema."""
        if hint is Any or hint is object or hint is inspect.Parameter.empty:
            return Form({}, lambda value, path: value)
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return _annotated(self.form(args[0], where), args[1:])
        if isinstance(hint, typing.Hashable) and hint in _SCALARS:
            return _scalar(*_SCALARS[hint], to=float if hint is float else None)
        if isinstance(hint, typing.Hashable) and hint in _FROM_TEXT:
            return _from_text(*_FROM_TEXT[hint])
        if origin in (getattr(typing, "Required", None), getattr(typing, "NotRequired", None)) and origin is not None:
            return self.form(args[0], where)
        if origin is typing.Literal:
            return _choice(list(args), lambda value: value)
        if origin in _UNIONS:
            return _union([self.form(arg, where) for arg in args])
        kind = origin or hint
        if kind is tuple:
            return self._tuple(args, where)
        if kind in _LISTS:
            return _list(self.form(args[0] if args else Any, where), _LISTS[kind])
        if kind in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
            if args and args[0] is not str:
                raise TypeError(f"{where}: the keys of objects in JSON are texts, so write dict[str, ...]")
            return _dict(self.form(args[1] if args else Any, where))
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return _choice([member.value for member in kind], kind)
        if is_model(kind):
            return self._model(kind)
        if dataclasses.is_dataclass(kind) or typing.is_typeddict(kind):
            return self._record(kind, where)
        for inner in ("__supertype__", "__value__"):
            if hasattr(hint, inner):
                return self.form(getattr(hint, inner), where)
        raise TypeError(f"{where}: no schema can be made of {hint!r}; hint it as something that JSON has, or give schema=")

    def _tuple(self, args: tuple[Any, ...], where: str) -> Form:
        if not args or args[-1] is ...:
            return _list(self.form(args[0] if args else Any, where), tuple)
        forms = [self.form(arg, where) for arg in args]
        size = len(forms)
        schema = {"type": "array", "prefixItems": [form.schema for form in forms], "minItems": size, "maxItems": size}

        def read(value: Any, path: str) -> Any:
            if not isinstance(value, list) or len(value) != size:
                raise _mismatch(path, f"a list of {size}")
            return tuple(form.read(item, step(path, at)) for at, (form, item) in enumerate(zip(forms, value)))

        return Form(schema, read)

    def _model(self, model: Any) -> Form:
        schema = model_schema(model)
        self.defs.update(schema.pop("$defs", {}))
        return Form(schema, lambda value, path: read_model(model, json.dumps(value), path))

    def _record(self, record: Any, where: str) -> Form:
        """A dataclass or a TypedDict."""
        name = record.__name__
        if record in self._open:
            self._open[record] = name
            return Form({"$ref": f"#/$defs/{name}"}, lambda value, path: self._recursive[record].read(value, path))
        self._open[record] = ""
        members = [
            (member, self.form(hint, f"{where}: {name}.{member}"), default, needed)
            for member, hint, default, needed in _members(record)
        ]
        form = members_form(members, is_closed=dataclasses.is_dataclass(record))
        if dataclasses.is_dataclass(record):
            form = Form(form.schema, _making(record, form.read))
        if self._open.pop(record):
            if self.defs.get(name, form.schema) != form.schema:
                raise TypeError(f"{where}: two types that contain themselves are called {name}")
            self._recursive[record] = form
            self.defs[name] = form.schema
            return Form({"$ref": f"#/$defs/{name}"}, form.read)
        return form


def members_form(members: list[tuple[str, Form, Any, bool]], is_closed: bool) -> Form:
    """An object with these members: name, form, default (`...` for none), and whether it must be there."""
    properties: dict[str, Any] = {}
    for name, form, default, _ in members:
        properties[name] = dict(form.schema)
        if default is not ...:
            try:
                properties[name]["default"] = json.loads(text_of(default))
            except (TypeError, ValueError):
                pass  # A default that has no JSON is no matter of the model's.
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": [name for name, _, _, needed in members if needed],
    }
    if is_closed:
        schema["additionalProperties"] = False
    forms = {name: form for name, form, _, _ in members}
    required = [name for name, _, _, needed in members if needed]

    def read(value: Any, path: str) -> Any:
        if not isinstance(value, dict) or any(name not in value for name in required):
            raise _mismatch(path, "an object with its required members")
        if is_closed and any(name not in forms for name in value):
            raise _mismatch(path, "an object without further members")
        read_member = {name: form.read for name, form in forms.items()}
        return {
            name: read_member[name](member, step(path, name)) if name in read_member else member
            for name, member in value.items()
        }

    return Form(schema, read)


def _members(record: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    hints = typing.get_type_hints(record, include_extras=True)
    if typing.is_typeddict(record):
        for name, hint in hints.items():
            yield name, hint, ..., name in record.__required_keys__
        return
    for field in dataclasses.fields(record):
        if field.init:
            is_needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            default = ... if field.default is dataclasses.MISSING else field.default
            yield field.name, hints[field.name], default, is_needed


def _making(record: Any, read: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def make(value: Any, path: str) -> Any:
        members = read(value, path)
        try:
            return record(**members)
        except ValueError as error:
            raise refusal(path, str(error)) from error

    return make


def _mismatch(path: str, expected: str) -> Refused:
    return refusal(path, "write a value of the type that is expected", "params_type", expected)


def _scalar(schema: dict[str, Any], classes: tuple[type, ...], to: Callable[[Any], Any] | None) -> Form:
    def read(value: Any, path: str) -> Any:
        if type(value) not in classes:
            raise _mismatch(path, str(schema["type"]))
        return value if to is None else to(value)

    return Form(dict(schema), read)


def _from_text(form: str | None, make: Callable[[str], Any]) -> Form:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, str):
            raise _mismatch(path, "a text")
        try:
            return make(value)
        except ValueError as error:
            raise refusal(path, str(error), "params_invalid", form) from error

    return Form({"type": "string"} if form is None else {"type": "string", "format": form}, read)


def _choice(values: list[Any], make: Callable[[Any], Any]) -> Form:
    def read(value: Any, path: str) -> Any:
        if not any(value == one and type(value) is type(one) for one in values):
            raise refusal(path, "use it exactly as it is written here", "params_unknown_variant", text_of(values))
        return make(value)

    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    kinds = {names.get(type(value)) for value in values}
    if None in kinds:
        raise TypeError(f"only texts, numbers, booleans and None can be chosen from, not {values!r}")
    schema: dict[str, Any] = {"enum": values}
    return Form({"type": kinds.pop()} | schema if len(kinds) == 1 else schema, read)


def _union(forms: list[Form]) -> Form:
    def read(value: Any, path: str) -> Any:
        first: Refused | None = None
        for form in forms:
            try:
                return form.read(value, path)
            except Refused as error:
                first = first or error
        raise first or _mismatch(path, "nothing")

    return Form({"anyOf": [form.schema for form in forms]}, read)


def _list(item: Form, make: Callable[[list[Any]], Any]) -> Form:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, list):
            raise _mismatch(path, "a list")
        return make([item.read(one, step(path, at)) for at, one in enumerate(value)])

    schema: dict[str, Any] = {"type": "array", "items": item.schema}
    return Form(schema | {"uniqueItems": True} if make in (set, frozenset) else schema, read)


def _dict(member: Form) -> Form:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            raise _mismatch(path, "an object")
        return {name: member.read(one, step(path, name)) for name, one in value.items()}

    return Form({"type": "object", "additionalProperties": member.schema or True}, read)


def _annotated(form: Form, notes: tuple[Any, ...]) -> Form:
    """A text is the description, and a dict has keywords of the schema; what else there is belongs to others."""
    more: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, str):
            more["description"] = note
        elif isinstance(note, dict):
            more |= note
    return Form(form.schema | more, form.read)


def model_schema(model: Any) -> dict[str, Any]:
    """The schema of a pydantic model, without what the tool says itself."""
    schema: dict[str, Any] = model.model_json_schema()
    return {keyword: value for keyword, value in schema.items() if keyword not in ("title", "description")}


_CATEGORIES = {
    "missing": "params_missing_field",
    "extra_forbidden": "params_unknown_field",
    "literal_error": "params_unknown_variant",
    "enum": "params_unknown_variant",
}


def read_model(model: Any, text: str, path: str) -> Any:
    """A pydantic model of JSON text; its errors as ours."""
    try:
        return model.model_validate_json(text)
    except ValueError as error:
        if not hasattr(error, "errors"):
            raise refusal(path, str(error)) from error
        problems = []
        for one in error.errors(include_url=False, include_input=False):
            kind = str(one["type"])
            category = "params_type" if kind.endswith("_type") else _CATEGORIES.get(kind, "params_constraint")
            place = path
            for part in one["loc"]:
                place = step(place, part)
            problems.append({"path": place, "category": category, "hint": str(one["msg"])})
        raise Refused(problems) from error
