"""Recognition of a file that looks like an older layout but does not fit it.

    bytes        d6c226a, cut off                 today
    +5           words of the modules             the same, one byte later
    +24  01      one input                        part of the size of a table
    +25  00 04   location 0, FLOAT                1,024 inputs: too many
      …          up to a module that is cut off

A file looks like an older layout if that has numbers that the compiler writes in every field up to
the first module, which begins with the magic number of SPIR-V, and today's layout does not. Nothing
else distinguishes the layouts: all contain version 1.
"""

import re

from ...errors import FormatError
from ...limits import DEFAULT, Limits
from ...wire.salvage import SalvageReader
from ...wire.spans import Span, spans_of
from .older import LAYOUTS, SPIRV, Converted, Converter, DoesNotFit, OlderLayout
from .program import split_modules
from .records import BaseType, SubpassForm, TexelRank, TexelType, VbcFile
from .spelling import NAMES

__all__ = ["refusal"]

START = b"VBC\x01"
DOCUMENTED = (("form", int(SubpassForm.DOCUMENTED)),)
NUMERIC = range(BaseType.BOOLEAN, BaseType.FLOAT + 1)
BOUND = range(BaseType.SAMPLER, BaseType.RW_TEXELS + 1)
SIDES = range(1, 5)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# Numbers that the compiler writes, by the first and the last name of a path.
WRITTEN = {
    "inputs": {"base": NUMERIC, "rows": SIDES, "columns": SIDES},
    "outputs": {"base": NUMERIC, "rows": SIDES, "columns": SIDES},
    "bindings": {"base": BOUND, "rank": range(len(TexelRank)), "type": range(len(TexelType))},
    "uniform": {"base": range(BaseType.FLOAT + 1)},  # VOID where a layout has no types
    "subpasses": {"type": range(len(TexelType)), "count": SIDES},
}


def refusal(data: bytes, limits: Limits = DEFAULT) -> FormatError | None:
    """Return the error for a file that fits no layout but looks like an older one; else None."""
    if data[:4] != START or _reaches_code(data, data, limits):
        return None
    looks = [(layout, _look(data, layout, limits)) for layout in LAYOUTS.values()]
    found = [(layout.commits, error) for layout, error in looks if error is not None]
    if not found:
        return None
    first = found[0][1]
    names = " or ".join(commits for commits, _ in found)
    problem = f"{first.problem}; the file looks like the layout of {names}"
    return FormatError(problem, offset=first.offset, path=first.path)


def _look(data: bytes, layout: OlderLayout, limits: Limits) -> FormatError | None:
    """Return the place at which a file violates an older layout that it resembles, or None."""
    made = Converter(data, layout, True)
    try:
        made.convert(split_modules)
    except DoesNotFit as broken:
        today = Converted(tuple(made.pieces)).today
        if not _reaches_code(today, today + data[broken.offset :], limits):
            return None
        _, path = _fields(today, limits)
        path = (path or "trailing") if layout.sizes else "modules"
        return FormatError(str(broken), offset=broken.offset, path=path)
    return None


def _reaches_code(fields: bytes, data: bytes, limits: Limits) -> bool:
    """Return True if a file of today's layout is as compiled up to its first module.

    `fields` are the start of the file, and `data` is the start and the bytes that follow.
    """
    found, path = _fields(fields, limits)
    if not all(map(_is_written, found)):
        return False
    places = {each.path: each for each in found}
    if not places.keys().isdisjoint(NAMES):
        return True
    end = max((each.offset + each.length for each in found), default=0)
    return path in ("", *NAMES, "subpasses") and data[end:].startswith(SPIRV)


def _fields(data: bytes, limits: Limits) -> tuple[list[Span], str]:
    """Return the fields of today's layout up to the first violation, and its path."""
    found = SalvageReader(data, limits).read(VbcFile, 0, DOCUMENTED)
    path = found.error.path if isinstance(found.error, FormatError) else ""
    return spans_of(found.trace), path


def _is_written(field: Span) -> bool:
    """Return True if the compiler could have written the value of a field."""
    table, last = field.path.partition("[")[0].partition(".")[0], field.path.rpartition(".")[2]
    if table in NAMES:
        return bool(field.value.startswith(SPIRV))
    if last == "name":
        return NAME.fullmatch(field.value) is not None
    if last == "stages":
        return isinstance(field.value, str)
    numbers = WRITTEN.get(table, {}).get(last)
    return numbers is None or field.value in numbers
