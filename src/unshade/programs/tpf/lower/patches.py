"""Hull and domain shaders: patches of control points.

    hs_decls                    declarations of all phases
    hs_control_point_phase      for each output control point: vOutputControlPointID
    hs_fork_phase               for each instance: vForkInstanceID
    hs_join_phase               the same, after all of the fork phases: vJoinInstanceID

A lane of a hull shader is a patch. It executes the phases in text order, each as a loop over its
control points or instances; `ret` starts the next iteration. So join phases can read the results of
fork phases (vpc#), and all phases but the first can read the control points (vocp). Without a
control point phase the control points are passed through: vocp is vicp, and the caller copies them.

A lane of a domain shader is a point of a patch: vDomain is the point, the port "patch" the patch.

Registers r# and x# keep their values from phase to phase (undefined in Direct3D).
Source: Direct3D 11.3 functional specification, sections 10 and 12 (hull and domain shader).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.lowered import Points
from ....ir.memory import Port, Space
from ....ir.types import I32
from ....vocab.slots import (
    CONTROL_POINTS_IN,
    CONTROL_POINTS_OUT,
    Direction,
    Exchange,
    PointsSlot,
    PortSlot,
    Rate,
)
from ..instruction import Instruction
from ..tables.enumerations import OperandType
from ..tables.tokens import ControlPoints
from .flow import Flow
from .points import PointRegisters, counted, rows_of
from .registers import ROW, Registers

POINTS = 32  # control points of a patch
PATCH = "patch"  # label of a domain shader's input: the number of the lane's patch
NUMBERS = {  # the register with the number of the control point or instance
    "hs_control_point_phase": OperandType.OUTPUT_CONTROL_POINT_ID,
    "hs_fork_phase": OperandType.INPUT_FORK_INSTANCE_ID,
    "hs_join_phase": OperandType.INPUT_JOIN_INSTANCE_ID,
}
INSTANCES = ("dcl_hs_fork_phase_instance_count", "dcl_hs_join_phase_instance_count")
INPUTS = frozenset({OperandType.INPUT, OperandType.INPUT_CONTROL_POINT})
OUTPUTS = frozenset({OperandType.OUTPUT})
GIVEN = frozenset({OperandType.OUTPUT_CONTROL_POINT})
CONSTANTS = frozenset({OperandType.INPUT_PATCH_CONSTANT})


@dataclass(slots=True)
class Phase:
    """A phase of a hull shader: instructions from `start` to `end`, executed `count` times."""

    kind: str
    start: int
    end: int
    count: int = 1


def _points(instructions: Sequence[Instruction], which: str) -> int:
    for each in instructions:
        if each.name == f"dcl_{which}_control_point_count":
            count = ControlPoints(each.token).count
            return counted(count, 0, POINTS, f"{which} control points")
    return 0


class Hull:
    """The phases of a hull shader, and the registers that they share."""

    def __init__(
        self, registers: Registers, instructions: Sequence[Instruction], last: int
    ) -> None:
        self.registers = registers
        self.instructions = instructions
        self.phases = self._phases(last)
        first = [self._inside(each) for each in self.phases if each.kind.startswith("hs_control")]
        later = [
            self._inside(each) for each in self.phases if not each.kind.startswith("hs_control")
        ]
        if len(first) > 1:
            raise UnsupportedError(f"expected one control point phase, got {len(first)}")
        taken, given = _points(instructions, "input"), _points(instructions, "output")
        points = [each for phase in first for each in phase]
        constants = [each for phase in later for each in phase]
        item = self._item
        kinds = INPUTS if first else INPUTS | GIVEN
        rows = rows_of(instructions, kinds, ("dcl_input",))
        self.inputs = PointRegisters(registers, "v", taken, rows, item, CONTROL_POINTS_IN)
        rows = max(
            rows_of(points, OUTPUTS, ("dcl_output",)), rows_of(constants, GIVEN, ("dcl_input",))
        )
        self.given = (
            PointRegisters(registers, "vocp", given, rows, item, CONTROL_POINTS_OUT, writable=True)
            if first
            else self.inputs
        )
        rows = max(
            rows_of(constants, OUTPUTS, ("dcl_output",)),
            rows_of(instructions, CONSTANTS, ("dcl_input",)),
        )
        slot = PointsSlot(Direction.OUTPUT, Rate.PATCH)
        self.constants = PointRegisters(registers, "vpc", 1, rows, item, slot, writable=True)
        for phase in self.phases:
            if phase.kind.startswith("hs_control"):
                phase.count = given
        registers.points |= {
            OperandType.INPUT: self.inputs,
            OperandType.INPUT_CONTROL_POINT: self.inputs,
            OperandType.OUTPUT_CONTROL_POINT: self.given,
            OperandType.INPUT_PATCH_CONSTANT: self.constants,
            OperandType.OUTPUT: self.constants,
        }
        self._declare(points, constants, kinds)

    def _item(self) -> Value:
        return self.registers.builder.source("item")

    def _phases(self, last: int) -> list[Phase]:
        found: list[Phase] = []
        for at, each in enumerate(self.instructions[:last]):
            if each.name in NUMBERS:
                found.append(Phase(each.name, at + 1, last))
                if len(found) > 1:
                    found[-2].end = at
            elif each.name in INSTANCES and found:
                found[-1].count = each.words[0]
        return found

    def _inside(self, phase: Phase) -> Sequence[Instruction]:
        return self.instructions[phase.start : phase.end]

    def _declare(
        self, points: Sequence[Instruction], constants: Sequence[Instruction], kinds: frozenset[int]
    ) -> None:
        """Add the components of inputs, of any of `kinds`, and of outputs."""
        for phase, outputs in ((points, self.given), (constants, self.constants)):
            for each in phase:
                operand = each.operands[0] if each.operands else None
                if operand is None or not operand.indices:
                    continue
                if each.name.startswith("dcl_input") and operand.type in kinds:
                    self.inputs.declare(operand, "v")
                elif each.name.startswith("dcl_output") and operand.type == OperandType.OUTPUT:
                    outputs.declare(operand, "o")

    # ------------------------------------------------------------ code

    @contextmanager
    def entered(self, phase: Phase, flow: Flow) -> Iterator[None]:
        """Lower a phase in the context, as a loop over its control points or instances."""
        registers = self.registers
        self._arrays(phase)
        first = phase.kind.startswith("hs_control")
        number = NUMBERS[phase.kind]
        outputs = self.given if first else self.constants
        registers.points[OperandType.OUTPUT] = outputs
        with flow.repeated(phase.kind, number, phase.count) as counter:
            registers.counters[number] = counter
            registers.current = counter if first else None
            yield
        registers.current = None

    def _arrays(self, phase: Phase) -> None:
        """Create the arrays x# of a phase, which may differ in size from other phases' arrays."""
        registers = self.registers
        for each in self._inside(phase):
            if each.name != "dcl_indexableTemp":
                continue
            name, count = f"x{each.words[0]}", each.words[1]
            known = registers.memories.get(name)
            if known is not None and known.count != count:
                del registers.memories[name]
                at = f"{name}.{len(registers.kernel.memories)}"
                registers.memories[name] = registers.new_memory(at, Space.LOCAL, ROW, count)
            elif known is None:
                registers.new_memory(name, Space.LOCAL, ROW, count)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        given = [] if self.given is self.inputs else [self.given.points]
        return [self.inputs.points, *given, self.constants.points]


class DomainInputs:
    """The inputs of a domain shader; outputs are as in a vertex shader."""

    def __init__(self, registers: Registers, instructions: Sequence[Instruction]) -> None:
        self.registers = registers
        slot = PortSlot(Direction.INPUT, Rate.PATCH, Exchange.PATCH)
        self.port = Port(PATCH, I32, slot=slot)
        registers.kernel.inputs.append(self.port)
        taken = _points(instructions, "input")
        kinds = frozenset({OperandType.INPUT_CONTROL_POINT})
        rows = rows_of(instructions, kinds, ("dcl_input",))
        self.inputs = PointRegisters(registers, "vicp", taken, rows, self._patch, CONTROL_POINTS_IN)
        rows = rows_of(instructions, CONSTANTS, ("dcl_input",))
        slot_of_patch = PointsSlot(Direction.INPUT, Rate.PATCH)
        self.constants = PointRegisters(registers, "vpc", 1, rows, self._patch, slot_of_patch)
        held = {
            OperandType.INPUT_CONTROL_POINT: (self.inputs, "v"),
            OperandType.INPUT_PATCH_CONSTANT: (self.constants, "vpc"),
        }
        for kind, (points, prefix) in held.items():
            registers.points[kind] = points
            for each in instructions:
                if not each.name.startswith("dcl_input") or not each.operands:
                    continue
                operand = each.operands[0]
                if operand.type == kind and operand.indices:
                    points.declare(operand, prefix)

    def _patch(self) -> Value:
        return self.registers.builder.input(self.port)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.inputs.points, self.constants.points]
