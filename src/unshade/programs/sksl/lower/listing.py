"""Lines of statements: of the source that was compiled, or of the text of a program from a file.

A file does not contain positions. Its text compiles to the same program, so the statements of the
two are paired in order; if they differ, as in a program that no compiler wrote, there are no lines.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from ....errors import UnshadeError
from ....isa.source import Source
from ..assembler import compile, settings_of
from ..code import Code
from ..text.native import disassemble
from ..tree import BlockStatement, NopStatement, ProgramUnit, Statement, walk

__all__ = ["lines_of"]


def lines_of(code: Code) -> tuple[list[str], dict[Statement, int]]:
    """Return the lines of a program, and the line of each statement, from 1."""
    unit = code.unit
    assert isinstance(unit, ProgramUnit)
    if unit.source is not None:
        return unit.source.lines, _positions(list(_statements(unit)), unit.source)
    source = Source(disassemble(code))
    try:
        again = compile(source, settings_of(source), code.limits)
    except UnshadeError:
        return source.lines, {}
    ours, theirs = list(_statements(unit)), list(_statements(again))
    if [*map(type, ours)] != [*map(type, theirs)]:
        return source.lines, {}
    lines = _positions(theirs, source)
    pairs = zip(ours, theirs, strict=True)
    return source.lines, {one: lines[other] for one, other in pairs if other in lines}


def _statements(unit: ProgramUnit) -> Iterator[Statement]:
    """Yield the statements that have a separate place."""
    for each in walk(unit):
        if isinstance(each, Statement) and not isinstance(each, BlockStatement | NopStatement):
            yield each


def _positions(statements: list[Statement], source: Source) -> dict[Statement, int]:
    starts = [0, *accumulate(len(each) + 1 for each in source.text.split("\n"))]
    found = {}
    for each in statements:
        if each.position is not None and each.position[0] >= 0:
            found[each] = bisect_right(starts, each.position[0])
    return found
