"""Tessellation: control shaders, whose lanes are patches, and evaluation shaders.

    control      each lane runs the code once for each output control point, one after the other,
                 up to a barrier, then on to the next: what is before a barrier is done for all
    evaluation   a lane is a point of a patch: TessCoord, and the number of its patch

    memory "v"      input control points        memory "vocp"   output control points
    memory "vpc"    constants of the patch      memory "vicp"   control points of an evaluation

Barriers are in the code of the entry point and not inside branches, as Vulkan requires. Between two
of them every invocation has its own copy of the code, in which the number of the control point is a
constant. The input arrays of a module say how many control points a patch has at most.

Source: Vulkan specification, Tessellation.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.lowered import Points
from ....ir.memory import Port, Var
from ....ir.ops import OPS
from ....ir.types import I32
from ....vocab.slots import Direction, Exchange, PointsSlot, PortSlot, Rate
from ....vocab.words import SystemValue
from ..index import FunctionBody
from ..tables.numbers import BuiltIn, Opcode, StorageClass
from .builtins import built_in
from .interface import ports_of, stage_interface
from .lowering import FunctionValues
from .pointers import TypedPointer
from .points import VariablePoints, has_points, is_patch, of_storage
from .roots import ValueRoot
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["ControlStage", "EvaluationStage"]

POINTS = 32  # control points of a patch
LEAVING = (Opcode.Return, Opcode.ReturnValue, Opcode.Unreachable)
TAKEN = PointsSlot(Direction.INPUT, Rate.CONTROL_POINT)
MADE = PointsSlot(Direction.OUTPUT, Rate.CONTROL_POINT)


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
    """The inputs of an evaluation shader; its outputs are those of a vertex shader."""

    labels = {SystemValue.DOMAIN_LOCATION: "TessCoord"}  # noqa: RUF012

    def __init__(self, lowering: "Lowering") -> None:
        super().__init__(lowering)
        slot = PortSlot(Direction.INPUT, Rate.PATCH, Exchange.PATCH)
        self.port = Port("patch", I32, slot=slot)
        lowering.kernel.inputs.append(self.port)
        taken = self.hold("vicp", TAKEN, self.some(StorageClass.Input, patch=False))
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
        self.current = 0  # the control point that is being lowered
        self.later: frozenset[int] = frozenset()  # ids that later segments refer to
        self.known: list[dict[int, Any]] = []  # of each control point
        taken = self.hold("v", TAKEN, self.some(StorageClass.Input, patch=False))
        taken.memory.points.fewer = True
        self.hold("vocp", MADE, self.some(StorageClass.Output, patch=False), count)
        constants = PointsSlot(Direction.OUTPUT, Rate.PATCH)
        self.hold("vpc", constants, self.some(StorageClass.Output, patch=True), 1)

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        if built_in(lowering, number) == BuiltIn.InvocationId:
            return TypedPointer(ValueRoot(lambda at: constant(self.current, I32), 1), type)
        return super().pointer(lowering, number, type)

    # ------------------------------------------------------------ code

    def run(
        self, function: FunctionBody, lower: Callable[["Lowering", FunctionBody], None]
    ) -> None:
        """Lower the code once for each output control point, up to each barrier."""
        lowering = self.lowering
        segments = list(_segments(lowering, function))
        self.known = [{} for _ in range(self.count)]
        for number, segment in enumerate(segments):
            self.later = _referenced(lowering, segments[number + 1 :])
            for current in range(self.count):
                self.current = current
                name = f"{lowering.entry.name}[{self.current}]"
                with lowering.calls.enter(name, key=(number, current)) as frame:
                    values = FunctionValues(function.id, name, frame)
                    for each, found in self.known[current].items():
                        values.values[each] = _restored(lowering, found)
                    lowering.functions.append(values)
                    lower(lowering, segment)
                    lowering.functions.pop()

    def at_barrier(self) -> None:
        """Keep what later code refers to; scalars that differ by lane become variables."""
        lowering = self.lowering
        values = lowering.functions[-1].values
        known = self.known[self.current]
        for number in sorted(self.later & values.keys() - known.keys()):
            found = values[number]
            if isinstance(found, TypedPointer):
                if any(each.index.op is not OPS.const for each in found.offset.terms):
                    raise UnsupportedError(f"%{number}: an index is used after a barrier")
            elif isinstance(found, tuple) and any(each.op is not OPS.const for each in found):
                name = f"{lowering.functions[-1].name}.{lowering.name(number)}"
                variables = [
                    lowering.variable(f"{name}.{at}", name, each.type)
                    for at, each in enumerate(found)
                ]
                for var, value in zip(variables, found, strict=True):
                    lowering.b.set(var, value)
                found = _Kept(variables)
            known[number] = found


class _Kept:
    """The variables that hold the scalars of a value across a barrier."""

    def __init__(self, variables: Sequence[Var]) -> None:
        self.variables = variables


def _restored(lowering: "Lowering", found: Any) -> Any:
    """Return what was kept, with reads of variables."""
    if not isinstance(found, _Kept):
        return found
    return tuple(lowering.b.get(each) for each in found.variables)


def _segments(lowering: "Lowering", function: FunctionBody) -> Iterator[FunctionBody]:
    """Split a function at its barriers; a segment ends with its barrier."""
    code = lowering.index.module.instructions
    blocks = list(function.blocks)
    first = 0
    while True:
        place = next(
            (
                (number, position)
                for number in range(first, len(blocks))
                for position in range(blocks[number].start, blocks[number].end)
                if code[position].opcode == Opcode.ControlBarrier
            ),
            None,
        )
        if place is None:
            yield _whole(function._replace(blocks=tuple(blocks[first:])))
            return
        number, position = place
        block = blocks[number]
        cut = block._replace(end=position + 1, successors=(), merge=0, continue_target=0)
        before = blocks[first:number]
        if any(code[each.end - 1].opcode in LEAVING for each in before):
            raise UnsupportedError("a shader that returns before a barrier cannot be run")
        yield _whole(function._replace(blocks=(*before, cut)))
        blocks[number] = block._replace(start=position + 1)
        first = number


def _whole(segment: FunctionBody) -> FunctionBody:
    """Return a segment; UnsupportedError if branches lead out of it."""
    labels = {each.label for each in segment.blocks}
    if any(target not in labels for each in segment.blocks for target in each.successors):
        raise UnsupportedError("a barrier inside of control flow cannot be run")
    return segment


def _referenced(lowering: "Lowering", segments: Sequence[FunctionBody]) -> frozenset[int]:
    """Return the ids that code refers to."""
    code = lowering.index.decoded
    return frozenset(
        word
        for segment in segments
        for block in segment.blocks
        for position in range(block.start, block.end)
        for operand in code[position].operands
        if operand.kind.startswith("Id")
        for word in operand.words
    )
