"""Lines that differ in register numbers alone: they compute the same from the same values.

    add r1.x, r0.x, v0.x        add r2.x, r5.x, v0.x      renumbered, if the lines that wrote r0 and
                                                          r5 are aligned
    mov o0.xyzw, r1.xyzw        mov o1.xyzw, r1.xyzw      not: no line reads an output

A component of a register holds the value of the last line above that wrote it. Components that no
line wrote are inputs and constants, whose numbers have a meaning.
"""

import re
from collections.abc import Sequence

from ...isa.steps import Step, Term
from .align import Row

__all__ = ["renumbered"]

SELECTED = re.compile(r"\.([xyzw]{1,4})[^.\w]*\Z")  # the components at the end of an operand
ALL = "xyzw"
Component = tuple[str, str]  # r0, x


def renumbered(rows: Sequence[Row], before: Sequence[Step], after: Sequence[Step]) -> set[int]:
    """Return the numbers of the rows whose lines differ in register numbers alone."""
    read = _read(before), _read(after)
    wrote: tuple[dict[Component, int], dict[Component, int]] = {}, {}
    found = set()
    for at, (i, j) in enumerate(rows):
        x = None if i is None else before[i]
        y = None if j is None else after[j]
        if x is not None and y is not None and x != y and x.shape == y.shape:
            inputs = _pairs(x.operands, y.operands)
            results = _pairs(x.results, y.results)
            if (
                inputs is not None
                and results is not None
                and all(_same(a, b, *wrote) for a, b in inputs)
                and all(a == b or (a[0] in read[0] and b[0] in read[1]) for a, b in results)
            ):
                found.add(at)
        for step, last in zip((x, y), wrote, strict=True):
            if step is not None:
                last.update(dict.fromkeys(_components(step.results), at))
    return found


def _read(steps: Sequence[Step]) -> set[str]:
    """Return the registers that a line reads after another line wrote them."""
    wrote: set[str] = set()
    found = set()
    for step in steps:
        found |= wrote & {each for term in step.operands for each in term.registers}
        wrote |= {each for term in step.results for each in term.registers}
    return found


def _same(
    before: Component, after: Component, wrote: dict[Component, int],
    wrote_after: dict[Component, int],
) -> bool:  # fmt: skip
    """Return True if two registers hold the results of aligned lines, or are one input."""
    row = wrote.get(before)
    return row == wrote_after.get(after) and (row is not None or before == after)


def _pairs(
    before: Sequence[Term], after: Sequence[Term]
) -> list[tuple[Component, Component]] | None:
    """Return the components of two lines side by side; None if their numbers differ."""
    ours, theirs = _components(before), _components(after)
    return [*zip(ours, theirs, strict=True)] if len(ours) == len(theirs) else None


def _components(terms: Sequence[Term]) -> list[Component]:
    """Return the components that operands select; by default all components of the register."""
    found = []
    for term in terms:
        selected = SELECTED.search(term.text)
        for at, register in enumerate(term.registers):
            letters = selected[1] if selected and not at else ALL
            found += [(register, letter) for letter in letters]
    return found
