"""Inputs and outputs of graphics stages: a port for each scalar of a variable.

    layout(location = 1) in vec3 n;      location1.x  location1.y  location1.z
    in vec4 gl_FragCoord;                FragCoord.x …

The rows of a variable, with their slots, come from the facts (facts/interface.py), in the order of
its leaves. A store sets a variable of the lane, which is read back, and the output. Vulkan's
built-ins become the system values of `vocab`; where the values differ, CONVERTED converts them.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Port, Var
from ....ir.types import BOOL, F32, I32, Type
from ....model.facts import ProgramPort
from ....vocab.slots import Direction, PortSlot, Rate, port_slot
from ....vocab.words import Interpolation, Stage, SystemValue
from ..facts.vocabulary import BUILT_INS, BUILT_INS_OF_STAGES
from ..tables.grammar import grammar
from ..tables.numbers import BuiltIn, Decoration, Opcode, StorageClass
from .builtins import COMMON, built_in, built_in_pointer
from .pointers import Offset, Root, TypedPointer
from .roots import LaneVariables, ValueRoot
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = [
    "InputPorts",
    "OutputPorts",
    "fragment_position",
    "label_of",
    "ports_of",
    "rows_of",
    "stage_interface",
]

SYSTEM_VALUES = frozenset(SystemValue)
COMPONENTS = "xyzw"
# Built-ins by the system value, where several have one; the last one that the stage has counts.
NAMES: dict[tuple[SystemValue, Stage | None], int] = {
    (SystemValue.POSITION, None): BuiltIn.Position,
    (SystemValue.POSITION, Stage.PIXEL): BuiltIn.FragCoord,
    (SystemValue.VERTEX_ID, None): BuiltIn.VertexIndex,
    (SystemValue.INSTANCE_ID, None): BuiltIn.InstanceIndex,
    (SystemValue.SHADINGRATE, Stage.PIXEL): BuiltIn.ShadingRateKHR,
    **{(value, None): number for number, value in BUILT_INS.items()
       if [*BUILT_INS.values()].count(value) == 1},
    **{(value, stage): number for (number, stage), value in BUILT_INS_OF_STAGES.items()},
    (SystemValue.DEPTH_GREATER_EQUAL, None): BuiltIn.FragDepth,
    (SystemValue.DEPTH_LESS_EQUAL, None): BuiltIn.FragDepth,
}  # fmt: skip
# Interpolation at the sample, in place of that at another place of the pixel.
AT_SAMPLES: dict[Interpolation | None, Interpolation] = {
    Interpolation.LINEAR: Interpolation.LINEAR_SAMPLE,
    Interpolation.LINEAR_CENTROID: Interpolation.LINEAR_SAMPLE,
    Interpolation.LINEAR_NOPERSPECTIVE: Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
}


def _inverse_w(b: Builder, at: int, value: Value) -> Value:
    """Append FragCoord: the fourth component is 1 / w."""
    return b.fdiv(1.0, value) if at == 3 else value


# By system value: from the value of the port to the value of the variable.
CONVERTED: dict[tuple[str, Stage], Callable[[Builder, int, Value], Value]] = {
    (SystemValue.POSITION, Stage.PIXEL): _inverse_w,
}


class InputPorts(ValueRoot):
    """An input; `converted` returns the value of a leaf from the value of its port."""

    def __init__(
        self,
        make: Callable[[int], Value],
        ports: Sequence[Port],
        converted: Callable[[int, Value], Value],
    ) -> None:
        super().__init__(make, len(ports))
        self.ports = ports
        self.converted = converted


class OutputPorts(LaneVariables):
    """An output: variables of the lane, and the ports that every store also writes."""

    def __init__(self, variables: Sequence[Var], ports: Sequence[Port]) -> None:
        super().__init__(variables)
        self.ports = ports

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        for at, chosen in self._choices(b, offset):
            var = self.variables[at]
            new = value if chosen is None else b.select(chosen, value, b.get(var))
            b.set(var, new)
            b.output(self.ports[at], as_port(b, new))


def stage_interface(lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
    """Return the pointer to an input or output of a vertex or fragment shader."""
    found = built_in(lowering, number)
    if found in COMMON:
        return built_in_pointer(lowering, COMMON[found], type)
    root: Root
    if _storage(lowering, number) == StorageClass.Input:
        root = _inputs(lowering, number, type)
    else:
        root = _outputs(lowering, number, type)
    return TypedPointer(root, type)


def _storage(lowering: "Lowering", number: int) -> int:
    definition = lowering.index.definitions[number]
    assert definition.opcode == Opcode.Variable
    return definition.words[3]


# ---------------------------------------------------------------- rows and ports


def rows_of(lowering: "Lowering", number: int) -> list[ProgramPort]:
    """Return the rows of a variable, in the order of its leaves."""
    facts = lowering.facts
    path = f"instructions[{lowering.index.definitions[number].position}]"
    rows = (*facts.inputs, *facts.outputs, *facts.patch_constants, *facts.builtins)
    return [each for each in rows if each.path == path]


def label_of(lowering: "Lowering", row: ProgramPort) -> str:
    """Return the label of a row: `location2`, `Position`, `ClipDistance1`."""
    slot = row.slot
    if slot.location is not None:
        return f"location{slot.location}{f'.{slot.index}' if slot.index else ''}"
    stage = lowering.kernel.stage
    value = SystemValue(str(slot.place)) if slot.place in SYSTEM_VALUES else None
    known = NAMES.get((value, stage)) or NAMES.get((value, None)) if value is not None else None
    named = grammar().kinds["BuiltIn"].by_value.get(-1 if known is None else known)
    name = named.name if named is not None else str(slot.place)
    for ending in ("EXT", "KHR"):
        name = name.removesuffix(ending)
    return f"{name}{slot.element}" if slot.element else name


def ports_of(
    lowering: "Lowering", number: int, leaves: Sequence[Type]
) -> list[tuple[Port, ProgramPort, int]]:
    """Return a port for each leaf of a variable, with its row and the component in it.

    Variables of vertices or control points are not inputs or outputs of the kernel.
    """
    places = [*_places(rows_of(lowering, number))]
    if len(places) != len(leaves):
        name = lowering.name(number)
        raise UnsupportedError(f"{name}: expected {len(leaves)} components, got {len(places)}")
    found = []
    for (row, at, slot), leaf in zip(places, leaves, strict=True):
        found.append((_port(lowering, row, slot, at, leaf), row, at))
    return found


def _places(rows: Sequence[ProgramPort]) -> Iterator[tuple[ProgramPort, int, PortSlot]]:
    """Iterate over the leaves of a variable: row, component in it, and slot.

    A per-vertex array repeats the rows of a vertex.
    """
    for array, group in groupby(rows, lambda row: row.vertex_array):
        inside = [(row, at, slot) for row in group for at, slot in enumerate(row.slots)]
        if not array:
            yield from inside
            continue
        for vertex in range(inside[0][0].vertices):
            for row, at, slot in inside:
                yield row, at, slot.at_vertex(vertex)


def _port(lowering: "Lowering", row: ProgramPort, slot: PortSlot, at: int, leaf: Type) -> Port:
    label = label_of(lowering, row)
    known: Port | None = lowering.declared.get(slot)
    if known is not None:
        return known
    if slot.rate is Rate.VERTEX and row.vertices:
        label = f"{label}[{slot.element}]"
    several = len(row.components) > 1 or slot.location is not None
    name = f"{label}.{COMPONENTS[slot.component if slot.location is not None else at]}"
    name = lowering.calls.memories.unique(name if several else label)
    meaning = row.system_value
    port = Port(
        name, I32 if leaf is BOOL else leaf,
        SystemValue(str(meaning)) if meaning in SYSTEM_VALUES else None,
        _interpolation(lowering, row), slot, label,
    )  # fmt: skip
    lowering.declared[slot] = port
    return port


def _interpolation(lowering: "Lowering", row: ProgramPort) -> Interpolation | None:
    """Return how an input is interpolated: at the sample in a shader with per-sample inputs."""
    if row.system_value in (SystemValue.POSITION, SystemValue.POINT_COORD):
        return _of_position(lowering)
    if row.vertices:
        return Interpolation.CONSTANT
    found = None if row.interpolation is None else Interpolation(str(row.interpolation))
    return AT_SAMPLES.get(found, found) if _asks_for_sample(lowering) else found


def _of_position(lowering: "Lowering") -> Interpolation | None:
    """Return the place of FragCoord and PointCoord: the sample in a shader that runs for each."""
    is_sampled = lowering.kernel.stage is Stage.PIXEL and lowering.facts.sample_frequency
    return Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE if is_sampled else None


def _asks_for_sample(lowering: "Lowering") -> bool:
    """Return whether the interface has SampleId or SamplePosition, which enable sample shading."""
    return lowering.kernel.stage is Stage.PIXEL and any(
        row.system_value in (SystemValue.SAMPLE_INDEX, SystemValue.SAMPLE_POSITION)
        for row in (*lowering.facts.inputs, *lowering.facts.builtins)
    )


def declare_ports(lowering: "Lowering", ports: Sequence[Port]) -> None:
    """Make ports inputs or outputs of the kernel, once."""
    kernel = lowering.kernel
    for port in ports:
        assert isinstance(port.slot, PortSlot)
        is_input = port.slot.direction is Direction.INPUT
        to = kernel.inputs if is_input else kernel.outputs
        if port not in to:
            to.append(port)


def fragment_position(lowering: "Lowering") -> list[Value]:
    """Append x and y of the fragment."""
    found = []
    for at in range(2):
        slot = port_slot(Stage.PIXEL, Direction.INPUT, SystemValue.POSITION, at)
        port = lowering.declared.get(slot)
        if port is None:
            name = lowering.calls.memories.unique(f"FragCoord.{COMPONENTS[at]}")
            position = SystemValue.POSITION
            port = Port(name, F32, position, _of_position(lowering), slot, "FragCoord")
            lowering.declared[slot] = port
        declare_ports(lowering, [port])
        found.append(lowering.b.input(port))
    return found


def as_port(b: Builder, value: Value) -> Value:
    """Return a scalar in the form of its port; a bool is 0 or 1."""
    return b.select(value, b.i32(1), b.i32(0)) if value.type is BOOL else value


def from_port(b: Builder, value: Value, leaf: Type) -> Value:
    """Return the value of a port as a scalar of the variable."""
    return b.ine(value, 0) if leaf is BOOL else value


# ---------------------------------------------------------------- roots


def _inputs(lowering: "Lowering", number: int, type: LeafType) -> Root:
    b = lowering.b
    leaves = type.leaves
    if built_in(lowering, number) == BuiltIn.HelperInvocation:
        return _helper(lowering, number)
    ports = ports_of(lowering, number, leaves)
    declare_ports(lowering, [port for port, _, _ in ports])
    stage = lowering.kernel.stage

    def converted(at: int, value: Value) -> Value:
        _, row, component = ports[at]
        convert = CONVERTED.get((str(row.slot.place), stage))
        return convert(b, component, value) if convert is not None else value

    def read(at: int) -> Value:
        port, _, _ = ports[at]
        return converted(at, from_port(b, b.input(port), leaves[at]))

    return InputPorts(read, [port for port, _, _ in ports], converted)


def _helper(lowering: "Lowering", number: int) -> Root:
    """Return HelperInvocation: the state at the start, or the current state if it is volatile."""
    b = lowering.b
    now = ValueRoot(lambda at: b.is_helper(), 1)
    if lowering.index.decoration(Decoration.Volatile, number) is not None:
        return now
    first = ValueRoot(lambda at: b.ine(b.source("helper"), 0), 1)
    first.volatile = now
    return first


def _outputs(lowering: "Lowering", number: int, type: LeafType) -> Root:
    ports = [port for port, _, _ in ports_of(lowering, number, type.leaves)]
    declare_ports(lowering, ports)
    row = lowering.name(number)
    steps = lowering.listing.steps(type)
    variables = [
        lowering.variable(f"{row}{''.join(path)}", row, leaf)
        for leaf, path in zip(type.leaves, steps, strict=True)
    ]
    return OutputPorts(variables, ports)
