"""Exits without flags and one-turn loops, where branches say the same.

    do {                          if (a) {
        if (a) { x; break; }          x;            if (c) { r = t; break; }     r = t;
        y;                 ->     } else {          r = t;                   ->  if (c) { break; }
    } while (false);                  y;
                                  }

Lines are changed, not meaning. A body that a jump leaves from inside a loop or a switch stays, as
does one where a branch leaves on some of its paths and lines follow, which would be written twice.
"""

from collections.abc import Container, Sequence

from ..dataclass import replace
from .rewriting import rename
from .structure import (
    assigned_names,
    inner_lines,
    is_pure,
    mentions,
    negated,
    words_of,
)
from .tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    SourceExpression,
    text_key,
)

__all__ = ["leaves", "without_exits"]

DEEPEST = 6  # branches that one body becomes
FLAG = NodeForm.NAME
ENDS = frozenset({Leave.BREAK, Leave.CONTINUE, Leave.RETURN})


def without_exits(
    lines: Sequence[Line], variables: Container[str], keep_outer: bool = False
) -> list[Line]:
    """Return lines with branches in place of one-turn loops and flags, as far as possible.

    Args:
        lines: The lines of the entry point, which are changed.
        variables: The names of its variables.
        keep_outer: The outermost one-turn loops stay: they are the phases of a hull shader.
    """
    found: list[Line] = []
    for line in lines:
        for inner in inner_lines(line):
            inner[:] = without_exits(inner, variables)
        line.names = None
        made = _branches(line.body, 0) if isinstance(line, Once) and not keep_outer else None
        found += [line] if made is None else made
    return _copies(_joined(_unflagged(found)), variables)


# ---------------------------------------------------------------- one-turn loops


def _branches(lines: Sequence[Line], depth: int) -> list[Line] | None:
    """Return the lines of a one-turn loop without the jumps that leave it; None if some stay."""
    for at, line in enumerate(lines):
        if isinstance(line, JumpLine) and line.how in ENDS:
            return [*lines[: at + (line.how is not Leave.BREAK)]]
        if not isinstance(line, BranchLine) or not _breaks(line):
            continue
        if depth == DEEPEST:
            return None
        rest = lines[at + 1 :]
        staying = [not leaves(arm) for arm in (line.then, line.otherwise)]
        if rest and all(staying):
            return None
        arms: list[list[Line]] = []
        for arm, stays in zip((line.then, line.otherwise), staying, strict=True):
            made = _branches([*arm, *rest] if stays else arm, depth + 1)
            if made is None:
                return None
            arms.append(made)
        return [*lines[:at], *_branch(line, arms)]
    return [*lines]


def _branch(line: BranchLine, arms: Sequence[list[Line]]) -> list[Line]:
    """Return a branch with other lines in its arms."""
    then, otherwise = arms
    if then:
        return [replace(line, then=then, otherwise=otherwise, names=None)]
    if otherwise:
        return [
            replace(
                line, condition=negated(line.condition), then=otherwise, otherwise=[], names=None
            )
        ]
    return [] if is_pure(line.condition) else [replace(line, then=[], otherwise=[], names=None)]


def _breaks(line: Line) -> bool:
    """Return True if a line leaves the innermost construct around it."""
    waiting = [line]
    while waiting:
        each = waiting.pop()
        if isinstance(each, JumpLine) and each.how is Leave.BREAK:
            return True
        if isinstance(each, BranchLine):
            waiting += [*each.then, *each.otherwise]
    return False


def leaves(lines: Sequence[Line]) -> bool:
    """Return True if no path through lines reaches their end."""
    for line in lines:
        if isinstance(line, JumpLine) and line.how in ENDS:
            return True
        if isinstance(line, BranchLine) and leaves(line.then) and leaves(line.otherwise):
            return True
    return False


# ---------------------------------------------------------------- flags


def _unflagged(lines: Sequence[Line]) -> list[Line]:
    """Clear a flag before the construct that sets it, not where the flag is found set."""
    found = [*lines]
    for at in range(len(found) - 1, 0, -1):
        line = found[at]
        if not isinstance(line, BranchLine) or not line.then or line.condition.op is not FLAG:
            continue
        word, first = str(line.condition.attr), line.then[0]
        if not _clears(first, word):
            continue
        users = [place for place, each in enumerate(found) if mentions(each, word)]
        if users == [at - 1, at]:
            found[at] = replace(line, then=line.then[1:], names=None)
            found.insert(at - 1, first)
    return found


def _clears(line: Line, word: str) -> bool:
    return (
        isinstance(line, Assign) and line.target.op is NodeForm.NAME
        and line.target.attr == word and line.value.op is NodeForm.LITERAL
        and not any(line.value.attr)
    )  # fmt: skip


# ---------------------------------------------------------------- assignments


def _joined(lines: Sequence[Line]) -> list[Line]:
    """Move an assignment before a branch that starts with the same assignment."""
    found: list[Line] = []
    waiting = [*reversed(lines)]
    while waiting:
        line = waiting.pop()
        if waiting and isinstance(line, BranchLine) and not line.otherwise and line.then:
            first, after = line.then[0], waiting[-1]
            if (
                isinstance(first, Assign) and isinstance(after, Assign)
                and first.target.op is NodeForm.NAME
                and text_key(first.target) == text_key(after.target)
                and text_key(first.value) == text_key(after.value)
                and is_pure(first.value)
                and leaves(line.then)
                and str(first.target.attr) not in words_of(line.condition)
            ):  # fmt: skip
                waiting[-1] = replace(line, then=line.then[1:], names=None)
                waiting.append(after)
                continue
        found.append(line)
    return found


def _copies(lines: Sequence[Line], variables: Container[str]) -> list[Line]:
    """Give a value that is copied to a variable at once the name of the variable."""
    found: list[Line] = []  # from the last
    renames: dict[str, SourceExpression] = {}
    later: set[str] = set()  # names that the lines after the present pair assign
    for line in reversed(lines):
        after = found[-1:]
        made = _joined_copy(line, after[0], variables) if after else None
        if made is None or str(made[1].target.attr) in later:
            later.update(assigned_names(after))
            found.append(line)
            continue
        word, found[-1] = made
        renames[word] = made[1].target
    found.reverse()
    if renames:
        rename(found, renames)
    return found


def _joined_copy(line: Line, copy: Line, variables: Container[str]) -> tuple[str, Assign] | None:
    """Return a defined name and the assignment of its value to the variable that it is copied to.

    None if the next line is not such a copy.
    """
    if not (isinstance(line, Define) and isinstance(copy, Assign)) or line.value is None:
        return None
    target, value = copy.target, copy.value
    if target.op is not NodeForm.NAME or value.op is not NodeForm.NAME:
        return None
    if target.attr not in variables or target.type != line.type or value.attr != line.name:
        return None
    return line.name, Assign(target, line.value, line.line)
