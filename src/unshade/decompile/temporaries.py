"""Variables that the program has no name for: none for some operands, and the names of the rest.

    float3 %1 = a - b;
    float3 %3 = normalize(%1);                       float3 t = normalize(a - b);
    float %2 = dot(%3, c);                   ->      float t_1 = dot(t, c);

The placement of values decides before functions such as `normalize` stand for several operations,
and before repeated vectors of values have a variable. Names have the order of the text.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from .names import UNNAMED, DecompiledNames
from .rewriting import rename
from .structure import ELEMENTS, expressions_of, inner_lines, is_pure, words_of
from .tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Line,
    NodeForm,
    Repeat,
    SourceExpression,
    name,
)

__all__ = ["name_temporaries", "without_temporaries"]

TEMPORARY = "t"  # the first name, and the stem of others
LARGEST = 16  # operations of a line that takes a value
SMALL = 6  # operations of a value that a vector takes
FORMS = ELEMENTS | {NodeForm.CALL, NodeForm.LINE, NodeForm.PRODUCT}


def _parts(line: Line) -> Iterator[SourceExpression]:
    for each in expressions_of(line):
        yield from _inside(each)


def _inside(value: SourceExpression) -> Iterator[SourceExpression]:
    """Yield an expression and its parts, the outermost first."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += reversed(each.args)


def without_temporaries(lines: list[Line]) -> None:
    """Write an operand where it is used, if it has no name and no other use, in place."""
    times = Counter(
        word for line in _all(lines) for each in expressions_of(line) for word in words_of(each)
    )
    waiting = [lines]
    while waiting:
        block = waiting.pop()
        found: list[Line] = []
        for line in reversed(block):
            waiting += inner_lines(line)
            below = found[-1] if found else None
            if isinstance(line, Define) and below is not None and _is_taken(line, below, times):
                assert line.value is not None
                rename([below], {line.name: line.value})
            else:
                found.append(line)
        block[:] = found[::-1]


def _all(lines: Sequence[Line]) -> Iterator[Line]:
    waiting = [*lines]
    while waiting:
        line = waiting.pop()
        yield line
        for inner in inner_lines(line):
            waiting += inner
        if isinstance(line, Repeat):
            waiting += [each for each in (line.first, line.step) if each is not None]


def _is_taken(line: Define, below: Line, times: Counter[str]) -> bool:
    value = line.value
    if value is None or not line.name.startswith(UNNAMED):
        return False
    if times[line.name] != 1 or value.type != line.type or not is_pure(value, FORMS):
        return False
    if not isinstance(below, Define | Assign | JumpLine | BranchLine):
        return False
    taking = {NodeForm.CALL} if _operations(value) > SMALL else {NodeForm.CALL, NodeForm.CONSTRUCT}
    operands = (arg for each in _parts(below) if each.op in taking for arg in each.args)
    if not any(arg.op is NodeForm.NAME and arg.attr == line.name for arg in operands):
        return False
    return sum(map(_operations, (value, *expressions_of(below)))) <= LARGEST


def _operations(value: SourceExpression) -> int:
    return sum(1 for each in _inside(value) if each.args)


def name_temporaries(lines: Sequence[Line], names: DecompiledNames) -> None:
    """Name the variables that have a mark, in the order of their definitions."""
    renames: dict[str, SourceExpression] = {}
    waiting = [*reversed(lines)]
    while waiting:
        line = waiting.pop()
        if isinstance(line, Define) and line.name.startswith(UNNAMED):
            label = name(names.unique(TEMPORARY), line.type)
            renames[line.name] = label
            line.name = str(label.attr)
        waiting += [each for inner in reversed(inner_lines(line)) for each in reversed(inner)]
    rename(lines, renames)
