"""Control flow of a tokenized program, whose constructs nest: `if` to `endif`, `loop` to `endloop`.

Source: the Direct3D 11.3 functional specification, section 22.7 (flow control instructions).
"""

from collections.abc import Sequence

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .instruction import Instruction
from .tables.ops import OPS

__all__ = ["control_flow"]

OPENS = {"if": "endif", "loop": "endloop", "switch": "endswitch"}
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
    found = _Constructs(names)
    steps = [
        FlowStep(f"instructions[{at}]", tuple(found.ways(number, name)))
        for number, (at, name) in enumerate(kept)
    ]
    starts = [number for number, name in enumerate(names) if name in PHASES]
    return ProgramFlow(steps, found.regions(starts), starts)


class _Constructs:
    """The constructs of a program, by the numbers of their steps; unclosed ones end with it."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.ends: dict[int, int] = {}  # of the construct that a step opens
        self.elses: dict[int, int] = {}  # by the number of its `if`
        self.cases: dict[int, list[int]] = {}  # by the number of their `switch`
        self.around: list[tuple[int, ...]] = []  # the open constructs at each step
        open_: list[int] = []
        for at, name in enumerate(names):
            if name in OPENS.values() and open_:
                self.ends[open_.pop()] = at
            self.around.append(tuple(open_))
            if name == "else" and open_:
                self.elses[open_[-1]] = at
            elif name in ("case", "default") and open_:
                self.cases.setdefault(open_[-1], []).append(at)
            elif name in OPENS:
                open_.append(at)
        self.ends.update(dict.fromkeys(open_, len(names)))

    def inner(self, at: int, *kinds: str) -> int:
        """Return the innermost open construct of some kinds at a step, -1 if there is none."""
        return next((each for each in self.around[at][::-1] if self.names[each] in kinds), -1)

    def ways(self, at: int, name: str) -> list[tuple[int, str]]:
        """Return where a step leads."""
        following = at + 1
        match name:
            case "if":
                other = self.elses.get(at)
                return [
                    (following, "true"),
                    (self.ends[at] if other is None else other + 1, "false"),
                ]
            case "else":
                return [(self.ends[self.inner(at, "if")], "jump")] if self.around[at] else []
            case "endloop":
                opened = next((a for a, end in self.ends.items() if end == at), at)
                return [(opened, "back")]
            case "switch":
                cases = self.cases.get(at, [])
                found = [(each, self.names[each]) for each in cases]
                has_default = any(kind == "default" for _, kind in found)
                return found if has_default else [*found, (self.ends[at], "default")]
            case "break" | "breakc":
                opened = self.inner(at, "loop", "switch")
                past = (
                    self.ends[opened] + (self.names[opened] == "loop") if opened >= 0 else following
                )
                return [(following, NEXT)] * (name == "breakc") + [(past, "break")]
            case "continue" | "continuec":
                opened = self.inner(at, "loop")
                again = [(opened, "continue")] if opened >= 0 else []
                return [(following, NEXT)] * (name == "continuec") + again
            case "ret":
                return []
        return [(following, NEXT)]

    def regions(self, starts: list[int]) -> list[tuple[int, int]]:
        """Return the regions: branches, loops, switches, phases and functions."""
        found = []
        for at, end in self.ends.items():
            other = self.elses.get(at)
            found += [(at, end - 1)] if other is None else [(at, other - 1), (other, end - 1)]
        found += zip(
            starts, [*(each - 1 for each in starts[1:]), len(self.names) - 1], strict=False
        )
        return sorted(each for each in found if each[1] > each[0])
