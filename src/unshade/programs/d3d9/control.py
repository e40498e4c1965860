"""Control flow of a program, whose constructs nest: `if` to `endif`, `loop` to `endloop`.

Source: the pages of the assembly language on flow control.
"""

from ...isa.constructs import Constructs, Nesting, constructs
from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .code import Code

__all__ = ["NESTING", "control_flow"]

LOOPS = frozenset({"loop", "rep"})
NESTING = Nesting(
    {"if": "endif", "ifc": "endif", "loop": "endloop", "rep": "endrep"}, loops=LOOPS, left=LOOPS
)
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
    found = constructs(names, NESTING)
    steps = []
    for number, (at, name) in enumerate(kept):
        steps.append(FlowStep(f"instructions[{at}]", tuple(_ways(number, name, found))))
    labels = [number for number, name in enumerate(names) if name == "label"]
    return ProgramFlow(steps, found.regions(), [0, *labels] if steps else ())


def _ways(at: int, name: str, found: Constructs) -> list[tuple[int, str]]:
    following = at + 1
    if name in ("if", "ifc"):
        other = found.elses.get(at)
        return [(following, "true"), (found.ends[at] if other is None else other + 1, "false")]
    if name == "else":
        opened = found.openers.get(at)
        if opened is None or found.elses[opened] != at:
            return [(following, NEXT)]
        return [(found.ends[opened], "jump")]
    if name in ("endloop", "endrep"):
        return [(found.openers.get(at, at), "back"), (following, NEXT)]
    if name in BREAKS:
        around = found.left.get(at)
        past = following if around is None else found.ends[around] + 1
        return [(following, NEXT)] * (name != "break") + [(past, "break")]
    return [] if name == "ret" else [(following, NEXT)]
