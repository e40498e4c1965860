"""Removal of names, which the hardware and libctru do not need.

    debug        labels, file names, lines          nothing reads them
    reflection   names of uniforms and inputs       applications can no longer look them up

The rows are removed with the names: without its name, a row has nothing that the code does not.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...stripping import Loss
from ...wire.codegen import bytes_of

if TYPE_CHECKING:
    from .shader import Shbin

ROW = {"labels": 16, "uniforms": 8, "lines": 8}  # bytes
MEANING = {
    "labels": "names of places in the code",
    "uniforms": "names of uniforms and inputs: applications can no longer look them up",
    "lines": "file names and lines of the source",
}
CATEGORIES = {"labels": "debug", "uniforms": "reflection", "lines": "debug"}


def losses(shader: "Shbin") -> Iterator[Loss]:
    """Yield everything that can be removed, in file order."""
    for part, table, size in _tables(shader):
        if size:
            yield Loss(f"{part} {table}", size, CATEGORIES[table], MEANING[table])


def strip(shader: "Shbin", lost: Iterable[Loss]) -> None:
    """Remove the given losses."""
    gone = {each.part for each in lost}
    for part, record, tables in _records(shader):
        taken = [table for table in tables if f"{part} {table}" in gone]
        for table in taken:
            setattr(record, table, [])
        if taken:
            record.symbols, record.symbol_size = [], None
    shader.forget_layout()


def _records(shader: "Shbin") -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yield the records with the names of their parts and of their removable tables."""
    yield "DVLP", shader.dvlp, ("lines",)
    for index, each in shader.distinct():
        name = f"DVLE[{index}]" if len(shader.dvles) > 1 else "DVLE"
        yield name, each, ("labels", "uniforms")


def _tables(shader: "Shbin") -> Iterator[tuple[str, str, int]]:
    for part, record, tables in _records(shader):
        for table in tables:
            rows = getattr(record, table)
            if table == "lines":
                names = dict.fromkeys([*(row.file for row in rows), *record.symbols])
                yield part, table, ROW[table] * len(rows) + bytes_of(names)
            else:
                names_of_rows = bytes_of(row.symbol for row in rows)
                yield part, table, ROW[table] * len(rows) + names_of_rows
