"""Constructs that nest in a program without labels: `if` to `endif`, `loop` to `endloop`.

    0   loop              ends     {0: 6, 1: 5}
    1     if_nz r0.x      elses    {1: 3}
    2       break         openers  {3: 1, 5: 1, 6: 0}
    3     else            loops    {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}
    4       mov r1.x, l(1)
    5     endif
    6   endloop

*Construct* is the word of the Direct3D specifications. The work is one pass, and does not depend on
the depth.
"""

from collections.abc import Mapping, Sequence

from ..tuples import NamedTuple

__all__ = ["Constructs", "Nesting", "constructs"]


class Nesting(NamedTuple):
    """The names of the operations that nest.

    Attributes:
        opens: The end of each construct, by the operation that opens it.
        loops: Operations that open a loop.
        left: Operations that open what a `break` leaves.
        cases: Operations that begin a case.
    """

    opens: Mapping[str, str]
    loops: frozenset[str]
    left: frozenset[str]
    cases: frozenset[str] = frozenset()


class Constructs(NamedTuple):
    """The constructs of a program, by the numbers of its steps. Unclosed ones end with it."""

    ends: dict[int, int]  # by the step that opens the construct
    elses: dict[int, int]  # by their `if`; of several the last
    cases: dict[int, list[int]]  # by their `switch`
    openers: dict[int, int]  # by the `else`, the case or the end
    loops: dict[int, int]  # the innermost loop around a step
    left: dict[int, int]  # the innermost construct around a step that a `break` leaves

    def regions(self) -> list[tuple[int, int]]:
        """Return the first and the last step of each construct; `else` begins another region."""
        found = []
        for opened, end in self.ends.items():
            middle = self.elses.get(opened)
            found.append((opened, (end if middle is None else middle) - 1))
            if middle is not None:
                found.append((middle, end - 1))
        return sorted(each for each in found if each[1] > each[0])


def constructs(names: Sequence[str], nesting: Nesting) -> Constructs:
    """Return the constructs of a program, given by the names of its operations.

    An end closes the innermost construct, and `else` and cases divide it, of whatever kind it is.
    """
    found = Constructs({}, {}, {}, {}, {}, {})
    ends = frozenset(nesting.opens.values())
    opened: list[int] = []
    loops: list[int] = []
    left: list[int] = []
    for at, name in enumerate(names):
        if name in ends and opened:
            start = opened.pop()
            found.ends[start], found.openers[at] = at, start
            for inner in (loops, left):
                if inner[-1:] == [start]:
                    inner.pop()
        if loops:
            found.loops[at] = loops[-1]
        if left:
            found.left[at] = left[-1]
        if name == "else" and opened:
            found.elses[opened[-1]], found.openers[at] = at, opened[-1]
        elif name in nesting.cases and opened:
            found.cases.setdefault(opened[-1], []).append(at)
            found.openers[at] = opened[-1]
        elif name in nesting.opens:
            opened.append(at)
            if name in nesting.loops:
                loops.append(at)
            if name in nesting.left:
                left.append(at)
    found.ends.update(dict.fromkeys(opened, len(names)))
    return found
