"""Control flow of a tokenized program, whose constructs nest: `if` to `endif`, `loop` to `endloop`.

Source: the Direct3D 11.3 functional specification, section 22.7 (flow control instructions).
"""

from collections.abc import Sequence

from ...isa.constructs import Constructs, Nesting, constructs
from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .instruction import Instruction
from .tables.ops import OPS

__all__ = ["control_flow"]

NESTING = Nesting(
    {"if": "endif", "loop": "endloop", "switch": "endswitch"},
    loops=frozenset({"loop"}),
    left=frozenset({"loop", "switch"}),
    cases=frozenset({"case", "default"}),
)
PHASES = ("hs_control_point_phase", "hs_fork_phase", "hs_join_phase", "label")
NAMES = {op.code: op.name for op in OPS}


def control_flow(code: Sequence[Instruction]) -> ProgramFlow:
    """Return the flow of the instructions of a program; declarations are left out."""
    kept = [
        (at, name)
        for at, each in enumerate(code)
        if not (name := NAMES.get(each.opcode, "")).startswith(("dcl_", "customdata", "hs_decls"))
    ]
    names = [name for _, name in kept]
    found = constructs(names, NESTING)
    steps = [
        FlowStep(f"instructions[{at}]", tuple(_ways(number, names, found)))
        for number, (at, _) in enumerate(kept)
    ]
    starts = [number for number, name in enumerate(names) if name in PHASES]
    lasts = [*(each - 1 for each in starts[1:]), len(names) - 1]
    phases = [each for each in zip(starts, lasts, strict=False) if each[1] > each[0]]
    return ProgramFlow(steps, sorted([*found.regions(), *phases]), starts)


def _ways(at: int, names: Sequence[str], found: Constructs) -> list[tuple[int, str]]:
    """Return where a step leads."""
    following, name = at + 1, names[at]
    match name:
        case "if":
            other = found.elses.get(at)
            return [(following, "true"), (found.ends[at] if other is None else other + 1, "false")]
        case "else":
            return [(found.ends[found.openers[at]], "jump")] if at in found.openers else []
        case "endloop":
            return [(found.openers.get(at, at), "back")]
        case "switch":
            cases = [(each, names[each]) for each in found.cases.get(at, ())]
            has_default = any(kind == "default" for _, kind in cases)
            return cases if has_default else [*cases, (found.ends[at], "default")]
        case "break" | "breakc":
            opened = found.left.get(at)
            past = following
            if opened is not None:
                past = found.ends[opened] + (names[opened] == "loop")
            return [(following, NEXT)] * (name == "breakc") + [(past, "break")]
        case "continue" | "continuec":
            again = [(found.loops[at], "continue")] if at in found.loops else []
            return [(following, NEXT)] * (name == "continuec") + again
        case "ret":
            return []
    return [(following, NEXT)]
