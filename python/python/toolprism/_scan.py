"""Reading files."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import ToolprismError
from .types import Call, Group, GroupBy, Progress, Run, Span, Totals

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]
    import polars

    StrPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_PIECE = 512


class Scan:
    """The calls of all files that were read, as dicts in the order of the files.

    It is an Arrow table as well: `polars.DataFrame(scan)`, `pyarrow.table(scan)`, `pandas.DataFrame.from_arrow(scan)` and
    DuckDB's `from scan` take it without a copy of their own.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Scan) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Call]:
        for first in range(0, len(self), _PIECE):
            yield from self._native.dicts(first, _PIECE)

    def to_dicts(self) -> list[Call]:
        """All calls in a list."""
        return self._native.dicts(0, len(self))

    def groups(self, by: GroupBy = "label") -> list[Group]:
        """The groups of calls that share something, the largest first."""
        return self._native.groups(by)

    def runs(self, by: GroupBy = "label") -> list[Run]:
        """The runs of neighbouring calls of a file that share something."""
        return self._native.runs(by)

    @property
    def quarantined(self) -> list[Span]:
        """The parts of files that could not be read, each with its file, line, offset and reason."""
        return self._native.quarantined()

    @property
    def problems(self) -> list[ToolprismError]:
        """The files that were found and could not be read. (One that was named itself is an error at once.)"""
        return self._native.problems()

    @property
    def totals(self) -> Totals:
        """The figures of the scan."""
        return self._native.totals()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        # The protocol leaves it open whether a request is followed.
        return self._native.__arrow_c_stream__()

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def to_polars(self) -> polars.DataFrame:
        """The calls as a DataFrame of polars, which must be installed."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The calls as a DataFrame of pandas (3 or later), which must be installed, and pyarrow with it."""
        import pandas  # type: ignore[import-untyped,unused-ignore]

        return pandas.DataFrame.from_arrow(self)

    def __repr__(self) -> str:
        totals = self.totals
        return f"<Scan: {totals['calls']} calls in {totals['files']} files>"

    def _repr_html_(self) -> str:
        names = ("value", "calls", "failed", "rejected", "read_only", "paths")
        heads = ("label", *names[1:])
        head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in heads)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in _cells(group, names)) + "</tr>"
            for group in self.groups()[:20]
        )
        caption = html.escape(repr(self).strip("<>"))
        return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(group: Group, names: tuple[str, ...]) -> Iterator[Any]:
    members: dict[str, Any] = {**group}
    return (members[name] for name in names)


def scan(
    paths: StrPath | Iterable[StrPath] | None = None,
    *,
    strict: bool = False,
    raw_input: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> Scan:
    """Reads logs: files, folders and globs, `.gz` or not; without paths, those of the agents used on this machine.

    `strict` checks every record from end to end, and makes the first damage an error. `raw_input` keeps the arguments of
    every call as they came. `progress` is called now and then with how far the reading has come.
    """
    tell = None if progress is None else lambda *figures: progress(Progress(*figures))
    return Scan(_native.scan(_listed(paths), strict, raw_input, tell))


def _listed(paths: StrPath | Iterable[StrPath] | None) -> list[str]:
    if paths is None:
        return []
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    listed = [_expanded(path) for path in paths]
    if not listed:
        raise ToolprismError("no_paths", "no path given: leave the argument out for the agents' own logs")
    return listed


def _expanded(path: StrPath) -> str:
    text = os.path.expanduser(os.fsdecode(path))
    # To the program a lone hyphen is its standard input, and an empty path is none.
    return os.path.join(os.curdir, text) if text in ("-", "") else text
