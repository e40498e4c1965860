"""Expressions in place of others, in expressions and in lines."""

from collections.abc import Callable, Mapping, Sequence

from .structure import inner_lines
from .tree import (
    Assign,
    BranchLine,
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Line,
    NodeForm,
    Repeat,
    SourceExpression,
)

__all__ = ["rename", "replaced", "rewrite", "rewrite_own"]


def replaced(
    value: SourceExpression, other: Callable[[SourceExpression], SourceExpression | None]
) -> SourceExpression:
    """Return an expression with others in place of parts; the same if it has none of them.

    Args:
        value: The expression.
        other: Returns what stands for a part, or None if the part stays as far as it is itself.
    """
    found = other(value)
    if found is not None:
        return found
    args = tuple(replaced(each, other) for each in value.args)
    if all(one is same for one, same in zip(args, value.args, strict=True)):
        return value
    return SourceExpression(value.op, value.type, args, value.attr)


def rewrite(
    lines: Sequence[Line], other: Callable[[SourceExpression], SourceExpression | None]
) -> None:
    """Replace parts of the expressions of lines, and of the lines inside them."""
    waiting: list[Line] = [*lines]
    while waiting:
        line = waiting.pop()
        rewrite_own(line, other)
        if isinstance(line, Repeat):
            waiting += [each for each in (line.first, line.step) if each is not None]
        for inner in inner_lines(line):
            waiting += inner


def rewrite_own(line: Line, other: Callable[[SourceExpression], SourceExpression | None]) -> None:
    """Replace parts of the expressions of a line alone."""
    match line:
        case Assign():
            line.target = replaced(line.target, other)
            line.value = replaced(line.value, other)
        case Evaluate() | Choice():
            line.value = replaced(line.value, other)
        case Define() | JumpLine() if line.value is not None:
            line.value = replaced(line.value, other)
        case BranchLine():
            line.condition = replaced(line.condition, other)
        case Repeat() if line.condition is not None:
            line.condition = replaced(line.condition, other)
    line.names = None


def rename(lines: Sequence[Line], renames: Mapping[str, SourceExpression]) -> None:
    """Write names in place of others, in lines and the lines inside them."""

    def other(value: SourceExpression) -> SourceExpression | None:
        return renames.get(str(value.attr)) if value.op is NodeForm.NAME else None

    rewrite(lines, other)
