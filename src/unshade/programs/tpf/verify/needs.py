"""The declarations that make instructions valid in a program, known from other programs.

    add r0.xy, v1.xy, cb0[2].xy      at least 1 r register, v1.xy, 3 rows of cb0
    sample r0.xyzw, v1.xy, t0, s0    …, t0 and s0, of kinds with which it had no findings before

An instruction is checked in full the first time, and whenever a program lacks a needed declaration,
since only full checks report findings. Most operations need registers only, so the registers of a
run of operations are looked up in a program at once.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import Components, OperandType
from ..tables.ops import OPS, Op
from .declarations import CHECKS, ONCE, record_range
from .flow import FLOW, FlowChecker
from .operands import BOUND, UNDECLARED, VECTORS
from .ports import record_port
from .registers import FIRST_BIT, MAX_PORTS, OF_VERTICES, PORTS, register_bits
from .resources import check_resources
from .scope import DeclaredPort, ProgramScope, RegisterRange

NONE: dict[int, RegisterRange] = {}  # is declared

ON_RESOURCES = ("tex", "mem", "atomic")
LABEL = OPS["label"].code
SHARED = OperandType.THREAD_GROUP_SHARED_MEMORY
RELATIVE = -1  # instead of a number, for one that is not compared with a declaration
MOST = 16  # combinations of kinds of resources that are kept for an operation

Bound = tuple[int, int, int, int]  # type, number, register of the range, row of a buffer


class SoundDeclaration:
    """A declaration without findings, and its effect on the scope."""

    __slots__ = ("made", "row")

    def __init__(self, row: Op, made: DeclaredPort | RegisterRange | None) -> None:
        self.row = row
        self.made = made  # the port or the range of registers, which are shared by programs

    def check(self, scope: ProgramScope, flow: FlowChecker, instruction: Instruction) -> bool:
        """Record the declaration; return False if it must be checked in full instead."""
        row = self.row
        code = row.code
        if flow.body or (code in scope.once and code in ONCE):
            return False
        scope.once.add(code)
        made = self.made
        if type(made) is DeclaredPort:
            record_port(scope, made)
        elif type(made) is RegisterRange:
            record_range(scope, made)
        elif (check := CHECKS.get(row.name)) is not None:
            check(scope, instruction, row)
        return True


class SoundOperation:
    """An operation without findings, and the declarations that it needs."""

    __slots__ = (
        "arrays",
        "bound",
        "fitting",
        "flow",
        "icb",
        "others",
        "points",
        "registers",
        "resources",
        "row",
        "temps",
    )

    def __init__(self, row: Op) -> None:
        self.row = row
        self.flow = row.code in FLOW
        self.temps = 0  # number of r registers
        self.registers = 0  # inputs and outputs (registers.py)
        self.icb = RELATIVE  # number of rows of the immediate constant buffer; RELATIVE: none used
        self.arrays: tuple[tuple[int, int, int], ...] = ()  # x register, element, components
        self.points: tuple[tuple[int, int], ...] = ()  # type and vertex of those with one
        self.bound: tuple[Bound, ...] = ()
        self.resources: tuple[tuple[int, int], ...] = ()  # type and number of what it accesses
        self.fitting: frozenset[object] = frozenset()  # their traits in programs without findings
        self.others = False  # True if there is anything that `check_others` checks

    def check(self, scope: ProgramScope, flow: FlowChecker, instruction: Instruction) -> bool:
        """Compare the needs with the declarations; return False if a full check is needed."""
        phase = scope.phase
        registers = self.registers
        if flow.is_irregular() or registers & phase.registers != registers:
            return False
        if self.temps > (phase.temps or 0):
            return False
        if not are_bound(scope, self.bound):
            return False
        flow.body = True
        return self.check_others(scope, flow, instruction)

    def check_others(
        self, scope: ProgramScope, flow: FlowChecker, instruction: Instruction
    ) -> bool:
        """Do the same for needs other than registers and bindings."""
        phase = scope.phase
        for kind, vertex in self.points:
            if vertex >= phase.vertices.get(kind, 0):
                return False
        if self.icb != RELATIVE and (scope.icb is None or self.icb > scope.icb):
            return False
        for number, element, mask in self.arrays:
            array = phase.arrays.get(number)
            if array is None or element >= array[0] or mask >> array[1]:
                return False
        if self.resources:
            self._check_resources(scope, instruction)
        if self.flow:
            flow.step(scope, instruction, self.row)
        return True

    def _check_resources(self, scope: ProgramScope, instruction: Instruction) -> None:
        bound = scope.bound
        found = tuple([bound[kind][number].traits for kind, number in self.resources])
        if found in self.fitting:
            return
        before = scope.findings.number
        check_resources(scope, instruction, self.row)
        if scope.findings.number == before and len(self.fitting) < MOST:
            self.fitting |= {found}


def are_bound(scope: ProgramScope, needed: Iterable[Bound]) -> bool:
    """Return True if the program declares these resources, buffers and shared memories."""
    for kind, number, register, row in needed:
        found = scope.bound.get(kind, NONE).get(number)
        if found is None or row >= found.size:
            return False
        if register != RELATIVE and not found.lower <= register <= found.upper:
            return False
    return True


def check_run(scope: ProgramScope, flow: FlowChecker, instructions: Sequence[Instruction]) -> int:
    """Check the first of some instructions at once, as far as they are sound operations.

    Return how many operations need no other check; the first must be the operation at `scope.at`.
    """
    known = scope.sound.instructions
    run: list[SoundOperation] = []
    for instruction in instructions:
        found = known.get(instruction.encoded)  # type: ignore[arg-type]  # None is no key
        if type(found) is not SoundOperation:
            break
        run.append(found)
    phase = scope.phase
    needed = reduce(or_, [each.registers for each in run])
    if flow.is_irregular() or needed & phase.registers != needed:
        return 0
    if max([each.temps for each in run]) > (phase.temps or 0):
        return 0
    if not are_bound(scope, {bound for each in run for bound in each.bound}):
        return 0
    flow.body = True
    start = scope.at
    for number, each in enumerate(run):
        if not each.others:
            continue
        scope.at = start + number
        if not each.check_others(scope, flow, instructions[number]):
            return number
        if each.flow and flow.is_irregular():
            return number + 1
    return len(run)


def sound_operation(
    row: Op, registers: list[tuple[int, Operand, int]], ranged: bool
) -> SoundOperation | None:
    """Return the needs of an operation; None if it must always be checked in full.

    Args:
        row: The operation.
        registers: The result of `check_operands`, which found nothing.
        ranged: True from Shader Model 5.1 on.
    """
    found = SoundOperation(row)
    for kind, operand, mask in registers:
        if not _add(found, kind, operand, mask, ranged):
            return None
    if row.code == LABEL:
        return None
    lists = found.points or found.arrays or found.resources
    found.others = bool(lists) or found.flow or found.icb != RELATIVE
    return found


def _add(found: SoundOperation, kind: int, operand: Operand, mask: int, ranged: bool) -> bool:
    """Add the declaration that an operand needs; return False if that is not possible."""
    numbers = []
    for index in operand.indices:
        numbers.append(index.immediate if index.relative is None else RELATIVE)
        if index.relative is not None and not _add_relative(found, index.relative, ranged):
            return False
    if kind in PORTS:
        return _add_port(found, kind, numbers, mask)
    if numbers[:1] == [RELATIVE] and kind != OperandType.IMMEDIATE_CONSTANT_BUFFER:
        return False
    if kind == OperandType.TEMP:
        found.temps = max(found.temps, numbers[0] + 1)
    elif kind == OperandType.INDEXABLE_TEMP:
        found.arrays += ((numbers[0], numbers[1], mask),)
    elif kind == OperandType.IMMEDIATE_CONSTANT_BUFFER:
        found.icb = max(found.icb, numbers[0] + 1)
    elif kind in BOUND or kind == SHARED:
        of_range = numbers[1] if ranged and kind != SHARED else numbers[0]
        row = numbers[-1] if kind == OperandType.CONSTANT_BUFFER else RELATIVE
        found.bound += ((kind, numbers[0], of_range, row),)
        if found.row.kind in ON_RESOURCES and kind != OperandType.CONSTANT_BUFFER:
            found.resources += ((kind, numbers[0]),)
    elif kind in FIRST_BIT and kind not in UNDECLARED:
        vector = kind in VECTORS and operand.components == Components.FOUR
        found.registers |= register_bits(kind, -1, mask if vector else 0)
    else:
        return kind in UNDECLARED
    return True


def _add_relative(found: SoundOperation, operand: Operand, ranged: bool) -> bool:
    """Add the declaration that the register in an index needs."""
    mask = 1 << operand.select if operand.components == Components.FOUR else 1
    return _add(found, operand.type, operand, mask, ranged)


def _add_port(found: SoundOperation, kind: int, numbers: list[int], mask: int) -> bool:
    bits = register_bits(kind, numbers[-1], mask)
    if len(numbers) > 1:
        found.points += ((kind, numbers[0]),)
        bits <<= OF_VERTICES
    found.registers |= bits
    return 0 <= numbers[-1] < MAX_PORTS
