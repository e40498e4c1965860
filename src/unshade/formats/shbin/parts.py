"""Parts of a SHBIN, the DVLP and the DVLEs: their extents, and the public paths of their fields.

    record path              public path
    dvlp.code[3]             DVLP.code[3]
    dvles[1].outputs[0]      DVLE[1].outputs[0]      without a number if there is only one DVLE
    magic                    DVLB.magic

The extent of a part is its header and its tables, which need not be adjacent: short files have the
DVLE headers before the code.
"""

import re
from collections.abc import Iterable
from typing import Any

from ...errors import FormatError, LimitError
from ...parts import Category
from ...wire import Span
from .program import descriptor_text

TITLES = {
    "DVLP": "program: code, operand descriptors",
    "DVLE": "executable: entry point, constants, outputs, uniforms",
    "DVOJ": "object that is not linked yet (experimental)",
}

CATEGORIES = {"DVLP": Category.CODE, "DVLE": Category.INTERFACE, "DVOJ": Category.CODE}
TABLES = {
    "uniforms": Category.REFLECTION,
    "symbols": Category.REFLECTION,
    "labels": Category.DEBUG,
    "lines": Category.DEBUG,
    "constants": Category.CODE,
}

_INDEXED = re.compile(r"dvles\[(\d+)\](.*)", re.DOTALL)


class Section:
    """A part of the file: a record."""

    __slots__ = ("error", "extents", "name", "offset", "record", "whole")

    def __init__(
        self, name: str, record: Any, extents: list[tuple[int, int]], whole: bytes
    ) -> None:
        self.name = name
        self.offset = extents[0][0] if extents else 0  # of its header
        self.record = record
        self.extents = extents
        self.whole = whole
        self.error: FormatError | LimitError | None = None

    @property
    def size(self) -> int:
        """Size of its header and tables in bytes."""
        return sum(end - start for start, end in self.extents)

    @property
    def data(self) -> bytes:
        """The bytes of its header and tables, in file order."""
        return b"".join(self.whole[start:end] for start, end in self.extents)

    @property
    def title(self) -> str:
        """A one-line description, "" if there is none."""
        return TITLES.get(self.name, "")

    @property
    def value(self) -> Any:
        """The record."""
        return self.record

    @property
    def category(self) -> Category:
        """The category of the part."""
        return CATEGORIES.get(self.name, Category.CONTAINER)

    def category_of(self, field: str) -> Category:
        """Return the category of a field, given by its dotted path."""
        table = field.partition(".")[0].partition("[")[0]
        return TABLES.get(table, self.category)

    def in_program(self, field: str) -> bool:
        """Return True if a field belongs to the code of the program."""
        return field.partition("[")[0] == "code"

    def described(self, field: str, value: Any) -> str | None:
        """Return a descriptor as spelled in listings; None for other fields."""
        if field.partition("[")[0] != "descriptors" or not isinstance(value, int):
            return None
        return descriptor_text(value)

    def __repr__(self) -> str:
        return f"<Section {self.name} at 0x{self.offset:x}>"


def called(path: str, executables: int) -> str:
    """Return the public path of a field of a DVLB."""
    path = path.lstrip(".")
    match = _INDEXED.fullmatch(path)
    if match and match[2]:
        return (f"DVLE[{match[1]}]" if executables > 1 else "DVLE") + match[2]
    if path == "dvlp" or path.startswith("dvlp."):
        return "DVLP" + path[4:]
    return f"DVLB.{path}" if path else "DVLB"


def extents(spans: Iterable[Span]) -> dict[str, list[tuple[int, int]]]:
    """Return the byte ranges (start, end) of each record, by the first component of the paths."""
    found: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans, key=lambda s: s.offset):
        runs = found.setdefault(span.path.partition(".")[0], [])
        end = span.offset + span.length
        if runs and span.offset <= runs[-1][1]:
            runs[-1] = runs[-1][0], max(runs[-1][1], end)
        else:
            runs.append((span.offset, end))
    return found
