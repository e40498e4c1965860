"""Checks along control flow: missing ends, unreachable code, consecutive mova."""

from bisect import bisect_left
from collections.abc import Callable, Collection
from itertools import groupby

from ....rule import Findings
from ....vocab.pica import PIPELINE_OUTPUTS
from ..code import Code
from ..flow import ControlFlow, Reach
from ..tables.registers import DESTINATIONS, RegisterFile

VERTEX_WORDS = 512
GEOMETRY = frozenset({"emit", "setemit"})
PADDING = frozenset({"nop", "end"})

Add = Callable[..., None]


def check_paths(program: Code, flow: ControlFlow, findings: Findings) -> None:
    """Check the code that vertex and geometry shaders reach."""

    def add(code: str, at: int, message: str, field: str = "") -> None:
        path = f"instructions[{at}]"
        findings.add(code, message, offset=4 * at, path=f"{path}.{field}" if field else path)

    size = len(program.instructions)
    mains: dict[str, set[int]] = {"vertex": set(), "geometry": set()}
    for entry in program.entries:
        if 0 <= entry.main < size:
            mains[entry.stage].add(entry.main)
    reached: set[int] = set()
    falls: set[int] = set()
    for stage, starts in mains.items():
        reach = flow.reach_all(sorted(starts))
        if stage == "vertex":
            _check_vertex(program, reach, add)
        else:
            _check_geometry(program, reach, add)
        reached |= reach.words
        falls.update(reach.falls)
    for at in sorted(falls):
        name = program.instructions[at].name
        add("pica.missing-end", at, f"execution continues past {name}, the last word")
    for last in ends_passed(program, flow, reached):
        message = f"execution continues past word {last}, where the shader ends"
        add("pica.falls-through", last, message)
    _check_jumps(program, flow, add)
    _check_mova(program, flow, reached, add)
    if program.entries:
        _check_unreached(program, reached, add)


def _check_vertex(program: Code, reach: Reach, add: Add) -> None:
    far = min((at for at in reach.words if at >= VERTEX_WORDS), default=None)
    if far is not None:
        message = f"a vertex shader reaches word {far}; the hardware has {VERTEX_WORDS} words"
        add("pica.program-size", far, message)
    for at in sorted(reach.words):
        name = program.instructions[at].name
        if name in GEOMETRY:
            add("pica.geometry-only", at, f"{name} in a vertex shader")


def _check_geometry(program: Code, reach: Reach, add: Add) -> None:
    for at in sorted(reach.words):
        instruction = program.instructions[at]
        op = instruction.op
        if op is None or "dst" not in op.writes:
            continue
        register = DESTINATIONS[instruction.dst]
        if register.file == RegisterFile.OUTPUT and register.number >= PIPELINE_OUTPUTS:
            add("pica.output-register", at, f"{register} in a geometry shader", "dst")


def ends_passed(program: Code, flow: ControlFlow, reached: Collection[int]) -> list[int]:
    """Return the last words of shaders after which execution continues in other code."""
    size = len(program.instructions)
    found = []
    for procedure in flow.found.procedures:
        last = procedure.end - 1
        stated = any(program.entries[i].end == procedure.end for i in procedure.entries)
        if stated and procedure.end < size and last in reached:
            op = program.instructions[last].op
            if procedure.end in flow.after(last) and (op is None or op.kind != "jump"):
                found.append(last)
    return found


def _check_jumps(program: Code, flow: ControlFlow, add: Add) -> None:
    """Check that no jump leaves a called procedure."""
    jumps = sorted(flow.found.jumps)
    seen = set()
    for procedure in flow.found.procedures:
        if not procedure.callers:
            continue
        inside = jumps[bisect_left(jumps, procedure.start) : bisect_left(jumps, procedure.end)]
        flow.work.step(len(inside) + 1)
        for at in inside:
            target = flow.found.jumps[at]
            if not procedure.start <= target < procedure.end and at not in seen:
                seen.add(at)
                message = f"{program.instructions[at].name} to word {target} out of the called"
                add("pica.jump-out", at, f"{message} procedure at {procedure.start}", "target")


def _check_mova(program: Code, flow: ControlFlow, reached: set[int], add: Add) -> None:
    code = program.instructions
    moves = {at for at, each in enumerate(code) if each.name == "mova"}
    for at in sorted(moves):
        followers = flow.after(at) if at in reached else (at + 1,)
        for following in followers:
            if following in moves:
                add("pica.adjacent-mova", following, f"mova directly follows the mova at word {at}")


def _check_unreached(program: Code, reached: set[int], add: Add) -> None:
    left = (
        at
        for at, each in enumerate(program.instructions)
        if at not in reached and each.name not in PADDING
    )
    for _, run in groupby(enumerate(left), key=lambda pair: pair[1] - pair[0]):
        words = [at for _, at in run]
        many = f"words {words[0]} to {words[-1]}" if len(words) > 1 else f"word {words[0]}"
        add("pica.unreachable", words[0], f"no shader reaches {many}")
