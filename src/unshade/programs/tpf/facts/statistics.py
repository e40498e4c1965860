"""Instruction counts as fxc computes them for STAT.

    mul r0.x, v0.x, cb0[0].x            float
    mad r0.x, r0.x, r0.x, l(1.000000)   float, but not for fxc 9
    round_ni r0.x, r0.x                 float and conversion
    if_nz cb0[1].x                      static flow: the condition is a constant
    ret                                 static flow

The table of operations (tables/ops.py) lists the counts that include an operation. Further rules,
derived from the STAT parts of 594 files of fxc 9.29, 9.30 and 10.1:

 - An operation with two results counts only if one result is null: sincos, udiv.
 - mov of a temporary array is an array instruction, not a mov. A mov that copies a double is not
   counted (values.py). With `-` it is float arithmetic, unless it saturates or writes an output
   with a relative index.
 - `ne l(0), x` converts a float to a bool: a conversion. So is `and` with 1 of a bool that is not
   the result of a comparison, but of check_access_fully_mapped, or a literal.
 - Loads from and stores to thread group shared memory are not counted; nor is mov to an output of
   a geometry shader.
 - An unreachable ret, after an if both of whose branches end in ret, is not flow control.
 - All phases of a hull shader count; its registers are the maximum over the phases, its
   declarations the maximum of inputs plus the maximum of outputs over all phases.

fxc 9 differs: it counts neither mad nor imad, in a hull shader only the operations of the control
point phase, and `mov r0, -x` as float only if x is a register r. 9.29 counts neither loads without
a sampler nor stores. fxc 9 counts movs before it removes copies, so their number cannot be derived.

vkd3d's compiler counts differently: declarations are instructions, `and`, `or`, `xor` are bitwise
operations, accesses to shared memory count, flow control and declarations do not.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ....model import Statistics
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..instruction import Instruction
from ..kept import Kept
from .counters import (
    CONTROL_POINTS,
    COUNTERS,
    CUSTOMDATA,
    ELSE,
    ENDIF,
    IF,
    ONE,
    PHASES,
    PORTS,
    RET,
    SILENT,
    TEMPS,
    Counting,
    Others,
    Version,
    count_of,
    counter,
    counters_of,
    is_counted,
    packed,
    unpacked,
)
from .values import bool_conversions, double_copies

__all__ = ["COUNTERS", "FXC", "instruction_count", "statistics"]

FXC: Version = (10, 1)  # the last compiler of tokenized programs
GEOMETRY = ShaderKind.GEOMETRY
BRANCHES = 2  # of an if; a ret after one is unreachable if both end in ret


def statistics(program: Code, version: Version = FXC) -> Statistics:
    """Return the counters of a program as computed by that version of fxc."""
    instructions = program.listed
    counting = Counting.of(version, program.version.kind == GEOMETRY)
    counts = [*_counts(counting).of_all(instructions)]
    total = sum(counts)
    found, others = unpacked(total)
    outside = _outside(instructions) if others.phases and not counting.modern else set()
    change = sum(ONE["instructions"] - counts[at] for at in outside) if outside else 0
    if others.ifs or others.doubles or others.ands:
        change += _joint(instructions, counting, others, outside)
    if change:
        found, others = unpacked(total + change)
    if others.temp_declarations > 1:
        found["temp_registers"] = max(_temps(instructions))
    found["declarations"] = others.inputs + others.outputs
    if others.phases:
        found["declarations"] = sum(_most_ports(instructions, counts))
    return Statistics.of_values(found, computed=True)


def instruction_count(program: Code) -> int:
    """Return the number of instructions as in fxc: with messages, without constant tables."""
    codes = program.opcodes()
    if CUSTOMDATA in codes:
        return sum(map(is_counted, program.listed))
    return len([code for code in codes if code not in SILENT])


@lru_cache(maxsize=8)
def _counts(counting: Counting) -> Kept[int]:
    """Return the packed counts of single instructions, shared by all programs."""
    return Kept(lambda instruction: _interned(count_of(instruction, counting)))


@lru_cache(maxsize=1024)
def _interned(count: int) -> int:
    """Return the first equal number: that of a large program's instructions has 100 bytes."""
    return count


# ---------------------------------------------------------------- declarations of several phases


def _temps(instructions: Sequence[Instruction]) -> Iterator[int]:
    for each in instructions:
        if each.token & 0x7FF == TEMPS:
            yield sum(each.words[:1])


def _most_ports(instructions: Sequence[Instruction], counts: Sequence[int]) -> list[int]:
    """Return the greatest numbers of inputs and of outputs that a phase declares."""
    phases = [0]  # the counts of each
    for each, count in zip(instructions, counts, strict=True):
        if each.token & 0x7FF in PHASES:
            phases.append(0)
        else:
            phases[-1] += count
    return [max(counter(each, name) for each in phases) for name in PORTS.values()]


def _outside(instructions: Sequence[Instruction]) -> set[int]:
    """Return the indices of the operations of all phases except the control point phase.

    fxc 9 counts them as instructions only.
    """
    found = set()
    counted = True
    for at, each in enumerate(instructions):
        code = each.token & 0x7FF
        if code in PHASES:
            counted = code == CONTROL_POINTS
        elif not counted and is_counted(each):
            found.add(at)
    return found


# ---------------------------------------------------------------- operations that depend on others


def _joint(
    instructions: Sequence[Instruction], counting: Counting, others: Others, but: set[int]
) -> int:
    """Return the change of the packed counts by dependent operations, `but` excepted."""
    skipped: set[int] = set()
    converted: set[int] = set()
    if others.ifs and others.rets > BRANCHES:
        skipped |= _unreachable([each.token & 0x7FF for each in instructions])
    if others.doubles:
        skipped |= double_copies(instructions)
    if others.ands and (others.tests or others.ands_of_literals) and counting.modern:
        converted = bool_conversions(instructions) - skipped
    wrong = [counters_of(instructions[at], counting) for at in (skipped | converted) - but]
    return len(converted - but) * ONE["conversions"] - sum(map(packed, wrong))


def _unreachable(codes: Sequence[int]) -> set[int]:
    """Return the indices of rets after an if both of whose branches end in ret."""
    found: set[int] = set()
    branches: list[int] = []  # for each open if: branches that ended in ret
    last = -1
    closed = False  # control does not reach the end of the previous endif
    for at, code in enumerate(codes):
        if code == RET and closed:
            found.add(at)
        closed = False
        if code == IF:
            branches.append(0)
        elif code in (ELSE, ENDIF) and branches:
            branches[-1] += last == RET
            if code == ENDIF:
                closed = branches.pop() == 2
        last = code
    return found
