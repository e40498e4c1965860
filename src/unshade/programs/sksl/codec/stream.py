"""The bytes of a command stream: commands, numbers, strings, and their spans when traced."""

import struct
from typing import Any

from ....errors import FormatError, LimitError
from ....limits import Limits
from ....wire import Span
from ....wire.spans import Spelled
from ....wire.types import I32, U8, U16, U32, Scalar
from .building import TreeBuilder
from .commands import CommandSet
from .pool import PooledStrings

__all__ = ["StreamReader"]

_STRUCTS = {each: struct.Struct(f"<{each.code}") for each in (U8, U16, U32, I32)}


class StreamReader(TreeBuilder):
    """A place in a stream, and what was read up to it."""

    def __init__(
        self,
        data: bytes,
        pool: PooledStrings,
        commands: CommandSet,
        limits: Limits,
        *,
        traced: bool,
    ) -> None:
        self.data = data
        self.pool = pool
        self.commands = commands
        super().__init__(limits, traced=traced, system_types=commands.system_types)
        self.at = 0
        self.start = 0  # of the field that is being read, for errors
        self.left = limits.instructions
        self.strings: dict[str, None] = {}
        self.spans: list[Span] = []

    def error(self, problem: str, at: int | None = None) -> FormatError:
        """Return an error about the bytes at an offset, by default those read last."""
        return FormatError(problem, offset=self.start if at is None else at, path=self.where)

    def note(self, start: int, value: Any, doc: str, suffix: str = "") -> None:
        """Record the span from `start` to here."""
        path = "".join((*self.path, suffix)).lstrip(".")
        self.spans.append(Span(start, self.at - start, path, value, doc))

    def _peek(self) -> str:
        self.start = self.at
        if self.at >= len(self.data):
            raise self.error("expected a command, got the end")
        code = self.data[self.at]
        return self.commands.names.get(code, f"unknown command {code}")

    def _tag(self) -> str:
        name = self._peek()
        self.left -= 1
        if self.left < 0:
            raise LimitError("instructions", self.limits.instructions, "more commands")
        self.at += 1
        if self.traced:
            self.note(self.at - 1, Spelled(name), "command", ".command")
        return name

    def _scalar(self, scalar: Scalar, doc: str, suffix: str = "") -> int:
        self.start = start = self.at
        end = start + scalar.size
        if end > len(self.data):
            raise self.error(f"expected {scalar.size} bytes, got {len(self.data) - start}")
        packed = _STRUCTS.get(scalar)
        if packed is None:
            packed = _STRUCTS[scalar] = struct.Struct(f"<{scalar.code}")
        value: int = packed.unpack_from(self.data, start)[0]
        self.at = end
        if self.traced:
            self.note(start, value, doc, suffix)
        return value

    def _string(self, suffix: str, doc: str) -> str:
        offset = self._scalar(U16, doc, suffix)
        text = self.pool.text(offset)
        if text is None:
            raise self.error(f"the offset {offset:#x} is outside the string pool")
        if self.traced:
            self.spans[-1] = self.spans[-1]._replace(value=text)
            self.path.append(suffix)
        self.choose(("offset", offset), ("offset", self.pool.offsets.get(text)))
        if self.traced:
            self.path.pop()
        self.strings.setdefault(text)
        return text
