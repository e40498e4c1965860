"""The history of a pixel as a table: rows of text, which terminals and pages show.

primitive  face   depth  target     output   before   after    result
0          front  0.5    SV_Target  1 0 0 1  0 0 0 0  1 0 0 1  written
                         depth               inf      0.5
3          back   0.1                                          face culling

Samples of a pixel that have the same numbers share a row.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ...vm.launch import Array
from .history import Fragment, PixelHistory

COLUMNS = (
    "draw", "primitive", "face", "samples", "depth", "target", "output", "before", "after",
    "result",
)  # fmt: skip
WRITTEN = "written"

__all__ = ["COLUMNS", "numbers", "rows", "text"]


def rows(history: PixelHistory) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows: the number of the fragment, and the text of each column that is not empty."""
    for number, one in enumerate(history.fragments):
        head = {
            "draw": history.titles.get(one.draw, str(one.draw)),
            "primitive": str(one.primitive),
            "face": "front" if one.is_front else "back",
        }
        for group in _groups(one):
            yield from ((number, each) for each in _of_samples(one, group, head))
            head = {}


def text(history: PixelHistory) -> Iterator[str]:
    """Yield the lines of the table; columns without information are left out."""
    found = [each for _, each in rows(history)]
    if not found:
        yield "no fragment"
        return
    shown = [each for each in COLUMNS if any(each in row for row in found)]
    if history.draws < 2 and not history.titles:
        shown.remove("draw")
    table = [shown, *([row.get(name, "") for name in shown] for row in found)]
    widths = [max(len(row[at]) for row in table) for at in range(len(shown))]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _groups(one: Fragment) -> list[list[int]]:
    """Return the covered samples, those together whose numbers are equal."""
    found: dict[tuple[object, ...], list[int]] = {}
    for sample in range(len(one.depth)):
        if one.samples >> sample & 1:
            arrays = (one.depth, *one.before.values(), *one.after.values(), *_own(one))
            key = (_result(one, sample), *(each[sample].tobytes() for each in arrays))
            found.setdefault(key, []).append(sample)
    return [*found.values()]


def _own(one: Fragment) -> list[Array]:
    """Return the outputs that differ between samples."""
    return [each for each in one.output.values() if len(each) > 1]


def _of_samples(
    one: Fragment, group: Sequence[int], head: dict[str, str]
) -> Iterator[dict[str, str]]:
    first = group[0]
    row = {**head, "depth": numbers(one.depth[first]), "result": _result(one, first)}
    if len(one.depth) > 1:
        row["samples"] = " ".join(map(str, group))
    names = [*one.output, *(each for each in one.after if each not in one.output)]
    if not one.shaded >> first & 1 and not one.written >> first & 1:
        # A test that fails may change a stencil.
        names = [x for x in one.after if (one.before[x][first] != one.after[x][first]).any()]
    if not names:
        yield row
    for name in names:
        row["target"] = name
        if name in one.output:
            array = one.output[name]
            row["output"] = numbers(array[first if len(array) > 1 else 0])
        if name in one.after:
            row["before"] = numbers(one.before[name][first])
            row["after"] = numbers(one.after[name][first])
        yield row
        row = {}


def _result(one: Fragment, sample: int) -> str:
    """Return the test that rejects a sample, or that it was written."""
    return next((str(each) for each, bits in one.rejected.items() if bits >> sample & 1), WRITTEN)


def numbers(array: Array) -> str:
    """Return numbers with as many digits as tell their values apart."""
    return " ".join(
        np.format_float_positional(each, unique=True, trim="-")
        if isinstance(each, np.floating) and (each == 0 or 1e-4 <= abs(each) < 1e9)
        else str(each)
        for each in np.asarray(array).reshape(-1)
    )
