"""DVLP and the DVLEs as parts: what of a file belongs to which record, and what fields are called.

    record path              called                  a record's extent
    dvlp.code[3]             DVLP.code[3]            its header and every table that it leads to,
    dvles[1].outputs[0]      DVLE[1].outputs[0]      which need not stand together: short files
    magic                    DVLB.magic              have the DVLE headers before the code

With one DVLE there is no number.
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
    """One record of the file, for whoever lists the parts of files."""

    __slots__ = ("error", "extents", "name", "offset", "record", "whole")

    def __init__(
        self, name: str, record: Any, extents: list[tuple[int, int]], whole: bytes
    ) -> None:
        self.name = name
        self.offset = extents[0][0] if extents else 0  # where its header begins
        self.record = record
        self.extents = extents
        self.whole = whole
        self.error: FormatError | LimitError | None = None

    @property
    def size(self) -> int:
        """Bytes of its header and tables."""
        return sum(end - start for start, end in self.extents)

    @property
    def data(self) -> bytes:
        """Those bytes, in file order."""
        return b"".join(self.whole[start:end] for start, end in self.extents)

    @property
    def title(self) -> str:
        """What it is for."""
        return TITLES.get(self.name, "")

    @property
    def value(self) -> Any:
        """The record."""
        return self.record

    @property
    def category(self) -> Category:
        """What it is for: a program is code, an executable says how it is used."""
        return CATEGORIES.get(self.name, Category.CONTAINER)

    def category_of(self, field: str) -> Category:
        """The same of a field, by its dotted path."""
        table = field.partition(".")[0].partition("[")[0]
        return TABLES.get(table, self.category)

    def in_program(self, field: str) -> bool:
        """Whether a field is what the program says."""
        return field.partition("[")[0] == "code"

    def described(self, field: str, value: Any) -> str | None:
        """A descriptor as texts write it."""
        if field.partition("[")[0] != "descriptors" or not isinstance(value, int):
            return None
        return descriptor_text(value)

    def __repr__(self) -> str:
        return f"<Section {self.name} at 0x{self.offset:x}>"


def called(path: str, executables: int) -> str:
    """The name of a field of a DVLB, outside."""
    path = path.lstrip(".")
    match = _INDEXED.fullmatch(path)
    if match and match[2]:
        return (f"DVLE[{match[1]}]" if executables > 1 else "DVLE") + match[2]
    if path == "dvlp" or path.startswith("dvlp."):
        return "DVLP" + path[4:]
    return f"DVLB.{path}" if path else "DVLB"


def extents(spans: Iterable[Span]) -> dict[str, list[tuple[int, int]]]:
    """The runs of bytes of each record: those whose fields have paths that begin with its name."""
    found: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans, key=lambda s: s.offset):
        runs = found.setdefault(span.path.partition(".")[0], [])
        end = span.offset + span.length
        if runs and span.offset <= runs[-1][1]:
            runs[-1] = runs[-1][0], max(runs[-1][1], end)
        else:
            runs.append((span.offset, end))
    return found
