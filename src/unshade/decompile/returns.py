"""A value that is returned, in place of the only output of an entry point.

    out_target0 = a;  return;                  return a;
    …                                   ->     …
    out_target0 = b;                           return b;

The output must be assigned whole, once at the end of each path, and not be read. Where a path
assigns nothing, the output is 0.
"""

from collections.abc import Sequence

from ..dataclass import replace
from .exits import leaves
from .interface import EntryParameter
from .structure import mentions, words_of
from .tree import (
    Assign,
    BranchLine,
    Choice,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    Repeat,
    SourceExpression,
    literal,
)

__all__ = ["returning"]


def returning(lines: Sequence[Line], output: EntryParameter) -> list[Line] | None:
    """Return the lines of a function that returns an output; None if it cannot be returned."""
    zero = literal((0,), output.type.wide(1))
    found = _returning(lines, output.name, zero, True)
    if found is not None and not leaves(found):
        found.append(JumpLine(Leave.RETURN, value=zero))
    return found


def _returning(
    lines: Sequence[Line], word: str, zero: SourceExpression, ends: bool
) -> list[Line] | None:
    """Return lines that return values; with `ends` the function ends behind them."""
    found: list[Line] = []
    for at, each in enumerate(lines):
        line: Line | None = each
        following = lines[at + 1] if at + 1 < len(lines) else None
        returns = _is_return(following) if following is not None else ends
        if isinstance(each, JumpLine):
            if each.how is Leave.RETURN:
                if found and _is_return(found[-1]):
                    continue
                line = replace(each, value=zero)
        elif isinstance(each, Assign) and each.target.attr == word:
            if not returns or each.target.op is not NodeForm.NAME or word in words_of(each.value):
                return None
            line = JumpLine(Leave.RETURN, each.line, value=each.value)
        else:
            line = _inside(each, word, zero, ends and following is None)
        if line is None:
            return None
        found.append(line)
    return found


def _inside(line: Line, word: str, zero: SourceExpression, ends: bool) -> "Line | None":
    """Return a line whose inner lines return values; None if it uses the output otherwise."""
    match line:
        case BranchLine():
            then = _returning(line.then, word, zero, ends)
            otherwise = _returning(line.otherwise, word, zero, ends)
            if then is None or otherwise is None or word in words_of(line.condition):
                return None
            return replace(line, then=then, otherwise=otherwise, names=None)
        case Repeat() | Once():
            body = _returning(line.body, word, zero, False)
            return None if body is None else replace(line, body=body, names=None)
        case Choice():
            cases: list[tuple[tuple[int | None, ...], list[Line]]] = []
            for labels, inner in line.cases:
                body = _returning(inner, word, zero, False)
                if body is None:
                    return None
                cases.append((labels, body))
            return replace(line, cases=cases, names=None)
    return None if mentions(line, word) else line


def _is_return(line: "Line | None") -> bool:
    return isinstance(line, JumpLine) and line.how is Leave.RETURN
