"""Tessellation: control shaders, whose lanes are patches, and evaluation shaders.

    control      each lane runs the code once for each output control point, one after the other,
                 up to a barrier, then continues: code before a barrier runs for all
    evaluation   a lane is a point of a patch: TessCoord, and the number of its patch

    memory "v"      input control points        memory "vocp"   output control points
    memory "vpc"    constants of the patch      memory "vicp"   control points of an evaluation

Barriers are in the code of the entry point, where control flow is uniform (`barriers`). Between two
of them every invocation has its own copy of the code, in which the number of the control point is a
constant. The input arrays of a module limit the number of control points in a patch.

A kernel that becomes a source has these copies as the function for the constants of the patch, and
before them a copy in which the number is an input, as the function for a control point; each has
all stores (`decompile.hull` removes those that are not its own).

Source: Vulkan specification, Tessellation.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.cfg import Jump, Multiway, Node, build
from ....ir.kernel import Value
from ....ir.lowered import CONTROL_POINT_FUNCTION, CONTROL_POINT_NUMBER, Points
from ....ir.memory import Port, Var
from ....ir.types import I32, Type
from ....vocab.slots import (
    CONTROL_POINTS_IN,
    CONTROL_POINTS_OUT,
    Direction,
    Exchange,
    PointsSlot,
    PortSlot,
    Rate,
)
from ....vocab.words import SystemValue
from ..index import FunctionBody
from ..tables.numbers import BuiltIn, Opcode, Scope, StorageClass
from .barriers import FunctionPart, kept_values, parts_of
from .builtins import built_in
from .interface import ports_of, stage_interface
from .kept import KeptValues, MakeVariable
from .lowering import FunctionValues
from .pointers import TypedPointer
from .points import VariablePoints, has_points, is_patch, of_storage
from .roots import ValueRoot
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["ControlStage", "EvaluationStage"]

LowerBody: TypeAlias = "Callable[[Lowering, FunctionBody], None]"

POINTS = 32  # control points of a patch
LEVELS = 2  # open calls where a part is lowered: the entry point, and the part


class PatchStage:
    """The variables of a stage that are points of a patch, or its constants."""

    labels: dict[str, str] = {}  # noqa: RUF012
    instances = 1

    def __init__(self, lowering: "Lowering") -> None:
        self.lowering = lowering
        self.held: list[VariablePoints] = []

    def hold(
        self, name: str, slot: PointsSlot, numbers: Sequence[int], count: int | None = None
    ) -> VariablePoints:
        """Make the memory of some variables."""
        found = VariablePoints(
            self.lowering, name, slot, self.lane, numbers, count,
            writable=slot.direction is Direction.OUTPUT,
        )  # fmt: skip
        size = found.memory.points.count
        if size > POINTS:
            raise UnsupportedError(f"expected at most {POINTS} control points, got {size}")
        self.held.append(found)
        return found

    def lane(self) -> Value:
        """Append the patch of the lane."""
        return self.lowering.b.source("item")

    def some(self, storage: int, *, patch: bool) -> list[int]:
        """Return the variables of a storage class that are points, or constants of the patch."""
        lowering = self.lowering
        return [
            each
            for each in of_storage(lowering, storage)
            if is_patch(lowering, each) == patch
            and (
                patch
                or has_points(lowering, each, lowering.types.of(lowering.index.pointee(each) or 0))
            )
        ]

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        """Return the pointer to an input or output."""
        for held in self.held:
            if number in held.starts:
                inner = type.element if has_points(lowering, number, type) else type
                assert inner is not None
                held.add(number, [port for port, _, _ in ports_of(lowering, number, inner.leaves)])
                return TypedPointer(held.root(number, type), type)
        return stage_interface(lowering, number, type)

    def begin(self) -> None:
        """Declare the variables, in their order."""
        for held in self.held:
            for number in held.starts:
                self.lowering.pointer(number)

    def points(self) -> Sequence[Points]:
        """Return all points of the shader."""
        return [each.memory.points for each in self.held]


class EvaluationStage(PatchStage):
    """The inputs of an evaluation shader; outputs are as in a vertex shader."""

    labels = {SystemValue.DOMAIN_LOCATION: "TessCoord"}  # noqa: RUF012

    def __init__(self, lowering: "Lowering") -> None:
        super().__init__(lowering)
        slot = PortSlot(Direction.INPUT, Rate.PATCH, Exchange.PATCH)
        self.port = Port("patch", I32, slot=slot)
        lowering.kernel.inputs.append(self.port)
        taken = self.hold("vicp", CONTROL_POINTS_IN, self.some(StorageClass.Input, patch=False))
        taken.memory.points.fewer = True
        constants = PointsSlot(Direction.INPUT, Rate.PATCH)
        self.hold("vpc", constants, self.some(StorageClass.Input, patch=True), 1)

    def lane(self) -> Value:
        return self.lowering.b.input(self.port)


class ControlStage(PatchStage):
    """The patches of a control shader."""

    def __init__(self, lowering: "Lowering") -> None:
        super().__init__(lowering)
        facts = lowering.facts.tessellation
        count = facts.output_control_points if facts is not None else None
        if count is None or not 1 <= count <= POINTS:
            raise UnsupportedError(f"expected 1 to {POINTS} output control points, got {count}")
        self.count = count
        self.order: Sequence[int | None] = range(count)  # control points; None: an input
        self.current: int | None = 0  # the control point that is being lowered
        self.kept: dict[int | None, KeptValues] = {}  # of each control point
        self.next: dict[int, int] = {}  # the part after each barrier, if there are several
        self.chosen: Var | None = None  # the number of that part
        read = self.some(StorageClass.Input, patch=False)
        # A shader that reads no control point takes patches of any size.
        taken = self.hold("v", CONTROL_POINTS_IN, read, None if read else POINTS)
        taken.memory.points.fewer = True
        self.hold("vocp", CONTROL_POINTS_OUT, self.some(StorageClass.Output, patch=False), count)
        constants = PointsSlot(Direction.OUTPUT, Rate.PATCH)
        self.hold("vpc", constants, self.some(StorageClass.Output, patch=True), 1)

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        if built_in(lowering, number) == BuiltIn.InvocationId:
            return TypedPointer(ValueRoot(lambda at: self._number(), 1), type)
        return super().pointer(lowering, number, type)

    # ------------------------------------------------------------ code

    def run(self, function: FunctionBody, lower: LowerBody, deepest: int) -> None:
        """Lower each part of the code once for each output control point.

        `deepest` is the number of regions that may be nested around the parts.
        """
        if not self.lowering.chosen.for_source:
            self._run(function, lower, deepest)
            return
        b = self.lowering.b
        with b.when(b.input(CONTROL_POINT_FUNCTION)) as functions:
            copies, self.order = self.order, (None,)
            self._run(function, lower, deepest)
        self.order = copies
        with b.within(functions.otherwise):
            self._run(function, lower, deepest)

    def _run(self, function: FunctionBody, lower: LowerBody, deepest: int) -> None:
        lowering = self.lowering
        ids = kept_values(lowering.index, function, self.is_barrier)
        self.kept = {at: KeptValues(ids, self._maker(at)) for at in self.order}
        parts = parts_of(function, self.is_barrier)
        end = len(parts)
        nodes = [self._node(number, part, end, lower) for number, part in enumerate(parts)]
        build(lowering.b, [*nodes, Node()], None, deepest)

    def is_barrier(self, position: int) -> bool:
        """Return True for the position of a barrier of the patch."""
        lowering = self.lowering
        instruction = lowering.index.module.instructions[position]
        if instruction.opcode != Opcode.ControlBarrier:
            return False
        return lowering.integer(instruction.words[1]) not in (Scope.Subgroup, Scope.Invocation)

    def at_barrier(self) -> None:
        """Lower a barrier: choose the part after it."""
        if len(self.lowering.functions) > LEVELS and self.is_barrier(self.lowering.position):
            raise UnsupportedError("a barrier in a function that is called cannot be run")
        number = self.next.get(self.lowering.position)
        if number is not None:
            self.lowering.b.set(self._choice(), number)

    def _number(self) -> Value:
        """Append the number of the control point."""
        if self.current is not None:
            return constant(self.current, I32)
        inputs = self.lowering.kernel.inputs
        if CONTROL_POINT_NUMBER not in inputs:
            inputs.append(CONTROL_POINT_NUMBER)
        return self.lowering.b.input(CONTROL_POINT_NUMBER)

    def _label(self, current: int | None) -> str:
        """Return the name of the entry point for a control point."""
        name = self.lowering.entry.name
        return name if current is None else f"{name}[{current}]"

    def _maker(self, current: int | None) -> MakeVariable:
        """Return a function that makes the variables of a control point."""

        def make(number: int, at: int, type: Type) -> Var:
            row = f"{self._label(current)}.{self.lowering.name(number)}"
            return self.lowering.variable(f"{row}.{at}", row, type)

        return make

    def _choice(self) -> Var:
        """Return the variable with the number of the next part."""
        if self.chosen is None:
            self.chosen = self.lowering.variable("part", "part", I32, internal=True)
        return self.chosen

    def _node(self, number: int, part: FunctionPart, end: int, lower: LowerBody) -> Node:
        """Return the node of a part in the graph of parts, whose last node is the end."""
        targets = [*part.next.values(), *((end,) if part.ends or not part.next else ())]
        *others, last = targets

        def run(b: Builder) -> None:
            self.next = part.next if others else {}
            if others:
                b.set(self._choice(), last)
            for current in self.order:
                self.current = current
                self._lower((number, current), part.body, lower)

        if not others:
            return Node(run, Jump(last))
        cases = [((to,), to) for to in others]
        return Node(run, Multiway(lambda b: b.get(self._choice()), cases, last))

    def _lower(self, key: tuple[int, int | None], body: FunctionBody, lower: LowerBody) -> None:
        """Lower a part for the current control point."""
        lowering, kept = self.lowering, self.kept[self.current]
        name = self._label(self.current)
        with lowering.calls.enter(name, key=key) as frame:
            values = FunctionValues(body.id, name, frame, kept)
            values.values.update(kept.values)
            lowering.functions.append(values)
            lower(lowering, body)
            lowering.functions.pop()
            kept.add(values.values.items())
