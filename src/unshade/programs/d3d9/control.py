"""Control flow of a program, whose constructs nest: `if` to `endif`, `loop` to `endloop`.

Source: the pages of the assembly language on flow control.
"""

from collections.abc import Sequence

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from ...tuples import NamedTuple
from .code import Code

__all__ = ["Constructs", "constructs", "control_flow"]

OPENS = {"if": "endif", "ifc": "endif", "loop": "endloop", "rep": "endrep"}
ENDS = frozenset(OPENS.values())
LOOPS = frozenset({"loop", "rep"})
LEFT_OUT = frozenset({"dcl", "def", "defi", "defb"})
BREAKS = frozenset({"break", "breakc", "breakp"})


class Constructs(NamedTuple):
    """The constructs of a program, by the numbers of its steps. Unclosed ones end with it."""

    ends: dict[int, int]  # by the step that opens the construct
    elses: dict[int, int]  # by their `if`; of several the last
    openers: dict[int, int]  # by the `else` or the end
    loops: dict[int, int]  # the innermost loop around a step


def constructs(names: Sequence[str]) -> Constructs:
    """Return the constructs of a program, given by the names of its operations."""
    found = Constructs({}, {}, {}, {})
    opened: list[int] = []
    loops: list[int] = []
    for at, name in enumerate(names):
        if name in ENDS and opened:
            start = opened.pop()
            found.ends[start], found.openers[at] = at, start
            if loops[-1:] == [start]:
                loops.pop()
        if loops:
            found.loops[at] = loops[-1]
        if name == "else" and opened:
            found.elses[opened[-1]], found.openers[at] = at, opened[-1]
        elif name in OPENS:
            opened.append(at)
            if name in LOOPS:
                loops.append(at)
    found.ends.update(dict.fromkeys(opened, len(names)))
    return found


def control_flow(code: Code) -> ProgramFlow:
    """Return the flow of the instructions of a program; declarations are left out."""
    kept = []
    for at, each in enumerate(code.instructions):
        name = "" if each.op is None else each.op.name
        if name not in LEFT_OUT:
            kept.append((at, name))
    names = [name for _, name in kept]
    found = constructs(names)
    steps = []
    for number, (at, name) in enumerate(kept):
        steps.append(FlowStep(f"instructions[{at}]", tuple(_ways(number, name, found))))
    labels = [number for number, name in enumerate(names) if name == "label"]
    regions = []
    for opened, end in found.ends.items():
        middle = found.elses.get(opened)
        regions.append((opened, (end if middle is None else middle) - 1))
        if middle is not None:
            regions.append((middle, end - 1))
    wide = sorted(each for each in regions if each[1] > each[0])
    return ProgramFlow(steps, wide, [0, *labels] if steps else ())


def _ways(at: int, name: str, found: Constructs) -> list[tuple[int, str]]:
    following = at + 1
    if name in ("if", "ifc"):
        other = found.elses.get(at)
        return [(following, "true"), (found.ends[at] if other is None else other + 1, "false")]
    if name == "else":
        opened = found.openers.get(at)
        last = opened is not None and found.elses[opened] == at
        return (
            [(found.ends[opened], "jump")] if opened is not None and last else [(following, NEXT)]
        )
    if name in ("endloop", "endrep"):
        return [(found.openers.get(at, at), "back"), (following, NEXT)]
    if name in BREAKS:
        around = found.loops.get(at)
        past = following if around is None else found.ends[around] + 1
        return [(following, NEXT)] * (name != "break") + [(past, "break")]
    return [] if name == "ret" else [(following, NEXT)]
