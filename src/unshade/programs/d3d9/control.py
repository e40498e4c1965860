"""Control flow of a program, whose constructs nest: `if` to `endif`, `loop` to `endloop`.

Source: the pages of the assembly language on flow control.
"""

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .code import Code

__all__ = ["control_flow"]

OPENS = {"if": "endif", "ifc": "endif", "loop": "endloop", "rep": "endrep"}
ENDS = frozenset(OPENS.values())
LEFT_OUT = frozenset({"dcl", "def", "defi", "defb"})
BREAKS = frozenset({"break", "breakc", "breakp"})


def control_flow(code: Code) -> ProgramFlow:
    """Return the flow of the instructions of a program; declarations are left out."""
    kept = []
    for at, each in enumerate(code.instructions):
        name = "" if each.op is None else each.op.name
        if name not in LEFT_OUT:
            kept.append((at, name))
    names = [name for _, name in kept]
    ends, elses, loops = _constructs(names)
    steps = []
    for number, (at, name) in enumerate(kept):
        ways = _ways(number, name, ends, elses, loops)
        steps.append(FlowStep(f"instructions[{at}]", tuple(ways)))
    labels = [number for number, name in enumerate(names) if name == "label"]
    regions = []
    for opened, end in ends.items():
        middle = elses.get(opened)
        regions.append((opened, (end if middle is None else middle) - 1))
        if middle is not None:
            regions.append((middle, end - 1))
    wide = sorted(each for each in regions if each[1] > each[0])
    return ProgramFlow(steps, wide, [0, *labels] if steps else ())


def _constructs(names: list[str]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Return the end of each construct, the else of each `if`, and the loop around each step.

    An unclosed construct ends with the program.
    """
    ends: dict[int, int] = {}
    elses: dict[int, int] = {}
    loops: dict[int, int] = {}
    opened: list[int] = []
    for at, name in enumerate(names):
        if name in ENDS and opened:
            ends[opened.pop()] = at
        around = next((each for each in opened[::-1] if names[each] in ("loop", "rep")), None)
        if around is not None:
            loops[at] = around
        if name == "else" and opened:
            elses[opened[-1]] = at
        elif name in OPENS:
            opened.append(at)
    ends.update(dict.fromkeys(opened, len(names)))
    return ends, elses, loops


def _ways(
    at: int, name: str, ends: dict[int, int], elses: dict[int, int], loops: dict[int, int]
) -> list[tuple[int, str]]:
    following = at + 1
    if name in ("if", "ifc"):
        other = elses.get(at)
        return [(following, "true"), (ends[at] if other is None else other + 1, "false")]
    if name == "else":
        opened = next((each for each, middle in elses.items() if middle == at), None)
        return [(following, NEXT)] if opened is None else [(ends[opened], "jump")]
    if name in ("endloop", "endrep"):
        opened = next((each for each, end in ends.items() if end == at), at)
        return [(opened, "back"), (following, NEXT)]
    if name in BREAKS:
        around = loops.get(at)
        past = following if around is None else ends[around] + 1
        return [(following, NEXT)] * (name != "break") + [(past, "break")]
    return [] if name == "ret" else [(following, NEXT)]
