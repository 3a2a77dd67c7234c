"""The one form of errors."""

from __future__ import annotations


class ToolprismError(ValueError):
    """An input could not be read.

    `kind` is a short stable name, such as `not_json`; `file`, `line`, `column` and `offset` say where, and `hint` what to do,
    as far as they are known.
    """

    kind: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    offset: int | None
    hint: str | None

    def __init__(
        self,
        kind: str,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(kind, message, file, line, column, offset, hint)
        self.kind = kind
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.offset = offset
        self.hint = hint

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        text = f"{place}: {self.message}" if self.file is not None else self.message
        if self.file is None and self.line is not None:
            text = f"line {self.line}: {text}"
        if self.offset is not None:
            text += f" (byte {self.offset})"
        return f"{text}; {self.hint}" if self.hint is not None else text
