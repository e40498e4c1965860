"""Variables for vectors that a line repeats, and none for the operand of a function.

    float3 t = a - b;                                      float3 n = normalize(a - b);
    float3 n = normalize(t);                        ->

    o = float3(dot(float3(x, y, 1.0), m[0]),               float3 t = float3(x, y, 1.0);
               dot(float3(x, y, 1.0), m[1]),        ->     o = float3(dot(t, m[0]), dot(t, m[1]),
               dot(float3(x, y, 1.0), m[2]));                         dot(t, m[2]));

The placement of values decides before functions such as `normalize` stand for several operations,
and does not see vectors of values, which are no operation of a program.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from .names import DecompiledNames
from .rewriting import rename, rewrite_own
from .structure import ELEMENTS, expressions_of, inner_lines, is_pure, words_of
from .tree import (
    Assign,
    BranchLine,
    Define,
    Evaluate,
    JumpLine,
    Line,
    NodeForm,
    Repeat,
    SourceExpression,
    name,
    text_key,
)

__all__ = ["TEMPORARY", "name_repeated", "without_temporaries"]

TEMPORARY = "t"  # the name of a value that the program has none for, and the stem of others
FEWEST = 3  # uses of a vector in a line for which it is named
LARGEST = 16  # operations of a line that takes a value
FORMS = ELEMENTS | {NodeForm.CALL, NodeForm.LINE, NodeForm.PRODUCT}
TAKING = Define | Assign | JumpLine | BranchLine | Evaluate


def name_repeated(lines: list[Line], names: DecompiledNames) -> None:
    """Define variables for vectors that a line repeats, in place."""
    found: list[Line] = []
    for line in lines:
        for inner in inner_lines(line):
            name_repeated(inner, names)
        for each in _repeated(line) if isinstance(line, TAKING) else ():
            label = name(names.unique(TEMPORARY), each.type)
            found.append(Define(label.attr, each.type, each, line.line))
            _replace(line, each, label)
        found.append(line)
    lines[:] = found


def _repeated(line: Line) -> Iterator[SourceExpression]:
    """Yield the vectors of several values that a line repeats, the outermost first."""
    times: Counter[object] = Counter()
    first: dict[object, SourceExpression] = {}
    for each in _parts(line):
        if each.op is NodeForm.CONSTRUCT and is_pure(each, FORMS):
            key = text_key(each)
            times[key] += 1
            first.setdefault(key, each)
    taken: Counter[object] = Counter()
    for key, each in first.items():
        if times[key] - taken[key] < FEWEST:
            continue
        inside = [text_key(part) for part in _inside(each) if part.op is NodeForm.CONSTRUCT]
        for part in inside[1:]:
            taken[part] += times[key] - 1
        yield each


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


def _replace(line: Line, value: SourceExpression, label: SourceExpression) -> None:
    key = text_key(value)

    def other(each: SourceExpression) -> SourceExpression | None:
        same = each.op is NodeForm.CONSTRUCT and text_key(each) == key
        return label if same else None

    rewrite_own(line, other)


def without_temporaries(lines: list[Line]) -> None:
    """Write an operand of a function in its call, if it has no name and no other use, in place."""
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
    stem, _, number = line.name.partition("_")
    if value is None or stem != TEMPORARY or (number and not number.isdigit()):
        return False
    if times[line.name] != 1 or value.type != line.type or not is_pure(value, FORMS):
        return False
    if not isinstance(below, Define | Assign | JumpLine | BranchLine):
        return False
    called = (arg for each in _parts(below) if each.op is NodeForm.CALL for arg in each.args)
    if not any(arg.op is NodeForm.NAME and arg.attr == line.name for arg in called):
        return False
    parts = (value, *expressions_of(below))
    return sum(1 for part in parts for each in _inside(part) if each.args) <= LARGEST
